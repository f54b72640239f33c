"""``requires``: some cards need another one."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Annotated

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import Card
from exporter.model.shape import (
    Doc,
    Ref,
)
from exporter.rules.kind import (
    AllowedNames,
    CardPool,
    CardSpot,
    Expression,
    Fault,
    OfDecks,
    Rule,
)


class Requires(OfDecks[CardPool]):
    """Beside a card that meets one expression there is another one that meets a second, or one that
    a field of the card names.

    ja: ある式に当てはまるカードがあれば、もう1つの式に当てはまるカードか、カードの欄が名指すカー
    ドもある。
    """

    cards: Annotated[
        Expression | None,
        Doc("of the cards that need another", "ほかのカードを必要とするカードの条件"),
    ] = None
    needs: Annotated[
        Expression | None, Doc("of those that they need", "必要とされるカードの条件")
    ] = None
    named: Annotated[str, Doc("what is needed, in a message", "必要なものの、文での呼び名")] = ""
    field: Annotated[
        str,
        Ref("field"),
        Doc(
            "instead: the field that names cards, of which one is needed",
            "代わりに：カードを名指す欄。そのどれか1枚が要る",
        ),
    ] = ""

    examples = (
        "{cards: name == '弾倉', needs: family == 'gun', named: 銃}",
        "{field: grows_from, decks: [main]}",
    )
    by_moving = True
    sentences = {
        "ja": {
            "requires": ("{card}には{needs}が必要。", "{needs}を加えるか、{card}を外してください。")
        },
        "en": {"requires": ("{card} requires {needs}.", "Add one, or remove {card}.")},
    }

    def looks(self, subject: CardPool, rule: Rule) -> bool:
        if self.field:
            return any(spots[0].card.get(self.field) for spots in subject.by_card.values())
        return self.cards is not None and subject.any_fits(self.cards, rule.where)

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        yield from self._named_ones(subject) if self.field else self._fitting(subject, rule)

    def _named_ones(self, subject: CardPool) -> Iterator[Fault]:
        each = subject.by_card.values()
        asking = [spots for spots in each if spots[0].card.get(self.field) not in ("", ())]
        names = {name for one in each if asking for name in (one[0].card.id, one[0].card.name)}
        for spots in asking:
            value = spots[0].card.get(self.field)
            needed: Sequence[str] = value if isinstance(value, tuple) else (str(value),)
            if any(needed) and names.isdisjoint(needed):
                yield self._fault(spots, "／".join(needed))

    def _fitting(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        if self.cards is None or self.needs is None:
            return
        spots = subject.spots
        helpers = [spot for spot in spots if subject.fits(spot.card, self.needs, rule.where)]
        for spot in spots if len(helpers) < 2 else ():
            if helpers in ([], [spot]) and subject.fits(spot.card, self.cards, rule.where):
                yield self._fault([spot], self.named)

    @staticmethod
    def _fault(spots: Sequence[CardSpot], needed: str) -> Fault:
        found = {"card": spots[0].card.name, "needs": needed}
        return Fault(spots[0].where, "requires", found, touches=tuple(spots), lack=True)

    def bears(self, subject: CardPool, rule: Rule, fault: Fault, card: Card) -> bool:
        if any(spot.card.id == card.id for spot in fault.touches):
            return True
        if self.field:
            return bool({card.id, card.name} & set(str(fault.values["needs"]).split("／")))
        return self.needs is not None and subject.fits(card, self.needs, rule.where)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        for text in (self.cards, self.needs):
            if text is not None:
                yield text, names.of_pool_cards

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        for name in ("cards", "needs", "named"):
            given = bool(getattr(self, name))
            if given == bool(self.field):
                key = "needs-and-field" if given else "needs-or-field"
                yield problem_at(at(name), "SRC-KEY", key, name=name)
