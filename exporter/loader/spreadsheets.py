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
import zipfile
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import zip_longest
from typing import Any

from lxml import etree
from msgspec import Struct, field

from exporter.core import unzip
from exporter.core.messages import Sentence, sentence
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    nearest,
    notice_at,
)
from exporter.core.reading_limits import SPREADSHEET, ReadingLimits
from exporter.core.source_files import UNPRINTABLE, character_name
from exporter.loader.tables import MAX_COLUMNS, MAX_ROWS, Flaw, Record, clean_cell, column_letters

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

# From here on a spreadsheet has not kept all digits of a number.
_EXACT = 1e15

# Of a format: room for a sign, a sign that fills the cell, a colour, a country.
_SILENT = re.compile(r"_.|\*.|\[(?!DBNum)(?:[A-Za-z]+\d*|\$-[^\]]*)\]", re.DOTALL)

_WORD = re.compile(r'"[^"]*"|\\.|\[\$[^-\]][^\]]*\]', re.DOTALL)
_SIGN = re.compile(r'"([-+() ]*)"|\\([-+() ])')
_DAILY = re.compile(
    r"(?P<before>[^0#?.,%/E@\[]*)(?P<whole>[0#?,]*[0#?])(?:\.(?P<places>[0#?]{1,15}))?"
    r"(?P<percent>%?)(?P<after>[^0#?.,%/E@\[]*)"
)


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
        self._counted: set[str] = set()
        try:
            with unzip.open_zip(io.BytesIO(data)) as archive:
                for info in unzip.entries(archive, self.budget):
                    if info.filename.endswith((".xml", ".rels")) or info.filename == "mimetype":
                        part = b"".join(unzip.unpacked_pieces(archive, info, self.budget))
                        for other, usual in _PLAIN:
                            part = part.replace(other, usual)
                        self._parts[info.filename] = part
        except unzip.BROKEN:
            raise self.unreadable() from None

    def unreadable(self, key: str = "of-another-type") -> InvalidSource:
        """Return what to raise of a file that is not of the form that its name says."""
        return error_at(SourceLocation(self.file), "SRC-FILE", f"spreadsheet-{key}")

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
            raise self.unreadable()
        part = self._parts[name]
        if name not in self._counted:
            self._counted.add(name)
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
            raise self.unreadable() from None


def _read_sheet(parts: Parts, wanted: str) -> Sheet:
    """Read the sheet of that name, or the first one that is seen."""
    sheets = sheets_of(parts)
    if not sheets:
        raise parts.unreadable("no-sheets")
    if wanted and wanted not in sheets:
        raise error_at(
            SourceLocation(parts.file),
            "SRC-REF",
            "no-sheet",
            name=wanted,
            nearest=nearest(wanted, sheets),
        )
    name = wanted or next(iter(sheets))
    return _ods_cells(parts, name) if parts.is_ods else _xlsx_cells(parts, name)


def sheets_of(parts: Parts) -> dict[str, bool]:
    """Return the names of all sheets that hold cells, those that are hidden last, and whether they
    are: whoever names no sheet wants one that is seen."""
    found = _ods_sheets(parts) if parts.is_ods else _xlsx_sheets(parts)
    return dict(sorted(found.items(), key=lambda sheet: sheet[1]))


def _ods_sheets(parts: Parts) -> dict[str, bool]:
    found: dict[str, bool] = {}
    hiding: set[str | None] = set()  # styles
    for each in parts.elements("content.xml", f"{_STYLE}style", f"{_TABLE}table"):
        if each.tag == f"{_TABLE}table":
            found[str(each.get(f"{_TABLE}name") or "")] = each.get(f"{_TABLE}style-name") in hiding
        elif any(inner.get(f"{_TABLE}display") == "false" for inner in each):
            hiding.add(each.get(f"{_STYLE}name"))
    return found


def _xlsx_sheets(parts: Parts) -> dict[str, bool]:
    paths = _xlsx_paths(parts)
    sheets = parts.elements("xl/workbook.xml", f"{_SHEETS}sheet")
    found = {str(sheet.get("name") or ""): sheet.get("state") in _HIDDEN for sheet in sheets}
    return {name: is_hidden for name, is_hidden in found.items() if name in paths}


def has_bold_words(parts: Parts) -> bool:
    """Tell whether a cell of an .xlsx has words that are bold or italic, and others besides."""
    paths = ["xl/sharedStrings.xml", *_xlsx_paths(parts).values()]
    texts = (text for path in paths for text in parts.elements(path, *_TEXTS, needed=False))
    runs = (text.iterchildren(f"{_SHEETS}r") for text in texts)
    bold = ([any(run.find(way) is not None for way in _EMPHASIS) for run in each] for each in runs)
    return any(len({*each}) > 1 for each in bold)


def _xlsx_paths(parts: Parts) -> dict[str, str]:
    """Return the part of each sheet that holds cells, by the sheet's name; charts hold none."""
    relations = parts.elements("xl/_rels/workbook.xml.rels", "{*}Relationship")
    targets = {
        relation.get("Id"): str(relation.get("Target"))
        for relation in relations
        if str(relation.get("Type")).endswith("/worksheet")
    }
    sheets = [
        (str(sheet.get("name") or ""), targets.get(sheet.get(_RELATION), ""))
        for sheet in parts.elements("xl/workbook.xml", f"{_SHEETS}sheet")
    ]
    return {
        name: target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
        for name, target in sheets
        if target
    }


def _corner(parts: Parts, reference: str) -> At:
    """Return column and row of ``C12``."""
    found = _REFERENCE.fullmatch(reference)
    if not found:
        raise parts.unreadable()
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return column, int(found[2])


def _xlsx_cells(parts: Parts, name: str) -> Sheet:
    sheet, path = Sheet(name), _xlsx_paths(parts)[name]
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


def _ods_cells(parts: Parts, name: str) -> Sheet:
    sheet, row, column = Sheet(name), 0, 0
    tags = (f"{_TABLE}table-row", f"{_TABLE}table", f"{_TABLE}table-column")
    for element in parts.elements("content.xml", *tags):
        if element.tag == tags[0]:
            repeated = _times(parts, element, "number-rows-repeated")
            filled = _ods_row(parts, sheet, element, row + 1, min(repeated, MAX_ROWS))
            row += repeated
            sheet.rows = row if filled else sheet.rows
            element.clear()
        elif element.tag == tags[2]:
            first, column = column, column + _times(parts, element, "number-columns-repeated")
            if element.get(f"{_TABLE}visibility") == "collapse":
                sheet.hidden.update(range(first + 1, min(column, MAX_COLUMNS) + 1))
        elif element.get(f"{_TABLE}name") == name:
            break
        else:
            sheet, row, column = Sheet(name), 0, 0
    return sheet


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
        raise parts.unreadable()
    return number


def spreadsheet_records(
    data: bytes, file: str, budget: ReadingLimits, sheet_name: str = ""
) -> tuple[list[Record], list[Flaw], set[int]]:
    """Return the rows of a sheet that are not blank, what is wrong with single cells, and the
    columns that are hidden, counted from 1.

    Without a name it is the first sheet that is seen. Its cells are taken from ``budget``. Raises
    ``InvalidSource`` where the file is no sound spreadsheet, and ``LimitExceeded`` where it has too
    much.
    """
    where = SourceLocation(file)
    parts = Parts(data, file)
    sheet = _read_sheet(parts, sheet_name)
    if sheet.rows > MAX_ROWS or sheet.columns > MAX_COLUMNS:
        raise error_at(
            where,
            "SRC-CSV",
            "reaches-most-rows",
            sheet=sheet.name,
            rows=sheet.rows,
            max_rows=MAX_ROWS,
            column_letters=column_letters(sheet.columns),
            max_columns=MAX_COLUMNS,
        )
    budget.take("cells", sheet.rows * sheet.columns)
    try:
        book = _workbook(parts.packed())
        rows = book.get_sheet_by_name(sheet.name).to_python(skip_empty_area=False)
    except BaseException as error:  # the library's panics are no Exceptions
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        raise parts.unreadable() from None
    rows += [[] for _ in range(sheet.rows - len(rows))]
    merged = _fill_merged(parts, sheet, rows)
    records, flaws = _records(rows, sheet, file, parts.is_ods)
    at = (SourceLocation(file, r, c, f"{sheet.name}!{column_letters(c)}{r}") for c, r in merged)
    notices = (notice_at(each, "SRC-CELL", "merged") for each in at)
    return records, [*map(Flaw, notices), *flaws], sheet.hidden  # of one cell the last counts


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
                flaws.append(Flaw(notice_at(where, "SRC-CELL", key, **words)))
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
