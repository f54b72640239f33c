"""Errata: layers over the printed data. Both stay readable; rooms show the corrected value."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Literal

from msgspec.structs import replace

from exporter.core.problems import InvalidSource, Problem
from exporter.model import Card, Change, DeckEntry, Erratum, Field, Game, Kind, Value
from exporter.model.fields import TEXT, copies_of, read_value


def entry_fields(kind: Kind) -> dict[str, Field]:
    """Find the fields of a deck's entry that errata correct, for a card of this kind."""
    return {"mark": TEXT, "copies": copies_of(kind.fields)}


def value_of(change: Change, key: Literal["was", "now"], field: Field) -> Value:
    """Read a value of a change, as its field has it. Raises ``InvalidSource``."""
    value = read_value(getattr(change, key), field, change.place(key), change.field)
    if isinstance(value, Problem):
        raise InvalidSource([value])
    return value


def _corrected_card(game: Game, card: Card, changes: list[Change]) -> Card:
    fields: dict[str, Value] = dict(card.fields)
    for change in changes:
        field = game.kinds[card.kind].fields.get(change.field, TEXT)
        fields[change.field] = value_of(change, "now", field)
    return replace(card, fields=fields)


def _corrected_entry(game: Game, entry: DeckEntry, errata: tuple[Erratum, ...]) -> DeckEntry:
    for change in (change for erratum in errata for change in erratum.changes):
        card = game.card(change.card)
        same = change.deck == entry.deck and card is game.card(entry.card)
        if card is None or not same:
            continue
        field = entry_fields(game.kinds[card.kind]).get(change.field)
        if field and value_of(change, "was", field) == getattr(entry, change.field):
            entry = replace(entry, **{change.field: value_of(change, "now", field)})
    return entry


def undated(game: Game) -> tuple[Erratum, ...]:
    """Find the errata whose date nobody knows: they hold on any day."""
    return tuple(one for one in game.errata if one.date == "unknown")


def corrected_on(game: Game, day: str) -> Game:
    """Lay the errata that hold on a day over a game."""
    always = undated(game)
    return corrected(game, tuple(o for o in game.errata if o in always or o.date <= day))


def corrected(game: Game, errata: tuple[Erratum, ...] | None = None) -> Game:
    """Lay ``errata`` (by default all) over the cards and printed decks of a game."""
    layers = game.errata if errata is None else errata
    changes: dict[str, list[Change]] = {}
    of_cards = (erratum.changes for erratum in layers if erratum.medium == "card")
    for change in chain.from_iterable(of_cards):
        card = None if change.deck else game.card(change.card)
        if card is not None:
            changes.setdefault(card.id, []).append(change)
    cards: Mapping[str, Card] = {
        card_id: _corrected_card(game, card, changes[card_id]) if card_id in changes else card
        for card_id, card in game.cards.items()
    }
    decks = tuple(_corrected_entry(game, entry, layers) for entry in game.decks)
    return replace(game, cards=cards, decks=decks)
