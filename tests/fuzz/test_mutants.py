"""A few of the mutants that ``mutants.py`` tries by the thousand: the same ones in each run."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.slow
def test_what_is_broken_is_told_at_its_place_and_what_passes_can_be_built(
    tmp_path: Path, shared_cache: None
) -> None:
    from trials import SORTS, Bench

    bench = Bench(tmp_path, seed=37)
    trials = [bench.trial(sort, 0) for sort in SORTS]
    assert [trial.report(37) for trial in trials if trial.violations] == []
    assert any(trial.made for trial in trials)
