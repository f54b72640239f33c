"""What is to be printed, page by page: jobs, presets and an order become plans of files.

Values in, values out: ``exporter.printing.output`` has the faces set and the files written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from exporter.faces import Face, card_back
from exporter.model import Build, Game, Name
from exporter.printing import printables
from exporter.printing.folding import box_page, dial_page, pawn_pages
from exporter.printing.jobs import Layout, Preset, SheetJob, Stationery
from exporter.printing.paper import Page, Paper
from exporter.printing.sheets import Piece, Setting, piece_pages
from exporter.printing.tiling import board_pages
from exporter.problems import COMMAND_LINE, Faults, InvalidSource, Problem, Where, nearest
from exporter.rules.loadouts import with_decks

PRESET = "home-a4"
"""For a job that names none."""

UNSAID = Layout()

CHANGED = "changed"
"""The file of the cards that errata changed."""

THICKNESS = 0.32
"""Millimetres of a card, where a box's job does not say: usual card stock of 300 g/m²."""


WHOLE = ("face", "dial", "document")
"""What is printed whole or not at all."""


class PrintOrder(Struct, frozen=True, kw_only=True):
    """A wish for paper. Empty values mean: every job, all of it, as the jobs and presets say."""

    sheets: tuple[str, ...] = ()
    preset: str = ""
    layout: Layout = UNSAID
    only: tuple[str, ...] = ()
    changed_by: tuple[str, ...] = ()
    changed_since: str = ""
    builds: tuple[str | Build, ...] = ()
    poster: str = ""
    form: str = "pdf"
    dpi: int = 300

    @property
    def is_of_errata(self) -> bool:
        """Whether only what errata changed is to be printed."""
        return bool(self.changed_by or self.changed_since)


class Plan(Struct, frozen=True):
    """A file to be: pages of faces, or a text that Typst sets."""

    name: str
    title: str
    pages: tuple[Page, ...] = ()
    document: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    duplex: str = ""
    hint: str = ""
    where: Where = Where()


def _preset(stationery: Stationery, name: str) -> Preset:
    if name in stationery.presets:
        return stationery.presets[name]
    message = f"There is no preset {name!r}."
    raise InvalidSource(
        [Problem(COMMAND_LINE, "PRESET", message, nearest(name, stationery.presets))]
    )


def chosen_setting(job: SheetJob, order: PrintOrder, stationery: Stationery) -> tuple[Setting, str]:
    """How a job lies on which paper, and what to mind when printing it so.

    What the order says goes first, then its preset, the job, the job's preset. Raises
    ``InvalidSource`` for unknown papers and presets, naming the nearest.
    """
    preset = _preset(stationery, order.preset or job.layout.preset or PRESET)
    inner = [preset.layout, job.layout]
    said: dict[str, Any] = {"paper": "a4", "where": job.where}
    for layout in (*(reversed(inner) if order.preset else inner), order.layout):
        said |= {name: value for name, value in asdict(layout).items() if value is not None}
    said.pop("preset", None)
    name = order.poster if order.poster and job.lay == "boards" else said["paper"]
    if name not in stationery.papers:
        message = f"There is no paper {name!r}."
        raise InvalidSource(
            [Problem(COMMAND_LINE, "PAPER", message, nearest(name, stationery.papers))]
        )
    paper = replace(stationery.papers[name], margin=preset.margin)
    return Setting(**said | {"paper": paper}), preset.hint


def chosen_jobs(game: Game, jobs: Mapping[str, SheetJob], names: Sequence[str]) -> list[SheetJob]:
    """The jobs with these ids, by default all. Raises ``InvalidSource`` naming the nearest."""
    problems = [
        Problem(COMMAND_LINE, "SHEET", f"{game.id} has no sheet {name!r}.", nearest(name, jobs))
        for name in names
        if name not in jobs
    ]
    if not jobs:
        message = f"{game.id} has no sheets to print."
        problems = [Problem(game.where, "SHEET", message, "Add a job such as sheets/cards.yaml.")]
    if problems:
        raise InvalidSource(problems)
    return [jobs[name] for name in dict.fromkeys(names or jobs)]


def plans(
    game: Game, jobs: Mapping[str, SheetJob], stationery: Stationery, order: PrintOrder
) -> tuple[list[Plan], list[Problem]]:
    """The files that are asked for, and notices. ``game`` is as printed, without its errata.

    Raises ``InvalidSource`` with every independent fault of jobs, order and paper.
    """
    faults = Faults()
    found: list[Plan] = []
    chosen: list[SheetJob] = []
    notices: list[Problem] = []
    ids: tuple[str, ...] | None = None
    with faults.gathered():
        chosen = chosen_jobs(game, jobs, order.sheets)
        if order.builds and not order.sheets:
            chosen = [job for job in chosen if job.lay == "mechs"]
        if order.only:
            chosen = [job for job in chosen if job.lay not in WHOLE]
    with faults.gathered():
        if order.is_of_errata:
            ids, notices = printables.chosen_errata(game, order.changed_by, order.changed_since)
    faults.problems += printables.check_only(game, jobs.values(), order.only)
    faults.stop_if_any()
    wanted = printables.Wanted(order.only, ids)
    if order.is_of_errata:
        found = _changed_plans(game, chosen, stationery, order, wanted, notices, faults)
    else:
        for job in chosen:
            with faults.gathered():
                found += _planned(game, job, stationery, order, wanted)
    if not found and not faults.problems:
        faults.problems.append(_nothing(game, order))
    faults.stop_if_any()
    return found, notices


def _nothing(game: Game, order: PrintOrder) -> Problem:
    """Why there is not a page."""
    if order.only:
        message = f"{game.id} has nothing called {', '.join(order.only)} on these sheets."
        return Problem(COMMAND_LINE, "ONLY", message, "Choose other sheets.")
    if order.builds and not order.sheets:
        message = f"{game.id} has no sheets of mechs."
        return Problem(COMMAND_LINE, "SHEET", message, "Add a job that lays mechs.")
    sheets = ", ".join(order.sheets) or "all its sheets"
    message = f"{game.id} has nothing of what {sheets} would lay."
    return Problem(COMMAND_LINE, "SHEET", message, "Look at what the jobs lay.")


CALIBRATION = SheetJob(
    id="calibration", name=Name("印刷の調整"), lay="document", document="calibration"
)
"""The page that shows by how much a printer shifts the backs."""


def calibration_plans(game: Game, stationery: Stationery, order: PrintOrder) -> list[Plan]:
    """The calibration page alone: front and back of one sheet of the chosen paper."""
    return _planned(game, CALIBRATION, stationery, order, printables.Wanted())


def _changed_plans(
    game: Game,
    jobs: Sequence[SheetJob],
    stationery: Stationery,
    order: PrintOrder,
    wanted: printables.Wanted,
    notices: Sequence[Problem],
    faults: Faults,
) -> list[Plan]:
    """The one file of all cards that the errata changed, laid as the first of their jobs is."""
    pieces: list[Piece] = []
    first: tuple[SheetJob, Setting, str] | None = None
    for job in jobs:
        if job.lay != "cards":
            continue
        with faults.gathered():
            setting, hint = chosen_setting(job, order, stationery)
            found = _pieces(game, job, setting, wanted)
            pieces += found
            if found and first is None:
                first = job, setting, hint
    if first is None:
        message = "None of the chosen errata changes the face of a card on these sheets."
        hint = "See exporter print --changed-by all."
        faults.problems += [*notices, Problem(COMMAND_LINE, "ERRATUM", message, hint)]
        return []
    title = f"{game.name.ja} エラッタ"
    with faults.gathered():
        return _piece_plans(*first, pieces, CHANGED, title)
    return []


def _pieces(game: Game, job: SheetJob, setting: Setting, wanted: printables.Wanted) -> list[Piece]:
    return printables.card_pieces(
        game, job, wanted, setting.size, setting.bleed, backs=setting.backs != "none"
    )


def _planned(
    game: Game,
    job: SheetJob,
    stationery: Stationery,
    order: PrintOrder,
    wanted: printables.Wanted,
) -> list[Plan]:
    """The files of one job. Raises ``InvalidSource``."""
    setting, hint = chosen_setting(job, order, stationery)
    paper = setting.paper
    title = f"{game.name.ja} {job.name.ja}"
    match job.lay:
        case "cards":
            pieces = _pieces(game, job, setting, wanted)
            return _piece_plans(job, setting, hint, pieces, job.id, title)
        case "mechs":
            pieces = printables.mech_pieces(game, job, order.only, order.builds)
            return _piece_plans(job, setting, hint, pieces, job.id, title)
        case "face":
            single = [Piece(front=printables.single_face(game, job))]
            alone = replace(setting, backs="none")
            return _piece_plans(job, alone, hint, single, job.id, title)
        case "boards":
            return _board_plans(game, job, setting, hint, order)
        case "pawns":
            faces = printables.pawn_faces(game, job, order.only)
            pages = pawn_pages(faces, paper, setting.gap[0] or 2, title) if faces else []
            return [Plan(job.id, title, tuple(pages), hint=hint)] if pages else []
        case "dial":
            page = _dial(game, job, paper)
            return [Plan(job.id, title, (page,), hint=hint)]
        case "box":
            pages = _boxes(game, job, paper, order.only)
            return [Plan(job.id, title, tuple(pages), hint=hint)] if pages else []
        case "document":
            values = printables.document_values(game, job)
            values |= {"paper": asdict(paper), "edge": setting.edge}
            return [Plan(job.id, title, (), job.document, values, hint=hint, where=job.where)]


def _piece_plans(
    job: SheetJob, setting: Setting, hint: str, pieces: Sequence[Piece], name: str, title: str
) -> list[Plan]:
    if not pieces:
        return []
    if all(piece.back is None for piece in pieces) and job.lay != "cards":
        setting = replace(setting, backs="none")
    elif job.lay == "mechs":
        # A build of a player's own has one side only; its sheet's back is that side again.
        pieces = [replace(piece, back=piece.back or piece.front) for piece in pieces]
    pages = piece_pages(setting, pieces, title)
    if setting.backs != "separate":
        duplex = setting.edge if setting.backs == "interleaved" else ""
        return [Plan(name, title, tuple(pages), duplex=duplex, hint=hint)]
    return [
        Plan(file, title, tuple(page for page in pages if page.side == side), hint=hint)
        for file, side in ((name, "front"), (f"{name}-backs", "back"))
    ]


def _board_plans(
    game: Game, job: SheetJob, setting: Setting, hint: str, order: PrintOrder
) -> list[Plan]:
    """One file for all boards of a job; posters are files of their own."""
    faults = Faults()
    pages: list[Page] = []
    paper = setting.paper
    for name, face in printables.board_faces(game, job, order.only).items():
        with faults.gathered():
            title = f"{game.name.ja} {_face_name(face) or name}"
            pages += board_pages(face, paper, setting.overlap, title, whole=bool(order.poster))
    faults.stop_if_any()
    file = f"{job.id}-{paper.id}" if order.poster else job.id
    title = f"{game.name.ja} {job.name.ja}"
    return [Plan(file, title, tuple(pages), hint=hint)] if pages else []


def _face_name(face: Face) -> str:
    """The name among a face's values, or nothing."""
    return str(json.loads(face.values).get("name", ""))


def _dial(game: Game, job: SheetJob, paper: Paper) -> Page:
    values = job.values
    face = printables.single_face(game, job)
    texts = (str(values.get("above", "上の板")), str(values.get("below", "下の板")))
    chambers = round(_number(job, "rounds", 10, 1, 100))
    at, hole = _number(job, "at", 0.34, 0, 0.5), _number(job, "hole", 0.11, 0, 0.5)
    return dial_page(face, paper, chambers, at, hole, texts)


def _number(job: SheetJob, key: str, default: float, least: float, most: float) -> float:
    """A number among a job's ``values``. Raises ``InvalidSource``."""
    value = job.values.get(key, default)
    if isinstance(value, int | float) and least <= value <= most:
        return value
    message = f"values: {key}: found {value!r}; allowed: a number from {least:g} to {most:g}."
    raise InvalidSource([Problem(job.where, "VALUE", message, f"Example: {default:g}.")])


def _boxes(game: Game, job: SheetJob, paper: Paper, only: Sequence[str]) -> list[Page]:
    """A box for the deck of each mech, by its number of cards."""
    faults = Faults()
    thickness = _number(job, "thickness", THICKNESS, 0.01, 10)
    size = game.faces[job.face].size if job.face else (63, 88)
    counts: dict[str, int] = {}
    covers: dict[str, Face] = {}
    for entry in with_decks(game).decks:
        counts[entry.deck] = counts.get(entry.deck, 0) + entry.copies
        card = game.card(entry.card)
        if card is not None and game.kinds[card.kind].back:
            covers.setdefault(entry.deck, card_back(game, entry.of(card)))
    pages = []
    for deck, count in counts.items():
        cover = covers.get(deck)
        if cover is not None and (cover.width, cover.height) != size:
            cover = None
        if printables.is_named(only, printables.deck_names(game, deck)):
            with faults.gathered():
                mech = game.mechs.get(deck)
                title = f"{deck} {mech.name}" if mech and mech.name != deck else deck
                pages.append(box_page(count, size, thickness, title, paper, job.where, cover))
    faults.stop_if_any()
    return pages
