"""Plan what is printed, page by page: jobs, presets and an order become plans of files.

Pure: ``exporter.app.print_files`` sets the faces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.file_writer import IN_NO_NAME
from exporter.core.messages import (
    Sentence,
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    SourceLocation,
    each_of,
    error_at,
    nearest,
    problem_at,
    stop_for,
)
from exporter.faces.card_faces import Face, card_back
from exporter.faces.style_values import PLAIN_STYLES
from exporter.model import (
    Game,
    Name,
)
from exporter.model.print_jobs import (
    Edge,
    Paper,
    PaperLayout,
    PrintOrder,
    SheetJob,
    Shop,
    Stationery,
)
from exporter.printing import printables
from exporter.printing.assembly import (
    board_pages,
    box_page,
    dial_page,
    pawn_pages,
)
from exporter.printing.imposition import (
    Piece,
    Setting,
    Sheet,
    is_mostly_empty,
    packed,
    piece_pages,
    shared_sheet,
)
from exporter.printing.print_selection import (
    CHOOSING,
    Kit,
    Printable,
    check_only,
    chosen_kits,
    following,
    left_kits,
    options_of,
    stocked,
    unheeded,
    words_of,
)
from exporter.printing.printables import document_values
from exporter.printing.sheet_pages import Page
from exporter.printing.shops import PieceCopies, is_of_size, shop_decks, shop_setting

T = TypeVar("T")

# The preset of a job that names none.
PRESET = "home-a4"

# Names of the files of cards that errata changed, and of stickers for them.
CHANGED, STICKERS = "changed", "stickers"

# Name of the file of sheets that would be mostly empty, before that of their paper.
SHARED = "shared"

# Name of the file of all that ordered mechs and decks bring.
KIT = "kit"

# Default thickness of a card in mm, for boxes: card stock of 300 g/m².
THICKNESS = 0.32


class Plans(Struct, frozen=True):
    """The files of a run, its notices and messages; ``left`` are the jobs without a file."""

    files: tuple[Plan, ...]
    notices: tuple[Problem, ...] = ()
    remarks: tuple[Translated, ...] = ()
    left: tuple[SheetJob, ...] = ()


class Plan(Struct, frozen=True):
    """A file to print: pages of faces, or a Typst document with its values.

    For a ``shop`` it has the pages of distinct cards, and how many ``copies`` there are of each.
    Of ``stickers`` it has no pages: which parts of their faces changed is seen when these are set.
    Without a ``setting`` its pages are not shared with other files.
    """

    name: str
    title: str
    pages: tuple[Page, ...] = ()
    document: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    duplex: str = ""
    setting: Setting | None = None
    where: SourceLocation = SourceLocation()
    shop: Shop | None = None
    copies: tuple[PieceCopies, ...] = ()
    is_proof: bool = False
    stickers: tuple[Piece, ...] = ()

    @property
    def sheets(self) -> list[Sheet]:
        """Return the pages by the sheet of paper that they are printed on."""
        step = 2 if self.duplex else 1
        return [self.pages[at : at + step] for at in range(0, len(self.pages), step)]


def _named(things: Mapping[str, T], name: str, rule: str, key: str) -> T:
    """Return what is called so. Raises ``InvalidSource``, naming the nearest."""
    if name in things:
        return things[name]
    raise error_at(COMMAND_LINE, rule, key, name=name, nearest=nearest(name, things))


def chosen_setting(job: SheetJob, order: PrintOrder, stationery: Stationery) -> Setting:
    """Return a job's paper and layout.

    The order wins, then its preset, the job, the job's preset. To the size of a preset nothing is
    scaled unless the order asks for it. Raises ``InvalidSource`` for unknown papers and presets,
    naming the nearest.
    """
    preset = _named(stationery.presets, order.preset or job.preset or PRESET, "PRESET", "no-preset")
    inner: list[PaperLayout] = [preset, job]
    values: dict[str, Any] = {"paper": "a4", "where": job.where}
    for layout in (*(reversed(inner) if order.preset else inner), order):
        values |= layout.given
    values.pop("preset", None)
    name = order.poster if order.poster and job.lay == "boards" else values["paper"]
    paper = replace(_named(stationery.papers, name, "PAPER", "no-paper"), margin=preset.margin)
    own = order.size or (None if order.preset and preset.size else job.size)
    scaled = order.scale_to_fit or own is not None
    return Setting(**values | {"paper": paper, "hint": preset.hint, "scale_to_fit": scaled})


def chosen_jobs(game: Game, jobs: Mapping[str, SheetJob], names: Sequence[str]) -> list[SheetJob]:
    """Return the jobs with these ids, by default all. Raises ``InvalidSource`` for unknown ids."""
    problems = [
        problem_at(
            COMMAND_LINE, "SHEET", "no-sheet", game=game.id, name=name, nearest=nearest(name, jobs)
        )
        for name in names
        if name not in jobs
    ]
    if not jobs:
        problems = [problem_at(game.where, "SHEET", "no-sheets-print", game=game.id)]
    stop_for(problems)
    return [jobs[name] for name in dict.fromkeys(names or jobs)]


def plans(
    game: Game, jobs: Mapping[str, SheetJob], stationery: Stationery, order: PrintOrder
) -> Plans:
    """Plan the files of an order. ``game`` has no errata laid over it.

    Raises ``InvalidSource`` with every independent problem of jobs, order and paper.
    """
    faults = Faults()
    options = options_of(order)
    chosen: list[SheetJob] = []
    wanted: list[SheetJob] = []
    shop: Shop | None = None
    with faults.collect():
        chosen = chosen_jobs(game, jobs, order.sheets)
        wanted = following(game, chosen, options, order.sheets)
    if order.shop:
        wanted = [job for job in wanted if job.lay == "cards"]
        if decided := ", ".join(option for option in options if option not in CHOOSING):
            faults.problems.append(problem_at(COMMAND_LINE, "SHOP", "decides", options=decided))
        with faults.collect():
            shop = _named(stationery.shops, order.shop, "SHOP", "no-shop")
    with faults.collect():
        errata, notices = printables.chosen_errata(game, order)
    with faults.collect():
        stock = stocked(game, order)
        check_only(stock, jobs.values(), wanted)
    faults.stop_if_any()
    found: dict[str, list[Plan]] = {}
    others: list[Piece] = []
    for job in wanted if shop or errata is None else ():
        with faults.collect():
            if shop:
                found[job.id], other = _shop_plans(stock, job, stationery, order, shop, errata)
                others += other
            else:
                found[job.id] = _planned(stock, job, stationery, order)
    if errata is not None and not shop:
        with faults.collect():
            found = _changed_plans(stock, wanted, stationery, order, errata, notices)
    faults.stop_if_any()
    if not any(found.values()):
        raise InvalidSource([_nothing(game, order, others, shop)])
    laid = [job for job in wanted if found.get(job.id)]
    left = tuple(job for job in chosen if job not in laid)
    files, moved = _shared([*chain.from_iterable(found.values())], game)
    if order.builds:
        files = _one_file(files, stock)
    remarks = [_left_out(stock, order, [job.id for job in left]), unheeded(laid, options)]
    if others and shop:
        remarks.insert(1, sentence("printed", "other-sizes", **_size_words(others, shop)))
    if moved and len(files) > 1:
        remarks.append(sentence("printed", "shared", game=game.id, sheets=", ".join(moved)))
    return Plans(tuple(files), tuple(notices), tuple(filter(None, remarks)), left)


def _shared(files: Sequence[Plan], game: Game) -> tuple[list[Plan], list[str]]:
    """Move what is on mostly empty sheets of several files to a file of its own for each paper.

    Returns the files, and the names of those of which sheets were moved.
    """
    empty = [
        (plan.setting, plan, sheet)
        for plan in files
        if plan.setting is not None and not plan.setting.has_places
        for sheet in plan.sheets
        if is_mostly_empty(sheet[0], plan.setting.paper)
    ]
    owners = {id(page): plan for _setting, plan, sheet in empty for page in sheet}
    more: list[Plan] = []
    moved: dict[int, Plan] = {}
    for (paper, edge), alike in grouped(empty, lambda one: (one[0].paper, one[0].edge)).items():
        pages: list[Sheet] = []
        for blocks in packed([sheet for _setting, _plan, sheet in alike], paper):
            here = {id(page): owners[id(page)] for block in blocks for page in block.sheet}
            if len({plan.name for plan in here.values()}) > 1:
                titles = tuple(dict.fromkeys(plan.title for plan in here.values()))
                front, *back = shared_sheet(blocks, edge)
                pages.append((replace(front, groups=titles), *back))
                moved |= here
        if pages:
            name = f"{SHARED}-{paper.id}{'-short' if edge == 'short' else ''}"
            title = game.says("shared", game=game.named(game.name))
            more.append(_of_sheets(name, title, pages, edge))
    kept = (
        replace(plan, pages=tuple(page for page in plan.pages if id(page) not in moved))
        for plan in files
    )
    names = list(dict.fromkeys(plan.name for plan in moved.values()))
    return [
        *(plan for plan in kept if plan.pages or plan.document or plan.stickers),
        *more,
    ], names


def _one_file(files: Sequence[Plan], stock: Printable) -> list[Plan]:
    """Return one file of all pages, with a bookmark for each file that there was.

    Files with backs apart, for paper that is turned over differently, or for a shop stay as they
    are.
    """
    settings = [plan.setting for plan in files if plan.setting]
    edges = {setting.edge for setting in settings}
    if len(files) == 1 or len(edges) != 1 or any(each.backs == "separate" for each in settings):
        return list(files)
    sheets: list[Sheet] = []
    for plan in files:
        (first, *back), *others = plan.sheets
        sheets += [(replace(first, groups=(plan.title, *first.groups)), *back), *others]
    title = " ".join([stock.game.named(stock.game.name), *(kit.title for kit in stock.kits)])
    # One mech's file must not take the place of another's.
    of = [word for kit in stock.kits[:3] for word in (kit.code or kit.title, *kit.variants)]
    name = "-".join([KIT, *(re.sub(f"[{IN_NO_NAME}. ]+", "_", word)[:40] for word in of)])
    return [replace(_of_sheets(name, title, sheets, edges.pop()), setting=settings[0])]


def _of_sheets(name: str, title: str, sheets: Sequence[Sheet], edge: Edge) -> Plan:
    """Return a file of sheets, each with a back, if it is empty, where one of them has one."""
    if max((len(sheet) for sheet in sheets), default=1) == 1:
        return Plan(name, title, tuple(chain.from_iterable(sheets)))
    backs = (Page(width=s[0].width, height=s[0].height, side="back") for s in sheets)
    filled = ((*sheet, back)[:2] for sheet, back in zip(sheets, backs, strict=True))
    return Plan(name, title, tuple(chain.from_iterable(filled)), duplex=edge)


def _left_out(stock: Printable, order: PrintOrder, sheets: Sequence[str]) -> Sentence | None:
    """Return a message naming sheets and kits that the order leaves out, or ``None``."""
    given = {**words_of(order), "--shop": [order.shop] if order.shop else []}
    by = " ".join(f"{option} {','.join(words)}" for option, words in given.items() if words)
    kits = [kit.title for kit in left_kits(stock)]
    if not by or not (sheets or kits):
        return None
    key = "both-left-out" if sheets and kits else "sheets-left-out" if sheets else "kits-left-out"
    return sentence("printed", key, by=by, sheets=", ".join(sheets), kits=", ".join(kits))


def _nothing(game: Game, order: PrintOrder, others: Sequence[Piece], shop: Shop | None) -> Problem:
    """Return the problem of an order that prints no page."""
    if shop is not None:
        words: dict[str, Any] = _size_words(others, shop)
        return problem_at(COMMAND_LINE, "SHOP", "no-cards", game=game.id, **words)
    key = "nothing-what-lay" if order.sheets else "nothing-of-all-sheets"
    return problem_at(COMMAND_LINE, "SHEET", key, game=game.id, sheets=", ".join(order.sheets))


def _shop_plans(
    stock: Printable,
    job: SheetJob,
    stationery: Stationery,
    order: PrintOrder,
    shop: Shop,
    errata: Sequence[str] | None,
) -> tuple[list[Plan], list[Piece]]:
    """Plan a file for each deck of a job, of the cards that have the shop's size; return the others
    too."""
    setting = shop_setting(chosen_setting(job, order, stationery), shop)
    pieces = printables.card_pieces(stock, job, setting, errata)
    fitting = [piece for piece in pieces if is_of_size(piece, shop)]
    titles = [stock.game.named(stock.game.name), stock.game.named(job.name)]
    plans = [
        Plan(
            "-".join(filter(None, [job.id, shop.id, deck, "proof" if order.proof else ""])),
            " ".join(filter(None, [*titles, deck])),
            tuple(pages),
            where=job.where,
            shop=shop,
            copies=tuple(copies),
            is_proof=order.proof,
        )
        for deck, pages, copies in shop_decks(fitting, setting, shop)
    ]
    return plans, [piece for piece in pieces if not is_of_size(piece, shop)]


def _size_words(pieces: Sequence[Piece], shop: Shop) -> dict[str, str]:
    """Return a shop's size, and how many pieces of other sizes there are, for a message."""
    sizes = Counter(f"{piece.front.width:g}×{piece.front.height:g} mm" for piece in pieces)
    width, height = (f"{side:.1f}".removesuffix(".0") for side in shop.trim)
    counts = ", ".join(f"{size}: {count}" for size, count in sizes.items())
    return {"width": width, "height": height, "counts": counts or "–"}


# The job of the page that shows by how much a printer shifts the backs.
CALIBRATION = SheetJob(
    id="calibration", name=Name("印刷の調整"), lay="document", document="calibration"
)


def calibration_plans(game: Game, stationery: Stationery, order: PrintOrder) -> Plans:
    """Plan the calibration page: front and back of one sheet of the chosen paper."""
    following(game, [CALIBRATION], options_of(order), [CALIBRATION.id])
    return Plans(tuple(_planned(stocked(game, PrintOrder()), CALIBRATION, stationery, order)))


# The mats of a room are laid as boards are.
MATS = SheetJob(id="mats", name=Name("マット"), lay="boards")


def mat_plans(game: Game, stationery: Stationery, order: PrintOrder) -> Plans:
    """Plan the file of a room's mats, at the size of the cards."""
    following(game, [MATS], options_of(order), [MATS.id])
    setting = chosen_setting(MATS, order, stationery)
    room, faces = printables.mat_faces(stocked(game, PrintOrder()).game, order.mats)
    unknown = [name for name in order.only if name not in dict(faces)]
    if unknown:
        near = nearest(unknown[0], dict(faces))
        raise error_at(COMMAND_LINE, "ONLY", "nowhere", name=unknown[0], nearest=near)
    chosen = [(name, face) for name, face in faces if order.takes([name])]
    pages = _board_pages(game, chosen, setting, whole=bool(order.poster))
    title = f"{game.named(game.name)} {game.named(MATS.name)}"
    return Plans((Plan(f"{MATS.id}-{room}", title, tuple(pages), setting=setting),))


def _changed_plans(
    stock: Printable,
    jobs: Sequence[SheetJob],
    stationery: Stationery,
    order: PrintOrder,
    errata: Sequence[str],
    notices: Sequence[Problem],
) -> dict[str, list[Plan]]:
    """Plan one file of all cards that the errata changed, with the first such job's layout, and
    return it by that job's id. Raises ``InvalidSource``."""

    def lay(job: SheetJob) -> tuple[SheetJob, Setting, list[Piece]]:
        setting = chosen_setting(job, order, stationery)
        return job, setting, printables.card_pieces(stock, job, setting, errata)

    laid = [each for each in each_of(lay, jobs) if each[2]]
    if not laid:
        raise InvalidSource([*notices, problem_at(COMMAND_LINE, "ERRATUM", "none-chosen-errata")])
    title = stock.game.says("errata-of", game=stock.game.named(stock.game.name))
    first, setting, _pieces = laid[0]
    pieces = [piece for _job, _setting, pieces in laid for piece in pieces]
    if order.stickers:
        return {first.id: [Plan(STICKERS, title, setting=setting, stickers=tuple(pieces))]}
    return {first.id: _piece_plans(first, setting, pieces, CHANGED, title)}


def _planned(
    stock: Printable, job: SheetJob, stationery: Stationery, order: PrintOrder
) -> list[Plan]:
    """Plan the files of one job. Raises ``InvalidSource``."""
    setting = chosen_setting(job, order, stationery)
    game, paper = stock.game, setting.paper
    name, title = job.id, f"{game.named(game.name)} {game.named(job.name)}"
    match job.lay:
        case "cards":
            pieces = printables.card_pieces(stock, job, setting)
            return _piece_plans(job, setting, pieces, name, title)
        case "mechs":
            pieces = printables.mech_pieces(stock, job)
            return _piece_plans(job, setting, pieces, name, title)
        case "face":
            single = [Piece(front=printables.single_face(game, job))]
            return _piece_plans(job, replace(setting, backs="none"), single, name, title)
        case "document":
            values = document_values(stock, job)
            shown = {"id": paper.id, "width": paper.width, "height": paper.height}
            values |= {"paper": {**shown, "margin": paper.margin}, "edge": setting.edge}
            document = Plan(name, title, document=job.document or "", values=values)
            return [replace(document, setting=setting, where=job.where)]
        case "boards":
            name = f"{name}-{paper.id}" if order.poster else name
            boards = printables.board_faces(stock, job)
            pages = _board_pages(game, boards, setting, whole=bool(order.poster))
        case "pawns":
            pages = pawn_pages(printables.pawn_faces(stock, job), paper, title)
        case "dial":
            pages = [_dial(game, job, paper)]
        case "box":
            pages = _together(_boxes(stock, job, paper), setting)
    return [Plan(name, title, tuple(pages), setting=setting)] if pages else []


def _piece_plans(
    job: SheetJob, setting: Setting, pieces: Sequence[Piece], name: str, title: str
) -> list[Plan]:
    if not pieces:
        return []
    if all(piece.back is None for piece in pieces) and job.lay != "cards":
        setting = replace(setting, backs="none")
    elif job.lay == "mechs":
        # A player's build has one side, which is printed on the back of the sheet as well.
        pieces = [replace(piece, back=piece.back or piece.front) for piece in pieces]
    pages = piece_pages(setting, pieces, title)
    if setting.backs != "separate":
        duplex = setting.edge if setting.backs == "interleaved" else ""
        return [Plan(name, title, tuple(pages), duplex=duplex, setting=setting)]
    return [
        Plan(file, title, tuple(page for page in pages if page.side == side), setting=setting)
        for file, side in ((name, "front"), (f"{name}-backs", "back"))
    ]


def _board_pages(
    game: Game, boards: Sequence[tuple[str, Face]], setting: Setting, *, whole: bool
) -> list[Page]:
    """Return the pages of boards with their names; ``whole`` puts each on one page, as a poster.

    Others that fit on a page share pages, which come first.
    """

    def pages_of(board: tuple[str, Face]) -> list[Page]:
        title = f"{game.named(game.name)} {board[0]}"
        return board_pages(board[1], setting.paper, setting.overlap, title, whole=whole)

    each = each_of(pages_of, boards)
    small = [page for pages in each if len(pages) == 1 and not whole for page in pages]
    large = [page for pages in each if len(pages) > 1 or whole for page in pages]
    return [*_together(small, setting), *large]


def _together(pages: Sequence[Page], setting: Setting) -> list[Page]:
    """Lay what is on pages without backs on as few pages as it takes."""
    sheets = packed([(page,) for page in pages], setting.paper)
    return [page for blocks in sheets for page in shared_sheet(blocks, setting.edge)]


def _dial(game: Game, job: SheetJob, paper: Paper) -> Page:
    values = job.values
    face = printables.single_face(game, job)
    texts = (str(values.get("above", "上の板")), str(values.get("below", "下の板")))
    chambers = round(_number(job, "rounds", 10, 1, 99))
    at, hole = _number(job, "at", 0.34, 0, 0.5), _number(job, "hole", 0.11, 0, 0.5)
    return dial_page(face, paper, chambers, at, hole, texts)


def _number(job: SheetJob, key: str, default: float, least: float, most: float) -> float:
    """Return a number of a job's ``values``. Raises ``InvalidSource`` beyond the limits."""
    value = job.values.get(key, default)
    if isinstance(value, int | float) and least <= value <= most:
        return value
    raise error_at(
        job.where,
        "VALUE",
        "values-found-allowed",
        name=key,
        value=value,
        least=least,
        most=most,
        default=default,
    )


def _boxes(stock: Printable, job: SheetJob, paper: Paper) -> list[Page]:
    """Lay out a box for the deck of each kit, sized by its number of cards."""
    game = stock.game
    thickness = _number(job, "thickness", THICKNESS, 0.01, 10)
    size = game.faces[job.face].size if job.face else PLAIN_STYLES["card"].size

    def box(kit: Kit) -> Page:
        count = sum(entry.copies for entry in kit.deck)
        shown = (entry for entry in kit.deck if game.kinds[entry.card.kind].back)
        cover = next((card_back(game, entry) for entry in shown), None)
        if cover is not None and (cover.width, cover.height) != size:
            cover = None
        return box_page(count, size, thickness, kit.title, paper, job.where, cover)

    return each_of(box, chosen_kits(stock, with_sheet=False))
