"""Tables as rows that know their places: CSV, and whatever gives records as CSV does.

Cells are read as they are seen: without characters that have no shape, which web pages, chats and
phones leave, and with plain blanks. Within an id or a heading they make it another one that looks
the same.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
    error_at,
    nearest,
    problem_at,
    quoted,
    word_of,
)
from exporter.core.reading_limits import ReadingLimits

MAX_COLUMNS = 200
MAX_ROWS = 20_000

# What is taken off both ends of a cell.
BLANKS = " \t\r\n\f\v\xa0\u3000\u200b\ufeff"


class Flaw(Struct, frozen=True):
    """A cell that is not what it seems, or with a notice is read all the same; of a day that a
    spreadsheet made, ``month-day``."""

    problem: Problem
    day: str = ""


def column_letters(column: int) -> str:
    """Return ``A`` for 1, ``AA`` for 27."""
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
        """Return the place of a cell, or of the record."""
        return self.places.get(column, self.where)


class Rows(NamedTuple):
    """A table that has been read; ``complete`` unless some of its rows could not be."""

    rows: list[Row]
    problems: list[Problem]
    complete: bool = True


# Joiners and signs that choose a shape are none of these: they make an emoji another one.
_SHAPELESS = re.compile(
    "[\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]"
)

_BLANKS_WITHIN = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3164\uffa0]")
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028\u2029]")

# The cells of a row that is not blank, and where each begins.
Record: TypeAlias = tuple[list[str], list[SourceLocation]]


def clean_cell(text: str) -> str:
    """Return a cell as it is seen: without what nobody sees in it, and with plain blanks."""
    if not text.isascii():
        text = _BLANKS_WITHIN.sub(" ", _SHAPELESS.sub("", text))
    return _LINE_ENDS.sub("\n", text).strip(BLANKS)


def text_records(text: str, file: str, budget: ReadingLimits) -> Iterator[Record]:
    """Yield each record of CSV that is not blank, or of TSV. Raises ``LimitExceeded``, and
    ``InvalidSource`` where it is no CSV any more."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Spreadsheets set to other languages part cells by semicolons; pasted tables have tabs.
    head = text.lstrip("\n ").partition("\n")[0]
    has_tabs = file.lower().endswith(".tsv") and "\t" in head
    separator = "\t" if has_tabs else max(",;\t", key=head.count)
    if text[:4].lower() == "sep=" and text[5:6] == "\n":  # Excel's own word for it
        separator, text = text[4], "\n" + text[5:].lstrip("\n")
    budget.take("lines", text.count("\n"))
    budget.take("cells", text.count(separator))
    return _records(text, file, separator)


# What the csv module says, and which of our sentences that is.
_BROKEN = {
    "end of data": "open-quotation",
    "field limit": "cell-too-long",
    "expected after": "text-after-quotation",
}


def _records(text: str, file: str, separator: str) -> Iterator[Record]:
    lines = [f"{line}\n" for line in text.split("\n")]
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    sign, done = re.escape(separator), 0
    each = re.compile(rf'(?:\A|{sign})( *"[^"]*(?:""[^"]*)*"|[^{sign}]*)')
    try:
        for row, cells in enumerate(reader, 1):
            first, done = done + 1, reader.line_num
            cleaned = [clean_cell(cell) for cell in cells]
            if any(cleaned):
                places = _places("".join(lines[first - 1 : done])[:-1], file, first, each)
                if row < first:  # cells of several lines stand above
                    places = [
                        replace(place, opened_as=f"{column_letters(at)}{row}")
                        for at, place in enumerate(places, 1)
                    ]
                yield cleaned, places
    except csv.Error as error:
        key = next((_BROKEN[part] for part in _BROKEN if part in str(error)), "unreadable")
        where, most = SourceLocation(file, done + 1, 1), csv.field_size_limit()
        raise error_at(where, "SRC-CSV", key, quote=str(error), most=most) from None


def _places(raw: str, file: str, line: int, each: re.Pattern[str]) -> list[SourceLocation]:
    """Return where each cell of a record begins, by line and character."""
    places = []
    begin = 0  # of the line
    for cell in each.finditer(raw):
        places.append(SourceLocation(file, line, cell.start(1) - begin + 1))
        if "\n" in cell[1]:
            line += cell[1].count("\n")
            begin = cell.start(1) + cell[1].rindex("\n") + 1
    return places


def rows_of(
    records: Iterable[Record],
    file: str,
    needed: Collection[str],
    allowed: Collection[str] | None,
    most: int = MAX_ROWS,
    *,
    offers: bool = False,
) -> Rows:
    """Return the rows below the header of a table, and all that is wrong with its form.

    Columns are those of ``allowed``, or any where that is ``None``; any other is a problem, or with
    ``offers`` a notice where no column is missing that it may be. A row with too few or too many
    cells is reported and kept as far as it goes; without its ``needed`` columns a table has no
    rows; rows beyond the ``most`` are not read.
    """
    records = iter(records)
    where = SourceLocation(file, 1, 1)
    header, places = next(records, ([], []))
    if not header:
        empty = problem_at(where, "SRC-CSV", "table-empty-first", names=",".join(needed))
        return Rows([], [empty], complete=False)
    while header and not header[-1]:
        header.pop()
    problems = list(_header_problems(header, places, needed, allowed, offers))
    if any(name not in header for name in needed) or len(header) > MAX_COLUMNS:
        return Rows([], problems, complete=False)
    columns = {
        name: index
        for index, name in enumerate(header)
        if (allowed is None or name in allowed) and header.index(name) == index
    }
    rows: list[Row] = []
    for cells, places in records:
        if len(rows) == most:
            more = problem_at(places[0], "SRC-CSV", "table-more-rows", max_rows=most)
            return Rows(rows, [*problems, more], complete=False)
        wrong = _width_problem(cells, places, header) if len(cells) != len(header) else None
        problems += [wrong] if wrong else []
        rows.append(
            Row(
                {name: cells[at] for name, at in columns.items() if at < len(cells)},
                {name: places[at] for name, at in columns.items() if at < len(places)},
                SourceLocation(places[0].file, places[0].line, 0, places[0].cell),
                wrong is None,
            )
        )
    return Rows(rows, problems)


def _header_problems(
    header: list[str],
    places: Sequence[SourceLocation],
    needed: Collection[str],
    allowed: Collection[str] | None,
    offers: bool,
) -> Iterator[Problem]:
    if len(header) > MAX_COLUMNS:
        count, most = len(header), MAX_COLUMNS
        yield problem_at(places[0], "SRC-CSV", "table-columns-most", count=count, max_columns=most)
        return
    seen: set[str] = set()
    guessed: set[str] = set()
    for name, where in zip(header, places, strict=False):
        if not name:
            yield problem_at(where, "SRC-CSV", "column-no-name")
        elif name in seen:
            yield problem_at(where, "SRC-CSV", "column-stands-second", found=quoted(name))
        elif allowed is not None and name not in allowed:
            near = nearest(name, allowed if not offers else {*allowed}.difference(header))
            is_new = offers and not word_of(near)
            yield problem_at(
                where,
                "SRC-CSV",
                "column-new" if is_new else "column-unknown",
                Severity.NOTICE if is_new else Severity.ERROR,
                found=quoted(name),
                name=name,
                nearest=near,
            )
            guessed.update(word_of(near))
        seen.add(name)
    for name in needed:
        if name not in seen and name not in guessed:
            yield problem_at(places[0], "SRC-CSV", "column-missing", name=name)


def _width_problem(
    cells: list[str], places: Sequence[SourceLocation], header: list[str]
) -> Problem | None:
    """Return what is wrong with a row of too few or too many cells; blank ones may be too many."""
    count, count2 = len(cells), len(header)
    where, key, missing = places[0], "row-columns-header", ", ".join(header[count : count + 5])
    if count < count2:
        where = SourceLocation(where.file, where.line)
        return problem_at(where, "SRC-CSV", key, count=count, count2=count2, missing=missing)
    at = next((index for index in range(count2, count) if cells[index]), None)
    if at is None:
        return None
    where = places[min(at, len(places) - 1)]
    key = "cell-no-heading" if where.cell else "row-columns-header-2"
    return problem_at(where, "SRC-CSV", key, count=count, count2=count2)
