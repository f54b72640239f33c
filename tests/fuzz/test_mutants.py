"""A few of the mutants that ``mutants.py`` tries by the thousand: the same ones in each run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SEED = 3
COUNTS = {"folders": 1, "cases": 1, "builds": 1, "options": 1}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no timer that ends a process")
def test_what_is_broken_is_told_at_its_place_and_what_passes_can_be_built(pictures: Path) -> None:
    from workers import tried

    mutants = [(sort, number) for sort, count in COUNTS.items() for number in range(count)]
    trials = list(tried(mutants, SEED, workers=1, cache=pictures.parent))
    assert len(trials) == len(mutants)
    assert [trial.report(SEED) for trial in trials if trial.violations] == []
    assert any(trial.made for trial in trials)
