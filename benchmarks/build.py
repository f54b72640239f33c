"""What building rooms costs, as whole processes: time, memory, bytes, pictures painted.

Run from the project's folder: ``.venv/bin/python benchmarks/build.py``. Prints a table beside the
budgets; judges nothing. What is quick is run several times, and the best is shown.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GAME = ROOT / "source_data" / "embryo_machine"
TIMES = 5


class Cost(NamedTuple):
    """Of one process: seconds by the clock and of the processor, MB of memory, what it made."""

    clock: float
    processor: float
    memory: float
    painted: int = 0
    size: int = 0


def run(folder: Path, *arguments: str, times: int = 1) -> Cost:
    """The best of several runs of the program, with its cache and its output in ``folder``."""
    return min(_run(folder, *arguments) for _ in range(times))


def _run(folder: Path, *arguments: str) -> Cost:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    environment["EXPORTER_LANG"] = "en"  # in which it says how many were painted
    shutil.rmtree(folder / "output", ignore_errors=True)
    begin = time.perf_counter()
    with (folder / "said").open("w+", encoding="utf-8") as said:
        words = [sys.executable, "-m", "exporter", *arguments]
        child = subprocess.Popen(words, cwd=folder, env=environment, stdout=said)
        _, status, used = os.wait4(child.pid, 0)
        clock = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        found = re.search(r"(\d+) pictures? (?:was|were) newly painted", said.read())
    if child.returncode:
        raise SystemExit(f"exporter {' '.join(arguments)} ended with {child.returncode}.")
    unit = 1_000_000 if sys.platform == "darwin" else 1000
    return Cost(
        clock,
        used.ru_utime + used.ru_stime,
        used.ru_maxrss / unit,
        int(found[1]) if found else 0,
        sum(path.stat().st_size for path in (folder / "output").rglob("*.zip")),
    )


def change_one_row(game: Path) -> None:
    """Another effect for a card of the deck that a duel lays by default."""
    table = game / "cards" / "weapons.csv"
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with (game / "decks" / "mechs.csv").open(encoding="utf-8-sig", newline="") as file:
        deck = {row["card"] for row in csv.DictReader(file) if row["mech"] == "AG"}
    changed = next(row for row in rows if {row["id"], row["name"]} & deck)
    changed["effect"] += "※"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    """Print the table; ``over start`` is what the clock shows above a bare start."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        game = folder / "source_data" / GAME.name
        shutil.copytree(GAME, game)
        build = ("build", GAME.name)
        duel = (*build, "--room", "duel")
        bare = run(folder, "--version", times=TIMES)
        head = f"{'':24}{'clock s':>9}{'over start':>12}{'CPU s':>8}{'peak MB':>9}"
        print(f"{head}{'painted':>9}{'zips MB':>9}  budget")

        def tell(title: str, cost: Cost, budget: str = "") -> None:
            line = f"{title:24}{cost.clock:9.2f}{cost.clock - bare.clock:12.2f}"
            line += f"{cost.processor:8.2f}{cost.memory:9.0f}{cost.painted:9}"
            print(f"{line}{cost.size / 1_000_000:9.1f}  {budget}", flush=True)

        tell("bare start (--version)", bare)
        tell("duel, cold", run(folder, *duel), "about 120 pictures, 4 MB")
        tell("duel, warm", run(folder, *duel, times=TIMES))
        changed = []
        for _ in range(TIMES):
            change_one_row(game)
            changed.append(run(folder, *duel))
        tell("duel, one row changed", min(changed), "that face alone, 0.5 s over start")
        shutil.rmtree(folder / "cache")
        tell("all rooms, cold", run(folder, *build), "32 CPU s")
        tell("all rooms, warm", run(folder, *build, times=TIMES), "4.5 CPU s")


if __name__ == "__main__":
    main()
