"""What comes of a situation of play: a sum, an order, a line of sight."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Annotated

from exporter.core.messages import sentence
from exporter.core.problems import Problem, SourceLocation, nearest, problem_at
from exporter.model.shape import Doc, Word
from exporter.rules.expressions import evaluate, whole
from exporter.rules.figures import names_about
from exporter.rules.kind import AllowedNames, Expression, Number, Rule
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


class Order(OfPlay):
    """Who acts first goes by some names, one after the other, the highest first.

    ja: 誰から動くかを、名前の順に、大きいほうから決める。
    """

    by: Annotated[
        list[Word], Doc("names of what each of those in order is given", "並べるものの名前")
    ]
    ranks: Annotated[
        dict[str, list[Word]],
        Doc(
            "name that stands for a word → the words, the first of them first",
            "語を値にする名前 → 語。先に来るものから",
        ),
    ] = {}

    examples = ("{by: [種別, 速さ], ranks: {種別: [移動, 射撃]}}",)

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        """Work out the order as places in the given list, from 1."""
        asked.allow({"mechs"})
        mechs = [asked.of(one) for one in asked.entries("mechs", Mapping, "list-of-mechs")]
        ranked = sorted(range(len(mechs)), key=lambda index: self._ranks(mechs[index]))
        return Outcome(tuple(index + 1 for index in ranked))

    def _ranks(self, mech: Situation) -> list[int]:
        """Find what sorts a mech among the others, the lowest first. Raises ``InvalidSource``."""
        found = []
        for name in self.by:
            words = self.ranks.get(name)
            if words is None:
                found.append(-mech.number(name, 0))
                continue
            word = mech.given.get(name, "".join(words[:1]))
            if word not in words:
                raise mech.refused(name, ", ".join(words), nearest(str(word), words))
            found.append(words.index(word))
        return found


_CELL = re.compile(r"\S([0-9]+|-)")


class LineOfSight(OfPlay):
    """The line between two centres meets no cell higher than the higher of its ends: `rows` as a
    board's, `from` and `to` as column and row, from 1.

    ja: 2つの中心を結ぶ線の上に、両端の高いほうより高いマスがない。`rows` は地図のとおり、
    `from` と `to` は1からの列と行。
    """

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        asked.allow({"rows", "from", "to"})
        heights: dict[tuple[int, int], int] = {}
        for row, line in enumerate(asked.entries("rows", str, "list-of-rows"), 1):
            for column, cell in enumerate(line.split(), 1):
                height = _CELL.fullmatch(cell)
                if height is None:
                    raise asked.refused("rows", sentence("allowed", "list-of-rows"))
                heights[column, row] = -1 if height[1] == "-" else int(height[1])
        ends = one, other = asked.square("from"), asked.square("to")
        for name, end in zip(("from", "to"), ends, strict=True):
            if end not in heights:
                raise asked.refused(name, sentence("allowed", "cell-of-rows"))
        between = [cell for cell in heights if cell not in ends and _crosses(one, other, cell)]
        top = max(heights[one], heights[other])
        return Outcome(all(heights[cell] <= top for cell in between))


def _crosses(start: tuple[int, int], end: tuple[int, int], cell: tuple[int, int]) -> bool:
    """Say whether the line between two cells' centres runs through a cell, not only past its
    edge."""
    enter, leave = Fraction(0), Fraction(1)
    for axis in (0, 1):
        origin = start[axis] + Fraction(1, 2)
        along = end[axis] - start[axis]
        if along == 0:
            if cell[axis] != start[axis]:
                return False
            continue
        edges = sorted(((cell[axis] - origin) / along, (cell[axis] + 1 - origin) / along))
        enter, leave = max(enter, edges[0]), min(leave, edges[1])
    return enter < leave
