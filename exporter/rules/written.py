"""A build as its author would write it: the text of a document of a file of builds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from exporter.model import Build, Game
from exporter.problems import as_written
from exporter.rules.submissions import Submission


def entry_text(game: Game, entry: Submission) -> str:
    """A YAML document that reads as this build, cards by name where that names one card alone."""
    return "".join(f"{line}\n" for line in _lines(game, entry))


def card_written(game: Game, name: str) -> str:
    """A card's name, or its id where several cards have that name; what is no card as it is."""
    card = game.card(name)
    return name if card is None else game.word(card)


def _lines(game: Game, entry: Submission) -> Iterator[str]:
    build = entry.build
    said: dict[str, Any] = {"game": game.id, "name": build.name, "label": entry.label}
    for key, value in (said | {"frame": dict(build.frame)}).items():
        if value:
            yield f"{key}: {as_written(value)}"
    decks = {
        deck: {card_written(game, row.card): row.copies for row in rows}
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
        "weapons": [card_written(game, name) for name in entry.loose],
        "regulation": entry.regulation,
        "picture": re.split(r"[\\/]", build.picture)[-1],  # it lies beside the file
        "waivers": [{"rule": one.rule, "reason": one.reason} for one in entry.waivers],
    }
    for key, value in more.items():
        if value:
            yield f"{key}: {as_written(value)}"
    if entry.note:
        yield "note: |2-"
        yield from (f"  {line}" for line in entry.note.split("\n"))


def pilots_written(game: Game, build: Build) -> list[Mapping[str, Any]]:
    """The pilots of a build with their skills."""
    return [
        {"name": pilot.name, "skills": [card_written(game, name) for name in pilot.skills]}
        for pilot in build.pilots
    ]
