"""``damage_terms``: what else changes the damage of a weapon."""

from collections.abc import Callable, Collection, Iterator
from typing import Annotated

from exporter.core.problems import (
    Problem,
    SourceLocation,
    error_at,
)
from exporter.model.shape import Doc
from exporter.rules.kind import (
    AllowedNames,
    Rule,
)
from exporter.rules.play_rules import (
    FormulaTerm,
    Given,
    OfPlay,
    Outcome,
    wrongly_given,
)
from exporter.rules.situations import Situation


class DamageTerms(OfPlay, kw_only=True):
    """What else changes the damage of a weapon.

    ja: ほかに武装のダメージを変えるもの。
    """

    given: Annotated[Given, Doc("what is so where nothing else is given", "渡さないときの値")] = {}
    terms: Annotated[list[FormulaTerm], Doc("what is added to the damage", "ダメージに足すもの")]

    examples = ("{given: {狙い: 0}, terms: [{label: 狙い, value: 狙い}]}",)

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        for other in asked.rules.values():
            if isinstance(other.kind, OfPlay) and other.kind.rests_on(rule):
                return other.kind.outcome(asked, other)
        raise error_at(asked.where, "RULE", "no-rule-force")

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield from ((term.value, None) for term in self.terms)

    def wrong(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        return wrongly_given(self.given, at("given"))
