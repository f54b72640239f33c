"""A few of the mutants that ``mutants.py`` tries by the thousand: the same ones in each run."""

from __future__ import annotations

import os

import pytest
from workers import tried

SEED = 12
COUNTS = {"folders": 30, "cases": 8, "builds": 8, "options": 12}
"""Some 15 seconds on two cores."""


@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell what a process has cost")
def test_what_is_broken_is_told_at_its_place_and_nothing_is_half_written() -> None:
    """Costs, and what ``check`` passes and ``build`` refuses, are told by ``mutants.py`` alone.

    ``check`` reads no more than the head of a picture, so a torn one is met by ``build``.
    """
    mutants = [(sort, number) for sort, count in COUNTS.items() for number in range(count)]
    trials = list(tried(mutants, SEED, workers=2))
    assert len(trials) == len(mutants)
    wrong = [one for trial in trials for one in trial.wrong if "check takes" not in one]
    assert wrong == []
