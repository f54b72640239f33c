"""Game folders and players' files, opened as far as they can be read."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
)
from exporter.loader.game_folders import (
    find_game,
    source_folders,
)
from exporter.loader.game_reader import read_what_can_be
from exporter.loader.load_context import LoadContext
from exporter.loader.player_files import find_named_game
from exporter.loader.rule_files import read_rulebook
from exporter.loader.style_files import declares_the_same
from exporter.model import (
    Card,
    Game,
)
from exporter.rules.project import Project

MOST_DOUBTS = 3
"""Faults of a game's files that are told of each build that rests on them."""

_RESTED_ON = (
    "game.yaml", "rules.yaml", "figures.yaml", "frames.csv", "errata.yaml",
    "regulations/", "mechs/",
)  # fmt: skip


def open_game(folder: Path, *, with_cases: bool = False) -> Project:
    """Read a game and its rules, without cards of faulty rows, so that nothing echoes them.

    Raises ``InvalidSource`` where not even game.yaml can be read.
    """
    game, reading = read_what_can_be(folder)
    if game is None:
        raise InvalidSource(reading.problems)
    data_problems = tuple(reading.problems)
    book = read_rulebook(reading, game, with_cases=with_cases)
    doubts: list[Problem] = []
    if reading.problems:
        faulty = [card for card in game.cards.values() if not reading.is_sound(card.where)]
        reading.excluded |= {("card", name) for card in faulty for name in (card.id, card.name)}
        doubts = _doubts(reading, game, faulty)
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
        doubts=tuple(doubts[:MOST_DOUBTS]),
        sound=all(problem.where.file.startswith(cases) for problem in problems),
        incomplete=frozenset(reading.incomplete),
        excluded=frozenset(reading.excluded),
    )


def open_to_make(folder: Path) -> Project:
    """Read a game of which rooms and sheets are made.

    Raises ``InvalidSource`` for faults of its data; those of its rules stop nothing.
    """
    project = open_game(folder)
    if project.data_problems:
        raise InvalidSource(project.data_problems)
    return project


def open_again(project: Project, *, templates_alone: bool) -> Project:
    """Read a game with its cases after something was saved.

    Returns the same where only templates were saved, and none of them declares anything else now.
    Raises ``InvalidSource`` as ``open_game`` does.
    """
    if templates_alone and not project.problems and declares_the_same(project.game.faces):
        return project
    return open_game(project.folder, with_cases=True)


def _doubts(reading: LoadContext, game: Game, faulty: list[Card]) -> list[Problem]:
    """The faults on which every build rests; those of a single card bear on who brings it alone."""
    files = (*_RESTED_ON, *(kind.file for kind in game.kinds.values()))
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
    return find_game(game, folders) if game else find_named_game(path, folders)
