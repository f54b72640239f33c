"""``formula``: what a situation of play comes to."""

from collections.abc import Callable, Collection, Iterator
from typing import Annotated

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model.shape import Doc
from exporter.rules.expressions import (
    evaluate,
    whole,
)
from exporter.rules.figures import names_about
from exporter.rules.kind import (
    AllowedNames,
    Expression,
    Number,
    Rule,
)
from exporter.rules.play_rules import (
    OF_CARDS,
    FormulaTerm,
    Given,
    OfPlay,
    Outcome,
    Situation,
    given_problems,
    names_asked,
    names_for,
    term_values,
)


class Formula(OfPlay):
    """A situation of play comes to a value, or to a sum of terms. `count` is how many cards are
    given.

    ja: 遊びの状況が、値か、項の合計になる。`count` は渡したカードの枚数。
    """

    given: Annotated[Given, Doc("what is so where nothing else is given", "渡さないときの値")] = {}
    value: Annotated[Expression | None, Doc("what comes of it", "答え")] = None
    terms: Annotated[
        list[FormulaTerm],
        Doc("what is added up, instead of a value", "答えの代わりに、足し合わせる項"),
    ] = []
    counts: Annotated[
        dict[str, Expression],
        Doc(
            "name → what is added up over the cards given",
            "名前 → 渡したカードについて足し合わせるもの",
        ),
    ] = {}
    minimum: Annotated[Number | None, Doc("the least that the terms come to", "合計の下限")] = None

    examples = (
        "{given: {手札: 0}, value: 手札 <= 7}",
        "{terms: [{label: 札, value: 手札 * 2}], minimum: 0}",
    )

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        asked.allow({*names_asked(self.given, self._texts), *OF_CARDS})
        names = names_for(asked, self.given)
        cards = asked.cards("cards")
        names["count"] = len(cards)
        for name, text in self.counts.items():
            each = (whole(text, names_about(text, card, names), rule.where) for card in cards)
            names[name] = sum(each)
        if self.value is not None:
            return Outcome(evaluate(self.value, names, rule.where))
        terms = list(term_values(self.terms, names, rule))
        total = sum(term.value for term in terms)
        kept = tuple(term for term in terms if term.value)
        return Outcome(total if self.minimum is None else max(total, self.minimum), kept)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield from ((text, None) for text in self._texts)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        if self.value is None and not self.terms:
            yield problem_at(at(), "SRC-KEY", "formula-without-value")
        yield from given_problems(self.given, at("given"))

    @property
    def _texts(self) -> list[str]:
        value = [] if self.value is None else [self.value]
        return [*value, *(term.value for term in self.terms), *self.counts.values()]
