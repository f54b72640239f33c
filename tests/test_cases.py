"""Every case of every game, and that no rule is decoration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from exporter.checking.cases import run_case
from exporter.checking.opened import Opened, open_game
from exporter.model import Game
from exporter.rules.book import Case, Rule
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


def checked_rules() -> Iterator[tuple[str, Rule]]:
    for name in GAMES:
        for rule in opened(name).book.rules.values():
            if rule.status == "checked":
                yield name, rule


def broken_by(case: Case) -> set[str]:
    return {*case.raises, *(case.notices or ())}


def label(value: object) -> str:
    return value.id if isinstance(value, Rule) else getattr(value, "name", str(value))


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_read_without_a_problem(name: str) -> None:
    assert opened(name).problems == ()


@pytest.mark.parametrize(("name", "case"), list(cases()), ids=label)
def test_case(name: str, case: Case) -> None:
    problems = run_case(game_of(name), opened(name).book, case)
    assert [problem.message for problem in problems] == []


@pytest.mark.parametrize(("name", "rule"), list(checked_rules()), ids=label)
def test_a_checked_rule_has_a_passing_and_a_failing_case(name: str, rule: Rule) -> None:
    book = opened(name).book
    kept = [
        case
        for case in book.cases
        if rule.id not in broken_by(case) and rule.id in (*case.about, case.play)
    ]
    broken = [case for case in book.cases if rule.id in broken_by(case)]
    assert kept, "no case shows the rule kept: add one with `about` or `play`"
    assert broken, "no case breaks the rule: add one that raises it"


@pytest.mark.parametrize(("name", "rule"), list(checked_rules()), ids=label)
def test_switching_a_rule_off_makes_a_case_fail(name: str, rule: Rule) -> None:
    book = opened(name).book
    broken = [case for case in book.cases if rule.id in broken_by(case)]
    assert any(run_case(game_of(name), book, case, without=rule.id) for case in broken)
