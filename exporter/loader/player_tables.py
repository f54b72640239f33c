"""Tables of players: their records, rows by build or deck, and what builds and decks share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from exporter.core.file_types import (
    SPREADSHEETS,
    TABLES,
)
from exporter.core.names import (
    Names,
    is_called,
)
from exporter.core.problems import (
    UNREADABLE,
    Problem,
    SourceLocation,
    nearest,
)
from exporter.core.source_files import (
    MAX_PLAYERS,
    decode,
    inside,
    read_bytes,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.tables import (
    Record,
    Row,
    text_records,
)
from exporter.model import (
    Field,
    Game,
)
from exporter.model.called import (
    FRAME_KEY,
    OF_A_FRAME,
    name_index,
    resolve_name,
)
from exporter.model.fields import read_value
from exporter.model.mech import Build
from exporter.model.record_forms import described

MOST_ROWS = 500_000
"""Rows of a player's table: 10,000 decks have about 200,000."""


class ReadBuild(NamedTuple):
    """A build, and the lines of its file that are its own.

    The lines are asked for where something is wrong alone. Where it ``shares`` the file with
    others, as in a table, a fault in a line that is none's bears on it too: a row whose build is
    unknown may be any one's.
    """

    entry: Build
    lines: Iterable[int]
    shares: bool = False


def is_table(file: str) -> bool:
    """Return whether a player's file is a table, by its ending."""
    return file.lower().endswith(TABLES)


def file_records(reading: LoadContext, path: Path) -> Iterable[Record | Problem]:
    """Yield the records of a table of any sort. Raises ``Unreadable`` and ``LimitExceeded``."""
    file = str(path)
    data = read_bytes(path, file, MAX_PLAYERS)
    if file.lower().endswith(SPREADSHEETS):
        from exporter.loader.spreadsheets import spreadsheet_records  # brings libraries

        records, flaws = spreadsheet_records(data, file, reading.budget)
        for flaw in flaws:
            reading.add(flaw.problem)
        return records
    return text_records(decode(data, file), file, reading.budget)


def check_game(reading: LoadContext, game: Game, name: str, where: SourceLocation) -> None:
    """Note a problem where somebody's file is for another game."""
    called = (game.id, game.code or "", game.name.ja, game.name.en)
    if name not in ("", UNREADABLE) and not is_called(name, called):
        reading.fault(where, "SRC-VALUE", "build-game", found=described(name), game=game.id)


def unread_frame(game: Game, known: Collection[str]) -> dict[str, str]:
    """Return the words of a frame that may stand where nobody looks for them."""
    return {word: UNREADABLE for word in name_index(game, FRAME_KEY).things if word not in known}


def grouped(
    reading: LoadContext, rows: Iterable[Row], column: str, unnamed: str, name: str = ""
) -> dict[str, list[Row]]:
    """Return the rows of each build or deck, by the name in a column; where that is blank, it is
    that of the row above, or ``name``. With neither, ``unnamed`` is the key of the problem."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = row.cells.get(column, "") or name
        if name:
            groups.setdefault(name, []).append(row)
        else:
            reading.fault(row.at(column), "SRC-VALUE", unnamed)
    return groups


def build_of_rows(entry: Build, rows: list[Row]) -> ReadBuild:
    """Return a build of some rows of a table. The cells of an unsound row may have shifted: its
    name counts if a sound one has it too."""
    own = rows if any(row.sound for row in rows) else []
    return ReadBuild(entry, lines_of(own), shares=True)


def copies_in(reading: LoadContext, row: Row, most: int) -> int:
    """Return the number of copies in a row, one where it says nothing; 0, and a problem, where it
    is unknown."""
    limits = Field(type="number", least=1, most=most)
    value = read_value(row["copies"] or "1", limits, row.at("copies"), "copies")
    if isinstance(value, Problem):
        reading.problems.append(value)
    return value if isinstance(value, int) else 0


def lines_of(rows: Iterable[Row]) -> Iterator[int]:
    """Yield the lines of some rows; a quoted cell may make several of one."""
    for row in rows:
        last = max((place.line for place in row.places.values()), default=row.where.line)
        yield from range(row.where.line, last + 1)


def common_value(reading: LoadContext, rows: list[Row], column: str) -> tuple[str, SourceLocation]:
    """Return what the rows of a build say in a column; they may be silent but not disagree."""
    words = {row.cells.get(column, "") for row in rows} - {""}
    if not words:
        return "", rows[0].where
    first = next(row for row in rows if row[column])
    for row in rows if len(words) > 1 else ():
        if row[column] not in ("", first[column]):
            reading.fault(
                row.at(column),
                "SRC-VALUE",
                "found-line-says",
                column=column,
                found=described(row[column]),
                line=first.where.line,
                found2=described(first[column]),
            )
    return UNREADABLE if len(words) > 1 else first[column], first.at(column)


def picture_beside(reading: LoadContext, name: str, where: SourceLocation) -> str:
    """Return the path of a picture beside a build; nothing, and a problem, where it leads
    elsewhere."""
    path = inside(reading.root, name) if name else None
    if name and (path is None or not path.is_file()):
        near = nearest(name, sorted(each.name for each in reading.root.iterdir()))
        reading.fault(where, "SRC-FILE", "no-picture-beside", name=name, nearest=near)
        return ""
    return str(path) if path else ""


def normalize_rows(game: Game, rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows of a table of builds with names as the game has them."""
    sorts = {"part": "part", "card": "card", "skill": "card"}
    sorts |= {key: OF_A_FRAME + key for key in name_index(game, FRAME_KEY).things}

    @cache
    def resolved(column: str, word: str) -> str:
        return resolve_name(game, sorts[column], word) if column in sorts else word

    for row in rows:
        yield replace(row, cells={name: resolved(name, word) for name, word in row.cells.items()})


def normalize_header(
    records: Iterable[Record | Problem], names: Names
) -> Iterator[Record | Problem]:
    """Yield the records of a table, the first with the names of columns for its headings."""
    each = iter(records)
    for first in each:
        if isinstance(first, Problem):
            yield first
        else:
            found = [(heading, names.meant(heading)) for heading in first[0]]
            yield [one[0] if one else heading for heading, one in found], first[1]
        break
    yield from each
