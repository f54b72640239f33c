"""Which data of a game these are, and of which day, as rooms state it."""

from __future__ import annotations

import calendar

from exporter.core.problems import (
    Problem,
    Severity,
    problem_at,
)
from exporter.model import Game

# The day of the messages of a game whose data have none.
UNDATED = "2000-01-01"


def noon(game: Game) -> int:
    """Return the noon of the day of the data in milliseconds since 1970.

    It is noon by UTC, so that clients show this day nearly everywhere.
    """
    year, month, date = map(int, day_of(game).split("-"))
    return calendar.timegm((year, month, date, 12, 0, 0)) * 1000


def day_of(game: Game) -> str:
    """Return the latest day that the data give for themselves, an erratum or a ruling."""
    if game.version is None:
        return UNDATED
    dates = [*(one.date for one in game.errata), *(one.date for one in game.rulings)]
    return max([game.version.day, *(day for day in dates if day != "unknown")])


def version_text(game: Game) -> str:
    """Return number, day and digest of the data; empty where they have no version."""
    if game.version is None:
        return ""
    return f"{game.version.number} ({' · '.join(filter(None, (day_of(game), game.digest)))})"


def data_line(game: Game) -> str:
    """Return which data a room is of, for its notes and its chat; empty where they have no
    version."""
    return game.says("version", version=version_text(game)) if game.version else ""


def without_version(game: Game) -> tuple[Problem, ...]:
    """Return a notice where a game's rooms have messages, and the data no day for them."""
    if game.version or not any(tab.messages for room in game.rooms.values() for tab in room.chat):
        return ()
    notice = problem_at(
        game.where, "VERSION", "data-no-version", severity=Severity.NOTICE, day=UNDATED
    )
    return (notice,)
