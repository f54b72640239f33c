"""Paper and pages as values: boxes, lines, labels, and faces with their positions.

Lengths are in millimetres; positions are from the page's upper left corner, right and down.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from exporter.core.problems import MARGIN
from exporter.faces.card_faces import Face
from exporter.model.print_jobs import PageBox, around

# The template of lines and small print, which are drawn above a page's faces.
MARKS = "marks.typ"

# Points per millimetre.
POINTS = 72 / 25.4

# Length of a crop mark in mm.
MARK = 3.0

# Distance between the bleed and a crop mark in mm.
MARK_GAP = 1.0

SHORTEST_MARK = 1.0

# Height of small print in the margin in mm.
LABEL = 2.0

# The least height of small print, in mm, that is reduced to fit its place.
LEAST_LABEL = 1.4


class PageLine(NamedTuple):
    """A straight line; ``kind`` is ``mark``, ``cut``, ``fold`` or ``guide``."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str = "mark"


class Ring(NamedTuple):
    """The outline of a circle; ``kind`` as for ``PageLine``."""

    x: float
    y: float
    radius: float
    kind: str = "cut"


class Label(NamedTuple):
    """A text of small print. ``x`` is its left, centre or right, by ``align``; ``y`` is its top.

    ``width`` and ``height`` (0 for one line) are those of its place before turning; ``turn`` is in
    degrees clockwise about the anchor. A text too long for ``size`` is set smaller.
    """

    text: str
    x: float
    y: float
    width: float
    size: float = LABEL
    height: float = 0
    align: Literal["left", "centre", "right"] = "left"
    turn: float = 0


class FaceSpot(Struct, frozen=True, kw_only=True):
    """A face on a page.

    ``box`` is the face's own box, ``trim`` the finished size, ``bleed`` the box of its ground;
    ``ground`` is the face of that ground, without one the face's edges are extended. ``turn`` is in
    degrees clockwise, a multiple of 90. A ``window`` clips the face to that box.
    """

    face: Face
    box: PageBox
    trim: PageBox
    bleed: PageBox
    ground: Face | None = None
    turn: int = 0
    window: PageBox | None = None


def spot_at(x: float, y: float, face: Face, turn: int = 0) -> FaceSpot:
    """Return the place of a face that is cut where it ends, from its upper left corner."""
    box = PageBox(x, y, face.width, face.height)
    return FaceSpot(face=face, box=box, trim=box, bleed=box, turn=turn)


def cut_out(x: float, y: float, face: Face, part: PageBox) -> FaceSpot:
    """Return the place of a part of a face, from the upper left corner of that part."""
    shown = PageBox(x, y, part.width, part.height)
    box = PageBox(x - part.x, y - part.y, face.width, face.height)
    return FaceSpot(face=face, box=box, trim=shown, bleed=shown, window=shown)


class Page(Struct, frozen=True, kw_only=True):
    """One side of a sheet of paper with everything drawn on it; ``groups`` are decks or boxes."""

    width: float
    height: float
    spots: tuple[FaceSpot, ...] = ()
    lines: tuple[PageLine, ...] = ()
    rings: tuple[Ring, ...] = ()
    labels: tuple[Label, ...] = ()
    side: Literal["front", "back"] = "front"
    groups: tuple[str, ...] = ()


def pdf_pages(pdf: bytes) -> Iterator[Any]:
    """Yield the pages of a PDF, to be looked at one after another."""
    from pypdfium2 import PdfDocument

    with closing(PdfDocument(pdf)) as document:
        for page in document:
            yield page
            page.close()


def faces_of(pages: Sequence[Page]) -> list[Face]:
    """Return every distinct face, ground and margin of the pages."""
    spots = [spot for page in pages for spot in page.spots]
    grounds = (spot.ground for spot in spots if spot.ground is not None)
    margins = (margin for page in pages for margin in margins_of(page))
    return list(dict.fromkeys((*(spot.face for spot in spots), *grounds, *margins)))


def margins_of(page: Page) -> Iterator[Face]:
    """Yield the lines and small print of a page, if it has any, as a face of its size."""
    drawn = {"labels": page.labels, "lines": page.lines, "rings": page.rings}
    if any(drawn.values()):
        values = json.dumps({**drawn, "least": LEAST_LABEL}, ensure_ascii=False, sort_keys=True)
        yield Face(MARKS, values, page.width, page.height, 1, (), MARGIN)


# Position across the line, then its start and end along it.
_Edge: TypeAlias = tuple[float, float, float]


def crop_marks(trims: Sequence[PageBox], bleed: float, within: PageBox) -> tuple[PageLine, ...]:
    """Return crop marks around the block of all pieces, one for each edge to cut.

    They stay ``within`` the printable area and outside every piece's bleed.
    """
    block = around(trims)
    off = bleed + MARK_GAP
    lines: list[PageLine] = []
    for x in sorted({round(edge, 6) for trim in trims for edge in (trim.x, trim.right)}):
        high = max(block.y - off - MARK, within.y)
        low = min(block.bottom + off + MARK, within.bottom)
        lines += [PageLine(x, high, x, block.y - off), PageLine(x, block.bottom + off, x, low)]
    for y in sorted({round(edge, 6) for trim in trims for edge in (trim.y, trim.bottom)}):
        left = max(block.x - off - MARK, within.x)
        right = min(block.right + off + MARK, within.right)
        lines += [PageLine(left, y, block.x - off, y), PageLine(block.right + off, y, right, y)]
    return tuple(
        line
        for line in lines
        if line.x2 - line.x1 + line.y2 - line.y1 >= SHORTEST_MARK
        and within.x <= line.x1 <= within.right
        and within.y <= line.y1 <= within.bottom
    )


def page_outline(box: PageBox, kind: str = "cut") -> tuple[PageLine, ...]:
    """Return the four sides of a box."""
    x, y, right, bottom = box.x, box.y, box.right, box.bottom
    sides = (
        (x, y, right, y),
        (right, y, right, bottom),
        (x, bottom, right, bottom),
        (x, y, x, bottom),
    )
    return tuple(PageLine(*side, kind) for side in sides)


def cut_lines(trims: Sequence[PageBox]) -> tuple[PageLine, ...]:
    """Return cut lines along the edges of all pieces; edges that touch are merged."""
    boxes = [tuple(round(v, 6) for v in (b.x, b.y, b.right, b.bottom)) for b in trims]
    rows = [(at, x, right) for x, y, right, bottom in boxes for at in (y, bottom)]
    columns = [(at, y, bottom) for x, y, right, bottom in boxes for at in (x, right)]
    return (
        *(PageLine(x, y, right, y, "cut") for y, x, right in _joined(rows)),
        *(PageLine(x, y, x, bottom, "cut") for x, y, bottom in _joined(columns)),
    )


def _joined(edges: Iterable[_Edge]) -> list[_Edge]:
    """Merge edges that touch or overlap on the same line."""
    found: list[_Edge] = []
    for at, start, end in sorted(edges):
        if found and found[-1][0] == at and start <= found[-1][2]:
            _, start, before = found.pop()
            end = max(end, before)
        found.append((at, start, end))
    return found
