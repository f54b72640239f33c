"""Mark-up in texts: on faces as content, in the client as plain words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exporter.faces import card_front
from exporter.model import DeckCard, Game
from exporter.problems import InvalidSource
from exporter.source import read_game
from exporter.texts import plain

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
        ("1行目\\n---\\n> むかし", "1行目\n――――\nむかし"),
    ],
)
def test_in_the_client_a_text_is_plain(text: str, read: str) -> None:
    assert plain(text, {"木": "icons/wood.svg", "energy": "⚡"}) == read


def test_an_icon_of_the_game_stands_in_the_text_of_a_face(tmp_path: Path) -> None:
    game = game_of(tmp_path / "small", "[木]と[1]", "{木: icons/wood.svg, '1': ①}")
    front = card_front(game, DeckCard(card=game.cards["A"], copies=1))
    assert json.loads(front.values)["text"] == "[=icons/wood.svg]と①"
    assert front.pictures == ("icons/wood.svg",)


def test_a_mark_that_nobody_knows_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"\[wod\].*Did you mean 'wood'"):
        game_of(tmp_path / "small", "[wod]", "{wood: icons/wood.svg}")


def test_an_icon_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"no drawing icons/wod.svg .*'icons/wood.svg'"):
        game_of(tmp_path / "small", "x", "{wood: icons/wod.svg}")


def test_a_sign_that_no_font_has_needs_no_brackets(tmp_path: Path) -> None:
    game = game_of(tmp_path / "small", "🔊を払う", "{🔊: icons/wood.svg}")
    front = card_front(game, DeckCard(card=game.cards["A"], copies=1))
    assert json.loads(front.values)["text"] == "[=icons/wood.svg]を払う"
