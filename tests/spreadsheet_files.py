"""Spreadsheets as programs save them, and as nobody should; a game whose cards are in one."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from exporter.loader.game_reader import read_game
from exporter.loader.tables import column_letters
from exporter.model import Game

GAME = """\
id: small
name: 小
players: [1, 2]
kinds:
  thing:
    name: 物
    file: cards/things.{suffix}
    fields: {{value: number, text: text, odd: flag}}
"""
TABLES = """\
id: small
name: 小
players: [1, 2]
kinds:
  thing:
    name: 物
    file: {file}
    fields: {{{fields}}}
"""
WORDS = "0&quot;枚&quot;"
"""The format of style 4 in an .xlsx; 1 is a day, 2 a percent, 3 a fraction."""
TEXT = str | int | float | bool
ROWS: list[list[TEXT]] = [
    ["id", "name", "value", "text", "odd"],
    ["A1", "いち", 1, "1行目\n2行目", True],
    ["A2", "に, または \"二\"", 2.0, "", False],
]  # fmt: skip


def zipped(parts: dict[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return stream.getvalue()


def xlsx_cell(place: str, value: TEXT) -> str:
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def xlsx(rows: list[list[TEXT]], more: str = "", cells: dict[str, str] | None = None) -> bytes:
    """A spreadsheet of one sheet; ``cells`` are given as XML, ``more`` follows the data."""
    return workbook({"札": rows}, cells, more)


def workbook(
    sheets: dict[str, list[list[TEXT]]],
    cells: dict[str, str] | None = None,
    more: str = "",
    states: dict[str, str] | None = None,
) -> bytes:
    """A spreadsheet; ``cells`` of every sheet are given as XML, ``more`` follows their data."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    numbers = range(1, len(sheets) + 1)
    names = "".join(
        f'<sheet name="{escape(name)}" sheetId="{n}" r:id="rId{n}" '
        f'state="{(states or {}).get(name, "visible")}"/>'
        for n, name in zip(numbers, sheets, strict=True)
    )
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{office}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
            "_rels/.rels": (
                f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
                f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
            ),
            "xl/workbook.xml": (
                f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{names}</sheets></workbook>'
            ),
            "xl/_rels/workbook.xml.rels": (
                f'<Relationships xmlns="{package}/relationships">{links}</Relationships>'
            ),
            "xl/styles.xml": (
                f'<styleSheet xmlns="{main}"><numFmts><numFmt numFmtId="164" formatCode="{WORDS}"/>'
                '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/>'
                '<xf numFmtId="12"/><xf numFmtId="164"/></cellXfs></styleSheet>'
            ),
            **{
                f"xl/worksheets/sheet{n}.xml": (
                    f'<worksheet xmlns="{main}"><sheetData>{_rows(rows, cells or {})}</sheetData>'
                    f"{more}</worksheet>"
                )
                for n, rows in zip(numbers, sheets.values(), strict=True)
            },
        }
    )


def _rows(rows: list[list[TEXT]], cells: dict[str, str]) -> str:
    lines = []
    for number, row in enumerate(rows, 1):
        places = [f"{column_letters(column)}{number}" for column in range(1, len(row) + 1)]
        line = [
            cells.get(place, xlsx_cell(place, value))
            for place, value in zip(places, row, strict=True)
        ]
        lines.append(f'<row r="{number}">{"".join(line)}</row>')
    return "".join(lines)


def ods_cell(value: TEXT) -> str:
    if isinstance(value, bool):
        word = str(value).lower()
        return (
            f'<table:table-cell office:value-type="boolean" office:boolean-value="{word}">'
            f"<text:p>{word}</text:p></table:table-cell>"
        )
    if isinstance(value, str):
        if not value:
            return "<table:table-cell/>"
        lines = "".join(f"<text:p>{escape(line)}</text:p>" for line in value.split("\n"))
        return f'<table:table-cell office:value-type="string">{lines}</table:table-cell>'
    return (
        f'<table:table-cell office:value-type="float" office:value="{value}">'
        f"<text:p>{value}</text:p></table:table-cell>"
    )


def ods(rows: list[list[TEXT]], more: str = "") -> bytes:
    """A spreadsheet of one sheet, with the many empty rows that programs write below."""
    body = "".join(
        f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows
    )
    body += more
    body += '<table:table-row table:number-rows-repeated="1048000">'
    body += '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f"<office:document-content {names}><office:body><office:spreadsheet>"
        f'<table:table table:name="札">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped({"mimetype": kind, "content.xml": content, "META-INF/manifest.xml": "<m/>"})


def written(folder: Path, data: bytes, suffix: str) -> Path:
    (folder / "cards").mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME.format(suffix=suffix), encoding="utf-8")
    (folder / "cards" / f"things.{suffix}").write_bytes(data)
    return folder


def table_game(
    folder: Path, tables: Mapping[str, bytes | str], fields: str, more: str = "", kinds: str = ""
) -> Game:
    """A game whose one kind of card is in the first of some tables; ``more`` is said of it."""
    head = TABLES.format(file=next(iter(tables)), fields=fields)
    head += "".join(f"    {line}\n" for line in more.splitlines()) + kinds
    for name, data in {"game.yaml": head, **tables}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return read_game(folder)


def shared(text: str, cells: int) -> bytes:
    """A spreadsheet in which so many cells show one text."""
    rows = "".join('<row><c t="s"><v>0</v></c></row>' for _ in range(cells))
    with zipfile.ZipFile(io.BytesIO(xlsx(ROWS, f"<sheetData>{rows}</sheetData>"))) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{main}"><si><t>{text}</t></si></sst>'
    return zipped(parts)


def repeated(text: str, times: int) -> str:
    """A row of an ods, ten cells wide, that is there so many times."""
    cell = '<table:table-cell office:value-type="string" table:number-columns-repeated="10">'
    row = f'<table:table-row table:number-rows-repeated="{times}">'
    return f"{row}{cell}<text:p>{text}</text:p></table:table-cell></table:table-row>"
