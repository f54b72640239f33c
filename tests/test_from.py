"""A game from what somebody has: a spreadsheet and pictures become a room without editing."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pytest
from commands import output_of, run
from japanese import english_in
from PIL import Image
from spreadsheet_files import TEXT, ods, ods_cell, workbook

from exporter import game_from, pull
from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import Face, card_front
from exporter.loader.game_reader import read_game
from exporter.model import DeckCard, Game

Sheet = list[list[TEXT]]
Table = str | bytes | dict[str, Sheet]
"""A table as the text of a CSV, as the bytes of a file, or as the sheets of a workbook."""


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None) -> Path:
    """An empty folder in which a designer begins."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Brought(NamedTuple):
    """A game that was made from a table, and what was printed of it."""

    output: str
    name: str = "mine"

    @property
    def head(self) -> Path:
        return Path("source_data", self.name, "game.yaml")

    @property
    def game(self) -> Game:
        return read_game(self.head.parent)

    @property
    def faces(self) -> list[Face]:
        """The fronts of its cards."""
        game = self.game
        return [card_front(game, DeckCard(card=card)) for card in game.cards.values()]

    def column(self, field: str) -> list[object]:
        """What all its cards have in a field; ``id`` and ``name`` are fields too."""
        cards = self.game.cards.values()
        return [getattr(card, field, None) or card.get(field) for card in cards]

    def edit(self, old: str, new: str) -> None:
        """Change its game.yaml by hand."""
        text = self.head.read_text("utf-8")
        assert old in text
        self.head.write_text(text.replace(old, new, 1), "utf-8")


def write(file: str, table: Table) -> None:
    data = workbook(table) if isinstance(table, dict) else table
    Path(file).write_bytes(data.encode() if isinstance(data, str) else data)


def bring(table: Table, *words: str, file: str = "", name: str = "mine", code: int = 0) -> Brought:
    """Write a table to a file and make a game of it, or bring it again into the game."""
    file = file or ("deck.xlsx" if isinstance(table, dict) else "deck.csv")
    write(file.partition("#")[0], table)
    made = run("new", name, "--from", file, *words)
    assert made.exit_code == code, made.output
    return Brought(made.output, name)


def sheet(text: str) -> Sheet:
    """The rows of a sheet, written as a CSV."""
    return [[_cell(cell) for cell in line.split(",")] for line in text.splitlines()]


def _cell(text: str) -> TEXT:
    is_number = re.fullmatch(r"[\d.]+", text)
    return text if not is_number else float(text) if "." in text else int(text)


def draw(folder: str, *names: str, size: tuple[int, int] = (40, 40), colour: str = "teal") -> None:
    """Pictures of some names in a folder."""
    Path(folder).mkdir(exist_ok=True)
    for name in names:
        Image.new("RGB", size, colour).save(Path(folder, name), "PNG")


def lacking(said: list[str], output: str) -> list[str]:
    """What was not said."""
    return [one for one in said if one not in output]


def text_of(room: str) -> str:
    """The data of a room that was built."""
    with zipfile.ZipFile(Path("output", room)) as archive:
        return archive.read("data.xml").decode()


# -- whole ways from a table to a room ------------------------------------------------------------

# The shapes of a deck by Squib's author: formulas, look-up sheets beside, icons named in a column.
DECK = sheet("""\
Name,Qty,Wood,Steel,VP,GameIcon,Type,Description,Snark
A Log,8,1,,0,log,starter,,Building must start somewhere.
Rusted Gears,4,,3,0,gears,starter,,A fantasy.
Anvil,1,,4,6,anvil,path,May be built for 3 Steel or 4 Wood,
Barn,2,1,1,4,barn,path,At game end +1 VP for each log.,Born in.
Spare,0,1,1,4,spare,path,Draw 2.,""")
RATES = sheet("Resource,VP Rate\nWood,1.3\nSteel,1.4")


@pytest.mark.slow
def test_a_deck_with_art_of_one_author_becomes_a_room_and_sheets() -> None:
    arts = [f"art_{name}.png" for name in ("log", "gears", "anvil", "barn", "windmill")]
    draw("img", *arts, size=(512, 512))
    made = bring({"Deck": DECK, "VPs": RATES}, "--pictures", "img")
    said = [
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
    ]
    assert not lacking(said, made.output)
    text = made.head.read_text("utf-8")
    made.head.write_text(re.sub("^name: .*", "name: {ja: 市場, en: Market}", text, flags=re.M))
    assert "15 cards" in output_of("build", "mine")
    zips = sorted(Path("output/mine").glob("*.zip"))
    assert len(zips) == 3
    assert "0 problems" in output_of("verify", *zips)
    # What the client's menus say is Japanese; the room itself speaks the language of the cards.
    with zipfile.ZipFile(zips[0]) as room:
        texts = "".join(room.read(one).decode() for one in room.namelist() if one.endswith("xml"))
    assert re.findall("[\u3040-\u30ff\u4e00-\u9fff]+", re.sub("「[^」]*」", "", texts)) == []
    output_of("print", "mine")
    assert Path("output/mine/cards.pdf").exists()
    output_of("check", "mine")


# A Japanese list: a title merged above, a range that became a day, sums below, thoughts beside.
LIST = sheet("""\
カード一覧（第3版）,,,,,,
,,,,,,
番号,カード名,種類,コスト,射程,効果,枚数
1,火の玉,術,3,2～4,相手に3ダメージ。,4
2,盾兵,兵,2,0,となりの味方を守る。,6
3,弓兵,兵,2,1～5,離れた相手も攻撃できる。,6
,合計,,,,,16
,,,,,,""")
DAY = {"E5": '<c r="E5" s="1"><v>45294</v></c>'}  # 2024-01-03


@pytest.mark.slow
def test_a_japanese_list_with_title_sums_and_a_day_becomes_a_room() -> None:
    made = bring(workbook({"Sheet1": LIST}, DAY), file="一覧.xlsx")
    said = [
        "the headings are in row 3",
        "rows that are not cards: 合計",
        "Sheet1!E5: notice SRC-CELL A spreadsheet turned this into a date",
    ]
    assert not lacking(said, made.output)
    assert made.column("id") == ["火の玉", "盾兵", "弓兵"]
    assert made.column("射程")[1] == "1-3"
    assert made.column("copies") == [4, 6, 6]
    built = output_of("build", "mine")
    assert "16 cards" in built
    assert "notice" not in built, "it was told once"


@pytest.mark.slow
def test_sheets_and_decks_become_kinds_with_backs_of_their_own() -> None:
    items = sheet("Name,Deck,Count\nRope,Shop,2\nLamp,Shop,1\nCrown,Loot,1\nRing,Loot,1")
    heroes = sheet("Name,HP,Ability\nAnn,5,Heal 1.\nBob,7,Hit 2.")
    game = bring({"Heroes": heroes, "Items": items}).game
    backs = {"heroes": "heroes_back", "shop": "shop_back", "loot": "loot_back"}
    assert {kind.id: kind.back for kind in game.kinds.values()} == backs
    assert [c.name for c in game.cards.values() if c.kind == "loot"] == ["Crown", "Ring"]
    output_of("build", "mine")


@pytest.mark.slow
def test_tokens_are_piles_numbers_are_no_names_and_a_board_comes_along() -> None:
    heroes = sheet("No.,Hero,HP,Notes,Designer notes\nH0,Mira,0,,weak\nH1,Fen,1,,\nH2,Rusk,2,,")
    book = {"Heroes": heroes, "Tokens": sheet("Token,Count\nRat,8\nCoin,20")}
    made = bring(book, "--players", "2", "--board", "hex")
    assert not lacking(["Hero → name", "not shown on cards: Designer notes"], made.output)
    assert "warning" not in output_of("build", "mine")
    assert {*made.column("name")} >= {"Mira", "Rat"}
    stacks = text_of("mine/p2.zip").count("<card-stack ")
    assert stacks == 3, "a deck of heroes, and a pile of each token"
    assert [board.kind for board in made.game.boards.values()] == ["hex"]


@pytest.mark.slow
def test_a_begun_game_is_built_without_a_word_and_is_called_as_its_table() -> None:
    rows = "番号,名前,種類,攻撃,効果,枚数\n1,河童,水,2,攻撃されない。,3\n2,鬼,山,5,1枚引く。,1\n"
    bring(rows, file="妖怪.csv")
    for command in ("check", "build"):
        assert "警告" not in output_of(command, "mine", "--lang", "ja")
    listed = output_of("list", "mine", "--lang", "ja")
    assert not lacking(["妖怪 · 2–4人", "カード: 妖怪 2"], listed)
    assert "2人 · 2" not in listed


def test_a_file_in_small_letters_names_its_game_and_the_place_of_its_deck() -> None:
    game = bring("Name,Text\nSoup,Draw a card.\nTea,Rest.\n", file="night-market 🧭⏳⭐.csv").game
    assert game.name.en == "Night Market"
    mat, stack = game.layouts["supply"].items
    assert [*mat.zones] == ["Night Market"]
    assert stack.draws_to == "Night Market"
    assert "DRAWN" not in output_of("build", "mine")


# The shape of poem cards by a teacher: readings in brackets behind the words, no names.
POEMS = """\
色,上の句,下の句,上の句読み,決まり字（競技かるた）
青,朝[あさ]ぼらけ有明[ありあけ]の月[つき]と見[み]るまでに,吉野[よしの]の里[さと]に降[ふ]れる雪,あさぼらけ,あさぼらけあ
青,天[あま]つ風雲[かぜくも]の通[かよ]ひ路[ぢ]吹[ふ]きとじよ,をとめの姿[すがた]しばしとどめむ,あまつかぜ,あまつ
黄,春過[はるす]ぎて夏[なつ]来[き]にけらし白妙[しろたへ]の,衣[ころも]干[ほ]すてふ天の香具山,はるすぎて,はるす
"""


@pytest.mark.slow
def test_japanese_poems_with_readings_become_cards() -> None:
    made = bring(POEMS, "--lang", "ja", file="五色百人一首.csv")
    assert "marks" not in made.output
    assert str(made.column("name")[0]).startswith("{朝|あさ}ぼらけ{有明|ありあけ}の")
    assert made.column("下の句")[0] == "{吉野|よしの}の{里|さと}に{降|ふ}れる雪"
    assert made.game.name.ja == "五色百人一首"
    output_of("build", "mine", "--room", "p2")
    assert "朝ぼらけ有明の月と見るまでに" in text_of("mine/p2.zip")


@pytest.mark.slow
def test_a_folder_of_finished_faces_is_a_game() -> None:
    draw("faces", "スライム x3.png", "勇者.png", "裏.png", size=(240, 336))
    made = Brought(output_of("new", "mine", "--from", "faces"))
    assert not lacking(["2 finished faces, 4 cards", "the back is 裏.png"], made.output)
    assert "4 cards" in output_of("build", "mine")
    assert dict(zip(made.column("name"), made.column("copies"), strict=True)) == {
        "スライム": 3,
        "勇者": 1,
    }


@pytest.mark.slow
def test_what_was_taken_for_what_is_said_in_both_languages() -> None:
    draw("img", "art_log.png", "art_mill.png", "back.png", "a x3.png", size=(96, 132))
    write("deck.xlsx", {"Deck": DECK, "VPs": RATES})
    begun = [game_from("faces", "img"), game_from("mine", "deck.xlsx", pictures="img")]
    write("deck.xlsx", {"Deck": [[*DECK[0], "Rarity"], *([*row, "rare"] for row in DECK[2:])]})
    Path("img/art_log.png").unlink()
    begun.append(game_from("mine", "deck.xlsx", pictures="img"))
    new = "deck: new columns, shown in the cards' details: Rarity (to put Rarity on the card, "
    assert [line for line in map(str, begun[-1].report) if line.startswith(new)]
    for each in begun:
        said = [line.in_language("ja") for line in each.report]
        assert said
        assert not [line for line in said if english_in(line)]
        assert all(re.search("[ぁ-ん]", line) for line in said), said
    assert "なくなったカード1種: A Log" in said


# -- what a table holds, and what it is taken for -------------------------------------------------


def case(
    what: str, table: Table, *said: str, slow: bool = False, file: str = "", **cards: list[object]
) -> Any:
    """A table with what is said of it or written into game.yaml, and columns of its cards."""
    marks = [pytest.mark.slow] if slow else []
    return pytest.param(table, file, [*said], cards, id=what, marks=marks)


SHEETS = {
    "Deck": sheet("Name,Text,Count\nAxe,Deal 2.,3\nBow,Deal 1.,2"),
    "Events": sheet("Event,Effect\nStorm,Lose 1.\nFair,Draw 2."),
    "Parts": sheet("Component,Count\nCube,20\nMeeple,4"),
    "Map": sheet("Hex,Terrain\nA1,forest\nA2,lake"),
    "VPs": RATES,
}
DAYS = {f"C{n}": f'<c r="C{n}" s="1"><v>{45350 + n}</v></c>' for n in (2, 3)}
LOST = {"B3": '<c r="B3" t="e"><f>Z9*2</f><v>#REF!</v></c>'}
MERGED = '<mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>'
FOG = "a painting of a thing that howls in fog"
# By another author than that of POEMS: numbers of a colour, verses apart, readings as [漢|かん].
VERSES = """\
number,color,color_num,author,author_hiragana,verse_1,verse_2
43,橙,40,[権中納言敦忠|ごんちゅうなごんあつただ],ごんちゅうなごんあつただ,逢ひ見ての,後の心に
79,黄,99,[左京大夫顕輔|さきょうのだいぶあきすけ],さきょうのだいぶあきすけ,秋風に,たなびく雲の
1,桃,16,[天智天皇|てんじてんのう],てんじてんのう,秋の田の,かりほの庵の
"""
SHIPS = "".join(f"C{n},{n},{'Plane' if n == 4 else 'Ship'},Draw {n}.\n" for n in range(9))
PLAIN = "".join(f"card {n},a word on its type,{n % 3},v1,½,Draw {n} cards.\n" for n in range(1, 9))

NAMES = [
    case(
        "the first column that names things",
        SHEETS,
        "sheets without a column of names were left out: 'VPs'",
        name=["Axe", "Bow", "Storm", "Fair", "Cube", "Meeple", "A1", "A2"],
        slow=True,
    ),
    case(
        "names that are twice",
        'Title,Effect,How many\r\nGo,"Draw, then discard",3\r\nGo,Stop.,1\r\n',
        id=["Go", "Go-2"],
        copies=[3, 1],
    ),
    case("names alone", "名前\nりんご\n消防車\n", name=["りんご", "消防車"], slow=True),
    case("names with a figure", "name,cost\nSword,1\nOar,2\n", name=["Sword", "Oar"], slow=True),
    case(
        "columns that are names together",
        "スート,数字,枚数\n♠,1,1\n♠,2,1\n♥,1,1\n★,ジョーカー,2\n",
        "スート + 数字",
        name=["♠ 1", "♠ 2", "♥ 1", "★ ジョーカー"],
        slow=True,
    ),
    case(
        "running numbers are no ids",
        "番号,名前,意味\n0,愚者,自由\n1,魔術師,意志\n2,女教皇,直感\n",
        id=["愚者", "魔術師", "女教皇"],
        番号=[0, 1, 2],
    ),
    case(
        "a row without a heading beside the cards",
        {"Sheet1": sheet("Name,Effect\nA,Go.\nB,Stop.\n,,,wood,3")},
        "columns not read: a column without a heading (D)",
        name=["A", "B"],
    ),
    case(
        "remarks, sums and headings within a table",
        "name,cost\n# wave 1,\nFire,1\nname,cost\n---,---\nWater,2\n■ draft,\nGrand Total,3\n",
        "rows that are not cards: # wave 1, ---, ■ draft, Grand Total",
        "This row repeats the headings and was skipped.",
        name=["Fire", "Water"],
        cost=[1, 2],
    ),
    case(
        "sections, totals and reminders, and a name like a total",
        "Name,Price,Text\nARMS,,\nAxe,5,Hit.\nBOOTS,,\nTotal War,1,Fight.\nTotal items,6,\n"
        "合計（種）,2,\n,,\ntest again!,,\n",
        "rows that are not cards: ARMS, BOOTS, Total items, 合計（種）, test again!\n",
        name=["Axe", "Total War"],
    ),
    case(
        "a total in any column, below blanks that a dash ends",
        "Kind,Zone,Name,Qty\nA,X,Orc,1\n,,Elf,1\n,Y,Imp,1\n,,Pug,1\nB,―,Ox,2\n,,Emu,1\n"
        "Total,,6 cards,7\n",
        "rows that are not cards: Total",
        Kind=[*"AAAABB"],
        Zone=["X", "X", "Y", "Y", "", ""],
    ),
    case(
        "a text that is a question",
        {"Deck": sheet("Name,Text\nBox,???\nOrc,Hit.")},
        "deck: 2 cards from",
        slow=True,
    ),
    case("names of days", "Name,Text\nMarconi 500,Hit.\nMar 5,Aim.\n", "'Mar 5' was read as it is"),
    case(
        "remarks below tokens",
        "Token,Count\nCoin,5\nGem,2\n,\nCoin = money,\nGem: worth 3,\n",
        "rows that are not cards: Coin = money, Gem: worth 3",
        name=["Coin", "Gem"],
    ),
]

LOOKS = [
    case(family, table, f"the look is {family};", f"\nfamily: {family}\n")
    for table, family in (
        ("name,text\nGoblin,Attack.\nKnight of the Moon,Defend.\n", "fantasy"),
        ("name,text\nMining Drone,Draw.\nWarp Gate,Move.\nPirates,Steal.\n", "science-fiction"),
        ("名前,効果\n残業,1枚捨てる。\n終電,休む。\n猫,何もしない。\n", "modern"),
        ("カード名,効果\n糸車,運命。\n城,守る。\n", "fantasy"),
        ("suit,number\nLeaf,1\nLeaf,2\nWave,1\n", "playing"),
        ("色,数\n赤,1\n赤,2\n青,1\n青,2\n", "playing"),
        ("色,数\n月,1\n月,2\n花,1\n花,王\n", "playing"),
    )
]

VALUES = [
    *(
        case(
            f"columns parted by {sign!r}",
            "名前,コスト,効果,枚数\n火の玉,3,相手に3ダメージ、以上。,4\n".replace(",", sign),
            copies=[4],
            コスト=[3],
        )
        for sign in ";\t"
    ),
    case(
        "copies as people write them",
        "名前,効果,枚数\n火,燃やす。,4枚\n水,消す。,×３\n木,育つ。,2 copies\n土,,x1\n",
        "枚数 → number of copies",
        copies=[4, 3, 2, 1],
        slow=True,
    ),
    case(
        "counts of several headings",
        "Name,個数,Move,枚数,Status,作業状況,Text\nOrc,,3,2,done,済,Hit hard.\n"
        "Elf,3,5,1,done,未,Aim well.\n",
        "枚数 → number of copies",
        "Status, 作業状況",
        slow=True,
    ),
    case("a number of a colour is no count", VERSES, copies=[""] * 3, slow=True),
    case(
        "a class by its number is a figure",
        "Name,Class,Type,Description\n" + SHIPS,
        "Type → type (sets the card's colour)",
        "Class → figures on the card",
        slow=True,
    ),
    case(
        "a heading that says it plainly before one that ends so",
        "name,TypeDesc,Rate,Made,Weight,Description\n" + PLAIN,
        "Description → effect text",
        "TypeDesc, Made, Weight → shown in the card's details",
        "Rate → figures on the card",
    ),
    case(
        "short sentences under any heading",
        "名前,HP,ひとこと\nスライム,3,分裂する。\nドラゴン,20,火を吐く。\n",
        "text: ひとこと",
    ),
    case(
        "merged cells",
        workbook(
            {"札": sheet("陣営,名前,よみ,備考\n火,竜,りゅう,\n,狐,きつね,弱い\n水,鯉,こい,")},
            more=MERGED,
        ),
        "陣営 → merged cells count for each row they cover; blank ones stay blank",
        "your own columns, not shown on cards: 備考",
        "よみ → shown in the card's details",
        file="deck.xlsx",
        陣営=["火", "火", "水"],
        slow=True,
    ),
    case(
        "marks, words in brackets and fractions",
        "name,text\nA,🔊 then [face 2] or [fire]. [Pack] hunts. {ferry}\nB,1⅗ feet\n",
        '⅗: "\u00a03/5"',
        "read under `marks` in game.yaml: fire → {rpg:fire}, {ferry} → {mdi:ferry}, ",
        "Pack: '[Pack]'",
        slow=True,
    ),
    case(
        "an icon heads figures, and a side stands beside the type",
        "Name,Kind,Side,[oven],Qty,Text\nCoin,spell,Red,3,1,Bake 3 loaves and give one away.\n"
        "coin,spell,Blue,1,1,Bake 1 loaf and give it away.\nBun,item,Red,4,1,Bake 4 and rest.\n",
        "Side → word beside the type",
        id=["Coin", "coin-2", "Bun"],
        slow=True,
    ),
    case(
        "icons",
        "Name,Text,Icon\nOrc,Hit.,axe\nElf,Aim.,sword\n",
        "Icon → the drawing",
        icon=["axe", "sword"],
    ),
    case(
        "more text",
        "Name,Effect,Otherwise\nOrc,Hit.,Else it runs away home.\n"
        "Elf,Shoot.,Else it shoots once more.\n",
        "Otherwise → more text, below",
        "[[Otherwise, Otherwise]]",
        "Otherwise: Otherwise}",
    ),
    case(
        "more text of a numbered heading",
        "名前,効果１,効果２\n鬼,打つ。,走る。\n狐,化ける。,\n",
        "効果２ → more text, below",
        "[['', 効果２]]",
    ),
    case(
        "days, and a cell that cannot be read",
        workbook({"札": sheet("名前,コスト,日\n火の玉,1,\n氷の矢,2,")}, {**DAYS, **LOST}),
        "コスト (札!B3 cannot be read: enter what it shows, as text)",
        "日 (dates;",
        "ignore: [コスト, 日]",
        file="deck.xlsx",
    ),
    case(
        "ditto below a blank cell, and no colour",
        {"Deck": sheet("Name,Side,Colour\nOrc,red,red\nElf,〃,palest tan\nRat,,\nBat,同上,")},
        "!B5: notice SRC-CELL '同上' stands below a blank cell, so it was read as blank.",
        "!C3: notice SRC-VALUE 'palest tan' is no name of a colour",
        Side=["red", "red", "", ""],
        slow=True,
    ),
    case(
        "prompts, and blanks that repeat",
        f"House,Name,Image prompt,Rules\nRed,Orc,{FOG},Hit.\n〃,Elf,{FOG[:30]},Go.\n"
        f",Rat,{FOG},\nBlue,Bat,,\n,Cat,{FOG},Run.\n〃,Owl,{FOG},Fly.\n",
        "House → blank cells repeat",
        "not shown on cards: Image prompt",
        "text: Rules",
        slow=True,
    ),
]

SIDES = [
    case(
        "two arms are no sides",
        "Unit,Melee Dice,Melee Range,Melee Text,Bow Dice,Bow Range,Bow Text\n"
        "Orc,3,4,Hit hard and run away.,1,2,Do not run away now.\n",
        "Melee Dice, Melee Range, Bow Dice, Bow Range → figures",
    ),
    case(
        "the two sides of tokens",
        "Token,Qty,Front,Back,Use\nSugar,3,1,5,Money. Flip it for five of them.\n"
        "Log,2,Fresh,Old,\n",
        "Front → effect text",
        "Back → on the back",
        "Use → shown in the details",
        file="tokens.csv",
        slow=True,
    ),
    case(
        "codes before names",
        "Unit,Front Name,Fight,Move,Qty,Text\nQ01,Orc,3,4,2,Hit hard.\nQ02,Elf,5,2,1,Aim well.\n",
        "Front Name → name",
        slow=True,
    ),
    case(
        "a back of some cards only",
        "Name,Text,Back Text\nOrc,Hit.,Rest.\nElf,Aim.,\n",
        "1 card says something on the back, so all of the kind lie open",
    ),
    case(
        "a dash for none",
        "Name,Text,HP/turn\nAxe,Hit.,2\nBow,Aim.,–\n",
        "HP/turn → a dash stands for none: no box on the card",
        "HP／turn: HP/turn",
    ),
    case(
        "backs of tokens",
        "Token,Count,Back name\nHive,4,Ruin\nBear,2,Sleeper\n",
        "back_fields: [back]",
        file="tokens.csv",
    ),
]


@pytest.mark.parametrize(("table", "file", "said", "cards"), [*NAMES, *LOOKS, *VALUES, *SIDES])
def test_a_table_becomes_cards_and_what_was_taken_for_what_is_said(
    table: Table, file: str, said: list[str], cards: Mapping[str, list[object]]
) -> None:
    made = bring(table, file=file)
    known = made.output + made.head.read_text("utf-8")
    assert not lacking(said, known), known
    assert {field: made.column(field) for field in cards} == cards
    assert run("check", "mine").exit_code == 0


@pytest.mark.parametrize(
    ("table", "numbers"),
    [
        (
            "名前,番号,意味\n愚者,0,自由、旅立ち\n魔術師,I,意志、創造\n女教皇,II,直感、秘密\n",
            ["0", "I", "II"],
        ),
        ("番号,名前,意味\n0,愚者,自由\n1,魔術師,意志\n2,女教皇,直感\n", [0, 1, 2]),
    ],
)
def test_the_numbers_of_a_tarot_are_printed(table: str, numbers: list[object]) -> None:
    faces = [json.loads(face.values) for face in bring(table, file="tarot.csv").faces]
    assert [face["番号"] for face in faces] == numbers
    assert faces[0]["slots"]["text"] == "意味"


def test_numbers_in_suits_are_not_compared_by_their_pictures() -> None:
    (kind,) = bring("suit,number\nLeaf,1\nLeaf,2\nWave,1\n").game.kinds.values()
    assert kind.series


def test_a_reading_that_is_a_mark_of_the_game_stays_a_mark() -> None:
    made = bring("名前,効果,枚数\n火[ひ],木[き]を1枚引く。,1\n")
    made.edit("faces:\n", "marks: {き: 〓}\nfaces:\n")
    assert made.column("name") == ["{火|ひ}"]
    assert made.column("効果") == ["木[き]を1枚引く。"]


@pytest.mark.slow
@pytest.mark.parametrize("words", [260, 2000])
def test_a_text_that_fits_no_card_makes_the_card_larger_or_stands_in_the_detail(words: int) -> None:
    made = bring(f"name,text\nA,{'word ' * words}\n")
    said = {
        260: "as what A says is too long for smaller ones",
        2000: "the longest text fits no card",
    }
    assert said[words] in made.output
    output_of("build", "mine")


@pytest.mark.slow
@pytest.mark.parametrize(("times", "size"), [(32, (70, 120)), (240, (63, 88))])
def test_a_long_text_of_a_back_makes_room_or_stands_in_the_detail(
    times: int, size: tuple[float, float]
) -> None:
    long = "Gains a lot of things for others. " * times
    game = bring(f"Name,Text,Back Text\nOrc,Hit.,{long}\nElf,Shoot.,Run.\n").game
    assert (game.faces["deck"].size, game.faces["deck_back"].size) == (size, size)
    assert ("Back Text" in game.kinds["deck"].back_fields) == (times == 32)
    output_of("check", "mine")


@pytest.mark.slow
def test_a_picture_is_lower_before_a_card_is_larger() -> None:
    draw("art", "Orc.png")
    few = "Choose one of your units in a field next to a river and move it up to three fields"
    few += " away or to the end"
    rows = "\n".join(f"{name},{name[0]},1,{few} on,{few},{few}" for name in ("Orc", "エルフ"))
    made = bring(f"Name,Type,Cost,Text,Bonus,Upgrade\n{rows}\n", "--pictures", "art")
    style = made.game.faces["deck"]
    assert (style.size, style.values["art_height"]) == ((63, 88), 0.26)


@pytest.mark.slow
def test_of_a_long_table_the_widest_cards_are_tried() -> None:
    rows = [f"Card {number},{'Draw a card. ' * (number % 60)}" for number in range(600)]
    bring("\n".join(["name,text", *rows]))
    output_of("check", "mine")


@pytest.mark.slow
def test_a_text_too_long_is_one_problem_that_says_what_makes_room() -> None:
    long = "Draw a card and then discard another from your hand. " * 6
    rows = ["name,text", *(f"Card {number},{long}" for number in range(30)), "Short,Draw."]
    made = bring("\n".join(rows))
    made.edit("text_size: {least: 6,", "art_height: 0.5\n      text_size: {least: 12,")
    lines = run("check", "mine").output.splitlines()
    (told,) = (line for line in lines if "FACE-OVERFLOW" in line)
    said = [
        "on 30 cards (lines 2, 3, 4, 5 …)",
        "a lower `art_height` than 0.5",
        "a smaller `text_size` than {least: 12",
        "a larger `size`",
    ]
    assert not lacking(said, told)


@pytest.mark.slow
def test_each_card_may_have_letters_of_its_own_size() -> None:
    long = "Draw a card and then discard another from your hand. " * 9
    made = bring(f"name,text\nA,Draw.\nB,{long}\n")
    assert not [face for face in made.faces if face.size_group is None]
    made.edit("most: 10.5", "most: 10.5, each: true")
    assert not [face for face in made.faces if face.size_group is not None]


def test_a_spreadsheet_as_people_keep_it_becomes_cards_without_an_edit() -> None:
    """Groups named once, lines across, notes, two sides, tokens; each in English of its own."""
    suits = ["Suit,Name,Power,Text,Notes,Price"]
    for suit in ("Crown", "Rose"):
        suits.append(f",--- {suit.upper()} ---,,,,")
        text = "Take {coin} then :up:."
        suits.append(f"{suit},King of {suit},0,{text},,0.25")
        suits.append(f",Queen of {suit},1,{text},weak?,0.25")
    two = "Front Name,Front Text,Back Name,Back Text\nMill,Gain two.,Burnt mill,Gain none."
    book = {
        "Royals": sheet("\n".join(suits)),
        "Tokens": sheet("Name,Qty\nGold,9"),
        "Places": sheet(f"{two}\nInn,Rest.,Ruin,Wait."),
    }
    draw("art", "Mill.png")
    Path("art/Inn.tif").write_bytes(b"II*")
    made = bring(book, "--pictures", "art", file="MASTER v0.7 (2).xlsx")
    said = [
        "royals: 4 cards from",
        "Suit → blank cells repeat the value above",
        "your own columns, not shown on cards: Notes, Price",
        "rows that are not cards: --- CROWN ---, --- ROSE ---",
        "you can change how these marks read under `marks` in game.yaml: {coin} → {",
        "Back Name, Back Text → on the back of the card",
        "pictures in a format that cannot be read (only .png, .jpg, .jpeg, .webp, .svg can): "
        "Inn.tif",
    ]
    assert not lacking(said, made.output)
    assert not Path("source_data/schemas").exists()
    game = made.game
    assert [*game.kinds] == ["royals", "tokens", "places"]
    royals = [card for card in game.cards.values() if card.kind == "royals"]
    assert [card.get("Suit") for card in royals] == ["Crown", "Crown", "Rose", "Rose"]
    assert not {"Notes", "Price"} & set(royals[0].fields)
    assert game.faces["tokens"].size == (25, 25)
    assert game.kinds["places"].back_fields == ("id", "Back Name", "Back Text")
    items = [item for layout in game.layouts.values() for item in layout.items]
    assert all(zone.isascii() for item in items for zone in item.zones)
    output_of("check", "mine")


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
def test_hidden_sheets_and_columns_are_left_out_and_told(ending: str) -> None:
    now = sheet("Name,Text,Odds\nOrc,Hit.,3\nElf,Shoot.,4")
    old = sheet("Name,Text\nRat,Run.\nBat,Fly.")
    rows = ("<table:table-row>" + "".join(map(ods_cell, row)) + "</table:table-row>" for row in old)
    book = workbook({"Now": now, "Old": old}, None, COLUMN["xlsx"], {"Old": "hidden"})
    data = book if ending == "xlsx" else ods(now, COLUMN["ods"] + HIDDEN + "".join(rows))
    made = bring(data, file=f"deck.{ending}")
    said = [
        "hidden sheets were left out: 'Old'",
        "hidden columns, not shown on cards: Odds (to show one, remove it from",
    ]
    assert not lacking(said, made.output)
    assert made.column("name") == ["Orc", "Elf"]
    assert bring(data, file=f"deck.{ending}#Old", name="old").column("name") == ["Rat", "Bat"]
    output_of("build", "mine")
    assert "Odds" not in text_of("mine/p2.zip")


@pytest.mark.slow
def test_several_tables_or_sheets_become_one_game() -> None:
    write("chips.csv", "Chip,Count\nLamp,4\nBoat,2\n")
    cards = "Name,Text\nWick,Light it.\nReed,Gain it.\n"
    made = bring(cards, "--from", "chips.csv", file="cards.csv")
    assert made.column("name") == ["Wick", "Reed", "Lamp", "Boat"]
    assert "sheets that the game does not read" not in bring(cards, file="cards.csv").output
    several = bring(SHEETS, "--from", "deck.xlsx#Events", file="deck.xlsx#Deck", name="several")
    assert [*several.game.kinds] == ["deck", "events"]
    assert len([*Path("source_data/several/cards").glob("*.xlsx")]) == 1
    Path("scans").mkdir()
    assert run("new", "other", "--from", "scans", "--from", "deck.xlsx").exit_code == 1


# -- pictures -------------------------------------------------------------------------------------


def test_pictures_are_found_by_a_column_or_else_by_the_cards_id_or_name() -> None:
    draw("art", "01_河童.png", "猫又_完成.png", "鬼.PNG", "ラフ.png")
    rows = "No.,カード名,絵,調整メモ\n1,河童,01_河童,\n2,猫又,,要テスト\n3,鬼,,\n4,狐,,\n"
    made = bring(rows, "--pictures", "art", "--lang", "ja")
    said = [
        "どのカードの画像でもないため、使わなかったファイル: ラフ.png",
        "自分用の列のため、カードに表示しません：調整メモ",
    ]
    assert not lacking(said, made.output)
    names = ["01_河童.png", "猫又.png", "鬼.png"]
    assert sorted(path.name for path in Path("source_data/mine/pictures").iterdir()) == names
    assert made.game.notices == ()
    shown = [face.pictures for face in made.faces]
    assert shown == [*((f"pictures/{name}",) for name in names), ()]
    draw("art", "狐 v2.png", colour="brown")
    again = bring(rows, "--pictures", "art", "--lang", "en")
    assert "new or changed pictures: 狐.png\n" in again.output
    assert "stay" not in again.output


def test_an_empty_column_of_pictures_shows_those_that_come_later() -> None:
    draw("art", "k.png")
    table = "Name,Text,Art\nKnight,Hit.,\nArcher,Aim.,\n"
    begun = bring(table, "--board", "hex")
    said = [
        "Art → pictures, of which none is here yet\n",
        "no pictures were given",
        "a sample board",
    ]
    assert not lacking(said, begun.output)
    again = bring(table.replace("Hit.,", "Hit.,k.png"), "--pictures", "art")
    assert again.game.notices == ()
    assert [face.pictures for face in again.faces] == [("pictures/k.png",), ()]


def test_pictures_called_by_running_numbers_are_those_of_their_rows() -> None:
    draw("art", "1.png", "2.png")
    rows = "No.,Name,Text\n1,Orc,Hit.\n2,Elf,Shoot.\n3,Rat,Run.\n"
    made = bring(rows, "--pictures", "art")
    assert "No. → picture" in made.output
    shown = [face.pictures for face in made.faces]
    assert shown == [("pictures/1.png",), ("pictures/2.png",), ()]


def test_finished_cards_are_known_by_their_names_and_others_are_told() -> None:
    made = bring("id,name,text\na1,火の玉,x\nb-2,盾兵,y\nc3,弓兵,z\n")
    finished = Path("source_data/mine/finished")
    finished.mkdir()
    draw("source_data/mine/finished/cards", "火の玉 (1).png", "IMG_b-2.png", "holiday.png")
    assert {"plain/finished.typ"} < {face.template for face in made.faces}
    said = [
        "belongs to no card, sheet or board of this game, and will not be used: holiday.png",
        "1 card has no finished picture, so the face was drawn: 弓兵",
    ]
    assert not lacking(said, "\n".join(map(str, made.game.notices)))


# -- what cannot become a game --------------------------------------------------------------------

COPIES = "Name,Qty,Text\nOrc,x3,Hit.\nElf,{},Shoot.\nRat,1,Run.\n"


@pytest.mark.parametrize(
    ("file", "data", "said"),
    [
        ("~$deck.xlsx", b"", "~$deck.xlsx is a temporary file that exists while deck.xlsx is open"),
        ("deck.doc", b"", "deck.doc is neither a table nor a folder of pictures"),
        ("deck.xlsx", b"PK", "This spreadsheet cannot be read"),
        ("deck.csv", "1,2\n3,4\n", "No cards were found"),
        ("deck.csv", "", "No cards were found"),
        ("deck.csv", "1,Scout,Looks\n2,Smith,Makes\n", "There must be a row of headings"),
        (
            "deck.csv",
            "name,Ice,Sea\ncost,1,2\ntext,go,on\n",
            "Rows and columns seem to be swapped",
        ),
        ("deck.csv", "name,cost,,name,cost\nFire,1,,Sword,3\n", "'name' appears twice"),
        (
            "deck.csv",
            "name,HP,text\nOrc,1,Hit.\nElf,2,Run.\n\nITEMS,,\nname,cost,text\nAxe,3,Cut.\n",
            "headings in more than one row (1, 6)",
        ),
        ("deck.csv#Deck", "name,cost\nFire,1\n", "is not a spreadsheet, so it has no sheet 'Deck'"),
        *(
            ("deck.csv", COPIES.format(bad), f"deck.csv:3:5: error SRC-VALUE Qty: found '{bad}'")
            for bad in ("2 each", "two", "1-2")
        ),
        pytest.param(
            *("deck.csv", "name,text\n토끼,가나다라마바사아자\n", "The fonts lack 11 characters"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_what_cannot_become_a_game_is_told_and_nothing_is_written(
    file: str, data: str | bytes, said: str
) -> None:
    assert said in bring(data, file=file, code=1).output
    assert not Path("source_data/mine").exists()


def test_finished_faces_that_are_no_pictures_are_told_all_at_once() -> None:
    for name in ("a.png", "b.png"):
        Path("faces").mkdir(exist_ok=True)
        Path("faces", name).write_bytes(b"no picture")
    made = run("new", "mine", "--from", "faces")
    assert made.exit_code == 1
    said = [f"faces/{name}: error FACE-PICTURE" for name in ("a.png", "b.png")]
    assert not lacking(said, made.output)
    assert not Path("source_data/mine").exists()


def test_a_heading_changed_in_the_copy_is_told() -> None:
    made = bring("スート,数字,枚数\n♠,1,1\n♥,2,1\n")
    write(str(made.head.parent / "cards/deck.csv"), "スート,数,枚数\n♠,1,1\n♥,2,1\n")
    changed = run("check", "mine")
    assert changed.exit_code == 1
    assert "'数字'" in changed.output


def test_a_row_of_a_name_alone_among_others_is_told_and_what_to_do() -> None:
    made = bring("Unit,Move,Text\nSpear,5,Brace.\nTIDE,,\nEel,9,Swims.\nRUST,,\nBell,3,Tolls.\n")
    assert "only the name: TIDE (row 3), RUST (row 5); if one is a heading, write it" in made.output
    made.edit("    fields:\n", "    no_cards: [TIDE, RUST]\n    fields:\n")
    assert made.column("name") == ["Spear", "Eel", "Bell"]


def test_a_place_below_cells_of_several_lines_says_what_a_spreadsheet_calls_it() -> None:
    table = 'Name,Text\nAxe,"Hit.\nRest."\nMar 5,Aim.\n'
    assert "deck.csv:4:1 (A3): notice" in bring(table).output


# -- a table that is brought again ----------------------------------------------------------------


@pytest.mark.slow
def test_brought_again_the_game_keeps_what_was_edited_and_says_what_changed() -> None:
    rows = "name,cost,text,qty\nA,1,Go.,2\nB,2,Stop.,2\nC,3,Wait.,1\n"
    draw("art", "A.png", "B.png", "C.png", size=(512, 512))
    made = bring(rows, "--pictures", "art")
    layouts = made.head.with_name("layouts.yaml")
    layouts.write_text(layouts.read_text("utf-8") + "# mine\n", "utf-8")
    before = layouts.read_bytes()
    made.edit("players:", "credits: [me] # by hand\nplayers:")

    draw("art", "D.png", size=(512, 512), colour="brown")
    rows = "name,cost,text,qty,rarity,hp\nA,1,Go on.,2,x,3\nBee,2,Stop.,2,y,4\nC,3,Wait.,1,,5\n"
    again = bring(f"{rows}D,4,New.,1,z,6\n", "--pictures", "art")
    said = [
        "deck: new columns, shown in the cards' details: rarity, hp",
        "game.yaml and, in its style under `faces`, `[rarity, rarity]` within the brackets of "
        "`figures`",
        "1 card new: D",
        "1 card renamed, keeping the id: B → Bee",
        "1 card changed: A (text)",
        "new or changed pictures: D.png",
    ]
    assert not lacking(said, again.output)
    assert layouts.read_bytes() == before
    assert "credits: [me] # by hand" in made.head.read_text("utf-8")
    assert made.game.notices == ()
    names = zip(made.column("id"), made.column("name"), strict=True)
    assert [*names] == [("A", "A"), ("B", "Bee"), ("C", "C"), ("D", "D")]
    assert made.column("rarity") == ["x", "y", "", "z"]
    output_of("build", "mine")
    assert "Nothing has changed." in output_of("new", "mine", "--from", "deck.csv")


def twice(
    what: str, table: Table, newer: Table, *said: str, slow: bool = False, **cards: list[object]
) -> Any:
    """A table and a newer one, with what is said of that and columns of the cards there are."""
    marks = [pytest.mark.slow] if slow else []
    return pytest.param(table, newer, [*said], cards, id=what, marks=marks)


GROUPS = "Faction,Name,Cost\n,--- A ---,\nA,Imp,1\n,Elf,2\n,--- B ---,\nB,Owl,1\n,Bat,1"

AGAIN = [
    twice(
        "a row of no deck, and one that was no card",
        "Name,Qty,Price,Text\nARMS,,,\nAxe,2,1,Hit.\nBow,0,2,Aim.\n",
        "Name,Qty,Price,Text\nARMS,1,1,March.\nAxe,3,1,Hit.\nBow,0,2,Aim.\nElk,,3,Run.\n",
        "1 card changed: Axe (Qty)\n",
        "0 copies, so not in any deck: Elk\n",
        "left out, because `no_cards` in game.yaml names them: ARMS\n",
    ),
    twice(
        "a row among running numbers renames no card",
        "No.,Name,Text\n1,Orc,Hit.\n2,Elf,Shoot.\n",
        "No.,Name,Text\n1,Orc,Hit.\n2,Rat,Run.\n3,Elf,Shoot.\n",
        "1 card new: Rat",
        id=["Orc", "Rat", "Elf"],
        name=["Orc", "Rat", "Elf"],
    ),
    twice(
        "a column of numbers that is gone",
        "Name,Attack,Move,Text\nOrc,3,5,Hit.\nElf,2,6,Shoot.\n",
        "Name,Move,Text\nOrc,5,Hit.\nElf,6,Shoot.\n",
        "deck: columns that are gone or empty now, and blank on the cards: Attack",
        Attack=["", ""],
        Move=[5, 6],
    ),
    twice(
        "a column of numbers that holds words now, and one that was empty",
        "Name,Wage,Length,Text\nOrc,3,,Hit them.\nElf,5,,Aim well.\n",
        "Name,Wage,Length,Text\nOrc,£3,3:20,Hit them.\nElf,£5,2:58,Aim well.\n",
        "Wage holds words now, so the field Wage is a text in game.yaml",
        "new columns, shown in the cards' details: Length",
        Wage=["£3", "£5"],
        Length=["3:20", "2:58"],
    ),
    twice(
        "a back or a colour that comes later",
        "Token,Count\nSugar,3\n",
        "Token,Count,Back,Colour,Use\nSugar,3,5,red,Pay.\n",
        "backs or colours, shown in the details only: Back, Colour; to have them",
        "deck: new columns, shown in the cards' details: Use (to put Use on the card, ",
    ),
    twice(
        "a heading that may be renamed",
        "Name,Power,Rare\nA,1,x\nB,2,y\n",
        "Name,Power,Rarity\nA,1,p\nB,2,q\n",
        "deck: new columns, shown in the cards' details: Rarity",
        "cards: Rare (if a heading was only renamed: columns: {NEW: OLD}",
        slow=True,
    ),
    twice(
        "headings that were renamed keep their place on the cards",
        "Name,VP,Rules\nC0,0,Do it 0 times.\nC1,1,Do it once.\nC2,2,Do it 2 times.\n",
        "Name,Points,Effect\nC0,0,Do nothing.\nC1,1,Do it once.\nC2,2,Do it 2 times.\n",
        "the heading Effect is read as Rules",
        "the heading Points is read as VP",
        "1 card changed: C0 (Effect)",
        Rules=["Do nothing.", "Do it once.", "Do it 2 times."],
        slow=True,
    ),
    twice(
        "a sheet that came later",
        {"Deck": SHEETS["Deck"]},
        {name: SHEETS[name] for name in ("Deck", "Events")},
        "sheets that the game does not read: Events.",
        slow=True,
    ),
    twice(
        "separators that a game knows",
        {"Deck": sheet(GROUPS)},
        {"Deck": sheet(GROUPS.replace("Elf", "Ape") + "\n,--- C ---,")},
        "1 card renamed, keeping the id: Elf → Ape",
        name=["Imp", "Ape", "Owl", "Bat"],
        Faction=[*"AABB"],
        slow=True,
    ),
]


@pytest.mark.parametrize(("table", "newer", "said", "cards"), AGAIN)
def test_of_a_newer_table_is_said_what_changed(
    table: Table, newer: Table, said: list[str], cards: Mapping[str, list[object]]
) -> None:
    bring(table)
    again = bring(newer)
    assert not lacking(said, again.output), again.output
    assert {field: again.column(field) for field in cards} == cards
    saved = Path("source_data/mine/cards").glob("*.before")
    assert len([*saved]) == (table != newer), "what was edited there is not lost"
    assert run("check", "mine").exit_code == 0


def test_a_card_keeps_its_id_after_another_column_became_the_name() -> None:
    table = "Name,Hero,Text\nThe Calm,Ann,Hit.\nThe Odd,Bo,Shoot.\n"
    bring(table)
    bring(table).edit("{Name: name}", "{Hero: name, Name: Hero}")
    again = bring(table.replace("Ann,Hit", "Anna,Hit"))
    assert "1 card renamed, keeping the id: Ann → Anna" in again.output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("newer", "file", "said"),
    [
        ("Card,Power,Rare\nA,1,x\nB,2,y\n", "deck.csv", ["the table has no column 'Name'"]),
        (
            "Chip,Value,Count\nLamp,3,4\nBoat,1,2\n",
            "chips.csv",
            [
                "chips.csv has other headings than this game's table cards/deck.csv",
                "--from FIRST --from SECOND",
            ],
        ),
    ],
    ids=["without its names", "another table"],
)
def test_a_table_that_is_not_that_of_the_game_changes_nothing(
    newer: str, file: str, said: list[str]
) -> None:
    made = bring("Name,Power,Rare\nA,1,x\nB,2,y\n")
    before = made.head.read_bytes()
    assert not lacking(said, bring(newer, file=file, code=1).output)
    assert made.head.read_bytes() == before
    assert made.column("name") == ["A", "B"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("Deck", 0, "1 card changed: Axe (Text)"),
        ("Events", 1, "this game uses the sheet 'Events'; the sheets used are Deck."),
        ("Event", 1, "this game uses the sheet 'Event'; the sheets used are Deck."),
    ],
)
def test_a_sheet_brought_again_is_one_that_the_game_reads(name: str, code: int, said: str) -> None:
    bring(SHEETS, file="book.xlsx#Deck")
    copy = Path("source_data/mine/cards/book.xlsx")
    before = copy.read_bytes()
    deck = sheet("Name,Text,Count\nAxe,Deal 3.,3\nBow,Deal 1.,2")
    assert said in bring({**SHEETS, "Deck": deck}, file=f"book.xlsx#{name}", code=code).output
    assert (copy.read_bytes() == before) is bool(code)


@pytest.mark.parametrize("total", [",合計,43,,130", "合計,,43種,,130枚", ",,合計,,130枚"])
def test_a_total_in_any_column_stays_one_and_a_figure_that_comes_later_is_seen(total: str) -> None:
    rows = "山,木,杉,40年,3枚\n,,松,,2枚\n里,人,桶屋,,1枚\n"
    head = "山札,区分,札名,伐期,枚数\n"
    made = bring(f"{head}{rows}{total}\n".encode("cp932"))
    newer = rows.replace("桶屋,", "桶屋,9年") + total.replace("43", "44").replace("130", "131")
    copy = made.head.parent / "cards" / "deck.csv"
    copy.write_text(f"{head}{newer}\n", encoding="cp932")
    assert made.column("name") == ["杉", "松", "桶屋"]
    assert all("伐期" in kind.detail for kind in made.game.kinds.values())


# -- a table that is published --------------------------------------------------------------------


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


Publish = Callable[[list[bytes]], Path]


@pytest.fixture
def publish() -> Iterator[Publish]:
    """Publish a sheet of 61 cards as some bytes; gives the game's table here."""
    made = bring(rows(61))
    text = made.head.read_text(encoding="utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Sheets)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def publish(parts: list[bytes]) -> Path:
        Sheets.answers["/sheet"] = parts
        address = f"http://127.0.0.1:{server.server_port}/sheet"
        made.head.write_text(text.replace("    ids:", f"    address: {address}\n    ids:"), "utf-8")
        return made.head.parent / "cards" / "deck.csv"

    yield publish
    server.shutdown()
    server.server_close()


def answer(data: bytes, length: int = 0, *, sort: str = "csv", code: str = "200 OK") -> list[bytes]:
    """What a server answers with some data; it may announce another length."""
    head = f"HTTP/1.0 {code}\r\ncontent-type: text/{sort}\r\ncontent-length: {length or len(data)}"
    return [f"{head}\r\n\r\n".encode(), data]


CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\ntransfer-encoding: chunked\r\n\r\n"
LARGE = 9 * 1024 * 1024


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (answer(rows(62)), "1 card new: Card 61"),
        (answer(b"<html>sign in</html>", sort="html"), "a web page"),
        (answer(b"name\n" + b"x" * LARGE), "larger than 8 MiB"),
        (answer(b"", code="404 Not Found"), "Not Found"),
        *(
            ([b"HTTP/1.0 302 Found\r\nlocation: http://%s/sheet\r\n\r\n" % there], "not a public")
            for there in (b"127.0.0.1", b"localhost", b"[::1]")
        ),
    ],
    ids=["a newer one", "a page", "a large one", "none", "this machine", "by its name", "in IPv6"],
)
def test_a_published_sheet_is_fetched_when_asked_for(
    publish: Publish, parts: list[bytes], said: str
) -> None:
    table = publish(parts)
    found = run("pull", "mine", "--accept")
    assert said in found.output
    assert (found.exit_code == 0) == (table.read_bytes() != rows(61)) == ("new" in said)
    assert not english_in(run("--lang", "ja", "pull", "mine").output)


@pytest.mark.slow
def test_a_sheet_without_an_address_on_the_web_is_not_fetched() -> None:
    made = bring(rows(2))
    assert run("pull", "mine").exit_code == 1
    made.edit("    ids:", "    address: file:///etc/passwd\n    ids:")
    assert "is not a web address" in run("pull", "mine").output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "came", "said"),
    [
        (answer(rows(50), len(rows(61))), rows(50), "broke off after"),
        ([CHUNKED, b"%x\r\n" % len(rows(50)) + rows(50) + b"\r\n"], rows(50), "broke off after"),
        (answer(rows(30)), rows(30), "of 61 cards, 31 are missing from the published sheet"),
    ],
    ids=["shorter than announced", "without the last chunk", "half of the rows"],
)
def test_half_a_download_is_not_taken_for_the_whole_table(
    publish: Publish, parts: list[bytes], came: bytes, said: str
) -> None:
    table = publish(parts)
    refused = run("pull", "mine")
    assert refused.exit_code == 1
    assert said in refused.output
    assert not english_in(run("--lang", "ja", "pull", "mine").output)
    assert sorted(path.name for path in table.parent.iterdir()) == ["deck.csv", "deck.ids.csv"]
    assert table.read_bytes() == rows(61)
    assert "the previous table was saved as cards/deck.csv.before" in output_of(
        "pull", "mine", "--accept"
    )
    assert table.read_bytes() == came
    assert (table.parent / "deck.csv.before").read_bytes() == rows(61)
    output_of("check", "mine")


@pytest.mark.slow
def test_a_sheet_that_comes_in_drops_has_a_bounded_time(publish: Publish) -> None:
    head, _data = answer(rows(62))
    publish([head, *(bytes([byte]) for byte in rows(62))])
    with pytest.raises(InvalidSource, match="could not be downloaded within 1 second"):
        pull("mine", seconds=1)
