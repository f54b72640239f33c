"""Notes: which of their lines stand on the table, and which on paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import shipped
from made_up_games import write
from small_game import change

from exporter.core.problems import InvalidSource
from exporter.faces.face_texts import fill_lines, shuffle_words
from exporter.importer.starter import Facts, starter_files
from exporter.loader.game_folders import game_folders
from exporter.loader.game_reader import read_game
from exporter.loader.print_job_files import read_jobs, read_stationery
from exporter.model.print_jobs import PrintOrder
from exporter.model.tabletop import TextNote
from exporter.printing.print_selection import stocked
from exporter.printing.printables import document_values
from exporter.rooms.room_orders import RoomOrder, rooms_of_order
from exporter.rules.errata import corrected

ROOT = Path(__file__).parents[2]
CLIENT = re.compile(
    "クリック|ドラッグ|Shift|パレット|スライダー|カード一覧|「シャッフル」|この卓|画面"
)
"""What only somebody before the client can do or see."""

LEAFLET = "id: leaflet\nname: A\nlay: document\ndocument: leaflet\nnotes: [start]\n"
NOTES = """\
- id: start
  title: はじめ
  text:
    - 山札は24枚。
    - table: 右クリックで混ぜる。
      paper: よく混ぜる。
    - table: 数はコマで数える。
    - paper: 数は紙に書く。
    - |-
      引く。
      　出す。
"""


def both(folder: Path, notes: str, printed: str = "start") -> tuple[str, str]:
    """A note as it reads on the table and as it, or another, reads on a leaflet."""
    leaflet = LEAFLET.replace("start", printed)
    write(folder, {"notes/rules.yaml": notes, "sheets/leaflet.yaml": leaflet})
    own = 'lay: note, at: [0, 2], title: はじめに, text: "${game}であそぶ。"'
    change(folder / "layouts.yaml", own, "lay: notes, at: [0, 2], notes: [start]")
    game = read_game(folder)
    (note,) = (
        piece
        for piece in rooms_of_order(game, RoomOrder(rooms=("box",)))["box"].pieces
        if isinstance(piece, TextNote)
    )
    job = read_jobs(folder, game, read_stationery([ROOT / "templates/sheets"]))["leaflet"]
    return note.text, document_values(stocked(game, PrintOrder()), job)["notes"][0]["text"]


def test_each_line_stands_where_it_is_for(small: Path) -> None:
    table, paper = both(small, NOTES)
    assert table == "山札は24枚。\n右クリックで混ぜる。\n数はコマで数える。\n引く。\n　出す。"
    assert paper == "山札は24枚。\nよく混ぜる。\n数は紙に書く。\n引く。\n　出す。"


def test_a_text_alone_is_for_both(small: Path) -> None:
    table, paper = both(small, "- {id: start, title: A, text: 引いて、出す。}\n")
    assert table == paper == "引いて、出す。"


def test_on_paper_stacks_are_shuffled_without_menus(small: Path) -> None:
    """``${shuffle}`` says how in the client, and ``${shuffle_all}`` only there."""
    text = "★山札は${shuffle}\\n${shuffle_all}"
    table, paper = both(small, f'- {{id: start, title: A, text: "{text}"}}\n')
    assert CLIENT.findall(table)
    assert paper == "★山札はよく混ぜる。"


@pytest.mark.parametrize(
    ("only", "told"),
    [
        ("table", "sheets/leaflet.yaml:1:1: error NOTE The note 'start' has no line to print."),
        ("paper", "layouts.yaml:10:7: error NOTE The note 'start' has no line for the table."),
    ],
)
def test_a_note_without_a_line_for_where_it_is_shown_is_told(
    small: Path, only: str, told: str
) -> None:
    with pytest.raises(InvalidSource) as caught:
        both(small, f"- {{id: start, title: A, text: [{{{only}: 引く。}}]}}\n")
    assert told in str(caught.value)


def test_the_note_on_the_client_is_for_tables_alone(small: Path) -> None:
    with pytest.raises(
        InvalidSource, match=r"leaflet.yaml:1:1: .* 'controls' explains how to use Udonarium"
    ):
        both(small, "- {id: start, title: A, text: 引く。}\n", printed="controls")


def test_a_misspelt_medium_is_told(small: Path) -> None:
    with pytest.raises(
        InvalidSource, match=r"rules.yaml:1:38: .*'tabel' cannot be used here.*'table'"
    ):
        both(small, "- {id: start, title: A, text: [引く。, {tabel: 引く。}]}\n")


@pytest.mark.parametrize("folder", game_folders([ROOT / "source_data"]), ids=lambda path: path.name)
def test_no_line_on_paper_asks_for_a_click(folder: Path) -> None:
    notes = shipped.printed(folder.name).notes.values()
    assert any(note.paper for note in notes)
    texts = [fill_lines(note.paper, shuffle_words("ja", "on-paper"), note.where) for note in notes]
    assert [found for text in texts for found in CLIENT.findall(text)] == []


def test_a_new_games_leaflet_asks_for_no_click() -> None:
    facts = Facts("mine", "わたしの", "Mine", (2, 2))
    text = starter_files(facts, "en")["notes/rules.yaml"].decode()
    assert "★山札は${shuffle}" in text
    assert not CLIENT.findall(text)


ERRATA = """\
- id: E1
  medium: card
  source: s
  changes:
    - {card: W1, field: copies, was: 2, now: 3}
    - {card: W1, field: text, was: もやす, now: もえる}
    - {card: W1, field: edition, was: base, now: more}
"""


def test_an_erratum_names_its_field_on_the_table_as_on_paper(small: Path) -> None:
    change(small / "game.yaml", "copies: number", "copies: {type: number, name: 枚数}")
    sheet = "id: errata\nname: A\nlay: document\ndocument: rulings\n"
    files = {"sources.yaml": "s: {title: S}\n", "errata.yaml": ERRATA, "sheets/errata.yaml": sheet}
    printed = read_game(write(small, files))
    game = corrected(printed)
    room = rooms_of_order(game, RoomOrder(rooms=("box",)))["box"]
    (detail,) = {card.detail for card in room.cards if card.name == "Laser"}
    assert [note.value for note in detail[0].children] == [
        "枚数 誤「2」→ 正「3」",
        "効果 誤「もやす」→ 正「もえる」",
        "edition 誤「base」→ 正「more」",
    ]
    job = read_jobs(small, printed, read_stationery([ROOT / "templates/sheets"]))["errata"]
    (erratum,) = document_values(stocked(printed, PrintOrder()), job)["errata"]
    assert [one["field"] for one in erratum["changes"]] == ["枚数", "効果", "edition"]
