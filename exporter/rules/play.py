"""Rules of play as formulas: what comes of a given situation, and by which terms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from msgspec import Struct

from exporter.model import Card, Game
from exporter.model.fields import whole_number
from exporter.problems import InvalidSource, Problem, Where, nearest, told
from exporter.rules.book import Rule, Rulebook
from exporter.rules.expressions import Known, evaluate, names_in, whole
from exporter.rules.faults import Fault
from exporter.rules.situations import Situation, found_text
from exporter.rules.totals import (
    CARD_NAMES,
    TermValue,
    amounts,
    card_value,
    names_about,
    terms_text,
)

Given: TypeAlias = Mapping[str, Any]

_OF_CARDS = ("card", "cards", "with")
_OF_DISTANCE = ("mode", "distance", "from", "to")
"""What a situation may say besides the names that a rule asks for."""

_OF_MECHS = ", each entry keys with numbers, such as [{a: 1}, {a: 2}]"
_OF_ROWS = " of texts, each a row of cells such as .0 r1 w-"
_CELL = re.compile(r"\S([0-9]+|-)")


class Outcome(Struct, frozen=True):
    """What comes of a situation: a number, a text, a truth or an order; numbers have terms."""

    value: Known | tuple[int, ...]
    terms: tuple[TermValue, ...] = ()


class Reach(Struct, frozen=True):
    """One way to use a weapon: its range, what a square outside it costs, its damage.

    ``furthest`` is nothing where the range has no end, ``loss`` where nothing is hit outside it.
    """

    nearest: int
    furthest: int | None
    loss: int | None
    damage: int
    timing: str

    def gap(self, distance: int) -> int:
        """How many squares ``distance`` lies outside the range."""
        if distance < self.nearest:
            return self.nearest - distance
        return max(0, distance - self.furthest) if self.furthest is not None else 0


def _range_ends(text: str) -> tuple[int, int | None] | None:
    """The ends of a printed range: ``②～③``, ``❺``, ``0～∞``; nothing for another text."""
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


def reaches(card: Card, classes: Mapping[str, int | None]) -> list[Reach]:
    """The ways to use a weapon; none where its range or damage is no number.

    ``classes`` says for each range class what a square outside the range costs, if it can be hit.
    """
    kinds = card.get("kinds")
    timings = kinds if isinstance(kinds, tuple) else (str(kinds),)
    ranges, named = card.text("range").split("/"), card.text("range_class").split("/")
    damages = card.text("damage").split("/")
    if not len(ranges) == len(named) == len(damages):
        return []
    found = []
    for index, (text, sort, damage) in enumerate(zip(ranges, named, damages, strict=True)):
        ends = _range_ends(text)
        number = whole_number(damage)
        if ends and sort in classes and number is not None and number >= 0:
            timing = timings[index] if len(timings) == len(ranges) else timings[0]
            found.append(Reach(*ends, classes[sort], number, timing))
    return found


def _situation(game: Game, rule: Rule, asked: Situation) -> dict[str, Known]:
    """The names that a formula sees: defaults, a card's fields, what is given, cards in use."""
    names: dict[str, Known] = dict(rule.parameters.get("given", {}))
    if "card" in asked.given:
        card = asked.card(game)
        names |= {name: card_value(card, name) for name in (*CARD_NAMES, *card.fields)}
    names |= asked.scalars(but=_OF_CARDS + _OF_DISTANCE)
    for card in asked.cards(game, "with"):
        for name, amount in amounts(card, "play").items():
            before = names.get(name, 0)
            names[name] = amount + (before if isinstance(before, int) else 0)
    return names


def _names_of(rule: Rule) -> set[str]:
    """The names that a rule's formulas ask for, and those that it gives a value."""
    parameters = rule.parameters
    texts = [str(parameters.get("value") or ""), *parameters.get("counts", {}).values()]
    texts += [term["value"] for term in parameters.get("terms", ())]
    return {*parameters.get("given", ())}.union(*map(names_in, texts))


def formula(game: Game, book: Rulebook, rule: Rule, given: Given, where: Where) -> Outcome:
    """``value``, or the sum of ``terms`` with a ``minimum``, over the situation.

    A term with ``each: cards`` is added up over the cards that are given; they are ``count`` many.
    """
    asked = Situation(given, where)
    asked.allow({*_names_of(rule), *_OF_CARDS})
    names = _situation(game, rule, asked)
    cards = asked.cards(game, "cards")
    names["count"] = len(cards)
    for name, term in rule.parameters.get("counts", {}).items():
        names[name] = sum(whole(term, names_about(term, card, names), rule.where) for card in cards)
    if "value" in rule.parameters:
        return Outcome(evaluate(str(rule.parameters["value"]), names, rule.where))
    terms = [
        TermValue(term["label"], whole(term["value"], names, rule.where), rule.cites)
        for term in rule.parameters["terms"]
    ]
    total = sum(term.value for term in terms)
    least = rule.parameters.get("minimum")
    kept = tuple(term for term in terms if term.value)
    return Outcome(total if least is None else max(total, least), kept)


def damage(game: Game, book: Rulebook, rule: Rule, given: Given, where: Where) -> Outcome:
    """The damage of a weapon at a distance: its range rule and all ``damage_terms`` in force.

    ``mode`` chooses among the ways to use the weapon. Outside a range that hits nothing there the
    outcome is the text ``miss`` of the range rule.
    """
    ruler = next((one for one in book.rules.values() if one.kind == "range"), None)
    if ruler is None:
        message = "No rule in force says how range and damage go together."
        raise InvalidSource([Problem(where, "RULE", message, "Add one of the kind range.")])
    asked = Situation(given, where)
    more = [rule for rule in book.rules.values() if rule.kind == "damage_terms"]
    asked.allow({*_OF_CARDS, *_OF_DISTANCE}.union(*map(_names_of, more)))
    card = asked.card(game)
    ways = reaches(card, ruler.parameters["classes"])
    mode = asked.number("mode", 0)
    if not ways:
        message = f"{card.name} has no damage that could be reckoned."
        raise InvalidSource([Problem(where, "CASE", message, "Choose a weapon with a damage.")])
    if not 0 <= mode < len(ways):
        raise asked.refused("mode", f"0 to {len(ways) - 1}")
    return _damage(game, more, ruler, asked, ways[mode])


def _distance(asked: Situation, metric: str, otherwise: int) -> int:
    """The distance that is given, or that of the squares ``from`` and ``to`` by a metric."""
    if "from" not in asked.given and "to" not in asked.given:
        return asked.number("distance", otherwise)
    start, end = asked.square("from"), asked.square("to")
    across, along = (abs(one - other) for one, other in zip(start, end, strict=True))
    return across + along if metric == "manhattan" else max(across, along)


def _damage(
    game: Game, more: Iterable[Rule], ruler: Rule, asked: Situation, reach: Reach
) -> Outcome:
    distance = _distance(asked, str(ruler.parameters["metric"]), reach.nearest)
    gap = reach.gap(distance)
    if gap and reach.loss is None:
        return Outcome(str(ruler.parameters["miss"]))
    labels = ruler.parameters["labels"]
    terms = [TermValue(labels["damage"], reach.damage, ruler.cites)]
    terms.append(TermValue(labels["distance"], -gap * (reach.loss or 0), ruler.cites))
    in_use = asked.entries("with", each=" of cards")
    using = asked.having(**{"with": [*in_use, asked.given["card"]]})
    for rule in more:
        names = _situation(game, rule, using)
        names["timing"] = reach.timing
        terms += [
            TermValue(term["label"], whole(term["value"], names, rule.where), rule.cites)
            for term in rule.parameters["terms"]
        ]
    total = sum(term.value for term in terms)
    kept = tuple(term for term in terms if term.value)
    return Outcome(total if reach.loss is None else max(total, 0), kept)


def order(game: Game, book: Rulebook, rule: Rule, given: Given, where: Where) -> Outcome:
    """Who acts first, as places in the given list: by each name of ``by``, the highest first.

    A name of ``ranks`` is no number but a word, and those come in the order that is listed there.
    """
    asked = Situation(given, where)
    asked.allow({"mechs"})
    mechs = [Situation(one, where) for one in asked.entries("mechs", Mapping, _OF_MECHS)]
    ranked = sorted(range(len(mechs)), key=lambda index: _ranks(rule, mechs[index]))
    return Outcome(tuple(index + 1 for index in ranked))


def _ranks(rule: Rule, mech: Situation) -> list[int]:
    """What sorts a mech among the others, the lowest first. Raises ``InvalidSource``."""
    found = []
    for name in rule.parameters["by"]:
        words = rule.parameters.get("ranks", {}).get(name)
        if words is None:
            found.append(-mech.number(name, 0))
            continue
        word = mech.given.get(name, "".join(words[:1]))
        if word not in words:
            raise mech.refused(name, ", ".join(words), nearest(str(word), words))
        found.append(words.index(word))
    return found


def _crosses(start: tuple[int, int], end: tuple[int, int], cell: tuple[int, int]) -> bool:
    """Whether the line between two cells' centres runs through a cell, not only past its edge."""
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


def _heights(asked: Situation) -> dict[tuple[int, int], int]:
    """The height of each cell by column and row, from 1."""
    heights = {}
    for row, line in enumerate(asked.entries("rows", str, _OF_ROWS), 1):
        for column, cell in enumerate(line.split(), 1):
            height = _CELL.fullmatch(cell)
            if height is None:
                raise asked.refused("rows", f"a list{_OF_ROWS}")
            heights[column, row] = -1 if height[1] == "-" else int(height[1])
    return heights


def line_of_sight(game: Game, book: Rulebook, rule: Rule, given: Given, where: Where) -> Outcome:
    """Whether the line between two centres meets no cell higher than the higher of its ends.

    ``rows`` are spelled as a board's are; ``from`` and ``to`` are column and row, from 1.
    """
    asked = Situation(given, where)
    asked.allow({"rows", "from", "to"})
    heights, one, other = _heights(asked), asked.square("from"), asked.square("to")
    for name, end in (("from", one), ("to", other)):
        if end not in heights:
            raise asked.refused(name, "a cell of the rows, counted from 1")
    top = max(heights[one], heights[other])
    between = (
        height
        for cell, height in heights.items()
        if cell not in (one, other) and _crosses(one, other, cell)
    )
    return Outcome(all(height <= top for height in between))


PLAY_KINDS: Mapping[str, Callable[[Game, Rulebook, Rule, Given, Where], Outcome]] = {
    "formula": formula,
    "range": damage,
    "damage_terms": damage,
    "order": order,
    "line_of_sight": line_of_sight,
}


def shown(value: object) -> str:
    """An outcome as people read it."""
    if isinstance(value, bool):
        return "○" if value else "×"
    if isinstance(value, list | tuple):
        return "→".join(str(inner) for inner in value)
    return str(value)


def _kind_of_play(
    rule: Rule, where: Where
) -> Callable[[Game, Rulebook, Rule, Given, Where], Outcome]:
    if rule.kind in PLAY_KINDS:
        return PLAY_KINDS[rule.kind]
    if rule.kind:
        sentence = "{asked} looks at builds, decks, cards or rooms, and at no situation of play."
        hint = "Show it by `build:`, `mech:`, `cards:` or `room:`."
    else:
        sentence = "{asked} is left to people: no case can ask it."
        hint = f"Ask a rule with one of the kinds {', '.join(PLAY_KINDS)}."
    raise InvalidSource([told(where, "CASE", sentence, hint, asked=rule.id)])


def _unasked(rule: Rule, problem: Problem, where: Where) -> Problem:
    """What a rule stumbles over, told where it was asked."""
    if problem.where == where:
        return problem
    sentence = "{asked} cannot be asked this: {why}"
    return told(where, "CASE", sentence, problem.hint, asked=rule.id, why=problem.message)


def check_claim(
    game: Game, book: Rulebook, rule: Rule, given: Given, claim: object, where: Where
) -> Iterator[Fault]:
    """A claim about what comes of a situation is what the rule makes of it.

    Raises ``InvalidSource`` where the rule cannot be asked this, or nothing is claimed.
    """
    kind = _kind_of_play(rule, where)
    try:
        outcome = kind(game, book, rule, given, where)
    except InvalidSource as error:
        raise InvalidSource(_unasked(rule, problem, where) for problem in error.problems) from None
    value = outcome.value
    places = claim if isinstance(claim, list) else []
    if not isinstance(claim, int | float | str | list) or any(
        type(one) is not int for one in places
    ):
        sentence = "claim: found {found}; allowed: a number, a text, true or false, or an order."
        hint = "Say what comes of the situation: `claim: 3`, or `claim: [2, 1]`."
        found = found_text(claim)
        raise InvalidSource([told(where, "CASE", sentence, hint, found=found)])
    same = tuple(claim) == value if isinstance(claim, list) else claim == value
    if not same or isinstance(claim, bool) != isinstance(value, bool):
        values = {
            "title": rule.title,
            "found": shown(claim),
            "value": shown(value),
            "terms": terms_text(outcome.terms),
        }
        yield Fault(where, "play", values)
