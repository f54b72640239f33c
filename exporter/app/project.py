"""A game's folder and players' files opened for checking: what can be read, and its faults."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import (
    Card,
    Game,
)
from exporter.model.player_builds import Submission
from exporter.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from exporter.loader.load_context import LoadContext
    from exporter.rules.report.check_report import Report
    from exporter.rules.report.verdicts import Wish


MOST_DOUBTS = 3
"""Faults of a game's files that are told of each build that rests on them."""

_RESTED_ON = (
    "game.yaml", "rules.yaml", "figures.yaml", "frames.csv", "errata.yaml",
    "regulations/", "mechs/",
)  # fmt: skip


class Opened(Struct, frozen=True):
    """A game with its rules; ``problems`` are all faults of its files, ``reading`` their trace.

    It is ``sound`` where nothing is wrong but cases, which bear on nothing else. ``doubts`` are
    some of the faults on which every build rests: of rules, figures, frames, errata, cards.
    """

    game: Game
    book: Rulebook
    problems: tuple[Problem, ...]
    reading: LoadContext
    sound: bool
    doubts: tuple[Problem, ...]


def open_game(folder: Path, *, with_cases: bool = False) -> Opened:
    """A game and its rules. Cards of faulty rows are left out, so that nothing echoes them.

    Raises ``InvalidSource`` where not even game.yaml can be read.
    """
    from exporter.loader.game_reader import read_what_can_be
    from exporter.loader.rule_files import read_rulebook

    game, reading = read_what_can_be(folder)
    if game is None:
        raise InvalidSource(reading.problems)
    book = read_rulebook(reading, game, with_cases=with_cases)
    doubts: list[Problem] = []
    if reading.problems:
        faulty = [card for card in game.cards.values() if not reading.is_sound(card.where)]
        for card in faulty:
            reading.excluded |= {("card", card.id), ("card", card.name)}
        spoilt = {card.id for card in faulty}
        sound = {key: card for key, card in game.cards.items() if key not in spoilt}
        doubts = _doubts(reading, game, faulty)
        game = replace(game, cards=sound)
    problems = tuple(sorted(set(reading.problems)))
    cases = reading.label("cases/")
    return Opened(
        game=game,
        book=book,
        problems=problems,
        reading=reading,
        sound=all(problem.where.file.startswith(cases) for problem in problems),
        doubts=tuple(doubts[:MOST_DOUBTS]),
    )


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


def open_entries(opened: Opened, path: Path) -> tuple[list[Submission], list[Problem]]:
    """The builds of a player's file as far as they can be read, and its faults."""
    from exporter.loader.player_files import read_entries

    return read_entries(path, opened.game, opened.reading)


def check(
    opened: Opened,
    entries: Sequence[Submission],
    wish: Wish,
    *,
    own_data: bool = False,
    with_cases: bool = False,
) -> Report:
    """Players' builds, and with ``own_data`` the game itself, held against its rules as far as
    those could be read. Raises ``InvalidSource`` for an unknown regulation."""
    from exporter.rules.report.check_report import check as run

    return run(
        opened.game,
        opened.book,
        entries,
        wish,
        own_data=own_data,
        sound=opened.sound,
        with_cases=with_cases,
        doubts=opened.doubts,
    )


def game_folder(path: Path, game: str, source: Path | None) -> Path:
    """The folder of a game that is named, or else of the one that a file of builds says it is for.

    Raises ``InvalidSource``: at the place in the file, where it says a game that is none.
    """
    from exporter.loader import (
        find_game_said,
        game_of_builds,
    )
    from exporter.loader.game_folders import (
        find_game,
        source_folders,
    )

    folders = source_folders(source)
    if game:
        return find_game(game, folders)
    if said := game_of_builds(path):
        return find_game_said(path, said, folders)
    raise InvalidSource([why_no_game(path)])


def why_no_game(path: Path) -> Problem:
    """What keeps a file of builds from saying which game it is for."""
    from exporter.core.source_files import Unreadable
    from exporter.loader.player_files import named_games

    try:
        where = next((place for _, place in named_games(path)), SourceLocation(str(path), 1, 1))
    except Unreadable as unreadable:
        return unreadable.problem
    return problem_at(where, "SRC-KEY", "file-not-say")
