"""Cards in spreadsheets: read as they are seen, numbers as they are shown, and what is wrong named
by sheet and cell.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
import yaml
from spreadsheet_files import ROWS, TEXT, ods, ods_cell, repeated, shared, written, xlsx, zipped

from exporter.core.problems import InvalidSource
from exporter.loader.game_reader import read_game
from exporter.loader.spreadsheets import shown_by_format, shown_in_ods


def faults(folder: Path) -> list[str]:
    with pytest.raises(InvalidSource) as caught:
        read_game(folder)
    return [str(problem) for problem in caught.value.problems]


TSV = "\n".join(
    "\t".join('"' + str(cell).replace('"', '""').lower() + '"' for cell in row) for row in ROWS
).replace("2.0", "2").replace('"a', '"A')  # fmt: skip


@pytest.mark.parametrize(
    ("suffix", "data"), [("xlsx", xlsx(ROWS)), ("ods", ods(ROWS)), ("tsv", TSV.encode())]
)
def test_cards_are_the_same_from_any_table(suffix: str, data: bytes, tmp_path: Path) -> None:
    game = read_game(written(tmp_path / "small", data, suffix))
    assert [(card.id, card.name, dict(card.fields)) for card in game.cards.values()] == [
        ("A1", "いち", {"value": 1, "text": "1行目\n2行目", "odd": True}),
        ("A2", 'に, または "二"', {"value": 2, "text": "", "odd": False}),
    ]


@pytest.mark.parametrize(("suffix", "made"), [("xlsx", xlsx), ("ods", ods)])
def test_a_faulty_value_is_named_by_sheet_and_cell(
    suffix: str, made: object, tmp_path: Path
) -> None:
    rows = [*ROWS, ["A3", "さん", "three", "", False], ["A3", "", 4, "", False]]
    assert callable(made)
    told = faults(written(tmp_path / "small", made(rows), suffix))
    file = f"small/cards/things.{suffix}"
    assert any(line.startswith(f"{file}:札!C4: error SRC-VALUE value: found") for line in told)
    assert any(line.startswith(f"{file}:札!B5: error SRC-VALUE The name is") for line in told)
    assert any(line.startswith(f"{file}:札!A5: error SRC-ID") for line in told)


def test_a_formula_without_a_value_is_told_below_all_values_too(tmp_path: Path) -> None:
    """The library leaves out what lies beyond the last value."""
    cells = {f"{column}3": f'<c r="{column}3"><f>1+1</f></c>' for column in "ABCDE"}
    told = faults(written(tmp_path / "small", xlsx(ROWS, cells=cells), "xlsx"))
    assert (
        len([line for line in told if "The result of this formula has not been saved yet" in line])
        == 5
    )


def test_cells_merged_over_columns_that_hold_nothing_are_as_they_seem(tmp_path: Path) -> None:
    """Names and their heading over three columns each, as on squared paper."""
    rows: list[list[TEXT]] = [["id", "name", "", "", "value"], ["A1", "火", "", "", 3]]
    merged = '<mergeCells count="2"><mergeCell ref="B1:D1"/><mergeCell ref="B2:D2"/></mergeCells>'
    folder = written(tmp_path / "small", xlsx(rows, merged), "xlsx")
    head = folder / "game.yaml"
    text = head.read_text(encoding="utf-8")
    head.write_text(text.replace("file: cards", "ignore: ['']\n    file: cards"), encoding="utf-8")
    assert read_game(folder).cards["A1"].name == "火"


def ods_number(value: float, shown: str, sort: str = "float", times: int = 1) -> str:
    cell = f'<table:table-cell office:value-type="{sort}" office:value="{value}" '
    return (
        f'{cell}table:number-columns-repeated="{times}"><text:p>{shown}</text:p></table:table-cell>'
    )


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_a_number_is_read_as_the_sheet_shows_it_and_what_is_read_otherwise_is_told(
    suffix: str, tmp_path: Path
) -> None:
    rows: list[list[TEXT]] = [ROWS[0], ["A1", "いち", 3, 0.25, True], ["A2", "に", 4, 0.5, True]]
    if suffix == "xlsx":
        cells = {
            "C2": '<c r="C2" s="4"><v>3</v></c>',
            "C3": '<c r="C3" s="4"><v>4</v></c>',
            "D2": '<c r="D2" s="2"><v>0.25</v></c>',
            "D3": '<c r="D3" s="3"><v>0.5</v></c>',
        }
        data = xlsx(rows, cells=cells)
    else:
        with zipfile.ZipFile(io.BytesIO(ods(rows))) as archive:
            parts: dict[str, str | bytes] = {n: archive.read(n) for n in archive.namelist()}
        text = bytes(parts["content.xml"]).decode()  # type: ignore[arg-type]
        for value, shown, sort in (
            (3, "3枚", "float"),
            (4, "4枚", "float"),
            (0.25, "25%", "percentage"),
            (0.5, "1/2", "float"),
        ):
            text = text.replace(ods_cell(value), ods_number(value, shown, sort))
        data = zipped({**parts, "content.xml": text})
    game = read_game(written(tmp_path / "small", data, suffix))
    values = [(card.fields["value"], card.fields["text"]) for card in game.cards.values()]
    assert values == [(3, "25%"), (4, "0.5")]
    of_words, of_fraction = game.notices
    is_xlsx = suffix == "xlsx"
    seen = (
        ('is formatted as 0"枚"', "is formatted as # ?/?")
        if is_xlsx
        else ("shows 3枚", "shows 1/2")
    )
    assert str(of_words.where).endswith("札!C2")
    assert f"This cell {seen[0]}, but its value 3 was read" in of_words.message
    assert str(of_fraction.where).endswith("札!D3")
    assert f"This cell {seen[1]}, but its value 0.5 was read" in of_fraction.message


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_each_row_that_merged_cells_cover_has_their_value(suffix: str, tmp_path: Path) -> None:
    rows: list[list[TEXT]] = [ROWS[0], ["A1", "い", 7, "", ""], ["A2", "ろ", "", "", ""]]
    if suffix == "xlsx":
        data = xlsx(rows, '<mergeCells count="1"><mergeCell ref="C2:C3"/></mergeCells>')
    else:
        cell = '<table:table-cell office:value-type="float" '
        with zipfile.ZipFile(io.BytesIO(ods(rows))) as archive:
            parts: dict[str, str | bytes] = {n: archive.read(n) for n in archive.namelist()}
        text = bytes(parts["content.xml"]).decode()  # type: ignore[arg-type]
        spanned = text.replace(cell, f'{cell}table:number-rows-spanned="2" ', 1)
        data = zipped({**parts, "content.xml": spanned})
    game = read_game(written(tmp_path / "small", data, suffix))
    assert [card.fields["value"] for card in game.cards.values()] == [7, 7]
    assert [str(one).partition(":")[2] for one in game.notices] == [
        "札!C2: notice SRC-CELL Cells are merged here: every row they cover was read with their value."  # noqa: E501
    ]


FAR = '<c r="XFD1048576"><v>1</v></c>'
DEEP = '<table:table-row table:number-rows-repeated="90000000">' + ods_cell(1)


@pytest.mark.parametrize(
    ("suffix", "data", "said"),
    [
        ("xlsx", xlsx(ROWS, cells={"E3": FAR}), "extends to XFD1048576"),
        ("ods", ods(ROWS, DEEP + "</table:table-row>"), "extends to E90000003"),
        ("xlsx", b"id,name\n", "This spreadsheet cannot be read"),
        ("xlsx", b"", "This spreadsheet cannot be read"),
        ("xlsx", xlsx(ROWS)[:-300], "This spreadsheet cannot be read"),
        ("ods", xlsx(ROWS), "or another type of file"),
        ("xlsx", ods(ROWS), "or another type of file"),
        ("xlsx", zipped({"xl/workbook.xml": "<a>"}), "it is damaged"),
        ("xlsx", zipped({"xl/workbook.xml": b" " * 70_000_000}), "more than 32 MiB"),
        ("xlsx", zipped({f"{n}.xml": "" for n in range(1001)}), "more than 1,000 entries"),
        (
            "xlsx",
            xlsx(ROWS, '<sheetData><row r="9000000"><c><v>1</v></c></row></sheetData>'),
            "extends to E9000000",
        ),
        (
            "xlsx",
            xlsx(ROWS, "<sheetData>" + "<c/>" * 100_001 + "</sheetData>"),
            "more than 100,000 cells",
        ),
        ("xlsx", xlsx(ROWS, "<a/>" * 800_001), "more than 800,000 elements"),
        ("xlsx", shared("x" * 60_000, 134), "more than 8,000,000 characters"),
        ("ods", ods(ROWS, repeated("x" * 60_000, 134)), "more than 8,000,000 characters"),
        ("ods", ods(ROWS, repeated('<text:s text:c="9000000"/>', 1)), "more than 8,000,000 char"),
        ("ods", ods(ROWS, repeated("x", 19_990)), "more than 150,000 cells"),
        ("xlsx", xlsx(ROWS, cells={"A2": '<c r="?"><v>1</v></c>'}), "it is damaged"),
        ("ods", zipped({"content.xml": "<a/>"}), "it has no sheets"),
    ],
)
def test_a_hostile_spreadsheet_is_refused_in_a_sentence(
    suffix: str, data: bytes, said: str, tmp_path: Path
) -> None:
    told = faults(written(tmp_path / "small", data, suffix))
    assert len(told) == 1
    assert told[0].startswith(f"small/cards/things.{suffix}: error")
    assert said in told[0]


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "xxxxxxxxxx">' + "".join(
        f'<!ENTITY b{n} "{f"&b{n - 1 if n else str()};" * 10}">' for n in range(9)
    )
    text = bomb + "]><a>&b8;</a>"
    assert faults(written(tmp_path, zipped({"xl/workbook.xml": text}), "xlsx"))


def test_an_empty_spreadsheet_says_how_to_begin(tmp_path: Path) -> None:
    for suffix, data in (("xlsx", xlsx([])), ("ods", ods([]))):
        told = faults(written(tmp_path / suffix, data, suffix))
        assert "The table is empty" in told[0]


def test_what_a_spreadsheet_leaves_while_it_is_open_is_no_table(tmp_path: Path) -> None:
    folder = written(tmp_path / "small", xlsx(ROWS), "xlsx")
    (folder / "cards" / "~$things.xlsx").write_bytes(b"lock")
    assert len(read_game(folder).cards) == 2


def test_a_spreadsheet_that_no_kind_names_is_a_problem(tmp_path: Path) -> None:
    folder = written(tmp_path / "small", xlsx(ROWS), "xlsx")
    (folder / "cards" / "things.csv").write_text("id,name\n", encoding="utf-8")
    assert "No kind of card in game.yaml uses this file" in faults(folder)[0]


def test_decks_may_be_spreadsheets_too(tmp_path: Path) -> None:
    folder = written(tmp_path / "small", xlsx(ROWS), "xlsx")
    (folder / "decks").mkdir()
    deck = xlsx([["deck", "card", "copies"], ["main", "A1", 3]])
    (folder / "decks" / "decks.xlsx").write_bytes(deck)
    assert [(row.deck, row.card, row.copies) for row in read_game(folder).decks] == [
        ("main", "A1", 3)
    ]


SHOWN = yaml.safe_load((Path(__file__).parent / "shown_numbers.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("value", "code", "read"), SHOWN["by_format"])
def test_what_a_format_shows_is_read(value: float, code: str, read: str) -> None:
    assert shown_by_format(value, code) == (read, "")


@pytest.mark.parametrize(("value", "code"), SHOWN["not_shown"])
def test_of_any_other_format_the_number_is_read_and_that_is_told(value: float, code: str) -> None:
    assert shown_by_format(value, code) == (f"{value}", code)


@pytest.mark.parametrize(("value", "shown", "read", "told"), SHOWN["in_ods"])
def test_what_an_ods_says_it_shows_is_read(value: float, shown: str, read: str, told: str) -> None:
    assert shown_in_ods(value, shown) == (read, told)
