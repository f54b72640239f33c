"""What a room opens on: bare table is added so that it is seen, and what is not seen is a warning.

Every room opens alike: the client tilts the table by 50 degrees about its middle, turned by 10,
under a perspective of 1000 pixels, with panels over it (format section 14).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    error_at,
    nearest,
    some,
    warning_at,
)
from exporter.model import RoomPlan
from exporter.model.tabletop import (
    UNIT,
    Character,
    TextNote,
)
from exporter.rooms.footprints import (
    Point,
    Rectangle,
    Thing,
    footprint,
)

# Pixels from the viewer to the window's plane.
PERSPECTIVE = 1000

# Degrees.
TILT, TURN = 50, 10

# Pixels by which the client moves the table to the right.
SHIFT = 100

_TILT_SIN, _TILT_COS = math.sin(math.radians(TILT)), math.cos(math.radians(TILT))
_TURN_SIN, _TURN_COS = math.sin(math.radians(TURN)), math.cos(math.radians(TURN))

_MENU = Rectangle(0, 0, 100, 470)
_CONNECTION = Rectangle(100, 0, 500, 450)
_CHAT = Rectangle(100, 450, 700, 400)


class Window(NamedTuple):
    """A browser's window, in pixels."""

    width: int
    height: int


@cache
def panels(window: Window) -> tuple[Rectangle, ...]:
    """Return what the client opens over the table; the chat is pushed up into the window."""
    return _MENU, _CONNECTION, _CHAT._replace(y=min(_CHAT.y, window.height - _CHAT.height))


# The two that most players have.
WINDOWS = (Window(1366, 768), Window(1920, 1080))


class View(Struct, frozen=True):
    """A window onto a table of ``width`` × ``height`` pixels."""

    window: Window
    width: float
    height: float

    def project(self, x: float, y: float, z: float = 0) -> Point | None:
        """Return where the window shows a point of the table; nothing for one behind the viewer."""
        across, down = x - self.width / 2, y - self.height / 2
        turned = across * _TURN_COS - down * _TURN_SIN
        down = across * _TURN_SIN + down * _TURN_COS
        near = down * _TILT_SIN + z * _TILT_COS
        if near >= PERSPECTIVE:
            return None
        scale = PERSPECTIVE / (PERSPECTIVE - near)
        # A table that is wider than the window begins at its left edge; others lie in its middle.
        beyond = max(0.0, (self.width - self.window.width) / 2)
        return (
            self.window.width / 2 + (turned + SHIFT + beyond) * scale,
            self.window.height / 2 + (down * _TILT_COS - z * _TILT_SIN) * scale,
        )

    def shows(self, point: Point, *, beside_panels: bool) -> bool:
        """Return whether a point of the window's plane lies in it, and, if wanted, under no
        panel."""
        x, y = point
        if not (0 <= x <= self.window.width and 0 <= y <= self.window.height):
            return False
        for left, top, width, height in panels(self.window) if beside_panels else ():
            if left <= x <= left + width and top <= y <= top + height:
                return False
        return True

    def share(
        self,
        area: Rectangle,
        *,
        beside_panels: bool,
        standing: Sequence[Sequence[Point]] = (),
        samples: int = 20,
        beyond: float = -1,
    ) -> float:
        """Return how much of the ground of an area is seen, from 0 to 1, by rows and columns of
        points.

        Behind ``standing`` nothing is seen: each of them is the outline of something in the
        window, as corners in their order. A share that cannot come ``beyond`` another may be too
        large, but is no larger than that.
        """
        # Only what lies within the bounds is looked at more closely.
        ground, steps = ground_bounds(self), [(step + 0.5) / samples for step in range(samples)]
        across = [area.x + area.width * step for step in steps]
        across = [x for x in across if ground.x <= x <= ground.x + ground.width]
        down = [area.y + area.height * step for step in steps]
        down = [y for y in down if ground.y <= y <= ground.y + ground.height]
        seen = len(across) * len(down)
        if seen / samples**2 <= beyond:
            return seen / samples**2
        # Most points lie far from an outline: those left or right of it are left out first.
        hiding = [(min(x for x, _ in one), max(x for x, _ in one), one) for one in standing if one]
        for y, x in product(down, across):
            point = self.project(x, y)
            if (
                point is None
                or not self.shows(point, beside_panels=beside_panels)
                or (hiding and any(a <= point[0] <= b and _within(o, point) for a, b, o in hiding))
            ):
                seen -= 1
                if seen / samples**2 <= beyond:
                    break
        return seen / samples**2

    def outline(self, thing: Thing) -> tuple[Point, ...]:
        """Return what hides the ground behind a thing that stands, from corner to corner; nothing
        for what is partly behind the viewer."""
        left, top, width, depth = footprint(thing)
        y, height = top + depth / 2, thing.height * UNIT if isinstance(thing, TextNote) else depth
        corners = ((left, 0.0), (left + width, 0.0), (left + width, height), (left, height))
        found = [self.project(x, y, z) for x, z in corners]
        return tuple(point for point in found if point) if all(found) else ()


@lru_cache(maxsize=64)
def ground_bounds(view: View) -> Rectangle:
    """Return bounds of the ground that a window shows, by the points of the table that lie in its
    corners: outside of them nothing is seen."""
    (wide, high), points = view.window, []
    beyond = max(0.0, (view.width - wide) / 2)
    for x, y in product((-wide / 2, wide / 2), (-high / 2, high / 2)):
        down = y * PERSPECTIVE / (_TILT_COS * PERSPECTIVE + y * _TILT_SIN)
        turned = x * (PERSPECTIVE - down * _TILT_SIN) / PERSPECTIVE - SHIFT - beyond
        points.append(
            (turned * _TURN_COS + down * _TURN_SIN, down * _TURN_COS - turned * _TURN_SIN)
        )
    xs, ys = zip(*points, strict=True)
    left, top = min(xs) + view.width / 2, min(ys) + view.height / 2
    # A pixel more, as sums may be off.
    return Rectangle(left - 1, top - 1, max(xs) - min(xs) + 2, max(ys) - min(ys) + 2)


def _within(outline: Sequence[Point], point: Point) -> bool:
    """Return whether a point lies in a convex outline."""
    sides = [
        (to_x - x) * (point[1] - y) - (to_y - y) * (point[0] - x)
        for (x, y), (to_x, to_y) in zip(outline, (*outline[1:], *outline[:1]), strict=True)
    ]
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


# Stand for the first seat that is arranged, and for the first that follows from a mech.
SEAT, RACK = "seat", "rack"

# Pixels up to which something can be seen beside the panels that the client opens.
NARROW = 1100

# How much is to be seen of what a room opens on, of a narrow one beside the panels, and of the
# first player's seat.
BOARD_SEEN, BESIDE_PANELS, SEAT_SEEN = 0.75, 0.65, 0.95

# How margins are sought: cells at the left, rows and columns of points, which surplus is enough,
# and by how much sums may be off.
_MOST_LEFT = 24
_SAMPLES = 12
_ENOUGH = 0.8
_ROUNDING = 1e-9

Size = tuple[int, int]


class Goal(Struct, frozen=True):
    """A part of the table to be seen on opening, and the least share of it.

    With ``beside_panels`` what lies under the client's panels is not seen.
    """

    name: str
    area: Rectangle
    least: float
    beside_panels: bool = False


class Margins(Struct, frozen=True):
    """Cells of bare table that are added at the left, above and below.

    ``surplus`` is how much more is seen with them than has to be, of the goal and in the window
    where that is least: 0 for what is just enough, 1 for all.
    """

    left: int = 0
    above: int = 0
    below: int = 0
    surplus: float = 1

    def size(self, width: int, height: int) -> Size:
        """Return the size of a table with them, in cells."""
        return width + self.left, height + self.above + self.below

    def moved(self, corner: Point) -> Point:
        """Return where what lay at ``corner`` lies with them."""
        return corner[0] + self.left, corner[1] + self.above


def opened_on(plan: RoomPlan, blocks: Mapping[str, Rectangle]) -> str:
    """Return the block that a plan opens on; empty for none. Raises ``InvalidSource`` for an
    unknown one.

    ``blocks`` are the places of all that is arranged.
    """
    wanted = plan.opens_on
    if wanted in (SEAT, RACK) and wanted not in blocks:
        seats = (plan.seats_by_id[name] for name in blocks if name in plan.seats_by_id)
        wanted = next((one.id for one in seats if wanted == SEAT or one.bay), wanted)
    if wanted and wanted not in blocks:
        where, words = plan.place("opens_on"), {"room": plan.id, "names": some(sorted(blocks))}
        if wanted in (RACK, SEAT):
            raise error_at(where, "OPENS", wanted, **words)
        near = nearest(wanted, {*blocks, SEAT, RACK})
        raise error_at(where, "OPENS", "unknown", room=plan.id, name=wanted, nearest=near)
    return wanted


def goals(plan: RoomPlan, blocks: Mapping[str, Rectangle]) -> tuple[Goal, ...]:
    """Return what is to be seen on opening: what the plan opens on, and the first player's seat.

    Raises ``InvalidSource`` where it opens on nothing that it has.
    """
    name = opened_on(plan, blocks)
    if not name:
        return ()
    is_narrow = blocks[name].width <= NARROW
    found = [Goal(name, blocks[name], BESIDE_PANELS if is_narrow else BOARD_SEEN, is_narrow)]
    seats = [one for one in plan.seats if one.id in blocks and not one.bay]
    if seats and name not in plan.seats_by_id:
        first = min(seats, key=lambda one: one.number)
        found.append(Goal(first.id, blocks[first.id], SEAT_SEEN))
    return tuple(found)


@lru_cache(maxsize=256)
def margins(goals: tuple[Goal, ...], width: int, height: int, most: int) -> Margins:
    """Return the least bare table beside one of so many cells with which ``goals`` are seen on
    opening.

    No side becomes longer than ``most`` cells. Where nothing is enough, what comes nearest.
    """
    best = Margins(surplus=-math.inf)
    lefts, downs = range(0, _MOST_LEFT, 3), range(-height, height, 3)
    for _ in range(2):  # first in large steps, then in small ones around the best
        found = [
            Margins(left, max(0, -down), max(0, down))
            for left, down in product(lefts, downs)
            if max(Margins(left, 0, abs(down)).size(width, height)) <= most
        ]
        for margin in sorted(found, key=lambda one: one.left + one.above + one.below):
            surplus = _surplus(goals, margin, margin.size(width, height), best.surplus)
            if surplus > best.surplus + _ROUNDING:
                best = replace(margin, surplus=surplus)
            if best.surplus >= _ENOUGH:
                break
        lefts = range(max(0, best.left - 2), best.left + 3)
        downs = range(best.below - best.above - 2, best.below - best.above + 3)
    return best


def _surplus(goals: Iterable[Goal], margin: Margins, size: Size, beyond: float) -> float:
    """Return the least surplus of all goals in all windows; where one is no more than ``beyond``,
    it may be too large."""
    found = 1.0
    for goal, window in product(goals, WINDOWS):
        if found <= beyond:
            break
        (x, y), view = goal.area[:2], View(window, size[0] * UNIT, size[1] * UNIT)
        share = view.share(
            goal.area._replace(x=x + margin.left * UNIT, y=y + margin.above * UNIT),
            beside_panels=goal.beside_panels,
            samples=_SAMPLES,
            beyond=goal.least + beyond * (1 - goal.least),
        )
        found = min(found, (share - goal.least) / (1 - goal.least))
    return found


def shares(
    area: Rectangle, size: Size, *, beside_panels: bool, standing: Sequence[Thing] = ()
) -> tuple[float, ...]:
    """Return how much of an area is seen in each window on a table of so many cells."""
    found = []
    for window in WINDOWS:
        view = View(window, size[0] * UNIT, size[1] * UNIT)
        outlines = list(filter(None, map(view.outline, standing)))
        found.append(view.share(area, beside_panels=beside_panels, standing=outlines))
    return tuple(found)


def unseen(
    plan: RoomPlan, goals: Sequence[Goal], size: Size, things: Sequence[Thing], *, in_rows: bool
) -> Iterator[Problem]:
    """Yield a warning for each window that shows too little of a goal.

    ``size`` of the table is in cells; boards that lie ``in_rows`` need another remedy.
    """
    for goal in goals:
        standing = [
            thing
            for thing in things
            if isinstance(thing, Character | TextNote) and not goal.area.holds(footprint(thing))
        ]
        seen = shares(goal.area, size, beside_panels=goal.beside_panels, standing=standing)
        for window, share in zip(WINDOWS, seen, strict=True):
            if share < goal.least:
                yield warning_at(
                    plan.where,
                    "UNSEEN",
                    "ground-of-rows" if in_rows else "ground",
                    room=plan.id,
                    width=window.width,
                    height=window.height,
                    what=goal.name,
                    share=f"{share * 100:.0f}",
                    goal=f"{goal.least * 100:.0f}",
                )
