"""Prints the pictures of docs/print.md with the tool itself: ``python docs/print_pictures.py``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent))

from exporter.cli.make_commands import print_command

IMAGES = Path(__file__).parent / "images"
GAME = str(Path(__file__).parent.parent / "source_data" / "embryo_machine")
GAP = 12
DESK = "#8d8a83"

PICTURES = {
    # name: sheet, further options, pages from 1, dots an inch
    "print-cards.png": ("cards", "--only AR --bleed 3 --gap 6", (3, 4), 56),
    "print-saving.png": ("cards", "--only AR --saving", (3, 4), 56),
    "print-boards.png": ("boards", "--only A --paper a5", (1, 2, 3), 50),
}


def pages(sheet: str, options: str, numbers: tuple[int, ...], dpi: int) -> list[Image.Image]:
    """Pages of a sheet as pictures."""
    with tempfile.TemporaryDirectory() as folder:
        wish = [GAME, "--sheet", sheet, *options.split(), "--out", folder]
        wish += ["--as", "png", "--dpi", str(dpi)]
        CliRunner().invoke(print_command, wish, catch_exceptions=False)
        found = sorted(Path(folder).rglob("*.png"))
        return [Image.open(found[number - 1]).convert("RGB") for number in numbers]


def beside(images: list[Image.Image]) -> Image.Image:
    """Pictures beside one another, in few colours."""
    width = sum(image.width + GAP for image in images) + GAP
    desk = Image.new("RGB", (width, max(image.height for image in images) + 2 * GAP), DESK)
    x = GAP
    for image in images:
        desk.paste(image, (x, GAP))
        x += image.width + GAP
    return desk.quantize(192, dither=Image.Dither.NONE)


def main() -> None:
    for name, (sheet, options, numbers, dpi) in PICTURES.items():
        beside(pages(sheet, options, numbers, dpi)).save(IMAGES / name, optimize=True)


if __name__ == "__main__":
    main()
