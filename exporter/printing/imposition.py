"""Impose pieces on pages: grid, trim and bleed boxes, cut lines, mirrored backs; share sheets.

Pure geometry in millimetres. A *trim* box is the finished size; the *ground* of a face extends
beyond it by the bleed, so that an inexact cut shows no white. Backs are mirrored so that they match
their fronts when the paper is turned over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.problems import (
    Faults,
    InvalidSource,
    Problem,
    SourceLocation,
    problem_at,
    stop_for,
)
from exporter.faces.card_faces import Face
from exporter.model.print_jobs import TOLERANCE, Backs, Cut, Edge, PageBox, Paper, around
from exporter.model.shape import Wording
from exporter.printing.sheet_pages import (
    LABEL,
    LEAST_LABEL,
    MARK,
    MARK_GAP,
    FaceSpot,
    Label,
    Page,
    PageLine,
    crop_marks,
    cut_lines,
)

# Millimetres by which no knife tells two sizes apart.
SAME = 0.05

# The most columns, and the most rows, of a page.
MOST_ACROSS = 100


class Piece(Struct, frozen=True, kw_only=True):
    """A piece to cut out: its faces, and its group and note for the margin.

    The grounds draw the bleed around a face. The front has the piece's size. Of a card there are
    the ``deck`` it belongs to, its ``name`` for a file and, where errata change it, its front as
    ``printed`` before.
    """

    front: Face
    back: Face | None = None
    front_ground: Face | None = None
    back_ground: Face | None = None
    group: str = ""
    note: str = ""
    deck: str = ""
    name: str = ""
    printed: Face | None = None
    where: SourceLocation = SourceLocation()


class Setting(Struct, frozen=True, kw_only=True):
    """How pieces are laid on paper; lengths are in mm.

    ``size`` is the trim size, ``None`` for each face's own; without ``scale_to_fit`` a face of
    another size is a problem. ``grid`` is columns and rows, ``None`` for as many as fit. ``offset``
    shifts the backs, right and down, for printers that are off. ``overlap`` is that of a board's
    tiles. ``hint`` is advice for printing.
    """

    paper: Paper
    size: tuple[float, float] | None = None
    scale_to_fit: bool = True
    grid: tuple[int, int] | None = None
    gap: tuple[float, float] = (0, 0)
    bleed: float = 0
    cut: Cut = "marks"
    backs: Backs = "interleaved"
    edge: Edge = "long"
    offset: tuple[float, float] = (0, 0)
    overlap: float = 10
    hint: Wording = Wording()
    where: SourceLocation = SourceLocation()

    @property
    def has_places(self) -> bool:
        """Return whether pieces stay where they are on the paper, as on perforated stock."""
        return self.grid is not None or self.cut == "none" or self.backs == "separate"


def fitting(room: float, length: float, gap: float) -> int:
    """Return how many pieces of ``length`` fit in ``room`` with ``gap`` between them."""
    return max(0, int((room + gap + TOLERANCE) // (length + gap)))


def _room(setting: Setting, paper: Paper) -> PageBox:
    """Return the box for trims: printable, and with bleeds and shifted backs on the paper."""
    room = paper.printable
    across, down = (setting.bleed + abs(moved) for moved in setting.offset)
    x, y = max(room.x, across), max(room.y, down)
    right, bottom = min(room.right, paper.width - across), min(room.bottom, paper.height - down)
    return PageBox(x, y, right - x, bottom - y)


def _capacity(setting: Setting, size: tuple[float, float], paper: Paper) -> tuple[int, int]:
    room = _room(setting, paper)
    columns, rows = setting.grid or (MOST_ACROSS, MOST_ACROSS)
    return (
        min(columns, fitting(room.width, size[0], setting.gap[0])),
        min(rows, fitting(room.height, size[1], setting.gap[1])),
    )


def _shown(length: float) -> str:
    return f"{length:.2f}".rstrip("0").rstrip(".")


def chosen_grid(setting: Setting, size: tuple[float, float]) -> tuple[Paper, tuple[int, int]]:
    """Return the paper in the orientation that takes more pieces, and columns and rows.

    ``size`` is the trim size. Raises ``InvalidSource`` where pieces, grid or bleed do not fit.
    """
    problems = []
    # A single column or row has no gaps.
    if setting.bleed > min(setting.gap) + TOLERANCE and setting.grid != (1, 1):
        problems.append(
            problem_at(
                setting.where,
                "BLEED",
                "bleed-mm-wider",
                bleed=_shown(setting.bleed),
                min=_shown(min(setting.gap)),
                value=_shown(2 * setting.bleed),
            )
        )
    papers = (setting.paper, setting.paper.turned())
    grids = ((paper, _capacity(setting, size, paper)) for paper in papers)
    paper, grid = max(grids, key=lambda found: math.prod(found[1]))
    if min(grid) == 0:
        room = _room(setting, setting.paper)  # with its bleed and its back shifted
        problem = problem_at(
            setting.where,
            "PAPER",
            "piece-not-fit",
            found=f"{_shown(size[0])}×{_shown(size[1])}",
            paper=setting.paper.id,
            width=_shown(max(0, room.width)),
            height=_shown(max(0, room.height)),
        )
        raise InvalidSource([*problems, problem])
    if setting.grid is not None and grid != setting.grid:
        problems.append(
            problem_at(
                setting.where,
                "GRID",
                "grid-pieces-mm",
                grid=setting.grid[0],
                grid2=setting.grid[1],
                size=_shown(size[0]),
                size2=_shown(size[1]),
                paper=paper.id,
                grid3=grid[0],
                grid4=grid[1],
            )
        )
    stop_for(problems)
    return paper, grid


def cells(
    setting: Setting, paper: Paper, size: tuple[float, float], grid: tuple[int, int]
) -> list[PageBox]:
    """Return the trim boxes of a full page, row by row, centred in the printable area."""
    room = _room(setting, paper)
    (columns, rows), (across, down) = grid, setting.gap
    width = columns * size[0] + (columns - 1) * across
    height = rows * size[1] + (rows - 1) * down
    left, top = room.x + (room.width - width) / 2, room.y + (room.height - height) / 2
    return [
        PageBox(left + column * (size[0] + across), top + row * (size[1] + down), *size)
        for row in range(rows)
        for column in range(columns)
    ]


def fitted_box(trim: PageBox, face: Face) -> tuple[PageBox, int]:
    """Fit a face into a trim box, centred: its box, and its turn in degrees clockwise (0 or 90)."""
    sideways = (trim.width > trim.height) != (face.width > face.height)
    sideways = sideways and face.width != face.height and trim.width != trim.height
    width, height = (face.height, face.width) if sideways else (face.width, face.height)
    scale = min(trim.width / width, trim.height / height)
    width, height = width * scale, height * scale
    x, y = trim.x + (trim.width - width) / 2, trim.y + (trim.height - height) / 2
    return PageBox(x, y, width, height), 90 if sideways else 0


def _bled(setting: Setting, trim: PageBox, block: PageBox) -> PageBox:
    """Return the bleed box of a trim box: up to the bleed, at most half the gap to a neighbour."""

    def reach(is_outer: bool, gap: float) -> float:
        return setting.bleed if is_outer else min(setting.bleed, gap / 2)

    across, down = setting.gap
    return trim.grown(
        reach(trim.x <= block.x + TOLERANCE, across),
        reach(trim.y <= block.y + TOLERANCE, down),
        reach(trim.right >= block.right - TOLERANCE, across),
        reach(trim.bottom >= block.bottom - TOLERANCE, down),
    )


def turns_sideways(paper: Paper, edge: Edge) -> bool:
    """Return whether turning the paper over ``edge`` swaps left and right, not top and bottom."""
    return (paper.height >= paper.width) == (edge == "long")


def mirrored(
    box: PageBox, paper: Paper, edge: Edge, offset: tuple[float, float] = (0, 0)
) -> PageBox:
    """Mirror ``box`` onto the back of the paper and move it by ``offset``."""
    if turns_sideways(paper, edge):
        return PageBox(
            paper.width - box.right + offset[0], box.y + offset[1], box.width, box.height
        )
    return PageBox(box.x + offset[0], paper.height - box.bottom + offset[1], box.width, box.height)


def cutting(setting: Setting, trims: Sequence[PageBox], within: PageBox) -> tuple[PageLine, ...]:
    """Return crop marks, with ``cut="lines"`` cut lines too, with ``"none"`` nothing."""
    if setting.cut == "none" or not trims:
        return ()
    lines = crop_marks(trims, setting.bleed, within)
    return (*cut_lines(trims), *lines) if setting.cut == "lines" else lines


def _front(setting: Setting, piece: Piece, trim: PageBox, block: PageBox) -> FaceSpot:
    box, turn = fitted_box(trim, piece.front)
    return FaceSpot(
        face=piece.front,
        box=box,
        trim=trim,
        bleed=_bled(setting, trim, block),
        ground=piece.front_ground,
        turn=turn,
    )


def _back(
    setting: Setting, face: Face, ground: Face | None, front: FaceSpot, paper: Paper
) -> FaceSpot:
    edge, offset = setting.edge, setting.offset
    box, turn = fitted_box(front.trim, face)
    # Turned over its top edge, the paper shows its back upside down.
    if not turns_sideways(paper, edge):
        turn += 180
    return FaceSpot(
        face=face,
        box=mirrored(box, paper, edge, offset),
        trim=mirrored(front.trim, paper, edge, offset),
        bleed=mirrored(front.bleed, paper, edge, offset),
        ground=ground,
        turn=turn % 360,
    )


def _other_sizes(setting: Setting, pieces: Sequence[Piece]) -> list[Problem]:
    """A problem for each size of faces that would have to be scaled though nobody asked for it."""
    size = setting.size
    if size is None or setting.scale_to_fit:
        return []
    found = dict.fromkeys((piece.front.width, piece.front.height) for piece in pieces)
    return [
        problem_at(
            setting.where,
            "SIZE",
            "not-scaled",
            found=f"{_shown(own[0])}×{_shown(own[1])}",
            size=f"{_shown(size[0])}×{_shown(size[1])}",
        )
        for own in found
        if any(abs(a - b) > SAME for a, b in zip(sorted(own), sorted(size), strict=True))
    ]


def piece_pages(setting: Setting, pieces: Sequence[Piece], title: str) -> list[Page]:
    """Lay pieces on pages: fronts and backs alternating, or all fronts and then all backs.

    Pieces are grouped by size, one grid a group. Raises ``InvalidSource`` with every piece that
    does not fit or has no back.
    """
    faults = Faults()
    faults.problems += _other_sizes(setting, pieces)
    without = [piece for piece in pieces if piece.back is None]
    if without and setting.backs != "none":
        where, count = without[0].where, len(without)
        problem = problem_at(where, "BACK", "pieces-no-back", count=count, count2=len(pieces))
        faults.problems.append(problem)
    filled: list[tuple[Paper, list[Piece], list[PageBox]]] = []
    by_size = grouped(pieces, lambda piece: setting.size or (piece.front.width, piece.front.height))
    for size, alike in by_size.items():
        with faults.collect():
            paper, grid = chosen_grid(setting, size)
            places = cells(setting, paper, size, grid)
            for start in range(0, len(alike), len(places)):
                filled.append((paper, alike[start : start + len(places)], places))
    faults.stop_if_any()
    fronts: list[Page] = []
    backs: list[Page] = []
    for number, (paper, here, places) in enumerate(filled, 1):
        trims = places[: len(here)]
        block = around(trims)
        spots = [_front(setting, p, t, block) for p, t in zip(here, trims, strict=True)]
        heading = f"{title} {number}/{len(filled)}"
        fronts.append(_page(setting, paper, spots, "front", here, heading))
        turned = [
            _back(setting, piece.back, piece.back_ground, spot, paper)
            for piece, spot in zip(here, spots, strict=True)
            if piece.back is not None
        ]
        backs.append(_page(setting, paper, turned, "back", here, heading))
    if setting.backs == "none":
        return fronts
    if setting.backs == "separate":
        return fronts + backs
    return [page for pair in zip(fronts, backs, strict=True) for page in pair]


def _page(
    setting: Setting,
    paper: Paper,
    spots: Sequence[FaceSpot],
    side: Literal["front", "back"],
    pieces: Sequence[Piece],
    heading: str,
) -> Page:
    lines = cutting(setting, [spot.trim for spot in spots], paper.printable)
    in_ja = "" if heading.isascii() else {"front": "表", "back": "裏"}[side]
    shown = (in_ja or side) if setting.backs != "none" else ""
    groups = dict.fromkeys(piece.group for piece in pieces if piece.group)
    notes = dict.fromkeys(piece.note for piece in pieces if piece.note)
    heading = f"{heading} {shown}".strip()
    return Page(
        width=paper.width,
        height=paper.height,
        spots=tuple(spots),
        lines=lines,
        labels=small_print(paper, spots, heading, tuple(groups), tuple(notes)),
        side=side,
        groups=tuple(groups),
    )


# Line pitch, as a multiple of the text's height.
LINE = 1.4

# Full-width characters that a line may lose to line breaking.
UNBROKEN = 6


def small_print(
    paper: Paper,
    spots: Sequence[FaceSpot],
    heading: str,
    groups: Sequence[str],
    notes: Sequence[str],
) -> tuple[Label, ...]:
    """Return a label below the pieces and crop marks, or none where the margin is too low.

    It has the heading, the groups and the notes, shortened to what fits.
    """
    room = paper.printable
    block = around([spot.bleed for spot in spots]) if spots else room
    y = block.bottom + MARK_GAP + MARK + 0.5
    height = room.bottom - y
    if height < LABEL - TOLERANCE:
        return ()
    # Below pieces at the right edge, such as backs of a part of a page, align right.
    at_right = block.x + block.right > paper.width + TOLERANCE
    x = min(block.right, room.right) if at_right else max(block.x, room.x)
    width = x - room.x if at_right else room.right - x
    lines = int(height / (LEAST_LABEL * LINE))
    letters = int(width / LEAST_LABEL) - UNBROKEN
    most = letters * (lines // 2 if notes else lines) - len(heading)
    text = f"{heading} {_shortened(groups, ' ', most)}".strip()
    left = lines - math.ceil(len(text) / max(letters, 1))
    text = f"{text}\n{_shortened(notes, ' · ', letters * left)}".strip()
    return (Label(text, x, y, width, height=height, align="right" if at_right else "left"),)


def _shortened(parts: Sequence[str], between: str, most: int) -> str:
    """Join as many ``parts`` as fit in ``most`` full-width characters, and count the others."""
    text = between.join(parts)
    if len(text) <= most or not parts:
        return text
    rest = len(f"ほか{len(parts)}件")
    lengths = accumulate((len(part) + len(between) for part in parts), initial=rest)
    kept = sum(length <= most for length in lengths) - 1
    return between.join([*parts[:kept], f"ほか{len(parts) - kept}件"]) if kept >= 0 else ""


# -- mostly empty sheets, laid together ----------------------------------------------------------

# A sheet is its front page, or front and back. All that is on it is moved as one block, with lines
# and small print, so that it is cut out as before.
Sheet: TypeAlias = tuple[Page, ...]

# Distance in mm between two blocks.
BETWEEN = 3.0

# The least width in mm of a block with small print below it, and the height of two lines of that.
LEAST_WIDTH, BELOW = 45.0, 2 * LINE * LABEL


class PageBlock(Struct, frozen=True):
    """A sheet, and the box on the front of another one to which all that is on it is moved."""

    sheet: Sheet
    box: PageBox


class _BlockRow(Struct):
    """Blocks side by side on the page ``number``; ``x`` is where the next one may begin."""

    number: int
    x: float
    y: float


def block_box(page: Page) -> PageBox:
    """Return the box around a page's faces, lines and rings, with room for its small print."""
    boxes = [spot.window or spot.bleed for spot in page.spots]
    boxes += (
        PageBox(min(line.x1, line.x2), min(line.y1, line.y2), 0, 0).grown(
            0, 0, abs(line.x2 - line.x1), abs(line.y2 - line.y1)
        )
        for line in page.lines
    )
    boxes += (PageBox(ring.x, ring.y, 0, 0).grown(*[ring.radius] * 4) for ring in page.rings)
    box = around(boxes)
    has_text_below = any(label.y > box.bottom - LABEL for label in page.labels)
    if not has_text_below:
        return box
    return PageBox(box.x, box.y, max(box.width, LEAST_WIDTH), box.height + BELOW)


def is_mostly_empty(page: Page, paper: Paper) -> bool:
    """Return whether what is on a page takes less than half of its printable part."""
    if not page.spots:
        return False
    box, room = block_box(page), paper.printable
    return 2 * box.width * box.height < room.width * room.height


def packed(sheets: Sequence[Sheet], paper: Paper) -> list[list[PageBlock]]:
    """Arrange sheets of ``paper``, in either orientation, on few.

    Blocks lie in rows, the highest first, each row on the first page that has room for it.
    """
    found: list[list[PageBlock]] = []
    for turned in {each.size: each for each in (paper, paper.turned())}.values():
        alike = [
            (block_box(sheet[0]), sheet)
            for sheet in sheets
            if (sheet[0].width, sheet[0].height) == (turned.width, turned.height)
        ]
        alike.sort(key=lambda each: (-each[0].height, -each[0].width))
        found += _packed(alike, turned.printable)
    return found


def _packed(sheets: Sequence[tuple[PageBox, Sheet]], room: PageBox) -> list[list[PageBlock]]:
    """Return the blocks on each page."""
    pages: list[list[PageBlock]] = []
    ends: list[float] = []
    rows: list[_BlockRow] = []
    for box, sheet in sheets:
        row = next((r for r in rows if r.x + box.width <= room.right + TOLERANCE), None)
        if row is None:
            lowest = room.bottom - box.height + TOLERANCE
            number = next((n for n, end in enumerate(ends) if end <= lowest), len(pages))
            if number == len(pages):
                pages.append([])
                ends.append(room.y)
            row = _BlockRow(number, room.x, ends[number])
            ends[number] += box.height + BETWEEN
            rows.append(row)
        pages[row.number].append(PageBlock(sheet, box._replace(x=row.x, y=row.y)))
        row.x += box.width + BETWEEN
    return pages


def shared_sheet(blocks: Sequence[PageBlock], edge: Edge) -> Sheet:
    """Return the sheet that has all ``blocks``; it has a back where one of theirs has."""
    if len(blocks) == 1:
        return blocks[0].sheet
    sides = []
    for side in range(max(len(block.sheet) for block in blocks)):
        pages = [_moved(block, side, edge) for block in blocks if len(block.sheet) > side]
        parts = {
            name: tuple(chain.from_iterable(getattr(page, name) for page in pages))
            for name in ("spots", "lines", "rings", "labels", "groups")
        }
        sides.append(replace(pages[0], **parts))
    return tuple(sides)


def _moved(block: PageBlock, side: int, edge: Edge) -> Page:
    """Return the front (0) or back (1) of a block's sheet, with all that is on it moved."""
    page, box = block.sheet[side], block.box
    old = block_box(block.sheet[0])
    # By whole tenths: a position between two pixels would blur a board.
    x, y = int((box.x - old.x) * 10) / 10, int((box.y - old.y) * 10) / 10
    if side:
        paper = Paper(id="", size=(page.width, page.height))
        box = mirrored(box, paper, edge)
        x, y = (-x, y) if turns_sideways(paper, edge) else (x, -y)
    return replace(
        page,
        spots=tuple(_moved_spot(spot, x, y) for spot in page.spots),
        lines=tuple(
            PageLine(line.x1 + x, line.y1 + y, line.x2 + x, line.y2 + y, line.kind)
            for line in page.lines
        ),
        rings=tuple(ring._replace(x=ring.x + x, y=ring.y + y) for ring in page.rings),
        labels=tuple(
            _within(label._replace(x=label.x + x, y=label.y + y), box) for label in page.labels
        ),
    )


def _moved_spot(spot: FaceSpot, x: float, y: float) -> FaceSpot:
    boxes = {name: getattr(spot, name) for name in ("box", "trim", "bleed", "window")}
    moved = {name: b and b._replace(x=b.x + x, y=b.y + y) for name, b in boxes.items()}
    return replace(spot, **moved)


def _within(label: Label, box: PageBox) -> Label:
    """Return a label with a place that ends where its block does, shortened to what fits there.

    One that is turned stands inside its block already.
    """
    if label.turn:
        return label
    left, right = label.x - box.x, box.right - label.x
    room = {"left": right, "right": left, "centre": 2 * min(left, right)}[label.align]
    width = min(label.width, room)
    height = max(label.size, min(label.height, box.bottom - label.y))
    most = int(width / LEAST_LABEL) * int(max(1, height / (LEAST_LABEL * LINE)))
    text = label.text if len(label.text) <= most else f"{label.text[: most - 1]}…"
    return label._replace(text=text, width=width, height=height)
