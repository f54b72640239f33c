"""What a game says of itself in YAML: sources, figures, mechs, errata, rulings, notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from exporter.model import (
    Build,
    Erratum,
    Head,
    Mech,
    PrintedLoadout,
    RoomPlan,
)
from exporter.source.reading import Reading
from exporter.source.shapes import Shaped


def lists(mapping: Mapping[Any, Iterable[str]]) -> dict[Any, tuple[str, ...]]:
    """A mapping to lists as one to tuples."""
    return {key: tuple(words) for key, words in mapping.items()}


def refer_each(
    reading: Reading, sort: str, names: Iterable[str], thing: Shaped[Any], *path: int | str
) -> None:
    """Notes a reference for each entry of the list at ``path``."""
    for index, name in enumerate(names):
        reading.refer(sort, name, thing.at(*path, index))


def refer_keys(
    reading: Reading, sort: str, names: Iterable[str], thing: Shaped[Any], *path: int | str
) -> None:
    """Notes a reference for each key of the mapping at ``path``."""
    for name in names:
        reading.refer(sort, name, thing.at(*path, name, key=True))


def refer_frame(reading: Reading, frame: Mapping[str, str], thing: Shaped[Any]) -> None:
    """Notes references for the keys and values of what chooses a frame."""
    refer_keys(reading, "key of a frame", frame, thing, "frame")
    for key, value in frame.items():
        reading.refer(f"frame with {key}", value, thing.at("frame", key))


def check_players(reading: Reading, thing: Head | RoomPlan) -> None:
    """The smaller number of players comes first."""
    least, most = thing.players
    if least > most and thing.is_sound("players"):
        reading.fault(
            thing.place("players"), "SRC-VALUE", "players-found-smaller", least=least, most=most
        )


def with_builds(mech: Mech) -> Mech:
    """A mech whose loadouts are constructions."""
    written = mech.printed_loadouts.items()
    return replace(mech, loadouts={name: _build(mech, name, loadout) for name, loadout in written})


def _build(mech: Mech, variant: str, loadout: PrintedLoadout) -> Build:
    """A construction; its ``places`` are the part, the part and slot (``胴.1``), and the frame."""
    places = {"frame": mech.place("frame")}
    for part, cards in loadout.mounted.items():
        places[part] = loadout.place("mounted", part, key=True)
        for slot in range(len(cards)):
            places[f"{part}.{slot + 1}"] = loadout.place("mounted", part, slot)
    return Build(
        name=mech.name,
        frame=mech.frame,
        mounted=loadout.mounted,
        pilots=loadout.pilots,
        certainty=loadout.certainty,
        where=mech.place("loadouts", variant, key=True),
        places=places,
    )


def check_targets(reading: Reading, errata: Iterable[Erratum]) -> None:
    """Notes a problem for each change that changes nothing."""
    for change in (change for erratum in errata for change in erratum.changes):
        if not change.target and all(change.is_sound(sort) for sort in change.targets):
            reading.fault(change.where, "SRC-KEY", "nothing-says-what")
