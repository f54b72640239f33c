"""Spreadsheets (.xlsx, .ods) as the records of a table, with the sheet and cell of each value.

A file may come from a stranger. It is unpacked here within a budget and packed anew, so that the
library never sees more than that; the XML of its first sheet is looked through for what would be
read otherwise than it is seen, formulas without a value, merged cells, cells far off, and for how
much text its cells show in all.
"""

from __future__ import annotations

import datetime
import functools
import io
import re
from bisect import bisect_right
from itertools import chain, repeat, zip_longest
from typing import Any

from lxml import etree
from msgspec import Struct, field

from exporter.problems import Problem, Where, nearest, told
from exporter.reading_budget import ReadingBudget
from exporter.source.files import UNPRINTABLE, Unreadable, control
from exporter.source.spreadsheet_parts import NoSpreadsheet, Parts
from exporter.source.tables import BLANKS, MAX_COLUMNS, MAX_ROWS, Record, column_letters
from exporter.words import Sentence, sentence

_SHEETS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_CELL, _ROW, _ROWS = f"{_SHEETS}c", f"{_SHEETS}row", f"{_SHEETS}sheetData"
_VALUE, _FORMULA, _SHARED = f"{_SHEETS}v", f"{_SHEETS}f", f"{_SHEETS}si"
_MERGED = f"{_SHEETS}mergeCell"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

Places = set[tuple[int, int]]


class _Sheet(Struct):
    """What stands in the XML of a sheet: its extent, and cells that are not what they seem."""

    name: str
    columns: int = 0
    rows: int = 0
    unknown: Places = field(default_factory=set)
    wrong: Places = field(default_factory=set)
    merged: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """The first cell of each merged area → its last one."""


class Flaw(Struct, frozen=True):
    """A cell that is not what it seems; of a day that a spreadsheet made, ``month-day``."""

    problem: Problem
    day: str = ""


class _NoSheet(Exception):
    """The file has no sheet of that name, but these."""


def spreadsheet_records(
    data: bytes, file: str, budget: ReadingBudget, sheet_name: str = ""
) -> tuple[list[Record], list[Flaw]]:
    """The rows of a sheet that are not blank, and what is wrong with single cells.

    Without a name it is the first sheet. Its cells are taken from ``budget``. Raises
    ``Unreadable`` where the file is no sound spreadsheet, or the library is missing, and ``Spent``
    where it has too much.
    """
    try:
        import python_calamine  # noqa: F401
    except ImportError:
        raise Unreadable(told(Where(file), "SRC-FILE", "spreadsheets-read-library")) from None
    try:
        parts = Parts(data)
        read = _ods_sheet if file.lower().endswith(".ods") else _xlsx_sheet
        sheet = read(parts, sheet_name)
    except _NoSheet as error:
        near = nearest(sheet_name, error.args)
        problem = told(Where(file), "SRC-REF", "no-sheet", name=sheet_name, nearest=near)
        raise Unreadable(problem) from None
    except NoSpreadsheet as error:
        raise Unreadable(error.problem(file)) from None
    if sheet.rows > MAX_ROWS or sheet.columns > MAX_COLUMNS:
        raise Unreadable(
            told(
                Where(file),
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
        raise Unreadable(NoSpreadsheet("damaged").problem(file)) from None
    return _records(rows, sheet, file)


@functools.lru_cache(maxsize=1)
def _workbook(packed: bytes) -> Any:
    """A file as the library has it; the last one is kept, for its other sheets."""
    import python_calamine as calamine

    return calamine.CalamineWorkbook.from_filelike(io.BytesIO(packed))


def sheet_names(data: bytes, file: str) -> tuple[str, ...]:
    """The names of all sheets that hold cells, in their order. Raises as above."""
    try:
        parts = Parts(data)
        if file.lower().endswith(".ods"):
            tables = parts.elements("content.xml", f"{_TABLE}table")
            return tuple(str(table.get(f"{_TABLE}name") or "") for table in tables)
        return tuple(name for name, _path in _xlsx_sheets(parts))
    except NoSpreadsheet as error:
        raise Unreadable(error.problem(file)) from None


def _records(rows: list[list[Any]], sheet: _Sheet, file: str) -> tuple[list[Record], list[Flaw]]:
    records: list[Record] = []
    flaws: list[Flaw] = []
    names = [f"{sheet.name}!{column_letters(column)}" for column in range(1, sheet.columns + 1)]
    none: list[Any] = []
    _without_wide(sheet, rows)
    for number, row in enumerate(chain(rows, repeat(none, sheet.rows - len(rows))), 1):
        cells: list[str] = []
        places = []
        # A formula without a value counts for nothing with the library.
        for column, (name, value) in enumerate(zip_longest(names, row[: len(names)]), 1):
            where = Where(file, number, column, f"{name}{number}")
            found = _seeming(sheet, column, number, value)
            if found:
                flaws.append(Flaw(Problem(where, "SRC-CELL", found), _day(value)))
            cells.append("" if found else _text(value))
            places.append(where)
        if any(cells):
            records.append((cells, places))
    return records, flaws


def _without_wide(sheet: _Sheet, rows: list[list[Any]]) -> None:
    """Forgets merged cells that are but wide: one row high, over columns that hold nothing."""
    holding = (at for row in rows for at, value in enumerate(row, 1) if value not in ("", None))
    filled = sorted({*holding}) if sheet.merged else []
    for (column, top), (right, bottom) in [*sheet.merged.items()]:
        following = bisect_right(filled, column)
        if top == bottom and (following == len(filled) or filled[following] > right):
            del sheet.merged[column, top]


def _day(value: Any) -> str:
    """Month and day of a date, which may have been a range such as 1-3."""
    is_day = isinstance(value, datetime.date) and (
        not isinstance(value, datetime.datetime) or value.time() == datetime.time()
    )
    return f"{value.month}-{value.day}" if is_day else ""


def _seeming(sheet: _Sheet, column: int, row: int, value: Any) -> Sentence | None:
    """Why a cell is not what it seems."""
    at = (column, row)
    if at in sheet.merged:
        return sentence("SRC-CELL", "merged")
    if at in sheet.unknown:
        return sentence("SRC-CELL", "no-value-yet")
    if at in sheet.wrong:
        return sentence("SRC-CELL", "error-value")
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return sentence("SRC-CELL", "made-a-date", found=value)
    if isinstance(value, str) and (wrong := UNPRINTABLE.search(value)):
        return sentence("SRC-CELL", "control", control=control(wrong[0]))
    return None


def _text(value: Any) -> str:
    """A cell's value as a table of text would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.15g}"  # as far as the spreadsheet shows it: 0.3, not 0.30000000000000004
    return "" if value is None else str(value).strip(BLANKS)


def _xlsx_sheet(parts: Parts, wanted: str) -> _Sheet:
    sheets = _xlsx_sheets(parts)
    if not sheets:
        raise NoSpreadsheet("no-sheets")
    if wanted and wanted not in dict(sheets):
        raise _NoSheet(*dict(sheets))
    name = wanted or sheets[0][0]
    path = dict(sheets)[name]
    if not path:
        raise NoSpreadsheet("sheet-missing" if wanted else "first-sheet-missing", name=name)
    return _xlsx_cells(parts, path, name)


def _xlsx_sheets(parts: Parts) -> list[tuple[str, str]]:
    """The name of each sheet and its part, if there is one; charts are none."""
    every = [
        (str(sheet.get("name") or ""), str(sheet.get(_RELATION) or ""), sheet.get("state"))
        for sheet in parts.elements("xl/workbook.xml", f"{_SHEETS}sheet")
    ]
    # What is hidden comes last: nobody means it who names no sheet.
    every.sort(key=lambda sheet: sheet[2] in ("hidden", "veryHidden"))
    sheets = [(name, link) for name, link, _state in every]
    paths: dict[str, str | None] = {}
    for relation in parts.elements("xl/_rels/workbook.xml.rels", "{*}Relationship"):
        target = str(relation.get("Target") or "")
        path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
        charts = str(relation.get("Type") or "").endswith("/chartsheet")
        paths[str(relation.get("Id") or "")] = None if charts else path
    found = ((name, paths.get(link, "")) for name, link in sheets)
    return [(name, path) for name, path in found if path is not None]


def _corner(reference: str) -> tuple[int, int]:
    """Column and row, counted from 1, of ``C12``."""
    found = _REFERENCE.fullmatch(reference)
    if not found:
        raise NoSpreadsheet("odd-cell", found=reference[:20])
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return column, int(found[2])


def _xlsx_cells(parts: Parts, path: str, name: str) -> _Sheet:
    sheet = _Sheet(name)
    shared = _shared_lengths(parts)
    row = 0
    for element in parts.elements(path, _ROW, _ROWS, _MERGED):
        if element.tag == _MERGED:
            first, _, last = str(element.get("ref") or "").partition(":")
            sheet.merged[_corner(first)] = _corner(last or first)
            continue
        if element.tag == _ROW:
            row = _row_number(element) or row + 1
        for column, cell in enumerate(element.iter(_CELL), 1):  # among the rows only strays
            parts.budget.take("cells")
            _look_at(cell, (column, row), sheet, shared, parts.budget)
        element.clear()
    return sheet


def _look_at(
    cell: etree._Element,
    at: tuple[int, int],
    sheet: _Sheet,
    shared: list[int],
    budget: ReadingBudget,
) -> None:
    """Notes where a cell stands and how much it shows; ``at`` is its place if it says none."""
    if reference := cell.get("r"):
        at = _corner(str(reference))
    kind, value, formula = cell.get("t"), None, None
    for inner in cell:
        if inner.tag == _VALUE:
            value = inner
        elif inner.tag == _FORMULA:
            formula = inner
    if len(cell):
        sheet.columns, sheet.rows = max(sheet.columns, at[0]), max(sheet.rows, at[1])
        budget.take("characters", _shown(cell, kind, value, shared))
    if kind == "e":
        sheet.wrong.add(at)
    elif formula is not None and (value is None or not (value.text or kind == "str")):
        sheet.unknown.add(at)  # as a text, the value may be empty


def _row_number(row: etree._Element | None) -> int:
    """The number that a row says it has; 0 where it says none."""
    number = "" if row is None else str(row.get("r") or "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0


def _shared_lengths(parts: Parts) -> list[int]:
    """How long each of the texts is that cells share."""
    name, lengths = "xl/sharedStrings.xml", []
    for element in parts.elements(name, _SHARED) if parts.has(name) else ():
        lengths.append(_length(element))
        element.clear()
    return lengths


def _length(element: etree._Element) -> int:
    return sum(map(len, element.itertext()))


def _shown(
    cell: etree._Element, kind: str | None, value: etree._Element | None, shared: list[int]
) -> int:
    """How much text a cell shows."""
    if value is None:
        return _length(cell)
    text = value.text or ""
    is_shared = kind == "s" and text.isascii() and text.isdigit() and len(text) < 9
    return shared[int(text)] if is_shared and int(text) < len(shared) else len(text)


def _ods_sheet(parts: Parts, wanted: str) -> _Sheet:
    sheet = _Sheet("")
    row = 0
    others = []
    for element in parts.elements("content.xml", f"{_TABLE}table-row", f"{_TABLE}table"):
        if element.tag == f"{_TABLE}table":
            sheet.name = str(element.get(f"{_TABLE}name") or "")
            if not wanted or sheet.name == wanted:
                return sheet
            others.append(sheet.name)
            sheet, row = _Sheet(""), 0
            continue
        repeated = _times(element.get(f"{_TABLE}number-rows-repeated"))
        filled = _ods_row(parts, sheet, element, row + 1, min(repeated, MAX_ROWS))
        row += repeated
        sheet.rows = row if filled else sheet.rows
        element.clear()
    if others:
        raise _NoSheet(*others)
    raise NoSpreadsheet("no-sheets")


def _ods_row(parts: Parts, sheet: _Sheet, element: etree._Element, row: int, repeated: int) -> bool:
    """Whether a row holds anything; what is odd about its cells is noted."""
    column, filled = 0, False
    for cell in element:
        if not isinstance(cell.tag, str):
            continue
        wide, high = (_times(cell.get(f"{_TABLE}number-{side}-spanned")) for side in _SIDES)
        if (wide, high) != (1, 1):
            sheet.merged[column + 1, row] = column + wide, row + high - 1
        times = _times(cell.get(f"{_TABLE}number-columns-repeated"))
        column += times
        if len(cell):
            shown = min(times, MAX_COLUMNS) * repeated
            parts.budget.take("characters", shown * _length_with_spaces(cell))
        has_value = bool(cell.get(f"{_OFFICE}value-type"))
        if has_value or cell.get(f"{_TABLE}formula"):
            sheet.columns, filled = max(sheet.columns, column), True
            if not has_value:
                sheet.unknown.add((column, row))
    return filled


_SIDES = ("columns", "rows")


def _length_with_spaces(cell: etree._Element) -> int:
    """The length of its text, in which one element may stand for many spaces."""
    return _length(cell) + sum(_times(space.get(f"{_TEXT}c")) for space in cell.iter(f"{_TEXT}s"))


def _times(value: str | None) -> int:
    text = str(value or "1")
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise NoSpreadsheet("repeated-cell", found=text[:20])
    return int(text)
