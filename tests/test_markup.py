"""Mark-up in texts: on faces as content, in the client as plain words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_game import things_game

from exporter.core.problems import InvalidSource
from exporter.faces.card_faces import card_front
from exporter.faces.face_texts import plain
from exporter.model import DeckCard, Game

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'


def game_of(folder: Path, text: str, marks: str = "{}") -> Game:
    (folder / "icons").mkdir(parents=True)
    (folder / "icons" / "wood.svg").write_bytes(SVG)
    return things_game(folder, [("A", "名", text.replace("\\n", "\n"))], marks=marks)


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


KEYS = (
    "{'{coin}': icons/wood.svg, ':sword:': ⚔, '[木]': 木材, 'red gem': ◆, P: 力, '->': →, 木: 林}"
)
WORDS = "@firefly $ **1** fire"


@pytest.mark.parametrize(
    ("text", "marks", "face", "read"),
    [
        ("[木]と[1]", "{木: icons/wood.svg, '1': ①}", "[=icons/wood.svg]と①", "木と①"),
        ("🔊を払う", "{🔊: icons/wood.svg}", "[=icons/wood.svg]を払う", "🔊を払う"),
        ("{coin}を払う", KEYS, "[=icons/wood.svg]を払う", "coinを払う"),
        ("[{coin}]を払う", KEYS, "[=icons/wood.svg]を払う", "coinを払う"),
        (":sword:3 -> 木", KEYS, "⚔3 → 木", "⚔3 → 木"),
        ("[木]と[red gem]と[P]", KEYS, "木材と◆と力", "木材と◆と力"),
        ("{機雷|きらい}と{coin}", KEYS, "{機雷|きらい}と[=icons/wood.svg]", "機雷とcoin"),
        # A word of another is no mark.
        *(
            (WORDS, f"{{{mark}: 火}}", WORDS, "@firefly $ 1 fire")
            for mark in ("'@fire'", "$", "'*'")
        ),
        *(
            (WORDS, f"{{{mark}: 火}}", WORDS, "@firefly $ 1 fire")
            for mark in ("'@fire'", "$", "'*'", "'1'", "fire")
        ),
    ],
)
def test_a_mark_is_its_icon_on_a_face_and_a_word_in_the_client(
    tmp_path: Path, text: str, marks: str, face: str, read: str
) -> None:
    game = game_of(tmp_path / "small", text, marks)
    front = card_front(game, DeckCard(card=game.cards["A"]))
    assert json.loads(front.values)["text"] == face
    assert front.pictures == (("icons/wood.svg",) if "=" in face else ())
    assert plain(text, game.marks) == read


def test_an_icon_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"no picture icons/wod.svg .*'icons/wood.svg'"):
        game_of(tmp_path / "small", "x", "{wood: icons/wod.svg}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "{coins}を払う",
            "There is no icon {coins}, so players would see it as it is. Did you mean",
        ),
        ("[coni]を払う", "[coni]"),
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
