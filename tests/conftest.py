"""What several tests share: the games of this repository, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from exporter.model import Game
from exporter.rules.errata import corrected
from exporter.source import read_game

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def printed_game() -> Game:
    """Embryo Machine as printed."""
    return read_game(ROOT / "source_data" / "embryo_machine")


@pytest.fixture(scope="session")
def game(printed_game: Game) -> Game:
    """Embryo Machine with its errata."""
    return corrected(printed_game)
