"""Tables to be filled in, as spreadsheets whose cells are text: nothing becomes a date in them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from exporter.app.games import (
    Named,
    folder_of,
)
from exporter.core.file_writer import write_whole
from exporter.core.messages import (
    Sentence,
    asks,
    sentence,
)
from exporter.loader import read_game
from exporter.loader.tables import column_letters
from exporter.model import (
    Field,
    Kind,
)

ROWS = 1000
"""Rows that are formatted as text, and have hints and drop-downs."""

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_DAY = (1980, 1, 1, 0, 0, 0)

_MOST_WORDS = 12
"""Different words of a field that a spreadsheet offers."""

_MOST_LISTED = 250
"""Characters of a drop-down, which Excel limits to 255."""


class TableColumn(Struct, frozen=True):
    """A column of a table: its heading, what may stand in it, and words to choose from."""

    heading: str
    hint: str = ""
    words: tuple[str, ...] = ()


def write_tables(
    game: Named, folder: Named, *, language: str = "en", source: Named | None = None
) -> tuple[str, ...]:
    """Write an empty spreadsheet for each kind of card of a game, ``folder/<kind>.xlsx``, with
    headings, hints and the words that stand in its fields to choose from; their names.

    ``language`` is that of the hints, ``ja`` or ``en``. Raises ``InvalidSource``.
    """
    model = read_game(folder_of(game, source))
    files = {}
    for kind in model.kinds.values():
        cards = [card for card in model.cards.values() if card.kind == kind.id]
        words = {}
        for name in kind.fields:
            found = dict.fromkeys(card.text(name) for card in cards if card.text(name))
            words[name] = tuple(found) if 1 < len(found) <= _MOST_WORDS else ()
        data = _workbook(_columns(kind, language, words), kind.name.in_language(language))
        files[Path(folder) / f"{kind.id}.xlsx"] = data
    write_whole(files)
    return tuple(path.name for path in files)


def _columns(kind: Kind, language: str, words: Mapping[str, tuple[str, ...]]) -> list[TableColumn]:
    """List the columns of a kind's table; ``words`` are those to choose from, by field."""
    headings = {name: heading for heading, name in kind.columns.items()}
    own = [
        TableColumn(headings.get(name, name), sentence("blank-table", name).in_language(language))
        for name in ("id", "name")
    ]
    fields = [
        TableColumn(
            headings.get(name, name),
            _hint(field).in_language(language),
            ("1",) if field.type == "flag" else words[name],
        )
        for name, field in kind.fields.items()
    ]
    return [*own, *fields]


def _hint(field: Field) -> Sentence:
    """Say what may stand in a field."""
    least, most = field.bounds
    match field.type:
        case "number":
            return asks("whole-number-between", least=least, most=most)
        case "flag":
            return asks("flag")
        case "list":
            return asks("words-by-slash")
    return asks(f"like-{field.pattern}" if field.pattern else "text")


def _workbook(columns: Sequence[TableColumn], name: str) -> bytes:
    """Make an ``.xlsx`` of one sheet: headings, and hints and drop-downs for the cells below."""
    headings = "".join(
        f'<c r="{column_letters(n)}1" s="2" t="inlineStr"><is>'
        f'<t xml:space="preserve">{escape(column.heading)}</t></is></c>'
        for n, column in enumerate(columns, 1)
    )
    widths = "".join(
        f'<col min="{n}" max="{n}" width="{max(10, min(40, len(c.heading) + 6))}" style="1" '
        'customWidth="1"/>'
        for n, c in enumerate(columns, 1)
    )
    checks = "".join(_check(n, column) for n, column in enumerate(columns, 1))
    sheet = (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" '
        'topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        f'<cols>{widths}</cols><sheetData><row r="1">{headings}</row></sheetData>'
        f'<dataValidations count="{len(columns)}">{checks}</dataValidations></worksheet>'
    )
    relation = f'<Relationship Id="rId{{}}" Type="{_OFFICE}/{{}}" Target="{{}}"/>'
    content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.{}+xml"
    overrides = (
        ("/xl/workbook.xml", "sheet.main"),
        ("/xl/worksheets/sheet1.xml", "worksheet"),
        ("/xl/styles.xml", "styles"),
    )
    parts = {
        "[Content_Types].xml": (
            f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            + "".join(
                f'<Override PartName="{part}" ContentType="{content_type.format(kind)}"/>'
                for part, kind in overrides
            )
            + "</Types>"
        ),
        "_rels/.rels": _relations(relation.format(1, "officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet '
            f'name={quoteattr(name[:31])} sheetId="1" r:id="rId1"/></sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": _relations(
            relation.format(1, "worksheet", "worksheets/sheet1.xml")
            + relation.format(2, "styles", "styles.xml")
        ),
        "xl/styles.xml": _STYLES,
        "xl/worksheets/sheet1.xml": sheet,
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in parts.items():
            head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            info = zipfile.ZipInfo(part, _DAY)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, head + text)
    return stream.getvalue()


def _relations(inner: str) -> str:
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{inner}</Relationships>'


_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill>'
    '<patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
    '</fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="3"><xf/><xf numFmtId="49" applyNumberFormat="1"/>'
    '<xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>'
)


def _check(number: int, column: TableColumn) -> str:
    """Write a hint shown beside a cell, and words to choose from; others may be written too."""
    place = f"{column_letters(number)}2:{column_letters(number)}{ROWS}"
    words = ",".join(word for word in column.words if "," not in word)
    is_list = bool(words) and len(words) <= _MOST_LISTED
    listed = f"<formula1>{escape(chr(34) + words + chr(34))}</formula1>" if is_list else ""
    return (
        f'<dataValidation type="{"list" if is_list else "none"}" allowBlank="1" '
        f'showInputMessage="1" promptTitle={quoteattr(column.heading[:32])} '
        f'prompt={quoteattr(column.hint[:255] or " ")} sqref="{place}">{listed}</dataValidation>'
    )
