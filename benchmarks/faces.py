"""What painting card faces costs: CPU seconds, peak memory, bytes. Prints a table.

Run from the project's folder: ``.venv/bin/python benchmarks/faces.py [GAME]``.
Each line is the cheapest of some processes, their start included; the data are read beforehand.
"""

from __future__ import annotations

import json
import pickle
import shutil
import sys
import tempfile
import time
from pathlib import Path

from measuring import ROOT, keep_png, peak, said_by
from msgspec.structs import replace

sys.path.insert(0, str(ROOT))

from exporter.faces.card_faces import (
    Face,
    card_front,
)

CASES = (
    # name, faces, form, budget
    ("200 cold, PNG", 200, "png", "3 s"),
    ("200 cold, WebP", 200, "webp", "6 s, 180 MB"),
    ("200 warm", 200, "webp", ""),
    ("200 warm, 1 row changed", 200, "webp", "one painted"),
    ("1000 cold, WebP", 1000, "webp", "5.5 times 200"),
)
TIMES = 4


def some_faces(game_folder: Path, count: int) -> list[Face]:
    """Different card fronts: of the decks, of all cards, then more with a number in their name."""
    from exporter.loader.game_reader import read_game
    from exporter.model import DeckCard

    game = read_game(game_folder)
    entries = []
    for entry in game.decks:
        card = game.card(entry.card)
        if card is not None:
            entries.append(DeckCard(card=card, copies=1, deck=entry.deck, mark=entry.mark))
    entries += [DeckCard(card=card, copies=1) for card in game.cards.values()]
    fronts = [entry for entry in entries if game.kinds[entry.card.kind].front == "card"]
    # Without its group, of which each member would be asked for the size of its texts.
    each = (replace(card_front(game, entry), size_group=None) for entry in fronts)
    faces = list(dict.fromkeys(each))
    for number in range(len(faces), count):
        faces.append(renamed(faces[number % len(faces)], str(number)))
    return faces[:count]


def renamed(face: Face, suffix: str) -> Face:
    values = json.loads(face.values)
    values["name"] += suffix
    text = json.dumps(values, ensure_ascii=False, sort_keys=True)
    return Face(face.template, text, face.width, face.height, face.scale, face.pictures)


def case(faces_file: Path, count: int, cache: str, form: str) -> None:
    """Paint in this process, and print what it cost as JSON."""
    from exporter.cli import console
    from exporter.render.painter import paint

    console.prepare_terminal()  # as the command does
    if form == "png":
        keep_png()
    faces: list[Face] = pickle.loads(faces_file.read_bytes())[:count]
    start = time.perf_counter()
    painted = paint(faces, ROOT / "templates" / "faces", None, Path(cache) if cache else None)
    cost = {
        "painted": painted.new,
        "seconds": time.perf_counter() - start,
        "cpu": time.process_time(),
        "memory": peak(),
        "size": sum(len(image.data) for image in painted.images.values()),
    }
    print(json.dumps(cost))


def main() -> None:
    game = ROOT / "source_data" / (sys.argv[1] if len(sys.argv) > 1 else "embryo_machine")
    with tempfile.TemporaryDirectory() as name:
        faces = some_faces(game, 1000)
        usual, changed = Path(name) / "faces", Path(name) / "changed"
        usual.write_bytes(pickle.dumps(faces))
        faces[7] = renamed(faces[7], "新")
        changed.write_bytes(pickle.dumps(faces))
        warm = Path(name) / "warm"
        said_by(__file__, "--case", usual, 200, warm, "webp")
        print(f"{'faces':26}{'painted':>8}{'CPU s':>8}{'paint s':>9}{'peak MB':>9}{'kB/face':>9}")
        for title, count, form, budget in CASES:
            runs = []
            for number in range(1 if count > 200 else TIMES):
                cache = Path(name) / f"{title} {number}"
                if "warm" in title:
                    shutil.copytree(warm, cache)
                file = changed if "changed" in title else usual
                kept = cache if form == "webp" else ""
                runs.append(said_by(__file__, "--case", file, count, kept, form))
            cost = min(runs, key=lambda run: run["cpu"])
            print(
                f"{title:26}{cost['painted']:8}{cost['cpu']:8.2f}{cost['seconds']:9.2f}"
                f"{cost['memory']:9.0f}{cost['size'] / count / 1000:9.1f}  {budget}".rstrip(),
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--case"]:
        case(Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5])
    else:
        main()
