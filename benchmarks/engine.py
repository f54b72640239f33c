"""What the layout engine alone costs beside this program: the same made-up cards, whole processes.

Run from the project's folder: ``.venv/bin/python benchmarks/engine.py``. Prints CPU seconds, clock,
peak memory and bytes, the median of some runs in turn; judges nothing. The engine sets the faces
one a page as PNG or PDF, and does nothing besides: no data are read, no text is found too long.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from generated import NAME, WAYS, effect, write_game

ROOT = Path(__file__).resolve().parent.parent
TIMES = 5
TEMPLATES = {"flat": "plain/card.typ", "gradient": f"{NAME}/card.typ"}
SCALE = 6.35
"""Pixels of a millimetre."""

CASES = (
    # what, of how many cards, times the engine's CPU seconds that this program may take
    ("png", 200, {"flat": "1.8", "gradient": "2.1"}),
    ("pdf", 200, dict.fromkeys(WAYS, "1.5")),
    ("pdf", 1000, dict.fromkeys(WAYS, "1.4, 0.8 MB")),
)

MAIN = """\
#import sys.inputs.template: face
#set page(width: 63mm, height: 88mm, margin: 0pt, fill: none)
#for values in json(bytes(sys.inputs.faces)) { page(face(values)) }
"""


class Cost(NamedTuple):
    """Of one process: seconds of the processor and by the clock, MB of memory, bytes made."""

    processor: float
    clock: float
    memory: float
    size: int


def engine(folder: Path, way: str, form: str, count: int) -> None:
    """Set the faces in this process, and say how many bytes they are."""
    import typst

    slots = {"title": "name", "corner": "cost", "text": "effect"}
    faces = [
        {"name": f"札{n:05}", "cost": n % 10, "effect": effect(n), "width": 63, "height": 88}
        | ({"slots": slots} if way == "flat" else {})
        for n in range(count)
    ]
    inputs = {"template": f"/{TEMPLATES[way]}", "faces": json.dumps(faces, ensure_ascii=False)}
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[str(folder / "fonts")],
    )
    main = str(folder / "main.typ")
    compiler = typst.Compiler(main, folder, fonts, ignore_system_fonts=True, sys_inputs=inputs)
    made = (
        compiler.compile(format="png", ppi=SCALE * 25.4)
        if form == "png"
        else compiler.compile(format="pdf", pdf_tags=False)
    )
    files = made if isinstance(made, list) else [made]
    print(sum(len(file) for file in files if file))


def measured(folder: Path, words: list[str]) -> Cost:
    """What a process costs that ends well; its output is what it makes below ``out``, or says."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    begin = time.perf_counter()
    with (folder / "said").open("w+", encoding="utf-8") as said:
        child = subprocess.Popen(
            [sys.executable, *words],
            cwd=folder,
            env=environment,
            stdout=said,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(child.pid, 0)
        clock = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().strip()
    if child.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {child.returncode}.")
    made = sum(path.stat().st_size for path in (folder / "out").rglob("*.*") if path.is_file())
    unit = 1_000_000 if sys.platform == "darwin" else 1000
    size = int(text) if text.isdecimal() else made
    return Cost(used.ru_utime + used.ru_stime, clock, used.ru_maxrss / unit, size)


def compared(folder: Path, way: str, form: str, count: int, budget: str) -> None:
    """Two lines of the table: the engine, and this program with how many times as much it takes."""
    write_game(folder, count, way)
    alone = [__file__, "--engine", way, form, str(count)]
    command = (
        ["-m", "exporter", "build", NAME, "--images", "out", "--no-cache"]
        if form == "png"
        else ["-m", "exporter", "print", NAME, "--out", "out"]
    )
    runs = [(measured(folder, alone), measured(folder, command)) for _ in range(TIMES)]
    times = statistics.median(ours.processor / theirs.processor for theirs, ours in runs)
    titles = (f"{way}, {count} as {form}, the engine", "the same, this program")
    for title, costs in zip(titles, zip(*runs, strict=True), strict=True):
        middle = Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))
        line = f"{title:36}{middle.processor:7.2f}{middle.clock:8.2f}{middle.memory:6.0f}"
        print(f"{line}{middle.size / 1000:9.0f}", end="")
        print(f"{times:7.2f}  {budget}" if title == titles[1] else "", flush=True)


def main() -> None:
    """Print the table; what the engine is given stands beside the game, as templates do."""
    print(f"{'':36}{'CPU s':>7}{'clock s':>8}{'MB':>6}{'kB':>9}{'times':>7}  budget")
    for form, count, budgets in CASES:
        for way in WAYS:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                for path in (ROOT / "templates" / "faces").rglob("*.*"):
                    there = folder / path.relative_to(ROOT / "templates" / "faces")
                    there.parent.mkdir(parents=True, exist_ok=True)
                    there.write_bytes(path.read_bytes())
                write_game(folder, count, way)
                own = folder / "templates" / "faces" / NAME / "card.typ"
                if own.exists():
                    (folder / NAME).mkdir()
                    (folder / NAME / "card.typ").write_bytes(own.read_bytes())
                (folder / "main.typ").write_text(MAIN, encoding="utf-8")
                compared(folder, way, form, count, budgets[way])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine"]:
        engine(Path.cwd(), sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main()
