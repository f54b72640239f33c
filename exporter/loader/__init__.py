"""Reads game folders: YAML and CSV become a ``Game``, or every problem with its place.

What reads files is imported when it is called: a wrong name of a game is told at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from exporter.core.file_types import (
    PLAYERS_FILES,
    SAVED_ROOM,
)

if TYPE_CHECKING:
    from exporter.model import Game
    from exporter.model.player_builds import Submission


def read_game(folder: Path) -> Game:
    """The game that a folder holds. Only ``game.yaml`` is required.

    Raises ``InvalidSource`` with every independent fault of every file. The program's own
    templates and the contents of pictures are not looked at here.
    """
    from exporter.loader import game_reader

    return game_reader.read_game(folder)


def is_build_file(word: str) -> bool:
    """Whether a word gives builds: a file by its ending, ``-`` for standard input, a build as one
    line, or a saved room (``room.zip``, ``room.zip#bench``); no folder does."""
    if word == "-":
        return True
    if ":" in word:
        from exporter.rules.build_codes import is_code

        if is_code(word):
            return True
    file = word.partition("#")[0] if SAVED_ROOM in word.lower() else word
    return file.lower().endswith((*PLAYERS_FILES, SAVED_ROOM)) and not Path(word).is_dir()


def read_builds(path: Path, game_reader: Game) -> tuple[Submission, ...]:
    """The builds of a player's file, YAML or a table (see ``exporter.loader.player_files``).

    Raises ``InvalidSource`` with every fault of the file.
    """
    from exporter.loader import player_files

    return player_files.read_builds(path, game_reader)


def game_of_builds(path: Path) -> str:
    """The game that a file of builds is for; empty where it does not say so soundly."""
    from exporter.loader import player_files

    return player_files.game_of_builds(path)


def find_game_said(path: Path, game_reader: str, sources: Sequence[Path]) -> Path:
    """The folder of the game that a file of builds says it is for.

    Raises ``InvalidSource`` at the place where the file says so.
    """
    from exporter.loader import player_files

    return player_files.find_named_game(path, game_reader, sources)
