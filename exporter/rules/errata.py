"""Errata are layers over the printed data: both stay readable, rooms show the corrected value."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from exporter.model import Card, Change, DeckEntry, Erratum, Game, Kind, Value


def parsed_field(kind: Kind, field: str, text: str) -> Value:
    """A corrected value as the field's type has it; the reader has checked that it can be."""
    match kind.fields.get(field, "text"):
        case "number":
            return int(text or 0)
        case "flag":
            return text not in ("", "0", "false")
        case "list":
            return tuple(word for word in text.split("/") if word)
        case _:
            return text


def _card_changes(errata: tuple[Erratum, ...]) -> dict[str, list[Change]]:
    by_card: dict[str, list[Change]] = {}
    for erratum in errata:
        for change in erratum.changes:
            if change.medium == "card" and "deck" not in change.target and "card" in change.target:
                by_card.setdefault(change.target["card"], []).append(change)
    return by_card


def _corrected_card(game: Game, card: Card, changes: list[Change]) -> Card:
    fields: dict[str, Value] = dict(card.fields)
    for change in changes:
        fields[change.field] = parsed_field(game.kinds[card.kind], change.field, change.now)
    return replace(card, fields=fields)


def _corrected_entry(game: Game, entry: DeckEntry, errata: tuple[Erratum, ...]) -> DeckEntry:
    for erratum in errata:
        for change in erratum.changes:
            card = game.card(change.target.get("card", ""))
            hit = card is game.card(entry.card) and change.target.get("deck") == entry.deck
            if hit and change.field == "mark" and change.was == entry.mark:
                return replace(entry, mark=change.now)
    return entry


def corrected(game: Game, errata: tuple[Erratum, ...] | None = None) -> Game:
    """The game with ``errata`` (by default all) laid over its cards and printed decks."""
    layers = game.errata if errata is None else errata
    changes: dict[str, list[Change]] = {}
    for name, found in _card_changes(layers).items():
        card = game.card(name)
        if card is not None:
            changes.setdefault(card.id, []).extend(found)
    cards: Mapping[str, Card] = {
        card_id: _corrected_card(game, card, changes[card_id]) if card_id in changes else card
        for card_id, card in game.cards.items()
    }
    decks = tuple(_corrected_entry(game, entry, layers) for entry in game.decks)
    return replace(game, cards=cards, decks=decks)
