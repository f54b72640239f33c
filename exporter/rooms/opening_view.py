"""What a room opens on: bare table is added so that it is seen, and what is not seen is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    Severity,
    error_at,
    nearest,
    problem_at,
)
from exporter.model import RoomPlan
from exporter.model.tabletop import (
    UNIT,
    Character,
    TableCard,
    TextNote,
)
from exporter.rooms.camera import (
    WINDOWS,
    View,
    Window,
)
from exporter.rooms.footprints import (
    Point,
    Rectangle,
    Thing,
    footprint,
)

SEAT, RACK = "seat", "rack"
"""Stand for the first seat that is arranged, and for the first that follows from a mech."""

NARROW = 1100
"""Pixels up to which something can be seen beside the panels that the client opens."""

BESIDE_PANELS = (0.9, 0.9)
IN_THE_WINDOW = (0.75, 0.9)
"""How much of the ground is to be seen in each of ``WINDOWS``: of what is narrow, of others."""

_MOST_LEFT = 24
_MOST_BELOW = 44
_STEP = 2
_COARSE = 8
_SPARE = 0.04
"""How margins are sought: cells of each, steps, rows and columns of points, and what they may miss
of the whole."""

Size = tuple[int, int]
Corner = tuple[float, float]


class Margins(Struct, frozen=True):
    """Cells of bare table that are added at the left, above and below.

    ``share`` is how much of what a room opens on is seen with them, in the window that shows least.
    """

    left: int = 0
    above: int = 0
    below: int = 0
    share: float = 1

    def size(self, width: int, height: int) -> Size:
        """Of a table with them, in cells."""
        return width + self.left, height + self.above + self.below

    def moved(self, corner: Corner) -> Corner:
        """Where what lay at ``corner`` lies with them."""
        return corner[0] + self.left, corner[1] + self.above


def opened_on(plan: RoomPlan, blocks: Mapping[str, Rectangle]) -> Rectangle | None:
    """The place of what a plan opens on, in pixels. Raises ``InvalidSource`` for an unknown one.

    ``blocks`` are the places of all that is arranged.
    """
    wanted = plan.opens_on
    if wanted in (SEAT, RACK) and wanted not in blocks:
        seats = (plan.seats_by_id[name] for name in blocks if name in plan.seats_by_id)
        wanted = next((one.id for one in seats if wanted == SEAT or one.bay), wanted)
    if wanted and wanted not in blocks:
        near = nearest(wanted, [*blocks, SEAT, RACK])
        where = plan.place("opens_on")
        raise error_at(where, "OPENS", "unknown", room=plan.id, name=wanted, nearest=near)
    return blocks.get(wanted)


def goals(area: Rectangle) -> tuple[tuple[float, float], bool]:
    """How much of an area is to be seen in each window, and whether what panels hide counts."""
    narrow = area.width <= NARROW
    return (BESIDE_PANELS, True) if narrow else (IN_THE_WINDOW, False)


@lru_cache(maxsize=256)
def margins(area: Rectangle, width: int, height: int, most: int) -> Margins:
    """The least bare table beside one of so many cells with which ``area`` is seen on opening.

    No side becomes longer than ``most`` cells. Where nothing is enough, what comes nearest.
    """
    _goal, beside = goals(area)
    best, nearest_yet = Margins(), -1.0
    rows = [(above, 0) for above in range(0, _MOST_BELOW, _STEP)]
    rows += [(0, below) for below in range(_STEP, _MOST_BELOW, _STEP)]
    tried = (
        Margins(left, above, below)
        for left, (above, below) in product(range(0, _MOST_LEFT, _STEP), rows)
    )
    for margin in sorted(tried, key=lambda one: one.left + one.above + one.below):
        size = margin.size(width, height)
        if max(size) > most:
            continue
        moved = area._replace(x=area.x + margin.left * UNIT, y=area.y + margin.above * UNIT)
        seen = _least_share(moved, size, nearest_yet, beside_panels=beside)
        if seen > nearest_yet:
            best, nearest_yet = margin, seen
        if nearest_yet >= 1 - _SPARE:
            break
    return replace(best, share=nearest_yet)


def _least_share(area: Rectangle, size: Size, beyond: float, *, beside_panels: bool) -> float:
    """The least of the ``shares``, as far as it is ``beyond`` what was reached before."""
    least = 1.0
    for window in WINDOWS:
        view = View(window, size[0] * UNIT, size[1] * UNIT)
        share = view.share(area, beside_panels=beside_panels, samples=_COARSE, beyond=beyond)
        least = min(least, share)
        if least <= beyond:
            break
    return least


def shares(
    area: Rectangle,
    size: Size,
    *,
    beside_panels: bool,
    standing: Sequence[Thing] = (),
    samples: int = 20,
) -> tuple[float, ...]:
    """How much of an area is seen in each window on a table of so many cells."""
    found = []
    for window in WINDOWS:
        view = View(window, size[0] * UNIT, size[1] * UNIT)
        hiding = [outline for thing in standing if (outline := _outline(view, thing))]
        found.append(
            view.share(area, beside_panels=beside_panels, standing=hiding, samples=samples)
        )
    return tuple(found)


def _outline(view: View, thing: Thing) -> tuple[Point, ...]:
    """What something that stands upright hides in a window."""
    place = footprint(thing)
    if isinstance(thing, TextNote):
        height = thing.height * UNIT
        return view.outline(place.x, place.x + place.width, thing.y, height)
    y = place.y + place.height / 2
    return view.outline(place.x, place.x + place.width, y, place.height)


def unseen(
    plan: RoomPlan, area: Rectangle, size: Size, things: Sequence[Thing]
) -> Iterator[Problem]:
    """A warning for each window that shows too little of what the room opens on, or not its pawns.

    ``size`` of the table is in cells.
    """
    standing = [
        thing
        for thing in things
        if isinstance(thing, Character | TextNote) and not area.holds(footprint(thing))
    ]
    pawns = [
        thing
        for thing in things
        if isinstance(thing, TableCard | Character) and area.holds(footprint(thing))
    ]
    wanted, beside = goals(area)
    seen = shares(area, size, beside_panels=beside, standing=standing)
    for window, share, goal in zip(WINDOWS, seen, wanted, strict=True):
        if share < goal:
            ground = {"share": f"{share * 100:.0f}", "goal": f"{goal * 100:.0f}"}
            yield _warning(plan, window, "ground", what=plan.opens_on, **ground)
        view = View(window, size[0] * UNIT, size[1] * UNIT)
        hidden = [
            pawn.name
            for pawn in pawns
            if (point := view.project(*footprint(pawn).centre)) is None
            or not view.shows(point, beside_panels=beside)
        ]
        if hidden:
            yield _warning(plan, window, "pawns", names="、".join(hidden))


def _warning(plan: RoomPlan, window: Window, key: str, **values: str) -> Problem:
    return problem_at(
        plan.where,
        "UNSEEN",
        key,
        severity=Severity.WARNING,
        room=plan.id,
        width=window.width,
        height=window.height,
        **values,
    )
