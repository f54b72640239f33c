"""A build as its author would write it: the text of a document of a file of builds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from exporter.core.problems import COMMAND_LINE, as_written, error_at, nearest
from exporter.model import Build, DeckEntry, Game
from exporter.model.game_names import resolve_name


def build_text(game: Game, build: Build) -> str:
    """A YAML document that reads as this build, cards by name where that names one card alone."""
    return "".join(f"{line}\n" for line in _lines(game, build))


def printed_deck(game: Game, deck: str) -> Build:
    """A printed deck as a player would bring it, with the fields that its name does not tell.

    Raises ``InvalidSource`` for a deck that there is not, that nobody brings, or of which a card
    has several looks.
    """
    name = resolve_name(game, "deck", deck)
    rows = [row for row in game.decks if row.deck == name]
    if not rows:
        near = nearest(deck, game.printed_decks)
        raise error_at(COMMAND_LINE, "DECK", "no-printed-deck", name=deck, nearest=near)
    brought_as = game.deck_as_brought(name)
    if not brought_as:
        raise error_at(COMMAND_LINE, "DECK", "no-decks-brought", game=game.id)
    brought: dict[str, DeckEntry] = {}
    for row in rows:
        card = game.card(row.card)
        if card is None:
            continue
        printed = game.printed_values(brought_as, card)
        own = {key: row.fields.get(key, card.get(key)) for key in printed if len(printed[key]) > 1}
        before = brought.get(card.id)
        if before and before.fields != own:
            raise error_at(row.where, "DECK", "several-looks", card=card.name, deck=name)
        copies = row.copies + (before.copies if before else 0)
        brought[card.id] = replace(row, card=card.id, copies=copies, fields=own)
    decks = {brought_as: tuple(brought.values())}
    return Build(name=name, frame={}, mounted={}, decks=decks, game=game.id)


def card_written(game: Game, name: str) -> str:
    """A card's name, or its id where several cards have that name; what is no card as it is."""
    card = game.card(name)
    return name if card is None else game.word(card)


def _lines(game: Game, build: Build) -> Iterator[str]:
    values: dict[str, Any] = {"game": game.id, "name": build.name, "label": build.label}
    for key, value in (values | {"frame": dict(build.frame)}).items():
        if value:
            yield f"{key}: {as_written(value)}"
    decks = {
        deck: {card_written(game, row.card): _row_written(row) for row in rows}
        for deck, rows in build.decks.items()
    }
    if len(decks) > 1:
        yield "decks:"
        yield from (f"  {as_written(deck)}: {as_written(copies)}" for deck, copies in decks.items())
    for deck, copies in decks.items() if len(decks) == 1 else ():
        yield from ([f"deck: {as_written(deck)}"] if deck else [])
        yield f"cards: {as_written(copies)}"
    mounted = {part: cards for part, cards in build.mounted.items() if cards}
    if mounted:
        yield "mounted:"
        for part, cards in mounted.items():
            names = [card_written(game, name) for name in cards]
            yield f"  {as_written(part)}: {as_written(names)}"
    more: dict[str, Any] = {
        "pilots": pilots_written(game, build),
        "regulation": build.regulation,
        "picture": re.split(r"[\\/]", build.picture)[-1],  # it lies beside the file
        "waivers": [{"rule": one.rule, "reason": one.reason} for one in build.waivers],
    }
    for key, value in more.items():
        if value:
            yield f"{key}: {as_written(value)}"
    if build.note:
        yield "note: |2-"
        yield from (f"  {line}" for line in build.note.split("\n"))


def _row_written(row: DeckEntry) -> Any:
    if not row.fields:
        return row.copies
    values = {name: list(v) if isinstance(v, tuple) else v for name, v in row.fields.items()}
    return {"copies": row.copies, **values}


def pilots_written(game: Game, build: Build) -> list[Mapping[str, Any]]:
    """The pilots of a build with their skills."""
    return [
        {"name": pilot.name, "skills": [card_written(game, name) for name in pilot.skills]}
        for pilot in build.pilots
    ]
