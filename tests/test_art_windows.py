"""What of a picture is seen in the window of a plain style, by its pixels."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from exporter.faces import card_front
from exporter.model import DeckCard
from exporter.paint.painting import paint
from exporter.places import template_folders
from exporter.source import read_game

RED, GREEN, BLUE, GOLD = (200, 30, 30), (30, 160, 60), (30, 60, 200), (230, 190, 30)

GAME = """\
id: small
name: 小
players: [1, 2]
faces:
  thing: {{like: {style}, values: {{fit: {fit}, slots: {{title: name, art: image}}}}}}
kinds:
  thing:
    name: 物
    file: cards/things.csv
    fields: {{image: text, focus: text}}
    front: thing
    front_fields: [image, focus]
    back: card_back
"""


def shown(folder: Path, style: str, fit: str, focus: str) -> set[tuple[int, int, int]]:
    """Which quarters of a picture can be seen on a card: wide ones, and far larger than a card."""
    (folder / "cards").mkdir(parents=True)
    (folder / "pictures").mkdir()
    picture = Image.new("RGB", (2400, 800))
    for column, colours in enumerate(((RED, BLUE), (GREEN, GOLD))):
        for row, colour in enumerate(colours):
            picture.paste(colour, (column * 1200, row * 400, column * 1200 + 1200, row * 400 + 400))
    picture.save(folder / "pictures" / "four.png")
    (folder / "game.yaml").write_text(GAME.format(style=style, fit=fit), encoding="utf-8")
    rows = f"id,name,image,focus\n甲,甲,four.png,{focus}\n"
    (folder / "cards" / "things.csv").write_text(rows, encoding="utf-8")
    game = read_game(folder)
    (card,) = game.cards.values()
    face = card_front(game, DeckCard(card=card, copies=1))
    painted = paint([face], template_folders("faces"), folder, None)
    image = Image.open(io.BytesIO(painted.images[face].data)).convert("RGB")
    data = image.tobytes()
    found = Counter(zip(data[::3], data[1::3], data[2::3], strict=True))

    def pixels(colour: tuple[int, int, int]) -> int:
        near = (max(abs(a - b) for a, b in zip(each, colour, strict=True)) < 9 for each in found)
        return sum(count for count, is_near in zip(found.values(), near, strict=True) if is_near)

    least = image.width * image.height // 200
    return {colour for colour in (RED, GREEN, BLUE, GOLD) if pixels(colour) > least}


@pytest.mark.parametrize("style", ["card", "token"])
@pytest.mark.parametrize(
    ("fit", "focus", "seen"),
    [
        ("cover", "0 50", {RED, BLUE}),
        ("cover", "100 50", {GREEN, GOLD}),
        ("cover", "", {RED, GREEN, BLUE, GOLD}),
        ("contain", "0 50", {RED, GREEN, BLUE, GOLD}),
    ],
)
def test_a_window_shows_the_part_in_focus(
    tmp_path: Path, style: str, fit: str, focus: str, seen: set[tuple[int, int, int]]
) -> None:
    assert shown(tmp_path / "small", style, fit, focus) == seen
