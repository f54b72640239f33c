"""Builds as somebody works on them: read from text, laid out for the rules, written as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from msgspec import Meta, Struct, convert, field, to_builtins
from msgspec.structs import replace

from exporter.core.problems import Problem, SourceLocation
from exporter.loader.player_files import read_players_builds
from exporter.model import Build, DeckEntry, Pilot
from exporter.model.documents import standing
from exporter.model.mech import Waiver
from exporter.rules.project import Project
from exporter.rules.written_builds import build_text, is_code, write_line

Line = Annotated[str, Meta(max_length=200)]
Lines = Annotated[tuple[Line, ...], Meta(max_length=200)]
Note = Annotated[str, Meta(max_length=2000)]


Copies = Annotated[int, Meta(ge=1, le=9999)]
# Copies by the card's id or name.
DraftDeck = Annotated[Mapping[Line, Copies], Meta(max_length=1000)]


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
    decks: Annotated[Mapping[Line, DraftDeck], Meta(max_length=20)] = field(default_factory=dict)
    pilots: Annotated[tuple[DraftPilot, ...], Meta(max_length=20)] = ()
    regulation: Line = ""
    waivers: Annotated[tuple[DraftWaiver, ...], Meta(max_length=100)] = ()
    picture: Line = ""
    label: Line = ""
    note: Note = ""


# The file of places in a draft.  Their ``cell`` is the slot, ``part.1``, or ``frame`` and so on; of
# decks ``decks.main`` or ``decks.main.CARD``.
DRAFT = "draft"


def build_of(draft: Draft) -> Build:
    """Return a draft as rules look at it; places say the slot, not a line."""

    def at(cell: str) -> SourceLocation:
        return SourceLocation(DRAFT, cell=cell)

    lists = {part: len(cards) for part, cards in draft.mounted.items()}
    lists |= {f"pilots.{n}": len(pilot.skills) for n, pilot in enumerate(draft.pilots, 1)}
    names = ["frame", "regulation", *draft.mounted]
    names += [f"{name}.{index}" for name, length in lists.items() for index in range(1, length + 1)]
    places = {name: at(name) for name in names}
    return Build(
        name=draft.name,
        frame=draft.frame,
        mounted=draft.mounted,
        decks={
            deck: tuple(
                DeckEntry(deck=deck, card=card, mark="", copies=n, where=at(f"decks.{deck}.{card}"))
                for card, n in rows.items()
            )
            for deck, rows in draft.decks.items()
        },
        pilots=tuple(
            Pilot(name=pilot.name, skills=pilot.skills, spot=standing(at(f"pilots.{number}")))
            for number, pilot in enumerate(draft.pilots, 1)
        ),
        regulation=draft.regulation,
        waivers=tuple(
            Waiver(rule=one.rule, reason=one.reason, spot=standing(at("waivers")))
            for one in draft.waivers
        ),
        label=draft.label,
        note=draft.note,
        where=at("build"),
        places=places | {f"deck {deck}": at(f"decks.{deck}") for deck in draft.decks},
    )


def draft_of(build: Build) -> Draft:
    """Return what was read of a build as a draft."""
    return Draft(
        name=build.name,
        frame=dict(build.frame),
        mounted={part: tuple(cards) for part, cards in build.mounted.items()},
        decks={deck: dict(build.copies_in(deck)) for deck in build.decks},
        pilots=tuple(DraftPilot(pilot.name, tuple(pilot.skills)) for pilot in build.pilots),
        regulation=build.regulation,
        waivers=tuple(DraftWaiver(one.rule, one.reason) for one in build.waivers),
        picture=Path(build.picture).name,
        label=build.label[:200],
        note=build.note[:2000],
    )


def read_drafts(
    project: Project, text: str, name: str, beside: Iterable[str] = ()
) -> tuple[tuple[Draft, ...], tuple[Problem, ...]]:
    """Return the builds of a text, and its faults: lines such as ``share`` writes, YAML, or a
    table.

    It is a table or a plain list of cards where ``name`` ends so. Places are those in a file of
    that name; ``beside`` it are pictures of these names.
    """
    if lines := [Path(word) for word in text.split() if is_code(word)]:
        pairs = [read_players_builds(project, line) for line in lines]
        return (
            tuple(draft_of(build) for builds, _ in pairs for build in builds),
            tuple(problem for _, problems in pairs for problem in problems),
        )
    suffix = Path(name.lower()).suffix
    ending = suffix if suffix in (".csv", ".tsv", ".txt") else ".yaml"
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"builds{ending}"
        path.write_text(text, encoding="utf-8")
        for other in {Path(one).name for one in beside} - {"", "..", path.name}:
            with suppress(OSError, ValueError):  # no file can have that name, so none has it
                (Path(folder) / other).touch()
        found, problems = read_players_builds(project, path)
    notices = tuple(
        replace(one, where=replace(one.where, file=name)) if one.where.file == str(path) else one
        for one in problems
    )
    builds = (build for build in found if build.frame or build.mounted or build.decks)
    return tuple(map(draft_of, builds)), notices


def draft_text(project: Project, draft: Draft) -> str:
    """Return a draft as a document of a file of builds."""
    # The build never has a picture: no page opens a file by its name.
    build = build_of(_on_one_line(draft))
    return build_text(project.corrected, replace(build, picture=draft.picture))


def drafts_text(project: Project, drafts: Iterable[Draft]) -> str:
    """Return drafts as one file of builds."""
    return "---\n".join(draft_text(project, draft) for draft in drafts)


def draft_line(project: Project, draft: Draft) -> str:
    """Return a draft as one line to hand over. Raises ``InvalidSource`` for one that is too
    long."""
    return write_line(project.corrected, build_of(_on_one_line(draft)))


def _on_one_line(draft: Draft) -> Draft:
    """Return a draft whose texts have no ends of lines but in its note, and steer no terminal."""
    note = "\n".join(_one_line(line) for line in draft.note.splitlines()).strip()
    return convert(_one_line(to_builtins(draft)) | {"note": note}, Draft)


def _one_line(value: Any) -> Any:
    match value:
        case dict():
            return {_one_line(key): _one_line(one) for key, one in value.items()}
        case list() | tuple():
            return [_one_line(one) for one in value]
        case str():
            return " ".join("".join(c if c.isprintable() else " " for c in value).split())
    return value
