"""Which options a print job can follow; what it cannot follow is refused, or left out and told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from exporter.model import Build, Game
from exporter.printing.jobs import Lay, PrintOrder, SheetJob
from exporter.problems import COMMAND_LINE, InvalidSource, Problem, told
from exporter.words import Joined, Sentence, sentence

CHOOSING = ("--only", "--mech", "--deck", "--changed-by", "--changed-since")
"""Options that choose what is laid: a job that cannot follow them has nothing to lay."""

_PIECES = frozenset(
    ("--size", "--grid", "--gap", "--bleed", "--cut", "--backs", "--edge", "--offset", "--saving")
)

FOLLOWED: Mapping[Lay, frozenset[str]] = {
    "cards": _PIECES | {"--only", "--changed-by", "--changed-since"},
    "mechs": _PIECES | {"--only", "--mech"},
    "face": _PIECES - {"--backs", "--edge", "--offset"},
    "boards": frozenset(("--only", "--overlap", "--poster", "--saving")),
    "pawns": frozenset(("--only", "--mech", "--gap", "--saving")),
    "dial": frozenset(("--saving",)),
    "box": frozenset(("--only", "--mech", "--saving")),
    "document": frozenset(),
}
"""Beside the paper, the preset and the boxes owned, which go for all."""


def is_deck(wish: str | Build) -> bool:
    """Whether a wish is for a player's deck alone."""
    return isinstance(wish, Build) and not wish.has_parts


_OF_ALL = ("--paper", "--preset")


def follows(job: SheetJob, option: str) -> bool:
    """Whether an option changes anything on a job's sheets."""
    if option == "--mech" and job.lay == "cards":
        return job.decks
    if option == "--deck":
        return job.lay in ("cards", "box")
    if option == "--edge" and job.document == "calibration":
        return True
    return option in FOLLOWED[job.lay]


def options_of(order: PrintOrder) -> list[str]:
    """The options that an order gives, but for those that every job follows."""
    given = {f"--{name}": True for name in order.layout.said}
    given |= {
        "--poster": bool(order.poster),
        "--saving": order.saving,
        "--only": bool(order.only),
        "--mech": any(not is_deck(wish) for wish in order.builds),
        "--deck": any(map(is_deck, order.builds)),
        "--changed-by": bool(order.changed_by),
        "--changed-since": bool(order.changed_since),
    }
    return [name for name, is_given in given.items() if is_given and name not in _OF_ALL]


def following(
    game: Game, jobs: Sequence[SheetJob], options: Sequence[str], named: Iterable[str]
) -> list[SheetJob]:
    """The jobs that follow all of the options that choose.

    Raises ``InvalidSource`` for each named job that cannot follow an option, and for each option
    that no job follows.
    """
    problems = [
        _cannot(job, option)
        for job in jobs
        if job.id in named
        for option in options
        if not follows(job, option)
    ]
    for option in options:
        if not named and not any(follows(job, option) for job in jobs):
            problem = told(COMMAND_LINE, "OPTION", "no-sheet-can", game=game.id, option=option)
            problems.append(problem)
    if problems:
        raise InvalidSource(problems)
    choosing = [option for option in options if option in CHOOSING]
    return [job for job in jobs if all(follows(job, option) for option in choosing)]


def _cannot(job: SheetJob, option: str) -> Problem:
    lay = job.document or job.lay
    return told(COMMAND_LINE, "OPTION", "sheet-lays-cannot", sheet=job.id, lay=lay, option=option)


def unheeded(jobs: Iterable[SheetJob], options: Iterable[str]) -> Sentence | None:
    """Which of the jobs heed which options not; nothing where all do."""
    found: dict[tuple[str, ...], list[str]] = {}
    for job in jobs:
        ignored = tuple(option for option in options if not follows(job, option))
        if ignored:
            found.setdefault(ignored, []).append(job.id)
    parts = tuple(
        sentence("printed", "part", sheets=", ".join(names), options=", ".join(without))
        for without, names in found.items()
    )
    return sentence("printed", "without", parts=Joined(parts, "; ")) if found else None
