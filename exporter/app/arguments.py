"""What callers name: one game or several, folders, papers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from exporter.model.print_jobs import Stationery

Named: TypeAlias = str | os.PathLike[str]
"""A game by its name or folder, a file by its path."""

Several: TypeAlias = Named | Iterable[Named]
"""One, or any number."""


def find_games(source: Named | None = None) -> list[Path]:
    """The folders of all games that are found, in the order of their names."""
    from exporter.loader.game_folders import chosen_games

    return chosen_games((), path_of(source))


def names(things: Several) -> tuple[str, ...]:
    """One or several as texts."""
    each = [things] if isinstance(things, str | os.PathLike) else things
    return tuple(os.fspath(thing) for thing in each)


def path_of(source: Named | None) -> Path | None:
    """A folder of games to look in first, if there is one."""
    return None if source is None else Path(source)


def folders_of(games: Several, source: Named | None) -> list[Path]:
    """The folders of games. Raises ``InvalidSource`` with every name that is none."""
    from exporter.loader.game_folders import chosen_games

    chosen = names(games)
    return chosen_games(chosen, path_of(source)) if chosen else []


def folder_of(game: Named, source: Named | None) -> Path:
    """The folder of one game. Raises ``InvalidSource``."""
    from exporter.loader.game_folders import (
        find_game,
        source_folders,
    )

    return find_game(os.fspath(game), source_folders(path_of(source)))


def game_folder_at(path: str) -> Path | None:
    """The folder of a game on this machine by its whole path, or by that of its ``game.yaml``."""
    from exporter.loader.game_folders import HEAD

    with contextlib.suppress(OSError, RuntimeError, ValueError):  # no folder can be called so
        said = Path(path).expanduser()
        folder = said.parent if said.name == HEAD else said
        if folder.is_absolute() and (folder / HEAD).is_file():
            return folder.resolve()
    return None


def word_for(folder: Path) -> str:
    """What to call a game's folder on a command line: its name, where that leads to it."""
    from exporter.core.problems import InvalidSource
    from exporter.loader.game_folders import chosen_games

    try:
        (found,) = chosen_games([folder.name])
    except InvalidSource:
        return str(folder)
    return folder.name if found.resolve() == folder.resolve() else str(folder)


def day(text: str) -> str:
    """A day as ``2026-01-31``; nothing stays nothing. Raises ``ValueError``."""
    return date.fromisoformat(text).isoformat() if text else ""


def stationery() -> Stationery:
    """Papers and presets. Raises ``InvalidSource``."""
    from exporter.core.shipped_files import template_folders
    from exporter.loader.print_job_files import read_stationery

    return read_stationery(template_folders("sheets"))
