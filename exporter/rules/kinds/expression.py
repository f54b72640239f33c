"""``expression``: what is too small for a kind of its own."""

from collections.abc import Collection, Iterator
from typing import Annotated

from msgspec import Meta

from exporter.problems import as_written
from exporter.rules.expressions import holds, names_in
from exporter.rules.kind import Brought, Expression, Fault, Names, OneCard, Rule, RuleKind
from exporter.rules.totals import names_about


class Holds(RuleKind[Brought | OneCard]):
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

    def looks(self, subject: Brought | OneCard, rule: Rule) -> bool:
        if isinstance(subject, OneCard):
            return subject.card.kind == self.each
        return not self.each and subject.asks_itself(self.holds)

    def faults(self, subject: Brought | OneCard, rule: Rule) -> Iterator[Fault]:
        if not self.looks(subject, rule):
            return
        if isinstance(subject, OneCard):
            what, where = subject.card.name, subject.card.where
            names = names_about(self.holds, subject.card, {})
        else:
            what, where, names = subject.name, subject.where, dict(subject.names)
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
