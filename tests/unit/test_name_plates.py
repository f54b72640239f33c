"""Name plates: whoever takes hold of a thing by its middle moves that, not what is before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from exporter.loader.game_reader import read_game
from exporter.model.tabletop import Character
from exporter.rooms.name_plates import figure_height, name_plate
from exporter.rooms.room_orders import RoomOrder, plan_order
from exporter.rooms.room_planner import PlannedRoom
from exporter.rules.errata import corrected

ROOM = "id: plates\nname: 名札\nplayers: [1, 1]\narrange: {centre: [plates]}\n"
FRONT = "    - {lay: piece, name: 手前の長い名前, at: [5, 7], size: [1, 1]}\n"


def planned(small: Path, *items: str) -> PlannedRoom:
    (small / "rooms/plates.yaml").write_text(ROOM, encoding="utf-8")
    with (small / "layouts.yaml").open("a", encoding="utf-8") as file:
        file.write("plates:\n  size: [12, 12]\n  items:\n" + "".join(items))
    game = corrected(read_game(small))
    return plan_order(game, RoomOrder(rooms=("plates",)))["plates"]


def plates(found: PlannedRoom) -> Iterator[str]:
    return (problem.message for problem in found.problems if problem.rule == "PLATE")


def test_a_plate_hangs_over_the_picture_and_hides_the_ground_behind(small: Path) -> None:
    """Measured in the client: 30 pixels over the picture, 15 a letter, seen from 50 degrees."""
    (piece,) = planned(small, FRONT).room.pieces
    assert isinstance(piece, Character)
    plate = name_plate(piece)
    assert plate.width == 7 * 15 + 18
    behind = piece.y + 25 - (plate.y + plate.height)
    assert behind == pytest.approx((figure_height(piece) + 4) * 1.174, abs=1)


@pytest.mark.parametrize(
    ("behind", "is_hidden"),
    [
        ("{lay: piece, name: 奥, at: [5, 5.84], size: [1, 1]}", True),  # 58 pixels
        ("{lay: piece, name: 奥, at: [5, 4.6], size: [1, 1]}", False),  # 120 pixels
        ("{lay: piece, name: 横, at: [7, 5.84], size: [1, 1]}", False),
        ("{lay: dice, name: 奥, face: sheet, sides: [a], at: [5, 5.2], size: [1, 1]}", True),
        ("{lay: piece, name: 手, at: [5, 9.4], size: [1, 1]}", False),
    ],
)
def test_what_stands_too_near_behind_is_told(small: Path, behind: str, is_hidden: bool) -> None:
    found = list(plates(planned(small, FRONT, f"    - {behind}\n")))
    assert ["the name plate of 手前の長い名前 covers" in one for one in found] == (
        [True] if is_hidden else []
    )
