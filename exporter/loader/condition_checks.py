"""What rules and figures ask of cards, before anybody uses it: expressions, repetitions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeAlias

from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.loader.repeat_counts import (
    check_repeated,
    held,
)
from exporter.model import Game
from exporter.rules.expressions import (
    expression_problem,
    fault_of,
)
from exporter.rules.figures import frame_names
from exporter.rules.kind import AllowedNames
from exporter.rules.rulebook import Rulebook

Asked: TypeAlias = tuple[str, SourceLocation, Collection[str] | None]
"""An expression, its place, and the names that it may use."""


def _expressions(game: Game, book: Rulebook) -> Iterator[Asked]:
    """Every expression of figures, cards, placements and rules."""
    fields = {kind.id: frozenset(kind.fields) for kind in game.kinds.values()}
    names = AllowedNames(frozenset(frame_names(game)), fields)
    for figure in game.figures:
        for term in figure.terms:
            of_cards = names.of_cards(term.each) if term.each else ()
            yield term.value, term.place("value"), names.build.union(of_cards)
        names = AllowedNames(names.build | {figure.id}, fields)
    yield from _of_copies(game, names)
    for placement in book.placements.values():
        if placement.frame:
            yield placement.frame, placement.where, names.build
    yield from _of_rules(game, book, names)


def _of_copies(game: Game, names: AllowedNames) -> Iterator[Asked]:
    """Those of cards that say how many of them a deck has."""
    for card in game.cards.values():
        field = game.kinds[card.kind].deck_copies
        if field and card.get(field):
            yield str(card.get(field)), card.at(field), names.build


def _of_rules(game: Game, book: Rulebook, names: AllowedNames) -> Iterator[Asked]:
    """Those of rules, and of the cards to which a rule leaves the words."""
    kinds = [(rule, rule.kind) for rule in book.rules.values() if rule.kind is not None]
    for rule, kind in kinds:
        for text, known in kind.expressions(names):
            yield text, rule.where, known
    written = dict.fromkeys(name for _, kind in kinds for name in kind.expression_fields())
    for card in game.cards.values():
        for name in written:
            if card.get(name):
                yield str(card.get(name)), card.at(name), names.of_cards_brought


def expression_problems(game: Game, book: Rulebook) -> Iterator[Problem]:
    """What is wrong with an expression before anybody uses it: its form, and names it asks for."""
    for text, where, names in _expressions(game, book):
        if wrong := fault_of(text, names):
            yield expression_problem(text, wrong, where)


def repeated_problems(game: Game, book: Rulebook) -> Iterator[Problem]:
    """No rule repeats anything as often as too large a number says, nor does one in a case."""
    kinds = (rule.kind for rule in book.rules.values() if rule.kind is not None)
    for name in dict.fromkeys(kind.repeats for kind in kinds if kind.repeats):
        made_up = [card for case in book.cases for card in case.cards]
        of_cases = [(card, card.get(name), card.at(name)) for card in made_up]
        for card, value, where in (*held(game, name), *of_cases):
            yield from check_repeated(game, card, name, value, where)
