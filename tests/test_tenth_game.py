"""A game that nobody has foreseen, from ``exporter new`` alone: no line of the program for it.

Bees on hexes: three decks, and a set-up that depends on how many play.
"""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from commands import output_of

from exporter.loader.game_reader import read_game

pytestmark = pytest.mark.slow

ADDED = {
    "game.yaml": """\
teams:
  near: {ja: 近い巣, en: Near hive}
  far: {ja: 遠い巣, en: Far hive}
""",
    "cards/hand.csv": """\
B1,はたらき蜂,1,花から蜜を1つ運ぶ。,#b98620,
B2,みはり蜂,2,となりのマスを守る。,#8a5a3a,
F1,菜の花,1,,#c9b52b,
F2,れんげ,3,,#a23b63,
W1,雨,4,この手番は飛べない。,#2f6f8f,
W2,晴れ,5,2マスまで飛べる。,#b4482f,
""",
    "decks/decks.csv": """\
bees,B1,12
bees,B2,4
flowers,F1,6
flowers,F2,3
weather,W1,3
weather,W2,5
""",
    "layouts.yaml": """
meadow:
  size: [9, 4]
  items:
    - {lay: stack, name: 蜂の山, at: [0, 0.5], face_down: true, cards: {deck: bees}}
    - {lay: stack, name: "花の山（${flowers}枚並べる）", at: [3, 0.5], cards: {deck: flowers}}
    - {lay: stack, name: 天気の山, at: [6, 0.5], face_down: true, cards: {deck: weather}}
    - {lay: piece, on: [board, "${queen}"], size: [1, 1], values: {figure: beast, name: 女王}}
""",
    "boards/board.yaml": """\
starts:
  hive: [[1, 1], [8, 6], [1, 6], [8, 1]]
""",
    "rules.yaml": """
  - id: R-4
    title: {ja: 巣は近くと遠くに同じだけ。3人なら近くに2つ, en: Hives by the number of players}
    status: checked
    kind: setup
    parameters:
      table:
        - {players: [2, 2], holds: {boards: [1, 1], near: [1, 1], far: [1, 1]}}
        - {players: [3, 3], holds: {boards: [1, 1], near: [2, 2], far: [1, 1]}}
        - {players: [4, 4], holds: {boards: [1, 1], near: [2, 2], far: [2, 2]}}
    cites: [rulebook]
""",
    "cases/cases.yaml": """
- name: 近くと遠くに1つずつ
  about: [R-4]
  room: {boards: [board], seats: [{team: near}, {team: far}]}
- name: 2つとも近い巣、は誤り
  room: {boards: [board], seats: [{team: near}, {team: near}]}
  raises: [R-4]
""",
}
"""What the maker of the game writes at the end of files."""

ROOMS = """\
id: meadow
name: {ja: みつばちの丘, en: Bees}
players: [2, 4]
boards: [board]
square: 1
seats:
  p1: {name: 赤, team: near, layout: seat, start: [hive, 1], values: {colour: "#b4482f"}}
  p2: {name: 青, team: far, layout: seat, start: [hive, 2], values: {colour: "#2f6f8f"}}
  p3: {name: 緑, team: near, layout: seat, start: [hive, 3], values: {colour: "#4f7d3a"}}
  p4: {name: 黄, team: far, layout: seat, start: [hive, 4], values: {colour: "#b98620"}}
chat:
  - {name: メイン, messages: ["${n}枚ずつ配り、花を${flowers}枚並べます。"]}
variants:
  two:
    players: [2, 2]
    values: {n: "5", flowers: "2", queen: "4,3"}
    arrange: {left: [p1], centre: [board], right: [p2], bottom: [supply, meadow]}
  three:
    players: [3, 3]
    values: {n: "4", flowers: "3", queen: "5,3"}
    arrange: {left: [p1, p3], centre: [board], right: [p2], bottom: [supply, meadow]}
  four:
    players: [4, 4]
    values: {n: "3", flowers: "4", queen: "5,4"}
    arrange: {left: [p1, p3], centre: [board], right: [p2, p4], bottom: [supply, meadow]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The game's folder, made and then edited in an empty place."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    output_of(
        "new", "bees", "--ja", "みつばちの丘", "--en", "Bees", "--players", "2-4", "--board", "hex"
    )
    folder = tmp_path / "source_data" / "bees"
    for name, text in ADDED.items():
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(text)
    (folder / "rooms" / "players.yaml").write_text(ROOMS, encoding="utf-8")
    return folder


def said(room: str) -> tuple[str, str]:
    """How many cards everybody gets and how many flowers there are, as a built room says it."""
    with zipfile.ZipFile(f"output/bees/{room}.zip") as archive:
        text = archive.read("chat.xml").decode()
    found = re.search(r"(\d)枚ずつ配り、花を(\d)枚並べます", text)
    assert found
    return found[1], found[2]


def test_a_tenth_game_needs_no_change_to_the_program(folder: Path) -> None:
    game = read_game(folder)
    assert game.boards["board"].kind == "hex"
    assert len({row.deck for row in game.decks} - {"main"}) == 3

    assert "2 checked, 1 left to the players, 0 not yet supported, 1 not applicable" in output_of(
        "check", "bees"
    )

    output_of("build", "bees")
    zips = [f"output/bees/{room}.zip" for room in ("two", "three", "four")]
    assert "3 zips, 0 problems." in output_of("verify", *zips)
    assert [said(room) for room in ("two", "three", "four")] == [("5", "2"), ("4", "3"), ("3", "4")]

    printed = output_of("print", "bees")
    assert "output/bees/cards.pdf" in printed
    assert "output/bees/boards.pdf" in printed
    assert "bees  Bees · 2–4 players · two, three, four" in output_of("list")
