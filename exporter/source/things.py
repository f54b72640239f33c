"""What a game says of itself in YAML: sources, figures, mechs, errata, rulings, notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from msgspec.structs import replace

from exporter.model import (
    Build,
    Erratum,
    Figure,
    Head,
    Mech,
    Name,
    Note,
    PrintedLoadout,
    RoomPlan,
    Ruling,
    Source,
)
from exporter.schema.shape import NameShape, TextShape
from exporter.source import checks
from exporter.source.reading import Reading
from exporter.source.shapes import Shaped


def name_of(shape: NameShape | TextShape) -> Name:
    """A name as the model has it."""
    return Name(shape.ja, shape.en)


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
        message = f"players: found {least} to {most}; the smaller number comes first."
        reading.fault(thing.place("players"), checks.VALUE, message, f"Write [{most}, {least}].")


def read_sources(reading: Reading) -> dict[str, Source]:
    """The bibliography."""
    entries = reading.table(Source, "sources.yaml", "source")
    return {key: entry.shape for key, entry in entries.items()}


def read_figures(reading: Reading) -> tuple[Figure, ...]:
    """The derived figures in the order in which they are worked out."""
    figures = reading.entries(Figure, "figures.yaml", "figure")
    named = ((entry.shape.id, entry.at("name"), entry.shape) for entry in figures)
    return tuple(reading.unique("figure", named).values())


def read_mechs(reading: Reading) -> dict[str, Mech]:
    """The mechs of mechs/ by code."""
    found = []
    for file in reading.each(Mech, "mechs", "mech"):
        mech = file.shape
        loadouts = {
            variant: _build(mech, variant, loadout)
            for variant, loadout in mech.printed_loadouts.items()
        }
        found.append((mech.code, mech.place("code"), replace(mech, loadouts=loadouts)))
    return reading.unique("mech", found)


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


def read_errata(reading: Reading) -> tuple[Erratum, ...]:
    """The published corrections."""
    found = []
    for entry in reading.entries(Erratum, "errata.yaml", "erratum"):
        for change in entry.shape.changes:
            if not change.target and change.is_sound():
                message = "Nothing says what is changed; allowed: card, deck, mech, list, page."
                reading.fault(change.where, checks.KEY, message, "Add one of them.")
        found.append((entry.shape.id, entry.at("id"), entry.shape))
    return tuple(reading.unique("erratum", found).values())


def read_rulings(reading: Reading) -> tuple[Ruling, ...]:
    """The publisher's answers."""
    entries = reading.entries(Ruling, "rulings.yaml", "ruling")
    found = ((entry.shape.id, entry.at("id"), entry.shape) for entry in entries)
    return tuple(reading.unique("ruling", found).values())


def read_notes(reading: Reading) -> dict[str, Note]:
    """The notes of every file of notes/ by id, in the order of files and entries."""
    files = (reading.entries(Note, name, "note") for name in reading.files("notes", "note"))
    notes = ((e.shape.id, e.at("id"), e.shape) for e in chain.from_iterable(files))
    return reading.unique("note", notes)
