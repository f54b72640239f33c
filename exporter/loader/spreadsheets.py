"""Spreadsheets (.xlsx, .ods) as the records of a table, with the sheet and cell of each value.

A file may come from a stranger. It is unpacked here within a budget and packed anew, so that the
library never sees more than that; the XML of a sheet is looked through for what would be read
otherwise than it is seen: numbers under a format, formulas without a value, merged cells, cells far
off, and for how much text its cells show in all.
"""

from __future__ import annotations

import datetime
import functools
import io
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import zip_longest
from typing import Any

from exporter.core.messages import Sentence, sentence
from exporter.core.problems import Problem, Severity, SourceLocation, error_at, problem_at
from exporter.core.reading_limits import ReadingLimits
from exporter.core.source_files import UNPRINTABLE, character_name
from exporter.loader.sheet_xml import (
    At,
    Parts,
    Sheet,
    read_sheet,
)
from exporter.loader.tables import MAX_COLUMNS, MAX_ROWS, Flaw, Record, clean_cell, column_letters

# From here on a spreadsheet has not kept all digits of a number.
_EXACT = 1e15

# Of a format: room for a sign, a sign that fills the cell, a colour, a country.
_SILENT = re.compile(r"_.|\*.|\[(?!DBNum)(?:[A-Za-z]+\d*|\$-[^\]]*)\]", re.DOTALL)

_WORD = re.compile(r'"[^"]*"|\\.|\[\$[^-\]][^\]]*\]', re.DOTALL)
_SIGN = re.compile(r'"([-+() ]*)"|\\([-+() ])')
_DAILY = re.compile(
    r"(?P<before>[^0#?.,%/E@\[]*)(?P<whole>[0#?,]*[0#?])(?P<point>\.(?P<places>[0#?]{1,15}))?"
    r"(?P<percent>%?)(?P<after>[^0#?.,%/E@\[]*)"
)


def spreadsheet_records(
    data: bytes, file: str, budget: ReadingLimits, sheet_name: str = ""
) -> tuple[list[Record], list[Flaw]]:
    """Return the rows of a sheet that are not blank, and what is wrong with single cells.

    Without a name it is the first sheet that is seen. Its cells are taken from ``budget``. Raises
    ``InvalidSource`` where the file is no sound spreadsheet, and ``LimitExceeded`` where it has too
    much.
    """
    where = SourceLocation(file)
    parts = Parts(data, file)
    sheet = read_sheet(parts, sheet_name)
    if sheet.rows > MAX_ROWS or sheet.columns > MAX_COLUMNS:
        words: dict[str, Any] = {"sheet": sheet.name, "rows": sheet.rows, "max_rows": MAX_ROWS}
        words |= {"column_letters": column_letters(sheet.columns), "max_columns": MAX_COLUMNS}
        raise error_at(where, "SRC-CSV", "reaches-most-rows", **words)
    budget.take("cells", sheet.rows * sheet.columns)
    try:
        book = _workbook(parts.packed())
        rows = book.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
    except BaseException as error:  # the library's panics are no Exceptions
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        raise parts.unreadable("damaged") from None
    rows += [[] for _ in range(sheet.rows - len(rows))]
    merged = _fill_merged(parts, sheet, rows)
    records, flaws = _records(rows, sheet, file, parts.is_ods)
    at = (SourceLocation(file, r, c, f"{sheet.name}!{column_letters(c)}{r}") for c, r in merged)
    notices = (problem_at(each, "SRC-CELL", "merged", severity=Severity.NOTICE) for each in at)
    return records, [*flaws, *map(Flaw, notices)]


def _fill_merged(parts: Parts, sheet: Sheet, rows: list[list[Any]]) -> list[At]:
    """Give each row that merged cells cover their value; the first such cell of each column."""
    first: dict[int, At] = {}
    for at, (_, bottom) in sheet.merged.items():
        column, top = at
        last = min(bottom, sheet.rows)
        value = rows[top - 1][column - 1 : column] if 0 < top < last else []
        if value and value[0] != "":
            first.setdefault(column, at)
            parts.budget.take("cells", last - top)
            for row in range(top + 1, last + 1):
                rows[row - 1] += [""] * (column - len(rows[row - 1]))
                rows[row - 1][column - 1] = value[0]
                for marks in (sheet.shown, sheet.wrong):
                    marks |= {(column, row): marks[at]} if at in marks else {}
    return list(first.values())


@functools.lru_cache(maxsize=1)
def _workbook(packed: bytes) -> Any:
    """Return a file as the library has it; the last one is kept, for its other sheets."""
    import python_calamine as calamine

    return calamine.CalamineWorkbook.from_filelike(io.BytesIO(packed))


def _records(
    rows: list[list[Any]], sheet: Sheet, file: str, is_ods: bool
) -> tuple[list[Record], list[Flaw]]:
    """Return the records and flaws of a sheet."""
    records: list[Record] = []
    flaws: list[Flaw] = []
    names = [f"{sheet.name}!{column_letters(column)}" for column in range(1, sheet.columns + 1)]
    noticed: set[int] = set()
    for number, row in enumerate(rows, 1):
        cells: list[str] = []
        places = []
        # A formula without a value counts for nothing with the library.
        for column, (name, value) in enumerate(zip_longest(names, row[: len(names)]), 1):
            where, at = SourceLocation(file, number, column, f"{name}{number}"), (column, number)
            text, whole = "", ""
            if wrong := _unreadable_cell(sheet, at, value):
                flaws.append(Flaw(Problem(where, "SRC-CELL", wrong), _day(value)))
            elif isinstance(value, float) and at in sheet.shown:
                read = shown_in_ods if is_ods else shown_by_format
                text, whole = read(value, sheet.shown[at])
            else:
                text = clean_cell(_text(value))
            if whole and column not in noticed:
                noticed.add(column)
                key = "shown-otherwise-ods" if is_ods else "shown-otherwise"
                words = {"whole": whole.replace("\\", ""), "read": text}
                flaws.append(Flaw(problem_at(where, "SRC-CELL", key, Severity.NOTICE, **words)))
            cells.append(text)
            places.append(where)
        if any(cells):
            records.append((cells, places))
    return records, flaws


def _day(value: Any) -> str:
    """Return month and day of a date, which may have been a range such as 1-3."""
    is_day = isinstance(value, datetime.date) and (
        not isinstance(value, datetime.datetime) or value.time() == datetime.time()
    )
    return f"{value.month}-{value.day}" if is_day else ""


def _unreadable_cell(sheet: Sheet, at: At, value: Any) -> Sentence | None:
    """Return why a cell is not what it seems."""
    if key := sheet.wrong.get(at):
        return sentence("SRC-CELL", key)
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return sentence("SRC-CELL", "made-a-date", found=value)
    if isinstance(value, float) and abs(value) >= _EXACT:
        return sentence("SRC-CELL", "digits-lost", found=f"{value:.15g}")
    if isinstance(value, str) and (wrong := UNPRINTABLE.search(value)):
        return sentence("SRC-CELL", "control", control=character_name(wrong[0]))
    return None


def _text(value: Any) -> str:
    """Return a cell's value as a table of text would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.15g}"  # as far as the spreadsheet shows it: 0.3, not 0.30000000000000004
    return "" if value is None else str(value)


def shown_by_format(value: float, code: str) -> tuple[str, str]:
    """Return a number as a format of an .xlsx shows it, and the format where it says more.

    Read as shown is what people see daily: percent, zeros and a sign before, rounded places. Of
    any other format it is the number; so it is with words and currency beside one.
    """
    plain = f"{value:.15g}"
    signs = _SIGN.sub(lambda found: found[1] or found[2] or "", code)
    sections = _SILENT.sub("", _WORD.sub("w", signs)).split(";")  # above, below and at zero
    index = 0 if value > 0 else 1 if value < 0 else 2
    section = sections[index if index < len(sections) else 0].strip()
    if section in ("General", "@", "-") or "E+" in section:  # a dash is the zero of accounts
        return plain, ""
    found = _DAILY.fullmatch(section.replace("General", "0.###############"))
    if found is None:
        return plain, code
    number = abs(Decimal(plain)) * (100 if found["percent"] else 1)
    places = found["places"] or ""
    shown = f"{number.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP, Context(60)):f}"
    whole, _, rest = shown.partition(".")
    rest = rest.rstrip("0").ljust(places.count("0"), "0")
    sign = "-" if value < 0 else "+" if "+" in found["before"] else ""
    whole = whole.zfill(found["whole"].count("0"))
    read = f"{sign}{whole}{'.' if rest else ''}{rest}"
    is_plain = sign != "+" and str(int(whole)) == whole and abs(float(read) - value) < 1e-9
    hides_minus = value < 0 and index == 1 < len(sections) and not {"-", "("} & {*found["before"]}
    says_more = hides_minus or (found["before"] + found["after"]).strip(" +-()")
    read = f"{read}%" if found["percent"] else plain if is_plain else read
    return read, code if says_more else ""


def shown_in_ods(value: float, shown: str) -> tuple[str, str]:
    """Return a number as an .ods says that it is shown, and that where it says more."""
    seen = shown.replace("\xa0", " ").replace("\u202f", " ").strip()
    plain = seen.replace(",", ".")
    if percent := re.fullmatch(r"([+-]?[\d.]*\d) ?%", plain):
        return f"{percent[1]}%", ""
    digits = re.sub("[.,]", "", seen)
    is_rounded = re.fullmatch(r"[+-]?\d+\.\d+", plain) and float(digits) != value
    if is_rounded or re.fullmatch(r"\+\d+|-?0\d+", plain):
        return plain, ""
    is_number = re.fullmatch(r"[+-]?[\d., ]*\d(E\+?\d+)?", seen)
    return f"{value:.15g}", "" if is_number else seen or '""'
