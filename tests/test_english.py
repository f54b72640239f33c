"""What the shipped games say in English: Japanese are names of cards and mechs alone."""

from __future__ import annotations

import re

import pytest

import exporter
from exporter.app.games import open_game
from exporter.app.listing import listing_text
from exporter.core.shipped_files import shipped
from exporter.rules.report.check_report import check
from exporter.rules.report.report_formats import report_lines

JAPANESE = re.compile(r"[\u3041-\u30fa\u30fc-\u30ff\u4e00-\u9fff々]")

THINGS = {
    "cloudspire": "攻撃ダイス",
    "embryo_machine": "AG:kai",
    "gimmick_lab": "W1",
    "ice_cream_turret": "S1",
    "macelandia": "T4",
    "mech_arena_2013": "MA-1",
    "quest_for_the_new_world": "advanced",
    "unmatched_vol1": "excalibur",
    "wrath_of_god": "K1",
}


@pytest.mark.parametrize(("game", "thing"), THINGS.items())
def test_english_reports_have_no_japanese_but_names(game: str, thing: str) -> None:
    project = open_game(shipped("source_data") / game, with_cases=True)
    told = [listing_text(exporter.list_games(game, language="en").games, True, "en")]
    told += report_lines(check(project), "en", verbose=True)
    for one in exporter.explain(thing, game=game, language="en"):
        told += [
            one.heading,
            *(line for each in one.sections for line in (each.title, *each.lines)),
        ]
    for rule in project.book.rules.values():
        told += [text.in_language("en") for text in (rule.title, rule.text, rule.reason)]
    known = project.corrected
    names = {one.name for many in (known.cards, known.mechs) for one in many.values()}
    names |= {known.label(case.name, "en") for case in project.book.cases}
    text = re.sub(
        "|".join(map(re.escape, sorted(names, key=len, reverse=True))), "", "\n".join(told)
    )
    assert [line for line in text.splitlines() if JAPANESE.search(line)] == []


@pytest.mark.slow
def test_words_of_the_data_stand_in_messages_and_may_be_typed() -> None:
    known = open_game(shipped("source_data") / "embryo_machine").corrected
    assert known.label("頭1・右腕2", "en") == "head 1, right arm 2"
    assert known.label("頭1・右腕2", "ja") == "頭1・右腕2"
    assert known.label("移動値 5 = 機体 6 − 複座 1", "en") == "movement 5 = mech 6 − two-seater 1"
    assert known.label("効果: 頭、を守る。", "en") == "effect: 頭、を守る。"
