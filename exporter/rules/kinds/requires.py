"""``requires``: some cards need another one."""

from collections.abc import Collection, Iterator
from typing import Annotated

from msgspec import Meta

from exporter.rules.kind import Brought, Expression, Fault, Names, OfDecks, Rule
from exporter.schema.shape import Word


class Requires(OfDecks[Brought]):
    """Beside a card that meets one expression there is another one that meets a second."""

    cards: Annotated[Expression, Meta(description="of the cards that need another")]
    needs: Annotated[Expression, Meta(description="of those that they need")]
    named: Annotated[Word, Meta(description="what is needed, in a message")]

    examples = ("{cards: name == '弾倉', needs: family == 'gun', named: 銃}",)
    by_moving = True
    sentences = {
        "ja": {"requires": ("{card}には{needs}が必要。", "{needs}を加えるか、{card}を外す。")},
        "en": {"requires": ("{card} requires {needs}.", "Add one, or remove {card}.")},
    }

    def looks(self, subject: Brought, rule: Rule) -> bool:
        return subject.any_fits(self.cards, rule.where)

    def faults(self, subject: Brought, rule: Rule) -> Iterator[Fault]:
        spots = subject.spots
        helpers = [spot for spot in spots if subject.fits(spot.card, self.needs, rule.where)]
        for spot in spots if len(helpers) < 2 else ():
            if helpers in ([], [spot]) and subject.fits(spot.card, self.cards, rule.where):
                found = {"card": spot.card.name, "needs": self.named}
                yield Fault(spot.where, "requires", found, touches=(spot,), lack=True)

    def expressions(self, names: Names) -> Iterator[tuple[str, Collection[str] | None]]:
        for text in (self.cards, self.needs):
            yield text, names.of_cards_brought
