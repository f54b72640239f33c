"""Texts filled in and made plain; where lines of Japanese may end, and how wide letters are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.faces.face_texts import fill, fill_lines, fill_parts, plain
from exporter.render.line_breaks import BETWEEN, phrased, phrases

HERE = SourceLocation("layouts.yaml", 7)


def test_places_are_filled_and_the_clients_own_braces_stay() -> None:
    values = {"mech": "レイダー", "移動値": "5"}
    assert fill("${mech}：${移動値}／{移動値}、$5", values, HERE) == "レイダー：5／{移動値}、$5"


def test_every_unknown_place_is_a_problem_that_names_the_nearest() -> None:
    with pytest.raises(InvalidSource) as caught:
        fill("${mehc} ${sea}", {"mech": "A"}, HERE)
    first, second = caught.value.problems
    assert (
        str(first)
        == "layouts.yaml:7: error TEXT There is no value for ${mehc}. Did you mean 'mech'?"
    )
    assert "${sea}" in second.message


def test_a_line_that_says_nothing_once_it_is_filled_is_left_out() -> None:
    text = "★山札は${how}\n${all}\n\n引く。"
    assert fill_lines(text, {"how": "混ぜる。", "all": ""}, HERE) == "★山札は混ぜる。\n\n引く。"
    with pytest.raises(InvalidSource) as caught:
        fill_lines("${a}\n${b}", {}, HERE)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("range_", "damage", "line"),
    [
        ("2～3", "3", "剣（白兵） 射程2～3 ダメージ3"),
        ("-", "3", "剣（白兵） ダメージ3"),
        ("-", "", "剣（白兵）"),
    ],
)
def test_what_a_card_has_not_is_not_said_of_it(range_: str, damage: str, line: str) -> None:
    values = {"name": "剣", "kinds": "白兵", "range": range_, "damage": damage}
    parts = ("${name}（${kinds}）", "射程${range}", "ダメージ${damage}")
    assert fill_parts(parts, values, HERE) == line


def test_marks_become_characters_and_ruby_is_left_out() -> None:
    assert plain("[bomb]付きの{機雷|きらい}", {"bomb": "💣"}) == "💣付きの機雷"


# ---- where lines of Japanese may end

LIB = Path("templates/faces/lib.typ")


@pytest.mark.parametrize(
    ("line", "parted"),
    [
        ("ハーピーをそれぞれ3マスまで移動。", "ハーピーを|それぞれ|3マスまで|移動。"),
        ("{機雷|きらい}を**強い**一撃で壊す。", "{機雷|きらい}を|**強い**|一撃で|壊す。"),
        ("この{#red 3ダメージ}を2回与える。", "この|{#red 3ダメージ}を|2回与える。"),
        ("[=icons/火.svg]を2個得て引く。", "[=icons/火.svg]を|2個得て|引く。"),
        ("Quick Shotを使うと、次も動ける。", "Quick |Shotを|使うと、|次も|動ける。"),
        ("装甲ダメージ1か、または距離＋2。", "装甲ダメージ1か、|または|距離＋2。"),
        ("「航海」1枚につき1マス進む。", "「航海」|1枚につき|1マス進む。"),
        ("Draw two cards and discard one.", "Draw two cards and discard one."),
    ],
)
def test_phrases_end_where_readers_pause_and_keep_mark_up_whole(line: str, parted: str) -> None:
    assert phrased(line).replace(BETWEEN, "|") == parted
    assert phrased(line).replace(BETWEEN, "") == line


def test_every_line_of_every_text_is_parted_by_itself() -> None:
    values = json.dumps({"lines": [{"effect": "カードを1枚引く。\\n手札を1枚捨てる。"}], "n": 3})
    assert phrases([values]) == {
        "カードを1枚引く。": BETWEEN.join(["カードを", "1枚引く。"]),
        "手札を1枚捨てる。": BETWEEN.join(["手札を", "1枚捨てる。"]),
    }


def test_letters_are_taken_as_wide_as_they_are_in_the_fonts() -> None:
    found = re.findall(r'"(\d\d)": "([^"]+)"', LIB.read_text(encoding="utf-8"))
    said = {letter: int(share) / 100 for share, letters in found for letter in letters}
    assert len(said) > 200
    widest: dict[str, float] = {}
    for path in sorted(LIB.parent.glob("fonts/BIZUDPGothic-*.ttf")):
        with TTFont(path) as font:
            names, advances = font.getBestCmap(), font["hmtx"]
            em = font["head"].unitsPerEm
            for letter in {
                *said,
                *map(chr, range(0x3041, 0x3097)),
                *map(chr, range(0x4E00, 0x5000)),
            }:
                if ord(letter) in names:
                    width = advances[names[ord(letter)]][0] / em
                    widest[letter] = max(width, widest.get(letter, 0))
    assert [x for x, width in widest.items() if not width <= said.get(x, 1) + 0.001] == []
    assert [x for x, width in widest.items() if said.get(x, 1) - width > 0.025] == []
