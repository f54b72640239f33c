"""What is said of printed decks: their size, and the weapons that are marked or mounted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from exporter.app.games import open_folder
from exporter.cli.main import exporter
from exporter.core.problems import Problem
from exporter.rules.project import Project
from exporter.rules.report.check_report import check

SOURCE = Path(__file__).parent.parent.parent / "source_data"


def opened(folder: Path, name: str, edits: dict[str, tuple[str, str]]) -> Project:
    game = Path(shutil.copytree(SOURCE / name, folder / name))
    for file, (old, new) in edits.items():
        text = (game / file).read_text(encoding="utf-8")
        assert old in text
        (game / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    return open_folder(game)


def found(one: Project) -> list[Problem]:
    assert one.problems == ()
    report = check(one)
    return [problem for problem in report.all_problems if problem.severity == "error"]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ja", "light_13は14枚です（正しくは13枚）。枚数を直してください。"),
        ("en", "light_13 has 14 cards; the rules say 13. Correct the copies."),
    ],
)
def test_a_deck_without_marks_is_told_its_number(tmp_path: Path, language: str, said: str) -> None:
    edits = {"decks/decks.csv": ("light_13,L01,1", "light_13,L01,2")}
    problem, twice = found(opened(tmp_path, "macelandia", edits))
    assert twice.rule == "ML-D11"  # two cards numbered 1
    assert f"ML-D1 {said} [" in problem.in_language(language)


def test_a_row_of_no_copies_is_no_card_of_the_deck(tmp_path: Path) -> None:
    edits = {"decks/decks.csv": ("dark_16,D01,1", "dark_16,D01,0")}
    wrong = found(opened(tmp_path, "macelandia", edits))
    assert [problem.rule for problem in wrong] == ["ML-D14", "ML-D2"]


def test_a_replaced_weapon_that_is_still_marked_is_named(tmp_path: Path) -> None:
    edits = {
        "mechs/AG.yaml": ("頭: [スモールレーザー]", "頭: [ブレード]"),
        "decks/mechs.csv": ("AG,ランス,●,2", "AG,ランス,●,2,\nAG,ブレード,●,1"),
    }
    one = opened(tmp_path, "embryo_machine", edits)
    said = [problem for problem in found(one) if problem.rule == "EM-S7"]
    assert [problem.message for problem in said] == [
        "アルギュロス has 22 cards marked ●, but durability is 21; they must be equal. "
        "There are 12 weapons for 11 slots. Marked but not mounted: スモールレーザー×1."
    ]
    assert "移動" not in said[0].hint
    (ja,) = [problem for problem in found(one) if problem.rule == "EM-S7"]
    assert "11スロットに12枚。印があるのに積んでいません: スモールレーザー×1。" in ja.in_language(
        "ja"
    )


def test_a_deck_that_no_rule_looked_at_is_not_called_legal(tmp_path: Path) -> None:
    deck = tmp_path / "mine.yaml"
    deck.write_text("game: macelandia\nname: A\ncards: {L01: 30}\n", encoding="utf-8")
    result = CliRunner().invoke(exporter, ["check", str(deck), "--lang", "en"])
    assert result.exit_code == 1
    assert "0 legal, 1 not judged" in result.output
    assert "the rules about decks are for light_13, dark_13" in result.output
