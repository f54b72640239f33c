"""``expression``: what is too small for a kind of its own."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Annotated, TypeAlias

from exporter.core.messages import sentence
from exporter.core.problems import (
    Problem,
    SourceLocation,
    as_written,
    problem_at,
)
from exporter.model import (
    Card,
    Name,
)
from exporter.model.shape import (
    TEXT,
    Doc,
    Ref,
    Shape,
    Short,
    Word,
    under,
)
from exporter.rules.expressions import (
    Known,
    as_asked,
    difference,
    holds,
    names_in,
)
from exporter.rules.figures import names_about
from exporter.rules.kind import (
    AllowedNames,
    CardPool,
    CardSpot,
    Expression,
    Fault,
    OfDecks,
    OwnCards,
    Rule,
    labels_of,
)

HEAVIEST = 3
"""Cards that are named as those that count most."""


class Tally(Shape, omit_defaults=True):
    """What is counted over the cards: a sum, or different values of a field."""

    sum: Annotated[
        Expression | None,
        Doc(
            "over a card's fields: what each copy adds; true is 1",
            "カードの欄についての式。1枚が足す数。真なら1",
        ),
    ] = None
    different: Annotated[
        str,
        Ref("column"),
        Doc("how many different values of a field there are", "欄の値が何種類あるか"),
    ] = ""
    where: Annotated[Expression | None, Doc("of the cards that count", "数えるカードの条件")] = None


Counts: TypeAlias = dict[Word, Annotated[Tally, Short(under("sum"), TEXT)]]


class Holds(OfDecks[CardPool | OwnCards]):
    """An expression is true of the figures, the frame and the cards of what anybody brings, or of
    the fields of every card of a kind.

    ja: 持ち寄ったものの数値・機体タイプ・カード、または1つの種類のカードそれぞれの欄について、式
    が成り立つ。
    """

    holds: Annotated[Expression, Doc("what is true", "成り立つこと")]
    each: Annotated[
        str, Doc("the kind of the cards of which it is true", "成り立つカードの種類")
    ] = ""
    counts: Annotated[
        Counts,
        Doc(
            "name → what is counted over the cards: a condition, or a field to add up, "
            "or `{different: name}`; `where` says of which cards",
            "名前 → カードについて数えるもの：条件、足し合わせる欄、`{different: name}"
            "`（違うものの数）。`where` で対象を絞る",
        ),
    ] = {}

    examples = (
        "{holds: 2 <= 速さ <= 7}",
        "{each: number, holds: value > 0}",
        "{counts: {竜: family == '竜', 種: {different: family}}, holds: 竜 <= 4 and 種 >= 2}",
    )
    sentences = {
        "ja": {
            "expression": ("{what}：「{title}」が成り立ちません。", "{values}{off}"),
            "off": "（差は{off}）",
        },
        "en": {
            "expression": ("{what}: {title} does not hold.", "{values} {off}"),
            "off": "(off by {off})",
        },
    }

    def looks(self, subject: CardPool | OwnCards, rule: Rule) -> bool:
        if isinstance(subject, OwnCards):
            return any(card.kind == self.each for card in subject.cards)
        if self.each:
            return False
        if self.counts:
            asked = names_in(self.holds) - frozenset(map(as_asked, self.counts))
            return not asked or asked <= set(map(as_asked, subject.names))
        return subject.asks_itself(self.holds)

    def faults(self, subject: CardPool | OwnCards, rule: Rule) -> Iterator[Fault]:
        if isinstance(subject, OwnCards):
            for card in subject.cards:
                if card.kind == self.each:
                    names = names_about(self.holds, card, {})
                    labels = labels_of(subject.game, card)
                    yield from self._judged(names, Name(card.name), card.where, rule, labels)
        elif self.looks(subject, rule):
            where = rule.where
            found = {name: _counted(subject, one, where) for name, one in self.counts.items()}
            names = {**subject.names, **found}
            if not holds(self.holds, names, where):
                adds = {name: _added(subject, one, where) for name, one in self.counts.items()}
                yield from self._judged(
                    names, subject.called, subject.where, rule, {}, adds, subject
                )

    def _judged(
        self,
        names: Mapping[str, Known],
        what: Name,
        where: SourceLocation,
        rule: Rule,
        labels: Mapping[str, str],
        adds: Mapping[str, Counter[str]] = {},
        subject: CardPool | None = None,
    ) -> Iterator[Fault]:
        if not holds(self.holds, names, rule.where):
            asked = sorted(names_in(self.holds) & names.keys())
            off = difference(self.holds, names, rule.where)
            shown = (
                f"{labels.get(name, name)}={as_written(names[name])}{_heaviest(adds, name)}"
                for name in asked
            )
            values = {
                "what": what,
                "title": rule.title,
                "values": " ".join(shown),
                "off": sentence("expression", "off", off=off) if off else "",
                "gap": str(off or ""),
                **{name: as_written(names[name]) for name in asked},
            }
            if subject is None or not self.counts:
                yield Fault(where, "expression", values)
                return
            more, fewer = (self._nearer(names, by, rule.where) for by in (1, -1))
            touches = tuple(
                spot
                for spot in subject.spots
                if fewer
                and any(_counts(subject, self.counts[n], spot.card, rule.where) for n in fewer)
            )
            lack, least = bool(more) or not fewer, 1
            if off and len(fewer) == 1 and not lack:
                least = _fewest(subject, self.counts[fewer[0]], touches, ceil(off), rule.where)
            yield Fault(where, "expression", values, touches=touches, off=least, lack=lack)

    def _nearer(self, names: Mapping[str, Known], by: int, where: SourceLocation) -> list[str]:
        """Find the counts of which one more, or one less, would bring it nearer to what holds."""
        found = []
        off = difference(self.holds, names, where)
        for name in self.counts:
            value = names[name]
            changed = {**names, name: value + by} if isinstance(value, int) else names
            gap = difference(self.holds, changed, where)
            if holds(self.holds, changed, where) or (off and gap and gap < off):
                found.append(name)
        return found

    def bears(self, subject: CardPool, rule: Rule, fault: Fault, card: Card) -> bool:
        asked = names_in(self.holds)
        counts = [tally for name, tally in self.counts.items() if as_asked(name) in asked]
        return not counts or any(_counts(subject, tally, card, rule.where) for tally in counts)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        own = {*names.build, *self.counts}
        yield self.holds, names.of_cards(self.each) if self.each else own
        for tally in self.counts.values():
            for text in (tally.sum, tally.where):
                if text is not None:
                    yield text, names.of_pool_cards

    def blanks(self) -> Collection[str]:
        return {*super().blanks(), "gap", *names_in(self.holds)}

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        if self.each and self.counts:
            yield problem_at(at("counts"), "SRC-KEY", "each-and-counts")
        for name, tally in self.counts.items():
            if (tally.sum is None) == (not tally.different):
                yield problem_at(at("counts", name), "SRC-KEY", "sum-or-different", name=name)


def _fewest(
    subject: CardPool, tally: Tally, spots: Sequence[CardSpot], off: int, where: SourceLocation
) -> int:
    """Count how many cards must go at the least for a count to be so much smaller."""
    if tally.different:
        copies = Counter(spot.card.text(tally.different) for spot in spots)
        return sum(sorted(copies.values())[:off])
    return ceil(off / max(_worth(subject, tally, spot.card, where) for spot in spots))


def _worth(subject: CardPool, tally: Tally, card: Card, where: SourceLocation) -> int:
    """Find what a copy of a card that counts adds."""
    return 1 if tally.sum is None else abs(subject.worth(card, tally.sum, where)) or 1


def _counts(subject: CardPool, tally: Tally, card: Card, where: SourceLocation) -> bool:
    """Say whether a card adds anything to a count."""
    if tally.where is not None and not subject.fits(card, tally.where, where):
        return False
    return bool(tally.different) or bool(tally.sum and subject.worth(card, tally.sum, where))


def _counted(subject: CardPool, tally: Tally, where: SourceLocation) -> int:
    """Find what a count comes to."""
    each: Iterable[Sequence[CardSpot]] = subject.by_card.values()
    if tally.where is not None:
        each = subject.fitting(each, tally.where, where)
    if tally.sum is None:
        return len({spots[0].card.text(tally.different) for spots in each})
    return subject.weight(each, tally.sum, where)


def _added(subject: CardPool, tally: Tally, where: SourceLocation) -> Counter[str]:
    """Find what each card, by its name, adds to a count; of different values each adds 1."""
    found: Counter[str] = Counter()
    for spots in subject.by_card.values():
        card = spots[0].card
        if tally.where is not None and not subject.fits(card, tally.where, where):
            continue
        if tally.different:
            found[card.text(tally.different)] = 1
        elif tally.sum is not None:
            found[card.name] += subject.worth(card, tally.sum, where) * len(spots)
    return found


def _heaviest(adds: Mapping[str, Counter[str]], name: str) -> str:
    """Find the cards that add most to a count, where several do."""
    most = [(card, value) for card, value in adds.get(name, Counter()).most_common() if value > 1]
    if len(most) < 2:
        return ""
    more = "…" if len(most) > HEAVIEST else ""
    return f"（{'・'.join(f'{card} {value}' for card, value in most[:HEAVIEST])}{more}）"
