"""A game from what somebody has: a spreadsheet and pictures become a room without editing."""

from __future__ import annotations

import contextlib
import io
import json
import re
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from click.testing import Result
from commands import run
from japanese import english_in
from PIL import Image
from spreadsheet_files import TEXT, ods, ods_cell, workbook, xlsx

from exporter import (
    game_from,
    pull,
)
from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import card_front
from exporter.loader.game_reader import read_game
from exporter.model import DeckCard

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None) -> Path:
    """An empty folder in which a designer begins."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def picture(width: int, height: int, colour: str = "#2f6f8f", form: str = "PNG") -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(stream, form)
    return stream.getvalue()


# The shapes of a deck by Squib's author: formulas, look-up sheets beside, icons named in a column.
DECK: list[list[TEXT]] = [
    ["Name", "Qty", "Wood", "Steel", "VP", "GameIcon", "Type", "Description", "Snark"],
    ["A Log", 8, 1, "", 0, "log", "starter", "", "Building must start somewhere."],
    ["Rusted Gears", 4, "", 3, 0, "gears", "starter", "", "A fantasy."],
    ["Anvil", 1, "", 4, 6, "anvil", "path", "May be built for 3 Steel or 4 Wood", ""],
    ["Barn", 2, 1, 1, 4, "barn", "path", "At game end, +1 VP for each log.", "Born in."],
    ["Spare", 0, 1, 1, 4, "spare", "path", "Draw 2.", ""],
]
RATES: list[list[TEXT]] = [["Resource", "VP Rate"], ["Wood", 1.3], ["Steel", 1.4]]

# A Japanese list: a title merged above, a range that became a day, sums below, thoughts beside.
LIST: list[list[TEXT]] = [
    ["カード一覧（第3版）", "", "", "", "", "", ""],
    ["", "", "", "", "", "", ""],
    ["番号", "カード名", "種類", "コスト", "射程", "効果", "枚数"],
    ["1", "火の玉", "術", 3, "2～4", "相手に3ダメージ。", 4],
    ["2", "盾兵", "兵", 2, 0, "となりの味方を守る。", 6],
    ["3", "弓兵", "兵", 2, "1～5", "離れた相手も攻撃できる。", 6],
    ["", "合計", "", "", "", "", 16],
    ["", "", "", "", "", "", ""],
]
DAY = {"E5": '<c r="E5" s="1"><v>45294</v></c>'}  # 2024-01-03


@pytest.mark.slow
def test_a_deck_with_art_of_one_author_becomes_a_room_and_sheets(somewhere: Path) -> None:
    (somewhere / "deck.xlsx").write_bytes(workbook({"Deck": DECK, "VPs": RATES}))
    (somewhere / "img").mkdir()
    for name in ("log", "gears", "anvil", "barn", "windmill"):
        (somewhere / "img" / f"art_{name}.png").write_bytes(picture(512, 512))
    made = run("new", "mine", "--from", "deck.xlsx", "--pictures", "img")
    assert made.exit_code == 0, made.output
    for said in (
        "sheets without a column of names were left out: 'VPs'",
        "deck: 5 cards from deck.xlsx#Deck",
        "Qty → number of copies",
        "GameIcon → picture",
        "Wood, Steel, VP → figures on the card",
        "0 copies, so not in any deck: Spare",
        "4 pictures are in pictures/",
        "cards without a picture: spare",
        "pictures of no card, left out: art_windmill.png",
        "From now on, edit the copy source_data/mine/cards/deck.xlsx;",
    ):
        assert said in made.output
    own = Path("source_data/mine/game.yaml")
    text = own.read_text("utf-8")
    own.write_text(re.sub("^name: .*", "name: {ja: 市場, en: Market}", text, flags=re.M), "utf-8")
    built = run("build", "mine")
    assert built.exit_code == 0, built.output
    assert "15 cards" in built.output
    zips = [str(path) for path in sorted(Path("output/mine").glob("*.zip"))]
    assert len(zips) == 3
    assert "0 problems" in run("verify", *zips).output
    # What the client's menus say is Japanese; the room itself speaks the language of the cards.
    with zipfile.ZipFile(zips[0]) as room:
        texts = "".join(room.read(one).decode() for one in room.namelist() if one.endswith("xml"))
    assert re.findall("[\u3040-\u30ff\u4e00-\u9fff]+", re.sub("「[^」]*」", "", texts)) == []
    assert run("print", "mine").exit_code == 0
    assert Path("output/mine/cards.pdf").exists()
    assert run("check", "mine").exit_code == 0


@pytest.mark.slow
def test_a_japanese_list_with_title_sums_and_a_day_becomes_a_room(somewhere: Path) -> None:
    (somewhere / "一覧.xlsx").write_bytes(workbook({"Sheet1": LIST}, DAY))
    made = run("new", "mine", "--from", "一覧.xlsx")
    assert made.exit_code == 0, made.output
    assert "the headings are in row 3" in made.output
    assert "rows that are not cards: 合計" in made.output
    game = read_game(somewhere / "source_data" / "mine")
    assert [card.id for card in game.cards.values()] == ["火の玉", "盾兵", "弓兵"]
    assert game.cards["盾兵"].text("射程") == "1-3"
    assert {card.name: card.get("copies") for card in game.cards.values()} == {
        "火の玉": 4, "盾兵": 6, "弓兵": 6,
    }  # fmt: skip
    built = run("build", "mine")
    assert built.exit_code == 0, built.output
    assert "16 cards" in built.output
    assert "Sheet1!E5: notice SRC-CELL A spreadsheet turned this into a date" in made.output
    assert "notice" not in built.output, "it was told once"


@pytest.mark.slow
def test_sheets_and_decks_become_kinds_with_backs_of_their_own(somewhere: Path) -> None:
    book = workbook(
        {
            "Heroes": [["Name", "HP", "Ability"], ["Ann", 5, "Heal 1."], ["Bob", 7, "Hit 2."]],
            "Items": [
                ["Name", "Deck", "Count"],
                ["Rope", "Shop", 2], ["Lamp", "Shop", 1], ["Crown", "Loot", 1], ["Ring", "Loot", 1],
            ],
        }
    )  # fmt: skip
    (somewhere / "game.xlsx").write_bytes(book)
    assert run("new", "mine", "--from", "game.xlsx").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    assert {kind.id: kind.back for kind in game.kinds.values()} == {
        "heroes": "heroes_back", "shop": "shop_back", "loot": "loot_back",
    }  # fmt: skip
    assert [c.name for c in game.cards.values() if c.kind == "loot"] == ["Crown", "Ring"]
    built = run("build", "mine")
    assert built.exit_code == 0, built.output


EVENTS: list[list[TEXT]] = [["Event", "Effect"], ["Storm", "Lose 1."], ["Fair", "Draw 2."]]
SHEETS: dict[str, list[list[TEXT]]] = {
    "Deck": [["Name", "Text", "Count"], ["Axe", "Deal 2.", 3], ["Bow", "Deal 1.", 2]],
    "Events": EVENTS,
    "Parts": [["Component", "Count"], ["Cube", 20], ["Meeple", 4]],
    "Map": [["Hex", "Terrain"], ["A1", "forest"], ["A2", "lake"]],
    "VPs": RATES,
}


@pytest.mark.slow
def test_the_first_column_that_names_things_makes_cards_of_a_sheet(somewhere: Path) -> None:
    (somewhere / "book.xlsx").write_bytes(workbook(SHEETS))
    made = run("new", "mine", "--from", "book.xlsx")
    assert made.exit_code == 0, made.output
    assert "sheets without a column of names were left out: 'VPs'" in made.output
    game = read_game(somewhere / "source_data" / "mine")
    names = {card.name for card in game.cards.values()}
    assert names == {"Axe", "Bow", "Storm", "Fair", "Cube", "Meeple", "A1", "A2"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sheet", "code", "said"),
    [
        ("Deck", 0, "Axe"),
        (
            "Events",
            1,
            "No kind of card in this game uses the sheet 'Events'; the sheets used are Deck.",
        ),
        ("Event", 1, "no sheet 'Event'. Did you mean 'Events'?"),
    ],
)
def test_a_sheet_brought_again_is_one_that_the_game_reads(
    somewhere: Path, sheet: str, code: int, said: str
) -> None:
    book = somewhere / "book.xlsx"
    book.write_bytes(workbook(SHEETS))
    assert run("new", "mine", "--from", "book.xlsx#Deck").exit_code == 0
    before = (somewhere / "source_data/mine/cards/book.xlsx").read_bytes()
    deck: list[list[TEXT]] = [["Name", "Text", "Count"], ["Axe", "Deal 3.", 3], ["Bow", "", 2]]
    book.write_bytes(workbook({**SHEETS, "Deck": deck}))
    again = run("new", "mine", "--from", f"book.xlsx#{sheet}")
    assert (again.exit_code, said in again.output) == (code, True), again.output
    kept = (somewhere / "source_data/mine/cards/book.xlsx").read_bytes() == before
    assert kept is bool(code)


@pytest.mark.slow
def test_a_csv_of_a_web_sheet_and_names_that_are_twice(somewhere: Path) -> None:
    text = 'Title,Effect,How many\r\nGo,"Draw, then discard",3\r\nGo,Stop.,1\r\n'
    (somewhere / "sheet.csv").write_text(text, encoding="utf-8")
    assert run("new", "mine", "--from", "sheet.csv").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    assert list(game.cards) == ["Go", "Go-2"]
    assert run("build", "mine").exit_code == 0


def test_the_numbers_of_a_tarot_are_printed_and_are_no_ids(somewhere: Path) -> None:
    text = "名前,番号,意味\n愚者,0,自由、旅立ち\n魔術師,I,意志、創造\n女教皇,II,直感、秘密\n"
    (somewhere / "tarot.csv").write_text(text, encoding="utf-8")
    assert run("new", "mine", "--from", "tarot.csv").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    faces = [
        json.loads(card_front(game, DeckCard(card=card)).values) for card in game.cards.values()
    ]
    assert [face["番号"] for face in faces] == ["0", "I", "II"]
    assert faces[0]["slots"]["text"] == "意味"


def test_numbers_in_suits_are_not_compared_by_their_pictures(somewhere: Path) -> None:
    text = "suit,number\nLeaf,1\nLeaf,2\nWave,1\n"
    (somewhere / "sheet.csv").write_text(text, encoding="utf-8")
    assert run("new", "mine", "--from", "sheet.csv").exit_code == 0
    (kind,) = read_game(somewhere / "source_data" / "mine").kinds.values()
    assert kind.series


def test_the_running_numbers_of_a_tarot_are_printed_too(somewhere: Path) -> None:
    text = "番号,名前,意味\n0,愚者,自由\n1,魔術師,意志\n2,女教皇,直感\n"
    (somewhere / "tarot.csv").write_text(text, encoding="utf-8")
    assert run("new", "mine", "--from", "tarot.csv").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    assert list(game.cards) == ["愚者", "魔術師", "女教皇"]
    assert json.loads(card_front(game, DeckCard(card=game.cards["愚者"])).values)["番号"] == 0


@pytest.mark.parametrize(
    ("table", "family"),
    [
        ("name,text\nGoblin,Attack.\nKnight of the Moon,Defend.\n", "fantasy"),
        ("name,text\nMining Drone,Draw.\nWarp Gate,Move.\nPirates,Steal.\n", "science-fiction"),
        ("名前,効果\n残業,1枚捨てる。\n終電,休む。\n猫,何もしない。\n", "modern"),
        ("カード名,効果\n糸車,運命。\n城,守る。\n", "fantasy"),
        ("suit,number\nLeaf,1\nLeaf,2\nWave,1\n", "playing"),
        ("色,数\n赤,1\n赤,2\n青,1\n青,2\n", "playing"),
        ("色,数\n月,1\n月,2\n花,1\n花,王\n", "playing"),
    ],
)
def test_a_table_gets_the_look_of_what_its_cards_are_about(
    somewhere: Path, table: str, family: str
) -> None:
    (somewhere / "deck.csv").write_text(table, encoding="utf-8")
    made = run("new", "mine", "--from", "deck.csv", "--lang", "en")
    assert f"the look is {family};" in made.output
    assert f"\nfamily: {family}\n" in Path("source_data/mine/game.yaml").read_text("utf-8")


@pytest.mark.slow
def test_a_text_that_fits_no_card_makes_the_card_larger_or_stands_in_the_detail(
    somewhere: Path,
) -> None:
    long = "word " * 260
    longer = "word " * 2000
    for name, text in (("long", long), ("longer", longer)):
        (somewhere / f"{name}.csv").write_text(f"name,text\nA,{text}\n", encoding="utf-8")
        made = run("new", name, "--from", f"{name}.csv")
        assert made.exit_code == 0, made.output
        built = run("build", name)
        assert built.exit_code == 0, built.output
        told = ("as what A says is too long for smaller ones", "the longest text fits no card")
        assert any(each in made.output for each in told)


@pytest.mark.slow
def test_signs_that_no_font_has_and_words_in_brackets_get_a_reading(somewhere: Path) -> None:
    text = "name,text\nA,🔊 then [face 2] or [fire]. [Pack] hunts. {ferry}\n"
    (somewhere / "a.csv").write_text(text, encoding="utf-8")
    made = run("new", "mine", "--from", "a.csv")
    assert made.exit_code == 0, made.output
    assert (
        "read under `marks` in game.yaml: fire → {rpg:fire}, {ferry} → {mdi:ferry}, " in made.output
    )
    assert read_game(somewhere / "source_data" / "mine").marks["Pack"] == "[Pack]"
    assert run("build", "mine").exit_code == 0


@pytest.mark.slow
def test_a_column_with_a_cell_that_cannot_be_read_is_told_with_that_cell(somewhere: Path) -> None:
    rows: list[list[TEXT]] = [
        ["名前", "コスト", "効果"],
        ["火の玉", 1, "燃やす。"],
        ["氷の矢", 2, "凍る。"],
    ]
    lost = {"B3": '<c r="B3" t="e"><f>Z9*2</f><v>#REF!</v></c>'}
    (somewhere / "a.xlsx").write_bytes(xlsx(rows, cells=lost))
    made = run("new", "mine", "--from", "a.xlsx")
    assert made.exit_code == 0, made.output
    assert "コスト (札!B3 cannot be read: enter what it shows, as text)" in made.output


@pytest.mark.slow
def test_letters_of_a_script_that_no_font_has_are_told_and_nothing_is_written(
    somewhere: Path,
) -> None:
    (somewhere / "a.csv").write_text("name,text\n토끼,가나다라마바사아자\n", encoding="utf-8")
    made = run("new", "mine", "--from", "a.csv")
    assert made.exit_code == 1
    assert "The fonts lack 11 characters, such as " in made.output
    assert not (somewhere / "source_data" / "mine").exists()


@pytest.mark.slow
def test_a_folder_of_finished_faces_is_a_game(somewhere: Path) -> None:
    folder = somewhere / "faces"
    folder.mkdir()
    for name in ("スライム x3", "勇者", "裏"):
        (folder / f"{name}.png").write_bytes(picture(240, 336))
    made = run("new", "mine", "--from", "faces")
    assert made.exit_code == 0, made.output
    assert "2 finished faces, 4 cards" in made.output
    assert "the back is 裏.png" in made.output
    built = run("build", "mine")
    assert built.exit_code == 0, built.output
    assert "4 cards" in built.output
    game = read_game(somewhere / "source_data" / "mine")
    assert {c.name: c.get("copies") for c in game.cards.values()} == {"スライム": 3, "勇者": 1}


def test_finished_faces_that_are_no_pictures_are_told_all_at_once(somewhere: Path) -> None:
    (somewhere / "faces").mkdir()
    for name in ("a.png", "b.png"):
        (somewhere / "faces" / name).write_bytes(b"no picture")
    made = run("new", "mine", "--from", "faces")
    assert made.exit_code == 1
    assert all(f"faces/{name}: error FACE-PICTURE" in made.output for name in ("a.png", "b.png"))
    assert not (somewhere / "source_data" / "mine").exists()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("~$deck.xlsx", b"", "~$deck.xlsx is a temporary file that exists while deck.xlsx is open"),
        ("deck.doc", b"", "deck.doc is neither a table nor a folder of pictures"),
        ("deck.xlsx", b"PK", "This spreadsheet cannot be read"),
        ("deck.csv", b"1,2\n3,4\n", "No cards were found"),
        ("deck.csv", b"", "No cards were found"),
        (
            "deck.csv",
            b"name,Fire,Water\ncost,1,2\ntext,go,stop\n",
            "Rows and columns seem to be swapped",
        ),
        ("deck.csv", b"name,cost,,name,cost\nFire,1,,Sword,3\n", "'name' appears twice"),
        (
            "deck.csv#Deck",
            b"name,cost\nFire,1\n",
            "is not a spreadsheet, so it has no sheet 'Deck'",
        ),
    ],
)
def test_what_cannot_become_a_game_is_told(
    name: str, data: bytes, said: str, somewhere: Path
) -> None:
    (somewhere / name.partition("#")[0]).write_bytes(data)
    made = run("new", "mine", "--from", name)
    assert made.exit_code == 1
    assert said in made.output
    assert not (somewhere / "source_data" / "mine").exists()


@pytest.mark.slow
@pytest.mark.parametrize("with_pictures", [True, False])
def test_what_was_taken_for_what_is_said_in_both_languages(
    somewhere: Path, with_pictures: bool
) -> None:
    table, art = somewhere / "deck.xlsx", somewhere / "img"
    table.write_bytes(workbook({"Deck": DECK, "VPs": RATES}))
    art.mkdir()
    for name in ("art_log.png", "art_mill.png", "back.png", "a x3.png"):
        (art / name).write_bytes(picture(96, 132))
    what, pictures = (table, art) if with_pictures else (art, "")
    begun = game_from("mine", str(what), pictures=pictures)
    assert begun.report
    said = [line.in_language("ja") for line in begun.report]
    if with_pictures:
        rows = [[*DECK[0], "Rarity"], *([*row, "rare"] for row in DECK[2:])]
        table.write_bytes(workbook({"Deck": rows}))
        (art / "art_log.png").unlink()
        again = game_from("mine", str(what), pictures=pictures)
        new = "deck: new columns, shown in the cards' details: Rarity (to put Rarity on the card, "
        assert [line for line in map(str, again.report) if line.startswith(new)]
        said += [line.in_language("ja") for line in again.report]
        assert "なくなったカード1種: A Log" in said
    assert not [line for line in said if english_in(line)]
    assert all(re.search("[ぁ-ん]", line) for line in said), said


@pytest.mark.slow
def test_brought_again_the_game_keeps_what_was_edited_and_says_what_changed(
    somewhere: Path,
) -> None:
    table, art = somewhere / "deck.csv", somewhere / "art"
    art.mkdir()
    rows = ["name,cost,text,qty", "A,1,Go.,2", "B,2,Stop.,2", "C,3,Wait.,1"]
    table.write_text("\n".join(rows), encoding="utf-8")
    for name in "ABC":
        (art / f"{name}.png").write_bytes(picture(512, 512))
    assert run("new", "mine", "--from", "deck.csv", "--pictures", "art").exit_code == 0
    home = somewhere / "source_data" / "mine"
    layouts = home / "layouts.yaml"
    layouts.write_text(layouts.read_text(encoding="utf-8") + "# mine\n", encoding="utf-8")
    head = home / "game.yaml"
    head.write_text(head.read_text(encoding="utf-8") + "credits: [me] # by hand\n", "utf-8")
    before = layouts.read_bytes()

    rows = ["name,cost,text,qty,rarity,hp", "A,1,Go on.,2,x,3", "Bee,2,Stop.,2,y,4"]
    table.write_text("\n".join([*rows, "C,3,Wait.,1,,5", "D,4,New.,1,z,6"]), encoding="utf-8")
    (art / "D.png").write_bytes(picture(512, 512, "#b4482f"))
    again = run("new", "mine", "--from", "deck.csv", "--pictures", "art")
    assert again.exit_code == 0, again.output
    for said in (
        "deck: new columns, shown in the cards' details: rarity, hp",
        "game.yaml and, in its style under `faces`, `[rarity, rarity]` within the brackets of "
        "`figures`",
        "1 card new: D",
        "1 card renamed, keeping the id: B → Bee",
        "1 card changed: A (text)",
        "new or changed pictures: D.png",
    ):
        assert said in again.output
    assert layouts.read_bytes() == before
    assert "credits: [me] # by hand" in head.read_text(encoding="utf-8")
    game = read_game(home)
    assert {card.id: card.name for card in game.cards.values()} == {
        "A": "A", "B": "Bee", "C": "C", "D": "D",
    }  # fmt: skip
    assert game.notices == ()
    assert game.cards["D"].text("rarity") == "z"
    assert run("build", "mine").exit_code == 0
    assert "Nothing has changed." in run("new", "mine", "--from", "deck.csv").output


@pytest.mark.slow
def test_a_heading_that_may_be_renamed_is_told_and_what_to_write(somewhere: Path) -> None:
    table = somewhere / "deck.csv"
    table.write_text("Name,Power,Rare\nA,1,x\nB,2,y\n", encoding="utf-8")
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    head = somewhere / "source_data" / "mine" / "game.yaml"
    before = head.read_bytes()

    table.write_text("Card,Power,Rare\nA,1,x\nB,2,y\n", encoding="utf-8")
    refused = run("new", "mine", "--from", "deck.csv", "--lang", "en")
    assert refused.exit_code == 1
    assert "the table has no column 'Name'" in refused.output
    assert head.read_bytes() == before

    table.write_text("Name,Power,Rarity\nA,1,p\nB,2,q\n", encoding="utf-8")
    again = run("new", "mine", "--from", "deck.csv", "--lang", "en")
    assert "deck: new columns, shown in the cards' details: Rarity" in again.output
    assert "cards: Rare (if a heading was only renamed: columns: {NEW: OLD}" in again.output


@pytest.mark.slow
def test_a_published_sheet_is_fetched_when_asked_for_and_what_changed_is_said(
    somewhere: Path,
) -> None:
    answers = {
        "/a.csv": (200, "text/csv", b"name,text\nA,Go on.\nB,New.\n"),
        "/page": (200, "text/html", b"<html>sign in</html>"),
        "/large": (200, "text/csv", b"name\n" + b"x" * 9 * 1024 * 1024),
        "/gone": (404, "text/plain", b""),
    }

    class Server(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            code, sort, data = answers[self.path]
            self.send_response(code)
            self.send_header("Content-Type", sort)
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    (somewhere / "deck.csv").write_text("name,text\nA,Go.\n", encoding="utf-8")
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    head = somewhere / "source_data" / "mine" / "game.yaml"
    text = head.read_text(encoding="utf-8")
    assert run("pull", "mine").exit_code == 1
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        for path, said in (
            ("/page", "a web page"), ("/large", "larger than 8 MiB"), ("/gone", "Not Found"),
            ("/a.csv", "1 card new: B"),
        ):  # fmt: skip
            address = f"http://127.0.0.1:{server.server_port}{path}"
            line = f"    address: {address}\n    ids:"
            head.write_text(text.replace("    ids:", line), encoding="utf-8")
            found = run("pull", "mine")
            assert (found.exit_code == 0) == (path == "/a.csv"), found.output
            assert said in found.output
            japanese = run("--lang", "ja", "pull", "mine").output
            assert not english_in(japanese)
    finally:
        server.shutdown()
        server.server_close()
    assert list(read_game(head.parent).cards) == ["A", "B"]
    head.write_text(text.replace("    ids:", "    address: file:///etc/passwd\n    ids:"), "utf-8")
    assert "is not a web address" in run("pull", "mine").output


class Sheets(BaseHTTPRequestHandler):
    """A server whose answer to each address is written out, byte for byte."""

    answers: ClassVar[dict[str, list[bytes]]] = {}

    def do_GET(self) -> None:
        self.close_connection = True
        for part in self.answers[self.path]:
            with contextlib.suppress(OSError):
                self.wfile.write(part)
            time.sleep(0.3 if len(self.answers[self.path]) > 2 else 0)

    def log_message(self, *_: object) -> None:
        pass


def rows(count: int) -> bytes:
    return "".join(["name,text\n", *(f"Card {n},Go on.\n" for n in range(count))]).encode()


@pytest.fixture
def published(somewhere: Path) -> Iterator[Callable[[str, list[bytes]], Path]]:
    """Publish a sheet of 61 cards as some bytes; gives the game's table here."""
    (somewhere / "deck.csv").write_bytes(rows(61))
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    head = somewhere / "source_data" / "mine" / "game.yaml"
    text = head.read_text(encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Sheets)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def publish(path: str, parts: list[bytes]) -> Path:
        Sheets.answers[path] = [part.replace(b"PORT", b"%d" % server.server_port) for part in parts]
        address = f"http://127.0.0.1:{server.server_port}{path}"
        head.write_text(text.replace("    ids:", f"    address: {address}\n    ids:"), "utf-8")
        return head.parent / "cards" / "deck.csv"

    yield publish
    server.shutdown()
    server.server_close()


def whole(data: bytes, length: int = 0) -> list[bytes]:
    size = b"%d" % (length or len(data))
    return [
        b"HTTP/1.0 200 OK\r\ncontent-type: text/csv\r\ncontent-length: " + size + b"\r\n\r\n",
        data,
    ]


CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "came", "said"),
    [
        (whole(rows(50), len(rows(61))), rows(50), "broke off after"),
        ([CHUNKED, b"%x\r\n" % len(rows(50)) + rows(50) + b"\r\n"], rows(50), "broke off after"),
        (whole(rows(30)), rows(30), "of 61 cards, 31 are missing from the published sheet"),
    ],
    ids=["shorter than announced", "without the last chunk", "half of the rows"],
)
def test_half_a_download_is_not_taken_for_the_whole_table(
    published: Callable[[str, list[bytes]], Path], answer: list[bytes], came: bytes, said: str
) -> None:
    table = published("/sheet", answer)
    refused = run("pull", "mine")
    assert refused.exit_code == 1
    assert said in refused.output
    assert not english_in(run("--lang", "ja", "pull", "mine").output)
    assert sorted(path.name for path in table.parent.iterdir()) == ["deck.csv", "deck.ids.csv"]
    assert table.read_bytes() == rows(61)
    taken = run("pull", "mine", "--accept")
    assert taken.exit_code == 0, taken.output
    assert "the previous table was saved as cards/deck.csv.before" in taken.output
    assert table.read_bytes() == came
    assert (table.parent / "deck.csv.before").read_bytes() == rows(61)
    assert run("check", "mine").exit_code == 0


@pytest.mark.slow
@pytest.mark.parametrize("place", ["127.0.0.1:PORT/sheet", "localhost:PORT/sheet", "[::1]/sheet"])
def test_a_published_sheet_does_not_lead_to_this_machine(
    published: Callable[[str, list[bytes]], Path], place: str
) -> None:
    published("/sheet", whole(rows(62)))
    there = b"HTTP/1.0 302 Found\r\nlocation: http://" + place.encode() + b"\r\n\r\n"
    table = published("/on", [there])
    refused = run("pull", "mine", "--accept")
    assert refused.exit_code == 1
    assert "which is not a public web address" in refused.output
    assert table.read_bytes() == rows(61)


@pytest.mark.slow
def test_a_sheet_that_comes_in_drops_has_a_bounded_time(
    published: Callable[[str, list[bytes]], Path],
) -> None:
    head, _data = whole(rows(62))
    published("/sheet", [head, *(bytes([byte]) for byte in rows(62))])
    with pytest.raises(InvalidSource, match="could not be downloaded within 1 second"):
        pull("mine", seconds=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rows", ["name,cost\nSword,1\nShield,2\n", "名前\nりんご\n消防車\n", "お題\nりんご\n消防車\n"]
)
def test_a_table_of_names_alone_is_a_game_too(somewhere: Path, rows: str) -> None:
    Path("deck.csv").write_text(rows, encoding="utf-8")
    begun = run("new", "mine", "--from", "deck.csv")
    assert begun.exit_code == 0, begun.output
    game = read_game(somewhere / "source_data" / "mine")
    assert len(game.cards) == 2


def test_short_sentences_are_the_text_whatever_their_heading(somewhere: Path) -> None:
    text = "名前,HP,ひとこと\nスライム,3,分裂する。\nドラゴン,20,火を吐く。\n"
    Path("deck.csv").write_text(text, encoding="utf-8")
    begun = run("new", "mine", "--from", "deck.csv")
    assert begun.exit_code == 0, begun.output
    game = read_game(somewhere / "source_data" / "mine")
    assert game.faces["deck"].values["slots"]["text"] == "ひとこと"


@pytest.mark.slow
def test_cards_without_names_are_called_by_their_columns(somewhere: Path) -> None:
    rows = ["スート,数字,枚数", "♠,1,1", "♠,2,1", "♥,1,1", "★,ジョーカー,2"]
    (somewhere / "札.csv").write_text("\n".join(rows), encoding="utf-8")
    begun = run("new", "suits", "--from", "札.csv")
    assert begun.exit_code == 0, begun.output
    assert "スート + 数字" in begun.output
    game = read_game(somewhere / "source_data" / "suits")
    names = [card.name for card in game.cards.values()]
    assert names == ["♠ 1", "♠ 2", "♥ 1", "★ ジョーカー"]
    assert run("check", "suits").exit_code == 0
    (somewhere / "source_data" / "suits" / "cards" / "札.csv").write_text(
        "\n".join(["スート,数", *rows[1:]]), encoding="utf-8"
    )
    changed = run("check", "suits")
    assert changed.exit_code == 1
    assert "数字" in changed.output


@pytest.mark.slow
def test_a_begun_game_is_built_without_a_word_and_is_called_as_its_table(somewhere: Path) -> None:
    rows = [
        "番号,名前,種類,攻撃,効果,枚数",
        "1,河童,水,2,攻撃されない。,3",
        "2,鬼,山,5,1枚引く。,1",
    ]
    (somewhere / "妖怪.csv").write_text("\n".join(rows), encoding="utf-8")
    run("new", "yokai", "--from", "妖怪.csv")
    for command in ("check", "build"):
        said = run(command, "yokai", "--lang", "ja")
        assert said.exit_code == 0, said.output
        assert "警告" not in said.output
    listed = run("list", "yokai", "--lang", "ja").output
    assert "妖怪 · 2–4人" in listed
    assert "カード: 妖怪 2" in listed
    assert "2人 · 2" not in listed


# The shape of poem cards by a teacher: readings in brackets behind the words, no names.
POEMS = """\
色,上の句,下の句,上の句読み,決まり字（競技かるた）
青,朝[あさ]ぼらけ有明[ありあけ]の月[つき]と見[み]るまでに,吉野[よしの]の里[さと]に降[ふ]れる雪,あさぼらけ,あさぼらけあ
青,天[あま]つ風雲[かぜくも]の通[かよ]ひ路[ぢ]吹[ふ]きとじよ,をとめの姿[すがた]しばしとどめむ,あまつかぜ,あまつ
黄,春過[はるす]ぎて夏[なつ]来[き]にけらし白妙[しろたへ]の,衣[ころも]干[ほ]すてふ天の香具山,はるすぎて,はるす
"""
# And of a table by another author: numbers of a colour, verses apart, readings as [漢|かん].
VERSES = """\
number,color,color_num,author,author_hiragana,verse_1,verse_2
43,橙,40,[権中納言敦忠|ごんちゅうなごんあつただ],ごんちゅうなごんあつただ,逢ひ見ての,後の心に
79,黄,99,[左京大夫顕輔|さきょうのだいぶあきすけ],さきょうのだいぶあきすけ,秋風に,たなびく雲の
1,桃,16,[天智天皇|てんじてんのう],てんじてんのう,秋の田の,かりほの庵の
"""


def test_a_file_in_small_letters_names_its_game_and_the_place_of_its_deck(somewhere: Path) -> None:
    Path("night-market.csv").write_text("Name,Text\nSoup,Draw a card.\nTea,Rest.\n", "utf-8")
    assert run("new", "mine", "--from", "night-market.csv").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    assert game.name.en == "Night Market"
    mat, stack = game.layouts["supply"].items
    assert [*mat.zones] == ["Night Market"]
    assert stack.draws_to == "Night Market"
    built = run("build", "mine")
    assert built.exit_code == 0, built.output
    assert "DRAWN" not in built.output


@pytest.mark.slow
def test_japanese_poems_with_readings_become_cards(somewhere: Path) -> None:
    (somewhere / "五色百人一首.csv").write_text(POEMS, encoding="utf-8")
    begun = run("new", "poems", "--from", "五色百人一首.csv", "--lang", "ja")
    assert begun.exit_code == 0, begun.output
    assert "marks" not in begun.output
    game = read_game(somewhere / "source_data" / "poems")
    first = next(iter(game.cards.values()))
    assert first.name.startswith("{朝|あさ}ぼらけ{有明|ありあけ}の")
    assert first.fields["下の句"] == "{吉野|よしの}の{里|さと}に{降|ふ}れる雪"
    assert game.name.ja == "五色百人一首"
    built = run("build", "poems", "--room", "p2", "--lang", "ja")
    assert built.exit_code == 0, built.output
    with zipfile.ZipFile(somewhere / "output" / "poems" / "p2.zip") as room:
        assert "朝ぼらけ有明の月と見るまでに" in room.read("data.xml").decode()


@pytest.mark.slow
def test_a_class_by_its_number_is_a_figure_and_the_words_choose_the_colour(somewhere: Path) -> None:
    rows = ["Name,Class,Type,Description", *(f"C{n},{n % 9},Ship,Draw {n}." for n in range(9))]
    (somewhere / "ships.csv").write_text("\n".join(rows).replace("4,Ship", "4,Plane"))
    begun = run("new", "ships", "--from", "ships.csv", "--lang", "en")
    assert "Type → type (sets the card's colour)" in begun.output
    assert "Class → figures on the card" in begun.output


@pytest.mark.slow
def test_a_number_of_a_colour_is_no_count_of_copies(somewhere: Path) -> None:
    (somewhere / "verses.csv").write_text(VERSES, encoding="utf-8")
    begun = run("new", "verses", "--from", "verses.csv", "--lang", "en")
    assert begun.exit_code == 0, begun.output
    game = read_game(somewhere / "source_data" / "verses")
    (kind,) = game.kinds.values()
    assert "copies" not in kind.fields
    assert [card.name for card in game.cards.values()][-1] == "{天智天皇|てんじてんのう}"
    assert run("check", "verses").exit_code == 0


def test_a_reading_that_is_a_mark_of_the_game_stays_a_mark(somewhere: Path) -> None:
    (somewhere / "札.csv").write_text(
        "名前,効果,枚数\n火[ひ],木[き]を1枚引く。,1\n", encoding="utf-8"
    )
    run("new", "marks", "--from", "札.csv")
    game_yaml = somewhere / "source_data" / "marks" / "game.yaml"
    text = game_yaml.read_text(encoding="utf-8")
    game_yaml.write_text(text.replace("faces:\n", "marks: {き: 〓}\nfaces:\n", 1), encoding="utf-8")
    (card,) = read_game(game_yaml.parent).cards.values()
    assert card.name == "{火|ひ}"
    assert card.fields["効果"] == "木[き]を1枚引く。"


@pytest.mark.parametrize("sign", [";", "\t"])
def test_a_csv_of_another_country_is_read_by_what_parts_its_headings(
    somewhere: Path, sign: str
) -> None:
    rows = ["名前,コスト,効果,枚数", "火の玉,3,相手に3ダメージ、以上。,4", "水の壁,2,防ぐ。,2"]
    text = "\n".join(rows).replace(",", sign)
    (somewhere / "札.csv").write_text(text, encoding="utf-8")
    begun = run("new", "parted", "--from", "札.csv")
    assert begun.exit_code == 0, begun.output
    game = read_game(somewhere / "source_data" / "parted")
    assert [card.fields["copies"] for card in game.cards.values()] == [4, 2]
    assert [card.fields["コスト"] for card in game.cards.values()] == [3, 2]


@pytest.mark.slow
def test_numbers_of_copies_are_read_as_people_write_them(somewhere: Path) -> None:
    rows = ["名前,効果,枚数", "火,燃やす。,4枚", "水,消す。,×３", "木,育つ。,2 copies", "土,,x1"]
    (somewhere / "札.csv").write_text("\n".join(rows), encoding="utf-8")
    begun = run("new", "counted", "--from", "札.csv", "--lang", "ja")
    assert "枚数 → 枚数" in begun.output
    cards = read_game(somewhere / "source_data" / "counted").cards.values()
    assert [card.get("copies") for card in cards] == [4, 3, 2, 1]
    built = run("build", "counted", "--room", "p2")
    assert "10 cards" in built.output, built.output


def test_a_heading_that_says_it_plainly_comes_before_one_that_ends_so(somewhere: Path) -> None:
    rows = ["name,TypeDesc,Rate,Made,Weight,Description"]
    rows += [f"card {n},a word on its type,{n % 3},v1,½,Draw {n} cards." for n in range(1, 9)]
    (somewhere / "deck.csv").write_text("\n".join(rows), encoding="utf-8")
    begun = run("new", "plain", "--from", "deck.csv", "--lang", "en")
    assert "Description → effect text" in begun.output
    assert "TypeDesc, Made, Weight → shown in the card's details" in begun.output
    assert "Rate → figures on the card" in begun.output


def test_pictures_are_found_by_a_column_or_else_by_the_cards_id_or_name(somewhere: Path) -> None:
    art = somewhere / "art"
    art.mkdir()
    for name in ("01_河童.png", "猫又_完成.png", "鬼.PNG", "ラフ.png"):
        (art / name).write_bytes(picture(40, 40))
    rows = ["No.,カード名,絵,調整メモ", "1,河童,01_河童,", "2,猫又,,要テスト", "3,鬼,,", "4,狐,,"]
    table = somewhere / "妖怪.csv"
    table.write_text("\n".join(rows), encoding="utf-8")
    begun = run("new", "mine", "--from", "妖怪.csv", "--pictures", "art", "--lang", "ja")
    assert "どのカードの画像でもないため、使わなかったファイル: ラフ.png" in begun.output, (
        begun.output
    )
    assert "自分用の列のため、カードに表示しません：調整メモ" in begun.output
    home = somewhere / "source_data" / "mine"
    names = sorted(path.name for path in (home / "pictures").iterdir())
    assert names == ["01_河童.png", "猫又.png", "鬼.png"]
    game = read_game(home)
    assert game.notices == ()
    fronts = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
    assert [face.pictures for face in fronts] == [
        ("pictures/01_河童.png",), ("pictures/猫又.png",), ("pictures/鬼.png",), (),
    ]  # fmt: skip
    (art / "狐 v2.png").write_bytes(picture(40, 40, "#b4482f"))
    again = run("new", "mine", "--from", "妖怪.csv", "--pictures", "art", "--lang", "en")
    assert "new or changed pictures: 狐.png\n" in again.output
    assert "stay" not in again.output


def test_an_empty_column_of_pictures_shows_those_that_come_later(somewhere: Path) -> None:
    (somewhere / "art").mkdir()
    (somewhere / "art" / "k.png").write_bytes(picture(40, 40))
    table = somewhere / "deck.csv"
    table.write_text("Name,Text,Art\nKnight,Hit.,\nArcher,Aim.,\n", encoding="utf-8")
    begun = run("new", "mine", "--from", "deck.csv", "--board", "hex", "--lang", "en")
    assert "Art → pictures, of which none is here yet\n" in begun.output, begun.output
    assert "no pictures were given" in begun.output
    assert "a sample board" in begun.output
    table.write_text("Name,Text,Art\nKnight,Hit.,k.png\nArcher,Aim.,\n", encoding="utf-8")
    again = run("new", "mine", "--from", "deck.csv", "--pictures", "art")
    assert again.exit_code == 0, again.output
    game = read_game(somewhere / "source_data" / "mine")
    assert game.notices == ()
    fronts = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
    assert [face.pictures for face in fronts] == [("pictures/k.png",), ()]


def test_a_list_without_headings_is_told_and_no_card_becomes_them(somewhere: Path) -> None:
    (somewhere / "deck.csv").write_text("1,Scout,Looks,2\n2,Smith,Makes,1\n3,Cook,Eats,1\n")
    made = run("new", "mine", "--from", "deck.csv")
    assert made.exit_code == 1
    assert "No cards were found. There must be a row of headings" in made.output


def test_remarks_sums_and_headings_within_a_table_are_no_cards(somewhere: Path) -> None:
    text = "name,cost\n# wave 1,\nFire,1\nname,cost\n---,---\nWater,2\n■ draft,\nGrand Total,3\n"
    (somewhere / "deck.csv").write_text(text, encoding="utf-8")
    made = run("new", "mine", "--from", "deck.csv")
    assert "rows that are not cards: # wave 1, ---, ■ draft, Grand Total" in made.output
    game = read_game(somewhere / "source_data" / "mine")
    assert [card.name for card in game.cards.values()] == ["Fire", "Water"]
    assert game.cards["Fire"].fields["cost"] == 1
    assert "This row repeats the headings and was skipped." in game.notices[0].message


def test_what_stands_beside_the_cards_without_a_heading_is_left_out(somewhere: Path) -> None:
    sheet: list[list[TEXT]] = [
        ["Name", "Effect"], ["A", "Go."], ["B", "Stop."], ["", "", "", "wood", 3],
    ]  # fmt: skip
    (somewhere / "deck.xlsx").write_bytes(workbook({"Sheet1": sheet}))
    made = run("new", "mine", "--from", "deck.xlsx")
    assert "columns not read: a column without a heading (D)" in made.output
    assert len(read_game(somewhere / "source_data" / "mine").cards) == 2


def test_finished_cards_are_known_by_their_names_and_others_are_told(somewhere: Path) -> None:
    (somewhere / "deck.csv").write_text(
        "id,name,text\na1,火の玉,x\nb-2,盾兵,y\nc3,弓兵,z\n", "utf-8"
    )
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    finished = somewhere / "source_data" / "mine" / "finished" / "cards"
    finished.mkdir(parents=True)
    for name in ("火の玉 (1).png", "IMG_b-2.png", "holiday.png"):
        (finished / name).write_bytes(picture(63, 88))
    game = read_game(finished.parent.parent)
    shown = {card_front(game, DeckCard(card=c)).template for c in game.cards.values()}
    assert {"plain/finished.typ"} < shown
    told = [str(notice) for notice in game.notices]
    assert any(
        "belongs to no card, sheet or board of this game, and will not be used: holiday.png" in line
        for line in told
    )
    assert any(
        "1 card has no finished picture, so the face was drawn: 弓兵" in line for line in told
    )


MERGED = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>'


def test_a_spreadsheet_as_people_keep_it_becomes_cards_without_an_edit(somewhere: Path) -> None:
    """Groups named once, lines across, notes, two sides, tokens; each in English of its own."""
    suits: list[list[TEXT]] = [["Suit", "Name", "Power", "Text", "Notes", "Price"]]
    for suit in ("Crown", "Rose"):
        suits.append(["", f"--- {suit.upper()} ---", "", "", "", ""])
        for number, word in enumerate(("King", "Queen", "Page", "Fool")):
            line: list[TEXT] = [
                "" if number else suit,
                f"{word} of {suit}",
                number,
                "Take {coin}, then :up:.",
            ]
            suits.append([*line, "weak?" if number == 1 else "", 0.25])
    two: list[list[TEXT]] = [["Front Name", "Front Text", "Back Name", "Back Text"]]
    two += [["Mill", "Gain two.", "Burnt mill", "Gain none."], ["Inn", "Rest.", "Ruin", "Wait."]]
    sheets: dict[str, list[list[TEXT]]] = {
        "Royals": suits,
        "Tokens": [["Name", "Qty"], ["Gold", 9]],
        "Places": two,
    }
    Path("MASTER v0.7 (2).xlsx").write_bytes(workbook(sheets))
    Path("art").mkdir()
    Path("art/Mill.png").write_bytes(picture(64, 64))
    Path("art/Inn.tif").write_bytes(b"II*")
    made = run("new", "mine", "--from", "MASTER v0.7 (2).xlsx", "--pictures", "art")
    assert made.exit_code == 0, made.output
    for told in (
        "royals: 8 cards from",
        "Suit → blank cells repeat the value above",
        "your own columns, not shown on cards: Notes, Price",
        "rows that are not cards: --- CROWN ---, --- ROSE ---",
        "you can change how these marks read under `marks` in game.yaml: {coin} → {",
        "Back Name, Back Text → on the back of the card",
        "pictures in a format that cannot be read (only .png, .jpg, .jpeg, .webp, .svg can): "
        "Inn.tif",
    ):
        assert told in made.output
    assert not (somewhere / "source_data" / "schemas").exists()
    game = read_game(somewhere / "source_data" / "mine")
    assert [*game.kinds] == ["royals", "tokens", "places"]
    royals = [card for card in game.cards.values() if card.kind == "royals"]
    assert [card.get("Suit") for card in royals] == ["Crown"] * 4 + ["Rose"] * 4
    assert not {"Notes", "Price"} & set(royals[0].fields)
    assert game.faces["tokens"].size == (25, 25)
    assert game.kinds["places"].back_fields == ("id", "Back Name", "Back Text")
    names = [
        zone for layout in game.layouts.values() for item in layout.items for zone in item.zones
    ]
    assert all(name.isascii() for name in names)
    assert run("check", "mine").exit_code == 0


@pytest.mark.slow
def test_tokens_are_piles_numbers_are_no_names_and_a_board_comes_along(somewhere: Path) -> None:
    heroes: list[list[TEXT]] = [["No.", "Hero", "HP", "Notes", "Designer notes"]]
    heroes += [[f"H{n}", name, n, "", "weak"] for n, name in enumerate(("Mira", "Fen", "Rusk"))]
    tokens: list[list[TEXT]] = [["Token", "Count"], ["Rat", 8], ["Coin", 20]]
    Path("ash.xlsx").write_bytes(workbook({"Heroes": heroes, "Tokens": tokens}))
    made = run("new", "ash", "--from", "ash.xlsx", "--players", "2", "--board", "hex")
    assert made.exit_code == 0, made.output
    assert "Hero → name" in made.output
    assert "not shown on cards: Designer notes" in made.output
    built = run("build", "ash")
    assert built.exit_code == 0, built.output
    assert "warning" not in built.output
    with zipfile.ZipFile("output/ash/p2.zip") as room:
        text = room.read("data.xml").decode()
    game = read_game(somewhere / "source_data" / "ash")
    assert {card.name for card in game.cards.values()} >= {"Mira", "Rat"}
    assert text.count("<card-stack ") == 3, "a deck of heroes, and a pile of each token"
    assert [board.kind for board in game.boards.values()] == ["hex"]


@pytest.mark.slow
def test_merged_cells_and_japanese_groups_are_read_as_they_are_seen(somewhere: Path) -> None:
    rows: list[list[TEXT]] = [["陣営", "名前", "よみ", "コスト", "備考"]]
    rows += [
        ["火", "竜", "りゅう", 3, ""],
        ["", "狐", "きつね", 1, "弱い"],
        ["水", "鯉", "こい", 2, ""],
    ]
    Path("案.xlsx").write_bytes(workbook({"札": rows}, more=MERGED))
    made = run("new", "mine", "--from", "案.xlsx", "--lang", "ja")
    assert made.exit_code == 0, made.output
    for line in (
        "陣営 → 結合したセルは、かかる行すべての値。空のセルは空のまま",
        "自分用の列のため、カードに表示しません：備考",
        "よみ → カードの詳細に表示",
    ):
        assert line in made.output
    game = read_game(somewhere / "source_data" / "mine")
    assert [card.get("陣営") for card in game.cards.values()] == ["火", "火", "水"]


@pytest.mark.slow
def test_separators_group_columns_colour_words_and_icons_of_one_book(somewhere: Path) -> None:
    heroes: list[list[TEXT]] = [["Faction", "Name", "Cost", "Text", "Region"]]
    heroes += [["--- CROWN ---", "", "", "", ""], ["Crown", "Knight", 1, "Gain {gold}.", "N"]]
    heroes += [["", "Herald", 2, "Draw a card.", ""], ["Ember", "Imp", 1, "Rush.", "S"]]
    heroes += [["", "Witch", 3, "Long. " * 40, ""]]
    items: list[list[TEXT]] = [["Slot", "Item", "Bonus"], ["Head", "Iron Helm", 1], ["", "Hat", 2]]
    items += [["Hand", "Axe", 1], ["", "Bow", 2]]
    tokens: list[list[TEXT]] = [["Token", "Colour"], ["Coin", "gold"], ["Wound", "red"]]
    units: list[list[TEXT]] = [["Front name", "Front move", "Back name", "Back move"]]
    units += [["Fresh", 2, "Worn", 1], ["Full", 3, "Half", 2]]
    book = {"Heroes": heroes, "Items": items, "Tokens": tokens, "Units": units}
    Path("book.xlsx").write_bytes(workbook({**book, "README": [["Icon", "Meaning"], ["G", "x"]]}))
    made = run("new", "mine", "--from", "book.xlsx")
    assert made.exit_code == 0, made.output
    assert "sheets without a column of names were left out: 'README'" in made.output
    game = read_game(somewhere / "source_data" / "mine")
    assert [*game.kinds] == ["heroes", "items", "tokens", "units"]
    cards = {card.name: card for card in game.cards.values()}
    assert [cards[name].get("Region") for name in ("Herald", "Imp", "Witch")] == ["N", "S", "S"]
    factions = [cards[name].get("Faction") for name in ("Herald", "Imp", "Witch")]
    assert factions == ["Crown", "Ember", "Ember"]
    assert cards["Hat"].get("Slot") == "Head"
    assert "{mdi:gold}" in game.marks.values()
    assert game.kinds["units"].back_fields == ("id", "Back name", "Back move")
    assert "Front move" in game.kinds["units"].front_fields
    heroes[2][1] = "Squire"
    heroes.append(["", "--- GROVE ---", "", "", ""])
    Path("book.xlsx").write_bytes(workbook({**book, "README": [["Icon", "Meaning"], ["G", "x"]]}))
    newer = run("new", "mine", "--from", "book.xlsx")
    assert newer.exit_code == 0, newer.output
    assert Path("source_data/mine/cards/book.xlsx.before").is_file(), "edits there are not lost"
    assert "--- GROVE ---" not in {
        card.name for card in read_game(somewhere / "source_data" / "mine").cards.values()
    }
    assert run("check", "mine").exit_code == 0


@pytest.mark.slow
def test_of_a_long_table_the_widest_cards_are_tried(somewhere: Path) -> None:
    rows = [f"Card {number},{'Draw a card. ' * (number % 60)}" for number in range(600)]
    Path("long.csv").write_text("\n".join(["name,text", *rows]), encoding="utf-8")
    assert run("new", "mine", "--from", "long.csv").exit_code == 0
    assert run("check", "mine").exit_code == 0


@pytest.mark.slow
def test_a_text_too_long_is_one_problem_that_says_what_makes_room(somewhere: Path) -> None:
    long = "Draw a card and then discard another from your hand. " * 6
    rows = ["name,text", *(f"Card {number},{long}" for number in range(30)), "Short,Draw."]
    Path("deck.csv").write_text("\n".join(rows), encoding="utf-8")
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    head = somewhere / "source_data" / "mine" / "game.yaml"
    made = head.read_text(encoding="utf-8")
    large = made.replace("text_size: {least: 6,", "art_height: 0.5\n      text_size: {least: 12,")
    head.write_text(large, encoding="utf-8")
    told = [line for line in run("check", "mine").output.splitlines() if "FACE-OVERFLOW" in line]
    assert len(told) == 1
    assert "on 30 cards (lines 2, 3, 4, 5 …)" in told[0]
    for help_ in (
        "a lower `art_height` than 0.5",
        "a smaller `text_size` than {least: 12",
        "a larger `size`",
    ):
        assert help_ in told[0]


@pytest.mark.slow
def test_each_card_may_have_letters_of_its_own_size(somewhere: Path) -> None:
    long = "Draw a card and then discard another from your hand. " * 9
    Path("deck.csv").write_text(f"name,text\nA,Draw.\nB,{long}\n", encoding="utf-8")
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    head = somewhere / "source_data" / "mine" / "game.yaml"
    sizes = []
    for more in ("", ", each: true"):
        text = re.sub(r"most: 10\.5(, each: true)?", f"most: 10.5{more}", head.read_text("utf-8"))
        head.write_text(text, encoding="utf-8")
        game = read_game(head.parent)
        fronts = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
        sizes.append([face.size_group is None for face in fronts])
    assert sizes == [[False, False], [True, True]]


@pytest.mark.slow
def test_several_tables_become_one_game(somewhere: Path) -> None:
    (somewhere / "cards.csv").write_text("Name,Text\nWick,Light it.\nReed,Gain it.\n")
    (somewhere / "chips.csv").write_text("Chip,Count\nLamp,4\nBoat,2\n")
    made = run("new", "mine", "--from", "cards.csv", "--from", "chips.csv")
    assert made.exit_code == 0, made.output
    game = read_game(somewhere / "source_data" / "mine")
    assert [card.name for card in game.cards.values()] == ["Wick", "Reed", "Lamp", "Boat"]
    other = run("new", "mine", "--from", "cards.csv")
    assert other.exit_code == 0
    assert "sheets that the game does not read" not in other.output


@pytest.mark.slow
def test_another_table_does_not_take_the_place_of_the_first(somewhere: Path) -> None:
    (somewhere / "cards.csv").write_text("Name,Text\nWick,Light it.\nReed,Gain it.\n")
    (somewhere / "chips.csv").write_text("Chip,Value,Count\nLamp,3,4\nBoat,1,2\n")
    assert run("new", "mine", "--from", "cards.csv").exit_code == 0
    refused = run("new", "mine", "--from", "chips.csv")
    assert refused.exit_code == 1
    assert "chips.csv has other headings than this game's table cards/cards.csv" in refused.output
    assert "--from FIRST --from SECOND" in refused.output


@pytest.mark.slow
def test_a_sheet_that_came_later_is_named(somewhere: Path) -> None:
    (somewhere / "deck.xlsx").write_bytes(workbook({"Deck": DECK}))
    assert run("new", "mine", "--from", "deck.xlsx").exit_code == 0
    events: list[list[TEXT]] = [["Name", "Text", "Qty"], ["Flood", "All is wet.", 2]]
    (somewhere / "deck.xlsx").write_bytes(workbook({"Deck": DECK, "Events": events}))
    again = run("new", "mine", "--from", "deck.xlsx")
    assert "sheets that the game does not read: Events." in again.output


@pytest.mark.slow
def test_a_heading_that_was_renamed_keeps_its_place_on_the_cards(somewhere: Path) -> None:
    rows = [[f"C{number}", str(number), f"Do it {number} times."] for number in range(4)]
    table = somewhere / "cards.csv"

    def write(*headings: str) -> None:
        table.write_text("\n".join(map(",".join, [headings, *rows])) + "\n")

    write("Name", "VP", "Rules")
    assert run("new", "mine", "--from", "cards.csv").exit_code == 0
    before = read_game(somewhere / "source_data" / "mine")
    rows[0][2] = "Do nothing."
    write("Name", "Points", "Effect")
    again = run("new", "mine", "--from", "cards.csv")
    assert "the heading Effect is read as Rules" in again.output
    assert "the heading Points is read as VP" in again.output
    assert "1 card changed: C0 (Effect)" in again.output
    after = read_game(somewhere / "source_data" / "mine")
    assert [card.get("Rules") for card in after.cards.values()][1:] == [
        card.get("Rules") for card in before.cards.values()
    ][1:]
    assert run("check", "mine").exit_code == 0


HIDDEN = (
    '</table:table><s:style xmlns:s="urn:oasis:names:tc:opendocument:xmlns:style:1.0" s:name="no">'
    '<table:table-properties table:display="false"/></s:style>'
    '<table:table table:name="Old" table:style-name="no">'
)


COLUMN = {
    "xlsx": '<cols><col min="3" max="3" hidden="1"/></cols>',
    "ods": '<table:table-column table:number-columns-repeated="2"/>'
    '<table:table-column table:visibility="collapse"/>',
}


@pytest.mark.parametrize("ending", ["xlsx", pytest.param("ods", marks=pytest.mark.slow)])
def test_hidden_sheets_and_columns_are_left_out_and_told(somewhere: Path, ending: str) -> None:
    now: list[list[TEXT]] = [["Name", "Text", "Odds"], ["Orc", "Hit.", 3], ["Elf", "Shoot.", 4]]
    old: list[list[TEXT]] = [["Name", "Text"], ["Rat", "Run."], ["Bat", "Fly."]]
    rows = ("<table:table-row>" + "".join(map(ods_cell, row)) + "</table:table-row>" for row in old)
    book = workbook({"Now": now, "Old": old}, None, COLUMN["xlsx"], {"Old": "hidden"})
    data = book if ending == "xlsx" else ods(now, COLUMN["ods"] + HIDDEN + "".join(rows))
    (somewhere / f"deck.{ending}").write_bytes(data)
    made = run("new", "mine", "--from", f"deck.{ending}")
    assert "hidden sheets were left out: 'Old'" in made.output
    assert "hidden columns, not shown on cards: Odds (to show one, remove it from" in made.output
    assert run("new", "old", "--from", f"deck.{ending}#Old").exit_code == 0
    games = (read_game(somewhere / "source_data" / name) for name in ("mine", "old"))
    assert [[c.name for c in g.cards.values()] for g in games] == [["Orc", "Elf"], ["Rat", "Bat"]]
    built = run("build", "mine")
    assert built.exit_code == 0, built.output
    with zipfile.ZipFile("output/mine/p2.zip") as room:
        assert "Odds" not in room.read("data.xml").decode()


def some_slow(cases: Sequence[tuple[Any, ...]], quick: int) -> list[Any]:
    """The first few cases; the others go the same way, and are slow."""
    return [*cases[:quick], *(pytest.param(*one, marks=pytest.mark.slow) for one in cases[quick:])]


TWO: list[list[TEXT]] = [
    ["Name", "Effect", "Otherwise"],
    ["Orc", "Hit.", "Else it runs away home."],
]
FOG = "a painting of a thing that howls in fog"
DAYS = {f"C{n}": f'<c r="C{n}" s="1"><v>{45350 + n}</v></c>' for n in (2, 3)}


BESIDES = [
    (
        [*TWO, ["Elf", "Shoot.", "Else it shoots once more."]],
        {},
        ["Otherwise → more text, below", "[[Otherwise, Otherwise]]", "Otherwise: Otherwise}"],
    ),
    (
        [["名前", "効果１", "効果２"], ["鬼", "打つ。", "走る。"], ["狐", "化ける。", ""]],
        {},
        ["効果２ → more text, below", "[['', 効果２]]"],
    ),
    (
        [["Name", "Effect", "Tried"], ["Orc", "Hit.", ""], ["Elf", "Shoot.", ""]],
        DAYS,
        ["columns not read: Tried (dates;", "ignore: [Tried]"],
    ),
    (
        [
            *(["Token", "Count"], ["Coin", 5], ["Gem", 2], ["", ""]),
            *(["Coin = money", ""], ["Gem: worth 3", ""]),
        ],
        {},
        ["rows that are not cards: Coin = money, Gem: worth 3"],
    ),
    (
        [["Name", "Side"], ["Orc", "red"], ["Elf", "〃"], ["Rat", ""], ["Bat", "同上"]],
        {},
        ["!B5: notice SRC-CELL '同上' stands below a blank cell, so it was read as blank."],
    ),
    (
        [
            *(["House", "Name", "Image prompt", "Rules"], ["Red", "Orc", FOG, "Hit."]),
            *(["〃", "Elf", FOG[:30], "Go."], ["", "Rat", FOG, ""], ["Blue", "Bat", "", ""]),
            *(["", "Cat", FOG, "Run."], ["〃", "Owl", FOG, "Fly."]),
        ],
        {},
        ["House → blank cells repeat", "not shown on cards: Image prompt", "text: Rules"],
    ),
    (
        [
            *(["Kind", "Name"], ["folk", "Orc"], ["", "Elf"], ["beast", "Rat"], ["", "Bat"]),
            *(["folk", "Cat"], ["", "Owl"]),
        ],
        {},
        ["Kind → blank cells repeat", "repeats: [Kind]"],
    ),
    ([["Name", "Text"], ["Box", "???"], ["Orc", "Hit."]], {}, ["deck: 2 cards from"]),
    (
        [["Kind", "Name"], ["folk", "Orc"], ["", "Elf"], ["folk", "Rat"], ["", "Bat"]],
        {},
        ["blank cells: Kind (2) (where they are to repeat", "write `repeats: [HEADING]`"],
    ),
    (
        [["Name", "Colour"], ["Orc", "red"], ["Elf", "palest tan"]],
        {},
        ["!B3: notice SRC-VALUE 'palest tan' is no name of a colour"],
    ),
]


@pytest.mark.parametrize(("table", "cells", "told"), some_slow(BESIDES, 4))
def test_what_a_sheet_holds_besides_is_told_and_in_its_place(
    somewhere: Path, table: list[list[TEXT]], cells: dict[str, str], told: list[str]
) -> None:
    (somewhere / "deck.xlsx").write_bytes(workbook({"Deck": table}, cells))
    made = run("new", "mine", "--from", "deck.xlsx")
    assert made.exit_code == 0, made.output
    said = made.output + (somewhere / "source_data/mine/game.yaml").read_text("utf-8")
    assert [one for one in told if one not in said] == []
    assert run("check", "mine").exit_code == 0


@pytest.mark.parametrize("bad", ["2 each", "two", "1-2"])
def test_one_cell_of_copies_that_is_no_number_is_a_problem_there(bad: str) -> None:
    Path("deck.csv").write_text(f"Name,Qty,Text\nOrc,x3,Hit.\nElf,{bad},Shoot.\nRat,1,Run.\n")
    made = run("new", "mine", "--from", "deck.csv")
    assert made.exit_code == 1
    assert f"cards/deck.csv:3:5: error SRC-VALUE Qty: found '{bad}'" in made.output
    assert "1 error." in made.output


def test_a_row_of_a_name_alone_among_others_is_told_and_what_to_do(somewhere: Path) -> None:
    rows = ["Unit,Move,Text", "Spear,5,Brace.", "TIDE,,", "Eel,9,Swims.", "RUST,,", "Bell,3,Tolls."]
    Path("deck.csv").write_text("\n".join(rows))
    made = run("new", "mine", "--from", "deck.csv")
    assert "only the name: TIDE (row 3), RUST (row 5); if one is a heading, write it" in made.output
    head = somewhere / "source_data" / "mine" / "game.yaml"
    text = head.read_text("utf-8")
    head.write_text(text.replace("    fields:\n", "    no_cards: [TIDE, RUST]\n    fields:\n"))
    assert [c.name for c in read_game(head.parent).cards.values()] == ["Spear", "Eel", "Bell"]


NO_CARDS = [
    (["ARMS,,", "Axe,5,Hit.", "BOOTS,,", "Clog,1,Walk."], "ARMS, BOOTS", "Axe, Clog"),
    (["Axe,5,Hit.", "Clog,1,Walk.", "Total items,6,"], "Total items", "Axe, Clog"),
    (["Axe,5,Hit.", "Total War,1,Fight."], "", "Axe, Total War"),
    (["斧,5,打つ。", "靴,1,歩く。", "合計（種）,2,"], "合計（種）", "斧, 靴"),
    (["Axe,5,Hit.", "Clog,1,Walk.", ",,", "test again!,,"], "test again!", "Axe, Clog"),
]


@pytest.mark.parametrize(("rows", "no_cards", "cards"), some_slow(NO_CARDS, 2))
def test_sections_totals_and_reminders_are_no_cards(
    somewhere: Path, rows: list[str], no_cards: str, cards: str
) -> None:
    Path("deck.csv").write_text("\n".join(["Name,Price,Text", *rows]), "utf-8")
    made = run("new", "mine", "--from", "deck.csv")
    assert f"rows that are not cards: {no_cards}\n" in made.output or not no_cards
    game = read_game(somewhere / "source_data" / "mine")
    assert [card.name for card in game.cards.values()] == cards.split(", ")


def test_a_newer_row_that_is_in_no_deck_or_was_none_is_told() -> None:
    again = brought_twice(
        "Name,Qty,Price,Text\nARMS,,,\nAxe,2,1,Hit.\nBow,0,2,Aim.\n",
        "Name,Qty,Price,Text\nARMS,1,1,March.\nAxe,3,1,Hit.\nBow,0,2,Aim.\nElk,,3,Run.\n",
    )
    assert "1 card changed: Axe (Qty)\n" in again.output
    assert "0 copies, so not in any deck: Elk\n" in again.output
    assert "left out, because `no_cards` in game.yaml names them: ARMS\n" in again.output


def test_two_rows_of_headings_are_told_and_one_row_of_them_is_read(somewhere: Path) -> None:
    rows = "Orc,5,2d6,3,1d6\nElf,6,2d6+1,2,1d6\n"
    Path("deck.csv").write_text(f",FRONT,,BACK,\nName,Move,Fight,Move,Fight\n{rows}")
    made = run("new", "mine", "--from", "deck.csv")
    assert "two rows of headings, and row 2 alone is read" in made.output
    assert "headings such as Front Move and Back Move," in made.output
    Path("deck.csv").write_text(f"Name,Front Move,Front Fight,Back Move,Back Fight\n{rows}")
    told = run("new", "again", "--from", "deck.csv").output
    assert "Back Move, Back Fight → on the back of the card" in told
    assert "two rows" not in told


SIDES = [
    (
        "Unit,Fresh: Move,Fresh: Fight,Fresh: Text,Spent: Move,Spent: Fight,Spent: Text",
        ["Fresh: Move, Fresh: Fight → figures", "Spent: Move, Spent: Fight, Spent: Text → on"],
    ),
    (
        "Unit,Melee Dice,Melee Range,Melee Text,Bow Dice,Bow Range,Bow Text",
        ["Melee Dice, Melee Range, Bow Dice, Bow Range → figures"],
    ),
    (
        "Unit,Rested: Skill,Rested: Act,Worn out: Skill,Worn out: Act",
        ["Rested: Skill → figures", "Worn out: Skill, Worn out: Act → on the back"],
    ),
    (
        "Token,Qty,Front,Back,Use",
        ["Front → effect text", "Back → on the back", "Use → shown in the details"],
    ),
    ("Unit,Front Name,Fight,Move,Qty,Amount,Text", ["Front Name → name"]),
    (
        "Name,個数,Move,枚数,Status,作業状況,Text",
        ["枚数 → number of copies", "Status, 作業状況"],
    ),
]


@pytest.mark.parametrize(("headings", "told"), some_slow(SIDES, 2))
def test_sides_codes_and_counts_are_known_by_what_stands_beside_them(
    somewhere: Path, headings: str, told: list[str]
) -> None:
    table = [headings, "Q01,Orc,3,4,2,,Hit hard and run.", "Q02,Elf,5,2,1,,Aim well and hide."]
    if "Fresh" in headings or "Melee" in headings:
        table = [headings, "Orc,3,4,Hit hard and run away.,1,2,Do not run away now."]
        table += ["Elf,5,2,Aim well and hide away.,2,1,Do not hide away now."]
    if "Rested" in headings:
        table = [headings, "Orc,3,Hit hard and run.,1,Rest.", "Elf,5,Aim well and hide.,2,Sleep."]
    if "Token" in headings:
        table = [headings, "Sugar,3,1,5,Money. Flip it for five of them.", "Log,2,Fresh,Old,"]
    if "個数" in headings:
        table = [headings, "Orc,,3,2,done,済,Hit hard.", "Elf,3,5,1,done,未,Aim well."]
    file = "tokens.csv" if "Token" in headings else "units.csv"
    Path(file).write_text("\n".join(table), "utf-8")
    output = run("new", "mine", "--from", file).output
    assert not [each for each in told if each not in output], output


@pytest.mark.slow
def test_a_fraction_reads_as_figures(somewhere: Path) -> None:
    Path("deck.csv").write_text("Name,Text\nOrc,1⅗ feet\nElf,Run 3 of them.\n", "utf-8")
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    assert run("build", "mine").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    assert game.marks == {"⅗": "\u00a03/5"}


def test_a_dash_ends_what_blank_cells_repeat_and_a_sum_in_any_column_is_no_card(
    somewhere: Path,
) -> None:
    rows = "A,X,Orc,1\n,,Elf,1\n,Y,Imp,1\n,,Pug,1\nB,―,Ox,2\n,,Emu,1\nTotal,,6 cards,7\n"
    Path("deck.csv").write_text(f"Kind,Zone,Name,Qty\n{rows}", "utf-8")
    assert "rows that are not cards: Total" in run("new", "mine", "--from", "deck.csv").output
    cards = read_game(somewhere / "source_data" / "mine").cards.values()
    assert [card.text("Kind") + card.text("Zone") for card in cards] == [
        *["AX"] * 2,
        *["AY"] * 2,
        "B",
        "B",
    ]


@pytest.mark.slow
def test_a_picture_is_lower_before_a_card_is_larger(somewhere: Path) -> None:
    (somewhere / "art").mkdir()
    (somewhere / "art" / "Orc.png").write_bytes(picture(40, 40))
    few = "Choose one of your units in a field next to a river and move it up to three fields"
    few += " away or to the end"
    rows = "\n".join(f"{name},{name[0]},1,{few} on,{few},{few}" for name in ("Orc", "エルフ"))
    Path("deck.csv").write_text(f"Name,Type,Cost,Text,Bonus,Upgrade\n{rows}\n")
    assert run("new", "mine", "--from", "deck.csv", "--pictures", "art").exit_code == 0
    style = read_game(somewhere / "source_data" / "mine").faces["deck"]
    assert (style.size, style.values["art_height"]) == ((63, 88), 0.26)


@pytest.mark.slow
@pytest.mark.parametrize(("times", "size"), [(32, (70, 120)), (240, (63, 88))])
def test_a_long_text_of_a_back_makes_room_or_stands_in_the_detail(
    somewhere: Path, times: int, size: tuple[float, float]
) -> None:
    long = "Gains a lot of things for others. " * times
    Path("deck.csv").write_text(f"Name,Text,Back Text\nOrc,Hit.,{long}\nElf,Shoot.,Run.\n")
    assert run("new", "mine", "--from", "deck.csv").exit_code == 0
    game = read_game(somewhere / "source_data" / "mine")
    assert (game.faces["deck"].size, game.faces["deck_back"].size) == (size, size)
    assert ("Back Text" in game.kinds["deck"].back_fields) == (times == 32)
    assert run("check", "mine").exit_code == 0


def test_pictures_called_by_running_numbers_are_those_of_their_rows(somewhere: Path) -> None:
    (somewhere / "art").mkdir()
    for number in (1, 2):
        (somewhere / "art" / f"{number}.png").write_bytes(picture(40, 40))
    Path("deck.csv").write_text("No.,Name,Text\n1,Orc,Hit.\n2,Elf,Shoot.\n3,Rat,Run.\n")
    assert "No. → picture" in run("new", "mine", "--from", "deck.csv", "--pictures", "art").output
    game = read_game(somewhere / "source_data" / "mine")
    fronts = [card_front(game, DeckCard(card=card)) for card in game.cards.values()]
    assert [f.pictures for f in fronts] == [("pictures/1.png",), ("pictures/2.png",), ()]


def brought_twice(table: str, newer: str) -> Result:
    """What is said of a newer table, brought after an earlier one into the game ``mine``."""
    for text in (table, newer):
        Path("deck.csv").write_text(text)
        said = run("new", "mine", "--from", "deck.csv")
        assert said.exit_code == 0, said.output
    return said


def test_a_row_inserted_into_running_numbers_renames_no_card(somewhere: Path) -> None:
    again = brought_twice(
        "No.,Name,Text\n1,Orc,Hit.\n2,Elf,Shoot.\n",
        "No.,Name,Text\n1,Orc,Hit.\n2,Rat,Run.\n3,Elf,Shoot.\n",
    )
    assert "1 card new: Rat" in again.output
    assert "renamed" not in again.output
    game = read_game(somewhere / "source_data" / "mine")
    assert {card.name: card.id for card in game.cards.values()} == {
        name: name for name in ("Orc", "Rat", "Elf")
    }


def test_a_card_keeps_its_id_after_another_column_became_the_name(somewhere: Path) -> None:
    table = "Name,Hero,Text\nThe Calm,Ann,Hit.\nThe Odd,Bo,Shoot.\n"
    brought_twice(table, table)
    head = somewhere / "source_data" / "mine" / "game.yaml"
    text = head.read_text("utf-8").replace("{Name: name}", "{Hero: name, Name: Hero}")
    head.write_text(text, "utf-8")
    Path("deck.csv").write_text(table.replace("Ann,Hit", "Anna,Hit"))
    again = run("new", "mine", "--from", "deck.csv")
    assert "1 card renamed, keeping the id: Ann → Anna" in again.output


def test_a_column_of_numbers_that_is_gone_is_told_and_blank_on_the_cards(somewhere: Path) -> None:
    again = brought_twice(
        "Name,Attack,Move,Text\nOrc,3,5,Hit.\nElf,2,6,Shoot.\n",
        "Name,Move,Text\nOrc,5,Hit.\nElf,6,Shoot.\n",
    )
    assert (
        "deck: columns that are gone or empty now, and blank on the cards: Attack" in again.output
    )
    game = read_game(somewhere / "source_data" / "mine")
    assert [(card.get("Attack"), card.get("Move")) for card in game.cards.values()] == [
        ("", 5),
        ("", 6),
    ]


@pytest.mark.slow
def test_two_sheets_of_one_file_are_both_brought(somewhere: Path) -> None:
    events: list[list[TEXT]] = [["Name", "Text", "Qty"], ["Flood", "All is wet.", 2]]
    thoughts: list[list[TEXT]] = [["Name", "Text"], ["Idea", "To be done."]]
    sheets = {"Deck": DECK, "Events": events, "Ideas": thoughts}
    (somewhere / "deck.xlsx").write_bytes(workbook(sheets))
    made = run("new", "mine", "--from", "deck.xlsx#Deck", "--from", "deck.xlsx#Events")
    assert made.exit_code == 0, made.output
    game = read_game(somewhere / "source_data" / "mine")
    assert [*game.kinds] == ["deck", "events"]
    assert len([*(somewhere / "source_data/mine/cards").glob("*.xlsx")]) == 1
    (somewhere / "scans").mkdir()
    assert run("new", "other", "--from", "scans", "--from", "deck.xlsx").exit_code == 1


@pytest.mark.slow
def test_an_icon_heads_figures_and_a_side_stands_beside_the_type(somewhere: Path) -> None:
    table = "Name,Kind,Side,[oven],Qty,Text\n" + "".join(
        f"{name},{kind},{side},{count},1,Bake {count} loaves and give one away.\n"
        for name, kind, side, count in (
            ("Coin", "spell", "Red", 3), ("coin", "spell", "Blue", 1),
            ("Loaf", "item", "Red", 4), ("Bun", "item", "Blue", 2),
        )
    )  # fmt: skip
    (somewhere / "bake.csv").write_text(table, "utf-8")
    made = run("new", "mine", "--from", "bake.csv")
    assert "Side → word beside the type" in made.output
    game = read_game(Path("source_data/mine"))
    faces = {card.id: card_front(game, DeckCard(card=card)).values for card in game.cards.values()}
    assert sorted(faces) == ["Bun", "Coin", "Loaf", "coin-2"]
    assert '"oven":4' in faces["Loaf"]
    assert '"suit":"Side"' in faces["Loaf"]


def test_a_column_of_numbers_may_become_words_and_one_that_was_empty_is_new() -> None:
    again = brought_twice(
        "Name,Wage,Length,Text\nOrc,3,,Hit them.\nElf,5,,Aim well.\n",
        "Name,Wage,Length,Text\nOrc,£3,3:20,Hit them.\nElf,£5,2:58,Aim well.\n",
    )
    assert "Wage holds words now, so the field Wage is a text in game.yaml" in again.output
    assert "new columns, shown in the cards' details: Length" in again.output
    orc = read_game(Path("source_data/mine")).cards["Orc"]
    assert (orc.text("Wage"), orc.text("Length")) == ("£3", "3:20")


def test_backs_of_some_cards_of_tokens_and_of_a_colour_alone(somewhere: Path) -> None:
    """Who made the table is told of cards without a back; a colour needs no other column."""
    tables = {
        "tokens": "Token,Count,Back name,Back colour\nHive,4,Ruin,grey\nBear,2,Sleeper,brown\n",
        "piles": "Name,Text,Back colour\nAxe,Hit.,red\nBow,Aim.,blue\n",
        "units": "Name,Text,Back Text\nOrc,Hit.,Rest.\nElf,Aim.,\n",
        "rates": "Name,Text,HP/turn\nAxe,Hit.,2\nBow,Aim.,–\n",
    }
    told, game = {}, {}
    for name, table in tables.items():
        Path(f"{name}.csv").write_text(table, encoding="utf-8")
        told[name] = run("new", name, "--from", f"{name}.csv").output
        game[name] = read_game(somewhere / "source_data" / name)
    fields = {name: each.kinds[name].back_fields for name, each in game.items()}
    assert fields["tokens"] == ("back", "Back colour")
    assert fields["piles"] == ("back_colour",)
    assert "1 card says something on the back, so all of the kind lie open" in told["units"]
    assert "HP/turn → a dash stands for none: no box on the card" in told["rates"]
    assert game["rates"].kinds["rates"].detail["HP／turn"] == "HP/turn"


def test_a_name_that_begins_like_a_month_is_no_date(somewhere: Path) -> None:
    Path("deck.csv").write_text("Name,Text\nMarconi 500,Hit.\nMar 5,Aim.\n", encoding="utf-8")
    told = run("new", "mine", "--from", "deck.csv").output
    assert "'Mar 5' was read as it is, but looks like a date" in told
    assert "Marconi" not in told


def test_a_back_or_a_colour_that_comes_later_asks_for_a_new_game(somewhere: Path) -> None:
    for text in ("Token,Count\nSugar,3\n", "Token,Count,Back,Colour,Use\nSugar,3,5,red,Pay.\n"):
        Path("tokens.csv").write_text(text)
        again = run("new", "mine", "--from", "tokens.csv").output
    assert "backs or colours, shown in the details only: Back, Colour; to have them" in again
    assert "tokens: new columns, shown in the details: Use\n" in again


@pytest.mark.parametrize("total", [",合計,43,,130", "合計,,43種,,130枚", ",,合計,,130枚"])
def test_a_total_in_any_column_stays_one_and_a_figure_that_comes_later_is_seen(
    somewhere: Path, total: str
) -> None:
    rows = "山,木,杉,40年,3枚\n,,松,,2枚\n里,人,桶屋,,1枚\n"
    head = "山札,区分,札名,伐期,枚数\n"
    Path("deck.csv").write_text(f"{head}{rows}{total}\n", encoding="cp932")
    made = run("new", "mine", "--from", "deck.csv", "--lang", "en")
    assert made.exit_code == 0, made.output
    copy = somewhere / "source_data" / "mine" / "cards" / "deck.csv"
    newer = rows.replace("桶屋,", "桶屋,9年") + total.replace("43", "44").replace("130", "131")
    copy.write_text(f"{head}{newer}\n", encoding="cp932")
    game = read_game(somewhere / "source_data" / "mine")
    assert [card.name for card in game.cards.values()] == ["杉", "松", "桶屋"]
    assert all("伐期" in kind.detail for kind in game.kinds.values())


def test_a_place_below_cells_of_several_lines_says_what_a_spreadsheet_calls_it(
    somewhere: Path,
) -> None:
    Path("deck.csv").write_text('Name,Text\nAxe,"Hit.\nRest."\nMar 5,Aim.\n')
    assert "deck.csv:4:1 (A3): notice" in run("new", "mine", "--from", "deck.csv").output
