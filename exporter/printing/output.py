"""From an order for paper to files: pages are planned, faces set as PDF or PNG.

Nothing is written here: ``exporter print`` writes the files of all its games, or none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from exporter.model import Game
from exporter.printing.jobs import SheetJob, Stationery
from exporter.printing.pdf import Document, assembled, face_forms, typeset
from exporter.printing.pdf.assembly import faces_of, joined, marks_of
from exporter.printing.pdf.forms import Sources
from exporter.printing.plans import Plan, Plans, PrintOrder, calibration_plans, plans
from exporter.problems import Faults, Problem, errors


class Printed(Struct, frozen=True):
    """A sheet: its file, or the folder of its pages; its bytes, pages and distinct faces."""

    path: Path
    size: int
    pages: int
    faces: int


class PrintResult(Struct, frozen=True):
    """All sheets of one run, problems that stopped nothing, and what to mind when printing.

    ``read`` counts the faces that were only looked at.
    """

    made: tuple[Printed, ...]
    problems: tuple[Problem, ...] = ()
    hints: tuple[str, ...] = ()
    read: int = 0


class Workroom(Struct, frozen=True):
    """Where faces come from: the templates, the game's folder, the cache; who watches.

    ``sheets`` is the folder of templates that has those of paper, ``faces`` the folders of faces,
    the first that has a file wins.
    """

    sheets: Path
    faces: tuple[Path, ...]
    folder: Path
    cache: Path | None = None
    progress: Callable[[int, int], None] | None = None


class Ready(Struct, frozen=True):
    """Files that are set and wait to be written, and what will then be said of them."""

    files: Mapping[Path, bytes]
    result: PrintResult


def set_sheets(
    game: Game,
    jobs: Mapping[str, SheetJob],
    stationery: Stationery,
    order: PrintOrder,
    room: Workroom,
    out: Path,
) -> Ready:
    """``out/<game>/<sheet>.pdf`` for every job asked for, not yet written.

    ``game`` is as printed, without its errata. Raises ``InvalidSource`` with every fault.
    """
    return _set_all(game, plans(game, jobs, stationery, order), order, room, out)


def set_calibration(
    game: Game, stationery: Stationery, order: PrintOrder, room: Workroom, out: Path
) -> Ready:
    """The calibration page alone: front and back of one sheet of the chosen paper."""
    found = Plans(tuple(calibration_plans(game, stationery, order)))
    return _set_all(game, found, order, room, out)


def look(
    game: Game,
    jobs: Mapping[str, SheetJob],
    stationery: Stationery,
    order: PrintOrder,
    room: Workroom,
) -> Ready:
    """Say what on the faces of the chosen jobs cannot be read, or not be told apart."""
    from exporter.printing.pdf.looks import check_looks

    found = plans(game, jobs, stationery, order)
    faces = dict.fromkeys(face for plan in found.files for face in faces_of(plan.pages))
    sources = Sources(room.faces, room.folder, room.cache)
    problems = (*found.notices, *check_looks(list(faces), sources))
    return Ready({}, PrintResult((), problems, found.said, read=len(faces)))


def _set_all(game: Game, plans: Plans, order: PrintOrder, room: Workroom, out: Path) -> Ready:
    """Every plan as a file. Raises ``InvalidSource`` with the faults of all of them."""
    faults = Faults()
    files: dict[Path, bytes] = {}
    made: list[Printed] = []
    problems = list(plans.notices)
    sources = Sources(room.faces, room.folder, room.cache, room.sheets)
    for number, plan in enumerate(plans.files):
        if room.progress:
            room.progress(number, len(plans.files))
        with faults.gathered():
            data, pages, faces, found = _set(plan, sources, room, order.saving)
            problems += found
            path, parts = _in_form(data, plan, order, out / game.id)
            files |= parts
            made.append(Printed(path, sum(map(len, parts.values())), pages, faces))
    faults.problems += errors(problems)
    faults.stop_if_any()
    hints = dict.fromkeys((*plans.said, *(plan.hint for plan in plans.files if plan.hint)))
    return Ready(files, PrintResult(tuple(made), tuple(sorted(set(problems))), tuple(hints)))


def _in_form(
    data: bytes, plan: Plan, order: PrintOrder, folder: Path
) -> tuple[Path, dict[Path, bytes]]:
    """A sheet's place and its files: one, or a picture of each page in a folder."""
    if order.form == "pdf":
        path = folder / f"{plan.name}.pdf"
        return path, {path: data}
    from exporter.printing.pdf.pictures import png_pages

    path = folder / plan.name
    pages = enumerate(png_pages(data, order.dpi), 1)
    return path, {path / f"{number:03}.png": page for number, page in pages}


def _set(
    plan: Plan, sources: Sources, room: Workroom, saving: bool
) -> tuple[bytes, int, int, tuple[Problem, ...]]:
    """A plan as PDF: its bytes, its number of pages and distinct faces, and warnings."""
    document = Document(plan.title, duplex=plan.duplex)
    if plan.document:
        data, problems = typeset(room.sheets, plan.document, plan.values, sources.cache, plan.where)
        whole, count = joined([data], document)
        return whole, count, 0, problems
    faces = faces_of(plan.pages)
    pdf, forms, problems = face_forms([*faces, *marks_of(plan.pages)], sources)
    if saving:
        from exporter.printing.pdf.saving import saving as saved

        greys: dict[tuple[int, int], Any] = {}
        forms |= {face: saved(pdf, forms[face], greys) for face in faces}
    shown = {spot.face for page in plan.pages for spot in page.spots}
    return assembled(pdf, plan.pages, forms, document), len(plan.pages), len(shown), problems
