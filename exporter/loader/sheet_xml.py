"""The XML of a sheet of an .xlsx or an .ods: its extent, cells that are not what they seem, how
numbers are shown, and how much text there is in all."""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml import etree
from msgspec import Struct, field

from exporter.core.reading_limits import ReadingLimits
from exporter.loader.number_formats import (
    BUILT_IN,
    MOST_SIGNS,
    Seen,
    of_format,
    of_text,
)
from exporter.loader.spreadsheet_parts import (
    NoSpreadsheet,
    Parts,
)
from exporter.loader.tables import (
    MAX_COLUMNS,
    MAX_ROWS,
    column_letters,
)

_SHEETS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_CELL, _ROW, _ROWS = f"{_SHEETS}c", f"{_SHEETS}row", f"{_SHEETS}sheetData"
_VALUE, _FORMULA, _SHARED = f"{_SHEETS}v", f"{_SHEETS}f", f"{_SHEETS}si"
_MERGED, _COLUMN = f"{_SHEETS}mergeCell", f"{_SHEETS}col"
_TRUE = ("1", "true")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

Places = set[tuple[int, int]]


class Sheet(Struct):
    """What stands in the XML of a sheet: its extent, and cells that are not what they seem."""

    name: str
    columns: int = 0
    rows: int = 0
    unknown: Places = field(default_factory=set)
    wrong: Places = field(default_factory=set)
    merged: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)
    """The first cell of each merged area → its last one."""
    shown: dict[tuple[int, int], str] = field(default_factory=dict)
    """How a cell is shown, where it says so: its format, or in an .ods the text of a number."""
    seen: Callable[[float, str], Seen | None] = of_format
    hidden: list[str] = field(default_factory=list)
    """Rows and columns that are not shown and hold cells, as ``3:3`` and ``F:F``."""


class NoSheet(Exception):
    """The file has no sheet of that name, but these."""


def xlsx_sheet(parts: Parts, wanted: str) -> Sheet:
    sheets = xlsx_sheets(parts)
    if not sheets:
        raise NoSpreadsheet("no-sheets")
    if wanted and wanted not in dict(sheets):
        raise NoSheet(*dict(sheets))
    name = wanted or sheets[0][0]
    path = dict(sheets)[name]
    if not path:
        raise NoSpreadsheet("sheet-missing" if wanted else "first-sheet-missing", name=name)
    return _xlsx_cells(parts, path, name)


def xlsx_sheets(parts: Parts) -> list[tuple[str, str]]:
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


def _xlsx_cells(parts: Parts, path: str, name: str) -> Sheet:
    sheet = Sheet(name)
    shared, formats = _shared_texts(parts), _formats(parts)
    row, hidden = 0, list[range]()
    for element in parts.elements(path, _ROW, _ROWS, _MERGED, _COLUMN):
        if element.tag == _COLUMN:
            hidden.append(_hidden_columns(element))
            continue
        if element.tag == _MERGED:
            first, _, last = str(element.get("ref") or "").partition(":")
            sheet.merged[_corner(first)] = _corner(last or first)
            continue
        if element.tag == _ROW:
            row = _number(element, "r") or row + 1
            if element.get("hidden") in _TRUE and any(len(cell) for cell in element):
                sheet.hidden.append(f"{row}:{row}")
        for column, cell in enumerate(element.iter(_CELL), 1):  # among the rows only strays
            parts.budget.take("cells")
            at = _look_at(cell, (column, row), sheet, shared, parts.budget)
            if code := _format_of(cell, formats.get(str(cell.get("s")), "")):
                sheet.shown[at] = code
        element.clear()
    for columns in hidden:
        letters = (column_letters(column) for column in columns if column <= sheet.columns)
        sheet.hidden += [f"{each}:{each}" for each in letters]
    return sheet


def _hidden_columns(element: etree._Element) -> range:
    """Which of the columns that have something in common are not shown."""
    if element.get("hidden") not in _TRUE:
        return range(0)
    return range(_number(element, "min"), min(_number(element, "max"), MAX_COLUMNS) + 1)


def _format_of(cell: etree._Element, code: str) -> str:
    """The format by which a cell is shown, if it says something of what the cell holds."""
    is_number = cell.get("t", "n") == "n"
    return code if is_number or "@" in code or code.count(";") > 2 else ""


def _look_at(
    cell: etree._Element,
    at: tuple[int, int],
    sheet: Sheet,
    shared: list[int],
    budget: ReadingLimits,
) -> tuple[int, int]:
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
    return at


def _formats(parts: Parts) -> dict[str, str]:
    """The format of numbers by the style that cells name, where it is more than the number."""
    name = "xl/styles.xml"
    codes = {str(number): code for number, code in BUILT_IN.items()}
    styles: list[str] = []
    tags = (f"{_SHEETS}numFmt", f"{_SHEETS}cellXfs")
    for element in parts.elements(name, *tags) if parts.has(name) else ():
        if element.tag == tags[0]:
            codes[str(element.get("numFmtId"))] = str(element.get("formatCode") or "")
        else:
            styles += [str(style.get("numFmtId")) for style in element]
    found = {str(index): codes.get(number, "") for index, number in enumerate(styles)}
    plain = ("", "General", "@")
    return {i: code for i, code in found.items() if code not in plain and len(code) <= MOST_SIGNS}


def _number(element: etree._Element, key: str) -> int:
    """The number that a row or a column says it has; 0 where it says none."""
    number = str(element.get(key) or "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0


def _shared_texts(parts: Parts) -> list[int]:
    """How long each of the texts is that cells share."""
    name, lengths = "xl/sharedStrings.xml", list[int]()
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


def ods_sheet(parts: Parts, wanted: str) -> Sheet:
    sheet = Sheet("", seen=of_text)
    row = 0
    others = []
    tags = (f"{TABLE}table-row", f"{TABLE}table", f"{TABLE}table-column")
    column, hidden = 0, list[int]()
    for element in parts.elements("content.xml", *tags):
        if element.tag == tags[2]:
            times = min(_times(element.get(f"{TABLE}number-columns-repeated")), MAX_COLUMNS)
            if element.get(f"{TABLE}visibility") in _UNSHOWN:
                hidden += range(column + 1, column + times + 1)
            column += times
            continue
        if element.tag == f"{TABLE}table":
            sheet.name = str(element.get(f"{TABLE}name") or "")
            if not wanted or sheet.name == wanted:
                at = [column_letters(number) for number in hidden if number <= sheet.columns]
                sheet.hidden += [f"{letters}:{letters}" for letters in at]
                return sheet
            others.append(sheet.name)
            sheet, row, column, hidden = Sheet("", seen=of_text), 0, 0, []
            continue
        repeated = _times(element.get(f"{TABLE}number-rows-repeated"))
        filled = _ods_row(parts, sheet, element, row + 1, min(repeated, MAX_ROWS))
        if filled and element.get(f"{TABLE}visibility") in _UNSHOWN:
            sheet.hidden.append(f"{row + 1}:{row + repeated}")
        row += repeated
        sheet.rows = row if filled else sheet.rows
        element.clear()
    if others:
        raise NoSheet(*others)
    raise NoSpreadsheet("no-sheets")


def _ods_row(parts: Parts, sheet: Sheet, element: etree._Element, row: int, repeated: int) -> bool:
    """Whether a row holds anything; what is odd about its cells is noted."""
    column, filled = 0, False
    for cell in element:
        if not isinstance(cell.tag, str):
            continue
        wide, high = (_times(cell.get(f"{TABLE}number-{side}-spanned")) for side in _SIDES)
        if (wide, high) != (1, 1):
            sheet.merged[column + 1, row] = column + wide, row + high - 1
        times = _times(cell.get(f"{TABLE}number-columns-repeated"))
        column += times
        if len(cell):
            shown = min(times, MAX_COLUMNS) * repeated
            parts.budget.take("characters", shown * _length_with_spaces(cell))
        has_value = bool(cell.get(f"{_OFFICE}value-type"))
        if has_value or cell.get(f"{TABLE}formula"):
            sheet.columns, filled = max(sheet.columns, column), True
            if not has_value:
                sheet.unknown.add((column, row))
            elif cell.get(f"{_CALC}value-type") == "error" or _is_error(cell):
                sheet.wrong.add((column, row))
            elif cell.get(f"{_OFFICE}value-type") in _NUMBERS:
                _note_shown(parts, sheet, cell, (column, row), (times, repeated))
    return filled


_SIDES = ("columns", "rows")
_UNSHOWN = ("collapse", "filter")
_NUMBERS = ("float", "percentage", "currency")


def _is_error(cell: etree._Element) -> bool:
    """Whether a formula shows something and has nothing, as one that ends in an error."""
    if not cell.get(f"{TABLE}formula") or cell.get(f"{_OFFICE}string-value") != "":
        return False
    return bool(_lines(cell))


def _lines(cell: etree._Element) -> str:
    """The text of a cell, without that of a comment on it."""
    return "".join(str(text) for line in cell.iterchildren(f"{_TEXT}p") for text in line.itertext())


def _note_shown(
    parts: Parts, sheet: Sheet, cell: etree._Element, last: tuple[int, int], times: tuple[int, int]
) -> None:
    """How a number is shown, in each of the cells that repeat it; ``last`` is of the first row."""
    shown = _lines(cell)
    if cell.find(f"{_TEXT}p") is None or shown == cell.get(f"{_OFFICE}value"):
        return
    wide = min(times[0], MAX_COLUMNS)
    parts.budget.take("cells", wide * times[1])
    for column in range(last[0] - wide + 1, last[0] + 1):
        for row in range(last[1], last[1] + times[1]):
            sheet.shown[column, row] = shown


def _length_with_spaces(cell: etree._Element) -> int:
    """The length of its text, in which one element may stand for many spaces."""
    return _length(cell) + sum(_times(space.get(f"{_TEXT}c")) for space in cell.iter(f"{_TEXT}s"))


def _times(value: str | None) -> int:
    text = str(value or "1")
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise NoSpreadsheet("repeated-cell", found=text[:20])
    return int(text)
