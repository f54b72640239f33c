"""Where game folders and templates are looked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exporter.installed import shipped as shipped
from exporter.problems import Faults


def source_folders(chosen: Path | None = None) -> tuple[Path, ...]:
    """Folders of games, the first that has a game wins: the chosen one, ``./source_data``, ours."""
    here = Path("source_data")
    folders = [chosen] if chosen else []
    folders += [here] if here.is_dir() else []
    return (*folders, shipped("source_data"))


def chosen_games(names: Sequence[str], source: Path | None = None) -> list[Path]:
    """The folders of these games, each once; of every game there is, where none is named.

    Raises ``InvalidSource`` with every name that is no game.
    """
    from exporter.source import find_game, game_folders

    sources = source_folders(source)
    if not names:
        return game_folders(sources)
    faults = Faults()
    found: dict[Path, Path] = {}
    for name in names:
        with faults.gathered():
            folder = find_game(name, sources)
            found.setdefault(folder.resolve(), folder)
    faults.stop_if_any()
    return list(found.values())


def template_folders(name: str) -> tuple[Path, ...]:
    """Folders of templates, the first that has a file wins: ``./templates``, then the shipped."""
    here = Path("templates") / name
    return (*([here] if here.is_dir() else []), shipped("templates") / name)
