"""Spreadsheets (.xlsx, .ods) as the records of a table, with the sheet and cell of each value.

A file may come from a stranger. It is unpacked here within limits and packed anew, so that the
library never sees more than that; the XML of its first sheet is looked through for what would be
read otherwise than it is seen: formulas without a value, merged cells, cells far off.
"""

from __future__ import annotations

import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from lxml import etree

from exporter.problems import Problem, Where
from exporter.source import checks
from exporter.source.files import UNPRINTABLE, Unreadable, control
from exporter.source.tables import MAX_COLUMNS, MAX_ROWS, Record

MAX_UNPACKED = 64 * 1024 * 1024
MAX_PARTS = 1000

_SHEETS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_FORM = "Save it anew from the spreadsheet, or as CSV."

Places = set[tuple[int, int]]


class _Sheet(NamedTuple):
    """What stands in the XML of a sheet: its extent, and cells that are not what they seem."""

    name: str
    columns: int
    rows: int
    unknown: Places
    wrong: Places
    merged: Places


class _NoSpreadsheet(Exception):
    """The file is not of the form that its name says."""


def column_letters(column: int) -> str:
    """``A`` for 1, ``AA`` for 27."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return letters


def spreadsheet_records(data: bytes, file: str) -> tuple[list[Record], list[Problem]]:
    """The rows of the first sheet that are not blank, and what is wrong with single cells.

    Raises ``Unreadable`` where the file is no sound spreadsheet, or the library is missing.
    """
    try:
        import python_calamine as calamine
    except ImportError:
        message = "Spreadsheets are read by a library that is not installed."
        hint = "Run pip install 'udonarium-exporter[spreadsheets]', or save it as CSV."
        raise Unreadable(Problem(Where(file), checks.FILE, message, hint)) from None
    try:
        parts = _unpacked(data)
        sheet = _ods_sheet(parts) if file.lower().endswith(".ods") else _xlsx_sheet(parts)
    except _NoSpreadsheet as error:
        raise _refused(file, str(error)) from None
    if sheet.rows > MAX_ROWS or sheet.columns > MAX_COLUMNS:
        message = f"{sheet.name} reaches to {column_letters(sheet.columns)}{sheet.rows}; "
        message += f"at most {MAX_ROWS} rows and {MAX_COLUMNS} columns are read."
        raise Unreadable(Problem(Where(file), checks.CSV, message, "Delete what lies far off."))
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(_packed(parts)))
        rows = book.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
    except BaseException as error:  # the library's panics are no Exceptions
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        raise _refused(file, "it is damaged") from None
    return _records(rows, sheet, file)


def _refused(file: str, reason: str) -> Unreadable:
    message = f"This is no spreadsheet that can be read: {reason}."
    return Unreadable(Problem(Where(file), checks.FILE, message, _FORM))


def _records(rows: list[list[Any]], sheet: _Sheet, file: str) -> tuple[list[Record], list[Problem]]:
    records: list[Record] = []
    problems: list[Problem] = []
    for number, row in enumerate(rows, 1):
        cells: list[str] = []
        places = []
        for column, value in enumerate(row, 1):
            where = Where(file, number, column, f"{sheet.name}!{column_letters(column)}{number}")
            found = _seeming(sheet, column, number, value)
            if found:
                problems.append(Problem(where, checks.CELL, *found))
            cells.append("" if found else _text(value))
            places.append(where)
        if any(cells):
            records.append((cells, places))
    return records, problems


def _seeming(sheet: _Sheet, column: int, row: int, value: Any) -> tuple[str, str] | None:
    """Why a cell is not what it seems, and what to do."""
    at = (column, row)
    if at in sheet.merged:
        message = "Cells are merged here: only the first of them would have a value."
        return message, "Split them, and fill in each."
    if at in sheet.unknown:
        message = "This formula has no value yet."
        return message, "Open the file in a spreadsheet and save it, or write the value."
    if at in sheet.wrong:
        return "This formula ends in an error.", "Mend it, or write the value."
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        message = f"The spreadsheet made a date or a time of this: {value}."
        return message, "Format the cell as text, and write it again."
    if isinstance(value, str) and (wrong := UNPRINTABLE.search(value)):
        return f"There is {control(wrong[0])} in this text, which nothing can show.", "Delete it."
    return None


def _text(value: Any) -> str:
    """A cell's value as a table of text would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value).strip()


def _unpacked(data: bytes) -> dict[str, bytes]:
    """The parts of the file. Raises ``_NoSpreadsheet`` past the limits."""
    parts: dict[str, bytes] = {}
    left = MAX_UNPACKED
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
            if len(names) > MAX_PARTS:
                raise _NoSpreadsheet("it has too many parts")
            for name in [*names, *({"mimetype"} & set(archive.namelist()))]:
                with archive.open(name) as part:
                    parts[name] = part.read(left + 1)
                left -= len(parts[name])
                if left < 0:
                    raise _NoSpreadsheet(f"it unpacks to more than {MAX_UNPACKED >> 20} MiB")
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        raise _NoSpreadsheet("it is damaged, locked by a password, or of another type") from None
    except NotImplementedError:
        raise _NoSpreadsheet("it is packed in an unusual way") from None
    return parts


def _packed(parts: dict[str, bytes]) -> bytes:
    """The parts as a file again, in which every size is what it says."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, part in parts.items():
            archive.writestr(zipfile.ZipInfo(name), part)
    return stream.getvalue()


def _elements(parts: dict[str, bytes], name: str, *tags: str) -> Iterator[etree._Element]:
    """The elements of a part with one of these tags, each when it is complete."""
    if name not in parts:
        raise _NoSpreadsheet(f"its part {name} is missing")
    stream = io.BytesIO(parts[name])
    try:
        for _, element in etree.iterparse(
            stream, tag=tags, resolve_entities=False, no_network=True, load_dtd=False
        ):
            yield element
    except etree.XMLSyntaxError:
        raise _NoSpreadsheet(f"its part {name} is no XML") from None


def _xlsx_sheet(parts: dict[str, bytes]) -> _Sheet:
    book = "xl/workbook.xml"
    first = next(_elements(parts, book, f"{_SHEETS}sheet"), None)
    if first is None:
        raise _NoSpreadsheet("it has no sheets")
    link = str(first.get(_RELATION) or "")
    for relation in _elements(parts, "xl/_rels/workbook.xml.rels", "{*}Relationship"):
        if relation.get("Id") == link:
            target = str(relation.get("Target") or "")
            path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
            return _xlsx_cells(parts, path, str(first.get("name") or ""))
    raise _NoSpreadsheet("its first sheet is missing")


def _corner(reference: str) -> tuple[int, int]:
    """Column and row, counted from 1, of ``C12``."""
    found = _REFERENCE.fullmatch(reference)
    if not found:
        raise _NoSpreadsheet(f"it has a cell {reference[:20]!r}")
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return column, int(found[2])


def _xlsx_cells(parts: dict[str, bytes], path: str, name: str) -> _Sheet:
    unknown, wrong, merged = Places(), Places(), Places()
    columns = rows = column = row = 0
    for element in _elements(parts, path, f"{_SHEETS}c", f"{_SHEETS}row", f"{_SHEETS}mergeCell"):
        match etree.QName(element).localname:
            case "c":
                reference = element.get("r")
                column, row = _corner(str(reference)) if reference else (column + 1, row or 1)
                kinds = {etree.QName(inner).localname: inner for inner in element}
                if kinds:
                    columns, rows = max(columns, column), max(rows, row)
                if element.get("t") == "e":
                    wrong.add((column, row))
                elif "f" in kinds and not _has_value(element, kinds.get("v")):
                    unknown.add((column, row))
            case "row":
                column, row = 0, row + 1
                element.clear()
            case "mergeCell":
                merged.add(_corner(str(element.get("ref") or "").partition(":")[0]))
    return _Sheet(name, columns, rows, unknown, wrong, merged)


def _has_value(cell: etree._Element, value: etree._Element | None) -> bool:
    """Whether a formula has one; as a text it may be empty."""
    return value is not None and (bool(value.text) or cell.get("t") == "str")


def _ods_sheet(parts: dict[str, bytes]) -> _Sheet:
    unknown, wrong, merged = Places(), Places(), Places()
    columns = rows = row = 0
    tags = (f"{_TABLE}table-row", f"{_TABLE}table")
    for element in _elements(parts, "content.xml", *tags):
        if element.tag == f"{_TABLE}table":
            name = str(element.get(f"{_TABLE}name") or "")
            return _Sheet(name, columns, rows, unknown, wrong, merged)
        column, filled = 0, False
        for cell in element:
            if not isinstance(cell.tag, str):
                continue
            spans = (cell.get(f"{_TABLE}number-{side}-spanned") or "1" for side in _SIDES)
            if any(span != "1" for span in spans):
                merged.add((column + 1, row + 1))
            column += _times(cell.get(f"{_TABLE}number-columns-repeated"))
            if cell.get(f"{_OFFICE}value-type"):
                columns, filled = max(columns, column), True
            elif cell.get(f"{_TABLE}formula"):
                unknown.add((column, row + 1))
                columns, filled = max(columns, column), True
        row += _times(element.get(f"{_TABLE}number-rows-repeated"))
        rows = row if filled else rows
        element.clear()
    raise _NoSpreadsheet("it has no sheets")


_SIDES = ("columns", "rows")


def _times(value: str | None) -> int:
    text = str(value or "1")
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise _NoSpreadsheet(f"a cell is repeated {text[:20]!r} times")
    return int(text)
