"""How long the checker takes, as whole processes: the game, one build, a field of 1,000 builds.

Run it from the repository: ``python benchmarks/check.py``. Prints the best of five by the clock and
in processor time (what the clock would say on an idle machine); judges nothing.
"""

from __future__ import annotations

import csv
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from measuring import ROOT, used_by

GAME = "embryo_machine"
TIMES = 5
PART = "左腕"
BUILD = """\
game: embryo_machine
name: 途中
frame: {armour: 中, size: M, seats: 単座}
mounted: {頭: [スモールレーザー], 胴: [短距離ミサイル, 短距離ミサイル], 右腕: [ランス]}
"""


def seconds(*arguments: str, cache: Path | None = None) -> tuple[float, float]:
    """The best times of a run of the program from start to end: by the clock, of the processor.

    A ``cache`` is deleted before each run.
    """
    runs = []
    for _ in range(TIMES):
        if cache is not None:
            shutil.rmtree(cache, ignore_errors=True)
        runs.append(used_by(["-m", "exporter", *arguments], cwd=ROOT))
    processor, clock = map(min, zip(*runs, strict=True))
    return clock, processor


def rows(players: int, chance: random.Random) -> list[Sequence[str]]:
    """A field of players: printed loadouts, one card in twenty exchanged for another."""
    sys.path.insert(0, str(ROOT))
    from exporter.loader.game_reader import read_game

    game = read_game(ROOT / "source_data" / GAME)
    loadouts = [build for mech in game.mechs.values() for build in mech.loadouts.values()]
    weapons = [card.name for card in game.cards.values() if card.kind == "weapon"]
    keys = list(loadouts[0].frame)
    table: list[Sequence[str]] = [["game", "build", *keys, "part", "card"]]
    for player in range(players):
        build = chance.choice(loadouts)
        for part, cards in build.mounted.items():
            for card in cards:
                chosen = chance.choice(weapons) if chance.random() < 0.05 else card
                table.append([GAME, f"P{player:04}", *build.frame.values(), part, chosen])
    return table


def decks(count: int, chance: random.Random) -> list[Sequence[str]]:
    """Players' decks of the example game of 60 cards, one in ten with a fifth copy."""
    names = ["水の子", "森の番人", "岩の巨人", "砂の盗賊", "風の使者", "火の玉", "雷の矢", "旅の袋"]
    table: list[Sequence[str]] = [["game", "name", "deck", "card", "copies"]]
    for number in range(count):
        chosen, more = ["火の子", "火の竜", *chance.sample(names, 7)], chance.random() < 0.1
        copies = [4 + (more and card == chosen[3]) for card in chosen]
        rows = [*zip(chosen, copies, strict=True), ("火の地", 24 - more)]
        beside = next(name for name in names if name not in chosen)
        table += [["duel60", f"P{number:05}", "main", card, str(n)] for card, n in rows]
        table.append(["duel60", f"P{number:05}", "side", beside, "3"])
    return table


def main() -> None:
    """Print the times beside the budgets of docs/rules.md."""
    with tempfile.TemporaryDirectory() as folder:
        field, one = Path(folder) / "field.csv", Path(folder) / "one.csv"
        build = Path(folder) / "build.yaml"
        build.write_text(BUILD, encoding="utf-8")
        table = rows(1000, random.Random(1))
        first = [row for row in table if row[1] in ("build", "P0000")]
        lists = Path(folder) / "decks.csv"
        every = decks(10_000, random.Random(2))
        for path, kept in ((field, table), (one, first), (lists, every)):
            with path.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(kept)
        bare = seconds("--version")
        os.environ["XDG_CACHE_HOME"] = folder
        cold = seconds("check", GAME, cache=Path(folder) / "exporter")
        whole = seconds("check", GAME)
        single = seconds("check", str(one))
        explained = seconds("explain", str(build))
        fits = seconds("fits", str(build), PART)
        many = seconds("check", str(field))
        host = seconds("check", str(lists), "--source", "docs/examples")
    print(f"{'':28}  clock  processor")
    for name, (clock, processor), budget in (
        ("bare start", bare, "0.15 s"),
        (f"check {GAME}", whole, "1.5 s"),
        ("the same, no face known", cold, "11 s, 300 MB"),
        ("check one build", single, "0.6 s"),
        ("explain a build", explained, ""),
        ("what fits on it", fits, f"0.1 s above that: {explained[0] + 0.1:.2f} s"),
        ("check 1,000 builds", many, "3 s"),
        ("check 10,000 decks", host, "5 s"),
    ):
        print(f"{name:28} {clock:5.2f} s  {processor:5.2f} s  {budget and 'budget ' + budget}")


if __name__ == "__main__":
    main()
