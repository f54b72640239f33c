"""Ends builds and prints at any moment, and looks at what is left: ``python tests/fuzz/kills.py``.

Every result must be old or new and whole; the next run must give the usual bytes, and leave nothing
in temporary folders or beside the results. Prints its seed, and what
came of each run as it ends, so that a look at a part of them tells something too.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
GAMES = ("wrath_of_god", "macelandia")
SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGKILL")


class Bench:
    """A folder with results, a cache and temporary files of its own."""

    def __init__(self, folder: Path) -> None:
        self.out, self.cache = folder / "output", folder / "cache"
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_CACHE_HOME": str(self.cache),
            "TMPDIR": str(self.temporary),
        }

    def start(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "exporter", *words, "--out", str(self.out)],
            cwd=self.out.parent,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def results(self) -> dict[str, str]:
        return {
            path.relative_to(self.out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.out.rglob("*"))
            if path.is_file() and not any(part.startswith(".") for part in path.parts)
        }

    def litter(self) -> list[str]:
        """Temporary files and folders, wherever the program may put them, that nobody uses."""
        own = [
            p
            for place in (self.temporary, self.out, self.cache)
            for p in place.rglob("*exporter-*")
        ]
        return [str(path) for path in own]


def kill_runs(words: Sequence[str], count: int, chance: random.Random) -> list[str]:
    """The violations that so many ended runs of one command line have shown."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name))
        begun = time.monotonic()
        run = bench.start(words)
        _, told = run.communicate()
        cold = time.monotonic() - begun
        if run.returncode:
            return [f"{' '.join(words)}: {told.decode()}"]
        whole = bench.results()
        begun = time.monotonic()
        bench.start(words).communicate()
        warm = time.monotonic() - begun
        for number in range(count):
            seen = len(wrong)
            is_cold = chance.random() < 0.5
            if is_cold:
                shutil.rmtree(bench.cache)
            for path in chance.sample(sorted(whole), len(whole) // 2):
                (bench.out / path).write_bytes(b"old")
            before = bench.results()
            run = bench.start(words)
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(chance.uniform(0, cold if is_cold else warm))
            ending = chance.choice(SIGNALS)
            run.send_signal(getattr(signal, ending))
            _, told = run.communicate()
            case = f"{' '.join(words)} {'cold' if is_cold else 'warm'} {ending}"
            if b"Traceback" in told and b"exporter" in told:  # else Python itself was starting
                wrong.append(f"{case}: {told.decode()}")
            wrong += [
                f"{case}: {path} is torn"
                for path, found in bench.results().items()
                if found not in (before.get(path), whole.get(path))
            ]
            _, told = (after := bench.start(words)).communicate()
            if after.returncode or bench.results() != whole:
                wrong.append(f"{case}: the next run differs {told.decode()}")
            wrong += [f"{case}: {path} is left" for path in bench.litter()]
            print(f"{number + 1} of {count}: {case}", *wrong[seen:], sep="\n    ", flush=True)
    return wrong


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=160, help="runs of two games")
    options.add_argument("--all", type=int, default=40, help="runs of all games")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    print(f"seed {chosen.seed}", flush=True)
    chance = random.Random(chosen.seed)
    lines = [(command, game) for command in ("build", "print") for game in GAMES]
    each = -(-chosen.count // len(lines))
    wrong = []
    for words in lines:
        wrong += kill_runs(words, each, chance) if each else []
    for command in ("build", "print"):
        wrong += kill_runs((command, "--all"), chosen.all // 2, chance)
    print(
        f"{len(wrong)} violations"
        if wrong
        else "nothing torn, nothing left, every next run the same"
    )
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
