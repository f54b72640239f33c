"""Check which options apply to a print job.

An option that applies to no chosen job is an error; jobs that it does not apply to are left out, or
printed without it and named in a message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from exporter.core.messages import (
    Joined,
    Sentence,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    Problem,
    problem_at,
)
from exporter.model import (
    Build,
    Game,
)
from exporter.model.print_jobs import (
    Lay,
    PrintOrder,
    SheetJob,
)

# Options that select content: a job that they do not apply to is left out.
CHOOSING = ("--only", "--mech", "--deck", "--changed-by", "--changed-since")

_PIECES = frozenset(
    [
        "--size",
        "--scale-to-fit",
        "--grid",
        "--gap",
        "--bleed",
        "--cut",
        "--backs",
        "--edge",
        "--offset",
        "--saving",
    ]
)

# The options that apply to each kind of job, besides paper, preset and boxes, which always do.
FOLLOWED: Mapping[Lay, frozenset[str]] = {
    "cards": _PIECES | {"--only", "--changed-by", "--changed-since"},
    "mechs": _PIECES | {"--only", "--mech"},
    "face": _PIECES - {"--backs", "--edge", "--offset"},
    "boards": frozenset(("--only", "--overlap", "--poster", "--saving")),
    "pawns": frozenset(("--only", "--mech", "--saving")),
    "dial": frozenset(("--saving",)),
    "box": frozenset(("--only", "--mech", "--saving")),
    "document": frozenset(),
}


def is_deck(wish: str | Build) -> bool:
    """Return whether an entry of ``PrintOrder.builds`` is a player's deck without a mech."""
    return isinstance(wish, Build) and not wish.has_parts


_OF_ALL = ("--paper", "--preset")


def follows(job: SheetJob, option: str) -> bool:
    """Return whether an option applies to a job."""
    if option == "--mech" and job.lay == "cards":
        return job.decks
    if option == "--deck":
        return job.lay in ("cards", "box")
    if option == "--edge" and job.document == "calibration":
        return True
    return option in FOLLOWED[job.lay]


def options_of(order: PrintOrder) -> list[str]:
    """Return the options given in an order, except those that apply to every job."""
    given = {f"--{name}": True for name in order.said}
    given |= {
        "--poster": bool(order.poster),
        "--scale-to-fit": order.scale_to_fit,
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
    """Return the jobs to which all given content options (``CHOOSING``) apply.

    ``named`` are the ids that the order names. Raises ``InvalidSource`` for each named job that an
    option does not apply to and, where none is named, for each option that applies to no job.
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
            problem = problem_at(
                COMMAND_LINE, "OPTION", "no-sheet-can", game=game.id, option=option
            )
            problems.append(problem)
    if problems:
        raise InvalidSource(problems)
    choosing = [option for option in options if option in CHOOSING]
    return [job for job in jobs if all(follows(job, option) for option in choosing)]


def _cannot(job: SheetJob, option: str) -> Problem:
    lay = job.document or job.lay
    return problem_at(
        COMMAND_LINE, "OPTION", "sheet-lays-cannot", sheet=job.id, lay=lay, option=option
    )


def unheeded(jobs: Iterable[SheetJob], options: Iterable[str]) -> Sentence | None:
    """Return a message naming the options that do not apply to some jobs, or ``None``."""
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
