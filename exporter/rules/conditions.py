"""The rule kind for what is too small for one of its own: an expression that has to hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exporter.model import Card, Game
from exporter.problems import Where, as_written
from exporter.rules.bench import Bench
from exporter.rules.book import Rule
from exporter.rules.expressions import Known, holds, names_in
from exporter.rules.faults import Fault
from exporter.rules.totals import names_about


def _judged(names: Mapping[str, Known], what: str, where: Where, rule: Rule) -> Iterator[Fault]:
    condition = str(rule.parameters["holds"])
    if holds(condition, names, rule.where):
        return
    asked = sorted(names_in(condition) & names.keys())
    values = {
        "what": what,
        "title": rule.title,
        "condition": condition,
        "values": " ".join(f"{name}={as_written(names[name])}" for name in asked),
    }
    yield Fault(where, "expression", values)


def build_condition(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """The expression ``holds`` is true of the figures and the frame of every build."""
    if not rule.parameters.get("each"):
        yield from _judged(bench.names, bench.build.name, bench.build.where, rule)


def card_condition(game: Game, card: Card, rule: Rule) -> Iterator[Fault]:
    """The expression ``holds`` is true of the fields of every card of the kind ``each``."""
    if card.kind == rule.parameters.get("each"):
        names = names_about(str(rule.parameters["holds"]), card, {})
        yield from _judged(names, card.name, card.where, rule)
