"""The games of this repository, each read once by a process that tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from exporter.app.games import open_folder
from exporter.model import Game
from exporter.rooms.room_orders import RoomOrder, plan_order
from exporter.rooms.room_planner import PlannedRoom
from exporter.rules.errata import corrected
from exporter.rules.project import Project

SOURCE = Path(__file__).parent.parent / "source_data"


@cache
def opened(name: str = "embryo_machine") -> Project:
    """A game with its rules and cases."""
    return open_folder(SOURCE / name, with_cases=True)


def printed(name: str = "embryo_machine") -> Game:
    """A game as printed, without its errata."""
    return opened(name).game


@cache
def planned(name: str = "embryo_machine", shuffle: str = "") -> dict[str, PlannedRoom]:
    """Every room of a game with its errata."""
    return plan_order(corrected(printed(name)), RoomOrder(shuffle=shuffle))
