"""What players' files mean: their keys and names in any spelling as the game has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from exporter.core.names import Names
from exporter.core.problems import Problem
from exporter.loader.load_context import LoadContext
from exporter.loader.tables import (
    Record,
    Row,
)
from exporter.model import (
    Game,
    Pilot,
)
from exporter.model.annotations import fields_of
from exporter.model.called import (
    FRAME_KEY,
    OF_A_FRAME,
    name_index,
    resolve_name,
)
from exporter.model.document_places import (
    Items,
    Table,
)
from exporter.model.headings import headings
from exporter.model.player_builds import (
    Waiver,
    WrittenSubmission,
)
from exporter.model.spelling import number_of_copies


def with_keys_meant(reading: LoadContext, table: Any, names: Names) -> Any:
    """A mapping whose keys are those that they stand for; whatever else is left as it is.

    Where a key may be several, a mapping under it decides for the one that holds mappings.
    """
    if not isinstance(table, Table):
        return table
    renamed = Table(table.where)
    renamed.size = table.size
    for key, value in table.items():
        meaning = _key(names, key, value)
        where = table.keys_at[key]
        if meaning in renamed:
            reading.fault(where, "SRC-KEY", "two-spellings", key=key, meaning=meaning)
            continue
        renamed[meaning] = value
        renamed.keys_at[meaning] = where
        renamed.values_at[meaning] = table.values_at[key]
    return renamed


_OF_MAPPINGS = ("frame", "mounted", "cards", "decks")


def _key(names: Names, key: str, value: object) -> str:
    found = names.meant(key)
    if len(found) > 1:
        found = [one for one in found if (one in _OF_MAPPINGS) == isinstance(value, Mapping)]
    return found[0] if len(found) == 1 else key


def build_meant(reading: LoadContext, game: Game, value: Any) -> Any:
    """A document of a file of builds with the keys and names that are meant."""
    value = with_keys_meant(reading, value, _ENTRY)
    if not isinstance(value, Table):
        return value
    for key, names in (
        ("frame", name_index(game, FRAME_KEY)),
        ("mounted", name_index(game, "part")),
    ):
        if key in value:
            value[key] = with_keys_meant(reading, value[key], names)
    frame, mounted = value.get("frame"), value.get("mounted")
    if isinstance(frame, Table):
        words = {key: word for key, word in frame.items() if isinstance(word, str)}
        frame.update(
            {key: resolve_name(game, OF_A_FRAME + key, word) for key, word in words.items()}
        )
    for cards in (*(mounted.values() if isinstance(mounted, Table) else ()), value.get("weapons")):
        _name_cards(game, cards)
    _count(reading, value.get("cards"))
    decks = value.get("decks")
    for cards in decks.values() if isinstance(decks, Table) else ():
        _count(reading, cards)
    for key, names in (("pilots", _PILOT), ("waivers", _WAIVER)):
        each = value.get(key)
        if isinstance(each, Items):
            each[:] = [with_keys_meant(reading, one, names) for one in each]
            for one in each:
                _name_cards(game, one.get("skills") if isinstance(one, Table) else None)
    return value


_ENTRY, _PILOT, _WAIVER = (
    headings(fields_of(shape).keys) for shape in (WrittenSubmission, Pilot, Waiver)
)


_COPIES = headings(("copies",))


def _count(reading: LoadContext, cards: Any) -> None:
    """Copies as numbers, whether they stand alone or beside what else a deck says of a card."""
    for name, one in cards.items() if isinstance(cards, Table) else ():
        cards[name] = with_keys_meant(reading, one, _COPIES)
        holder, key = (cards[name], "copies") if isinstance(one, Table) else (cards, name)
        text = holder.get(key)
        count = number_of_copies(text) if isinstance(text, str) else None
        if count is not None:
            holder[key] = str(count)


def _name_cards(game: Game, cards: Any) -> None:
    if isinstance(cards, Items):
        cards[:] = [
            resolve_name(game, "card", one) if isinstance(one, str) else one for one in cards
        ]


def rows_meant(game: Game, rows: Iterable[Row]) -> Iterator[Row]:
    """Rows of a table of builds with the names that are meant."""
    sorts = {"part": "part", "card": "card", "skill": "card"}
    sorts |= {key: OF_A_FRAME + key for key in name_index(game, FRAME_KEY).things}
    known: dict[tuple[str, str], str] = {}
    for row in rows:
        for cell in row.cells.items():
            if cell not in known:
                column, word = cell
                known[cell] = resolve_name(game, sorts[column], word) if column in sorts else word
        yield replace(row, cells={cell[0]: known[cell] for cell in row.cells.items()})


def headed(records: Iterable[Record | Problem], names: Names) -> Iterator[Record | Problem]:
    """The records of a table, in the first of which stand the columns that are meant: of several
    with one heading the first."""
    each = iter(records)
    for first in each:
        if isinstance(first, Problem):
            yield first
        else:
            found = [(heading, names.meant(heading)) for heading in first[0]]
            yield [one[0] if one else heading for heading, one in found], first[1]
        break
    yield from each


def word_meant(game: Game, sort: str, word: str) -> str:
    """What a key of a document, or the name of a part in it, stands for."""
    plain = word.strip("'\"")
    if sort == "part":
        return resolve_name(game, "part", plain)
    found = _ENTRY.meant(plain)
    return "frame" if "frame" in found else found[0] if len(found) == 1 else plain
