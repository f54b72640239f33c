"""What larger games cost: made-up games of 200 to 20,000 cards, as whole processes.

Run from the project's folder: ``.venv/bin/python benchmarks/large.py [CARDS …]``. Prints CPU
seconds over a bare start, and peak memory; judges nothing. ``cold`` has an empty cache; what is
quick is the median of some runs. Cold lines of 20,000 cards take minutes.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from engine import TIMES, measured
from generated import NAME, change_one_row, write_game

COUNTS = (200, 1000, 5000, 20_000)
MOST_PAINTED = 1000
"""Cards of which all are painted, and laid on paper: five times as many take five times as long."""

BUDGETS = {(200, "--images"): "0.8 s", (200, "--room"): "1.0 s"}


def lines(folder: Path, count: int) -> None:
    """The lines of one game."""
    game = write_game(folder, count)
    program = ["-m", "exporter"]
    bare = statistics.median(
        measured(folder, [*program, "--version"]).processor for _ in range(TIMES)
    )

    def tell(title: str, words: list[str], times: int = 1, change: str = "") -> None:
        costs = []
        for _ in range(times):
            if change:
                change_one_row(game, change)
            costs.append(measured(folder, [*program, *words]))
        seconds = statistics.median(cost.processor for cost in costs) - bare
        memory = max(cost.memory for cost in costs)
        budget = BUDGETS.get((count, words[2]), "") if change else ""
        line = f"{count:6} {title:28}{seconds:8.2f}{memory:6.0f}  {budget}"
        print(line.rstrip(), flush=True)

    check, room = ["check", NAME], ["build", NAME, "--room", "table", "--out", "out"]
    images = ["build", NAME, "--images", "pictures"]
    tell("check, cold", check)
    tell("check", check, TIMES)
    tell("a room of 300 cards, cold", room)
    tell("a room", room, TIMES)
    tell("a room, one row changed", room, TIMES, "新")
    if count <= MOST_PAINTED:
        tell("all pictures, cold", images)
        tell("all pictures", images, TIMES)
        tell("all pictures, one row changed", images, TIMES, "改")
        tell("card sheets", ["print", NAME, "--out", "out"])


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(f"{'cards':>6} {'':28}{'CPU s':>8}{'MB':>6}  budget")
    for count in map(int, sys.argv[1:] or COUNTS):
        folder = Path(tempfile.mkdtemp())
        try:
            lines(folder, count)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
