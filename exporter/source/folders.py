"""Where games are found: a name is looked up in folders of games, the first that has it wins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from exporter.problems import InvalidSource, Where, nearest, told
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
    """The folder of a game, given by its name, by its ``code`` or as a folder.

    Raises ``InvalidSource`` naming the nearest game, or the folder that is none.
    """
    games = {folder.name: folder for folder in game_folders(sources)}
    if name_or_folder in games:
        return games[name_or_folder]
    if name_or_folder.isalnum():
        for one in games.values():
            if _code_of(one) == name_or_folder:
                return one
    where = Where(name_or_folder)
    folder = Path(name_or_folder)
    if os.path.isdir(folder):
        if os.path.lexists(folder / HEAD):
            return folder
        problem = told(where, checks.FILE, "no-head", head=HEAD)
    elif os.path.isfile(folder):
        problem = told(where, checks.FILE, "file-for-folder")
    elif games:
        near = nearest(name_or_folder, games)
        problem = told(where, checks.FILE, "no-game", name=name_or_folder, nearest=near)
    else:
        looked = ", ".join(map(str, sources)) or "—"
        problem = told(where, checks.FILE, "no-games-at-all", name=name_or_folder, looked=looked)
    raise InvalidSource([problem])


def _code_of(folder: Path) -> str:
    """What a game is called in a build as one line, if its head can be read that far."""
    from exporter.schema.places import Table
    from exporter.source.reading import Reading

    found = Reading(folder).document(HEAD, "game")
    head = found[0] if found is not None else None
    return str(head.get("code", "")) if isinstance(head, Table) else ""
