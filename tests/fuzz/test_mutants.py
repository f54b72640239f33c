"""A few of the mutants that ``mutants.py`` tries by the thousand: the same ones in each run."""

from __future__ import annotations

import os

import pytest
from workers import tried

SEED = 12
COUNTS = {"folders": 60, "cases": 20, "builds": 20, "options": 30}


@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell what a process has cost")
@pytest.mark.parametrize("sort", COUNTS)
def test_what_is_broken_is_told_at_its_place_and_what_check_passes_is_made(sort: str) -> None:
    trials = list(tried(((sort, number) for number in range(COUNTS[sort])), SEED))
    assert len(trials) == COUNTS[sort]
    assert [trial.report(SEED) for trial in trials if trial.violations] == []
