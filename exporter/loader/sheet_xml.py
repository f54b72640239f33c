"""The XML of a sheet of an .xlsx or an .ods: its extent, cells that are not what they seem, how
numbers are shown, and how much text there is in all."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator

from lxml import etree
from msgspec import Struct, field

from exporter.core import unzip
from exporter.core.problems import InvalidSource, SourceLocation, error_at, nearest
from exporter.core.reading_limits import SPREADSHEET, ReadingLimits
from exporter.loader.tables import MAX_COLUMNS, MAX_ROWS

_SHEETS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_CELL, _ROW, _ROWS = f"{_SHEETS}c", f"{_SHEETS}row", f"{_SHEETS}sheetData"
_VALUE, _FORMULA, _SHARED = f"{_SHEETS}v", f"{_SHEETS}f", f"{_SHEETS}si"
_MERGED, _COLUMN = f"{_SHEETS}mergeCell", f"{_SHEETS}col"
# Texts that cells share, and those that stand in a cell; bold and italic of a run of letters.
_TEXTS = (_SHARED, f"{_SHEETS}is")
_EMPHASIS = (f"{_SHEETS}rPr/{_SHEETS}b", f"{_SHEETS}rPr/{_SHEETS}i")
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_HIDDEN = ("hidden", "veryHidden")
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_NUMBERS = ("float", "percentage", "currency")
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

_OPEN = b"http://schemas.openxmlformats.org/"
_PLAIN = (
    # "Strict Open XML" of Excel is the same under other names.
    (b"http://purl.oclc.org/ooxml/spreadsheetml/main", _OPEN + b"spreadsheetml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/", _OPEN + b"officeDocument/2006/"),
    # What the library passes over in the text of an .ods.
    (b"<text:line-break/>", b"\n"),
    (b"<text:tab/>", b"\t"),
    (b"<text:ruby-base>", b"{"),
    (b"</text:ruby-base>", b"|"),
    (b"<text:ruby-text>", b""),
    (b"</text:ruby-text>", b"}"),
)

# Column and row of a cell, counted from 1.
At = tuple[int, int]


# The formats of an .xlsx that it names by a number alone; of those that are left out, dates and
# currencies differ by country.
_BUILT_IN = {
    9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
}  # fmt: skip

# Of a format: a spreadsheet allows no more.
_MOST_SIGNS = 255


class Sheet(Struct):
    """What stands in the XML of a sheet: its extent, and cells that are not what they seem."""

    name: str
    columns: int = 0
    rows: int = 0
    # Cells that cannot be read → the key of the sentence that says why.
    wrong: dict[At, str] = field(default_factory=dict)
    # The first cell of each merged area → its last one.
    merged: dict[At, At] = field(default_factory=dict)
    # How a cell is shown, where it says so: its format, or in an .ods the text of a number.
    shown: dict[At, str] = field(default_factory=dict)
    # Columns that are hidden, counted from 1.
    hidden: set[int] = field(default_factory=set)


class Parts:
    """The XML of a spreadsheet, unpacked. All of it raises ``InvalidSource``, ``LimitExceeded``."""

    def __init__(self, data: bytes, file: str) -> None:
        self.file, self.is_ods = file, file.lower().endswith(".ods")
        self.budget = ReadingLimits(SPREADSHEET)
        self._parts: dict[str, bytes] = {}
        try:
            with unzip.open_zip(io.BytesIO(data)) as archive:
                for info in unzip.entries(archive, self.budget):
                    if info.filename.endswith((".xml", ".rels")) or info.filename == "mimetype":
                        part = b"".join(unzip.unpacked_pieces(archive, info, self.budget))
                        for other, usual in _PLAIN:
                            part = part.replace(other, usual)
                        self._parts[info.filename] = part
        except NotImplementedError:
            raise self.unreadable("packed-oddly") from None
        except unzip.BROKEN:
            raise self.unreadable("of-another-type") from None

    def unreadable(self, key: str, **values: object) -> InvalidSource:
        """Return what to raise of a file that is not of the form that its name says."""
        where = SourceLocation(self.file)
        return error_at(where, "SRC-FILE", f"spreadsheet-{key}", **values)

    def packed(self) -> bytes:
        """Return the parts as a file again, in which every size is what it says."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            for name, part in self._parts.items():
                archive.writestr(zipfile.ZipInfo(name), part)
        return stream.getvalue()

    def elements(self, name: str, *tags: str, needed: bool = True) -> Iterator[etree._Element]:
        """Yield the elements of a part with one of these tags, each when it is complete."""
        if name not in self._parts and not needed:
            return
        if name not in self._parts:
            raise self.unreadable("part-missing", name=name)
        part = self._parts[name]
        self.budget.take("elements", part.count(b"<") - part.count(b"</"))
        self.budget.take("attributes", part.count(b"="))
        try:
            for _, element in etree.iterparse(
                io.BytesIO(part),
                tag=tags,
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                huge_tree=True,  # the budget is smaller
            ):
                yield element
        except etree.XMLSyntaxError:
            raise self.unreadable("part-no-xml", name=name) from None


def read_sheet(parts: Parts, wanted: str) -> Sheet:
    """Read the sheet of that name, or the first one that is seen."""
    if parts.is_ods:
        return _ods_sheet(parts, wanted)
    sheets = _xlsx_sheets(parts)
    if not sheets:
        raise parts.unreadable("no-sheets")
    if wanted and wanted not in sheets:
        raise _no_such_sheet(parts, wanted, sheets)
    name = wanted or next(iter(sheets))
    path, _is_hidden = sheets[name]
    if not path:
        raise parts.unreadable("sheet-missing" if wanted else "first-sheet-missing", name=name)
    return _xlsx_cells(parts, path, name)


def sheets_of(parts: Parts) -> dict[str, bool]:
    """Return the names of all sheets that hold cells, those that are hidden last, and whether they
    are."""
    if not parts.is_ods:
        return {name: is_hidden for name, (_, is_hidden) in _xlsx_sheets(parts).items()}
    found: dict[str, bool] = {}
    styles = set[str]()
    for each in parts.elements("content.xml", f"{_STYLE}style", f"{_TABLE}table"):
        if each.tag == f"{_TABLE}table":
            found[str(each.get(f"{_TABLE}name") or "")] = each.get(f"{_TABLE}style-name") in styles
        else:
            styles.update(_hiding(each))
    return dict(sorted(found.items(), key=lambda sheet: sheet[1]))


def _hiding(style: etree._Element) -> Iterator[str]:
    """Yield the name of a style of an .ods that hides a sheet."""
    if any(inner.get(f"{_TABLE}display") == "false" for inner in style):
        yield str(style.get(f"{_STYLE}name"))


def has_bold_words(parts: Parts) -> bool:
    """Tell whether a cell of an .xlsx has words that are bold or italic, and others besides."""
    paths = ["xl/sharedStrings.xml", *(path for path, _ in _xlsx_sheets(parts).values() if path)]
    texts = (text for path in paths for text in parts.elements(path, *_TEXTS, needed=False))
    runs = (text.iterchildren(f"{_SHEETS}r") for text in texts)
    bold = ([any(run.find(way) is not None for way in _EMPHASIS) for run in each] for each in runs)
    return any(len({*each}) > 1 for each in bold)


def _no_such_sheet(parts: Parts, wanted: str, names: Iterable[str]) -> InvalidSource:
    where, near = SourceLocation(parts.file), nearest(wanted, names)
    return error_at(where, "SRC-REF", "no-sheet", name=wanted, nearest=near)


def _xlsx_sheets(parts: Parts) -> dict[str, tuple[str, bool]]:
    """Return the part of each sheet, if there is one, and whether it is hidden; charts are none."""
    paths: dict[str, str | None] = {}
    sheets = list(parts.elements("xl/workbook.xml", f"{_SHEETS}sheet"))
    for relation in parts.elements("xl/_rels/workbook.xml.rels", "{*}Relationship"):
        target = str(relation.get("Target") or "")
        path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
        charts = str(relation.get("Type") or "").endswith("/chartsheet")
        paths[str(relation.get("Id") or "")] = None if charts else path
    # What is hidden comes last: whoever names no sheet wants one that is seen.
    sheets.sort(key=lambda sheet: sheet.get("state") in _HIDDEN)
    found = ((sheet, paths.get(str(sheet.get(_RELATION) or ""), "")) for sheet in sheets)
    return {
        str(sheet.get("name") or ""): (path, sheet.get("state") in _HIDDEN)
        for sheet, path in found
        if path is not None
    }


def _corner(parts: Parts, reference: str) -> At:
    """Return column and row of ``C12``."""
    found = _REFERENCE.fullmatch(reference)
    if not found:
        raise parts.unreadable("odd-cell", found=reference[:20])
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return column, int(found[2])


def _xlsx_cells(parts: Parts, path: str, name: str) -> Sheet:
    sheet = Sheet(name)
    texts = parts.elements("xl/sharedStrings.xml", _SHARED, needed=False)
    shared, formats = [_length(element) for element in texts], _formats(parts)
    row = 0
    for element in parts.elements(path, _ROW, _ROWS, _MERGED, _COLUMN):
        if element.tag == _COLUMN:
            if element.get("hidden") in ("1", "true"):
                last = min(_number(element.get("max")), MAX_COLUMNS)
                sheet.hidden.update(range(_number(element.get("min"), last), last + 1))
            continue
        if element.tag == _MERGED:
            first, _, end = str(element.get("ref") or "").partition(":")
            sheet.merged[_corner(parts, first)] = _corner(parts, end or first)
            continue
        row = _number(element.get("r")) or row + 1 if element.tag == _ROW else row
        for column, cell in enumerate(element.iter(_CELL), 1):  # among the rows only strays
            parts.budget.take("cells")
            reference = str(cell.get("r") or "")
            at = _corner(parts, reference) if reference else (column, row)
            _note_cell(parts, sheet, cell, at, shared)
            code = formats.get(str(cell.get("s")), "")
            if code and cell.get("t", "n") == "n":
                sheet.shown[at] = code
        element.clear()
    return sheet


def _note_cell(parts: Parts, sheet: Sheet, cell: etree._Element, at: At, shared: list[int]) -> None:
    """Note how far a sheet reaches, how much its cell shows, and whether that is no value;
    ``shared`` is how long each of the texts is that cells share."""
    kind, value, formula = cell.get("t"), cell.find(_VALUE), cell.find(_FORMULA)
    text = "" if value is None else value.text or ""
    if len(cell):
        sheet.columns, sheet.rows = max(sheet.columns, at[0]), max(sheet.rows, at[1])
        length = _length(cell) if value is None else len(text)
        number = _number(text, -1) if kind == "s" else -1
        parts.budget.take("characters", shared[number] if 0 <= number < len(shared) else length)
    if kind == "e":
        sheet.wrong[at] = "error-value"
    elif formula is not None and not text and (value is None or kind != "str"):
        sheet.wrong[at] = "no-value-yet"  # as a text, the value may be empty


def _formats(parts: Parts) -> dict[str, str]:
    """Return the format of numbers by the style that cells name, where it is more than the
    number."""
    codes = {str(number): code for number, code in _BUILT_IN.items()}
    styles: list[str] = []
    tags = (f"{_SHEETS}numFmt", f"{_SHEETS}cellXfs")
    for element in parts.elements("xl/styles.xml", *tags, needed=False):
        if element.tag == tags[0]:
            codes[str(element.get("numFmtId"))] = str(element.get("formatCode") or "")
        else:
            styles += [str(style.get("numFmtId")) for style in element]
    found = {str(index): codes.get(number, "") for index, number in enumerate(styles)}
    plain = ("", "General", "@")
    return {i: code for i, code in found.items() if code not in plain and len(code) <= _MOST_SIGNS}


def _number(text: str | None, otherwise: int = 0) -> int:
    """Return a whole number of the XML, which may be missing or nonsense."""
    text = str(text or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else otherwise


def _length(element: etree._Element) -> int:
    return sum(map(len, element.itertext()))


def _ods_sheet(parts: Parts, wanted: str) -> Sheet:
    sheet, row, column = Sheet(""), 0, 0
    others: dict[str, Sheet] = {}
    styles = set[str]()
    tags = (f"{_TABLE}table-row", f"{_TABLE}table", f"{_TABLE}table-column", f"{_STYLE}style")
    for element in parts.elements("content.xml", *tags):
        if element.tag == tags[3]:
            styles.update(_hiding(element))
            continue
        if element.tag == tags[2]:
            first, column = column, column + _times(parts, element, "number-columns-repeated")
            if element.get(f"{_TABLE}visibility") == "collapse":
                sheet.hidden.update(range(first + 1, min(column, MAX_COLUMNS) + 1))
            continue
        if element.tag == tags[1]:
            sheet.name = str(element.get(f"{_TABLE}name") or "")
            is_seen = element.get(f"{_TABLE}style-name") not in styles
            if sheet.name == wanted or (is_seen and not wanted):
                return sheet
            others[sheet.name] = sheet
            sheet, row, column = Sheet(""), 0, 0
            continue
        repeated = _times(parts, element, "number-rows-repeated")
        filled = _ods_row(parts, sheet, element, row + 1, min(repeated, MAX_ROWS))
        row += repeated
        sheet.rows = row if filled else sheet.rows
        element.clear()
    if not others:
        raise parts.unreadable("no-sheets")
    if wanted:
        raise _no_such_sheet(parts, wanted, others)
    return next(iter(others.values()))  # all are hidden


def _ods_row(parts: Parts, sheet: Sheet, element: etree._Element, row: int, repeated: int) -> bool:
    """Return whether a row holds anything; what is odd about its cells is noted."""
    column, filled = 0, False
    for cell in element:
        if not isinstance(cell.tag, str):
            continue
        wide, high = (_times(parts, cell, f"number-{s}-spanned") for s in ("columns", "rows"))
        if (wide, high) != (1, 1):
            sheet.merged[column + 1, row] = column + wide, row + high - 1
        times = _times(parts, cell, "number-columns-repeated")
        column += times
        times = min(times, MAX_COLUMNS)
        if len(cell):
            spaces = cell.iter(f"{_TEXT}s")  # each may stand for many
            length = _length(cell) + sum(_times(parts, one, "c", _TEXT) for one in spaces)
            parts.budget.take("characters", times * repeated * length)
        kind, formula = cell.get(f"{_OFFICE}value-type"), cell.get(f"{_TABLE}formula")
        if not (kind or formula):
            continue
        sheet.columns, filled = max(sheet.columns, column), True
        lines = "".join(str(t) for line in cell.iterchildren(f"{_TEXT}p") for t in line.itertext())
        # A formula that shows something and holds nothing ends in an error.
        is_error = formula and cell.get(f"{_OFFICE}string-value") == "" and lines
        if not kind:
            sheet.wrong[column, row] = "no-value-yet"
        elif is_error or cell.get(f"{_CALC}value-type") == "error":
            sheet.wrong[column, row] = "error-value"
        elif (
            kind in _NUMBERS
            and cell.find(f"{_TEXT}p") is not None
            and lines != cell.get(f"{_OFFICE}value")
        ):
            parts.budget.take("cells", times * repeated)
            every = range(row, row + repeated)
            at = [(c, r) for c in range(column - times + 1, column + 1) for r in every]
            sheet.shown |= dict.fromkeys(at, lines)
    return filled


def _times(parts: Parts, element: etree._Element, key: str, space: str = _TABLE) -> int:
    """Return how often something stands, or how far it reaches."""
    text = str(element.get(f"{space}{key}") or "1")
    number = _number(text, -1)
    if number < 0:
        raise parts.unreadable("repeated-cell", found=text[:20])
    return number
