"""What comes from outside is counted as it comes, and of very many problems fifty are told."""

from __future__ import annotations

from typing import Any

import pytest

from exporter.core.problems import Problem, Severity, SourceLocation, counts, problem_at
from exporter.core.reading_limits import LimitExceeded, ProblemList, ReadingLimits


def test_what_is_taken_is_counted_until_it_is_too_much() -> None:
    budget = ReadingLimits({"cells": 1200, "bytes of XML": 16 * 1024 * 1024})
    budget.take("cells", 1000)
    budget.take("cells", 200)
    assert budget.left("cells") == 0
    with pytest.raises(LimitExceeded, match=r"^more than 1,200 cells$"):
        budget.take("cells")
    with pytest.raises(LimitExceeded, match=r"^more than 16 MiB of XML$"):
        budget.take("bytes of XML", 1 << 60)


def problem(line: int, rule: str = "SRC-REF", file: str = "small/a.csv") -> Problem:
    return problem_at(
        SourceLocation(file, line),
        rule,
        "no-space",
        severity=Severity.WARNING,
        name=line,
        nearest="",
    )


def test_of_a_kind_fifty_are_told_and_the_others_counted_after_them() -> None:
    found = ProblemList()
    for line in range(1, 1062):
        found.append(problem(line))
    found.append(problem(1, "SRC-ID"))
    found.append(problem(1, file="small/b.csv"))
    problems = sorted(found)
    assert len(problems) == 50 + 1 + 2
    assert str(problems[51]) == "small/a.csv:50: warning SRC-REF … and 1,011 more like this."
    assert counts(problems) == {"error": 0, "warning": 1063, "notice": 0}
    assert len(found) == 1063


def test_the_files_of_a_folder_share_the_fifty() -> None:
    found = ProblemList()
    for number in range(60):
        found.append(problem(1, file=f"small/notes/n{number}.yaml"))
    assert [one.times for one in found if one.times > 1] == [10]


def test_a_column_that_is_wrong_from_end_to_end_is_one_problem() -> None:
    found = ProblemList()
    for line in range(2, 3002):
        values: dict[str, Any] = {"field": "armour", "found": "'x'", "allowed": "a whole number"}
        found.append(
            problem_at(SourceLocation("a.csv", line, 9), "SRC-VALUE", "cell", **values), "armour"
        )
        values |= {"field": "name", "allowed": "a name"}
        if line < 52:
            found.append(
                problem_at(SourceLocation("a.csv", line, 1), "SRC-VALUE", "cell", **values), "name"
            )
    whole, *single = found
    assert str(whole) == (
        "a.csv:2:9: error SRC-VALUE 3,000 rows have this problem; the first is here."
        " armour: found 'x'; allowed: a whole number."
    )
    assert whole.times == 3000
    assert [one.where.line for one in single] == list(range(2, 52))
