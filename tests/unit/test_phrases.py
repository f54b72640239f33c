"""Where lines of Japanese may end, and how wide the letters are that fill them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from exporter.render.line_breaks import BETWEEN, phrased, phrases

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
