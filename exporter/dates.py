"""The day of a game's data, as rooms show it."""

from __future__ import annotations

import calendar

from exporter.model import Game
from exporter.problems import Problem, Severity, told

UNDATED = "2000-01-01"
"""The day of the messages of a game whose data have none."""


def noon(game: Game) -> int:
    """Noon of the day of the data in milliseconds since 1970.

    It is noon by UTC, so that clients show this day nearly everywhere.
    """
    day = game.version.day if game.version else UNDATED
    year, month, date = map(int, day.split("-"))
    return calendar.timegm((year, month, date, 12, 0, 0)) * 1000


def data_line(game: Game) -> str:
    """Which data a room is of, for its notes and its chat; empty where they have no version."""
    version = game.version
    return f"データの版：{version.number}（{version.day}）" if version else ""


def without_version(game: Game) -> tuple[Problem, ...]:
    """A notice where a game's rooms have messages, and the data no day for them."""
    if game.version or not any(tab.messages for room in game.rooms.values() for tab in room.chat):
        return ()
    notice = told(game.where, "VERSION", "data-no-version", severity=Severity.NOTICE, day=UNDATED)
    return (notice,)
