"""Print jobs of a game folder, and the papers and presets that all games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    listed,
    stop_for,
)
from exporter.faces.card_faces import LOADOUT_NAMES
from exporter.faces.style_values import declarations
from exporter.loader.consistency import check_selections
from exporter.loader.game_reader import known_names
from exporter.loader.layout_files import check_selection
from exporter.loader.load_context import LoadContext
from exporter.loader.style_files import check_slots, read_values
from exporter.model import (
    Declaration,
    FaceStyle,
    Game,
    Take,
)
from exporter.model.forms import fields_of
from exporter.model.print_jobs import (
    Document,
    FaceGround,
    Paper,
    Preset,
    SheetJob,
    Shop,
    Stationery,
)
from exporter.model.shape import MOST_REPEATED

PAPERS = "papers.yaml"

# The keys that a job has to have, by what it lays and by its document.
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


def read_stationery(folders: Sequence[Path]) -> Stationery:
    """Read papers, presets and shops of every papers.yaml in ``folders``; the first of an id wins.

    Raises ``InvalidSource`` with every fault of all of them.
    """
    papers: dict[str, Paper] = {}
    presets: dict[str, Preset] = {}
    shops: dict[str, Shop] = {}
    problems: list[Problem] = []
    for folder in reversed(folders):
        reading = LoadContext(folder)
        found = reading.one(Stationery, PAPERS, "preset") if reading.exists(PAPERS) else None
        if found is not None:
            papers |= found.papers
            presets |= found.presets
            shops |= found.shops
            reading.resolve({"paper": papers})
        problems += reading.problems
    stop_for(problems)
    return Stationery(papers=papers, presets=presets, shops=shops)


def read_jobs(folder: Path, game: Game, stationery: Stationery) -> dict[str, SheetJob]:
    """Read the print jobs of a game by id, in the order of files.

    Raises ``InvalidSource`` with every fault of every file.
    """
    reading = LoadContext(folder)
    found = [
        (job.id, job.place("id"), _job(reading, job, game))
        for job in reading.each(SheetJob, "sheets", "sheet")
    ]
    jobs = reading.unique("sheet", found)
    known = dict(known_names(reading, game))
    reading.resolve(known | {"paper": stationery.papers, "preset": stationery.presets})
    reading.problems += check_selections(game, (job.cards for job in jobs.values()))
    stop_for(reading.problems)
    return jobs


def _check_needed(reading: LoadContext, job: SheetJob) -> None:
    """Note each key without which a job has nothing to lay."""
    given = {name for name in job.__struct_fields__ if getattr(job, name)}
    if job.decks and job.lay == "cards":
        given.add("cards")
    for key, word in (("lay", job.lay), ("document", job.document or "")):
        for name in NEEDED.get(word, ()):
            if name not in given and job.is_sound(key) and job.is_sound(name):
                reading.fault(
                    job.place(key),
                    "SRC-KEY",
                    "needs-document" if name == "document" else "needs-key-too",
                    name=key,
                    word=word,
                    name2=name,
                    allowed=listed(get_args(Document)),
                    example=fields_of(SheetJob).keys[name].example,
                )
    if job.document == "forms" and job.values:
        missing = [name for name in _OWN_VALUES["forms"] if name not in job.values]
        if missing:
            reading.fault(
                job.place("values"), "SRC-KEY", "document-forms-needs", allowed=listed(missing)
            )


_SHARE = Take(type="measure", least=0, most=0.5)
_TEXT = Take(type="text")
_TEXTS = Take(list=_TEXT, most=MOST_REPEATED)
# What jobs take themselves of their values; their face takes the others, other documents any.
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
    "forms": {
        "heading": _TEXT,
        "fields": _TEXTS,
        "lines": _TEXTS,
        "count": Take(type="number", least=1, most=MOST_REPEATED),
    },
}


def _values(
    reading: LoadContext, job: SheetJob, faces: Mapping[str, FaceStyle]
) -> Mapping[str, Any]:
    """Return the values of a job, as it takes them and the template of its face."""
    lays = job.document or "" if job.lay == "document" else job.lay
    if job.lay == "document" and lays not in _OWN_VALUES:
        return job.values
    if job.values and lays not in _OWN_VALUES:
        reading.fault(job.place("values", key=True), "SRC-KEY", "job-lay-no", lay=job.lay)
        return {}
    style = faces.get(job.face)
    shown = style.declaration if style else None
    if lays in ("box", "forms"):  # which show no face
        shown = Declaration(takes={})
    return read_values(reading, job, job.values, shown, besides=_OWN_VALUES.get(lays, {}))


def _job(reading: LoadContext, job: SheetJob, game: Game) -> SheetJob:
    _check_needed(reading, job)
    check_selection(reading, job.cards)
    job = replace(job, values=_values(reading, job, game.faces))
    if job.lay in ("face", "dial", "mechs", "pawns"):
        gets = LOADOUT_NAMES if job.lay in ("mechs", "pawns") else ()
        for name in dict.fromkeys((job.face, job.back)):
            style = game.faces.get(name)
            reading.problems += check_slots(game, style, job.values, gets, job.place("face"))
    template = job.ground_template
    if not template:
        return job
    found, problems = declarations([template])
    reading.problems += problems
    return replace(job, ground=FaceGround(template=template, declaration=found.get(template)))
