"""Turn a print order into bytes: plan pages, set faces, return PDF or PNG.

Writes no files: ``exporter.app.make_files`` writes those of all games, or none.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path

from msgspec import convert
from msgspec.structs import replace

from exporter.app.games import (
    NameOrPath,
    Several,
    day,
    folders_of,
    stationery,
)
from exporter.app.make_files import (
    Builds,
    Made,
    Outline,
    Outlines,
    Result,
    make,
)
from exporter.core.cache import cache_folder
from exporter.core.messages import Sentence, sentence
from exporter.core.problems import (
    Faults,
    Problem,
    errors,
)
from exporter.core.shipped_files import template_folders
from exporter.core.worker_process import Progress
from exporter.loader.print_job_files import read_jobs
from exporter.model.print_jobs import (
    PrintOrder,
    Shop,
)
from exporter.printing.pdf_sheets import (
    Sources,
    finished_document,
    png_pages,
    set_pages,
)
from exporter.printing.print_plans import (
    Plan,
    Plans,
    calibration_plans,
    mat_plans,
    plans,
)
from exporter.printing.shops import (
    page_order,
    picture_names,
    quantities,
    with_proof,
    within_safe,
    without_bleed,
)
from exporter.printing.text_pages import typeset
from exporter.rules.project import Project

# Pixels an inch of a shop's pictures, where it does not count pixels.
DENSITY = 300


def sources_of(folder: Path) -> Sources:
    """Return the templates that commands use, with the folder of a game and the user's cache."""
    return Sources(template_folders("faces"), folder, cache_folder())


def print_sheets(
    games: Several,
    out: NameOrPath = "output",
    order: PrintOrder | None = None,
    *,
    source: NameOrPath | None = None,
    is_optional: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Write ``out/<game>/<sheet>.pdf``, or a folder with a PNG a page, for every sheet ordered.

    By default every sheet there is; where it ``is_optional``, a game without any is passed over.
    Raises ``InvalidSource``; ``ValueError`` for such paper as no printer has.
    """
    ordered = _checked(order)
    plan = partial(sheet_files, order=ordered, out=Path(out), is_optional=is_optional)
    paint = partial(set_sheets, order=ordered, progress=progress)
    return make(folders_of(games, source), ordered.builds, plan, paint)


def look_at_sheets(
    games: Several,
    order: PrintOrder | None = None,
    *,
    source: NameOrPath | None = None,
    is_optional: bool = False,
) -> Result:
    """Say what on printed faces is hard to read, or to tell apart: ``problems``; nothing is made.

    ``read`` counts the faces that were looked at. Raises ``InvalidSource``;
    ``ValueError`` for such paper as no printer has.
    """
    ordered = _checked(order)
    plan = partial(sheet_files, order=ordered, out=Path(), is_optional=is_optional)
    return make(folders_of(games, source), ordered.builds, plan, look)


def _checked(order: PrintOrder | None) -> PrintOrder:
    """Return an order that the command would take. Raises ``ValueError``."""
    order = order or PrintOrder()
    convert({name: getattr(order, name) for name in order.__struct_fields__}, PrintOrder)
    return replace(order, changed_since=day(order.changed_since))


def sheet_files(
    project: Project, builds: Builds, *, order: PrintOrder, out: Path, is_optional: bool
) -> Outline[Plan]:
    """Plan ``out/<game>/<sheet>.pdf`` for every job of the order. Raises ``InvalidSource``.

    With ``is_optional`` a game without jobs is no error and has no files.
    """
    papers = stationery()
    game = project.with_samples(wanted=order.samples).game
    jobs = {} if order.calibrate else read_jobs(project.folder, game, papers)
    if is_optional and not (jobs or order.calibrate):
        return Outline()
    found = (builds.get(one, (one,)) if isinstance(one, str) else (one,) for one in order.builds)
    order = replace(order, builds=tuple(chain.from_iterable(found)))
    if order.calibrate:
        planned = calibration_plans(game, papers, order)
    elif order.mats:
        planned = mat_plans(game, papers, order)
    else:
        planned = plans(game, jobs, papers, order)
    return sheet_outline(planned, out / game.id, order)


def sheet_outline(found: Plans, folder: Path, order: PrintOrder) -> Outline[Plan]:
    """Give each plan its path: a PDF file, or a folder for PNG pages."""
    forms = (plan.shop.form if plan.shop else order.form for plan in found.files)
    files = tuple(
        (folder / f"{plan.name}{'.pdf' if form == 'pdf' else ''}", plan)
        for plan, form in zip(found.files, forms, strict=True)
    )
    return Outline(files, found.notices, found.remarks)


def set_sheets(
    outlines: Outlines[Plan], order: PrintOrder, progress: Progress | None = None
) -> Result:
    """Set every sheet of all games. Raises ``InvalidSource`` with the problems of all of them.

    ``progress`` is called before each sheet with its index and the number of sheets.
    """
    faults = Faults()
    made: list[Made] = []
    problems: list[Problem] = []
    sheets = [(folder, *file) for folder, each in outlines.items() for file in each.files]
    for number, (folder, path, plan) in enumerate(sheets):
        if progress:
            progress(number, len(sheets))
        with faults.collect():
            if plan.shop is not None:
                file, found = _set_for_shop(plan, plan.shop, path, sources_of(folder))
            else:
                file, found = _set(plan, path, sources_of(folder), order)
            problems += found
            made.append(file)
    faults.problems += errors(problems)
    faults.stop_if_any()
    hints = (plan.setting.hint for _folder, _path, plan in sheets if plan.setting)
    remarks = tuple(
        sentence("printed", "preset", hint=hint) for hint in hints if hint.ja or hint.en
    )
    return Result(tuple(made), tuple(problems), remarks)


def look(outlines: Outlines[Plan]) -> Result:
    """Report what on the faces of the planned sheets is hard to read or to distinguish."""
    from exporter.printing.print_checks import (
        check_looks,
        check_small,
        printed_scales,
    )

    problems: list[Problem] = []
    remarks: list[Sentence] = []
    read = 0
    for folder, outline in outlines.items():
        plans = (plan for _path, plan in outline.files)
        faces = printed_scales(page for plan in plans for page in plan.pages)
        problems += check_looks(faces, sources_of(folder))
        found, notes = check_small(faces, sources_of(folder))
        problems += found
        remarks += notes
        read += len(faces)
    return Result(problems=tuple(problems), remarks=tuple(remarks), read=read, found=len(problems))


def _set_for_shop(
    plan: Plan, shop: Shop, path: Path, sources: Sources
) -> tuple[Made, tuple[Problem, ...]]:
    """Set the cards of a shop's file; return warnings, too."""
    from exporter.printing.press import press_pdf, reordered

    different = list(dict.fromkeys(plan.pages))
    alone, _ = set_pages([without_bleed(page) for page in different], sources, plan.title)
    pages = within_safe(different, alone, shop)
    if plan.is_proof:
        pages = [with_proof(page, shop) for page in pages]
    data, problems = set_pages(pages, sources, plan.title)
    order = page_order(plan.pages, plan.copies, shop)
    if shop.form == "png":
        pictures = list(png_pages(data, DENSITY, shop.pixels))
        names = picture_names(plan.copies, shop)
        files = {path / name: pictures[n] for name, n in zip(names, order, strict=True)}
        files[path / "quantities.csv"] = quantities(plan.copies)
    else:
        is_rgb = shop.colour == "rgb"
        data = reordered(data, order) if is_rgb else press_pdf(data, shop, order, plan.title)
        files = {path: data}
        if not shop.repeats:
            files[path.with_suffix(".csv")] = quantities(plan.copies)
    return Made(path, files, ((len(plan.pages), "page"), (len(plan.copies), "face"))), problems


def _set(
    plan: Plan, path: Path, sources: Sources, order: PrintOrder
) -> tuple[Made, tuple[Problem, ...]]:
    """Set a plan as PDF or PNGs; return warnings, too."""
    if plan.document:
        data, problems = typeset(plan.document, plan.values, plan.where)
        data, count = finished_document(data, plan.title, plan.duplex)
        counts: tuple[tuple[int, str], ...] = ((count, "page"),)
    else:
        pages = plan.pages
        if plan.stickers and plan.setting:
            from exporter.printing.stickers import sticker_pages

            pages = tuple(sticker_pages(plan.stickers, plan.setting, sources))
        data, problems = set_pages(
            pages, sources, plan.title, duplex=plan.duplex, saving=order.saving
        )
        shown = {spot.face for page in pages for spot in page.spots}
        counts = ((len(pages), "page"), (len(shown), "face"))
    files = {path: data}
    if order.form == "png":
        numbered = enumerate(png_pages(data, order.dpi), 1)
        files = {path / f"{number:03}.png": page for number, page in numbered}
    return Made(path, files, counts), problems
