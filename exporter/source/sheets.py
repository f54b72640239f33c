"""Print jobs of a game folder, and the papers and presets that all games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from exporter.faces import LOADOUT_NAMES
from exporter.model import Declaration, FaceStyle, Game, Take
from exporter.model.fields import MOST_REPEATED
from exporter.printing.jobs import Column, Ground, Layout, Preset, SheetJob, Stationery
from exporter.printing.paper import Paper
from exporter.problems import InvalidSource, Problem, told
from exporter.schema import sheets as schema
from exporter.source import checks
from exporter.source.faces import check_shown
from exporter.source.game import known_names
from exporter.source.reading import Reading
from exporter.source.repeats import check_selections
from exporter.source.rooms import fields_of, read_selection
from exporter.source.shapes import Shaped, described
from exporter.source.styles import OwnValues, declarations, read_values
from exporter.source.things import name_of, refer_each

PAPERS = "papers.yaml"

NEEDED = {
    "cards": ("cards",),
    "mechs": ("face",),
    "face": ("face",),
    "pawns": ("face",),
    "dial": ("face",),
    "document": ("document",),
    "list": ("cards", "columns"),
    "forms": ("columns", "values"),
    "leaflet": ("notes",),
}
"""The keys that a job has to have, by what it lays and by its document."""

FORM = ("heading", "fields", "lines", "count")
"""What the ``values`` of forms have to say."""


def _layout(shape: schema.LayoutShape) -> Layout:
    return Layout(**{name: getattr(shape, name) for name in schema.LayoutShape.__struct_fields__})


def read_stationery(folders: Sequence[Path]) -> Stationery:
    """Papers and presets of every papers.yaml in ``folders``; the first that has an id wins.

    Raises ``InvalidSource`` with every fault of all of them.
    """
    papers: dict[str, Paper] = {}
    presets: dict[str, Preset] = {}
    problems: list[Problem] = []
    for folder in reversed(folders):
        reading = Reading(folder)
        if reading.exists(PAPERS):
            _read_stationery(reading, papers, presets)
        problems += reading.problems
    if problems:
        raise InvalidSource(problems)
    return Stationery(papers=papers, presets=presets)


def _read_stationery(
    reading: Reading, papers: dict[str, Paper], presets: dict[str, Preset]
) -> None:
    """Adds those of one folder to those already known."""
    found = reading.one(schema.StationeryShape, PAPERS, "preset")
    if found is None:
        return
    for key, paper in found.shape.papers.items():
        papers[key] = Paper(id=key, width=paper.size[0], height=paper.size[1])
    for key, preset in found.shape.presets.items():
        reading.refer("paper", preset.paper or "", found.at("presets", key, "paper"))
        presets[key] = Preset(
            id=key,
            name=preset.name,
            layout=_layout(preset),
            margin=preset.margin,
            hint=preset.hint,
            where=found.at("presets", key),
        )
    reading.resolve({"paper": papers})


def read_jobs(folder: Path, game: Game, stationery: Stationery) -> dict[str, SheetJob]:
    """The print jobs of a game by id, in the order of files.

    Raises ``InvalidSource`` with every fault of every file.
    """
    reading = Reading(folder)
    found = [
        (file.shape.id, file.at("id"), _job(reading, file, game))
        for file in reading.each(schema.SheetShape, "sheets", "sheet")
    ]
    jobs = reading.unique("sheet", found)
    known = dict(known_names(reading, game))
    reading.resolve(known | {"paper": stationery.papers, "preset": stationery.presets})
    reading.problems += check_selections(game, (job.cards for job in jobs.values()))
    if reading.problems:
        raise InvalidSource(reading.problems)
    return jobs


def _check_needed(reading: Reading, file: Shaped[Any]) -> None:
    """A fault for each key without which a job has nothing to lay."""
    shape: schema.SheetShape = file.shape
    given = {name for name in shape.__struct_fields__ if getattr(shape, name)}
    if shape.decks and shape.lay == "cards":
        given.add("cards")
    for key, word in (("lay", shape.lay), ("document", shape.document or "")):
        for name in NEEDED.get(word, ()):
            if name not in given and file.is_sound(key) and file.is_sound(name):
                message = f"{key}: {word} needs the key {name!r} too."
                reading.fault(file.at(key), checks.KEY, message, f"Add `{name}:`.")
    if shape.document == "forms" and shape.values:
        missing = [name for name in FORM if name not in shape.values]
        if missing:
            message = f"document: forms needs {checks.listed(missing)} among its values too."
            reading.fault(file.at("values"), checks.KEY, message)
        count = shape.values.get("count", 1)
        if not (type(count) is int and 1 <= count <= MOST_REPEATED):
            sentence = "values: count: found {found}; allowed: a whole number, 1 to {most}."
            where, found = file.at("values", "count"), described(count)
            problem = told(where, checks.VALUE, sentence, found=found, most=MOST_REPEATED)
            reading.problems.append(problem)


_SHARE = Take(type="measure", least=0, most=0.5)
_TEXT = Take(type="text")
_OWN_VALUES: Mapping[str, Mapping[str, Take]] = {
    "mechs": {},
    "face": {},
    "pawns": {},
    "dial": {
        "rounds": Take(type="number", least=1, most=99),
        "at": _SHARE,
        "hole": _SHARE,
        "above": _TEXT,
        "below": _TEXT,
    },
    "box": {"thickness": Take(type="measure", least=0.01, most=10)},
}
"""What jobs take themselves of their values; their face takes the others, documents any."""


def _values(
    reading: Reading, file: Shaped[schema.SheetShape], faces: Mapping[str, FaceStyle]
) -> OwnValues:
    """The values of a job, as it takes them and the template of its face."""
    shape = file.shape
    if shape.lay == "document":
        return OwnValues(shape.values)
    if shape.values and shape.lay not in _OWN_VALUES:
        message = f"A job that is `lay: {shape.lay}` has no values of its own."
        hint = "Delete them, or give them to the face style in game.yaml."
        reading.fault(file.at("values", key=True), checks.KEY, message, hint)
        return OwnValues({})
    style = faces.get(shape.face)
    shown = style.declaration if style else None
    if shape.lay == "box":  # shows no face
        shown = Declaration(says="", takes={})
    own = _OWN_VALUES.get(shape.lay, {})
    return read_values(reading, file, ("values",), shape.values, shown, besides=own)


def _ground(reading: Reading, template: str) -> Ground:
    """A template that draws bleed, with what it takes."""
    found, problems = declarations([template])
    reading.problems += problems
    return Ground(template=template, declaration=found.get(template))


def _job(reading: Reading, file: Shaped[Any], game: Game) -> SheetJob:
    shape: schema.SheetShape = file.shape
    _check_needed(reading, file)
    for sort in ("paper", "preset"):
        reading.refer(sort, getattr(shape, sort) or "", file.at(sort))
    for side in ("face", "back"):
        reading.refer("face", getattr(shape, side), file.at(side))
    refer_each(reading, "note", shape.notes, file, "notes")
    boards = tuple(tuple(part.strip() for part in text.split("+")) for text in shape.boards)
    for index, parts in enumerate(boards):
        for part in parts:
            reading.refer("board", part, file.at("boards", index))
    cards = shape.cards
    refer_each(reading, fields_of(cards), shape.by, file, "by")
    for index, column in enumerate(shape.columns):
        for name in column.field.split("+"):
            reading.refer(fields_of(cards), name, file.at("columns", index, "field"))
    values = _values(reading, file, game.faces)
    if shape.lay in ("face", "dial", "mechs", "pawns"):
        gets = LOADOUT_NAMES if shape.lay in ("mechs", "pawns") else ()
        for name in dict.fromkeys((shape.face, shape.back)):
            style = game.faces.get(name)
            reading.problems += check_shown(game, style, values.values, gets, file.at("face"))
    return SheetJob(
        id=shape.id,
        name=name_of(shape.name),
        lay=shape.lay,
        layout=_layout(shape),
        decks=shape.decks,
        cards=read_selection(reading, cards, file, ("cards",)) if cards else None,
        ground=_ground(reading, shape.ground) if shape.ground else None,
        face=shape.face,
        back=shape.back,
        boards=boards,
        document=shape.document or "",
        columns=tuple(
            Column(title=column.title, field=column.field, width=column.width)
            for column in shape.columns
        ),
        by=tuple(shape.by),
        words=shape.words,
        notes=tuple(shape.notes),
        icons=shape.icons,
        values=values.values,
        blanks=values.blanks,
        where=file.where,
    )
