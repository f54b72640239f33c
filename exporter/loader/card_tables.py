"""The tables of a kind of card as rows: which files and sheets, which columns are which field."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.file_types import SPREADSHEETS
from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
    nearest,
    problem_at,
    quoted,
)
from exporter.core.reading_limits import LimitExceeded
from exporter.core.source_files import (
    MAX_BYTES,
    Unreadable,
    decode,
    read_bytes,
    read_data,
    read_text,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.table_links import linked_path
from exporter.loader.tables import (
    Record,
    Row,
    rows_of,
    text_records,
)
from exporter.model import Kind
from exporter.model.fields import is_date
from exporter.model.spelling import (
    is_remark,
    is_sum,
    repeats,
)


class ReadTable(Struct):
    """A table as it was read: records, and days in the place of what a cell held."""

    records: list[Record | Problem]
    flaws: dict[tuple[int, int], Problem] = field(default_factory=dict)
    days: dict[tuple[int, int], str] = field(default_factory=dict)


class _Table(NamedTuple):
    """A file, and of a spreadsheet its sheet; ``where`` it is named."""

    file: str
    sheet: str
    where: SourceLocation


class CardTables(Struct):
    """Tables of cards, each read once, and which of their rows no kind has taken yet."""

    reading: LoadContext
    tables: dict[tuple[str, str], ReadTable | None] = field(default_factory=dict)
    left: dict[tuple[str, str], dict[SourceLocation, Row]] = field(default_factory=dict)

    def rows(self, kind: Kind) -> list[Row]:
        """The rows that are cards of a kind, each with its id."""
        rows = [row for table in tables_of(kind) for row in self._rows(kind, table)]
        return list(self._with_ids(kind, rows))

    def untaken(self) -> Iterator[Problem]:
        """A problem for each row of a shared table that no kind takes."""
        for rows in self.left.values():
            for row in rows.values():
                yield problem_at(row.where, "SRC-VALUE", "row-of-no-kind")

    def _read(self, kind: Kind, table: _Table) -> ReadTable | None:
        key = table.file, table.sheet
        if key not in self.tables:
            self.tables[key] = read_table(
                self.reading, table.file, "card", table.where, table.sheet, linked=kind.linked
            )
        return self.tables[key]

    def _rows(self, kind: Kind, table: _Table) -> list[Row]:
        read = self._read(kind, table)
        if read is None:
            return []
        reading = self.reading
        all_known = f"field of {kind.id}" not in reading.incomplete
        allowed = ("id", "name", *kind.fields, *kind.only) if all_known else None
        found = rows_of(
            _with_names(kind, _of_kind(kind, read, reading)),
            reading.label(table.file),
            ("name",),
            allowed,
            unknown="column-of-no-field",
        )
        reading.problems += found.problems
        if not found.complete:
            reading.incomplete.add("card")
        rows = [row for row in found.rows if row["name"] not in kind.no_cards]
        lists = [name for name, each in kind.fields.items() if each.type == "list"]
        for doubt in lint(rows, _judged(kind), lists):
            reading.add(doubt)
        asked = {kind.columns.get(name, name): words for name, words in kind.only.items()}
        mine = [row for row in rows if all(row[name] in words for name, words in asked.items())]
        if asked:
            left = self.left.setdefault((table.file, table.sheet), {row.where: row for row in rows})
            for row in mine:
                left.pop(row.where, None)
        return [self._as_seen(kind, read, row) for row in mine]

    def _as_seen(self, kind: Kind, read: ReadTable, row: Row) -> Row:
        """A row whose cells are what they seem; a day in the place of a range is read as that."""
        if not read.flaws:
            return row
        cells = dict(row.cells)
        for name, where in row.places.items():
            flaw = read.flaws.get((where.line, where.column))
            if flaw is None:
                continue
            day, of = read.days.get((where.line, where.column), ""), kind.fields.get(name)
            if not day or of is None or of.pattern != "range":
                self.reading.add(flaw)
                continue
            cells[name] = day
            self.reading.notice(where, "SRC-CELL", "day-as-range", day=day)
        return replace(row, cells=cells)

    def _with_ids(self, kind: Kind, rows: list[Row]) -> Iterator[Row]:
        """Rows with the ids that were written down, or are made from their names."""
        without = [row for row in rows if "id" not in row.cells]
        if not without:
            yield from rows
            return
        if not kind.ids:
            self.reading.without_ids |= {row.where.file for row in without}
        known = list(self._known(kind))
        ids, renamed = ids_for([row["name"] for row in without], known)
        names = {each.id: each.name for each in renamed}
        made = dict(zip((row.where for row in without), ids, strict=True))
        for row in rows:
            if row.where not in made:
                yield row
                continue
            key = made[row.where] if row["name"] else ""
            if key in names:
                self.reading.notice(
                    row.at("name"),
                    "SRC-ID",
                    "renamed",
                    name=row["name"],
                    was=names[key],
                    id=key,
                    file=kind.ids,
                )
            yield replace(
                row, cells={**row.cells, "id": key}, places={**row.places, "id": row.at("name")}
            )

    def _known(self, kind: Kind) -> Iterator[Known]:
        if not kind.ids or not self.reading.exists(kind.ids):
            return
        read = read_table(self.reading, kind.ids, "card", kind.place("ids"))
        if read is None:
            return
        found = rows_of(read.records, self.reading.label(kind.ids), ("id", "name"), ("id", "name"))
        self.reading.problems += found.problems
        for row in found.rows:
            if row["id"]:
                yield Known(row["id"], row["name"])


def _judged(kind: Kind) -> set[str]:
    """The fields whose cells are right or refused."""
    return {
        name
        for name, field in kind.fields.items()
        if field.pattern or field.type in ("number", "flag")
    }


def tables_of(kind: Kind) -> Iterator[_Table]:
    """The tables of a kind, in order."""
    for index, sheet in enumerate(kind.sheet or ("",)):
        yield _Table(kind.file, sheet, kind.place("sheet", index) if sheet else kind.place("file"))
    for index, name in enumerate(kind.files):
        file, _, sheet = name.partition("#")
        yield _Table(file, sheet, kind.place("files", index))


def read_table(
    reading: LoadContext,
    relative: str,
    sort: str,
    where: SourceLocation | None = None,
    sheet: str = "",
    *,
    linked: bool = False,
) -> ReadTable | None:
    """A table of any sort, or nothing where it cannot be read."""
    file = reading.label(relative)
    try:
        data = _linked_data(reading, relative) if linked else None
        if relative.lower().endswith(SPREADSHEETS):
            from exporter.loader.spreadsheets import spreadsheet_records  # brings libraries

            data = read_data(reading.root, relative, where) if data is None else data
            records, flaws = spreadsheet_records(data, file, reading.budget, sheet)
            at = [(flaw, (flaw.problem.where.line, flaw.problem.where.column)) for flaw in flaws]
            return _noted(
                reading,
                relative + sheet,
                ReadTable(
                    list(records),
                    {place: flaw.problem for flaw, place in at},
                    {place: flaw.day for flaw, place in at if flaw.day},
                ),
            )
        if sheet:
            problem = problem_at(
                where or SourceLocation(file), "SRC-KEY", "no-sheets-there", file=relative
            )
            raise Unreadable(problem)
        text = read_text(reading.root, relative, where) if data is None else decode(data, file)
        notices: list[Problem] = []
        found = list(text_records(text, file, reading.budget, notices))
        flaws_at = {(each.where.line, each.where.column): each for each in notices}
        return _noted(reading, relative, ReadTable(found, flaws_at))
    except Unreadable as unreadable:
        reading.problems.append(unreadable.problem)
        reading.incomplete.add(sort)
    except LimitExceeded as spent:
        reading.refuse(SourceLocation(file), sort, spent)
    return None


def _noted(reading: LoadContext, name: str, read: ReadTable) -> ReadTable:
    """A table of which it is noted what it says."""
    cells = [record[0] for record in read.records if not isinstance(record, Problem)]
    reading.note_content(name, cells)
    return read


def _linked_data(reading: LoadContext, relative: str) -> bytes | None:
    """What stands in the file that the user linked; nothing where the copy here is to be read."""
    path = linked_path(reading.root, relative)
    key = "link-not-set"
    if path is not None:
        try:
            limit = MAX_BYTES.get(path.suffix.lower(), max(MAX_BYTES.values()))
            return read_bytes(path, str(path), limit)
        except Unreadable:
            key = "link-broken"
    where, words = SourceLocation(reading.label(relative)), {"file": relative, "path": str(path)}
    problem = problem_at(where, "SRC-FILE", key, severity=Severity.NOTICE, **words)
    reading.notices += [] if problem in reading.notices else [problem]
    return None


def table_records(
    reading: LoadContext, relative: str, sort: str, where: SourceLocation | None = None
) -> Iterator[Record | Problem] | None:
    """The records of a table that is read as it stands, or nothing where it cannot be read."""
    read = read_table(reading, relative, sort, where)
    if read is None:
        return None
    for flaw in read.flaws.values():
        reading.add(flaw)
    return iter(read.records)


def _of_kind(kind: Kind, read: ReadTable, reading: LoadContext) -> Iterator[Record | Problem]:
    """Records from the headings on, with the columns that a kind reads under its own names."""
    records = [
        each
        for each in read.records
        if kind.heading <= 1 or isinstance(each, Problem) or each[1][0].line >= kind.heading
    ]
    if not records or isinstance(records[0], Problem):
        yield from records[:1]
        return
    header, places = records[0]
    reading.problems += _not_there(kind, header)
    ignored = {index for index, heading in enumerate(header) if _is_ignored(heading, kind)}
    lines = {
        each[1][0].line for each in records[1:] if read.flaws and not isinstance(each, Problem)
    }
    for (line, column), flaw in read.flaws.items():
        if line >= kind.heading and line not in lines and column - 1 not in ignored:
            reading.add(flaw)
    records = list(_without_headings(records, reading))
    kept = [index for index in range(len(header)) if index not in ignored]
    names = [kind.columns.get(header[index], header[index]) for index in kept]
    yield names, _picked(places, kept) or places[:1]
    for record in records[1:]:
        if isinstance(record, Problem):
            yield record
            continue
        if not ignored and "" not in kind.ignore:
            yield record
            continue
        cells, places = record
        if not ignored and len(cells) <= len(header):
            yield record
            continue
        beyond = [] if "" in kind.ignore else range(len(header), len(cells))
        here = [*(index for index in kept if index < len(cells)), *beyond]
        if any(cells[index] for index in here):
            yield [cells[i] for i in here], _picked(places, here)


def _picked(places: Iterable[SourceLocation], indexes: Iterable[int]) -> list[SourceLocation]:
    """Some of the places of a record, which may have any number of cells."""
    found = list(places)
    return [found[index] for index in indexes if index < len(found)]


def _without_headings(
    records: Iterable[Record | Problem], reading: LoadContext
) -> Iterator[Record | Problem]:
    """Records without those that say the headings again, as of tables that were put together."""
    header: list[str] | None = None
    for record in records:
        if header is None or isinstance(record, Problem):
            header = record[0] if header is None and not isinstance(record, Problem) else header
        elif repeats(record[0], header):
            reading.notice(record[1][0], "SRC-CSV", "headings-again")
            continue
        yield record


def _with_names(kind: Kind, records: Iterable[Record | Problem]) -> Iterator[Record | Problem]:
    """Records with a name for each card, where it is put together of other columns."""
    at: list[int] | None = None
    for record in records:
        if not kind.named_by or isinstance(record, Problem):
            yield record
            continue
        cells, places = record
        if at is None:
            fields = [kind.columns.get(heading, heading) for heading in kind.named_by]
            at = [cells.index(each) for each in fields if each in cells]
            name, width = "name", len(cells)
        else:
            name = " ".join(cells[i] for i in at if i < len(cells) and cells[i])
        blank = [""] * (width - len(cells))
        there = [*places, *[places[-1]] * (width - len(places))]
        yield [*cells, *blank, name], [*there, there[at[0]] if at else there[0]]


def _is_ignored(heading: str, kind: Kind) -> bool:
    """Whether a column is not read: game.yaml says so, or its heading does, as in ``#idea``."""
    hidden = heading.startswith("#") and bool(heading[1:2].strip())
    return heading in kind.ignore or hidden


def _not_there(kind: Kind, header: Iterable[str]) -> Iterator[Problem]:
    """Headings that game.yaml names and the table has not."""
    known = set(header)
    for key in ("columns", "only", "ignore", "named_by"):
        for index, heading in enumerate(getattr(kind, key)):
            if heading and heading not in known and kind.is_sound(key):
                is_map = key in ("columns", "only")
                yield problem_at(
                    kind.place(key, heading if is_map else index, key=is_map),
                    "SRC-REF",
                    "no-column",
                    key=key,
                    heading=quoted(heading),
                    nearest=nearest(heading, known - {""}),
                )


MOST_ALIGNED = 2000
"""Rows in which renamed cards are looked for by their place."""


_NO_ID = re.compile(r'[\x00-\x1f\x7f"*/:<>?\\|]+')


_MOST = 64


class Known(NamedTuple):
    """An id that was written down, and the name that its card had then."""

    id: str
    name: str


def id_of(name: str) -> str:
    """A name as an id: in one line, composed, without what cannot stand in a file's name."""
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    return _NO_ID.sub("-", plain)[:_MOST].strip(" .-")


def ids_for(names: Sequence[str], known: Sequence[Known]) -> tuple[list[str], list[Known]]:
    """An id for each name, in order, and of the ids that were known those of renamed cards.

    A name that is known has its id; one that stands where a known name stood is that card renamed;
    any other has an id of its own name, with a number where that is taken.
    """
    found: list[str] = [""] * len(names)
    free: dict[str, list[Known]] = {}
    for each in known:
        free.setdefault(each.name, []).append(each)
    for index, name in enumerate(names):
        if free.get(name):
            found[index] = free[name].pop(0).id
    renamed = []
    for index, each in _by_place(names, known, found):
        found[index] = each.id
        renamed.append(each)
    taken = {*found, *(each.id for each in known)}
    for index, name in enumerate(names):
        if not found[index]:
            found[index] = _fresh(id_of(name) or "card", taken)
            taken.add(found[index])
    return found, renamed


def _fresh(wanted: str, taken: set[str]) -> str:
    number, found = 1, wanted
    while found in taken:
        number += 1
        found = f"{wanted[: _MOST - 5]}-{number}"
    return found


def _by_place(
    names: Sequence[str], known: Sequence[Known], found: Sequence[str]
) -> list[tuple[int, Known]]:
    """Names without an id that stand where known names stood which are gone."""
    used = set(found)
    if all(found) or len(names) > MOST_ALIGNED or len(known) > MOST_ALIGNED:
        return []
    before = [each.id for each in known]
    pairs: list[tuple[int, Known]] = []
    matcher = difflib.SequenceMatcher(None, before, list(found), autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "replace":
            continue
        gone = [known[index] for index in range(first, last) if before[index] not in used]
        new = [index for index in range(start, end) if not found[index]]
        if len(gone) == len(new):
            pairs += zip(new, gone, strict=True)
    return pairs


_CUT_SHORT = re.compile(r"-?[0-9](?:\.[0-9]+)?E[+-][0-9]{2,3}")


_OTHER_LISTS = re.compile(r"[^/]*[;；、，,|｜][^/]*")
"""Words that are parted by something else than a list's ``/``."""


def lint(
    rows: Sequence[Row], sound: Collection[str], lists: Collection[str] = ()
) -> Iterator[Problem]:
    """What is doubtful in the rows of cards, of each sort once a column; the cells of ``sound``
    columns are judged by themselves, those of ``lists`` are words parted by ``/``."""
    seen: set[tuple[str, str]] = set()
    for row in rows:
        for name, cell in row.cells.items():
            if name in sound or not cell:
                continue
            if name in lists and _OTHER_LISTS.fullmatch(cell):
                key = "parted"
            elif _CUT_SHORT.fullmatch(cell):
                key = "cut-short"
            elif is_date(cell):
                key = "like-a-date"
            else:
                continue
            if (name, key) not in seen:
                seen.add((name, key))
                yield _doubt(row.at(name), key, field=name, found=quoted(cell))
        if is_sum(row["name"]) or is_remark(row["name"], row.cells.values()):
            yield _doubt(row.at("name"), "no-card", name=quoted(row["name"]))


def _doubt(where: SourceLocation, key: str, **values: object) -> Problem:
    return problem_at(where, "SRC-CELL", key, severity=Severity.NOTICE, **values)
