"""The games of this repository, each read once by a process that tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from exporter.app.project import (
    Opened,
    open_game,
)
from exporter.model import Game

SOURCE = Path(__file__).parent.parent / "source_data"


@cache
def opened(name: str = "embryo_machine") -> Opened:
    """A game with its rules and cases."""
    return open_game(SOURCE / name, with_cases=True)


def printed(name: str = "embryo_machine") -> Game:
    """A game as printed, without its errata."""
    return opened(name).game
