"""What a plain card costs with art, icons and mark-up, and without: prints a table.

Run from the project's folder: ``.venv/bin/python benchmarks/plain.py``. 200 cards, each with a
picture of its own of 512×512; the cheapest of some processes, their start included. Texts are sized
and pictures painted, nothing is known beforehand; reading the game is left out.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import time
from pathlib import Path

from measuring import ROOT, keep_png, peak, said_by

sys.path.insert(0, str(ROOT))

from PIL import Image, ImageDraw

CARDS, TIMES = 200, 2
BUDGET = {"png": "3 s", "webp": "6 s, 180 MB"}

GAME = """\
id: plain
name: Plain
players: [2, 2]
marks: {{木: icons/wood.svg, energy: ◆}}
faces:
  thing: {{like: card, values: {{slots: {{title: name, corner: cost, text: text{art}}}}}}}
kinds:
  thing:
    name: thing
    file: cards/things.csv
    fields: {{cost: number, text: text}}
    front: thing
    front_fields: [cost, text]
"""
WOOD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">'
    '<path d="M5 0L10 10H0Z" fill="#3f7d3a"/></svg>'
)
WITH = (
    "**登場したとき：** [木]を{{{number}|つ}}得る。[energy]を払えば、さらに[木][木]。",
    "__手番の初めに__山札から1枚引く。{{#red {number}点}}を失ってもよい。",
)
WITHOUT = (
    "登場したとき：木を{number}つ得る。力を払えば、さらに木木。",
    "手番の初めに山札から1枚引く。{number}点を失ってもよい。",
)


def write_game(folder: Path, *, rich: bool) -> None:
    """A game of plain cards, with art, icons and mark-up or with none of these."""
    for name in ("cards", "icons", "pictures"):
        (folder / name).mkdir(parents=True)
    text = GAME.format(art=", art: id" if rich else "")
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    (folder / "icons" / "wood.svg").write_text(WOOD, encoding="utf-8")
    rows = ["id,name,cost,text"]
    for number in range(CARDS):
        words = (WITH if rich else WITHOUT)[number % 2].replace("{{", "{").replace("}}", "}")
        rows.append(f'c{number},札{number},{number % 9},"{words.replace("{number}", str(number))}"')
        if rich:
            (folder / "pictures" / f"c{number}.png").write_bytes(picture(number))
    (folder / "cards" / "things.csv").write_text("\n".join(rows), encoding="utf-8")


def picture(number: int) -> bytes:
    """A picture that is like none of the others."""
    image = Image.linear_gradient("L").resize((512, 512)).convert("RGB")
    drawn = ImageDraw.Draw(image)
    for step in range(12):
        at = (number * 37 + step * 91) % 400
        colour = ((number * 17 + step * 40) % 256, (step * 70) % 256, (number * 29) % 256)
        drawn.ellipse((at, step * 36, at + 100, step * 36 + 100), fill=colour)
    stream = io.BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def case(folder: Path, form: str) -> None:
    """Size and paint in this process, and print what it cost as JSON, the reading left out."""
    from exporter.cli import console
    from exporter.faces.card_faces import card_front
    from exporter.loader.game_reader import read_game
    from exporter.model import DeckCard
    from exporter.render.painter import paint

    console.prepare_terminal()  # as the command does
    if form == "png":
        keep_png()
    begin = time.process_time()
    game = read_game(folder)
    faces = [card_front(game, DeckCard(card=card, copies=1)) for card in game.cards.values()]
    reading, start = time.process_time() - begin, time.perf_counter()
    painted = paint(faces, ROOT / "templates" / "faces", folder, None)
    cost = {
        "cpu": time.process_time() - reading,
        "seconds": time.perf_counter() - start,
        "memory": peak(),
        "size": sum(len(painted.images[face].data) for face in faces),
    }
    print(json.dumps(cost))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        print(f"{'200 plain cards':30}{'CPU s':>8}{'paint s':>9}{'peak MB':>9}{'kB/face':>9}")
        folders = {each: Path(name) / each for each in ("bare", "rich")}
        for each, folder in folders.items():
            write_game(folder, rich=each == "rich")
        cpu: dict[tuple[str, str], float] = {}
        for form in ("png", "webp"):
            for way, folder in folders.items():
                runs = [said_by(__file__, "--case", folder, form) for _ in range(TIMES)]
                cost = min(runs, key=lambda run: run["cpu"])
                cpu[way, form] = cost["cpu"]
                title = f"{'art, icons, mark-up' if way == 'rich' else 'text alone'}, {form}"
                print(
                    f"{title:30}{cost['cpu']:8.2f}{cost['seconds']:9.2f}{cost['memory']:9.0f}"
                    f"{cost['size'] / CARDS / 1000:9.1f}  {BUDGET[form]}",
                    flush=True,
                )
            print(f"  with to without: {cpu['rich', form] / cpu['bare', form]:.2f}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--case"]:
        case(Path(sys.argv[2]), sys.argv[3])
    else:
        main()
