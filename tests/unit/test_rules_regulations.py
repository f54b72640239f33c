"""Which regulation holds: the default, the newest version, and what cannot be told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from exporter.app.games import open_folder
from exporter.core.problems import InvalidSource
from exporter.rules.report.check_report import check
from exporter.rules.report.verdicts import CheckOptions

SOURCE = Path(__file__).parent.parent.parent / "source_data"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SOURCE / "wrath_of_god", tmp_path / "wrath_of_god"))


def regulation(game: Path, version: str, more: str = "") -> None:
    (game / "regulations").mkdir(exist_ok=True)
    text = f'id: cup\nversion: "{version}"\ntitle: 杯\n{more}\n'
    (game / "regulations" / f"cup-{version}.yaml").write_text(text, encoding="utf-8")


def test_two_versions_that_follow_each_other_are_a_problem_and_no_crash(game: Path) -> None:
    regulation(game, "1", 'predecessor: "2"\ndefault: true')
    regulation(game, "2", 'predecessor: "1"')
    opened = open_folder(game)
    (problem,) = opened.problems
    assert "of another. Now: none." in problem.message
    assert problem.where.file.endswith("cup-2.yaml")
    check(opened)


def test_a_predecessor_that_leaves_two_newest_versions_is_a_problem(game: Path) -> None:
    regulation(game, "1", "default: true")
    regulation(game, "2", "predecessor: nonsense")
    (problem,) = open_folder(game).problems
    assert "of another. Now: 1, 2." in problem.message


def test_a_predecessor_that_nobody_has_is_no_problem(game: Path) -> None:
    regulation(game, "2", 'predecessor: "1"\ndefault: true')
    assert open_folder(game).problems == ()


def test_without_a_default_one_has_to_be_named(game: Path) -> None:
    regulation(game, "1")
    opened = open_folder(game)
    with pytest.raises(InvalidSource, match="Choose one with --regulation: cup"):
        check(opened)
    assert check(opened, options=CheckOptions(regulation="cup")).passed
