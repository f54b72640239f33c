"""Where a card falls that somebody draws, and what it would fall on; where an empty stack lies.

The client puts the top card of a stack 100 to 150 pixels right of the stack's corner and 25 to 75
below, in the table's directions however the stack lies (format section 14).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from exporter.core.problems import (
    Problem,
    Severity,
    problem_at,
)
from exporter.faces.card_faces import Face
from exporter.model import (
    MAT_SIZE,
    Item,
)
from exporter.model.layouts import BARE_TABLE
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Terrain,
    TextNote,
)
from exporter.rooms.area import Area
from exporter.rooms.footprints import (
    EMPTY_STACK,
    Rectangle,
    Thing,
    card_size,
    footprint,
    turned_size,
)
from exporter.rooms.laying import LaidItem

RIGHT = (100, 150)
DOWN = (25, 75)
"""Pixels from a stack's corner to the nearest and farthest place of a card drawn from it."""

SLACK = 0.25 * UNIT
"""Pixels by which a card may stand out of its zone, or lie over the edge of something else."""


ROUNDING = 0.1
"""Pixels by which sums of units may be off."""


class Around(Struct, frozen=True):
    """What a drawn card may fall on: zones by their layout and name, and all that lies about.

    ``zones`` holds the area of each, as two seats may have zones of one name.
    """

    zones: Sequence[tuple[Area, str, str, Rectangle]]
    mats: list[tuple[str, Rectangle]]
    boards: list[tuple[str, Rectangle]]
    pieces: Sequence[tuple[Thing, Rectangle]]
    table: Rectangle


def falls(stack: CardStack[Face]) -> Rectangle:
    """All that a card drawn from a stack may cover, in pixels."""
    card = stack.cards[0]
    width, height = card_size(card)
    turned = turned_size((width, height), card.rotate + stack.rotate)
    x, y = (stack.x + (width - turned[0]) / 2, stack.y + (height - turned[1]) / 2)
    return Rectangle(
        x + RIGHT[0],
        y + DOWN[0],
        turned[0] + RIGHT[1] - RIGHT[0],
        turned[1] + DOWN[1] - DOWN[0],
    )


def zones_of(laid: LaidItem) -> Iterator[tuple[str, str, Rectangle]]:
    """Name, use and place of each zone of a mat."""
    area, item = laid.area, laid.item
    x, y = area.place(item.lies_at)
    width, depth = item.size or MAT_SIZE
    middle = (x + width / 2 * UNIT, y + depth / 2 * UNIT)
    for name, zone in item.zones.items():
        left, top, *size = (length * UNIT for length in zone.at)
        place = Rectangle(x + left, y + top, *size).turned(item.rotate, middle)
        yield name, zone.serves, place.turned(area.degrees, area.centre)


def around(laid: Sequence[LaidItem], boards: Sequence[Thing], table: tuple[float, float]) -> Around:
    """What lies on a table of so many pixels, with ``boards`` that belong to no layout."""
    grounds = [*boards, *(thing for one in laid if one.item.lay == "board" for thing in one.things)]
    flat = (one for one in laid if one.item.lay == "mat")
    mats = [(thing.name, footprint(thing)) for one in flat for thing in one.things]
    return Around(
        zones=[(one.area, *zone) for one in laid if one.item.zones for zone in zones_of(one)],
        mats=mats,
        boards=[(thing.name, footprint(thing)) for thing in grounds],
        pieces=[
            (thing, footprint(thing))
            for one in laid
            for thing in one.things
            if not isinstance(thing, Terrain | TextNote)
        ],
        table=Rectangle(0, 0, *table),
    )


def drawing_faults(laid: Sequence[LaidItem], found: Around) -> Iterator[Problem]:
    """A warning for each stack whose cards do not fall where its item says, or that stands out."""
    for one in laid:
        for thing in one.things:
            if not isinstance(thing, CardStack):
                continue
            if one.item.lay == "pile":
                yield from _standing_out(one, thing, found)
            elif len(thing.cards) > 1:
                yield from _faults(one, thing, found)


def _standing_out(one: LaidItem, pile: CardStack[Face], found: Around) -> Iterator[Problem]:
    """An empty stack is larger than a small card, and may reach into the next zone."""
    lies = footprint(pile).grown(-ROUNDING)
    zones = [(name, area) for owner, name, _, area in found.zones if owner is one.area]
    hit = [name for name, area in zones if area.meets(lies)]
    if hit and not any(area.holds(lies) for _, area in zones):
        yield _warning(one.item, "pile-beyond", pile, hit)


def _faults(one: LaidItem, stack: CardStack[Face], found: Around) -> Iterator[Problem]:
    item, place = one.item, falls(stack)
    if item.draws_to:
        yield from _drawn_elsewhere(one, stack, place, found)
        return
    kept = [(name, area) for _, name, use, area in found.zones if use == "hand"]
    kept += found.boards
    lies, fallen = footprint(stack).grown(-SLACK), place.grown(-SLACK)
    hit = [name for name, area in kept if area.meets(lies)]
    if hit:
        yield _warning(item, "store-lies", stack, hit)
    hit = [name for name, area in kept if area.meets(fallen)]
    if hit:
        yield _warning(item, "store-falls", stack, hit)
    elif not item.store and all(card.face_down for card in stack.cards):
        yield _warning(item, "unsaid", stack)


def _warning(item: Item, key: str, stack: CardStack[Face], hit: Sequence[str] = ()) -> Problem:
    return problem_at(
        item.where,
        "DRAWN",
        key,
        severity=Severity.WARNING,
        stack=stack.name,
        what="、".join(dict.fromkeys(hit)),
        zone=item.draws_to,
        side=EMPTY_STACK,
        right=f"{RIGHT[0] / UNIT:g}–{RIGHT[1] / UNIT:g}",
        down=f"{DOWN[0] / UNIT:g}–{DOWN[1] / UNIT:g}",
    )


def _drawn_elsewhere(
    one: LaidItem, stack: CardStack[Face], place: Rectangle, found: Around
) -> Iterator[Problem]:
    """What a drawn card falls on though it should not, or where it does not fall."""
    own: Mapping[str, Rectangle] = {
        name: area for owner, name, _, area in found.zones if owner is one.area
    }
    bare, target = one.item.draws_to == BARE_TABLE, own.get(one.item.draws_to)
    inner = place.grown(-SLACK)
    flat = [(name, area) for _, name, _, area in found.zones if area is not target]
    flat += found.boards + (found.mats if bare else [])
    hit = [name for name, area in flat if area.meets(inner)]
    hit += [
        thing.name
        for thing, area in found.pieces
        if thing is not stack and area.meets(inner) and not (target and target.holds(area))
    ]
    if hit:
        yield _warning(one.item, "falls", stack, hit)
    elif bare and not found.table.holds(place):
        yield _warning(one.item, "beyond-table", stack)
    elif target is not None and not target.holds(inner):
        yield _warning(one.item, "beyond-zone", stack)
