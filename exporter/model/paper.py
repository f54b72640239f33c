"""Paper and rectangles on it, in millimetres from the upper left corner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from exporter.model.shape import (
    Doc,
    Inner,
    OwnKey,
    Record,
    Size,
)

TOLERANCE = 1e-6


class PageBox(NamedTuple):
    """A rectangle: upper left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return the x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Return the y of the lower edge."""
        return self.y + self.height

    def grown(self, left: float, top: float, right: float, bottom: float) -> PageBox:
        """Return the box with each side moved outwards by that much."""
        return PageBox(
            self.x - left, self.y - top, self.width + left + right, self.height + top + bottom
        )

    def holds(self, other: PageBox) -> bool:
        """Return whether ``other`` is inside, within ``TOLERANCE``."""
        return (
            other.x >= self.x - TOLERANCE
            and other.y >= self.y - TOLERANCE
            and other.right <= self.right + TOLERANCE
            and other.bottom <= self.bottom + TOLERANCE
        )


def around(boxes: Sequence[PageBox]) -> PageBox:
    """Return the smallest box that contains all ``boxes``."""
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
        """Return the width in mm."""
        return self.size[0]

    @property
    def height(self) -> float:
        """Return the height in mm."""
        return self.size[1]

    @property
    def printable(self) -> PageBox:
        """Return the printable area: the paper without its margins."""
        top, right, bottom, left = self.margin
        return PageBox(left, top, self.width - left - right, self.height - top - bottom)

    def turned(self) -> Paper:
        """Return the same paper in the other orientation."""
        top, right, bottom, left = self.margin
        return replace(self, size=(self.height, self.width), margin=(left, top, right, bottom))


Edge: TypeAlias = Literal["long", "short"]


Backs: TypeAlias = Literal["none", "interleaved", "separate"]


Cut: TypeAlias = Literal["marks", "lines", "none"]
