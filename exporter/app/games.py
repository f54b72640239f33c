"""What callers name: games by name or folder, opened as far as they can be read; papers, days."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
    stop_for,
)
from exporter.core.shipped_files import template_folders
from exporter.loader.game_folders import HEAD, chosen_games, find_game, source_folders
from exporter.loader.game_reader import read_partial_game
from exporter.loader.load_context import LoadContext
from exporter.loader.player_files import find_named_game, named_game
from exporter.loader.print_job_files import read_stationery
from exporter.loader.rule_files import read_rulebook
from exporter.model import (
    Card,
    Game,
)
from exporter.model.print_jobs import Stationery
from exporter.rules.project import Project

# A game by its name or folder, a file by its path.
NameOrPath: TypeAlias = str | os.PathLike[str]

# One, or any number.
Several: TypeAlias = NameOrPath | Iterable[NameOrPath]


def find_games(source: NameOrPath | None = None) -> list[Path]:
    """Return the folders of all games that are found, in the order of their names."""
    return chosen_games((), path_of(source))


def names(things: Several) -> tuple[str, ...]:
    """Return one or several as texts."""
    each = [things] if isinstance(things, str | os.PathLike) else things
    return tuple(os.fspath(thing) for thing in each)


def path_of(source: NameOrPath | None) -> Path | None:
    """Return a folder of games to look in first, if there is one."""
    return None if source is None else Path(source)


def folders_of(games: Several, source: NameOrPath | None) -> list[Path]:
    """Return the folders of games. Raises ``InvalidSource`` with every name that is none."""
    chosen = names(games)
    return chosen_games(chosen, path_of(source)) if chosen else []


def folder_of(game: NameOrPath, source: NameOrPath | None) -> Path:
    """Return the folder of one game. Raises ``InvalidSource``."""
    return find_game(os.fspath(game), source_folders(path_of(source)))


def game_folder_at(path: str) -> Path | None:
    """Return the folder of a game on this machine by its whole path, or by that of its
    ``game.yaml``."""
    with contextlib.suppress(OSError, RuntimeError, ValueError):  # no folder can be called so
        given = Path(path).expanduser()
        folder = given.parent if given.name == HEAD else given
        if folder.is_absolute() and (folder / HEAD).is_file():
            return folder.resolve()
    return None


def command_line_name(folder: Path) -> str:
    """Return what to call a game's folder on a command line: its name, where that leads to it."""
    try:
        (found,) = chosen_games([folder.name])
    except InvalidSource:
        return str(folder)
    return folder.name if found.resolve() == folder.resolve() else str(folder)


def day(text: str) -> str:
    """Return a day as ``2026-01-31``; nothing stays nothing. Raises ``ValueError``."""
    return date.fromisoformat(text).isoformat() if text else ""


def stationery() -> Stationery:
    """Return papers and presets. Raises ``InvalidSource``."""
    return read_stationery(template_folders("sheets"))


# Faults of a game's files that are reported of each build that rests on them.
MOST_SHARED_FAULTS = 3

_SHARED_FILES = (
    "game.yaml", "rules.yaml", "figures.yaml", "frames.csv", "errata.yaml",
    "regulations/", "mechs/",
)  # fmt: skip


def open_folder(folder: Path, *, with_cases: bool = False) -> Project:
    """Read a game and its rules, without cards of faulty rows, so that nothing echoes them.

    Raises ``InvalidSource`` where not even game.yaml can be read.
    """
    game, reading = read_partial_game(folder)
    if game is None:
        raise InvalidSource(reading.problems)
    data_problems = tuple(reading.problems)
    book = read_rulebook(reading, game, with_cases=with_cases)
    uncertain: list[Problem] = []
    if reading.problems:
        faulty = [card for card in game.cards.values() if not reading.is_sound(card.where)]
        reading.excluded |= {("card", name) for card in faulty for name in (card.id, card.name)}
        uncertain = _shared_faults(reading, game, faulty)
        left_out = {card.id for card in faulty}
        sound = {key: card for key, card in game.cards.items() if key not in left_out}
        game = replace(game, cards=sound)
    problems = tuple(sorted(set(reading.problems)))
    cases = reading.label("cases/")
    return Project(
        folder=folder,
        game=game,
        book=book,
        problems=problems,
        data_problems=data_problems,
        uncertain=tuple(uncertain[:MOST_SHARED_FAULTS]),
        sound=all(problem.where.file.startswith(cases) for problem in problems),
        incomplete=frozenset(reading.incomplete),
        excluded=frozenset(reading.excluded),
    )


def open_to_make(folder: Path) -> Project:
    """Read a game of which rooms and sheets are made.

    Raises ``InvalidSource`` for faults of its data; those of its rules stop nothing.
    """
    project = open_folder(folder)
    stop_for(project.data_problems)
    return project


def _shared_faults(reading: LoadContext, game: Game, faulty: list[Card]) -> list[Problem]:
    """Return the faults on which every build rests; those of a single card bear on who brings it
    alone."""
    files = (*_SHARED_FILES, *(kind.file for kind in game.kinds.values()))
    of_all = tuple(map(reading.label, files))
    of_one = {(card.where.file, card.where.line) for card in faulty}
    return [
        problem
        for problem in sorted(set(reading.problems))
        if problem.where.file.startswith(of_all)
        and (problem.where.file, problem.where.line) not in of_one
    ]


def game_folder(path: Path, game: str, source: Path | None) -> Path:
    """Find the folder of a game that is named, or else of the one that a file of builds is for.

    Raises ``InvalidSource``: at the place in the file, where it says a game that is none.
    """
    folders = source_folders(source)
    return find_game(game, folders) if game else find_named_game(named_game(path), folders)
