"""What processes cost, for the benchmarks beside it; it measures nothing by itself."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def said_by(file: str, *words: object) -> dict[str, float]:
    """What a benchmark prints as JSON that is run with some words, in a process of its own."""
    command = [sys.executable, file, *map(str, words)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(run.stdout)
    return found


def used_by(words: list[str], **how: Any) -> tuple[float, float]:
    """Seconds of the processor, and by the clock, of Python run with some words to its end."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, *words], capture_output=True, **how)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock


def peak() -> float:
    """The most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def keep_png() -> None:
    """Have this process paint pictures as the engine gives them."""
    from exporter.model.tabletop import ImageFile
    from exporter.render import painter

    unchanged = lambda png, **_: ImageFile(png, "png")  # noqa: E731
    vars(painter).update(smallest=unchanged)
