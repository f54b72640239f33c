"""Where games are found: a name is looked up in folders of games, the first that has it wins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from exporter.problems import InvalidSource, Problem, Where, nearest
from exporter.source import checks

HEAD = "game.yaml"


def game_folders(sources: Sequence[Path]) -> list[Path]:
    """The folder of every game of ``sources``, in the order of names.

    A game is a sub-folder with a ``game.yaml``; of several with one name the first counts. A
    source that is missing or may not be read holds no games.
    """
    found: dict[str, Path] = {}
    for source in sources:
        try:
            entries = [entry for entry in source.iterdir() if os.path.isfile(entry / HEAD)]
        except OSError:
            continue
        for entry in entries:
            found.setdefault(entry.name, entry)
    return [found[name] for name in sorted(found)]


def find_game(name_or_folder: str, sources: Sequence[Path]) -> Path:
    """The folder of a game, given by its name or as a folder.

    Raises ``InvalidSource`` naming the nearest game, or the folder that is none.
    """
    games = {folder.name: folder for folder in game_folders(sources)}
    if name_or_folder in games:
        return games[name_or_folder]
    where = Where(name_or_folder)
    folder = Path(name_or_folder)
    if os.path.isdir(folder):
        if os.path.lexists(folder / HEAD):
            return folder
        message, hint = f"This folder has no {HEAD}.", "Name a game, or the folder of one."
    elif os.path.isfile(folder):
        message, hint = "This is a file, not a game's folder.", "Name the folder that it lies in."
    elif games:
        message = f"There is no game {name_or_folder!r}."
        hint = nearest(name_or_folder, games)
    else:
        looked = ", ".join(str(source) for source in sources) or "no folder"
        message = f"There is no game {name_or_folder!r}: no games were found in {looked}."
        hint = "Give the game's folder."
    raise InvalidSource([Problem(where, checks.FILE, message, hint)])
