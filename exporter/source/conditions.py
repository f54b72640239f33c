"""The expressions of a game's rules, figures and cards, looked at before anybody uses them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from exporter.model import Game
from exporter.problems import Problem, Where, told
from exporter.rules.book import Rule, Rulebook
from exporter.rules.expressions import fault_of
from exporter.rules.situations import SCALARS, found_text
from exporter.rules.totals import CARD_NAMES


def frame_names(game: Game) -> set[str]:
    """The names that expressions may use for what a frame says and what a build chooses."""
    frame = game.frames[0] if game.frames else None
    words = [*frame.key, *frame.figures, *frame.slots] if frame else []
    return {game.frame.names.get(word, word) for word in [*words, *game.frame.options]}


def _field_names(game: Game, kinds: Iterable[str]) -> set[str]:
    fields = (name for kind in kinds if kind in game.kinds for name in game.kinds[kind].fields)
    return {*CARD_NAMES, *fields}


def _expressions(game: Game, book: Rulebook) -> Iterator[tuple[str, Where, Iterable[str] | None]]:
    """Every expression of the rules and figures, its place, and the names that it may use."""
    names = frame_names(game)
    for figure in game.figures:
        for term in figure.terms:
            fields = _field_names(game, [term.each]) if term.each else set()
            yield term.value, term.place("value"), names | fields
        names = {*names, figure.id}
    for card in game.cards.values():
        field = game.kinds[card.kind].deck_copies
        if field and card.get(field):
            yield str(card.get(field)), card.at(field), names
    cards = names | _field_names(game, game.kinds)
    for placement in book.placements.values():
        if placement.frame:
            yield placement.frame, placement.where, names
    for rule in book.rules.values():
        parameters = rule.parameters
        if rule.kind == "expression":
            each = parameters.get("each")
            yield parameters["holds"], rule.where, _field_names(game, [each]) if each else names
        elif rule.kind in ("requires", "excludes", "exchange"):
            for key in ("cards", "needs", "replaced"):
                if parameters.get(key):
                    yield parameters[key], rule.where, cards
        elif rule.kind in ("formula", "damage_terms"):
            for text in _formulas(parameters):
                yield text, rule.where, None
    yield from _card_expressions(game, book, cards)


def _formulas(parameters: Mapping[str, Any]) -> Iterator[str]:
    if "value" in parameters:
        yield parameters["value"]
    yield from (term["value"] for term in parameters.get("terms", ()))
    yield from parameters.get("counts", {}).values()


def _card_expressions(
    game: Game, book: Rulebook, names: Iterable[str]
) -> Iterator[tuple[str, Where, Iterable[str]]]:
    """The conditions that cards themselves carry, in the fields that a rule names."""
    fields: Sequence[str] = [
        str(rule.parameters[key])
        for rule in book.rules.values()
        if rule.kind == "exchange"
        for key in ("field", "welcomes")
        if rule.parameters.get(key)
    ]
    for card in game.cards.values():
        for field in fields:
            if card.get(field):
                yield str(card.get(field)), card.at(field), names


def _given_problems(rule: Rule) -> Iterator[Problem]:
    """Names of a rule's situation that stand for what nothing can be reckoned with."""
    shown = (one.get("given", {}) for one in rule.parameters.get("shown", ()))
    for given in (rule.parameters.get("given", {}), *shown):
        for name, value in given.items():
            if not isinstance(value, SCALARS) and name != "with":
                sentence = "given {name}: found {found}; allowed: {allowed}."
                allowed = "a whole number, a text, true or false"
                found = found_text(value)
                yield told(
                    rule.where, "EXPRESSION", sentence, name=name, found=found, allowed=allowed
                )


def expression_problems(game: Game, book: Rulebook) -> Iterator[Problem]:
    """What is wrong with an expression before anybody uses it: its form, and names it asks for."""
    for rule in book.rules.values():
        yield from _given_problems(rule)
    for text, where, names in _expressions(game, book):
        wrong, hint = fault_of(text, names)
        if wrong:
            yield Problem(where, "EXPRESSION", f"{text[:60]!r}: {wrong}.", hint)
