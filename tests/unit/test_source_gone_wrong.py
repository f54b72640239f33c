"""Ways in which spreadsheets go wrong: each is loaded right, or told with its place."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from japanese import english_in
from spreadsheet_files import TEXT, ods, ods_cell, table_game, workbook, zipped

from exporter.core.problems import InvalidSource
from exporter.model import Game

COLUMNS = "id,name,cost,range,weight,text,odd"
FIELDS = (
    "cost: number, range: {type: text, pattern: range}, weight: {type: text, pattern: number},"
    " text: text, odd: flag"
)


def game_of(folder: Path, suffix: str, data: bytes | str, fields: str = FIELDS) -> Game:
    return table_game(folder / "small", {f"cards/a.{suffix}": data}, fields)


def cell(folder: Path, suffix: str, data: bytes | str, field: str) -> str:
    """What stands in a field of the card A."""
    return game_of(folder, suffix, data).cards["A"].text(field)


def row(**cells: str) -> str:
    values = {"id": "A", "name": "名", **cells}
    return ",".join(values.get(name, "") for name in COLUMNS.split(","))


def table(*, end: str = "\n", **cells: str) -> str:
    return end.join([COLUMNS, row(**cells), ""])


def book(cells: dict[str, str] | None = None, **values: TEXT) -> bytes:
    known: dict[str, TEXT] = {"id": "A", "name": "名", **values}
    names = COLUMNS.split(",")
    return workbook({"Sheet1": [[*names], [known.get(name, "") for name in names]]}, cells)


def put(data: bytes, part: str, *pairs: tuple[str, str]) -> bytes:
    """A spreadsheet with other words in one of its parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    text = bytes(parts[part]).decode()  # type: ignore[arg-type]
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return zipped({**parts, part: text})


def shown_as(code: str, cell: str) -> bytes:
    """A spreadsheet in which a cell of style 4 is shown so."""
    written = code.replace('"', "&quot;")
    return put(book({"F2": cell}, text=""), "xl/styles.xml", ("0&quot;枚&quot;", written))


def table_of(**values: TEXT) -> bytes:
    known: dict[str, TEXT] = {"id": "A", "name": "名", **values}
    return ods([[*COLUMNS.split(",")], [known.get(name, "") for name in COLUMNS.split(",")]])


SHEET = "xl/worksheets/sheet1.xml"
NUMBER = '<c r="F2" s="4"><v>{}</v></c>'
STRICT = "http://purl.oclc.org/ooxml"
OPEN = "http://schemas.openxmlformats.org"


def strict() -> bytes:
    data = book(cost=2)
    for part in ("xl/workbook.xml", SHEET, "xl/styles.xml"):
        data = put(data, part, (f"{OPEN}/spreadsheetml/2006/main", f"{STRICT}/spreadsheetml/main"))
    relations = (f"{OPEN}/officeDocument/2006/", f"{STRICT}/officeDocument/")
    return put(data, "xl/workbook.xml", relations)


JA = table(text="火の玉、③")
DAY = '<c r="F2" s="1"><v>45294</v></c>'
ERROR = '<c r="C2" t="e"><v>#DIV/0!</v></c>'
PHONETIC = '<c r="F2" t="inlineStr"><is><t>火</t><rPh sb="0" eb="1"><t>ヒ</t></rPh></is></c>'
RICH = '<c r="F2" t="inlineStr"><is><r><t>火の</t></r><r><t>玉</t></r></is></c>'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suffix", "data", "field", "value"),
    [
        ("csv", JA.encode("utf-8-sig"), "text", "火の玉、③"),  # UTF-8 as Excel saves it
        ("csv", JA.encode(), "text", "火の玉、③"),  # and web sheets
        ("csv", JA.encode("cp932"), "text", "火の玉、③"),  # plain CSV of a Japanese Excel
        ("csv", table(end="\r\n", cost="2").encode(), "cost", "2"),
        ("csv", table(end="\r", cost="2").encode(), "cost", "2"),  # of an old Mac
        ("csv", f"{COLUMNS},,,\n{row(cost='2')},,,\n".encode(), "cost", "2"),  # empty columns
        ("csv", f"{table(cost='2')},,,,,,\n,,,,,,\n\n".encode(), "cost", "2"),  # empty rows
        ("csv", f"sep=,\r\n{table(cost='2')}".encode(), "cost", "2"),
        ("csv", f"sep=;\n{table(cost='2').replace(',', ';')}".encode(), "cost", "2"),
        ("csv", table(cost="2").replace(",", ";").encode(), "cost", "2"),  # of a German Excel
        ("csv", table(cost="2").replace(",", "\t").encode(), "cost", "2"),  # renamed, or pasted
        ("csv", table(cost=" 2\u3000").encode(), "cost", "2"),
        ("csv", table(text="\u200bここ\ufeff\xa0").encode(), "text", "ここ"),  # of a web page
        ("csv", table(text='"1行目\n2行目"').encode(), "text", "1行目\n2行目"),
        ("csv", table(text='"「""それ""」, と"').encode(), "text", '「"それ"」, と'),
        ("csv", table(odd="TRUE").encode(), "odd", "1"),
        ("tsv", table(cost="2").replace(",", "\t").encode(), "cost", "2"),
        ("tsv", table(cost="2").encode(), "cost", "2"),  # CSV under another name
        # a heading with more commas than there are tabs
        ("tsv", "\n".join(
            [f"{COLUMNS}|ノート".replace(",", "\t").replace("|", "\t") + "(a,b,c,d,e,f,g,h,i)",
             row(cost="2").replace(",", "\t") + "\t", ""]).encode(), "cost", "2"),
        ("xlsx", book(cost=2), "cost", "2"),
        ("xlsx", book(cost="2"), "cost", "2"),  # a number written as text
        ("xlsx", book(weight=0.1 + 0.2), "weight", "0.3"),
        ("xlsx", book({"C2": '<c r="C2"><f>1+1</f><v>2</v></c>'}, cost=0), "cost", "2"),
        ("xlsx", book({"F2": PHONETIC}, text=""), "text", "火"),  # Excel's own furigana
        ("xlsx", book({"F2": RICH}, text=""), "text", "火の玉"),
        ("xlsx", book(odd=True), "odd", "1"),
        ("xlsx", book({"D2": '<c r="D2" s="1"><v>45294</v></c>'}, range=""), "range", "1-3"),
        ("ods", ods([[*COLUMNS.split(",")], ["A", "名", 2, "1～3", "", "x", True]]), "cost", "2"),
        ("csv", f"\n\n,,\n{table(cost='2')}".encode(), "cost", "2"),  # empty rows above
        ("csv", table(cost='"2"').encode(), "cost", "2"),  # every cell in quotation marks
        ("csv", ",".join(f'"{name}"' for name in COLUMNS.split(",")).encode() + b"\n"
         + row(cost="2").encode(), "cost", "2"),
        ("csv", table(cost="2").rstrip("\n").encode(), "cost", "2"),  # no end to the last line
        ("csv", table(text="e\u0301").encode(), "text", "e\u0301"),  # signs put together
        ("csv", table(text="100%").encode(), "text", "100%"),
        ("csv", table(text="\U0001f525").encode(), "text", "\U0001f525"),
        ("tsv", table(text='"a\tb"').replace(",", "\t").encode(), "text", "a\tb"),
        ("xlsx", book(text=" x "), "text", "x"),
        ("xlsx", book(text="1\n2"), "text", "1\n2"),  # Alt+Enter
        ("xlsx", book(text="一_x000D_\n二"), "text", "一\n二"),
        ("xlsx", book(cost=2.0), "cost", "2"),
        ("xlsx", book(weight=1e-3), "weight", "0.001"),
        ("xlsx", book(text="1,000"), "text", "1,000"),
        ("xlsx", book({"C2": '<c r="C2" t="str"><f>"2"</f><v>2</v></c>'}, cost=0), "cost", "2"),
        ("xlsx", book({"C2": '<c r="C2" s="1"/>', "D2": '<c r="D2" s="1"/>'}, cost="", range=""),
         "name", "名"),  # cells that were merely coloured
    ],
)  # fmt: skip
def test_it_loads_right(suffix: str, data: bytes, field: str, value: str, tmp_path: Path) -> None:
    assert cell(tmp_path, suffix, data, field) == value


@pytest.mark.parametrize(
    ("suffix", "data", "place", "said"),
    [
        ("csv", JA.encode("utf-16"), ":1:1", "saved as UTF-16"),  # Excel's Unicode text
        ("csv", table(range="3-Jan").encode(), ":2:6", "turned this into the date"),
        ("csv", table(text="?").encode(), ":2:8", "a character such as ❺ seems to have turned into a ?"),  # noqa: E501
        ("csv", table(cost='"1,000"').encode(), ":2:5", "allowed: a whole number"),
        ("csv", table(cost="#REF!").encode(), ":2:5", "allowed: a whole number"),
        ("csv", table(text="#N/A").encode(), ":2:8", "is a formula, or the error of one"),
        ("csv", table(text="=SUM(B2:B9)").encode(), ":2:8", "is a formula, or the error of one"),
        ("csv", table(text='"x').encode(), ":2:1", "never closed"),
        ("csv", table(text='"b"c').encode(), ":2:1", "there is text after a closing quotation"),
        ("csv", f"{COLUMNS}\nA,名\n".encode(), ":2", "has 2 columns, but the header has 7"),
        ("csv", f"{COLUMNS}\nA,名\n{row(cost='x')}\n".encode(), ":3:5", "cost: found 'x'"),
        ("csv", table(text='"a\nb"', odd="x").encode(), ":3:4", "odd: found 'x'"),
        ("csv", table(name='"say ""x"""', cost="x").encode(), ":2:15", "cost: found 'x'"),
        ("csv", table(text="a" * 131_073).encode(), ":2:1", "more than 131,072 characters"),
        ("csv", ("id\n" + "\n" * 200_001).encode(), "a.csv", "more than 200,000 lines"),
        ("csv", ("id\r" + "\r" * 200_001).encode(), "a.csv", "more than 200,000 lines"),
        ("csv", ("id\n" + "," * 150_001).encode(), "a.csv", "more than 150,000 cells"),
        ("csv", f"{COLUMNS}\n{row()},x,y\n".encode(), ":2:", "has 9 columns, but the header has 7"),
        ("csv", table().replace("odd", "").encode() + b"B,n,,,,,x\n", ":3", "columns"),
        ("csv", table().replace("weight", "cost").encode(), ":1:", "There are two columns 'cost'"),
        ("csv", b"", ":1:1", "The table is empty"),
        ("xlsx", book({"F2": DAY}, text=""), "Sheet1!F2", "turned this into a date"),
        ("xlsx", book({"C2": '<c r="C2"><f>1+1</f></c>'}, cost=0), "Sheet1!C2",
         "has not been saved yet"),
        ("xlsx", book({"C2": ERROR}, cost=0), "Sheet1!C2", "results in an error"),
        ("xlsx", book(cost=0.5), "Sheet1!C2", "allowed: a whole number"),
        ("xlsx", book({"C2": '<c r="C2" s="2"><v>0.25</v></c>'}, cost=0), "Sheet1!C2",
         "cost: found '25%'"),
        ("xlsx", book({"A2": '<c r="A2"><v>123456789012345678</v></c>'}), "Sheet1!A2",
         "has lost digits of this number"),
        ("xlsx", book(text="a\ufffdb"), "Sheet1!F2", "contains the character U+FFFD"),
        ("ods", table_of(text="\ufffd"), "札!F2", "contains the character U+FFFD"),
        ("xlsx", zipped({"x": "y"}), "a.xlsx", "This spreadsheet cannot be read"),
        ("csv", table().replace("text", "").encode(), ":1:", "This column has no heading"),
        ("csv", f"{COLUMNS}\n{row()}\n{row()}\n".encode(), ":3", "appears twice"),
        ("csv", table(name="").encode(), ":2", "name"),
        ("csv", table(odd="○").encode(), ":2:9", "allowed: 1 or empty"),
        ("csv", table(text="a\x00b").encode(), "a.csv", "a NUL character"),
        ("csv", table(text="x").encode("cp932") + b"\x81", "a.csv", "SRC-TEXT"),
        ("csv", b"\x89PNG\r\n\x1a\n\x00\x00", "a.csv:1:1", "a picture or a PDF"),
        ("csv", workbook({"Sheet1": [["id", "name"]]}), "a.csv:1:1", "a spreadsheet"),
        ("csv", b"<html><table></table></html>", ":1:1", "SRC-CSV"),  # of a page to sign in at
        ("xlsx", workbook({"Sheet1": [["id", "name"], ["A", "n", "stray"]]}), "Sheet1!C2",
         "The column of this cell has no heading"),
        ("xlsx", b"\xd0\xcf\x11\xe0 old", "a.xlsx", "This spreadsheet cannot be read"),
        ("csv", table(text="繧ｫ繝ｼ繝・").encode(), ":2:8", "in a different encoding"),
        ("csv", table(text="Ã©tÃ©").encode(), ":2:8", "in a different encoding"),
        ("xlsx", book(text="\x93a\x94"), "Sheet1!F2", "U+0093"),
        ("csv", table(text="Err:508").encode(), ":2:8", "is a formula, or the error of one"),
        ("xlsx", book(text="=A1&B1"), "Sheet1!F2", "is a formula, or the error of one"),
        ("ods", put(table_of(text="x"), "content.xml", ('"string"><text:p>x<', '"string" '
         'office:string-value="" table:formula="of:=1/0"><text:p>#DIV/0!<')), "札!F2", "an error"),
    ],
)  # fmt: skip
def test_it_is_told_with_its_place(
    suffix: str, data: bytes, place: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSource) as stopped:
        cell(tmp_path, suffix, data, "text")
    told = [str(problem) for problem in stopped.value.problems]
    assert any(place in line and said in line for line in told), told
    japanese = [problem.in_language("ja") for problem in stopped.value.problems]
    assert not [line for line in japanese if english_in(line)]


OLD: list[list[TEXT]] = [["x"]]
CARDS: list[list[TEXT]] = [[*COLUMNS.split(",")], ["A", "名", 2, "", "", "", ""]]
HIDES = (
    '<s:style xmlns:s="urn:oasis:names:tc:opendocument:xmlns:style:1.0" s:name="no">'
    '<table:table-properties table:display="false"/></s:style>'
)


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        ("xlsx", workbook({"古い": OLD, "カード": CARDS}, states={"古い": "hidden"})),
        (
            "ods",
            put(
                ods(OLD, '</table:table><table:table table:name="カード">' + "".join(
                    f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>"
                    for row in CARDS
                )),
                "content.xml",
                ('<table:table table:name="札">',
                 f'{HIDES}<table:table table:name="札" table:style-name="no">'),
            ),
        ),
    ],
)  # fmt: skip
def test_a_hidden_sheet_is_not_the_first(suffix: str, data: bytes, tmp_path: Path) -> None:
    assert cell(tmp_path, suffix, data, "cost") == "2"


@pytest.mark.parametrize(
    ("suffix", "data", "field", "value", "said"),
    [
        # characters that nobody sees
        ("csv", table(odd="1").replace("odd", "o\u200bdd").encode(), "odd", "1", ""),
        ("csv", table(text="Wa\u00adter").encode(), "text", "Water", ""),
        ("xlsx", book(text="火\u202e玉"), "text", "火玉", ""),
        ("ods", table_of(cost="1\ufeff2"), "cost", "12", ""),
        ("csv", table(text="👩\u200d🚀と⚔\ufe0f").encode(), "text", "👩\u200d🚀と⚔\ufe0f", ""),
        ("csv", table(text="葛\U000e0100飾").encode(), "text", "葛\U000e0100飾", ""),
        ("csv", table(text="a\xa0b\u202fc").encode(), "text", "a b c", ""),
        ("xlsx", book(text="一\u2028二"), "text", "一\n二", ""),
        ("csv", table(text='"一\r二"').encode(), "text", "一\n二", ""),
        # formats
        ("xlsx", shown_as('[=1]"one";[>9]0.0;0', NUMBER.format(1)), "text", "1", "[=1]"),
        ("xlsx", shown_as("[&gt;5]0;[&lt;2]0", NUMBER.format(3)), "text", "3",
         "[>5]0;[<2]0, but its value 3 was"),
        ("xlsx", shown_as("[DBNum1]General", NUMBER.format(3)), "text", "3", "DBNum1"),
        ("xlsx", shown_as("00-00", NUMBER.format(1234)), "text", "1234",
         "00-00, but its value 1234 was"),
        ("ods", put(table_of(cost=7), "content.xml", ("<text:p>7</text:p>", "<text:p/>")), "cost",
         "7", 'This cell shows "", but its value 7 was'),
        # what an .ods holds besides
        ("ods", put(table_of(cost=7), "content.xml", ("<text:p>7", '<office:annotation><text:p>強い'
         "</text:p></office:annotation><text:p>7")), "cost", "7", ""),
        ("ods", put(table_of(text="a"), "content.xml",
         ("<text:p>a", "<text:p>a<text:tab/>b<text:line-break/>c")), "text", "a\tb\nc", ""),
        ("ods", put(table_of(text="火"), "content.xml", ("<text:p>火", "<text:p><text:ruby>"
         "<text:ruby-base>火</text:ruby-base><text:ruby-text>ひ</text:ruby-text></text:ruby>")),
         "text", "{火|ひ}", ""),
        # rows and columns
        ("csv", f"{table()}\n{COLUMNS}\n".encode(), "name", "名", ":4:1: notice"),
        ("csv", f"{table()}B,合計,3,,,,\n".encode(), "name", "名", ":3:3: notice"),
        # what a spreadsheet wrote
        ("csv", table(text="2月2日").encode(), "text", "2月2日", "looks like a date"),
        ("csv", table(text=' "a, b"').encode(), "text", "a, b", ""),
        ("xlsx", strict(), "cost", "2", ""),
    ],
)  # fmt: skip
def test_what_nobody_sees_is_left_out_and_told(
    suffix: str, data: bytes, field: str, value: str, said: str, tmp_path: Path
) -> None:
    game = game_of(tmp_path, suffix, data)
    assert game.cards["A"].text(field) == value
    notices = game.notices
    assert [str(each) for each in notices if said and said in str(each)] or not (said or notices)
    assert not [each for each in notices if english_in(each.in_language("ja"))]


@pytest.mark.parametrize(
    ("name", "text", "encoding"),
    [
        ("ファイア", "カードをひく", "euc_jp"),
        ("불덩이", "카드를 뽑는다", "euc_kr"),
        ("Drache", "Stärke ist alles", "cp1252"),
    ],
)
def test_an_encoding_that_reads_as_another_one_is_told(
    name: str, text: str, encoding: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSource, match="cp932"):
        cell(tmp_path, "csv", table(name=name, text=text).encode(encoding), "text")


def test_headings_that_hold_a_comma_are_parted_by_what_parts_the_others(tmp_path: Path) -> None:
    text = table(cost="2").replace(",", "\t").replace("weight", "a, b")
    game = game_of(tmp_path, "csv", text)
    assert game.cards["A"].text("cost") == "2"
    assert "The column 'a, b' is new" in str(game.notices[0])


def test_a_row_is_passed_over_where_it_says_all_headings_alone(tmp_path: Path) -> None:
    assert cell(tmp_path, "csv", table(text="text").encode(), "text") == "text"


def test_words_of_a_list_that_something_else_parts_are_told(tmp_path: Path) -> None:
    fields = FIELDS.replace("text: text", "text: list")
    (notice,) = game_of(tmp_path, "csv", table(text="火、水"), fields).notices
    assert "words are separated by /" in str(notice)


def test_a_row_that_holds_a_heading_alone_is_told(tmp_path: Path) -> None:
    text = "name,cost\n■ 火,\n火の玉,1\n集計,1\n"
    told = [str(notice) for notice in game_of(tmp_path, "csv", text).notices]
    assert [line.split(": ")[0] for line in told] == [
        "small/cards/a.csv:2:1",
        "small/cards/a.csv:4:1",
    ]
