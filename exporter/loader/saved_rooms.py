"""Saved rooms as what players hand in: the builds on the benches of a zip, or on one of them."""

from __future__ import annotations

from pathlib import Path

from exporter.core.file_types import SAVED_ROOM
from exporter.core.names import (
    Named,
    index,
)
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    near_names,
    problem_at,
)
from exporter.model import Game
from exporter.model.player_builds import Submission
from exporter.model.tabletop import Room
from exporter.rooms.saved_benches import (
    benches_of,
    game_of,
    put_together,
)


def is_saved_room(file: str) -> bool:
    """Whether a word names a zip, or after ``#`` a bench of one."""
    return _parts(file)[0].lower().endswith(SAVED_ROOM)


def _parts(file: str) -> tuple[str, str]:
    path, _, bench = file.partition("#")
    return path, bench


def _room(file: str) -> Room[str]:
    """The room of a zip. Raises ``InvalidSource``."""
    from exporter.udonarium.read import read_zip

    path = _parts(file)[0]
    room = read_zip(Path(path), path).room
    if room is None:
        raise InvalidSource([problem_at(SourceLocation(path), "BENCH", "no-bench")])
    return room


def game_of_room(file: str) -> str:
    """The game that a saved room was made of; empty where it does not say.

    Raises ``InvalidSource``.
    """
    return game_of(_room(file))


def entries_of_room(file: str, game: Game) -> tuple[list[Submission], list[Problem]]:
    """The builds on the benches of a saved room, and what is wrong with it and with them."""
    path, wanted = _parts(file)
    try:
        room = _room(file)
    except InvalidSource as error:
        return [], list(error.problems)
    said = game_of(room)
    if said not in ("", game.id):
        return [], [
            problem_at(SourceLocation(path), "BENCH", "other-game", said=said, game=game.id)
        ]
    found, problems = put_together(game, room, path)
    entries = [Submission(build=one.build, game=game.id, unread=one.unread) for one in found]
    if wanted:
        entries, more = _on_bench(game, room, entries, path, wanted)
        problems += more
    elif not entries and not problems:
        problems.append(problem_at(SourceLocation(path), "BENCH", "nothing-on"))
    problems += [problem for entry in entries for problem in entry.unread]
    return entries, list(dict.fromkeys(problems))


def _on_bench(
    game: Game, room: Room[str], entries: list[Submission], path: str, wanted: str
) -> tuple[list[Submission], list[Problem]]:
    titles = [bench.title for bench in benches_of(game, room)]
    names = index(map(Named, titles))
    meant = names.meant(wanted)
    if len(meant) != 1:
        near = near_names(names, wanted)
        return [], [problem_at(SourceLocation(path), "BENCH", "no-such", name=wanted, nearest=near)]
    where = f"{path}#{meant[0]}"
    found = [entry for entry in entries if entry.build.where.file == where]
    return found, [] if found else [
        problem_at(SourceLocation(where), "BENCH", "empty", name=meant[0])
    ]
