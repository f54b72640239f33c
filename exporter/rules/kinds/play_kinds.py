"""What comes of a situation of play: a sum, an order, a line of sight, damage by distance."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

from msgspec import Struct

from exporter.core.messages import sentence
from exporter.core.names import normalized
from exporter.core.problems import Problem, SourceLocation, error_at, nearest
from exporter.model import Card
from exporter.model.fields import whole_number
from exporter.model.shape import Doc, Name, Shape, Whole, Word
from exporter.rules.expressions import evaluate, whole
from exporter.rules.figures import TermValue, names_about
from exporter.rules.kind import AllowedNames, Expression, Number, Rule
from exporter.rules.play_rules import (
    OF_CARDS,
    OF_DISTANCE,
    FormulaTerm,
    Given,
    OfPlay,
    Outcome,
    Situation,
    given_problems,
    names_for,
    names_wanted,
    outcome_text,
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

    one_of = ("value", "terms")
    examples = (
        "{given: {手札: 0}, value: 手札 <= 7}",
        "{terms: [{label: 札, value: 手札 * 2}], minimum: 0}",
    )

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        asked.allow({*names_wanted(self.given, self._texts), *OF_CARDS})
        names = names_for(asked, self.given)
        cards = asked.cards("cards")
        names["count"] = len(cards)
        for name, text in self.counts.items():
            each = (whole(text, names_about(text, card, names), rule.where) for card in cards)
            names[name] = sum(each)
        if self.value is not None:
            return Outcome(evaluate(self.value, names, rule.where))
        return _summed([*term_values(self.terms, names, rule)], self.minimum)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield from ((text, None) for text in self._texts)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        yield from super().parameter_problems(at)
        yield from given_problems(self.given, at("given"))

    @property
    def _texts(self) -> list[str]:
        value = [] if self.value is None else [self.value]
        return [*value, *(term.value for term in self.terms), *self.counts.values()]


def _summed(terms: Sequence[TermValue], least: int | None) -> Outcome:
    """Add terms up, to no less than the least; those of nothing are left out."""
    total = sum(term.value for term in terms)
    kept = tuple(term for term in terms if term.value)
    return Outcome(total if least is None else max(total, least), kept)


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

    ja: 2つの中心を結ぶ線の上に、両端の高いほうより高いマスがない。`rows` はマップのとおり、
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


# How many distances a table shows at most.
FURTHEST = 16


class DamageLabels(Shape):
    """What people call two terms of a damage."""

    damage: Annotated[Word, Doc("what the weapon does", "武装のダメージ")]
    distance: Annotated[Word, Doc("what its distance takes away", "距離で減る分")]


class SituationColumn(Shape):
    """A column of the table that `explain` shows."""

    label: Annotated[Word, Doc("its heading", "見出し")]
    given: Annotated[Given, Doc("what is so in it", "その状況で成り立つこと")] = {}
    compared: Annotated[
        bool,
        Doc(
            "`compare` shows the damage of whole mechs in it, too",
            "`compare` が機体全体のダメージもこの状況で見せる",
        ),
    ] = False


class Reach(Struct, frozen=True):
    """One way to use a weapon: its range, what a square outside it costs, its damage.

    ``furthest`` is nothing where the range has no end, ``loss`` where nothing is hit outside it.
    """

    title: str
    nearest: int
    furthest: int | None
    loss: int | None
    damage: int
    timing: str

    def gap(self, distance: int) -> int:
        """Count how many squares ``distance`` lies outside the range."""
        if distance < self.nearest:
            return self.nearest - distance
        return max(0, distance - self.furthest) if self.furthest is not None else 0


class DamageTable(Struct, frozen=True):
    """The damage of one way to use a weapon by distance, in situations that are ``columns``.

    Without ``ends`` the last line holds for all distances that would follow.
    """

    title: str
    columns: tuple[str, ...]
    lines: tuple[tuple[int, tuple[str, ...]], ...]
    ends: bool


class DamageTerms(OfPlay, kw_only=True):
    """What else changes the damage of a weapon.

    ja: ほかに武装のダメージを変えるもの。
    """

    given: Annotated[Given, Doc("what is so where nothing else is given", "渡さないときの値")] = {}
    terms: Annotated[list[FormulaTerm], Doc("what is added to the damage", "ダメージに足すもの")]

    examples = ("{given: {狙い: 0}, terms: [{label: 狙い, value: 狙い}]}",)

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        for other in asked.rules.values():
            if isinstance(other.kind, Range):
                return other.kind.outcome(asked, other)
        raise error_at(asked.where, "RULE", "no-rule-force")

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield from ((term.value, None) for term in self.terms)

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        return given_problems(self.given, at("given"))


class Range(OfPlay):
    """A weapon's damage goes by distance: each square outside its range costs, or misses.

    ja: 武装のダメージは距離で変わる。射程から1マス外れるごとに減るか、外れる。
    """

    classes: Annotated[
        dict[str, Whole | Literal["none"]],
        Doc(
            "range class → what a square outside costs; `none`: nothing is hit there",
            "射程の種類 → 1マス外れるごとに減る値。`none` なら当たらない",
        ),
    ]
    labels: Annotated[
        DamageLabels,
        Doc("of the terms `damage` and `distance`", "項 `damage` と `distance` の名前"),
    ]
    miss: Annotated[
        Word, Doc("what comes of a shot that hits nothing", "当たらなかったときの呼び名")
    ]
    result: Annotated[Name, Doc("what people call the damage", "ダメージの呼び名")]
    metric: Annotated[
        Literal["manhattan", "chebyshev"], Doc("how squares are counted", "マスの数え方")
    ] = "manhattan"
    shown: Annotated[
        list[SituationColumn],
        Doc(
            "situations, `label` and what is `given`, that are explained",
            "説明に出す状況。`label` と `given`",
        ),
    ] = []

    examples = (
        "{classes: {近接: 1, 狙撃: none}, labels: {damage: 基本, distance: 遠さ}, "
        "miss: 外れ, result: {ja: ダメージ, en: damage}}",
    )

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        """Find the damage of a weapon at a distance, with all ``damage_terms`` in force.

        ``mode`` chooses among the ways to use the weapon.
        """
        more = [
            (one, one.kind) for one in asked.rules.values() if isinstance(one.kind, DamageTerms)
        ]
        names = (names_wanted(kind.given, [t.value for t in kind.terms]) for _, kind in more)
        asked.allow({*OF_CARDS, *OF_DISTANCE}.union(*names))
        card = asked.card()
        ways = self.reaches(card)
        mode = asked.number("mode", 0)
        if not ways:
            raise error_at(asked.where, "CASE", "no-damage-could", card=card.name)
        if not 0 <= mode < len(ways):
            raise asked.refused("mode", sentence("allowed", "mode", most=len(ways) - 1))
        reach = ways[mode]
        gap = reach.gap(self._distance(asked, reach.nearest))
        if gap and reach.loss is None:
            return Outcome(self.miss)
        terms = [TermValue(self.labels.damage, reach.damage, rule.cites)]
        terms.append(TermValue(self.labels.distance, -gap * (reach.loss or 0), rule.cites))
        in_use = asked.entries("with", each="list-of-cards")
        using = asked.having(**{"with": [*in_use, asked.given["card"]]})
        for other, kind in more:
            seen = {**names_for(using, kind.given), "timing": reach.timing}
            terms += term_values(kind.terms, seen, other)
        return _summed(terms, None if reach.loss is None else 0)

    def _distance(self, asked: Situation, otherwise: int) -> int:
        """Find the distance that is given, or that of the squares ``from`` and ``to``."""
        if "from" not in asked.given and "to" not in asked.given:
            return asked.number("distance", otherwise)
        start, end = asked.square("from"), asked.square("to")
        across, along = (abs(one - other) for one, other in zip(start, end, strict=True))
        return across + along if self.metric == "manhattan" else max(across, along)

    def reaches(self, card: Card) -> list[Reach]:
        """Find the ways to use a weapon; none where its range or damage is no number."""
        kinds = card.get("kinds")
        timings = kinds if isinstance(kinds, tuple) else (str(kinds),)
        ranges, named = card.text("range").split("/"), card.text("range_class").split("/")
        damages = card.text("damage").split("/")
        if not len(ranges) == len(named) == len(damages):
            return []
        found = []
        for index, (text, sort, damage) in enumerate(zip(ranges, named, damages, strict=True)):
            ends, number = _range_ends(text), whole_number(damage)
            if ends and sort in self.classes and number is not None and number >= 0:
                loss = self.classes[sort]
                timing = timings[index] if len(timings) == len(ranges) else timings[0]
                title = f"{timing} {text} ({sort}) {number}"
                found.append(Reach(title, *ends, None if loss == "none" else loss, number, timing))
        return found

    def is_result(self, name: str) -> bool:
        """Say whether people call the damage so."""
        return normalized(name) in (normalized(self.result.ja), normalized(self.result.en))

    def tables(self, asked: Situation, card: Card, rule: Rule) -> Iterator[DamageTable]:
        """Work out a weapon's damage in the situations ``shown``. Raises ``InvalidSource``."""
        for mode, reach in enumerate(self.reaches(card)):
            outside = reach.damage // reach.loss if reach.loss else 0
            ends = reach.furthest is not None
            last = (reach.furthest if reach.furthest is not None else reach.nearest) + outside + 1
            lines = []
            for distance in range(0 if reach.nearest == 0 else 1, min(last, FURTHEST) + 1):
                at = {"card": card.id, "mode": mode, "distance": distance}
                outcomes = (self.outcome(asked.of({**one.given, **at}), rule) for one in self.shown)
                lines.append((distance, tuple(outcome_text(outcome.value) for outcome in outcomes)))
            labels = tuple(one.label for one in self.shown)
            yield DamageTable(reach.title, labels, tuple(lines), ends)

    def damage_at(
        self, asked: Situation, card: Card, distance: int, given: Given, rule: Rule
    ) -> int:
        """Work out the most damage that a card does at a distance in a situation; 0 where it
        hits nothing, or is no weapon. Raises ``InvalidSource``."""
        best = 0
        for mode, reach in enumerate(self.reaches(card)):
            if distance == 0 and reach.nearest:
                continue  # nobody is there, unless the range says so
            at = {**given, "card": card.id, "mode": mode, "distance": distance}
            value = self.outcome(asked.of(at), rule).value
            best = max(best, value if isinstance(value, int) else 0)
        return best

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        for index, one in enumerate(self.shown):
            yield from given_problems(one.given, at("shown", index, "given"))


def _range_ends(text: str) -> tuple[int, int | None] | None:
    """Find the ends of a printed range: ``②～③``, ``❺``, ``0～∞``; nothing for another text."""
    ends: list[int | None] = []
    for token in re.findall(r"[0-9]+|∞|[^0-9～∞-]", text):
        if token == "∞":
            ends.append(None)
        elif (number := whole_number(token)) is not None:
            ends.append(number)
        else:
            sign = unicodedata.numeric(token, -1)
            if sign < 0:
                return None
            ends.append(int(sign))
    first = ends[0] if ends else None
    return (first, ends[-1]) if first is not None else None
