"""What the shipped games say in English: Japanese are names of cards and mechs alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import exporter
from exporter.app.games import open_folder
from exporter.app.listing import listing_text
from exporter.core.shipped_files import shipped
from exporter.loader.game_folders import game_folders
from exporter.rules.project import Project
from exporter.rules.report.check_report import check
from exporter.rules.report.explanations import GameTexts, explain, labelled
from exporter.rules.report.report_formats import report_lines
from exporter.rules.report.suggesting import suggestion_lines

JAPANESE = re.compile(r"[\u3041-\u30fa\u30fc-\u30ff\u4e00-\u9fff々]")

GAMES = sorted(folder.name for folder in game_folders([shipped("source_data")]))
QUICK = {"ice_cream_turret", "quest_for_the_new_world", "wrath_of_god"}


def is_japanese(project: Project, text: str) -> bool:
    """Whether anything but names and ids of cards and mechs is Japanese."""
    known = project.corrected
    things = [one for many in (known.cards, known.mechs) for one in many.items()]
    names = {name for key, one in things for name in (key, one.name)}
    names_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return bool(JAPANESE.search(re.sub(names_first, "", text)))


@pytest.mark.parametrize(
    "game",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GAMES],
)
def test_english_reports_have_no_japanese_but_names(game: str) -> None:
    project = open_folder(shipped("source_data") / game, with_cases=True)
    listed = exporter.list_games(game, language="en").games
    lines = listing_text(listed, "en", whole=True).splitlines()
    lines += report_lines(check(project), "en", verbose=True)
    known, texts = project.corrected, GameTexts(project, "en")
    things = [*project.book.rules, *known.cards, *known.mechs]
    things += map(str, project.book.regulations)
    things += [one.id for many in (known.errata, known.rulings, known.figures) for one in many]
    for one in (labelled(texts, explain(texts, thing)) for thing in things):
        lines += [one.heading, *(line for each in one.sections for line in each.lines)]
    lines += [known.label(case.name, "en") for case in project.book.cases]
    assert [line for line in lines if is_japanese(project, line)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_english_text_is_of_a_text_of_the_data(game: str) -> None:
    folder = shipped("source_data") / game
    files = [path for path in folder.rglob("*.*") if path.suffix in (".yaml", ".csv")]
    data = "".join(path.read_text("utf-8") for path in files if path.name != "english.yaml")
    words = "".join(data.split())
    entries = yaml.load((folder / "english.yaml").read_text("utf-8"), yaml.CSafeLoader)
    assert [one["ja"] for one in entries if "".join(one["ja"].split()) not in words] == []


def test_a_suggested_build_has_its_parts_in_english(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "game: embryo_machine\nname: mine\nframe: {armour: 中, size: M, seats: 単座}\n"
        "mounted: {頭: [ランス], 胴: [シールド]}\n",
        encoding="utf-8",
    )
    (suggestion,) = exporter.suggest(file).suggestions
    lines = list(suggestion_lines(suggestion, "en"))
    assert "    body: [シールド]" in lines
    assert [line for line in lines if "頭" in line] == []


@pytest.mark.slow
def test_words_of_the_data_stand_in_messages_and_may_be_typed() -> None:
    known = open_folder(shipped("source_data") / "embryo_machine").corrected
    assert known.label("頭1・右腕2", "en") == "head 1, right arm 2"
    assert known.label("頭×2・右腕×1", "en") == "head×2, right arm×1"
    assert known.label("頭1・右腕2", "ja") == "頭1・右腕2"
    assert known.label("移動値 5 = 機体 6 − 複座 1", "en") == "movement 5 = mech 6 − two-seater 1"
    assert known.label("効果: 頭、を守る。", "en") == "effect: 頭、を守る。"


def test_one_is_no_plural() -> None:
    games = exporter.list_games("ice_cream_turret", language="en").games
    assert "1 player, boards field" in listing_text(games, "en", whole=True)
