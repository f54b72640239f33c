"""What columns and rows of a stranger's table are taken for, without making a game of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from spreadsheet_files import workbook

from exporter.importer.card_sheets import card_sheets
from exporter.importer.column_roles import known_headings
from exporter.importer.kinds_from_sheets import CardKind, card_kinds


def kind_of(table: str, name: str = "mine.csv") -> CardKind:
    sheets, _others = card_sheets(Path(name), table.encode(), "", known_headings())
    (kind,) = card_kinds({f"cards/{name}": sheets})
    return kind


def roles(table: str) -> dict[str, str]:
    return {column.heading: column.role for column in kind_of(table).columns}


CARDS = ["Wick", "Reed", "Moth", "Oak", "Elm", "Fen", "Lark", "Rook", "Tarn", "Wren", "Yew", "Ash"]
NUMBERS = ("#", "No.", "Nr", "番号")
FEW = (1, 2, 2, 1, 3, 1, 1, 1, 1, 2, 1, 1)


@pytest.mark.parametrize(
    ("headings", "row", "heading", "role"),
    [
        # a running number is no number of copies
        *((f"{heading},Name,Text", "{n},{},Do it.", heading, "note") for heading in NUMBERS),
        ("#,Name,Text", "{few},{},Do it.", "#", "copies"),
        # a heading counts where the cells can be that
        ("Name,Body", "{},Light it.", "Body", "text"),
        ("Name,Power", "{},Flies very fast over all.", "Power", "text"),
        ("Name,Portrait", "{},wick.png", "Portrait", "art"),
        # one of two meanings is read by the others
        ("Hero,Title,HP", "{},The {few}th,{n}", "Hero", "name"),
        ("Hero,Name,HP", "Bo,{},{n}", "Name", "name"),
        ("Name,Price,Text", "{},{few},Do it.", "Price", "cost"),
        ("Name,Cost,Price", "{},{n},{few}", "Price", "figure"),
        ("Name,Price,Text", "{},0.25,Do it.", "Price", None),
        ("Name,# copies,Text", "{},{few},Do it.", "# copies", "copies"),
        ("Name,Number,Text", "{},{few},Do it.", "Number", "figure"),
    ],
)
def test_what_a_column_is_taken_for(
    headings: str, row: str, heading: str, role: str | None
) -> None:
    rows = [
        row.format(name, n=n, few=few)
        for n, (name, few) in enumerate(zip(CARDS, FEW, strict=True), 1)
    ]
    assert roles("\n".join([headings, *rows])).get(heading) == role


def test_yes_and_no_sort_no_cards() -> None:
    rows = "".join(f"C{n},{'yes' if n % 2 else 'no'},Do it {n} times.\n" for n in range(8))
    assert roles(f"Name,Flies,Text\n{rows}")["Flies"] != "type"


def test_a_sheets_own_word_in_the_singular_is_the_name() -> None:
    book = workbook({"Heroes": [["Title", "Hero", "HP"], ["The Calm", "Ann", 3], ["Sir", "Bo", 4]]})
    (sheet,), _others = card_sheets(Path("a.xlsx"), book, "", known_headings())
    assert sheet.names == ("Ann", "Bo")


@pytest.mark.parametrize("heading", ["Done?", "Approved", "履歴"])
def test_what_authors_write_for_themselves_is_on_no_card(heading: str) -> None:
    kind = kind_of(f"Name,Text,{heading}\nWick,Light it.,y\nReed,Gain it.,n\n")
    assert kind.ignore == [heading]


def test_a_plus_is_part_of_what_is_shown() -> None:
    types = {c.heading: c.type for c in kind_of("Name,Luck\nWick,+1\nReed,-2\n").columns}
    assert types["Luck"] == {"type": "text", "pattern": "number"}


GROUPS = """組,色,種別,名前,数字
山,赤,妖怪,天狗,4
,,,木霊,
,,道具,鈴,3
,,,太鼓,
川,赤,妖怪,河童,2
,,,川獺,
"""


def test_groups_that_are_named_once_are_known_of_all_their_cards() -> None:
    kind = kind_of(GROUPS)
    cells = {column.heading: column.values for column in kind.columns}
    assert cells["組"] == ("山", "山", "山", "山", "川", "川")
    assert cells["色"] == ("赤",) * 6
    assert cells["種別"] == ("妖怪", "妖怪", "道具", "道具", "妖怪", "妖怪")
    assert cells["数字"] == ("4", "", "3", "", "2", "")


def test_a_picture_belongs_to_one_row() -> None:
    kind = kind_of(
        "Name,Art,Text\nWick,a.png,Do.\nReed,,Go.\nMoth,,Run.\nOak,b.png,Sit.\nElm,,Be.\n"
    )
    (art,) = (column.values for column in kind.columns if column.role == "art")
    assert art == ("a.png", "", "", "b.png", "")


@pytest.mark.parametrize(
    "headings",
    [
        "Name,Text,Back Name,Back Text",
        "Name (front),Text (front),Name (back),Text (back)",
        "表の名前,表の効果,裏の名前,裏の効果",
        "Name,Text,Reverse Name,Reverse Text",
    ],
)
def test_two_sides_in_their_spellings(headings: str) -> None:
    kind = kind_of(f"{headings}\nWick,Light it.,Snuff,Dark it.\nReed,Gain it.,Thing,Eat it.\n")
    name, text = headings.split(",")[2:]
    assert kind.back_slots == {"title": name, "text": text}


def test_a_back_without_a_name_has_that_of_the_front() -> None:
    kind = kind_of("Name,Text,Back Text\nWick,Light it.,Dark it.\nReed,Gain it.,Eat it.\n")
    assert kind.back_slots == {"title": "name", "text": "Back Text"}


@pytest.mark.parametrize("of", ["Back {}", "{} (back)"])
@pytest.mark.parametrize("front", ["{}", "Front {}"])
def test_figures_and_a_sentence_of_a_back_stand_there_in_the_colour_of_the_card(
    front: str, of: str
) -> None:
    headings = [side.format(word) for side in (front, of) for word in ("Move", "Fight", "Special")]
    move, fight, special = headings[3:]
    kind = kind_of(
        f"Unit,Colour,{','.join(headings)}\n"
        "Orc,red,5,2d6,Hits all day and all night.,3,1d6,Lies down.\n"
        "Elf,#2a6f97,6,2d6+1,,2,1d6,Cries until the end of the round.\n"
    )
    assert kind.back_slots == {"title": "name", "text": special}
    assert kind.back_labels == [["Move", move], ["Fight", fight]]
    assert kind.back_shown == ["id", "name", special, move, fight, "colour"]
    assert kind.labels == [["Move", headings[0]], ["Fight", headings[1]]]


@pytest.mark.parametrize(
    ("name", "table", "sign"),
    [
        ("tokens.csv", "Token,Front,Back,Count\nLamp,lit,dark,12\nBoat,Empty,Full,4\n", "Front"),
        ("トークン.csv", "名前,個数,記号\n宝,15,◆\n竜の怒り,10,怒\n", "記号"),
        ("Tokens.csv", "Name,Count,Mark\nHoard,15,◆\nRage,10,R\n", "Mark"),
        ("駒とチップ.csv", "駒の名前,種類,点数,個数\n鈴,駒,1,3\n鐘,駒,2,4\n", "点数"),
    ],
)
def test_tokens_are_told_by_what_they_are_called(name: str, table: str, sign: str) -> None:
    kind = kind_of(table, name)
    assert kind.is_tokens
    assert kind.slots == {"title": "name", "big": sign}
    assert kind.back_shown == (["back"] if "Back" in table else [])


def test_a_ditto_stands_for_what_is_above_it() -> None:
    kind = kind_of("名前,色,枚数,効果\n天狗,赤,3枚,飛ぶ。\n河童,〃,同上,泳ぐ。\n－－－,,,\n")
    cells = {column.heading: column.values for column in kind.columns}
    assert cells["色"] == ("赤", "赤")
    assert cells["枚数"] == ("3枚", "3枚")
    assert kind.names == ("天狗", "河童")


def test_a_largest_figure_is_none_of_the_back() -> None:
    kind = kind_of("Name,HP,MP,Max HP,Max MP\nOrc,3,1,5,2\nElf,2,4,4,6\n")
    assert kind.back_labels == []


def test_of_two_rows_of_headings_the_lower_one_says_all() -> None:
    found = roles(
        "名前,コスト,,枚数,効果\n名前,資金,資材,枚数,効果\n狼,4,2,3,カードを引く。\n熊,1,5,2,敵を倒す。\n"
    )
    assert found == {
        "名前": "name",
        "資金": "figure",
        "資材": "figure",
        "枚数": "copies",
        "効果": "text",
    }


def test_suits_of_words_choose_colours_and_a_number_beside_copies_is_none() -> None:
    kind = kind_of("名前,スート,数,枚数\n鈴の1,鈴,1,2\n星の2,星,2,2\n鈴の3,鈴,3,2\n星の4,星,4,2\n")
    assert (kind.coloured_by, list(kind.colours)) == ("スート", ["鈴", "星"])
    assert len({*kind.colours.values()}) == 2
    assert {each.heading: each.role for each in kind.columns if each.role == "copies"} == {
        "枚数": "copies"
    }
    assert kind_of("Name,Suit,Rank\nA,♠,1\nB,♥,2\n").colours == {}
