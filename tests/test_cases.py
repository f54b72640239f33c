"""Every case of every game, and that no rule is decoration."""

from __future__ import annotations

from functools import cache

import pytest
import shipped

from exporter.model import Game
from exporter.rules.errata import corrected
from exporter.rules.report.check_report import not_shown, run_cases

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
