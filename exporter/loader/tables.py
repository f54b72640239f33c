"""Tables as rows that know their places: CSV, and whatever gives records as CSV does."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, overload

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
    nearest,
    problem_at,
    quoted,
    word_of,
)
from exporter.core.reading_limits import ReadingLimits
from exporter.core.source_files import control

MAX_COLUMNS = 200
MAX_ROWS = 20_000


def column_letters(column: int) -> str:
    """``A`` for 1, ``AA`` for 27."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return letters


class Row(Struct, frozen=True):
    """A record: its cells by column, where each stands, and where the record begins.

    A record that is not ``sound`` has too few or too many cells: its values may have shifted.
    """

    cells: Mapping[str, str]
    places: Mapping[str, SourceLocation]
    where: SourceLocation
    sound: bool = True

    def __getitem__(self, column: str) -> str:
        return self.cells.get(column, "")

    def at(self, column: str) -> SourceLocation:
        """The place of a cell, or of the record."""
        try:
            return self.places[column]
        except KeyError:
            return self.where


class Rows(NamedTuple):
    """A table that has been read; ``complete`` unless some of its rows could not be."""

    rows: list[Row]
    problems: list[Problem]
    complete: bool = True


class Places(Sequence[SourceLocation]):
    """Where each cell of a record begins, found when it is asked for: most never are."""

    __slots__ = ("file", "line", "raw", "separator")

    def __init__(self, raw: str, file: str, line: int, separator: str) -> None:
        self.raw, self.file, self.line, self.separator = raw, file, line, separator

    @property
    def _found(self) -> list[SourceLocation]:
        return _places(self.raw, self.file, self.line, self.separator)

    @property
    def first(self) -> SourceLocation:
        """Where the record begins, without a column."""
        return SourceLocation(self.file, self.line)

    @overload
    def __getitem__(self, index: int) -> SourceLocation: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SourceLocation]: ...
    def __getitem__(self, index: int | slice) -> SourceLocation | Sequence[SourceLocation]:
        raw, separator = self.raw, self.separator
        if isinstance(index, slice) or index < 0 or '"' in raw:
            return self._found[index]
        column = 0
        for _ in range(index):
            column = raw.find(separator, column) + 1
            if not column:
                raise IndexError(index)
        return SourceLocation(self.file, self.line, column + 1)

    def __iter__(self) -> Iterator[SourceLocation]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found) if '"' in self.raw else self.raw.count(self.separator) + 1


class CellPlaces(Mapping[str, SourceLocation]):
    """Where the cells of a row stand, by column."""

    __slots__ = ("indexes", "places")

    def __init__(self, indexes: Mapping[str, int], places: Sequence[SourceLocation]) -> None:
        self.indexes, self.places = indexes, places

    def __getitem__(self, column: str) -> SourceLocation:
        try:
            return self.places[self.indexes[column]]
        except IndexError:
            raise KeyError(column) from None

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, at in self.indexes.items() if at < len(self.places)])

    def __len__(self) -> int:
        return len(list(iter(self)))


Record: TypeAlias = tuple[list[str], Sequence[SourceLocation]]
"""The cells of a row that is not blank, and where each begins."""


def _places(raw: str, file: str, line: int, separator: str) -> list[SourceLocation]:
    """Where each cell of a record begins, by line and character."""
    if '"' not in raw:
        places, column = [], 1
        for cell in raw.rstrip("\r\n").split(separator):
            places.append(SourceLocation(file, line, column))
            column += len(cell) + 1
        return places
    places, column = [SourceLocation(file, line, 1)], 1
    fresh, in_quotes, quotable = True, False, False  # a quotation mark counts at a cell's start
    for character in raw.rstrip("\r\n").replace("\r\n", "\n").replace("\r", "\n"):
        column += 1
        if character == '"' and (fresh or quotable):
            in_quotes, quotable = not in_quotes, True
        fresh = fresh and character == " "
        if character == "\n":
            line, column = line + 1, 1
        elif character == separator and not in_quotes:
            places.append(SourceLocation(file, line, column))
            fresh, quotable = True, False
    return places


def _separator(text: str) -> str:
    """What parts the cells: a comma, or what there is more of in the first line, as spreadsheets
    set to other languages write, or as is pasted from a table."""
    lines = (line for some in io.StringIO(text) for line in some.splitlines())
    head = next((line for line in lines if line.strip()), "")
    return max(",;\t", key=head.count)


def text_records(
    text: str, file: str, budget: ReadingLimits, notices: list[Problem] | None = None
) -> Iterator[Record | Problem]:
    """Each record of CSV that is not blank, or of TSV; what is good to know of cells comes to the
    ``notices``. Raises ``Spent``."""
    separator = "\t" if file.lower().endswith(".tsv") else _separator(text)
    if text[:4].lower() == "sep=" and text[5:6] in ("\r", "\n"):  # Excel's own word for it
        separator = text[4]
        text = ("\n" if text[5:7] != "\r\n" else "\r\n") + text[5:].lstrip("\r\n")
    budget.take("lines", max(text.count("\n"), text.count("\r")))
    budget.take("cells", text.count(separator))
    return _records(text, file, separator, [] if notices is None else notices)


def invisible_notice(where: SourceLocation, character: str) -> Problem:
    """That a cell is read without a character that nobody sees; said once for a column."""
    found = control(character)
    return problem_at(where, "SRC-CELL", "unseen", severity=Severity.NOTICE, character=found)


_BROKEN = {
    "end of data": "open-quotation",
    "field limit": "cell-too-long",
    "expected after": "text-after-quotation",
}
"""What the csv module says, and which of our sentences that is."""


def _noted(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    """Lines, each noted as it is taken."""
    for line in lines:
        taken.append(line)
        yield line


def _records(
    text: str, file: str, separator: str, notices: list[Problem]
) -> Iterator[Record | Problem]:
    lines: list[str] = []
    reader = csv.reader(
        _noted(io.StringIO(text, newline=""), lines),
        delimiter=separator,
        strict=True,
        skipinitialspace=True,
    )
    odd = is_odd(text.replace("\r", ""))
    bare = not any(blank in text for blank in " \t\u3000")
    unseen: set[int] = set()
    done = 0
    while True:
        lines.clear()
        try:
            cells = next(reader, None)
        except csv.Error as error:
            said = str(error)
            key = next((_BROKEN[part] for part in _BROKEN if part in said), "unreadable")
            where, most = SourceLocation(file, done + 1, 1), csv.field_size_limit()
            yield problem_at(where, "SRC-CSV", key, said=said, most=most)
            return
        if cells is None:
            return
        first, done = done + 1, reader.line_num
        raw = lines[0] if len(lines) == 1 else "".join(lines)
        places = Places(raw, file, first, separator)
        if not odd and len(lines) == 1:
            cells = cells if bare else [cell.strip(BLANKS) for cell in cells]
        else:
            found = [cell_as_seen(cell) for cell in cells]
            cells = [cell.text for cell in found]
            for index, cell in enumerate(found):
                if cell.unseen and index not in unseen:
                    unseen.add(index)
                    notices.append(invisible_notice(places[index], cell.unseen))
        if any(cells):
            yield cells, places


def _header_problems(
    header: list[str],
    places: Sequence[SourceLocation],
    needed: Collection[str],
    allowed: Collection[str] | None,
    unknown: str,
) -> Iterator[Problem]:
    seen: dict[str, SourceLocation] = {}
    meant: set[str] = set()
    for name, where in zip(header, places, strict=False):
        if not name:
            yield problem_at(where, "SRC-CSV", "column-no-name")
        elif name in seen:
            yield problem_at(where, "SRC-CSV", "column-stands-second", found=quoted(name))
        elif allowed is not None and name not in allowed:
            near = nearest(name, allowed)
            yield problem_at(where, "SRC-CSV", unknown, found=quoted(name), nearest=near)
            meant.update(word_of(near))
        seen.setdefault(name, where)
    for name in needed:
        if name not in seen and name not in meant:
            yield problem_at(places[0], "SRC-CSV", "column-missing", name=name)


def rows_of(
    records: Iterable[Record | Problem],
    file: str,
    needed: Collection[str],
    allowed: Collection[str] | None,
    most: int = MAX_ROWS,
    unknown: str = "column-unknown",
) -> Rows:
    """The rows below the header of a table, and all that is wrong with its form.

    Columns are those of ``allowed``, or any where that is ``None``; any other is ``unknown``, by
    the key of what is told. A row with too few or too
    many cells is reported and kept as far as it goes; without its ``needed`` columns a table has
    no rows; rows beyond the ``most`` are not read.
    """
    records = iter(records)
    first = next(records, None)
    if first is None:
        problem = problem_at(
            SourceLocation(file, 1, 1), "SRC-CSV", "table-empty-first", names=",".join(needed)
        )
        return Rows([], [problem], complete=False)
    if isinstance(first, Problem):
        return Rows([], [first], complete=False)
    header, places = first
    if no_header := _no_header(header, places[0], file):
        return Rows([], [no_header], complete=False)
    while header and not header[-1]:
        header.pop()
    problems = list(_header_problems(header, places, needed, allowed, unknown))
    if any(name not in header for name in needed):
        return Rows([], problems, complete=False)
    indexes = {
        name: index
        for index, name in enumerate(header)
        if (allowed is None or name in allowed) and header.index(name) == index
    }
    return _below(records, header, indexes, problems, most)


def _below(
    records: Iterator[Record | Problem],
    header: list[str],
    indexes: Mapping[str, int],
    problems: list[Problem],
    most: int,
) -> Rows:
    """The rows below a header, of its columns in ``indexes``."""
    rows: list[Row] = []
    all_kept = list(indexes) == header
    for record in records:
        if isinstance(record, Problem):
            return Rows(rows, [*problems, record], complete=False)
        if len(rows) == most:
            problem = problem_at(record[1][0], "SRC-CSV", "table-more-rows", max_rows=most)
            return Rows(rows, [*problems, problem], complete=False)
        cells, places = record
        if all_kept and len(cells) == len(header) and type(places) is Places:  # as nearly all are
            where = SourceLocation(places.file, places.line)
            rows.append(
                Row(dict(zip(header, cells, strict=True)), CellPlaces(indexes, places), where)
            )
            continue
        wrong, there = [], indexes
        if len(cells) != len(header):
            wrong = list(_width_problems(cells, places, header))
            problems += wrong
        if len(cells) < len(header):
            there = {name: index for name, index in indexes.items() if index < len(cells)}
        values = {name: cells[index] for name, index in there.items()}
        where = places.first if isinstance(places, Places) else replace(places[0], column=0)
        rows.append(Row(values, CellPlaces(there, places), where, not wrong))
    return Rows(rows, problems)


def _no_header(header: Sequence[str], where: SourceLocation, file: str) -> Problem | None:
    """Why a first row names no columns, if so."""
    own = "tabs" if file.lower().endswith(".tsv") else "commas"
    for separator, name in ((";", "semicolons"), (",", "commas")):
        if len(header) == 1 and separator in header[0] and name != own:
            return problem_at(where, "SRC-CSV", "columns-separated-they", own=own, name=name)
    if len(header) > MAX_COLUMNS:
        count, most = len(header), MAX_COLUMNS
        return problem_at(where, "SRC-CSV", "table-columns-most", count=count, max_columns=most)
    return None


def _width_problems(
    cells: list[str], places: Sequence[SourceLocation], header: list[str]
) -> Iterator[Problem]:
    if len(cells) < len(header):
        missing = ", ".join(header[len(cells) :][:5])
        where = SourceLocation(places[0].file, places[0].line)
        yield problem_at(
            where,
            "SRC-CSV",
            "row-columns-header",
            count=len(cells),
            count2=len(header),
            missing=missing,
        )
    elif any(cells[len(header) :]):
        at = next(index for index in range(len(header), len(cells)) if cells[index])
        where = places[at] if at < len(places) else places[-1]
        yield problem_at(
            where,
            "SRC-CSV",
            "cell-no-heading" if where.cell else "row-columns-header-2",
            count=len(cells),
            count2=len(header),
        )


BLANKS = " \t\r\n\f\v\xa0\u3000\u200b\ufeff"
"""What is taken off both ends of a cell."""


_SHAPELESS = (
    "[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
"""Joiners and signs that choose a shape are none of these: they make an emoji another one."""


_BLANKS_WITHIN = "[\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0]"


_LINE_ENDS = "\r\n?|[\x85\u2028\u2029]"


_ODD = re.compile(f"{_SHAPELESS}|{_BLANKS_WITHIN}|{_LINE_ENDS}")


_UNSEEN = re.compile(_SHAPELESS)


_BLANK = re.compile(_BLANKS_WITHIN)


_LINE_END = re.compile(_LINE_ENDS)


class Cell(NamedTuple):
    """A cell as it is seen, and the first character that is left out of it as nobody sees it."""

    text: str
    unseen: str = ""


def is_odd(text: str) -> bool:
    """Whether a text holds more that cells are to be freed of than plain blanks around them."""
    return _ODD.search(text) is not None


def cell_as_seen(text: str) -> Cell:
    """A cell without what has no shape, without blanks around it, its lines ended alike."""
    if not is_odd(text):
        return Cell(text.strip(BLANKS))
    unseen = _UNSEEN.search(text)
    if unseen:
        text = _UNSEEN.sub("", text)
    text = _LINE_END.sub("\n", _BLANK.sub(" ", text)).strip(BLANKS)
    return Cell(text, unseen[0][0] if unseen else "")
