"""Every case holds, no rule is decoration, and every count of a source document is asked of the
shipped data: each is broken once.
"""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import shipped
import yaml

from exporter.app.games import open_folder
from exporter.core.problems import Severity
from exporter.model import Game
from exporter.rules.errata import corrected
from exporter.rules.report.check_report import check, not_shown, run_cases

GAMES = sorted(path.parent.name for path in shipped.SOURCE.glob("*/rules.yaml"))


@cache
def game_of(name: str) -> Game:
    return corrected(shipped.opened(name).game)


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_read_without_a_problem(name: str) -> None:
    assert shipped.opened(name).problems == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_case_holds(name: str) -> None:
    count, problems, _shown = run_cases(game_of(name), shipped.opened(name).book)
    assert list(map(str, problems)) == []
    assert count.held == count.count == len(shipped.opened(name).book.cases) > 0


@pytest.mark.parametrize("name", GAMES)
def test_every_checked_rule_has_a_passing_and_a_failing_case(name: str) -> None:
    assert [problem.message for problem in not_shown(shipped.opened(name).book)] == []


# ---- counts of the sources

ROOT = Path(__file__).parent.parent
SEEDS: dict[str, list[dict[str, Any]]] = yaml.safe_load(
    (ROOT / "docs" / "seeds.yaml").read_text(encoding="utf-8")
)
ROWS = [(game, row) for game, rows in SEEDS.items() for row in rows]


def broken(game: Path, *, with_cases: bool = False) -> set[str]:
    """The rules that the data of a game break, and those that a case names."""
    opened = open_folder(game, with_cases=with_cases)
    assert opened.problems == ()
    report = check(opened, with_cases=with_cases)
    return {
        str(one.values.get("rule_id", one.rule))
        for one in report.all_problems
        if one.severity is Severity.ERROR
    }


@pytest.mark.slow
@pytest.mark.parametrize("game", SEEDS)
def test_the_shipped_data_keep_what_is_stated(game: str) -> None:
    assert broken(ROOT / "source_data" / game) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "row"), ROWS, ids=[f"{row['rule']}-{row['says']}" for _, row in ROWS]
)
def test_a_broken_fact_is_told_by_its_rule(game: str, row: dict[str, Any], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(ROOT / "source_data" / game, tmp_path / game))
    path = folder / row["file"]
    text = path.read_text(encoding="utf-8")
    if "regex" in row:
        changed = re.sub(row["regex"], row["new"], text, flags=re.MULTILINE)
    else:
        changed = text.replace(row["old"], row["new"], 1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    assert row["rule"] in broken(folder) or row["rule"] in broken(folder, with_cases=True)


def test_each_game_has_three_plain_wrong_edits_at_least() -> None:
    assert {game for game, rows in SEEDS.items() if len(rows) < 3} == set()
    assert len(SEEDS) == 9
