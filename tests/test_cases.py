"""Every case of every game, and that no rule is decoration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from exporter.checking.cases import not_shown, run_cases
from exporter.checking.opened import Opened, open_game
from exporter.model import Game
from exporter.rules.book import Case
from exporter.rules.errata import corrected

SOURCE = Path(__file__).parent.parent / "source_data"
GAMES = sorted(path.parent.name for path in SOURCE.glob("*/rules.yaml"))


@cache
def opened(name: str) -> Opened:
    return open_game(SOURCE / name, with_cases=True)


@cache
def game_of(name: str) -> Game:
    return corrected(opened(name).game)


def cases() -> Iterator[tuple[str, Case]]:
    for name in GAMES:
        for case in opened(name).book.cases:
            yield name, case


def place(value: object) -> str | None:
    """Where a case stands, which any terminal can show."""
    return f"{value.where.file}:{value.where.line}" if isinstance(value, Case) else None


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_read_without_a_problem(name: str) -> None:
    assert opened(name).problems == ()


@pytest.mark.parametrize(("name", "case"), list(cases()), ids=place)
def test_case(name: str, case: Case) -> None:
    book = replace(opened(name).book, cases=(case,), unread_cases=0)
    _count, problems, _shown = run_cases(game_of(name), book)
    assert [problem.message for problem in problems] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_checked_rule_has_a_passing_and_a_failing_case(name: str) -> None:
    assert [problem.message for problem in not_shown(opened(name).book)] == []
