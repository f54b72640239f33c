"""What the layout engine alone costs beside this program: the same made-up cards, whole processes.

Run from the project's folder: ``.venv/bin/python benchmarks/engine.py``. Prints CPU seconds, clock,
peak memory and bytes, the median of some runs in turn; judges nothing. The engine is handed the
program's own faces, with the size and the phrases of their texts, sets them one a page as PNG or
PDF, and does nothing besides. ``and WebP`` is what nobody comes below who keeps pictures as WebP:
the same, and Pillow packs its pages on all cores.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from generated import NAME, WAYS, write_game

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
TIMES = 5
MILLIMETRES_PER_INCH = 25.4

CASES = (
    # what, of how many cards, times the engine's CPU seconds that this program may take
    ("png", 200, dict.fromkeys(WAYS, "1.25 times engine and WebP, 180 MB")),
    ("pdf", 200, dict.fromkeys(WAYS, "2.2")),
    ("pdf", 1000, dict.fromkeys(WAYS, "1.7, 0.6 MB, 330 MB")),
)

MAIN = """\
#import sys.inputs.template: face
#set page(width: 63mm, height: 88mm, margin: 0pt, fill: none)
#for values in json(bytes(sys.inputs.faces)) {
  set ref(supplement: field => values.text_sizes.at(field))
  page(face(values))
}
"""


class Cost(NamedTuple):
    """Of one process: seconds of the processor and by the clock, MB of memory, bytes made."""

    processor: float
    clock: float
    memory: float
    size: int


def hand_over(folder: Path, game: Path) -> None:
    """Leave beside the engine's template what the program gives it for the cards of a game."""
    from exporter.faces.card_faces import card_front
    from exporter.loader.game_reader import read_game
    from exporter.model import DeckCard
    from exporter.render.line_breaks import phrases
    from exporter.render.painter import prepare_render_job

    read = read_game(game)
    asked = [card_front(read, DeckCard(card=card, copies=1)) for card in read.cards.values()]
    shelves = (folder / "templates" / "faces", ROOT / "templates" / "faces")
    faces = prepare_render_job(asked, shelves, game, None).faces
    values = [face.values for face in faces]
    given = {
        "template": f"/{faces[0].template}",
        "faces": f"[{','.join(values)}]",
        "phrases": json.dumps(phrases(values), ensure_ascii=False),
        "scale": str(faces[0].scale),
    }
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")


def engine(folder: Path, form: str) -> None:
    """Set the faces in this process, and say how many bytes they are."""
    import typst

    inputs = json.loads((folder / "given.json").read_text(encoding="utf-8"))
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[str(folder / "fonts")],
    )
    main = str(folder / "main.typ")
    compiler = typst.Compiler(main, folder, fonts, ignore_system_fonts=True, sys_inputs=inputs)
    made = (
        compiler.compile(format="pdf", pdf_tags=False)
        if form == "pdf"
        else compiler.compile(format="png", ppi=float(inputs["scale"]) * MILLIMETRES_PER_INCH)
    )
    files = made if isinstance(made, list) else [made]
    if form == "webp":
        from exporter.render.pixels import smallest

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            files = [image.data for image in pool.map(smallest, files)]
    print(sum(len(file) for file in files if file))


def measured(folder: Path, words: list[str]) -> Cost:
    """What a process costs that ends well; its output is what it makes below ``out``, or says."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache")}
    if "build" in words:  # which takes pictures that it painted before
        shutil.rmtree(folder / "cache", ignore_errors=True)
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


def compared(folder: Path, what: str, form: str, budget: str) -> None:
    """Lines of the table: the engine, and this program with how many times as much it takes."""
    ours = (
        ["-m", "exporter", "build", NAME, "--images", "out"]
        if form == "png"
        else ["-m", "exporter", "print", NAME, "--out", "out"]
    )
    commands = {f"{what}, the engine": [__file__, "--engine", form]}
    if form == "png":
        commands["the engine, and WebP"] = [__file__, "--engine", "webp"]
    commands["the same, this program"] = ours
    runs = [[measured(folder, words) for words in commands.values()] for _ in range(TIMES)]
    for title, costs in zip(commands, zip(*runs, strict=True), strict=True):
        middle = Cost(*(statistics.median(column) for column in zip(*costs, strict=True)))
        line = f"{title:36}{middle.processor:7.2f}{middle.clock:8.2f}{middle.memory:6.0f}"
        print(f"{line}{middle.size / 1000:9.0f}", end="")
        pairs = zip(costs, (run[0] for run in runs), strict=True)
        times = statistics.median(cost.processor / alone.processor for cost, alone in pairs)
        words = commands[title]
        print("" if words[-2:] == ["--engine", form] else f"{times:7.2f}", end="")
        print(f"  {budget}" if words is ours else "", flush=True)


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
                hand_over(folder, write_game(folder, count, way))
                own = folder / "templates" / "faces" / NAME / "card.typ"
                if own.exists():
                    (folder / NAME).mkdir()
                    (folder / NAME / "card.typ").write_bytes(own.read_bytes())
                (folder / "main.typ").write_text(MAIN, encoding="utf-8")
                compared(folder, f"{way}, {count} as {form}", form, budgets[way])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine"]:
        engine(Path.cwd(), sys.argv[2])
    else:
        main()
