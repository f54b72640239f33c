"""Builds side by side: figures, damage by distance of all that is mounted, decks by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, to_builtins

from exporter.core import sum_by_key
from exporter.core.messages import say
from exporter.model import (
    Card,
    Game,
    Loadout,
)
from exporter.rules.figures import mounted_cards
from exporter.rules.kind import Rule
from exporter.rules.kinds.play_kinds import (
    FURTHEST,
    Range,
)
from exporter.rules.play_rules import Situation
from exporter.rules.rulebook import Rulebook


class Damage(Struct, frozen=True):
    """What each of several builds does in a situation, by distance: the sum over all that it has
    mounted, how many of these cards hit, and what one copy of ``each`` card does, by its id."""

    situation: str
    sums: tuple[tuple[int, ...], ...]
    hits: tuple[tuple[int, ...], ...]
    each: tuple[Mapping[str, tuple[int, ...]], ...]


class Comparison(Struct, frozen=True):
    """Builds by ``names``: ``figures`` by their name, ``damage`` by situation, from distance 0 on
    by build, and how many cards of each kind are in their decks."""

    names: tuple[str, ...]
    figures: Mapping[str, tuple[int | None, ...]]
    damage: tuple[Damage, ...]
    decks: Mapping[str, tuple[int, ...]]


def compare(
    game: Game, book: Rulebook, names: Sequence[str], loadouts: Sequence[Loadout], language: str
) -> Comparison:
    """Compare several builds of one game. Raises ``InvalidSource`` for wrong formulas."""
    figures = {
        figure.name.in_language(language): tuple(one.figures.get(figure.id) for one in loadouts)
        for figure in game.figures
    }
    kinds = [_kinds(game, one, language) for one in loadouts]
    order = dict.fromkeys(kind for one in kinds for kind in one)
    decks = {kind: tuple(one[kind] for one in kinds) for kind in order}
    damage = [
        _damage(
            game, book, loadouts, rule, rule.kind, game.label(shown.label, language), shown.given
        )
        for rule in book.rules.values()
        if isinstance(rule.kind, Range)
        for shown in rule.kind.shown
        if shown.compared
    ]
    return Comparison(tuple(names), figures, tuple(damage), decks)


def _kinds(game: Game, loadout: Loadout, language: str) -> Counter[str]:
    """Count how many cards of each kind a deck has: by the first of their `kinds`, or by their
    kind."""

    def kind_of(card: Card) -> str:
        kinds = card.get("kinds")
        first = kinds[0] if isinstance(kinds, tuple) and kinds else ""
        return game.label(first or game.kinds[card.kind].name.ja, language)

    return sum_by_key((kind_of(entry.card), entry.copies) for entry in loadout.deck)


def _damage(
    game: Game,
    book: Rulebook,
    loadouts: Sequence[Loadout],
    rule: Rule,
    kind: Range,
    label: str,
    given: Mapping[str, Any],
) -> Damage:
    asked = Situation(game, book.rules, {}, rule.where)
    known: dict[str, tuple[int, ...]] = {}
    each = []
    sums, hits = [], []
    for loadout in loadouts:
        mounted = Counter(card.id for card in mounted_cards(game, loadout.build))
        for card in (game.cards[name] for name in mounted if name not in known):
            known[card.id] = tuple(
                kind.damage_at(asked, card, distance, dict(given), rule)
                for distance in range(FURTHEST + 1)
            )
        each.append({card: known[card] for card in mounted})
        by_distance = [
            [(copies, known[card][distance]) for card, copies in mounted.items()]
            for distance in range(FURTHEST + 1)
        ]
        sums.append(tuple(sum(copies * does for copies, does in one) for one in by_distance))
        hits.append(tuple(sum(copies for copies, does in one if does > 0) for one in by_distance))
    return Damage(label, tuple(sums), tuple(hits), tuple(each))


def furthest(found: Comparison) -> int:
    """Find the furthest distance at which any build does anything."""
    reached = [
        n for one in found.damage for row in one.sums for n, value in enumerate(row) if value
    ]
    return max(reached, default=0)


def comparison_lines(found: Comparison, language: str) -> Iterator[str]:
    """Write tables, columns by tabs, with a blank line between them."""
    word = partial(say, "comparison", language)
    yield "\t".join([word("figures"), *found.names])
    for name, values in found.figures.items():
        shown = ["—" if value is None else str(value) for value in values]
        mark = "≠" if len(set(values)) > 1 else ""
        yield "\t".join([f"  {name}", *shown, mark])
    for one in found.damage:
        yield ""
        yield "\t".join([word("damage", situation=one.situation), *found.names])
        for distance in range(furthest(found) + 1):
            cells = [
                f"{sums[distance]} ({hits[distance]})"
                for sums, hits in zip(one.sums, one.hits, strict=True)
            ]
            yield "\t".join([f"  {distance}", *cells])
    yield ""
    yield "\t".join([word("deck"), *found.names])
    for kind, counts in found.decks.items():
        yield "\t".join([f"  {kind}", *map(str, counts)])


def comparison_values(found: Comparison) -> dict[str, Any]:
    """Give the same as plain values."""
    values: dict[str, Any] = to_builtins(found)
    for one in values["damage"]:
        del one["each"]
    return values
