"""Builds as somebody works on them: read from text, laid out for the rules, written as text."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct, field

from exporter.problems import Problem, Where, as_written

if TYPE_CHECKING:
    from exporter.door.held import Held
    from exporter.rules.book import Entry

Line = Annotated[str, Meta(max_length=200)]
Lines = Annotated[tuple[Line, ...], Meta(max_length=200)]


class DraftPilot(Struct, frozen=True):
    """Who sits in a seat, and their skills by id or name."""

    name: Line = ""
    skills: Lines = ()


class DraftWaiver(Struct, frozen=True):
    """A rule that is overlooked, and why."""

    rule: Line
    reason: Line = ""


class Draft(Struct, frozen=True, kw_only=True):
    """A build on the way: the keys of a file of builds, with texts of bounded length."""

    name: Line = ""
    frame: Annotated[Mapping[Line, Line], Meta(max_length=20)] = field(default_factory=dict)
    mounted: Annotated[Mapping[Line, Lines], Meta(max_length=50)] = field(default_factory=dict)
    pilots: Annotated[tuple[DraftPilot, ...], Meta(max_length=20)] = ()
    regulation: Line = ""
    waivers: Annotated[tuple[DraftWaiver, ...], Meta(max_length=100)] = ()
    weapons: Lines = ()


DRAFT = "draft"
"""The file of places in a draft; their ``cell`` is the slot, ``part.1``, or ``frame`` and so on."""


def entry_of(draft: Draft) -> Entry:
    """A draft as rules look at it; places say the slot, not a line."""
    from exporter.model import Build, Pilot
    from exporter.rules.book import Entry, Waiver
    from exporter.schema.places import standing

    def at(cell: str) -> Where:
        return Where(DRAFT, cell=cell)

    places = {name: at(name) for name in ("frame", "regulation", "weapons")}
    for part, cards in draft.mounted.items():
        places[part] = at(part)
        places |= {f"{part}.{slot}": at(f"{part}.{slot}") for slot in range(1, len(cards) + 1)}
    for number, pilot in enumerate(draft.pilots, 1):
        for index in range(1, len(pilot.skills) + 1):
            places[f"pilots.{number}.{index}"] = at(f"pilots.{number}.{index}")
    pilots = tuple(
        Pilot(name=pilot.name, skills=pilot.skills, spot=standing(at(f"pilots.{number}")))
        for number, pilot in enumerate(draft.pilots, 1)
    )
    build = Build(
        name=draft.name,
        frame=dict(draft.frame),
        mounted=dict(draft.mounted),
        pilots=pilots,
        regulation=draft.regulation,
        where=at("build"),
        places=places,
    )
    waivers = tuple(
        Waiver(rule=one.rule, reason=one.reason, where=at("waivers")) for one in draft.waivers
    )
    return Entry(
        build=build, regulation=draft.regulation, waivers=waivers, loose=tuple(draft.weapons)
    )


def draft_of(entry: Entry) -> Draft:
    """What was read of a build as a draft."""
    build = entry.build
    return Draft(
        name=build.name,
        frame=dict(build.frame),
        mounted={part: tuple(cards) for part, cards in build.mounted.items()},
        pilots=tuple(DraftPilot(pilot.name, tuple(pilot.skills)) for pilot in build.pilots),
        regulation=entry.regulation,
        waivers=tuple(DraftWaiver(one.rule, one.reason) for one in entry.waivers),
        weapons=tuple(entry.loose),
    )


def read_drafts(
    held: Held, text: bytes, name: str
) -> tuple[tuple[Draft, ...], tuple[Problem, ...]]:
    """The builds of a text, YAML or CSV by the ending of ``name``, and the faults of the text."""
    from tempfile import TemporaryDirectory

    from msgspec.structs import replace

    from exporter.checking.opened import open_entries

    ending = ".csv" if name.lower().endswith(".csv") else ".yaml"
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"builds{ending}"
        path.write_bytes(text)
        entries, problems = open_entries(held.opened, path)
        told = tuple(
            replace(
                one,
                where=replace(one.where, file=name) if one.where.file == str(path) else one.where,
            )
            for one in problems
        )
    unread = {str(path)}
    found = tuple(
        draft_of(entry)
        for entry in entries
        if (entry.build.frame or entry.build.mounted) and entry.build.name not in unread
    )
    return found, told


def draft_text(game: str, draft: Draft) -> str:
    """A draft as a document of a file of builds."""
    lines = [f"game: {_word(game)}", f"name: {_word(draft.name)}"]
    if draft.frame:
        frame = {_line(key): _line(word) for key, word in draft.frame.items()}
        lines.append(f"frame: {as_written(frame)}")
    if any(draft.mounted.values()):
        lines.append("mounted:")
        lines += [
            f"  {_word(part)}: {as_written([*map(_line, cards)])}"
            for part, cards in draft.mounted.items()
            if cards
        ]
    if draft.pilots:
        lines.append("pilots:")
        lines += [
            f"  - {{name: {_word(pilot.name)}, skills: {as_written([*map(_line, pilot.skills)])}}}"
            for pilot in draft.pilots
        ]
    if draft.weapons:
        lines.append(f"weapons: {as_written([*map(_line, draft.weapons)])}")
    if draft.regulation:
        lines.append(f"regulation: {_word(draft.regulation)}")
    if draft.waivers:
        lines.append("waivers:")
        lines += [
            f"  - {{rule: {_word(one.rule)}, reason: {_word(one.reason)}}}" for one in draft.waivers
        ]
    return "".join(f"{line}\n" for line in lines)


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _word(text: str) -> str:
    line = _line(text)
    return as_written(line) if line else "''"
