"""What a window shows of a table when a room is opened, before anybody turns or moves the view.

Every room opens alike: the client tilts the table by 50 degrees about its middle, turned by 10,
under a perspective of 1000 pixels, with panels over it (format section 14).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from exporter.rooms.footprints import (
    Point,
    Rectangle,
)

PERSPECTIVE = 1000
"""Pixels from the viewer to the window's plane."""

TILT, TURN = 50, 10
"""Degrees."""

SHIFT = 100
"""Pixels by which the client moves the table to the right."""

_TILT_SIN, _TILT_COS = math.sin(math.radians(TILT)), math.cos(math.radians(TILT))
_TURN_SIN, _TURN_COS = math.sin(math.radians(TURN)), math.cos(math.radians(TURN))

_MENU = Rectangle(0, 0, 100, 470)
_CONNECTION = Rectangle(100, 0, 500, 450)
_CHAT = Rectangle(100, 450, 700, 400)

_SAMPLES = 20
"""Rows and columns of points by which a share of an area is measured."""


class Window(Struct, frozen=True):
    """A browser's window, in pixels."""

    width: int
    height: int

    @property
    def panels(self) -> tuple[Rectangle, ...]:
        """What the client opens over the table; the chat is pushed up into the window."""
        chat = _CHAT._replace(y=min(_CHAT.y, self.height - _CHAT.height))
        return _MENU, _CONNECTION, chat


WINDOWS = (Window(1366, 768), Window(1920, 1080))
"""The two that most players have."""


class View(Struct, frozen=True):
    """A window onto a table of ``width`` × ``height`` pixels."""

    window: Window
    width: float
    height: float

    def project(self, x: float, y: float, z: float = 0) -> Point | None:
        """Where the window shows a point of the table; nothing for one behind the viewer."""
        (point,) = self._projected([(x, y)], z)
        return point

    def _projected(self, points: Iterable[Point], z: float = 0) -> Iterator[Point | None]:
        """Where the window shows points of one height: rooms ask for a hundred thousand."""
        half_width, half_height = self.width / 2, self.height / 2
        middle, centre = self.window.width / 2, self.window.height / 2
        # A table that is wider than the window begins at its left edge; others lie in its middle.
        beyond = max(0.0, (self.width - self.window.width) / 2)
        for x, y in points:
            across, down = x - half_width, y - half_height
            turned = across * _TURN_COS - down * _TURN_SIN
            down = across * _TURN_SIN + down * _TURN_COS
            near = down * _TILT_SIN + z * _TILT_COS
            if near >= PERSPECTIVE:
                yield None
                continue
            scale = PERSPECTIVE / (PERSPECTIVE - near)
            yield (
                middle + (turned + SHIFT + beyond) * scale,
                centre + (down * _TILT_COS - z * _TILT_SIN) * scale,
            )

    def shows(self, point: Point, *, beside_panels: bool) -> bool:
        """Whether a point of the window's plane lies in it, and, if wanted, under no panel."""
        return self._shows(point, self.window.panels if beside_panels else ())

    def _shows(self, point: Point, panels: Sequence[Rectangle]) -> bool:
        x, y = point
        if not (0 <= x <= self.window.width and 0 <= y <= self.window.height):
            return False
        for left, top, width, height in panels:
            if left <= x <= left + width and top <= y <= top + height:
                return False
        return True

    def share(
        self,
        area: Rectangle,
        *,
        beside_panels: bool,
        standing: Sequence[Sequence[Point]] = (),
        samples: int = _SAMPLES,
        beyond: float = -1,
    ) -> float:
        """How much of the ground of an area is seen, from 0 to 1.

        Behind ``standing`` nothing is seen: each of them is the outline of something in the
        window, as corners in their order. Where it cannot come ``beyond`` a share, it may be said
        too large, but no larger than that.
        """
        left = samples**2
        panels = self.window.panels if beside_panels else ()
        hiding = [(_around(outline), outline) for outline in standing if outline]
        for point in self._projected(_points(area, samples)):
            is_hidden = point is None or not self._shows(point, panels)
            if is_hidden or (hiding and point and _is_hidden(point, hiding)):
                left -= 1
                if left / samples**2 <= beyond:
                    break
        return left / samples**2

    def outline(self, left: float, right: float, y: float, height: float) -> tuple[Point, ...]:
        """What hides the ground behind it: something that stands on a line, from corner to corner.

        Nothing for what is partly behind the viewer.
        """
        corners = [(left, 0.0), (right, 0.0), (right, height), (left, height)]
        found = [self.project(x, y, z) for x, z in corners]
        return tuple(point for point in found if point) if all(found) else ()


def _points(area: Rectangle, samples: int) -> Iterator[Point]:
    left, top, width, height = area
    across = [left + width * (column + 0.5) / samples for column in range(samples)]
    for row in range(samples):
        y = top + height * (row + 0.5) / samples
        for x in across:
            yield x, y


def _holds(panel: Rectangle, point: Point) -> bool:
    left, top, width, height = panel
    return left <= point[0] <= left + width and top <= point[1] <= top + height


def _around(outline: Sequence[Point]) -> Rectangle:
    """What an outline is looked for in: most points lie far from it."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return Rectangle(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _is_hidden(point: Point, hiding: Iterable[tuple[Rectangle, Sequence[Point]]]) -> bool:
    """Whether a point lies behind one of some outlines, each with the rectangle around it."""
    return any(_holds(box, point) and _within(outline, point) for box, outline in hiding)


def _within(outline: Sequence[Point], point: Point) -> bool:
    """Whether a point lies in a convex outline."""
    sides = []
    for (x, y), (to_x, to_y) in zip(outline, (*outline[1:], *outline[:1]), strict=True):
        sides.append((to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x))
    return bool(sides) and (all(side >= 0 for side in sides) or all(side <= 0 for side in sides))
