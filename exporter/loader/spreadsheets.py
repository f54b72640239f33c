"""Spreadsheets (.xlsx, .ods) as the records of a table, with the sheet and cell of each value.

A file may come from a stranger. It is unpacked here within a budget and packed anew, so that the
library never sees more than that; the XML of its first sheet is looked through for what would be
read otherwise than it is seen, numbers under a format, formulas without a value, merged cells,
cells far off, and for how much text its cells show in all.
"""

from __future__ import annotations

import datetime
import functools
import io
from bisect import bisect_right
from collections.abc import Callable
from itertools import zip_longest
from typing import Any, TypeAlias

from exporter.core.messages import Sentence, sentence
from exporter.core.problems import Problem, Severity, SourceLocation, listed, problem_at
from exporter.core.reading_limits import ReadingLimits
from exporter.core.source_files import UNPRINTABLE, Unreadable, control
from exporter.loader.number_formats import Seen, of_format, of_text, of_words
from exporter.loader.sheet_xml import At, Parts, Sheet, names_of_sheets, read_sheet
from exporter.loader.tables import (
    MAX_COLUMNS,
    MAX_ROWS,
    Flaw,
    Record,
    clean_cell,
    column_letters,
    invisible_notice,
)

NumberOf: TypeAlias = Callable[[float, str], Seen | None]

_EXACT = 1e15
"""From here on a spreadsheet has not kept all digits of a number."""


def sheet_names(data: bytes, file: str) -> tuple[str, ...]:
    """Return the names of all sheets that hold cells, in their order. Raises as below."""
    return names_of_sheets(Parts(data, file))


def spreadsheet_records(
    data: bytes, file: str, budget: ReadingLimits, sheet_name: str = ""
) -> tuple[list[Record], list[Flaw]]:
    """Return the rows of a sheet that are not blank, and what is wrong with single cells.

    Without a name it is the first sheet. Its cells are taken from ``budget``. Raises
    ``Unreadable`` where the file is no sound spreadsheet, or the library is missing, and
    ``LimitExceeded`` where it has too much.
    """
    where = SourceLocation(file)
    try:
        import python_calamine  # noqa: F401
    except ImportError:
        raise Unreadable(problem_at(where, "SRC-FILE", "spreadsheets-read-library")) from None
    parts = Parts(data, file)
    sheet = read_sheet(parts, sheet_name)
    if sheet.rows > MAX_ROWS or sheet.columns > MAX_COLUMNS:
        raise Unreadable(
            problem_at(
                where,
                "SRC-CSV",
                "reaches-most-rows",
                sheet=sheet.name,
                column_letters=column_letters(sheet.columns),
                rows=sheet.rows,
                max_rows=MAX_ROWS,
                max_columns=MAX_COLUMNS,
            )
        )
    budget.take("cells", sheet.rows * sheet.columns)
    try:
        book = _workbook(parts.packed())
        rows = book.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
    except BaseException as error:  # the library's panics are no Exceptions
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        raise parts.unreadable("damaged") from None
    return _records(rows, sheet, file, of_text if parts.is_ods else of_format)


@functools.lru_cache(maxsize=1)
def _workbook(packed: bytes) -> Any:
    """Return a file as the library has it; the last one is kept, for its other sheets."""
    import python_calamine as calamine

    return calamine.CalamineWorkbook.from_filelike(io.BytesIO(packed))


def _records(
    rows: list[list[Any]], sheet: Sheet, file: str, number_of: NumberOf
) -> tuple[list[Record], list[Flaw]]:
    """Return the records and flaws of a sheet; ``number_of`` reads a number by how it is shown."""
    records: list[Record] = []
    flaws: list[Flaw] = []
    names = [f"{sheet.name}!{column_letters(column)}" for column in range(1, sheet.columns + 1)]
    _forget_wide(sheet, rows)
    noticed: set[tuple[int, str]] = set()
    rows += [[] for _ in range(sheet.rows - len(rows))]
    for number, row in enumerate(rows, 1):
        cells: list[str] = []
        places = []
        # A formula without a value counts for nothing with the library.
        for column, (name, value) in enumerate(zip_longest(names, row[: len(names)]), 1):
            where = SourceLocation(file, number, column, f"{name}{number}")
            at, text = (column, number), ""
            if wrong := _unreadable_cell(sheet, at, value):
                flaws.append(Flaw(Problem(where, "SRC-CELL", wrong), _day(value)))
            else:
                seen = _seen(sheet, at, value, number_of)
                text, invisible = clean_cell(seen.text)
                notice = _notice(where, seen, invisible)
                if notice and (column, notice.sentence.key) not in noticed:  # once for a column
                    noticed.add((column, notice.sentence.key))
                    flaws.append(Flaw(notice))
            cells.append(text)
            places.append(where)
        if any(cells):
            records.append((cells, places))
    if sheet.hidden and records:
        at_hidden = SourceLocation(file, sheet.rows + 1, 0, f"{sheet.name}!{sheet.hidden[0]}")
        words = sentence("SRC-CELL", "hidden", names=listed(sheet.hidden))
        flaws.append(Flaw(Problem(at_hidden, "SRC-CELL", words, Severity.NOTICE)))
    return records, flaws


def _notice(where: SourceLocation, seen: Seen, invisible: str) -> Problem | None:
    """Return what is good to know of a cell that is read."""
    if seen.whole:
        words = sentence("SRC-CELL", "shown-otherwise", whole=seen.whole, read=seen.text)
        return Problem(where, "SRC-CELL", words, Severity.NOTICE)
    return invisible_notice(where, invisible) if invisible else None


def _forget_wide(sheet: Sheet, rows: list[list[Any]]) -> None:
    """Forget merged cells that are but wide: one row high, over columns that hold nothing."""
    holding = (at for row in rows for at, value in enumerate(row, 1) if value not in ("", None))
    filled = sorted({*holding}) if sheet.merged else []
    for (column, top), (right, bottom) in [*sheet.merged.items()]:
        following = bisect_right(filled, column)
        if top == bottom and (following == len(filled) or filled[following] > right):
            del sheet.merged[column, top]


def _day(value: Any) -> str:
    """Return month and day of a date, which may have been a range such as 1-3."""
    is_day = isinstance(value, datetime.date) and (
        not isinstance(value, datetime.datetime) or value.time() == datetime.time()
    )
    return f"{value.month}-{value.day}" if is_day else ""


def _unreadable_cell(sheet: Sheet, at: At, value: Any) -> Sentence | None:
    """Return why a cell is not what it seems."""
    if key := "merged" if at in sheet.merged else sheet.wrong.get(at):
        return sentence("SRC-CELL", key)
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return sentence("SRC-CELL", "made-a-date", found=value)
    if isinstance(value, float) and abs(value) >= _EXACT:
        return sentence("SRC-CELL", "digits-lost", found=f"{value:.15g}")
    if isinstance(value, str) and (wrong := UNPRINTABLE.search(value)):
        return sentence("SRC-CELL", "control", control=control(wrong[0]))
    return None


def _seen(sheet: Sheet, at: At, value: Any, number_of: NumberOf) -> Seen:
    """Return a cell's value as it is read."""
    shown = sheet.shown.get(at)
    found: Seen | None = None
    if shown is not None and isinstance(value, float):
        found = number_of(value, shown)
    elif shown is not None and isinstance(value, str) and value:
        found = of_words(value, shown)
    return found or Seen(_text(value))


def _text(value: Any) -> str:
    """Return a cell's value as a table of text would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.15g}"  # as far as the spreadsheet shows it: 0.3, not 0.30000000000000004
    return "" if value is None else str(value)
