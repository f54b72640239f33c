"""Name plates of standing things: a warning where one covers what hands want to take hold of.

The client hangs the plate over the picture, and whoever clicks on it takes what stands below it.
The table is looked at as it opens, from the middle of the window: what is looked at is dragged
there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias
from unicodedata import east_asian_width

from exporter.core.problems import Problem, Severity, problem_at
from exporter.faces.card_faces import Face
from exporter.model.tabletop import UNIT, Character, DiceSymbol, Terrain, TextNote
from exporter.rooms.footprints import Point, Rectangle, Thing, footprint
from exporter.rooms.laying import LaidItem
from exporter.rooms.opening_view import TILT, TURN

# Pixels above the picture where the plate begins and ends, of a letter, and beside the name.
BOTTOM, TOP, LETTER, BESIDE = 4, 30, 15, 18

# Of a letter that is half as wide as a Japanese one.
NARROW_LETTER = 8

# Pixels by which a plate lies elsewhere where the table is looked at a little more flatly.
ASKEW = 12

# What has a plate.
Standing: TypeAlias = Character[Face] | DiceSymbol[Face]


def seen_at(point: Point, height: float) -> Point:
    """Return the point of the ground that lies behind something so many pixels above ``point``."""
    back = height * math.tan(math.radians(TILT))
    return (
        point[0] - back * math.sin(math.radians(TURN)),
        point[1] - back * math.cos(math.radians(TURN)),
    )


def figure_height(thing: Standing) -> float:
    """Return the height of what stands in pixels."""
    if isinstance(thing, DiceSymbol):
        picture = next(one.picture for one in thing.faces if one.name == thing.face)
    else:
        picture = thing.picture
    return thing.size * UNIT * (picture.height / picture.width if picture else 1)


def name_plate(thing: Standing) -> Rectangle:
    """Return what of the ground the plate of a standing thing hides."""
    name = f"{thing.name}:{thing.face}" if isinstance(thing, DiceSymbol) else thing.name
    letters = (LETTER if east_asian_width(sign) in "FWA" else NARROW_LETTER for sign in name)
    width, height = sum(letters) + BESIDE, thing.z + figure_height(thing)
    middle = footprint(thing).centre
    (left, lower), (right, upper) = (seen_at(middle, height + one) for one in (BOTTOM, TOP))
    return Rectangle((left + right - width) / 2, upper, width, lower - upper)


def plate_faults(laid: Sequence[LaidItem]) -> Iterator[Problem]:
    """Yield a warning for the first thing of each item whose plate hides the middles of others."""
    things = [
        thing
        for one in laid
        for thing in one.things
        if one.item.lay != "board" and not isinstance(thing, Terrain | TextNote)
    ]
    for one in laid:
        for piece in one.things:
            hidden = (
                _hidden(piece, things)
                if isinstance(piece, Character | DiceSymbol) and piece.name
                else ()
            )
            if hidden:
                yield problem_at(
                    one.item.where,
                    "PLATE",
                    "covers",
                    severity=Severity.WARNING,
                    piece=piece.name,
                    what=", ".join(dict.fromkeys(hidden)),
                )
                break


def _hidden(piece: Standing, things: Sequence[Thing]) -> list[str]:
    """Return the names of those behind a plate; what stands nearer to the viewer is before it."""
    x, y, width, height = name_plate(piece).grown(ASKEW)
    front = footprint(piece).centre[1]
    found = []
    for thing in things:
        across, down = middle = footprint(thing).centre
        if isinstance(thing, Character | DiceSymbol):
            across, down = seen_at(middle, thing.z + figure_height(thing) / 2)
        if x < across < x + width and y < down < y + height and middle[1] <= front:
            found += [thing.name] if thing is not piece else []
    return found
