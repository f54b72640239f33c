"""Tries broken game folders, cases and builds: ``python tests/fuzz/mutants.py``.

Prints every violation with what the mutant is and the words that repeat it, and in the end how
many were tried. ``trials.py`` says what holds of each. One that hangs ends all, and is shown.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import tempfile
from pathlib import Path

HANGING = 120
"""Seconds after which a mutant has no end."""


def main() -> None:
    sys.path[:0] = [str(Path(__file__).parents[1])]
    from trials import SORTS, Bench

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100, help="mutants of each sort")
    options.add_argument("--first", type=int, default=0, help="the number of the first of them")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--sort", choices=SORTS, action="append", help="by default all")
    chosen = options.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        bench = Bench(Path(folder), chosen.seed)
        for sort in chosen.sort or SORTS:
            passed = made = 0
            for number in range(chosen.first, chosen.first + chosen.count):
                faulthandler.dump_traceback_later(HANGING, exit=True)
                print(f"{sort} {number}", end="\r", file=sys.stderr, flush=True)
                trial = bench.trial(sort, number)
                passed, made = passed + trial.passed, made + trial.made
                if trial.violations:
                    failed = True
                    print(trial.report(chosen.seed), flush=True)
            print(f"{sort}: {chosen.count} tried, {passed} pass check, {made} wholly made")
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
