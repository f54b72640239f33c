"""``expression``: what is too small for a kind of its own."""

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from exporter.problems import Where, as_written
from exporter.rules.expressions import Known, holds, names_in
from exporter.rules.kind import Brought, Expression, Fault, Names, OfDecks, OwnCards, Rule
from exporter.rules.totals import names_about


class Holds(OfDecks[Brought | OwnCards]):
    """An expression is true of the figures and the frame of what anybody brings, or of the fields
    of every card of a kind."""

    holds: Annotated[Expression, Meta(description="what is true")]
    each: Annotated[str, Meta(description="the kind of the cards of which it is true")] = ""

    examples = ("{holds: 2 <= 速さ <= 7}", "{each: number, holds: value > 0}")
    sentences = {
        "ja": {
            "expression": ("{what}：「{title}」が成り立たない（{condition}）。", "{values}"),
        },
        "en": {"expression": ("{what}: {title} does not hold ({condition}).", "{values}")},
    }

    def looks(self, subject: Brought | OwnCards, rule: Rule) -> bool:
        if isinstance(subject, OwnCards):
            return any(card.kind == self.each for card in subject.cards)
        return not self.each and subject.asks_itself(self.holds)

    def faults(self, subject: Brought | OwnCards, rule: Rule) -> Iterator[Fault]:
        if isinstance(subject, OwnCards):
            for card in subject.cards:
                if card.kind == self.each:
                    names = names_about(self.holds, card, {})
                    yield from self._judged(names, card.name, card.where, rule)
        elif self.looks(subject, rule):
            yield from self._judged(subject.names, subject.name, subject.where, rule)

    def _judged(
        self, names: Mapping[str, Known], what: str, where: Where, rule: Rule
    ) -> Iterator[Fault]:
        if not holds(self.holds, names, rule.where):
            asked = sorted(names_in(self.holds) & names.keys())
            values = {
                "what": what,
                "title": rule.title,
                "condition": self.holds,
                "values": " ".join(f"{name}={as_written(names[name])}" for name in asked),
            }
            yield Fault(where, "expression", values)

    def expressions(self, names: Names) -> Iterator[tuple[str, Collection[str] | None]]:
        yield self.holds, names.of_cards(self.each) if self.each else names.build
