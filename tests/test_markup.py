"""Mark-up in texts: on faces as content, in the client as plain words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import card_front
from exporter.faces.face_texts import plain
from exporter.loader.game_reader import read_game
from exporter.model import DeckCard, Game

HEAD = """\
id: small
name: 小
players: [1, 2]
marks: {marks}
faces:
  thing: {{like: card, values: {{slots: {{title: name, text: text}}}}}}
kinds:
  thing:
    name: 物
    file: cards/things.csv
    fields: {{text: text}}
    front: thing
    front_fields: [text]
    back: card_back
    detail: {{効果: text}}
"""
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'


def game_of(folder: Path, text: str, marks: str = "{}") -> Game:
    (folder / "cards").mkdir(parents=True)
    (folder / "icons").mkdir()
    (folder / "icons" / "wood.svg").write_bytes(SVG)
    (folder / "game.yaml").write_text(HEAD.format(marks=marks), encoding="utf-8")
    (folder / "cards" / "things.csv").write_text(f"id,name,text\nA,名,{text}\n", encoding="utf-8")
    return read_game(folder)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("[木]を払う", "木を払う"),
        ("[energy]を払う", "⚡を払う"),
        ("**強い**と__弱い__", "強いと弱い"),
        ("{#red 赤}と{#b4482f 赤}", "赤と赤"),
        ("{機雷|きらい}", "機雷"),
        ("> 3マス：外れ", "> 3マス：外れ"),
        ("1行目\\n---\\n> むかし", "1行目\n――――\nむかし"),
    ],
)
def test_in_the_client_a_text_is_plain(text: str, read: str) -> None:
    assert plain(text, {"木": "icons/wood.svg", "energy": "⚡"}) == read


def test_an_icon_of_the_game_stands_in_the_text_of_a_face(tmp_path: Path) -> None:
    game = game_of(tmp_path / "small", "[木]と[1]", "{木: icons/wood.svg, '1': ①}")
    front = card_front(game, DeckCard(card=game.cards["A"]))
    assert json.loads(front.values)["text"] == "[=icons/wood.svg]と①"
    assert front.pictures == ("icons/wood.svg",)


def test_a_mark_that_nobody_knows_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"\[wod\].*Did you mean 'wood'"):
        game_of(tmp_path / "small", "[wod]", "{wood: icons/wood.svg}")


def test_an_icon_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"no picture icons/wod.svg .*'icons/wood.svg'"):
        game_of(tmp_path / "small", "x", "{wood: icons/wod.svg}")


def test_a_sign_that_no_font_has_needs_no_brackets(tmp_path: Path) -> None:
    game = game_of(tmp_path / "small", "🔊を払う", "{🔊: icons/wood.svg}")
    front = card_front(game, DeckCard(card=game.cards["A"]))
    assert json.loads(front.values)["text"] == "[=icons/wood.svg]を払う"


KEYS = (
    "{'{coin}': icons/wood.svg, ':sword:': ⚔, '[木]': 木材, 'red gem': ◆, P: 力, '->': →, 木: 林}"
)


@pytest.mark.parametrize(
    ("text", "face", "read"),
    [
        ("{coin}を払う", "[=icons/wood.svg]を払う", "coinを払う"),
        ("[{coin}]を払う", "[=icons/wood.svg]を払う", "coinを払う"),
        (":sword:3 -> 木", "⚔3 → 木", "⚔3 → 木"),
        ("[木]と[red gem]と[P]", "木材と◆と力", "木材と◆と力"),
        ("{機雷|きらい}と{coin}", "{機雷|きらい}と[=icons/wood.svg]", "機雷とcoin"),
    ],
)
def test_a_mark_may_be_written_with_signs_of_its_own(
    tmp_path: Path, text: str, face: str, read: str
) -> None:
    game = game_of(tmp_path / "small", text, KEYS)
    front = card_front(game, DeckCard(card=game.cards["A"]))
    assert json.loads(front.values)["text"] == face
    assert plain(text, game.marks) == read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "{coins}を払う",
            "There is no icon {coins}, so players would see it as it is. Did you mean",
        ),
        ("{Coin}を払う", "Did you mean '{coin}'?"),
        (":swrd:3", "Did you mean ':sword:'?"),
        ("{mdi:swrd}を得る", "There is no icon 'mdi:swrd'. Did you mean 'mdi:sword'?"),
        ("{#redd 火}を払う", "redd is no colour. Did you mean 'red'?"),
        ("1:30:5に{#b4482f 火}を{#朱色 払う}", ""),
    ],
)
def test_a_sign_or_colour_of_a_text_that_nothing_is_called_is_told(
    tmp_path: Path, text: str, words: str
) -> None:
    try:
        game_of(tmp_path / "small", text, KEYS)
        problem = ""
    except InvalidSource as wrong:
        problem = str(wrong)
    assert bool(problem) == bool(words)
    assert words in problem


@pytest.mark.parametrize("mark", ["@fire", "$", "*", "'1'", "fire"])
def test_a_word_of_another_is_no_mark(tmp_path: Path, mark: str) -> None:
    text = "@firefly $ **1** fire"
    game = game_of(tmp_path / "small", text, f"{{'{mark.strip(chr(39))}': 火}}")
    front = card_front(game, DeckCard(card=game.cards["A"]))
    assert json.loads(front.values)["text"] == text
