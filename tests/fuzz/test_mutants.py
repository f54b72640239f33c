"""A few of the mutants that ``mutants.py`` tries by the thousand: the same ones in each run."""

from __future__ import annotations

import os

import pytest
from workers import tried

SEED = 12
COUNTS = {"folders": 30, "cases": 8, "builds": 8, "options": 12}
"""Some 15 seconds on two cores."""


@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell what a process has cost")
def test_what_is_broken_is_told_at_its_place_and_what_check_passes_is_made() -> None:
    mutants = [(sort, number) for sort, count in COUNTS.items() for number in range(count)]
    trials = list(tried(mutants, SEED, workers=2))
    assert len(trials) == len(mutants)
    assert [trial.report(SEED) for trial in trials if trial.violations] == []
