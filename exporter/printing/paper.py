"""Paper, and what a page of it shows: boxes, lines, small print, faces at their places.

All lengths are millimetres from the page's upper left corner, downwards and to the right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.faces import Face
from exporter.schema.shape import Doc, Inner, OwnKey, Record, Size

MARK = 3.0
"""Length of a crop mark."""

MARK_GAP = 1.0
"""Between the bleed and a crop mark."""

SHORTEST_MARK = 1.0

LABEL = 2.0
"""Height of the small print on the margin."""

LEAST_LABEL = 1.4
"""Height down to which small print that is too long for its place is made smaller."""

TOLERANCE = 1e-6


class PageBox(NamedTuple):
    """A rectangle: upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    def grown(self, left: float, top: float, right: float, bottom: float) -> PageBox:
        """The box with each side moved outwards."""
        return PageBox(
            self.x - left, self.y - top, self.width + left + right, self.height + top + bottom
        )

    def holds(self, other: PageBox) -> bool:
        """Whether ``other`` lies inside."""
        return (
            other.x >= self.x - TOLERANCE
            and other.y >= self.y - TOLERANCE
            and other.right <= self.right + TOLERANCE
            and other.bottom <= self.bottom + TOLERANCE
        )


def around(boxes: Sequence[PageBox]) -> PageBox:
    """The smallest box that holds all of them."""
    x, y = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return PageBox(x, y, right - x, bottom - y)


class Paper(Record, frozen=True, kw_only=True):
    """A sheet of paper; ``margin`` is what a printer leaves white: top, right, bottom, left."""

    id: OwnKey
    size: Annotated[Size, Doc("width and height in millimetres", "幅と高さ（mm）", [210, 297])]
    margin: Annotated[tuple[float, float, float, float], Inner()] = (0, 0, 0, 0)

    @property
    def width(self) -> float:
        """From side to side."""
        return self.size[0]

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.size[1]

    @property
    def printable(self) -> PageBox:
        """The part that a printer reaches."""
        top, right, bottom, left = self.margin
        return PageBox(left, top, self.width - left - right, self.height - top - bottom)

    def turned(self) -> Paper:
        """The same sheet on its side."""
        top, right, bottom, left = self.margin
        return replace(self, size=(self.height, self.width), margin=(left, top, right, bottom))


class PageLine(NamedTuple):
    """A straight line; ``kind`` is ``mark``, ``cut``, ``fold`` or ``guide``."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str = "mark"


class Ring(NamedTuple):
    """A circle's outline, of the kinds of lines."""

    x: float
    y: float
    radius: float
    kind: str = "cut"


class Label(NamedTuple):
    """Small print: where its place begins, ends or has its middle, as ``align`` says, and its top.

    ``width`` and ``height`` of the place, 0 for one line, are as the text is read; ``turn`` is
    clockwise about the anchor, in degrees. A text too long for letters of ``size`` is set smaller.
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

    ``box`` is where the face itself lies, ``trim`` where it is cut, ``bleed`` how far its ground
    reaches; ``ground`` draws that ground, without one the face's edges are extended. ``turn`` is
    clockwise in degrees, a multiple of 90. Of a face with a ``window`` only that part is shown.
    """

    face: Face
    box: PageBox
    trim: PageBox
    bleed: PageBox
    ground: Face | None = None
    turn: int = 0
    window: PageBox | None = None


class Page(Struct, frozen=True, kw_only=True):
    """One side of a sheet of paper, ready to be drawn."""

    width: float
    height: float
    spots: tuple[FaceSpot, ...] = ()
    lines: tuple[PageLine, ...] = ()
    rings: tuple[Ring, ...] = ()
    labels: tuple[Label, ...] = ()
    side: Literal["front", "back"] = "front"


_Edge: TypeAlias = tuple[float, float, float]
"""Where it lies across, and from where to where it runs along."""


def crop_marks(trims: Sequence[PageBox], bleed: float, within: PageBox) -> tuple[PageLine, ...]:
    """Short lines beside the block of all pieces, one for each edge that is to be cut.

    They stay ``within`` what can be printed on, and away from every face and its bleed.
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


def cut_lines(trims: Sequence[PageBox]) -> tuple[PageLine, ...]:
    """Thin lines along the edges of every piece; edges that touch are one line."""
    boxes = [tuple(round(v, 6) for v in (b.x, b.y, b.right, b.bottom)) for b in trims]
    rows = [(at, x, right) for x, y, right, bottom in boxes for at in (y, bottom)]
    columns = [(at, y, bottom) for x, y, right, bottom in boxes for at in (x, right)]
    return (
        *(PageLine(x, y, right, y, "cut") for y, x, right in _joined(rows)),
        *(PageLine(x, y, x, bottom, "cut") for x, y, bottom in _joined(columns)),
    )


def _joined(edges: Iterable[_Edge]) -> list[_Edge]:
    """The same edges, but one where they touch."""
    found: list[_Edge] = []
    for at, start, end in sorted(edges):
        if found and found[-1][0] == at and start <= found[-1][2]:
            _, start, before = found.pop()
            end = max(end, before)
        found.append((at, start, end))
    return found
