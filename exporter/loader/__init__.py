"""Reads game folders: YAML and CSV become a ``Game``, or every problem with its place.

What reads files is imported when it is called: a wrong name of a game comes back at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exporter.core.source_files import PLAYERS_FILES, SAVED_ROOM

if TYPE_CHECKING:
    from exporter.model import Game


def read_game(folder: Path) -> Game:
    """Read the game that a folder holds. Only ``game.yaml`` is required.

    Raises ``InvalidSource`` with every independent fault of every file. The program's own
    templates and the contents of pictures are not looked at here.
    """
    from exporter.loader import game_reader

    return game_reader.read_game(folder)


def is_build_file(word: str) -> bool:
    """Return whether a word gives builds: a file by its ending, ``-`` for standard input, a build
    as one line, or a saved room (``room.zip``, ``room.zip#bench``); no folder does."""
    if word == "-":
        return True
    if ":" in word:
        from exporter.rules.build_codes import is_code

        if is_code(word):
            return True
    file = word.partition("#")[0] if SAVED_ROOM in word.lower() else word
    return file.lower().endswith((*PLAYERS_FILES, SAVED_ROOM)) and not Path(word).is_dir()
