"""Lay what stands on several sheets of paper, each of them mostly empty, on fewer sheets.

A sheet is its front page, or front and back. All that is on it is moved as one block, with lines
and small print, so that it is cut out as before. Lengths are in millimetres.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.model.print_jobs import TOLERANCE, Edge, PageBox, Paper, around
from exporter.printing.imposition import LINE, mirrored, turns_sideways
from exporter.printing.sheet_pages import LABEL, LEAST_LABEL, FaceSpot, Label, Page, PageLine

Sheet: TypeAlias = tuple[Page, ...]

# Distance in mm between two blocks.
BETWEEN = 3.0

# The least width in mm of a block with small print below it, and the height of two lines of that.
LEAST_WIDTH, BELOW = 45.0, 2 * LINE * LABEL


class Block(Struct, frozen=True):
    """A sheet, and the box on the front of another one to which all that is on it is moved."""

    sheet: Sheet
    box: PageBox


class _Row(Struct):
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


def packed(sheets: Sequence[Sheet], paper: Paper) -> list[list[Block]]:
    """Arrange sheets of ``paper``, in either orientation, on few.

    Blocks lie in rows, the highest first, each row on the first page that has room for it.
    """
    found: list[list[Block]] = []
    for turned in {each.size: each for each in (paper, paper.turned())}.values():
        alike = [
            (block_box(sheet[0]), sheet)
            for sheet in sheets
            if (sheet[0].width, sheet[0].height) == (turned.width, turned.height)
        ]
        alike.sort(key=lambda each: (-each[0].height, -each[0].width))
        found += _packed(alike, turned.printable)
    return found


def _packed(sheets: Sequence[tuple[PageBox, Sheet]], room: PageBox) -> list[list[Block]]:
    """Return the blocks on each page."""
    pages: list[list[Block]] = []
    ends: list[float] = []
    rows: list[_Row] = []
    for box, sheet in sheets:
        row = next((r for r in rows if r.x + box.width <= room.right + TOLERANCE), None)
        if row is None:
            lowest = room.bottom - box.height + TOLERANCE
            number = next((n for n, end in enumerate(ends) if end <= lowest), len(pages))
            if number == len(pages):
                pages.append([])
                ends.append(room.y)
            row = _Row(number, room.x, ends[number])
            ends[number] += box.height + BETWEEN
            rows.append(row)
        pages[row.number].append(Block(sheet, box._replace(x=row.x, y=row.y)))
        row.x += box.width + BETWEEN
    return pages


def shared_sheet(blocks: Sequence[Block], edge: Edge) -> Sheet:
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


def _moved(block: Block, side: int, edge: Edge) -> Page:
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
