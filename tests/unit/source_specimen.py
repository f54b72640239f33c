"""A tiny game with one of everything, for the tests of reading; each test spoils a copy of it."""

from __future__ import annotations

from pathlib import Path

from made_up_games import copied
from small_game import files_of_game

from exporter.core.problems import InvalidSource
from exporter.loader.game_reader import read_game

FILES = files_of_game("tiny")


def spoilt(folder: Path, *changes: tuple[str, str, str]) -> Path:
    """The tiny game with (file, old text, new text) exchanged; the old text stands there once."""
    return copied("tiny", folder, *changes)


def problems(folder: Path) -> list[str]:
    """All that is wrong with a folder, one text a problem; nothing if it is sound."""
    try:
        read_game(folder)
    except InvalidSource as invalid:
        return [str(problem) for problem in invalid.problems]
    return []


def only_problem(folder: Path) -> str:
    """The one problem of a folder."""
    found = problems(folder)
    assert len(found) == 1, "\n".join(found)
    return found[0]
