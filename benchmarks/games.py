"""What every game costs: its rooms built with an empty cache, and once more with a full one.

Run from the project's folder: ``.venv/bin/python benchmarks/games.py``. Prints a table, and the
sum of a build of all games at once; judges nothing. A warm build should paint no picture.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from build import ROOT, Cost, run

SOURCE = ROOT / "source_data"


def main() -> None:
    """Print a line a game, and one for all of them in one process."""
    names = sorted(path.parent.name for path in SOURCE.glob("*/game.yaml"))
    print(f"{'':26}{'cold s':>8}{'painted':>9}{'MB':>7}{'warm s':>9}{'painted':>9}{'zips MB':>9}")

    def tell(title: str, cold: Cost, warm: Cost) -> None:
        line = f"{title:26}{cold.clock:8.2f}{cold.painted:9}{cold.memory:7.0f}"
        line += f"{warm.clock:9.2f}{warm.painted:9}{warm.size / 1_000_000:9.1f}"
        print(line, flush=True)

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = shutil.copytree(SOURCE, folder / "games")  # nobody edits it meanwhile
        for title, words in [*((name, [name]) for name in names), ("all", ["--all"])]:
            shutil.rmtree(folder / "cache", ignore_errors=True)
            build = ("build", *words, "--source", str(source))
            cold = run(folder, *build)
            tell(title, cold, run(folder, *build, times=2))


if __name__ == "__main__":
    main()
