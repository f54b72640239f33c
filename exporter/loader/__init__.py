"""Reads game folders and players' files: YAML and tables become records, or every problem with its
place. ``game_reader`` reads a game, ``player_files`` builds and decks."""

from __future__ import annotations

from pathlib import Path

from exporter.core.source_files import PLAYERS_FILES, SAVED_ROOM


def is_build_file(word: str) -> bool:
    """Return whether a word gives builds: a file by its ending, a build as one line, or a saved
    room (``room.zip``, ``room.zip#bench``); no folder does."""
    if ":" in word:
        from exporter.rules.written_builds import is_code

        if is_code(word):
            return True
    file = word.partition("#")[0] if SAVED_ROOM in word.lower() else word
    return file.lower().endswith((*PLAYERS_FILES, SAVED_ROOM)) and not Path(word).is_dir()
