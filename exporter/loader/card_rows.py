"""What stands in tables: cards of every kind, frames, printed decks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from pathlib import PurePosixPath

from msgspec.structs import replace

from exporter.core.file_types import TABLES
from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
    quoted,
)
from exporter.core.source_files import (
    composed,
    inside,
    names_in,
)
from exporter.faces.face_texts import with_readings
from exporter.loader.card_tables import (
    CardTables,
    table_records,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.tables import (
    Record,
    Row,
    rows_of,
)
from exporter.model import (
    Card,
    DeckEntry,
    Field,
    Frame,
    Head,
    Kind,
    Value,
    Variant,
)
from exporter.model.fields import (
    EMPTY,
    MOST,
    MOST_REPEATED,
    TEXT,
    copies_of,
    read_value,
)

FIGURE = Field(type="number", least=-MOST, most=MOST)
SLOTS = Field(type="number", most=MOST_REPEATED)


def _rows(
    reading: LoadContext,
    relative: str,
    sort: str,
    needed: Collection[str],
    allowed: Collection[str] | None,
    where: SourceLocation | None = None,
) -> list[Row]:
    records = table_records(reading, relative, sort, where)
    return [] if records is None else _rows_of(reading, records, relative, sort, needed, allowed)


def _rows_of(
    reading: LoadContext,
    records: Iterable[Record | Problem],
    relative: str,
    sort: str,
    needed: Collection[str],
    allowed: Collection[str] | None,
) -> list[Row]:
    table = rows_of(records, reading.label(relative), needed, allowed)
    reading.problems += table.problems
    if not table.complete:
        reading.incomplete.add(sort)
    return table.rows


def _value(reading: LoadContext, row: Row, name: str, field: Field) -> Value:
    return _checked_value(reading, row, name, field, read_value(row[name], field, row.where, name))


def _checked_value(
    reading: LoadContext, row: Row, name: str, field: Field, value: Value | Problem
) -> Value:
    """What was read of a cell, or what stands for it where it is wrong, which is told."""
    if not isinstance(value, Problem):
        return value
    if row.sound:
        reading.problems.append(replace(value, where=row.at(name)), name)
    return row[name] if field.type == "text" else EMPTY[field.type]


def _column(name: str, field: Field) -> Callable[[str], Value | Problem]:
    """Reads the cells of a column, each distinct text once."""
    return cache(lambda text: read_value(text, field, SourceLocation(), name))


def _number(reading: LoadContext, row: Row, name: str, field: Field) -> int:
    value = _value(reading, row, name, field)
    return value if isinstance(value, int) else 0


def _cards_of(
    reading: LoadContext, kind: Kind, tables: CardTables, marks: Collection[str]
) -> Iterator[Card]:
    needed = ("id", "name")
    columns = {name: _column(name, field) for name, field in kind.fields.items()}
    for row in tables.rows(kind):
        for name in needed:
            if not row[name]:
                problem = problem_at(row.at(name), "SRC-VALUE", "missing", name=name)
                reading.problems.append(problem, name)
            _value(reading, row, name, TEXT)
        reading.excluded |= {("card", row["id"]), ("card", row["name"])}
        fields = {
            name: _checked_value(reading, row, name, field, columns[name](row[name]))
            for name, field in kind.fields.items()
        }
        fields = {
            name: with_readings(value, marks) if isinstance(value, str) else value
            for name, value in fields.items()
        }
        for name in kind.front_lists:
            for word in row[name].split("/"):
                reading.refer("card", word.strip(), row.at(name))
        yield Card(
            id=row["id"],
            kind=kind.id,
            name=with_readings(row["name"], marks),
            fields=fields,
            where=row.where,
            cells=row.places,
        )


def _is_table(name: str) -> bool:
    """Whether a file is a table, and none that a spreadsheet keeps while another is open."""
    return name.endswith(TABLES) and not name.rpartition("/")[2].startswith("~$")


def read_cards(
    reading: LoadContext, kinds: Sequence[Kind], marks: Collection[str]
) -> dict[str, Card]:
    """The cards of all kinds by id; ``marks`` are those of the game."""
    tables = CardTables(reading)
    cards = [card for kind in kinds for card in _cards_of(reading, kind, tables, marks)]
    reading.problems += tables.untaken()
    named = [(card.id, card.at("id"), card) for card in cards if card.id]
    named_files = [name for kind in kinds for name in (kind.file, kind.ids, *kind.files)]
    files = {composed(str(PurePosixPath(name.partition("#")[0]))) for name in named_files if name}
    if "card" in reading.incomplete:  # perhaps by the wrong name of one of the files below
        return reading.unique("card", named)
    for name in names_in(reading.root, "cards"):
        if isinstance(name, Problem):
            reading.problems.append(name)
        elif name not in files and _is_table(name) and inside(reading.root, name):
            reading.fault(SourceLocation(reading.label(name)), "SRC-FILE", "no-kind-card")
    return reading.unique("card", named)


def read_frames(reading: LoadContext, head: Head) -> tuple[Frame, ...]:
    """The rows of frames.csv: key columns as text, figures and slots as whole numbers."""
    key, figures, parts = head.frame.key, head.frame.names, head.parts
    if not reading.exists("frames.csv") or "key of a frame" in reading.incomplete:
        return ()
    if not key:
        reading.fault(head.place("frame"), "SRC-KEY", "frames-csv-stands")
        reading.incomplete.add("frame")
        return ()
    columns = [name for name in figures if name not in (*key, *parts, *head.frame.options)]
    frames: list[Frame] = []
    first: dict[tuple[str, ...], SourceLocation] = {}
    allowed = None if "part" in reading.incomplete else (*key, *columns, *parts)
    for row in _rows(reading, "frames.csv", "frame", key, allowed):
        words = tuple(row[name] for name in key)
        if words in first:
            reading.fault(
                row.where,
                "SRC-ID",
                "frame-stands-second",
                names=" ".join(words),
                first=first[words],
            )
            continue
        first[words] = row.where
        frames.append(
            Frame(
                key=dict(zip(key, words, strict=True)),
                figures={n: _number(reading, row, n, FIGURE) for n in columns if n in row.cells},
                slots={n: _number(reading, row, n, SLOTS) for n in parts if n in row.cells},
                where=row.where,
            )
        )
    return tuple(frames)


def check_mark(mark: str, variants: Iterable[Variant], where: SourceLocation) -> Iterator[Problem]:
    """A mark of a deck's entry is made of the variants' marks."""
    marks = [variant.mark for variant in variants]
    rest = mark
    for known in sorted(marks, key=len, reverse=True):
        rest = rest.replace(known, "")
    if rest.strip():
        yield problem_at(
            where,
            "SRC-VALUE",
            "mark-found-allowed",
            found=quoted(mark),
            marks=" ".join(marks),
        )


def _own_fields(
    reading: LoadContext, row: Row, fields: Mapping[str, Field], columns: Collection[str]
) -> dict[str, Value]:
    """In which fields the card of a deck's row differs: cells with a column named as a field."""
    return {
        name: _value(reading, row, name, fields[name])
        for name in row.cells
        if name in fields and name not in columns and row[name]
    }


def read_decks(
    reading: LoadContext,
    variants: Collection[Variant],
    kinds: Mapping[str, Kind],
    cards: Mapping[str, Card],
) -> tuple[DeckEntry, ...]:
    """The rows of every table in decks/; the column ``mech`` or ``deck`` names whose they are.

    Further columns are fields of cards: what stands there holds for the cards of this deck.
    """
    fields = {name: field for kind in kinds.values() for name, field in kind.fields.items()}
    kind_of = {name: card.kind for card in cards.values() for name in (card.name, card.id)}
    entries: list[DeckEntry] = []
    first: dict[tuple[str, ...], SourceLocation] = {}
    for file in names_in(reading.root, "decks"):
        if isinstance(file, Problem):
            reading.problems.append(file)
            continue
        records = table_records(reading, file, "deck") if _is_table(file) else None
        if records is None:
            continue
        begin = list(islice(records, 1))
        header = begin[0][0] if begin and not isinstance(begin[0], Problem) else []
        owner = "deck" if "deck" in header else "mech"
        columns = (owner, "card", "copies")
        known = (*columns, "mark", "note")
        allowed = None if "field" in reading.incomplete else (*known, *fields)
        for row in _rows_of(reading, chain(begin, records), file, "deck", columns, allowed):
            kind = kinds.get(kind_of.get(row["card"], ""))
            own = {**fields, **kind.fields} if kind else fields
            entry = DeckEntry(
                deck=row[owner],
                card=row["card"],
                mark=row["mark"],
                copies=_number(reading, row, "copies", copies_of(kind.fields if kind else {})),
                note=row["note"],
                fields=_own_fields(reading, row, own, known),
                where=row.where,
            )
            if owner == "mech":
                reading.refer("mech", entry.deck, row.at("mech"))
            reading.refer("card", entry.card, row.at("card"))
            if "variant" not in reading.incomplete:
                reading.problems += check_mark(entry.mark, variants, row.at("mark"))
            key = (entry.deck, entry.card, entry.mark, *map(str, entry.fields.items()))
            if key in first:
                reading.fault(
                    row.where,
                    "SRC-ID",
                    "stands-second-time",
                    card=entry.card[:40],
                    deck=entry.deck,
                    first=first[key],
                )
            else:
                first[key] = row.where
                entries.append(entry)
    return tuple(entries)
