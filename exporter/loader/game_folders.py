"""Where games are found: a name is looked up in folders of games, the first that has it wins."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from exporter.core.names import is_called
from exporter.core.problems import (
    Faults,
    SourceLocation,
    error_at,
    nearest,
)
from exporter.core.shipped_files import shipped

HEAD = "game.yaml"


def source_folders(chosen: Path | None = None) -> tuple[Path, ...]:
    """Return folders of games, the first that has a game wins: the chosen one, ``./source_data``,
    ours."""
    here = Path("source_data")
    folders = [chosen] if chosen else []
    folders += [here] if here.is_dir() else []
    return (*folders, shipped("source_data"))


def chosen_games(names: Sequence[str], source: Path | None = None) -> list[Path]:
    """Return the folders of these games, each once; of every game there is, where none is named.

    Raises ``InvalidSource`` with every name that is no game.
    """
    sources = source_folders(source)
    if not names:
        return game_folders(sources)
    faults = Faults()
    found: dict[Path, Path] = {}
    for name in names:
        with faults.collect():
            folder = find_game(name, sources)
            found.setdefault(folder.resolve(), folder)
    faults.stop_if_any()
    return list(found.values())


def game_folders(sources: Sequence[Path]) -> list[Path]:
    """Return the folder of every game of ``sources``, in the order of names.

    A game is a sub-folder with a ``game.yaml``; of several with one name the first counts. A
    source that is missing or may not be read holds no games.
    """
    heads: list[Path] = []
    for source in sources:
        with suppress(OSError):
            heads += [head for head in source.glob(f"*/{HEAD}") if head.is_file()]
    found = {head.parent.name: head.parent for head in reversed(heads)}
    return [found[name] for name in sorted(found)]


def find_game(name_or_folder: str, sources: Sequence[Path]) -> Path:
    """Find the folder of a game: by its id, by what it is called in any spelling, or as a folder.

    Raises ``InvalidSource`` naming the nearest game, or the folder that is none.
    """
    games = {folder.name: folder for folder in game_folders(sources)}
    if name_or_folder in games:
        return games[name_or_folder]
    where = SourceLocation(name_or_folder)
    folder = Path(name_or_folder)
    if os.path.isdir(folder):
        if os.path.lexists(folder / HEAD):
            return folder
        raise error_at(where, "SRC-FILE", "no-head", head=HEAD)
    called = [one for one in games.values() if is_called(name_or_folder, _called(one))]
    if len(called) == 1:
        return called[0]
    if os.path.isfile(folder):
        raise error_at(where, "SRC-FILE", "file-for-folder")
    if games:
        raise error_at(
            where,
            "SRC-FILE",
            "no-game",
            name=name_or_folder,
            nearest=nearest(name_or_folder, games),
        )
    raise error_at(
        where,
        "SRC-FILE",
        "no-games-at-all",
        name=name_or_folder,
        looked=", ".join(map(str, sources)) or "—",
    )


def _called(folder: Path) -> list[str]:
    """Return what a game is called, in a build as one line too, if its head can be read that
    far."""
    from exporter.loader.load_context import LoadContext
    from exporter.model.documents import Table

    found = LoadContext(folder).document(HEAD, "game")
    head = found[0] if found is not None else None
    if not isinstance(head, Table):
        return [folder.name]
    name = head.get("name")
    names = name.values() if isinstance(name, Table) else [name]
    words = (folder.name, head.get("code"), *names)
    return [word for word in words if isinstance(word, str) and word]
