"""Print jobs of a game folder, and the papers and presets that all games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from exporter.faces import LOADOUT_NAMES
from exporter.model import Declaration, FaceStyle, Game, Take
from exporter.model.fields import MOST_REPEATED
from exporter.printing.jobs import Ground, Preset, SheetJob, Stationery
from exporter.printing.paper import Paper
from exporter.problems import InvalidSource, Problem, told
from exporter.source import checks
from exporter.source.faces import check_shown
from exporter.source.game import known_names
from exporter.source.reading import Reading
from exporter.source.repeats import check_selections
from exporter.source.rooms import check_selection
from exporter.source.shapes import described
from exporter.source.styles import declarations, read_values

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
    found = reading.one(Stationery, PAPERS, "preset")
    if found is not None:
        papers |= found.shape.papers
        presets |= found.shape.presets
        reading.resolve({"paper": papers})


def read_jobs(folder: Path, game: Game, stationery: Stationery) -> dict[str, SheetJob]:
    """The print jobs of a game by id, in the order of files.

    Raises ``InvalidSource`` with every fault of every file.
    """
    reading = Reading(folder)
    found = [
        (file.shape.id, file.at("id"), _job(reading, file.shape, game))
        for file in reading.each(SheetJob, "sheets", "sheet")
    ]
    jobs = reading.unique("sheet", found)
    known = dict(known_names(reading, game))
    reading.resolve(known | {"paper": stationery.papers, "preset": stationery.presets})
    reading.problems += check_selections(game, (job.cards for job in jobs.values()))
    if reading.problems:
        raise InvalidSource(reading.problems)
    return jobs


def _check_needed(reading: Reading, job: SheetJob) -> None:
    """A fault for each key without which a job has nothing to lay."""
    given = {name for name in job.__struct_fields__ if getattr(job, name)}
    if job.decks and job.lay == "cards":
        given.add("cards")
    for key, word in (("lay", job.lay), ("document", job.document or "")):
        for name in NEEDED.get(word, ()):
            if name not in given and job.is_sound(key) and job.is_sound(name):
                message = f"{key}: {word} needs the key {name!r} too."
                reading.fault(job.place(key), checks.KEY, message, f"Add `{name}:`.")
    if job.document == "forms" and job.values:
        missing = [name for name in FORM if name not in job.values]
        if missing:
            message = f"document: forms needs {checks.listed(missing)} among its values too."
            reading.fault(job.place("values"), checks.KEY, message)
        count = job.values.get("count", 1)
        if not (type(count) is int and 1 <= count <= MOST_REPEATED):
            sentence = "values: count: found {found}; allowed: a whole number, 1 to {most}."
            where, found = job.place("values", "count"), described(count)
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


def _values(reading: Reading, job: SheetJob, faces: Mapping[str, FaceStyle]) -> Mapping[str, Any]:
    """The values of a job, as it takes them and the template of its face."""
    if job.lay == "document":
        return job.values
    if job.values and job.lay not in _OWN_VALUES:
        message = f"A job that is `lay: {job.lay}` has no values of its own."
        hint = "Delete them, or give them to the face style in game.yaml."
        reading.fault(job.place("values", key=True), checks.KEY, message, hint)
        return {}
    style = faces.get(job.face)
    shown = style.declaration if style else None
    if job.lay == "box":  # shows no face
        shown = Declaration(says="", takes={})
    own = _OWN_VALUES.get(job.lay, {})
    return read_values(reading, job, job.values, shown, besides=own)


def _ground(reading: Reading, template: str) -> Ground:
    """A template that draws bleed, with what it takes."""
    found, problems = declarations([template])
    reading.problems += problems
    return Ground(template=template, declaration=found.get(template))


def _job(reading: Reading, job: SheetJob, game: Game) -> SheetJob:
    _check_needed(reading, job)
    check_selection(reading, job.cards)
    job = replace(job, values=_values(reading, job, game.faces))
    if job.lay in ("face", "dial", "mechs", "pawns"):
        gets = LOADOUT_NAMES if job.lay in ("mechs", "pawns") else ()
        for name in dict.fromkeys((job.face, job.back)):
            style = game.faces.get(name)
            reading.problems += check_shown(game, style, job.values, gets, job.place("face"))
    return (
        replace(job, ground=_ground(reading, job.ground_template)) if job.ground_template else job
    )
