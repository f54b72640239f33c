"""What a game says of itself in YAML: sources, figures, mechs, errata, rulings, notes."""

from __future__ import annotations

from collections.abc import Iterable

from exporter.loader.load_context import LoadContext
from exporter.model import (
    Erratum,
    Head,
    RoomPlan,
)


def check_players(reading: LoadContext, thing: Head | RoomPlan) -> None:
    """The smaller number of players comes first."""
    least, most = thing.players
    if least > most and thing.is_sound("players"):
        reading.fault(
            thing.place("players"), "SRC-VALUE", "players-found-smaller", least=least, most=most
        )


def check_targets(reading: LoadContext, errata: Iterable[Erratum]) -> None:
    """Notes a problem for each change that changes nothing."""
    for change in (change for erratum in errata for change in erratum.changes):
        if not change.target and all(change.is_sound(sort) for sort in change.targets):
            reading.fault(change.where, "SRC-KEY", "nothing-says-what")
