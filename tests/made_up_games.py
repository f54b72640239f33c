"""The games of ``tests/games``, each a folder, and copies of them that a test may change."""

from __future__ import annotations

import shutil
from pathlib import Path

from small_game import change

GAMES = Path(__file__).parent / "games"


def files_of_game(name: str) -> dict[str, str]:
    """The texts of a game's files, by their paths within its folder."""
    paths = (path for path in sorted((GAMES / name).rglob("*")) if path.is_file())
    return {
        path.relative_to(GAMES / name).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
    }


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
