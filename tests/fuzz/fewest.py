"""Whether `suggest` takes the fewest changes and keeps the most cards where that takes three:
``python tests/fuzz/fewest.py [SEED ...]``, by default of all 370 random builds of the tests.

The first change is any change for any fault; what two more can mend is looked at to its end, which
the slow tests hold against all pairs of changes. Prints a line for each build; ends with 1 where
one is not the best.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "unit")]

import test_alternatives as drawn  # noqa: E402

from exporter.model import Build  # noqa: E402
from exporter.rules.alternatives import Ways, lost_cards  # noqa: E402
from exporter.rules.repair import Judge, about_benches  # noqa: E402


def least_lost(build: Build) -> int | None:
    """The fewest cards that three changes cost; nothing where three mend nothing."""
    game, book = drawn.opened().game, about_benches(drawn.opened().book)
    search = Ways.among(Judge(game, book, frozenset(), frozenset()), most=sys.maxsize)
    lost = [
        lost_cards(build, way.build)
        for one in drawn.changed(drawn.judged(build)).values()
        for way in search.of(one, 2)
    ]
    return min(lost, default=None)


def main() -> int:
    seeds = [int(one) for one in sys.argv[1:]] or range(100, 560)
    wrong = 0
    builds = [(seed, drawn.random_build(seed)) for seed in seeds]
    for seed, build in [one for one in builds if drawn.judged(one[1]).faults][: drawn.MANY]:
        first = drawn.ways(build)[0]
        count, lost = len(first.changes or ()), lost_cards(build, first.build)
        if count < 3:
            continue
        least = least_lost(build)
        holds = least == lost if count == 3 else least is None
        wrong += not holds
        print(seed, f"{count} changes, {lost} lost; three could lose {least}", holds, flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
