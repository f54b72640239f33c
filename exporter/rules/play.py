"""Rules of play as formulas: what comes of a given situation, and by which terms."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, ValidationError, convert, field

from exporter.model import Card, Game
from exporter.model.fields import whole_number
from exporter.problems import InvalidSource, Problem, Where, nearest, told
from exporter.rules.book import Rule, Rulebook
from exporter.rules.expressions import Known, evaluate, whole
from exporter.rules.faults import Fault
from exporter.rules.totals import (
    CARD_NAMES,
    TermValue,
    amounts,
    card_value,
    names_about,
    terms_text,
)

Given: TypeAlias = Mapping[str, Any]

_Line: TypeAlias = Annotated[str, Meta(max_length=300)]
_Square: TypeAlias = tuple[int, int]


class _Situation(Struct):
    """What may be given where cards are in use; every other name is the formula's own."""

    card: str | int = ""
    cards: list[str | int] = []
    using: list[str | int] = field(default_factory=list, name="with")


class _Shot(_Situation, kw_only=True):
    mode: int = 0
    distance: int = 0
    start: _Square = field(default=(0, 0), name="from")
    end: _Square = field(default=(0, 0), name="to")


class _Turn(Struct):
    mechs: list[dict[str, int]] = []


class _View(Struct, kw_only=True):
    rows: Annotated[list[_Line], Meta(min_length=1, max_length=99)]
    start: _Square = field(name="from")
    end: _Square = field(name="to")


_SHAPES: Mapping[str, type[Struct]] = {
    "formula": _Situation,
    "range": _Shot,
    "damage_terms": _Shot,
    "order": _Turn,
    "line_of_sight": _View,
}
"""What each kind of rule takes for a situation."""


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


def _named_card(game: Game, name: object, where: Where) -> Card:
    card = game.card(str(name))
    if card is None:
        message = f"There is no card {str(name)!r}."
        raise InvalidSource(
            [Problem(where, "CASE", message, nearest(str(name), game.cards_by_name))]
        )
    return card


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


def _effects(game: Game, given: Given, where: Where) -> Iterator[tuple[str, int]]:
    """What cards in use add to the situation, from their ``play`` fields."""
    for name in given.get("with", ()):
        card = _named_card(game, name, where)
        yield from amounts(card, "play").items()


def _situation(game: Game, rule: Rule, given: Given, where: Where) -> dict[str, Known]:
    """The names that a formula sees: defaults, a card's fields, what is given, cards in use."""
    defaults = rule.parameters.get("given", {})
    names: dict[str, Known] = dict(defaults)
    if "card" in given:
        card = _named_card(game, given["card"], where)
        names |= {name: card_value(card, name) for name in (*CARD_NAMES, *card.fields)}
    for name, value in given.items():
        if isinstance(value, int | str):
            names[name] = value
    for name, amount in _effects(game, given, where):
        before = names.get(name, 0)
        names[name] = amount + (before if isinstance(before, int) else 0)
    return names


def formula(game: Game, book: Rulebook, rule: Rule, given: Given, where: Where) -> Outcome:
    """``value``, or the sum of ``terms`` with a ``minimum``, over the situation.

    A term with ``each: cards`` is added up over the cards that are given; they are ``count`` many.
    """
    names = _situation(game, rule, given, where)
    cards = [_named_card(game, name, where) for name in given.get("cards", ())]
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
    card = _named_card(game, given.get("card"), where)
    ways = reaches(card, ruler.parameters["classes"])
    mode = given.get("mode", 0)
    if not isinstance(mode, int) or not 0 <= mode < len(ways):
        message = f"{card.name} has no damage that could be reckoned."
        raise InvalidSource([Problem(where, "CASE", message, "Choose a weapon with a damage.")])
    return _damage(game, book, ruler, given, ways[mode], where)


def _distance(given: Given, metric: str, otherwise: int) -> int:
    """The distance that is given, or that of the squares ``from`` and ``to`` by a metric."""
    if "from" not in given:
        return int(given.get("distance", otherwise))
    across, along = (abs(int(a) - int(b)) for a, b in zip(given["from"], given["to"], strict=True))
    return across + along if metric == "manhattan" else max(across, along)


def _damage(
    game: Game, book: Rulebook, ruler: Rule, given: Given, reach: Reach, where: Where
) -> Outcome:
    distance = _distance(given, str(ruler.parameters["metric"]), reach.nearest)
    gap = reach.gap(distance)
    if gap and reach.loss is None:
        return Outcome(str(ruler.parameters["miss"]))
    labels = ruler.parameters["labels"]
    terms = [TermValue(labels["damage"], reach.damage, ruler.cites)]
    terms.append(TermValue(labels["distance"], -gap * (reach.loss or 0), ruler.cites))
    using = {**given, "with": [*given.get("with", ()), given["card"]]}
    for rule in book.rules.values():
        if rule.kind == "damage_terms":
            names = _situation(game, rule, using, where)
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
    mechs = list(given.get("mechs", ()))
    ranked = sorted(range(len(mechs)), key=lambda index: _ranks(rule, mechs[index], where))
    return Outcome(tuple(index + 1 for index in ranked))


def _ranks(rule: Rule, mech: Given, where: Where) -> list[int]:
    """What sorts a mech among the others, the lowest first. Raises ``InvalidSource``."""
    found = []
    for name in rule.parameters["by"]:
        words = rule.parameters.get("ranks", {}).get(name)
        if words is None:
            found.append(-int(mech.get(name, 0)))
            continue
        word = mech.get(name, words[0])
        if word not in words:
            sentence, hint = "{name}: {found} has no place in the order.", nearest(str(word), words)
            raise InvalidSource([told(where, "CASE", sentence, hint, name=name, found=word)])
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


def _height(cell: str) -> int:
    return -1 if cell[1:] == "-" else int(cell[1:])


def line_of_sight(game: Game, book: Rulebook, rule: Rule, given: Given, where: Where) -> Outcome:
    """Whether the line between two centres meets no cell higher than the higher of its ends.

    ``rows`` are spelled as a board's are; ``from`` and ``to`` are column and row, from 1.
    """
    heights = {
        (column, row): _height(cell)
        for row, line in enumerate(given["rows"])
        for column, cell in enumerate(str(line).split())
    }
    start, end = (tuple(int(number) - 1 for number in given[key]) for key in ("from", "to"))
    one, other = (start[0], start[1]), (end[0], end[1])
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


def check_claim(
    game: Game, book: Rulebook, rule: Rule, given: Given, claim: object, where: Where
) -> Iterator[Fault]:
    """A claim about what comes of a situation is what the rule makes of it."""
    try:
        convert(given, _SHAPES[rule.kind])
        outcome = PLAY_KINDS[rule.kind](game, book, rule, given, where)
    except (KeyError, ValueError, IndexError, TypeError) as error:
        said = str(error) if isinstance(error, ValidationError) else type(error).__name__
        message = f"{rule.id} cannot be asked this: {said}."
        hint = "Give what the rule's parameters name."
        raise InvalidSource([Problem(where, "CASE", message, hint)]) from None
    value = outcome.value
    same = tuple(claim) == value if isinstance(claim, list) else claim == value
    if not same or isinstance(claim, bool) != isinstance(value, bool):
        values = {
            "title": rule.title,
            "found": shown(claim),
            "value": shown(value),
            "terms": terms_text(outcome.terms),
        }
        yield Fault(where, "play", values)
