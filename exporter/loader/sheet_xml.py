"""The XML of a sheet of an .xlsx or an .ods: its extent, cells that are not what they seem, how
numbers are shown, and how much text there is in all."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from lxml import etree
from msgspec import Struct, field

from exporter.core import unzip
from exporter.core.messages import sentence
from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.core.reading_limits import (
    SPREADSHEET,
    ReadingLimits,
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
    is_ods: bool = False
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
    sheet = Sheet("", is_ods=True)
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
            sheet, row, column, hidden = Sheet("", is_ods=True), 0, 0, []
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


BUILT_IN = {
    9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
}  # fmt: skip
"""The formats of an .xlsx that it names by a number alone; of those that are left out, dates and
currencies differ by country."""


MOST_SIGNS = 255
"""Of a format: a spreadsheet allows no more."""


_BLANK = re.compile(r"_.|\*.|\[(?:[A-Za-z]+\d*|\$-[^\]]*)\]", re.DOTALL)
"""Room for a sign, a sign that fills the cell, a colour, a country."""


_WORD = re.compile(r'"[^"]*"|\\.|\[\$[^-\]][^\]]*\]', re.DOTALL)


_SIGN = re.compile(r'"([-+() ]*)"|\\([-+() ])')


_DAILY = re.compile(
    r"(?P<before>[^0#?.,%/E@\[]*)(?P<whole>[0#?,]*[0#?])(?P<point>\.(?P<places>[0#?]{1,15}))?"
    r"(?P<percent>%?)(?P<after>[^0#?.,%/E@\[]*)"
)


class Seen(NamedTuple):
    """What is read of a cell; ``whole`` is its format, or all that it shows, where that may say
    more."""

    text: str
    whole: str = ""


def of_format(value: float, code: str) -> Seen | None:
    """A number as a format of an .xlsx shows it; nothing where that is the number itself."""
    held = f"{value:.15g}"
    if "[DBNum" in code:  # in kanji
        return Seen(held, code)
    sections = _sections(code)
    index = 0 if value > 0 else 1 if value < 0 else 2
    index = index if index < len(sections) else 0
    section = sections[index]
    if section.strip() in ("General", "@", "-") or "E+" in section:
        return None  # a dash is the zero of accounts
    found = _DAILY.fullmatch(section.replace("General", "0.###############"))
    if found is None:
        return Seen(held, code)
    number = abs(Decimal(held)) * (100 if found["percent"] else 1)
    places = found["places"] or ""
    shown = f"{number.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP, Context(60)):f}"
    whole, _, rest = shown.partition(".")
    rest = rest[: places.count("0")] + rest[places.count("0") :].rstrip("0")
    sign = "-" if value < 0 else "+" if "+" in found["before"] else ""
    point = f".{rest}" if rest else ""
    read = f"{sign}{whole.zfill(found['whole'].count('0'))}{point}{found['percent']}"
    hides_minus = value < 0 and index == 1 and not {"-", "("} & {*found["before"]}
    says_more = hides_minus or (found["before"] + found["after"]).strip(" +-()")
    return Seen(read if _says_else(read, value) else held, code if says_more else "")


def of_words(text: str, code: str) -> Seen | None:
    """A text as a format of an .xlsx shows it; nothing where that is the text itself."""
    sections = _sections(code)
    section = sections[3] if len(sections) > 3 else next((s for s in sections if "@" in s), "@")
    return None if section.strip() == "@" else Seen(text, code)


def of_text(value: float, shown: str) -> Seen | None:
    """A number as an .ods says that it is shown; nothing where that is the number itself."""
    seen = shown.replace("\xa0", " ").replace("\u202f", " ").strip()
    if percent := re.fullmatch(r"([+-]?[\d.,]*\d) ?%", seen):
        return Seen(f"{percent[1].replace(',', '.')}%")
    if re.fullmatch(r"[+-]?\d+([.,]\d+)?", seen):
        if _as_number(re.sub("[.,]", "", seen)) == value:
            seen = re.sub("[.,]", "", seen)  # parted by thousands
        read = seen.replace(",", ".")
        return Seen(read) if _says_else(read, value) else None
    if _as_number(re.sub(r"[ ,]|(?<=\d)\.(?=\d{3}\b)", "", seen)) is not None:
        return None
    return Seen(f"{value:.15g}", seen or '""')


@lru_cache(maxsize=64)
def _sections(code: str) -> list[str]:
    """The parts of a format, for numbers above, below and at zero and for texts, in which ``w``
    stands for a word, and nothing for what shows nothing."""
    signs = _SIGN.sub(lambda found: found[1] or found[2] or "", code)
    return _BLANK.sub("", _WORD.sub("w", signs)).split(";")


def _says_else(read: str, value: float) -> bool:
    """Whether a text is another number, or one with a sign or zeros before it that numbers lack."""
    number = _as_number(read)
    if number is None or read.startswith("+") or re.match(r"-?0\d", read):
        return True
    return abs(number - value) > 1e-9 * max(abs(value), 1)


def _as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


class NoSpreadsheet(Exception):
    """The file is not of the form that its name says."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.sentence = sentence("SRC-FILE", f"spreadsheet-{key}", **values)

    def problem(self, file: str) -> Problem:
        """The same as a value."""
        return Problem(SourceLocation(file), "SRC-FILE", self.sentence)


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


def _plain(part: bytes) -> bytes:
    """The XML of a part as the library reads it."""
    for other, usual in _PLAIN:
        part = part.replace(other, usual) if other in part else part
    return part


class Parts:
    """The XML of the file, unpacked. Raises ``NoSpreadsheet``, and ``Spent``."""

    def __init__(self, data: bytes) -> None:
        self.budget = ReadingLimits(SPREADSHEET)
        self._parts: dict[str, bytes] = {}
        try:
            with unzip.opened(io.BytesIO(data)) as archive:
                for info in unzip.listed(archive, self.budget):
                    if info.filename.endswith((".xml", ".rels")) or info.filename == "mimetype":
                        pieces = unzip.pieces(archive, info, self.budget)
                        self._parts[info.filename] = _plain(b"".join(pieces))
        except NotImplementedError:
            raise NoSpreadsheet("packed-oddly") from None
        except unzip.BROKEN:
            raise NoSpreadsheet("of-another-type") from None

    def packed(self) -> bytes:
        """The parts as a file again, in which every size is what it says."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            for name, part in self._parts.items():
                archive.writestr(zipfile.ZipInfo(name), part)
        return stream.getvalue()

    def has(self, name: str) -> bool:
        """Whether there is such a part."""
        return name in self._parts

    def elements(self, name: str, *tags: str) -> Iterator[etree._Element]:
        """The elements of a part with one of these tags, each when it is complete."""
        if name not in self._parts:
            raise NoSpreadsheet("part-missing", name=name)
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
            raise NoSpreadsheet("part-no-xml", name=name) from None
