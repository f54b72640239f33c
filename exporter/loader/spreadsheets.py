"""Spreadsheets (.xlsx, .ods) as the records of a table, with the sheet and cell of each value.

Cells are read as people see them: numbers as their format shows them, each row that merged cells
cover with their value; dates, errors and formulas without a value are no values. A file may come
from a stranger: it is unpacked and read within a budget, and a cell far off or text that very many
cells show is refused.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal

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

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CALC = "{urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"

# What stands in the text of an .ods for elements: in the place of one, or before and after it.
_SIGNS = {
    f"{_TEXT}s": (" ", ""),
    f"{_TEXT}tab": ("\t", ""),
    f"{_TEXT}line-break": ("\n", ""),
    f"{_TEXT}ruby-base": ("{", "|"),
    f"{_TEXT}ruby-text": ("", "}"),
}

# A character that XML cannot hold, in the text of an .xlsx.
_ESCAPED = re.compile(r"_x([0-9A-F]{4})_")

_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")

# Column and row of a cell, counted from 1.
At = tuple[int, int]

_DAY = "yyyy/m/d"

# The formats of an .xlsx that it names by a number alone; currencies, which differ by country, are
# left out, and dates are all read alike.
_BUILT_IN = {
    9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
    **dict.fromkeys((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)), _DAY),
}  # fmt: skip

# Of a format: a spreadsheet allows no more.
_MOST_SIGNS = 255

# From here on a spreadsheet has not kept all digits of a number.
_EXACT = 1e15

# The days of an .xlsx are counted from the one, those of an old Mac from the other; to the last
# that a spreadsheet knows.
_DAYS_FROM = (datetime(1899, 12, 30), datetime(1904, 1, 1))
_LAST_DAY = 2_958_466

# Of a format: room for a sign, a sign that fills the cell, a colour, a country.
_SILENT = re.compile(r"_.|\*.|\[(?!DBNum)(?:[A-Za-z]+\d*|\$-[^\]]*)\]", re.DOTALL)

_WORD = re.compile(r'"[^"]*"|\\.|\[\$[^-\]][^\]]*\]', re.DOTALL)
_SIGN = re.compile(r'"([-+() ]*)"|\\([-+() ])')
_OF_DAYS = re.compile(r"[dmyhs]", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\[[^\]]*\]")
_DAILY = re.compile(
    r"(?P<before>[^0#?.,%/E@\[]*)(?P<whole>[0#?,]*[0#?])(?:\.(?P<places>[0#?]{1,15}))?"
    r"(?P<percent>%?)(?P<after>[^0#?.,%/E@\[]*)"
)


class Cell(Struct, frozen=True):
    """A cell as it is seen: its ``text``, what it ``shows`` where that is more, and why it has no
    text; of a day its month and day, which may have been a range such as 1-3."""

    text: str = ""
    shows: str = ""
    wrong: Sentence | None = None
    day: str = ""


_BLANK = Cell()


class Sheet(Struct):
    """The cells of a sheet, how far they reach, and its columns that are hidden, from 1."""

    name: str
    columns: int = 0
    rows: int = 0
    cells: dict[At, Cell] = field(default_factory=dict)
    # The first cell of each merged area → its last one.
    merged: dict[At, At] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)

    def reach(self, parts: Parts, column: int, row: int) -> None:
        """Note that there is such a cell. Raises ``InvalidSource`` where it is too far off."""
        self.columns, self.rows = max(self.columns, column), max(self.rows, row)
        if self.rows > MAX_ROWS or self.columns > MAX_COLUMNS:
            raise error_at(
                SourceLocation(parts.file),
                "SRC-CSV",
                "reaches-most-rows",
                sheet=self.name,
                rows=self.rows,
                max_rows=MAX_ROWS,
                column_letters=column_letters(self.columns),
                max_columns=MAX_COLUMNS,
            )


class Parts:
    """The XML of a spreadsheet, unpacked. All of it raises ``InvalidSource``, ``LimitExceeded``."""

    def __init__(self, data: bytes, file: str) -> None:
        self.file, self.is_ods = file, file.lower().endswith(".ods")
        self.budget = ReadingLimits(SPREADSHEET)
        self._parts: dict[str, bytes] = {}
        self._roots: dict[str, etree._Element] = {}
        try:
            with unzip.open_zip(io.BytesIO(data)) as archive:
                for info in unzip.entries(archive, self.budget):
                    if info.filename.endswith((".xml", ".rels")):
                        pieces = unzip.unpacked_pieces(archive, info, self.budget)
                        self._parts[info.filename] = b"".join(pieces)
        except unzip.BROKEN:
            raise self.unreadable() from None

    def unreadable(self, key: str = "of-another-type") -> InvalidSource:
        """Return what to raise of a file that is not of the form that its name says."""
        return error_at(SourceLocation(self.file), "SRC-FILE", f"spreadsheet-{key}")

    def root(self, name: str) -> etree._Element:
        """Return the root element of a part."""
        if name not in self._parts:
            raise self.unreadable()
        if name not in self._roots:
            part = self._parts[name]
            self.budget.take("elements", part.count(b"<") - part.count(b"</"))
            self.budget.take("attributes", part.count(b"="))
            parser = etree.XMLParser(
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                huge_tree=True,  # the budget is smaller
            )
            try:
                self._roots[name] = etree.fromstring(part, parser)
            except etree.XMLSyntaxError:
                raise self.unreadable() from None
        return self._roots[name]

    def elements(self, name: str, *tags: str) -> Iterator[etree._Element]:
        """Yield the elements with one of these tags of a part that a file need not have."""
        return self.root(name).iter(*tags) if name in self._parts else iter(())


def sheets_of(parts: Parts) -> dict[str, bool]:
    """Return the names of all sheets that hold cells, those that are hidden last, and whether they
    are: whoever names no sheet wants one that is seen."""
    if parts.is_ods:
        hiding = {
            style.get(f"{_STYLE}name")
            for style in parts.root("content.xml").iter(f"{_STYLE}style")
            if any(inner.get(f"{_TABLE}display") == "false" for inner in style)
        }
        found = {
            str(table.get(f"{_TABLE}name") or ""): table.get(f"{_TABLE}style-name") in hiding
            for table in parts.root("content.xml").iter(f"{_TABLE}table")
        }
    else:
        found = {name: is_hidden for name, (_path, is_hidden) in _xlsx_sheets(parts).items()}
    return dict(sorted(found.items(), key=lambda sheet: sheet[1]))


def _xlsx_sheets(parts: Parts) -> dict[str, tuple[str, bool]]:
    """Return the part of each sheet that holds cells, and whether it is hidden, by the sheet's
    name; charts hold none."""
    targets = {
        relation.get("Id"): str(relation.get("Target"))
        for relation in parts.root("xl/_rels/workbook.xml.rels").iter("{*}Relationship")
        if str(relation.get("Type")).endswith("/worksheet")
    }
    found: dict[str, tuple[str, bool]] = {}
    for sheet in parts.root("xl/workbook.xml").iter("{*}sheet"):
        ids = (value for name, value in sheet.items() if str(name).endswith("}id"))
        target = next((targets[one] for one in ids if one in targets), None)
        if target is not None:
            path = posixpath.join("xl", target).removeprefix("/")
            is_hidden = sheet.get("state") in ("hidden", "veryHidden")
            found[str(sheet.get("name") or "")] = path, is_hidden
    return found


def _corner(parts: Parts, reference: str) -> At:
    """Return column and row of ``C12``."""
    found = _REFERENCE.fullmatch(reference)
    if not found:
        raise parts.unreadable()
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return column, int(found[2])


def _number(text: str | None, otherwise: int = 0) -> int:
    """Return a whole number of the XML, which may be missing or nonsense."""
    text = str(text or "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else otherwise


def _xlsx_cells(parts: Parts, name: str) -> Sheet:
    sheet, root = Sheet(name), parts.root(_xlsx_sheets(parts)[name][0])
    shared = [_letters(each) for each in parts.elements("xl/sharedStrings.xml", "{*}si")]
    formats, from_1904 = _formats(parts), False
    for properties in parts.elements("xl/workbook.xml", "{*}workbookPr"):
        from_1904 = properties.get("date1904") in ("1", "true")
    row = column = 0
    for element in root.iter("{*}row", "{*}c"):
        if etree.QName(element).localname == "row":
            row, column = _number(element.get("r")) or row + 1, 0
            continue
        parts.budget.take("cells")
        reference = str(element.get("r") or "")
        column, row = _corner(parts, reference) if reference else (column + 1, row)
        if len(element):
            sheet.reach(parts, column, row)
            cell = _xlsx_cell(element, shared, formats, _DAYS_FROM[from_1904])
            parts.budget.take("characters", len(cell.text))
            sheet.cells[column, row] = cell
    for hidden in (each for each in root.iter("{*}col") if each.get("hidden") in ("1", "true")):
        last = min(_number(hidden.get("max")), MAX_COLUMNS)
        sheet.hidden.update(range(_number(hidden.get("min"), last), last + 1))
    for merged in root.iter("{*}mergeCell"):
        first, _, end = str(merged.get("ref") or "").partition(":")
        sheet.merged[_corner(parts, first)] = _corner(parts, end or first)
    return sheet


def _letters(element: etree._Element) -> str:
    """Return a text of an .xlsx, whole or in runs, without the readings beside it."""
    pieces = (*element.iterfind("{*}t"), *element.iterfind("{*}r/{*}t"))
    text = "".join(each.text or "" for each in pieces)
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


def _xlsx_cell(
    element: etree._Element, shared: list[str], formats: dict[str, str], days_from: datetime
) -> Cell:
    kind, value = element.get("t", "n"), element.find("{*}v")
    text = "" if value is None else value.text or ""
    if kind == "e":
        return _wrong("error-value")
    if element.find("{*}f") is not None and not text and (value is None or kind != "str"):
        return _wrong("no-value-yet")  # as a text, the value may be empty
    if kind == "n" and text:
        code = formats.get(str(element.get("s")), "")
        number = float(text)
        if code == _DAY and 0 <= number < _LAST_DAY:
            return _day_cell(days_from + timedelta(seconds=round(number * 24 * 60 * 60)))
        return _number_cell(number, shown_by_format(number, code))
    if kind == "b":
        return Cell("true" if text == "1" else "false")
    inline = element.find("{*}is")
    if kind == "s":
        text = shared[_number(text)]
    elif inline is not None:
        text = _letters(inline)
    return _text_cell(text)


def _formats(parts: Parts) -> dict[str, str]:
    """Return the format of numbers by the style that cells name, where it is more than the
    number; of days and times ``_DAY``."""
    codes = {str(number): code for number, code in _BUILT_IN.items()}
    for element in parts.elements("xl/styles.xml", "{*}numFmt"):
        code = str(element.get("formatCode") or "")
        plain = _IN_BRACKETS.sub("", _SILENT.sub("", _WORD.sub("", code)))
        codes[str(element.get("numFmtId"))] = _DAY if _OF_DAYS.search(plain) else code
    numbers = [
        str(style.get("numFmtId"))
        for styles in parts.elements("xl/styles.xml", "{*}cellXfs")
        for style in styles
    ]
    found = {str(index): codes.get(number, "") for index, number in enumerate(numbers)}
    silent = ("", "General", "@")
    return {i: code for i, code in found.items() if code not in silent and len(code) <= _MOST_SIGNS}


def _ods_cells(parts: Parts, name: str) -> Sheet:
    sheet, row, column = Sheet(name), 0, 0
    tables = parts.root("content.xml").iter(f"{_TABLE}table")
    table = next(each for each in tables if (each.get(f"{_TABLE}name") or "") == name)
    for element in table.iter(f"{_TABLE}table-column"):
        first, column = column, column + _times(parts, element, "number-columns-repeated")
        if element.get(f"{_TABLE}visibility") == "collapse":
            sheet.hidden.update(range(first + 1, min(column, MAX_COLUMNS) + 1))
    for element in table.iter(f"{_TABLE}table-row"):
        repeated = _times(parts, element, "number-rows-repeated")
        _read_ods_row(parts, sheet, element, row + 1, repeated)
        row += repeated
    return sheet


def _read_ods_row(
    parts: Parts, sheet: Sheet, element: etree._Element, row: int, repeated: int
) -> None:
    """Add the cells of a row, and of those that are the same as it."""
    last = 0
    for each in element.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
        times = _times(parts, each, "number-columns-repeated")
        first, last = last + 1, last + times
        wide, high = (_times(parts, each, f"number-{s}-spanned") for s in ("columns", "rows"))
        if (wide, high) != (1, 1):
            sheet.merged[last, row] = last + wide - 1, row + high - 1
        if not (each.get(f"{_OFFICE}value-type") or each.get(f"{_TABLE}formula")):
            continue
        sheet.reach(parts, last, row + repeated - 1)
        parts.budget.take("cells", times * repeated)
        cell = _ods_cell(parts, each)
        parts.budget.take("characters", times * repeated * len(cell.text))
        columns, rows = range(first, last + 1), range(row, row + repeated)
        sheet.cells |= {(x, y): cell for x in columns for y in rows}


def _ods_cell(parts: Parts, element: etree._Element) -> Cell:
    kind, value = (element.get(f"{_OFFICE}{key}") for key in ("value-type", "value"))
    for each in element.iter(*_SIGNS):
        before, after = _SIGNS[str(each.tag)]
        times = _times(parts, each, "c", _TEXT)
        parts.budget.take("characters", times)
        each.text = before * times + (each.text or "")
        each.tail = after + (each.tail or "")
    lines = ["".join(map(str, line.itertext())) for line in element.iterchildren(f"{_TEXT}p")]
    text = "\n".join(lines)
    # A formula that shows something and holds nothing ends in an error.
    is_silent = element.get(f"{_OFFICE}string-value") == "" and element.get(f"{_TABLE}formula")
    if not kind:
        return _wrong("no-value-yet")
    if (is_silent and text) or element.get(f"{_CALC}value-type") == "error":
        return _wrong("error-value")
    if kind == "date":
        return _day_cell(datetime.fromisoformat(str(element.get(f"{_OFFICE}date-value"))))
    if kind == "time":
        return _wrong("made-a-date", found=text)
    if value is not None:
        number = float(value)
        is_plain = not lines or text == value
        return _number_cell(
            number, (f"{number:.15g}", "") if is_plain else shown_in_ods(number, text)
        )
    return _text_cell(str(element.get(f"{_OFFICE}boolean-value") or text))


def _times(parts: Parts, element: etree._Element, key: str, space: str = _TABLE) -> int:
    """Return how often something stands, or how far it reaches."""
    number = _number(str(element.get(f"{space}{key}") or "1"), -1)
    if number < 0:
        raise parts.unreadable()
    return number


def _wrong(key: str, **values: object) -> Cell:
    return Cell(wrong=sentence("SRC-CELL", key, **values))


def _day_cell(day: datetime) -> Cell:
    """Return a cell that a spreadsheet made a day or a time."""
    if (day.hour, day.minute, day.second) != (0, 0, 0):
        return _wrong("made-a-date", found=day)
    return Cell(
        wrong=sentence("SRC-CELL", "made-a-date", found=day.date()), day=f"{day.month}-{day.day}"
    )


def _number_cell(value: float, read: tuple[str, str]) -> Cell:
    """Return a number as it is ``read``, and what is shown in its place."""
    if abs(value) >= _EXACT:
        return _wrong("digits-lost", found=f"{value:.15g}")
    return Cell(*read)


def _text_cell(text: str) -> Cell:
    if found := UNPRINTABLE.search(text):
        return _wrong("control", control=character_name(found[0]))
    return Cell(clean_cell(text))


def spreadsheet_records(
    data: bytes, file: str, budget: ReadingLimits, sheet_name: str = ""
) -> tuple[list[Record], list[Flaw], set[int]]:
    """Return the rows of a sheet that are not blank, what is wrong with single cells, and the
    columns that are hidden, counted from 1.

    Without a name it is the first sheet that is seen. Its cells are taken from ``budget``. Raises
    ``InvalidSource`` where the file is no sound spreadsheet, and ``LimitExceeded`` where it has too
    much.
    """
    parts = Parts(data, file)
    sheet = _read_sheet(parts, sheet_name)
    budget.take("cells", sheet.rows * sheet.columns)
    names = [f"{sheet.name}!{column_letters(column)}" for column in range(1, sheet.columns + 1)]
    flaws: list[Flaw] = []
    for column, row in _fill_merged(parts, sheet):
        where = SourceLocation(file, row, column, f"{names[column - 1]}{row}")
        flaws.append(Flaw(notice_at(where, "SRC-CELL", "merged")))
    otherwise = "shown-otherwise-ods" if parts.is_ods else "shown-otherwise"
    noticed: set[int] = set()
    records: list[Record] = []
    for row in range(1, sheet.rows + 1):
        cells = [sheet.cells.get((at, row), _BLANK) for at in range(1, sheet.columns + 1)]
        places = [SourceLocation(file, row, at, f"{name}{row}") for at, name in enumerate(names, 1)]
        for cell, where in zip(cells, places, strict=True):
            if cell.wrong is not None:
                flaws.append(Flaw(Problem(where, "SRC-CELL", cell.wrong), cell.day))
            elif cell.shows and where.column not in noticed:
                noticed.add(where.column)
                words = {"whole": cell.shows.replace("\\", ""), "read": cell.text}
                problem = notice_at(where, "SRC-CELL", otherwise, **words)
                flaws.append(Flaw(problem))
        if any(cell.text for cell in cells):
            records.append(([cell.text for cell in cells], places))
    return records, flaws, sheet.hidden  # of one cell the last flaw counts


def _read_sheet(parts: Parts, wanted: str) -> Sheet:
    """Read the sheet of that name, or the first one that is seen."""
    sheets = sheets_of(parts)
    if not sheets:
        raise parts.unreadable("no-sheets")
    name = wanted or next(iter(sheets))
    if name not in sheets:
        where, near = SourceLocation(parts.file), nearest(wanted, sheets)
        raise error_at(where, "SRC-REF", "no-sheet", name=wanted, nearest=near)
    try:
        return _ods_cells(parts, name) if parts.is_ods else _xlsx_cells(parts, name)
    except (ValueError, LookupError):  # a number or a day that is none, a text that is not there
        raise parts.unreadable() from None


def _fill_merged(parts: Parts, sheet: Sheet) -> list[At]:
    """Give each row that merged cells cover their value; the first such cell of each column."""
    first: dict[int, At] = {}
    for (column, top), (_, bottom) in sheet.merged.items():
        cell, last = sheet.cells.get((column, top), _BLANK), min(bottom, sheet.rows)
        if cell != _BLANK and top < last:
            first.setdefault(column, (column, top))
            parts.budget.take("cells", last - top)
            sheet.cells |= {(column, row): cell for row in range(top + 1, last + 1)}
    return list(first.values())


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
    if not code or section in ("General", "@", "-") or "E+" in section:  # - is an accountant's zero
        return plain, ""
    found = _DAILY.fullmatch(section.replace("General", "0.###############"))
    if found is None:
        return plain, code
    number = abs(Decimal(plain)) * (100 if found["percent"] else 1)
    smallest = Decimal(1).scaleb(-len(found["places"] or ""))
    shown = f"{number.quantize(smallest, ROUND_HALF_UP, Context(60)).normalize():f}"
    whole, point, rest = shown.partition(".")
    sign = "-" if value < 0 else "+" if "+" in found["before"] else ""
    whole = whole.zfill(found["whole"].count("0"))
    hides_minus = value < 0 and index == 1 < len(sections) and not {"-", "("} & {*found["before"]}
    says_more = hides_minus or (found["before"] + found["after"]).strip(" +-()")
    return f"{sign}{whole}{point}{rest}{found['percent']}", code if says_more else ""


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
