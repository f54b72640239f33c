"""Mark-up in texts: on faces as content, in the client as plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner

from exporter.cli.main import exporter
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


TEXTS = (
    "カードを1枚引き、手札を1枚すてます。そうしたらまた引く人は。",
    "カードを1枚引き、手札を1枚すてます。そうしたらまた引く、あなただ。",
    "白兵タイミングにオープンし、自機のマスをがれきに変えてもよいが、変えないレバー。",
    "1枚引く。",
)


def letters(page: pypdfium2.PdfPage) -> Iterator[tuple[str, float, float]]:
    """Each letter of a page with its lower edge and its size, in points."""
    text = page.get_textpage()
    raw = pypdfium2.raw
    for index in range(text.count_chars()):
        box = text.get_charbox(index, loose=True)
        yield text.get_text_range(index, 1), box[1], raw.FPDFText_GetFontSize(text, index)


@pytest.mark.slow
def test_texts_are_of_one_size_and_none_ends_with_a_letter_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_cache: None
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("甲札", "乙札", "丙札", "丁札")  # a title of one letter would be a line of its own
    rows = [f"{name},{text}" for name, text in zip(names, TEXTS, strict=True)]
    Path("deck.csv").write_text("\n".join(["name,text", *rows]), encoding="utf-8")
    assert CliRunner().invoke(exporter, ["new", "mine", "--from", "deck.csv"]).exit_code == 0
    made = CliRunner().invoke(exporter, ["print", "mine"])
    assert made.exit_code == 0, made.output
    with pypdfium2.PdfDocument(Path("output/mine/cards.pdf")) as pdf:
        found = list(letters(pdf[0]))
    shown = "".join(letter for letter, _edge, _size in found)
    for text in TEXTS:
        start = shown.replace("\r\n", "").find(text[:3])
        assert start >= 0, shown
    kana = [(edge, round(s, 1)) for letter, edge, s in found if "ぁ" <= letter <= "ん"]
    (size,) = {s for _edge, s in kana}
    lines = _lines([(letter, edge) for letter, edge, s in found if round(s, 1) == size])
    assert len(lines) >= 7
    alone = [line for line in lines if len(line.strip("。、")) == 1]
    assert not alone, lines


def _lines(placed: list[tuple[str, float]]) -> list[str]:
    """Letters in their order as lines: one ends where the next letter stands lower or higher."""
    lines: list[str] = []
    last = None
    for letter, edge in placed:
        if letter.strip() and (last is None or abs(edge - last) > 3):
            lines.append("")
        if letter.strip():
            lines[-1] += letter
            last = edge
    return lines
