"""Tables as people have them: headings of their own, sheets, sums, notes beside, no ids."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from spreadsheet_files import TEXT, table_game, workbook

from exporter.core.problems import InvalidSource
from exporter.loader.card_tables import ids_for
from exporter.model import Game

FIELDS = "cost: number, range: {type: text, pattern: range}, copies: number"


def game_of(
    folder: Path, tables: Mapping[str, bytes | str], more: str = "", kinds: str = ""
) -> Game:
    return table_game(folder / "small", tables, FIELDS, more, kinds)


def test_headings_are_whatever_people_call_them(tmp_path: Path) -> None:
    table = "番号,名前,費用,射程,枚数,メモ\nA1,いち,2,1～3,4,あとで\n"
    more = "columns: {番号: id, 名前: name, 費用: cost, 射程: range, 枚数: copies}\nignore: [メモ]"
    card = game_of(tmp_path, {"cards/a.csv": table}, more).cards["A1"]
    assert (card.name, dict(card.fields)) == ("いち", {"cost": 2, "range": "1～3", "copies": 4})


def test_a_heading_that_begins_with_a_hash_is_not_read(tmp_path: Path) -> None:
    table = "id,name,cost,#考え,copies,range\nA1,いち,2,よくない,1,\n"
    assert game_of(tmp_path, {"cards/a.csv": table}).cards["A1"].get("cost") == 2


def test_a_new_column_is_offered_and_a_misspelt_one_refused(tmp_path: Path) -> None:
    table = "id,name,cost,速さ,copies,range\nA1,いち,2,5,1,\n"
    game = game_of(tmp_path, {"cards/a.csv": table})
    (notice,) = game.notices
    assert str(notice.where) == "small/cards/a.csv:1:14"
    assert "write `速さ: text` under `fields`" in str(notice)
    with pytest.raises(InvalidSource, match=r"'cots' is not used\. Did you mean 'cost'"):
        game_of(tmp_path, {"cards/a.csv": table.replace("cost", "cots")})


def test_a_blank_cell_says_what_stands_above_it_where_the_kind_says_so(tmp_path: Path) -> None:
    table = "name,cost\nいち,3\nに,\n合計,9\nさん,\nよん,5\n"
    game = game_of(tmp_path, {"cards/a.csv": table}, "repeats: cost\nno_cards: [合計]")
    assert [card.get("cost") for card in game.cards.values()] == [3, 3, 3, 5]


def test_a_ditto_says_what_stands_above_it_in_any_column(tmp_path: Path) -> None:
    table = "name,cost\nいち,3\nに,〃\nさん,同上\nよん,5\n"
    game = game_of(tmp_path, {"cards/a.csv": table})
    assert [card.get("cost") for card in game.cards.values()] == [3, 3, 3, 5]


def test_a_full_row_without_a_name_is_told_where_nameless_rows_are_no_cards(tmp_path: Path) -> None:
    table = "id,name,cost\na,いち,3\nb,,9\n,,7\nc,さん,4\n"
    game = game_of(tmp_path, {"cards/a.csv": table}, 'no_cards: [""]')
    assert [card.name for card in game.cards.values()] == ["いち", "さん"]
    (notice,) = game.notices
    assert str(notice).startswith("small/cards/a.csv:3:3: notice SRC-CELL This row has no name")


def test_a_column_to_ignore_may_be_gone(tmp_path: Path) -> None:
    table = "name,cost\nいち,3\n"
    game = game_of(tmp_path, {"cards/a.csv": table}, "ignore: [memo]")
    assert not game.notices


def test_titles_above_sums_below_and_notes_beside_are_no_cards(tmp_path: Path) -> None:
    rows: list[list[TEXT]] = [
        ["カード一覧", "", "", "", ""],
        ["名前", "費用", "", "枚数", ""],
        ["いち", 1, "ここは", 2, "=="],
        ["に", 3, "", 2, ""],
        ["合計", "", "", 4, ""],
        ["", "", "", 4, "x"],
    ]
    more = """\
heading: 2
columns: {名前: name, 費用: cost, 枚数: copies}
ignore: ['']
no_cards: [合計, '']"""
    data = workbook({"Sheet1": rows})
    game = game_of(tmp_path, {"cards/a.xlsx": data}, more)
    assert {card.id: card.get("copies") for card in game.cards.values()} == {"いち": 2, "に": 2}


def test_sheets_and_files_may_be_several_and_kinds_share_one(tmp_path: Path) -> None:
    book = workbook(
        {
            "表紙": [["なにか"]],
            "火": [["name", "cost"], ["火1", 1]],
            "水": [["name", "cost"], ["水1", 2]],
        }
    )
    more = "sheet: [火, 水]\nfiles: [cards/more.csv, 'cards/b.xlsx#金']"
    more_book = workbook({"土": [["?"]], "金": [["name", "cost"], ["金1", 3]]})
    more_csv = "name,cost\n木1,4\n"
    tables: dict[str, bytes | str] = {
        "cards/a.xlsx": book,
        "cards/more.csv": more_csv,
        "cards/b.xlsx": more_book,
    }
    game = game_of(tmp_path, tables, more)
    found = {card.name: card.get("cost") for card in game.cards.values()}
    assert found == {"火1": 1, "水1": 2, "木1": 4, "金1": 3}


def test_the_tables_of_a_game_are_counted_together(tmp_path: Path) -> None:
    names = [f"cards/{name}.csv" for name in "abc"]
    lines = "name,cost\n" + "\n" * 90_000
    with pytest.raises(InvalidSource, match="more than 200,000 lines"):
        game_of(tmp_path, dict.fromkeys(names, lines), f"files: {names[1:]}")


def test_an_unknown_sheet_is_told_with_the_nearest(tmp_path: Path) -> None:
    book = workbook({"Cards": [["name"], ["x"]], "Notes": [["y"]]})
    with pytest.raises(InvalidSource, match=r"no sheet 'Card'.*Did you mean 'Cards'"):
        game_of(tmp_path, {"cards/a.xlsx": book}, "sheet: Card")


def test_rows_of_one_table_may_be_of_several_kinds_and_none_is_lost(tmp_path: Path) -> None:
    table = "id,name,種類,cost\nA,いち,兵,1\nB,に,術,2\nC,さん,罠,3\n"
    more = "only: {種類: 兵}"
    spell = "術: {name: 術, file: cards/a.csv, only: {種類: 術}, fields: {cost: number}}"
    with pytest.raises(InvalidSource) as stopped:
        game_of(tmp_path, {"cards/a.csv": table}, more, kinds=f"  {spell}\n")
    told = [str(problem) for problem in stopped.value.problems]
    assert len(told) == 1
    assert told[0].startswith(
        "small/cards/a.csv:4: error SRC-VALUE This row belongs to no kind of card"
    )


def test_headings_that_are_named_and_not_there_are_told_with_the_nearest(tmp_path: Path) -> None:
    more = "columns: {なまえ: name}"
    with pytest.raises(InvalidSource) as stopped:
        game_of(tmp_path, {"cards/a.csv": "名まえ,cost\nx,1\n"}, more)
    told = "\n".join(str(problem) for problem in stopped.value.problems)
    assert "game.yaml:9:15: error SRC-REF columns: the table has no column 'なまえ'." in told


def test_a_day_is_a_range_where_a_range_is_asked_for_and_a_fault_elsewhere(tmp_path: Path) -> None:
    rows: list[list[TEXT]] = [["name", "range", "cost"], ["いち", 0, 1], ["に", "2", 0]]
    day = '<c r="{}" s="1"><v>45294</v></c>'  # 2024-01-03
    styled = {"B2": day.format("B2")}
    game = game_of(tmp_path, {"cards/a.xlsx": workbook({"S": rows}, styled)}, "")
    assert game.cards["いち"].get("range") == "1-3"
    assert [str(each) for each in game.notices] == [
        "small/cards/a.xlsx:S!B2: notice SRC-CELL A spreadsheet turned this into a date; it was read "  # noqa: E501
        "as 1-3. If that is wrong, format the cell as text and enter the value again."
    ]
    wrong = workbook({"S": rows}, {"C3": day.format("C3")})
    with pytest.raises(InvalidSource, match=r"S!C3: error SRC-CELL .*turned this into a date"):
        game_of(tmp_path, {"cards/a.xlsx": wrong})


def test_what_is_wrong_with_cells_that_nobody_reads_stops_nothing(tmp_path: Path) -> None:
    rows: list[list[TEXT]] = [["name", "cost", "メモ"], ["いち", 1, 0], ["合計", 0, 0]]
    bad = {"C2": '<c r="C2" t="e"><v>#DIV/0!</v></c>', "B3": '<c r="B3" t="e"><v>#REF!</v></c>'}
    more = "ignore: [メモ]\nno_cards: [合計]"
    data = workbook({"S": rows}, bad)
    assert list(game_of(tmp_path, {"cards/a.xlsx": data}, more).cards) == ["いち"]


def test_a_card_without_an_id_has_its_name_for_one(tmp_path: Path) -> None:
    table = "name,cost\n火の玉,1\nA/B: 2,2\n火の玉,3\n"
    game = game_of(tmp_path, {"cards/a.csv": table})
    assert list(game.cards) == ["火の玉", "A-B- 2", "火の玉-2"]


def test_a_renamed_card_keeps_the_id_that_was_written_down(tmp_path: Path) -> None:
    tables = {
        "cards/a.csv": "name,cost\nいち,1\n弐,2\nさん,3\nよん,4\n",
        "cards/a.ids.csv": "id,name\none,いち\ntwo,に\nthree,さん\n",
    }
    game = game_of(tmp_path, tables, "ids: cards/a.ids.csv")
    assert {card.name: key for key, card in game.cards.items()} == {
        "いち": "one", "弐": "two", "さん": "three", "よん": "よん",
    }  # fmt: skip
    assert (
        "The row of に now says 弐, so it was taken as the same card and keeps the id two."
        in str(game.notices[0])
    )


@pytest.mark.parametrize(
    ("names", "ids"),
    [
        (["a", "b", "c"], ["1", "2", "3"]),
        (["c", "a", "b"], ["3", "1", "2"]),
        (["a", "x", "c"], ["1", "2", "3"]),
        (["a", "c"], ["1", "3"]),
        (["new", "a", "b", "c"], ["new", "1", "2", "3"]),
        (["a", "x", "y", "c"], ["1", "x", "y", "3"]),
        (["a", "b", "c", "1"], ["1", "2", "3", "1-2"]),
    ],
)
def test_ids_follow_names_and_then_places(names: list[str], ids: list[str]) -> None:
    known = {"1": "a", "2": "b", "3": "c"}
    assert ids_for(names, known)[0] == ids
