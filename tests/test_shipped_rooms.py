"""What holds in every room of every game of this repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.rooms.orders import Order, planned_rooms
from exporter.rules.errata import corrected
from exporter.source import read_game
from exporter.tabletop import Character

SOURCE = Path(__file__).parent.parent / "source_data"
GAMES = sorted(path.parent.name for path in SOURCE.glob("*/game.yaml"))


@pytest.mark.parametrize("name", GAMES)
def test_no_palette_has_a_command_that_the_client_does_not_know(name: str) -> None:
    """Other clients change a figure by ``:HP-1``; Udonarium would only post the line."""
    rooms = planned_rooms(corrected(read_game(SOURCE / name)), Order())
    assert not [
        (room, piece.name, line)
        for room, plan in rooms.items()
        for piece in plan.pieces
        if isinstance(piece, Character) and piece.palette
        for line in piece.palette.text.splitlines()
        if line.startswith(":")
    ]
