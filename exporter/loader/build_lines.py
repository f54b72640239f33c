"""Builds as lines of text: a word of a command, or what standard input gives."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache

from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
)
from exporter.core.source_files import (
    MAX_BYTES,
    decode,
    too_large,
)
from exporter.loader.deck_lists import Lists
from exporter.loader.load_context import LoadContext
from exporter.model import Game
from exporter.model.called import OF_A_FRAME
from exporter.model.player_builds import Submission
from exporter.rules.build_codes import (
    CODE,
    entry_of,
    is_code,
    other_version,
)

INPUT = "-"
"""What a command calls standard input."""


MOST_BYTES = MAX_BYTES[".yaml"]
"""Of standard input: as many as a file of builds may have."""


@cache
def _read_input() -> bytes:
    """What standard input holds, read once, or as much of it as shows that it is too large."""
    if sys.stdin is None:  # closed before the program began
        return b""
    stream = getattr(sys.stdin, "buffer", None)
    return sys.stdin.read().encode() if stream is None else bytes(stream.read(MOST_BYTES + 1))


def standard_input() -> str:
    """All that standard input holds. Raises ``Unreadable``."""
    data = _read_input()
    if len(data) > MOST_BYTES:
        raise too_large(INPUT, MOST_BYTES)
    return decode(data, INPUT)


def lines_in(thing: str) -> Sequence[tuple[str, SourceLocation]]:
    """The builds as lines that a word is, or that standard input has anywhere, and their places.

    Raises ``Unreadable``.
    """
    if is_code(thing):
        return [(thing, SourceLocation(short(thing)))]
    if thing != INPUT:
        return ()
    text = standard_input()
    return [
        (found[0], SourceLocation(INPUT, number, found.start() + 1))
        for number, line in enumerate(text.splitlines(), 1)
        for found in CODE.finditer(line)
    ]


def short(code: str) -> str:
    """As much of a line as tells people which one is meant."""
    return code if len(code) <= 24 else f"{code[:16]}…{code[-3:]}"


def build_of_line(
    reading: LoadContext, game: Game, line: str, where: SourceLocation
) -> Submission | None:
    """The build of a line, or nothing where it cannot be read at all."""
    try:
        entry = entry_of(game, line, where)
    except InvalidSource as error:
        reading.problems += error.problems
        return None
    build = entry.build
    names = [*entry.loose, *(name for cards in build.mounted.values() for name in cards)]
    names += [skill for pilot in build.pilots for skill in pilot.skills]
    names += [row.card for rows in build.decks.values() for row in rows]
    missing = [name for name in names if game.card(name) is None]
    missing += [part for part in build.mounted if part not in game.parts]
    if missing:
        reading.problems.append(other_version(game, line, where, missing))
    for key, word in build.frame.items():
        reading.refer(OF_A_FRAME + key, word, where)
    lists = Lists(reading, game)
    decks = {
        deck: tuple(
            lists.with_values(row, {name: (str(text), where) for name, text in row.fields.items()})
            for row in rows
        )
        for deck, rows in build.decks.items()
    }
    return replace(entry, build=replace(build, decks=decks))
