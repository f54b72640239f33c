"""What of a picture is seen in the window of a plain style, by its pixels."""

from __future__ import annotations

import io
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from small_game import things_game

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.core.shipped_files import template_folders
from exporter.faces.card_faces import card_front, styled_face
from exporter.loader.game_reader import read_game
from exporter.model import DeckCard
from exporter.render.painter import paint

RED, GREEN, BLUE, GOLD = (200, 30, 30), (30, 160, 60), (30, 60, 200), (230, 190, 30)

Seen = set[tuple[int, int, int]]


def four_quarters(folder: Path, style: str, fit: str, focus: str) -> Path:
    """A game of one card with a picture of four quarters: wide, and far larger than a card."""
    (folder / "pictures").mkdir(parents=True)
    picture = Image.new("RGB", (2400, 800))
    for column, colours in enumerate(((RED, BLUE), (GREEN, GOLD))):
        for row, colour in enumerate(colours):
            picture.paste(colour, (column * 1200, row * 400, column * 1200 + 1200, row * 400 + 400))
    picture.save(folder / "pictures" / "four.png")
    values = f"fit: {fit}, slots: {{title: name, art: image}}"
    rows = [("甲", "甲", "four.png", focus)]
    things_game(folder, rows, values, style=style, fields=("image", "focus"))
    return folder


def shown(folder: Path, style: str, fit: str, focus: str) -> Seen:
    """Which quarters of the picture can be seen on the card."""
    return colours_of(painted_card(four_quarters(folder, style, fit, focus)))


def painted_card(folder: Path) -> bytes:
    """The picture of the one card of a game."""
    game = read_game(folder)
    (card,) = game.cards.values()
    face = card_front(game, DeckCard(card=card))
    return paint([face], template_folders("faces"), folder, None).images[face].data


def colours_of(data: bytes) -> Seen:
    """Which of the four colours can be seen in a picture."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
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
@pytest.mark.slow
def test_a_window_shows_the_part_in_focus(
    tmp_path: Path, style: str, fit: str, focus: str, seen: Seen
) -> None:
    assert shown(tmp_path / "small", style, fit, focus) == seen


CELL = {"terrain": "plain", "elevation": 0, "text": "", "start": ""}
CELLS = [[CELL] * 3, [CELL, {**CELL, "terrain": "none"}, CELL]]
BOARD = {"kind": "square", "square": 20, "cells": CELLS, "colours": {}}

WHOLE = {RED, GREEN, BLUE, GOLD}
CASES: tuple[tuple[str, str, dict[str, Any], Seen], ...] = (
    ("die", "four", {"value": "1"}, WHOLE),
    ("die", "value", {"value": "four"}, WHOLE),
    ("die", "value", {"value": "five"}, set()),
    ("dial", "four", {"title": ""}, WHOLE),
    ("tile", "terrain", {"terrain": "four", "elevation": 1}, WHOLE),
    ("tile", "terrain", {"terrain": "five", "elevation": 1}, set()),
    ("wall", "four", {"elevation": 1}, WHOLE),
    ("board", "four", BOARD, WHOLE),
    ("board", "four", {**BOARD, "kind": "hex"}, WHOLE),
)


@pytest.mark.slow
def test_dice_dials_boards_and_their_tiles_have_a_window(tmp_path: Path) -> None:
    game = read_game(four_quarters(tmp_path / "small", "card", "cover", ""))
    faces = [
        styled_face(
            game,
            style,
            {**values, "slots": {"art": art}, "fit": "contain"},
            where=SourceLocation(),
            size=(60, 40),
        )
        for style, art, values, _seen in CASES
    ]
    painted = paint(faces, template_folders("faces"), tmp_path / "small", None).images
    for face, (style, art, values, seen) in zip(faces, CASES, strict=True):
        assert colours_of(painted[face].data) == seen, (style, art, values)
    # A hole in a board with art stays a hole.
    image = Image.open(io.BytesIO(painted[faces[-2]].data)).convert("RGBA")
    assert image.getpixel((image.width // 2, image.height * 3 // 4)) == (0, 0, 0, 0)
    assert image.getpixel((image.width // 2, image.height // 3)) != (0, 0, 0, 0)


def test_a_picture_that_a_sheet_or_the_side_of_a_die_shows_is_no_stranger(tmp_path: Path) -> None:
    folder = four_quarters(tmp_path / "small", "card", "cover", "")
    for name in ("middle", "fire"):
        shutil.copy(folder / "pictures" / "four.png", folder / "pictures" / f"{name}.png")
    (notice,) = read_game(folder).notices
    assert "fire.png, middle.png" in str(notice)
    (folder / "layouts.yaml").write_text(
        "table:\n  size: [4, 4]\n  items:\n    - {lay: dice, name: さいころ, sides: [fire, 水],"
        " values: {slots: {art: value}}, at: [0, 0]}\n",
        encoding="utf-8",
    )
    (folder / "sheets").mkdir()
    (folder / "sheets" / "dial.yaml").write_text(
        "id: dial\nname: 輪\nlay: dial\nface: dial\nvalues: {slots: {art: middle}}\n", "utf-8"
    )
    assert read_game(folder).notices == ()


SHORT = "1枚引く。"
LONG = "手札から1枚すて、山札を上から3枚見る。そのうち1枚を手札に加え、残りをすてる。" * 4


def blue_rows(folder: Path, size: str, height: float, text: str) -> float:
    """The share of a card's height that is its picture; the card has no problem."""
    (folder / "pictures").mkdir(parents=True)
    Image.new("RGB", (90, 90), BLUE).save(folder / "pictures" / "blue.png")
    slots = "slots: {title: name, art: image, text: text}"
    things_game(
        folder,
        [("甲", "甲", "blue.png", text)],
        f"fit: cover, art_height: {height}, {slots}",
        style=f"card, size: {size}",
        fields=("image", "text"),
    )
    seen = Image.open(io.BytesIO(painted_card(folder))).convert("RGB")
    column = [seen.getpixel((seen.width // 2, row)) for row in range(seen.height)]
    return column.count(BLUE) / seen.height


@pytest.mark.parametrize(
    ("size", "height", "text", "share"),
    [
        ("[63, 88]", 0.5, SHORT, 0.5),
        ("[63, 88]", 0.8, SHORT, 0.73),
        ("[63, 88]", 0.8, LONG, 0.53),
        ("[88, 63]", 0.55, SHORT, 0.55),
        ("[88, 63]", 0.55, LONG, 0.43),
        ("[30, 30]", 0.8, SHORT, 0.62),
    ],
)
def test_a_window_is_as_high_as_it_is_to_be_while_the_text_has_room(
    tmp_path: Path, size: str, height: float, text: str, share: float
) -> None:
    assert blue_rows(tmp_path / "small", size, height, text) == pytest.approx(share, abs=0.02)


def test_a_text_without_any_room_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"things.csv:2.*text"):
        blue_rows(tmp_path / "small", "[63, 88]", 0.8, LONG * 9)
