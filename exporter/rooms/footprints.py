"""Which part of the table a thing covers, and where it comes to lie in a seat that is turned."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec.structs import replace

from exporter.faces.card_faces import Face
from exporter.model import Item
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    DiceSymbol,
    TableCard,
    TableMask,
    Terrain,
    TextNote,
)

Thing: TypeAlias = (
    TableCard[Face]
    | CardStack[Face]
    | Character[Face]
    | DiceSymbol[Face]
    | TextNote[Face]
    | Terrain[Face]
    | TableMask[Face]
)
T = TypeVar("T", bound=Thing)

Point: TypeAlias = tuple[float, float]

# Units that the client makes a stack without cards wide and high.
EMPTY_STACK = 2


class Rectangle(NamedTuple):
    """A part of the table, in pixels from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, by: float) -> Rectangle:
        """Return the same, ``by`` pixels wider on every side; nothing is left of what shrinks
        away."""
        width, height = max(0, self.width + 2 * by), max(0, self.height + 2 * by)
        x, y = self.centre
        return Rectangle(x - width / 2, y - height / 2, width, height)

    def meets(self, other: Rectangle) -> bool:
        """Return whether the two have more than an edge in common."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def holds(self, other: Rectangle) -> bool:
        """Return whether all of the other lies in this one."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )

    def turned(self, degrees: float, about: Point) -> Rectangle:
        """Return the upright rectangle around this one, when it was turned about a point."""
        x, y = turned_point(self.centre, degrees, about)
        width, height = turned_size((self.width, self.height), degrees)
        return Rectangle(x - width / 2, y - height / 2, width, height)


def turned_point(point: Point, degrees: float, about: Point) -> Point:
    """Return a point turned clockwise, as seen from above."""
    sine, cosine = _sine_and_cosine(degrees)
    x, y = point[0] - about[0], point[1] - about[1]
    return about[0] + x * cosine - y * sine, about[1] + x * sine + y * cosine


def turned_size(size: tuple[float, float], degrees: float) -> tuple[float, float]:
    """Return width and height of what holds a turned rectangle."""
    sine, cosine = map(abs, _sine_and_cosine(degrees))
    width, height = size
    return width * cosine + height * sine, width * sine + height * cosine


def _sine_and_cosine(degrees: float) -> tuple[float, float]:
    """Return both, exact for quarters of a turn, so that what is turned lies on the same grid."""
    angle = math.radians(degrees)
    return round(math.sin(angle), 12), round(math.cos(angle), 12)


def zone_places(item: Item, mat: Rectangle, degrees: float) -> Iterator[tuple[str, str, Rectangle]]:
    """Yield name, use and place of each zone of a mat that is turned about its middle."""
    for name, zone in item.zones.items():
        left, top, width, height = (length * UNIT for length in zone.at)
        place = Rectangle(mat.x + left, mat.y + top, width, height)
        yield name, zone.serves, place.turned(degrees, mat.centre)


def card_size(card: TableCard[Face]) -> tuple[float, float]:
    """Return width and height of a card in pixels: its picture gives the height."""
    width = card.size * UNIT
    front = card.front
    return width, width * front.height / front.width if front else width


def extent(thing: Thing) -> tuple[float, float]:
    """Return width and depth in pixels of what a thing covers before it is turned."""
    match thing:
        case TableCard():
            return card_size(thing)
        case CardStack():
            side = EMPTY_STACK * UNIT
            return card_size(thing.cards[0]) if thing.cards else (side, side)
        case Terrain():
            return thing.width * UNIT, thing.depth * UNIT
        case TableMask():
            return thing.width * UNIT, thing.height * UNIT
        case TextNote():
            return thing.width * UNIT, 0
    return thing.size * UNIT, thing.size * UNIT


def footprint(thing: Thing) -> Rectangle:
    """Return what a thing covers; around one that lies askew the upright rectangle that holds
    it."""
    width, height = extent(thing)
    found = Rectangle(thing.x - _to_left(thing), thing.y, width, height)
    turn = 0 if isinstance(thing, TableMask | TextNote) else thing.rotate
    return found.turned(turn, found.centre) if turn else found


def _to_left(thing: Thing) -> float:
    """Return by how much a thing begins left of its place: a note has its place in its middle."""
    return thing.width * UNIT / 2 if isinstance(thing, TextNote) else 0


def turn(thing: T, degrees: float, about: Point) -> T:
    """Return a thing turned about a point with all that lies around it; what stands keeps its
    front."""
    width, height = extent(thing)
    across, down = width / 2 - _to_left(thing), height / 2
    x, y = turned_point((thing.x + across, thing.y + down), degrees, about)
    moved = replace(thing, x=round(x - across, 4), y=round(y - down, 4))
    if isinstance(moved, TableCard | CardStack | Terrain | DiceSymbol):
        return replace(moved, rotate=(moved.rotate + degrees) % 360)
    return moved
