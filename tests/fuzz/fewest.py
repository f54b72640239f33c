"""Whether `suggest` takes the fewest changes and keeps the most cards where that takes three or
four: ``python tests/fuzz/fewest.py [SEED ...]``, by default of all 370 random builds of the tests.

The first change is any change for any fault; what more can mend is looked at to its end, which
the slow tests hold against all pairs of changes. Prints a line for each build; ends with 1 where
one is not the best.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "unit")]

import test_build_repair as drawn  # noqa: E402
from msgspec.structs import replace  # noqa: E402

from exporter.model import Build  # noqa: E402
from exporter.rules.build_changes import lost_cards  # noqa: E402
from exporter.rules.repair import Search  # noqa: E402


def least_lost(build: Build, more: int) -> int | None:
    """The fewest cards that one change and so many ``more`` cost; nothing where these mend
    nothing."""
    least: int | None = None
    for one in drawn.changed(drawn.judged(build)).values():
        search = Search(replace(drawn.repairs(), build=one), sys.maxsize, farthest=more)
        for found in islice(search.legal(), None if more == 2 else 1):
            lost = lost_cards(build, found.state)
            least = lost if least is None else min(least, lost)
    return least


def main() -> int:
    seeds = [int(one) for one in sys.argv[1:]] or range(100, 560)
    wrong = 0
    builds = [(seed, drawn.random_build(seed)) for seed in seeds]
    for seed, build in [one for one in builds if drawn.judged(one[1]).faults][: drawn.MANY]:
        first = drawn.mendings(build)[0]
        count, lost = len(first.changes or ()), lost_cards(build, first.build)
        if count < 3:
            continue
        fewer, least = None, least_lost(build, 2)
        if count == 4:
            fewer, least = least, least_lost(build, 3)
        holds = fewer is None and least == lost
        wrong += not holds
        print(seed, f"{count} changes, {lost} lost; {least} at least", holds, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
