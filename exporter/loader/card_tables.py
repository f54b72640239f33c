"""A game's tables as its cards, frames and printed decks: which files and sheets, columns, ids."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.file_writer import IN_NO_NAME
from exporter.core.problems import (
    Problem,
    SourceLocation,
    error_at,
    nearest,
    problem_at,
    quoted,
)
from exporter.core.reading_limits import ReadingLimits
from exporter.core.source_files import (
    SPREADSHEETS,
    TABLES,
    composed,
    decode,
    inside,
    read_data,
)
from exporter.faces.face_texts import with_readings
from exporter.loader.load_context import LoadContext
from exporter.loader.tables import Flaw, Record, Row, rows_of, text_records
from exporter.model import Card, DeckEntry, Field, Frame, Head, Kind, Value, Variant
from exporter.model.fields import (
    DASHES,
    EMPTY,
    SUMS,
    TEXT,
    copies_of,
    is_date,
    is_hidden,
    is_remark,
    is_sum,
    read_value,
    repeats,
    with_dittos,
)
from exporter.model.shape import MOST, MOST_REPEATED

FIGURE = Field(type="number", least=-MOST, most=MOST)
SLOTS = Field(type="number", most=MOST_REPEATED)

# Words that are parted by something else than a list's ``/``.
_OTHER_LISTS = re.compile(r"[^/]*[;；、，,|｜][^/]*")


class ReadTable(Struct):
    """A table as it was read: its records, and what is wrong with cells, by line and column.

    Lines and columns count from 1, those that are ``hidden`` too.
    """

    records: list[Record]
    flaws: dict[tuple[int, int], Flaw] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    day_fields: set[str] = field(default_factory=set)  # of which a day was read as a range


def table_records(data: bytes, file: str, budget: ReadingLimits, sheet: str = "") -> ReadTable:
    """Read a table of any sort. Raises ``InvalidSource`` and ``LimitExceeded``."""
    if not file.lower().endswith(SPREADSHEETS):
        return ReadTable(list(text_records(decode(data, file), file, budget)))
    from exporter.loader.spreadsheets import spreadsheet_records  # brings libraries

    records, flaws, hidden = spreadsheet_records(data, file, budget, sheet)
    places = ((flaw.problem.where.line, flaw.problem.where.column) for flaw in flaws)
    return ReadTable(records, dict(zip(places, flaws, strict=True)), hidden)


def read_table(
    reading: LoadContext,
    relative: str,
    sort: str,
    where: SourceLocation | None = None,
    sheet: str = "",
) -> ReadTable | None:
    """Read a table of any sort, or nothing where it cannot be read."""
    file = reading.label(relative)
    with reading.collect(file, sort):
        if sheet and not relative.lower().endswith(SPREADSHEETS):
            raise error_at(
                where or SourceLocation(file), "SRC-KEY", "no-sheets-there", file=relative
            )
        data = read_data(reading.root, relative, where)
        table = table_records(data, file, reading.budget, sheet)
        reading.note_content(relative + sheet, [cells for cells, _places in table.records])
        return table
    return None


def _plain_rows(
    reading: LoadContext,
    relative: str,
    sort: str,
    needed: Collection[str],
    allowed: Collection[str] | None,
    table: ReadTable | None,
) -> list[Row]:
    """Return the rows of a table that is read as it stands."""
    if table is None:
        return []
    for flaw in table.flaws.values():
        reading.add(flaw.problem)
    found = rows_of(table.records, reading.label(relative), needed, allowed)
    reading.problems += found.problems
    if not found.complete:
        reading.incomplete.add(sort)
    return found.rows


class CardTables(Struct):
    """Tables of cards, each read once, and which of their rows no kind has taken yet."""

    reading: LoadContext
    tables: dict[tuple[str, str], ReadTable | None] = field(default_factory=dict)
    left: dict[tuple[str, str], dict[SourceLocation, Row]] = field(default_factory=dict)

    def rows(self, kind: Kind) -> list[Row]:
        """Return the rows that are cards of a kind, each with its id."""
        tables = [
            (kind.file, sheet, kind.place("sheet", at) if sheet else kind.place("file"))
            for at, sheet in enumerate(kind.sheet or ("",))
        ]
        for at, name in enumerate(kind.files):
            file, _, sheet = name.partition("#")
            tables.append((file, sheet, kind.place("files", at)))
        rows = [row for table in tables for row in self._rows(kind, *table)]
        return list(_with_ids(self.reading, kind, rows))

    def untaken(self) -> Iterator[Problem]:
        """Yield a problem for each row of a shared table that no kind takes."""
        for row in (row for rows in self.left.values() for row in rows.values()):
            yield problem_at(row.where, "SRC-VALUE", "row-of-no-kind")

    def _rows(self, kind: Kind, file: str, sheet: str, where: SourceLocation) -> list[Row]:
        reading, key = self.reading, (file, sheet)
        if key not in self.tables:
            self.tables[key] = read_table(reading, file, "card", where, sheet)
        read = self.tables[key]
        if read is None:
            return []
        all_known = f"field of {kind.id}" not in reading.incomplete
        found = rows_of(
            _records_of_kind(reading, kind, read),
            reading.label(file),
            ("name",),
            ("id", "name", *kind.fields, *kind.only) if all_known else None,
            offers=True,
        )
        for problem in found.problems:
            reading.add(problem)
        reading.incomplete |= set() if found.complete else {"card"}
        rows = [row for row in found.rows if row["name"] not in kind.no_cards]
        for row in found.rows if "" in kind.no_cards else ():
            if not row["name"] and 2 * sum(map(bool, row.cells.values())) > len(row.cells):
                reading.notice(row.at("name"), "SRC-CELL", "nameless")
        _check_words(reading, kind, rows)
        asked = {kind.columns.get(name, name): words for name, words in kind.only.items()}
        mine = [row for row in rows if all(row[name] in words for name, words in asked.items())]
        if asked:
            left = self.left.setdefault(key, {row.where: row for row in rows})
            for row in mine:
                left.pop(row.where, None)
        return [_with_flaws(reading, kind, read, row) for row in mine] if read.flaws else mine


def _records_of_kind(reading: LoadContext, kind: Kind, read: ReadTable) -> Iterator[Record]:
    """Yield records from the headings on, with the columns that a kind reads under its own
    names."""
    records = [each for each in read.records if each[1][0].line >= kind.heading]
    if not records:
        return
    header, places = records[0]
    _check_headings(reading, kind, header)
    kept = [at for at, one in enumerate(header) if not (is_hidden(one) or one in kind.ignore)]
    lines = {each[1][0].line for each in records[1:]}
    for (line, column), flaw in read.flaws.items():
        if line >= kind.heading and line not in lines and column - 1 in {*kept}:
            reading.add(flaw.problem)
    names = [kind.columns.get(header[at], header[at]) for at in kept]
    named_by = [kind.columns.get(heading, heading) for heading in kind.named_by]
    parts = [names.index(each) for each in named_by if each in names]
    at_name = [places[kept[at]] for at in parts[:1]] or places[:1] if named_by else []
    yield [*names, "name"][: len(names) + bool(named_by)], [*_places_at(places, kept), *at_name]
    for whole, places in _filled_down(reading, kind, header, records[1:]):
        if repeats(whole, header):  # tables that were put together
            reading.notice(places[0], "SRC-CSV", "headings-again")
            continue
        beyond = [] if "" in kind.ignore else range(len(header), len(whole))
        here = [*(at for at in kept if at < len(whole)), *beyond]
        cells, places = [whole[at] for at in here], _places_at(places, here)
        if any(cells) and named_by:
            name = " ".join(cells[at] for at in parts if at < len(cells) and cells[at])
            cells += [""] * (len(names) - len(cells))
            places += places[-1:] * (len(names) - len(places))
            yield [*cells, name], [*places, places[parts[0] if parts else 0]]
        elif any(cells):
            yield cells, places


def _filled_down(
    reading: LoadContext, kind: Kind, header: Sequence[str], records: Iterable[Record]
) -> Iterator[Record]:
    """Yield records in which a blank cell of some columns has what stands above it in a card's,
    up to a dash, and so has ``〃`` in all."""
    above = {at: "" for at, one in enumerate(header) if one in kind.repeats}
    names = [at for at, one in enumerate(header) if kind.columns.get(one, one) == "name"]
    cells: list[str] = []
    for record in records:
        if any(cell in kind.no_cards and is_sum(cell) for cell in record[0]):
            continue
        cells = with_dittos(record[0], cells)
        called = {cells[at] for at in names if at < len(cells)} if names else {*cells} - {""}
        if called.intersection(kind.no_cards or SUMS):
            yield record
            continue
        for at in (at for at in above if at < len(cells)):
            above[at] = cells[at] = "" if cells[at] in DASHES else cells[at] or above[at]
        for place, cell, read in zip(record[1], record[0], cells, strict=False):
            if cell and not read and cell not in DASHES:
                reading.notice(place, "SRC-CELL", "ditto-of-blank", found=quoted(cell))
        yield cells, record[1]


def _places_at(places: Sequence[SourceLocation], indexes: Iterable[int]) -> list[SourceLocation]:
    """Return some of the places of a record, which may have any number of cells."""
    return [places[at] for at in indexes if at < len(places)]


def _check_headings(reading: LoadContext, kind: Kind, header: Iterable[str]) -> None:
    """Note headings that game.yaml names and the table has not."""
    known = set(header)
    for key in ("columns", "only", "named_by", "repeats"):  # one to ignore may be gone
        is_map = key in ("columns", "only")
        for index, heading in enumerate(getattr(kind, key)):
            if heading and heading not in known and kind.is_sound(key):
                reading.fault(
                    kind.place(key, heading if is_map else index, key=is_map),
                    "SRC-REF",
                    "no-column",
                    nearest=nearest(heading, known - {""}),
                    key=key,
                    heading=quoted(heading),
                )


def _check_words(reading: LoadContext, kind: Kind, rows: Sequence[Row]) -> None:
    """Note what reads as a date that a spreadsheet made, or as a list that something else than
    ``/`` parts, once a column; and rows that seem to be no cards. Cells of columns with a pattern,
    numbers and flags are judged by themselves."""
    fields = kind.fields.items()
    judged = {name for name, of in fields if of.pattern or of.type in ("number", "flag")}
    lists = {name for name, of in fields if of.type == "list"}
    seen: set[tuple[str, str]] = set()
    for row in rows:
        for name, cell in row.cells.items():
            parted = name in lists and _OTHER_LISTS.fullmatch(cell)
            key = "parted" if parted else "like-a-date" if is_date(cell) else ""
            if key and name not in judged and (name, key) not in seen:
                seen.add((name, key))
                reading.notice(row.at(name), "SRC-CELL", key, field=name, found=quoted(cell))
        if is_sum(row["name"]) or is_remark(row["name"], row.cells.values()):
            reading.notice(row.at("name"), "SRC-CELL", "no-card", name=quoted(row["name"]))


def _with_flaws(reading: LoadContext, kind: Kind, read: ReadTable, row: Row) -> Row:
    """Return a row of which flaws are noted; a day in the place of a range is read as that."""
    cells = dict(row.cells)
    for name, where in row.places.items():
        flaw, of = read.flaws.get((where.line, where.column)), kind.fields.get(name)
        if flaw is not None and flaw.day and of is not None and of.pattern == "range":
            cells[name] = flaw.day
            if name not in read.day_fields:
                read.day_fields.add(name)
                reading.notice(where, "SRC-CELL", "day-as-range", day=flaw.day)
        elif flaw is not None:
            reading.add(flaw.problem)
    return replace(row, cells=cells)


_NO_ID = re.compile(rf"[{IN_NO_NAME}\x7f]+")
_LONGEST_ID = 64


def id_of(name: str) -> str:
    """Return a name as an id: in one line, composed, without what cannot stand in a file's name."""
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    return _NO_ID.sub("-", plain)[:_LONGEST_ID].strip(" .-")


def ids_for(names: Sequence[str], known: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return an id for each name, in order, and of the ids that were known those of renamed cards;
    these are ``known`` with the names that their cards had then.

    A name that is known has its id; one that stands between the same two cards as a known name that
    is gone is that card renamed; any other has an id of its own name, with a number where that is
    taken.
    """
    found: list[str] = [""] * len(names)
    free = grouped(known, lambda key: known[key])
    for index, name in enumerate(names):
        if free.get(name):
            found[index] = free[name].pop(0)
    pairs = zip(_neighbours(["", *known, ""]), known, strict=True)
    gone = {pair: key for pair, key in pairs if key not in found}
    renamed = []
    for index, around in enumerate(_neighbours(["", *found, ""])):
        if not found[index] and around in gone:
            found[index] = gone.pop(around)
            renamed.append(found[index])
    # Files of ids that differ in their case alone would be one on most machines.
    taken = {id.casefold() for id in (*found, *known)}
    for index, name in enumerate(names):
        if not found[index]:
            wanted = fresh = id_of(name) or "card"
            number = 1
            while fresh.casefold() in taken:
                number += 1
                fresh = f"{wanted[: _LONGEST_ID - 5]}-{number}"
            found[index] = fresh
            taken.add(fresh.casefold())
    return found, renamed


def _neighbours(ids: Sequence[str]) -> list[tuple[str, str]]:
    """Return for each but the first and the last the two that stand beside it."""
    return list(zip(ids, ids[2:], strict=False))


def _with_ids(reading: LoadContext, kind: Kind, rows: list[Row]) -> Iterator[Row]:
    """Yield rows with the ids that were written down, or are made from their names."""
    without = [row for row in rows if "id" not in row.cells]
    if not without:
        yield from rows
        return
    known: dict[str, str] = {}
    if kind.ids and reading.exists(kind.ids):
        table, columns = read_table(reading, kind.ids, "card", kind.place("ids")), ("id", "name")
        kept = _plain_rows(reading, kind.ids, "card", columns, columns, table)
        known = {row["id"]: row["name"] for row in kept if row["id"]}
    ids, renamed = ids_for([row["name"] for row in without], known)
    made = dict(zip((row.where for row in without), ids, strict=True))
    for row in rows:
        if row.where not in made:
            yield row
            continue
        key, where = made[row.where] if row["name"] else "", row.at("name")
        if key in renamed:
            reading.notice(
                where, "SRC-ID", "renamed", id=key, name=row["name"], was=known[key], file=kind.ids
            )
        yield replace(row, cells={**row.cells, "id": key}, places={**row.places, "id": where})


def _cell_value(
    reading: LoadContext, row: Row, name: str, field: Field, value: Value | Problem | None = None
) -> Value:
    """Return what was read of a cell, or what stands for it where it is wrong, which is noted."""
    value = read_value(row[name], field, row.where, name) if value is None else value
    if not isinstance(value, Problem):
        return value
    # A spreadsheet keeps every character: a question mark is one that somebody wrote.
    is_sign = value.sentence.key == "found-stands-sign" and "\ufffd" not in row[name]
    is_meant = is_sign and row.where.cell and field.type == "text" and not field.pattern
    if row.sound and not is_meant:
        reading.problems.append(replace(value, where=row.at(name)), name)
    return row[name] if field.type == "text" else EMPTY[field.type]


def _numbers(reading: LoadContext, row: Row, names: Iterable[str], of: Field) -> dict[str, int]:
    """Return the whole numbers of those columns that a row has."""
    values = {name: _cell_value(reading, row, name, of) for name in names if name in row.cells}
    return {name: value if isinstance(value, int) else 0 for name, value in values.items()}


def _cards_of(
    reading: LoadContext, kind: Kind, tables: CardTables, marks: Collection[str]
) -> Iterator[Card]:
    @cache
    def read(name: str, text: str) -> Value | Problem:  # each distinct text once
        return read_value(text, kind.fields[name], SourceLocation(), name, headings.get(name, ""))

    headings = {field: heading for heading, field in kind.columns.items()}
    for row in tables.rows(kind):
        for name in ("id", "name"):
            if not row[name]:
                found = headings.get(name, name)
                problem = problem_at(row.at(name), "SRC-VALUE", "missing", name=found)
                reading.problems.append(problem, name)
            _cell_value(reading, row, name, TEXT)
        reading.excluded |= {("card", row["id"]), ("card", row["name"])}
        fields: dict[str, Value] = {}
        for name, of in kind.fields.items():
            value = _cell_value(reading, row, name, of, read(name, row[name]))
            fields[name] = with_readings(value, marks) if isinstance(value, str) else value
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
    """Return whether a file is a table, and none that a spreadsheet keeps while another is open."""
    return name.endswith(TABLES) and not name.rpartition("/")[2].startswith("~$")


def read_cards(
    reading: LoadContext, kinds: Sequence[Kind], marks: Collection[str]
) -> dict[str, Card]:
    """Read the cards of all kinds by id; ``marks`` are those of the game."""
    tables = CardTables(reading)
    cards = [card for kind in kinds for card in _cards_of(reading, kind, tables, marks)]
    reading.problems += tables.untaken()
    named = [(card.id, card.at("id"), card) for card in cards if card.id]
    named_files = [name for kind in kinds for name in (kind.file, kind.ids, *kind.files)]
    files = {composed(str(PurePosixPath(name.partition("#")[0]))) for name in named_files if name}
    # Perhaps it was the wrong name of one of these files by which cards could not be read.
    for name in () if "card" in reading.incomplete else reading.names_in("cards", "card"):
        if name not in files and _is_table(name) and inside(reading.root, name):
            reading.fault(SourceLocation(reading.label(name)), "SRC-FILE", "no-kind-card")
    return reading.unique("card", named)


def read_frames(reading: LoadContext, head: Head) -> tuple[Frame, ...]:
    """Read the rows of frames.csv: key columns as text, figures and slots as whole numbers."""
    file, key, parts = "frames.csv", head.frame.key, head.parts
    if not reading.exists(file) or "key of a frame" in reading.incomplete:
        return ()
    if not key:
        reading.fault(head.place("frame"), "SRC-KEY", "frames-csv-stands")
        reading.incomplete.add("frame")
        return ()
    other = (*key, *parts, *head.frame.options)
    columns = [name for name in head.frame.names if name not in other]
    frames: dict[tuple[str, ...], Frame] = {}
    allowed = None if "part" in reading.incomplete else (*key, *columns, *parts)
    table = read_table(reading, file, "frame")
    for row in _plain_rows(reading, file, "frame", key, allowed, table):
        words = tuple(row[name] for name in key)
        if words in frames:
            first, names = frames[words].where, " ".join(words)
            reading.fault(row.where, "SRC-ID", "frame-stands-second", names=names, first=first)
            continue
        frames[words] = Frame(
            key=dict(zip(key, words, strict=True)),
            figures=_numbers(reading, row, columns, FIGURE),
            slots=_numbers(reading, row, parts, SLOTS),
            where=row.where,
        )
    return tuple(frames.values())


def check_mark(mark: str, variants: Iterable[Variant], where: SourceLocation) -> Iterator[Problem]:
    """Check that a mark of a deck's entry is made of the variants' marks."""
    marks = [variant.mark for variant in variants]
    rest = mark
    for known in sorted(marks, key=len, reverse=True):
        rest = rest.replace(known, "")
    if rest.strip():
        found, allowed = quoted(mark), " ".join(marks)
        yield problem_at(where, "SRC-VALUE", "mark-found-allowed", found=found, marks=allowed)


def read_decks(
    reading: LoadContext,
    variants: Collection[Variant],
    kinds: Mapping[str, Kind],
    cards: Mapping[str, Card],
) -> tuple[DeckEntry, ...]:
    """Read the rows of every table in decks/; the column ``mech`` or ``deck`` names whose they are.

    Further columns are fields of cards: what stands there holds for the cards of this deck.
    """
    fields = {name: field for kind in kinds.values() for name, field in kind.fields.items()}
    kind_of = {name: card.kind for card in cards.values() for name in (card.name, card.id)}
    entries: dict[tuple[str, ...], DeckEntry] = {}
    for file in reading.names_in("decks", "deck"):
        table = read_table(reading, file, "deck") if _is_table(file) else None
        header = table.records[0][0] if table and table.records else []
        owner = "deck" if "deck" in header else "mech"
        columns = (owner, "card", "copies")
        known = (*columns, "mark", "note")
        allowed = None if "field" in reading.incomplete else (*known, *fields)
        for row in _plain_rows(reading, file, "deck", columns, allowed, table):
            kind = kinds.get(kind_of.get(row["card"], ""))
            own = {**fields, **kind.fields} if kind else fields
            differing = [n for n in row.cells if n in own and n not in known and row[n]]
            limits = copies_of(kind.fields if kind else {})
            entry = DeckEntry(
                deck=row[owner],
                card=row["card"],
                mark=row["mark"],
                copies=_numbers(reading, row, ("copies",), limits).get("copies", 0),
                note=row["note"],
                fields={name: _cell_value(reading, row, name, own[name]) for name in differing},
                where=row.where,
            )
            if owner == "mech":
                reading.refer("mech", entry.deck, row.at("mech"))
            reading.refer("card", entry.card, row.at("card"))
            if "variant" not in reading.incomplete:
                reading.problems += check_mark(entry.mark, variants, row.at("mark"))
            key = (entry.deck, entry.card, entry.mark, *map(str, entry.fields.items()))
            if key in entries:
                reading.fault(
                    row.where,
                    "SRC-ID",
                    "stands-second-time",
                    card=entry.card[:40],
                    deck=entry.deck,
                    first=entries[key].where,
                )
            else:
                entries[key] = entry
    return tuple(entries.values())
