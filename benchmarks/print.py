"""What printing costs: CPU seconds, peak memory, bytes. Prints a table.

Run from the project's folder: ``.venv/bin/python benchmarks/print.py [GAME]``.
Each line is the cheapest of three processes, their start included. Lines with a number of faces
lay that many different card fronts, nine to a page, their data read beforehand; the others run the
command.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from measuring import ROOT, peak, said_by

sys.path.insert(0, str(ROOT))

from faces import some_faces
from msgspec.structs import asdict

TIMES = 3
COUNTS = {200: "1.0 s, 1 MB", 1000: "6 s, 250 MB"}
COMMANDS = {
    ("--sheet", "cards"): "1.5 s",
    ("--sheet", "cards", "--as", "png", "--only", "AG", "--dpi", "300"): "",
    ("--sheet", "cards", "--as", "png", "--only", "AG", "--dpi", "600"): "memory as for 300 dpi",
    (): "",
}


def lay(faces_file: Path, count: int, cache: Path) -> None:
    """Lay faces on pages in this process, and print what it cost as JSON."""
    from exporter.cli import console
    from exporter.faces.card_faces import Face
    from exporter.model.print_jobs import Paper
    from exporter.printing.imposition import (
        Piece,
        Setting,
        piece_pages,
    )
    from exporter.printing.pdf_sheets import (
        Sources,
        set_pages,
    )

    console.prepare_terminal()  # as the command does
    stored = json.loads(faces_file.read_text(encoding="utf-8"))[:count]
    faces = [Face(**{**each, "pictures": tuple(each["pictures"]), "where": ()}) for each in stored]
    paper = Paper(id="a4", size=(210, 297), margin=(5, 5, 5, 5))
    pages = piece_pages(
        Setting(paper=paper, backs="none"), [Piece(front=f) for f in faces], "cards"
    )
    sources = Sources((ROOT / "templates" / "faces",), None, cache)
    tell(len(set_pages(pages, sources, "cards")[0]))


def run(game: str, arguments: list[str]) -> None:
    """Run the command in this process, and print what it cost as JSON."""
    import contextlib
    import io

    from exporter.cli.make_commands import print_command

    with tempfile.TemporaryDirectory() as folder:
        with contextlib.redirect_stdout(io.StringIO()):
            print_command([game, *arguments, "--out", folder], standalone_mode=False)
        tell(sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()))


def tell(size: int) -> None:
    print(json.dumps({"cpu": time.process_time(), "memory": peak(), "size": size}))


def measured(*arguments: str) -> dict[str, float]:
    """What the cheapest of several runs cost."""
    runs = (said_by(__file__, *arguments) for _ in range(TIMES))
    return min(runs, key=lambda cost: cost["cpu"])


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "embryo_machine"
    print(f"{'':<44}{'CPU s':>7}{'MB':>6}{'bytes':>12}  budget")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "faces.json"
        faces = some_faces(ROOT / "source_data" / game, max(COUNTS))
        stored = [{**asdict(face), "where": None, "size_group": None} for face in faces]
        file.write_text(json.dumps(stored, ensure_ascii=False), encoding="utf-8")
        # Once for nothing: the fonts' character maps are read the first time only.
        measured("--lay", str(file), "1", folder)
        for count, budget in COUNTS.items():
            show(f"{count} faces", measured("--lay", str(file), str(count), folder), budget)
    for arguments, budget in COMMANDS.items():
        name = " ".join(arguments) or "every sheet"
        show(name, measured("--run", game, *arguments), budget)


def show(name: str, cost: dict[str, float], budget: str) -> None:
    line = f"{name:<44}{cost['cpu']:>7.2f}{cost['memory']:>6.0f}{cost['size']:>12,.0f}  {budget}"
    print(line.rstrip())


if __name__ == "__main__":
    if sys.argv[1:2] == ["--lay"]:
        lay(Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
    elif sys.argv[1:2] == ["--run"]:
        run(sys.argv[2], sys.argv[3:])
    else:
        main()
