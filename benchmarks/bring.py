"""What a designer waits for who brings 52 cards with art: seconds, CPU and by the clock.

Run from the project's folder: ``.venv/bin/python benchmarks/bring.py``. Each line is the cheapest
of some runs of a command; ``over`` is how much longer it takes than the bare start of the program.
"""

from __future__ import annotations

import csv
import os
import tempfile
from pathlib import Path

from measuring import used_by
from plain import picture

CARDS, TIMES = 52, 3
HEADINGS = ("Name", "Qty", "Cost", "Type", "HP", "Text", "Image")
TYPES = ("unit", "spell", "item", "place")
START = "import sys; from exporter.cli.main import main; main()"

Cost = tuple[float, float]


def table(texts: dict[int, str], *, more: bool = False) -> list[list[str]]:
    """Rows of a deck; ``texts`` are those that differ, ``more`` a 53rd, a new name, a column."""
    rows = [
        [
            f"Card {n}", "2", str(n % 6), TYPES[n % 4], str(n % 7),
            texts.get(n, f"Draw {n % 3 + 1} cards, then put one of them back on top."), f"c{n}",
        ]
        for n in range(CARDS + more)
    ]  # fmt: skip
    if more:
        rows[5][0] = "The renamed one"
    found = [list(HEADINGS), *rows]
    return [[*row, "Rarity" if row is found[0] else "common"] if more else row for row in found]


def write(path: Path, rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def run(folder: Path, *words: str) -> Cost:
    """CPU seconds and seconds by the clock of a command in a folder."""
    here = {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_CONFIG_HOME": str(folder / "settings")}
    return used_by(["-c", START, *words], cwd=folder, env={**os.environ, **here}, check=True)


def line(title: str, costs: list[Cost], bare: Cost = (0, 0), budget: str = "") -> Cost:
    cpu, clock = (min(each) for each in zip(*costs, strict=True))
    over = f"{clock - bare[1]:7.2f}" if bare[1] else " " * 7
    print(f"{title:42}{cpu:8.2f}{clock:9.2f}{over}  {budget}".rstrip(), flush=True)
    return cpu, clock


def begun(folder: Path) -> Cost:
    """``new --from`` and ``print`` in a folder where nothing is known."""
    (folder / "art").mkdir(parents=True)
    for number in range(CARDS):
        (folder / "art" / f"c{number}.png").write_bytes(picture(number))
    write(folder / "deck.csv", table({}))
    first = run(folder, "new", "mine", "--from", "deck.csv", "--pictures", "art")
    second = run(folder, "print", "mine")
    return first[0] + second[0], first[1] + second[1]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        print(f"{'52 cards with art of 512×512':42}{'CPU s':>8}{'clock s':>9}{'over':>7}")
        folders = [Path(name) / str(number) for number in range(2)]
        bare = line("bare start", [run(Path(name), "--version") for _ in range(TIMES)])
        line("new --from, then print", [begun(each) for each in folders], budget="10 s")
        home = folders[0]
        run(home, "build", "mine")
        costs = []
        for number in range(TIMES):
            texts = {number: f"Draw {number + 7} cards."}
            write(home / "source_data" / "mine" / "cards" / "deck.csv", table(texts))
            costs.append(run(home, "build", "mine"))
        line("a changed cell, build of three rooms", costs, bare, "1 s over the bare start")
        write(home / "deck.csv", table({}, more=True))
        (home / "art" / f"c{CARDS}.png").write_bytes(picture(CARDS))
        words = ("new", "mine", "--from", "deck.csv", "--pictures", "art")
        line("a row with its picture, a name, a column", [run(home, *words)], bare)
        line("build of that", [run(home, "build", "mine")], bare)


if __name__ == "__main__":
    main()
