"""The games of ``tests/games``, each a folder, and copies of them that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

from small_game import GAMES, change


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files below ``folder``."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def copied(name: str, folder: Path, *changes: tuple[str, str, str]) -> Path:
    """Copy a game into ``folder``, with (file, old text, new text) exchanged."""
    game = Path(shutil.copytree(GAMES / name, folder / name))
    for file, old, new in changes:
        change(game / file, old, new)
    return game
