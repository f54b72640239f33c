"""Tries broken game folders, cases, builds and command lines: ``python tests/fuzz/mutants.py``.

Prints every violation with what the mutant is and the words that repeat it, and in the end how
many were tried. ``trials.py`` says what holds of each.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path


def main() -> None:
    sys.path[:0] = [str(Path(__file__).parents[1])]
    from trials import SORTS
    from workers import tried

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100, help="mutants of each sort")
    options.add_argument("--first", type=int, default=0, help="the number of the first of them")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sort", choices=SORTS, action="append", help="by default all")
    options.add_argument("--workers", type=int, default=1, help="processes at a time")
    chosen = options.parse_args()
    failed = False
    for sort in chosen.sort or SORTS:
        begun = time.monotonic()
        numbers = range(chosen.first, chosen.first + chosen.count)
        found = []
        for trial in tried(((sort, number) for number in numbers), chosen.seed, chosen.workers):
            found.append(trial)
            if trial.violations:
                failed = True
                print(trial.report(chosen.seed), flush=True)
        passed, made = (sum(getattr(one, name) for one in found) for name in ("passed", "made"))
        wrong, refused = (
            sum(bool(getattr(one, name)) for one in found) for name in ("wrong", "broken_promises")
        )
        print(
            f"{sort}: {len(found)} tried, {passed} pass check, {made} wholly made; {wrong} wrong,"
            f" {refused} refused later; seed {chosen.seed},"
            f" {time.monotonic() - begun:.0f} s",
            flush=True,
        )
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
