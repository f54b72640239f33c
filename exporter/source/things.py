"""What a game says of itself in YAML: sources, figures, mechs, errata, rulings, notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Literal

from exporter.model import (
    Build,
    Change,
    Erratum,
    Figure,
    Mech,
    Name,
    Note,
    Pilot,
    Ruling,
    Source,
    Term,
)
from exporter.schema import things as schema
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


def check_players(reading: Reading, thing: Shaped[Any]) -> None:
    """The smaller number of players comes first."""
    least, most = thing.shape.players
    if least > most and thing.is_sound("players"):
        message = f"players: found {least} to {most}; the smaller number comes first."
        reading.fault(thing.at("players"), checks.VALUE, message, f"Write [{most}, {least}].")


def read_sources(reading: Reading) -> dict[str, Source]:
    """The bibliography."""
    entries = reading.table(schema.SourceShape, "sources.yaml", "source")
    return {
        key: Source(
            key=key,
            title=entry.shape.title,
            kind=entry.shape.kind,
            edition=entry.shape.edition,
            date=entry.shape.date,
            where=entry.where,
        )
        for key, entry in entries.items()
    }


def read_figures(reading: Reading) -> tuple[Figure, ...]:
    """The derived figures in the order in which they are worked out."""
    found = []
    for entry in reading.entries(schema.FigureShape, "figures.yaml", "figure"):
        shape = entry.shape
        terms = []
        for index, term in enumerate(shape.terms):
            refer_each(reading, "source", term.cites, entry, "terms", index, "cites")
            where = entry.at("terms", index, "value")
            reading.refer("kind", term.each, entry.at("terms", index, "each"))
            terms.append(
                Term(
                    label=term.label,
                    value=term.value,
                    each=term.each,
                    cites=tuple(term.cites),
                    where=where,
                )
            )
        reading.refer("part", shape.part, entry.at("part"))
        figure = Figure(
            id=shape.name,
            name=Name(shape.name, shape.en),
            unit=shape.unit,
            terms=tuple(terms),
            minimum=shape.minimum,
            part=shape.part,
            where=entry.where,
        )
        found.append((figure.id, entry.at("name"), figure))
    return tuple(reading.unique("figure", found).values())


def read_mechs(reading: Reading) -> dict[str, Mech]:
    """The mechs of mechs/ by code."""
    found = []
    for file in reading.each(schema.MechShape, "mechs", "mech"):
        shape = file.shape
        reading.refer("edition", shape.edition, file.at("edition"))
        refer_each(reading, "source", shape.sources, file, "sources")
        refer_keys(reading, "figure", shape.printed, file, "printed")
        refer_keys(reading, "variant", shape.loadouts, file, "loadouts")
        refer_frame(reading, shape.frame, file)
        loadouts = {}
        for variant, loadout in shape.loadouts.items():
            path = ("loadouts", variant)
            loadouts[variant] = build_of(reading, file, loadout, shape.name, shape.frame, path)
        mech = Mech(
            code=shape.code,
            name=shape.name,
            edition=shape.edition,
            frame=dict(shape.frame),
            loadouts=loadouts,
            printed=dict(shape.printed),
            silhouette=shape.silhouette,
            unknown=tuple(shape.unknown),
            known=dict(shape.known),
            note=shape.note,
            sources=tuple(shape.sources),
            where=file.where,
        )
        found.append((mech.code, file.at("code"), mech))
    return reading.unique("mech", found)


def build_of(
    reading: Reading,
    file: Shaped[Any],
    loadout: schema.LoadoutShape,
    name: str,
    frame: Mapping[str, str],
    path: tuple[int | str, ...],
) -> Build:
    """A construction; its ``places`` are the part, the part and slot (``胴.1``), and the frame."""
    refer_keys(reading, "part", loadout.mounted, file, *path, "mounted")
    places = {"frame": file.at("frame")}
    for part, cards in loadout.mounted.items():
        refer_each(reading, "card", cards, file, *path, "mounted", part)
        places[part] = file.at(*path, "mounted", part, key=True)
        for slot in range(len(cards)):
            places[f"{part}.{slot + 1}"] = file.at(*path, "mounted", part, slot)
    pilots = []
    for index, pilot in enumerate(loadout.pilots):
        refer_each(reading, "card", pilot.skills, file, *path, "pilots", index, "skills")
        where = file.at(*path, "pilots", index)
        pilots.append(Pilot(name=pilot.name, skills=tuple(pilot.skills), where=where))
    return Build(
        name=name,
        frame=dict(frame),
        mounted=lists(loadout.mounted),
        pilots=tuple(pilots),
        certainty=loadout.certainty,
        where=file.at(*path, key=True),
        places=places,
    )


def _errata_changes(reading: Reading, entry: Shaped[schema.ErratumShape]) -> Iterator[Change]:
    for index, change in enumerate(entry.shape.changes):
        path = ("changes", index)
        sorts = ("card", "deck", "mech", "list", "page")
        target = {sort: getattr(change, sort) for sort in sorts if getattr(change, sort)}
        if not target:
            message = f"Nothing says what is changed; allowed: {', '.join(sorts)}."
            reading.fault(entry.at(*path), checks.KEY, message, "Add one of them.")
        for sort, known in (("card", "card"), ("deck", "mech"), ("mech", "mech")):
            reading.refer(known, target.get(sort, ""), entry.at(*path, sort))
        yield Change(
            medium=entry.shape.medium,
            target=target,
            field=change.field,
            was=change.was,
            now=change.now,
            where=entry.at(*path),
            places={key: entry.at(*path, key) for key in ("field", "was", "now")},
        )


def read_errata(reading: Reading) -> tuple[Erratum, ...]:
    """The published corrections."""
    found = []
    for entry in reading.entries(schema.ErratumShape, "errata.yaml", "erratum"):
        shape = entry.shape
        reading.refer("edition", shape.set, entry.at("set"))
        reading.refer("source", shape.source, entry.at("source"))
        erratum = Erratum(
            id=shape.id,
            edition=shape.set,
            medium=shape.medium,
            changes=tuple(_errata_changes(reading, entry)),
            source=shape.source,
            date=shape.date,
            note=shape.note,
            where=entry.where,
        )
        found.append((erratum.id, entry.at("id"), erratum))
    return tuple(reading.unique("erratum", found).values())


def read_rulings(reading: Reading) -> tuple[Ruling, ...]:
    """The publisher's answers."""
    found = []
    for entry in reading.entries(schema.RulingShape, "rulings.yaml", "ruling"):
        shape = entry.shape
        refer_each(reading, "card", shape.cards, entry, "cards")
        reading.refer("source", shape.source, entry.at("source"))
        ruling = Ruling(
            id=shape.id,
            topic=shape.topic,
            ruling=shape.ruling,
            cards=tuple(shape.cards),
            rules=tuple(shape.rules),
            source=shape.source,
            where=entry.where,
        )
        found.append((ruling.id, entry.at("id"), ruling))
    return tuple(reading.unique("ruling", found).values())


def _lines(parts: Sequence[str | schema.LineShape], medium: Literal["table", "paper"]) -> str:
    """The lines of a note as they read on the table or on paper."""
    texts = [part if isinstance(part, str) else getattr(part, medium) or None for part in parts]
    return "\n".join(text for text in texts if text is not None)


def read_notes(reading: Reading) -> dict[str, Note]:
    """The notes of every file of notes/ by id, in the order of files and entries."""
    files = (
        reading.entries(schema.NoteShape, name, "note") for name in reading.files("notes", "note")
    )
    notes = []
    for entry in chain.from_iterable(files):
        shape = entry.shape
        note = Note(
            id=shape.id,
            title=shape.title,
            text=_lines(shape.text, "table"),
            paper=_lines(shape.text, "paper"),
            where=entry.where,
        )
        notes.append((note.id, entry.at("id"), note))
    return reading.unique("note", notes)
