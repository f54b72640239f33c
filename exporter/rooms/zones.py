"""What hands meet: zones of mats, what falls into them or is dealt to them, and name plates.

The client puts the top card of a stack 100 to 150 pixels right of the stack's corner and 25 to 75
below, in the table's directions however the stack lies (format section 14).

It hangs the name plate of what stands over the picture, and whoever clicks on it takes what stands
below it. The table is looked at as it opens, from the middle of the window: what is looked at is
dragged there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias
from unicodedata import east_asian_width

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.problems import (
    Faults,
    Problem,
    error_at,
    nearest,
    warning_at,
)
from exporter.faces.card_faces import Face
from exporter.model import (
    MAT_SIZE,
    Deal,
    Item,
)
from exporter.model.fields import whole_number
from exporter.model.layouts import BARE_TABLE
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    DiceSymbol,
    TableCard,
    Terrain,
    TextNote,
)
from exporter.rooms.area import Area
from exporter.rooms.footprints import (
    EMPTY_STACK,
    Point,
    Rectangle,
    Thing,
    card_size,
    footprint,
    turn,
    turned_size,
    zone_places,
)
from exporter.rooms.laying import LaidItem
from exporter.rooms.opening_view import TILT, TURN
from exporter.udonarium.marks import (
    RECORD,
    SEAT,
    read_marks,
    split,
)

# Pixels from a stack's corner to the nearest and farthest place of a card drawn from it.
RIGHT = (100, 150)
DOWN = (25, 75)

# Pixels by which a card may stand out of its zone, or lie over the edge of something else.
SLACK = 0.25 * UNIT


# Pixels by which sums of units may be off.
ROUNDING = 0.1


class _Spot(NamedTuple):
    """What a drawn card may fall on: a ``zone``, a ``board``, a ``mat`` or another ``thing``.

    Of a zone ``area`` is where it is laid, as two seats may have zones of one name.
    """

    sort: str
    name: str
    place: Rectangle
    area: Area | None = None
    serves: str = ""
    thing: Thing | None = None


def falls(stack: CardStack[Face]) -> Rectangle:
    """Return all that a card drawn from a stack may cover, in pixels."""
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
    for name, use, place in zone_places(item, _mat(laid), item.rotate):
        yield name, use, place.turned(area.degrees, area.centre)


def _mat(laid: LaidItem) -> Rectangle:
    """Return where a mat lies before anything is turned."""
    width, depth = laid.item.size or MAT_SIZE
    return Rectangle(*laid.area.place(laid.item.lies_at), width * UNIT, depth * UNIT)


def _spots(laid: Sequence[LaidItem], scenery: Iterable[Thing]) -> list[_Spot]:
    """Return all that a card may fall on: zones first, then boards, mats and other things."""
    things = [(one.item.lay, thing) for one in laid for thing in one.things]
    boards = [*scenery, *(thing for lay, thing in things if lay == "board")]
    return [
        *(
            _Spot("zone", name, place, one.area, serves)
            for one in laid
            for name, serves, place in zones_of(one)
        ),
        *(_Spot("board", thing.name, footprint(thing)) for thing in boards),
        *(_Spot("mat", thing.name, footprint(thing)) for lay, thing in things if lay == "mat"),
        *(
            _Spot("thing", thing.name, footprint(thing), thing=thing)
            for _lay, thing in things
            if not isinstance(thing, Terrain | TextNote)
        ),
    ]


def drawing_faults(
    laid: Sequence[LaidItem], scenery: Iterable[Thing], table: Rectangle
) -> Iterator[Problem]:
    """Yield a warning for each stack whose cards do not fall where its item says, or that stands
    out; ``scenery`` belongs to no layout."""
    spots = _spots(laid, scenery)
    for one in laid:
        for stack in one.things:
            if not isinstance(stack, CardStack):
                continue
            for key, hit in _faults(one, stack, spots, table):
                yield warning_at(
                    one.item.where,
                    "DRAWN",
                    key,
                    stack=stack.name,
                    what=", ".join(dict.fromkeys(hit)),
                    zone=one.item.draws_to,
                    side=EMPTY_STACK,
                    right=f"{RIGHT[0] / UNIT:g}–{RIGHT[1] / UNIT:g}",
                    down=f"{DOWN[0] / UNIT:g}–{DOWN[1] / UNIT:g}",
                )


# What is wrong with where a stack lies: the key of its message, and what is hit.
_Fault: TypeAlias = tuple[str, list[str]]


def _met(spots: Iterable[_Spot], place: Rectangle) -> list[str]:
    """Return the names of the spots that a place meets."""
    return [spot.name for spot in spots if spot.place.meets(place)]


def _faults(
    one: LaidItem, stack: CardStack[Face], spots: Sequence[_Spot], table: Rectangle
) -> Iterator[_Fault]:
    """Yield what is wrong with where a stack lies and its cards fall: an empty one reaches into the
    next zone, a stack to draw from misses its target, one that is stored lies on hands or boards.
    """
    item, own = one.item, [spot for spot in spots if spot.area is one.area]
    if item.lay == "pile":
        lies = footprint(stack).grown(-ROUNDING)
        hit = _met(own, lies)
        if hit and not any(zone.place.holds(lies) for zone in own):
            yield "pile-beyond", hit
    elif len(stack.cards) > 1 and item.draws_to:
        target = next((zone for zone in own if zone.name == item.draws_to), None)
        yield from _drawn_elsewhere(item, stack, spots, target, table)
    elif len(stack.cards) > 1:
        kept = [spot for spot in spots if spot.sort == "board" or spot.serves == "hand"]
        if hit := _met(kept, footprint(stack).grown(-SLACK)):
            yield "store-lies", hit
        if hit := _met(kept, falls(stack).grown(-SLACK)):
            yield "store-falls", hit
        elif not item.store and all(card.face_down for card in stack.cards):
            yield "unsaid", []


def _drawn_elsewhere(
    item: Item,
    stack: CardStack[Face],
    spots: Sequence[_Spot],
    target: _Spot | None,
    table: Rectangle,
) -> Iterator[_Fault]:
    """Yield what a drawn card falls on though it should not, or that it does not fall there."""
    place, is_bare = falls(stack), item.draws_to == BARE_TABLE
    inner = place.grown(-SLACK)
    wrong = [
        spot
        for spot in spots
        if spot is not target
        and spot.thing is not stack
        and not (spot.sort == "mat" and not is_bare)
        and not (spot.sort == "thing" and target and target.place.holds(spot.place))
    ]
    if hit := _met(wrong, inner):
        yield "falls", hit
    elif is_bare and not table.holds(place):
        yield "beyond-table", []
    elif target is not None and not target.place.holds(inner):
        yield "beyond-zone", []


# -- opening hands --------------------------------------------------------------------------------

# Pixels at the top of a zone that its name takes.
HEAD = UNIT / 2

# Pixels between cards that lie beside one another.
GAP = 5


def dealt(laid: Sequence[LaidItem], faults: Faults) -> list[LaidItem]:
    """Return the same things after every stack that deals has dealt, in the order of the
    layouts."""
    table = _DealtTable(laid)
    for index, one in enumerate(laid):
        if one.item.deal:
            with faults.collect():
                table.deal_from(index)
    return [*table.laid, *(_laid_hand(hand) for hand in table.hands.values() if hand.cards)]


class _Hand(Struct):
    """The cards that a seat was dealt to a zone of one of its mats, and by which item."""

    mat: LaidItem
    zone: str
    item: Item
    cards: list[TableCard[Face]] = field(default_factory=list)


class _DealtTable:
    """Things that lie, and the hands that were dealt, by the seat's area and the zone."""

    def __init__(self, laid: Sequence[LaidItem]) -> None:
        self.laid = list(laid)
        self.seats = list({id(one.area): one.area for one in laid if one.area.seat}.values())
        self.hands: dict[tuple[int, str], _Hand] = {}

    def deal_from(self, index: int) -> None:
        """Deal from the stacks of an item, by its index. Raises ``InvalidSource``."""
        one = self.laid[index]
        for number, stack in enumerate(one.things):
            if isinstance(stack, CardStack):
                left = self._deal(one, stack)
                if one.item.leftover:
                    self._put_away(one, left)
                    left = []
                self._fill(index, number, left)

    def _fill(self, index: int, number: int, cards: Iterable[TableCard[Face]]) -> None:
        """Let a stack, by its number among the things of an item, hold these cards."""
        things = list(self.laid[index].things)
        things[number] = replace(things[number], cards=tuple(cards))
        self.laid[index] = replace(self.laid[index], things=tuple(things))

    def _deal(self, one: LaidItem, stack: CardStack[Face]) -> list[TableCard[Face]]:
        """Give cards to each seat that is to get some; return those that are left."""
        cards = list(stack.cards)
        for deal, seat in product(one.item.deal, [one.area] if one.area.seat else self.seats):
            if not self._holds(seat, deal):
                continue
            text = seat.fill(deal.each, one.item.where)
            count = whole_number(text)
            if count is None or count < 0:
                raise error_at(one.item.where, "DEAL", "no-number", found=text)
            if count > len(cards):
                words = {"stack": stack.name, "count": len(cards), "deals": count}
                raise error_at(one.item.where, "DEAL", "too-few", **words)
            hand = self._hand(one.item, seat, deal.to or one.item.draws_to)
            hand.cards += [replace(card, face_down=not deal.face_up) for card in cards[:count]]
            cards = cards[count:]
        return cards

    def _holds(self, seat: Area, deal: Deal) -> bool:
        """Return whether a seat was dealt a card with the values that a deal asks for."""
        cards = [
            seat.game.cards.get(split(read_marks(card.extra, RECORD))[1])
            for hand in self.hands.values()
            if hand.mat.area is seat
            for card in hand.cards
        ]
        return not deal.holding or any(
            card is not None and all(card.text(name) == word for name, word in deal.holding.items())
            for card in cards
        )

    def _hand(self, item: Item, seat: Area, zone: str) -> _Hand:
        """Return what lies in a zone of a seat. Raises ``InvalidSource``."""
        mats = {name: one for one in self.laid if one.area is seat for name in one.item.zones}
        if zone not in mats:
            words = {"seat": seat.owner, "zone": zone, "nearest": nearest(zone, mats)}
            raise error_at(item.where, "DEAL", "no-zone", **words)
        return self.hands.setdefault((id(seat), zone), _Hand(mats[zone], zone, item))

    def _put_away(self, one: LaidItem, cards: Iterable[TableCard[Face]]) -> None:
        """What nobody gets lies face down in the pile of a zone. Raises ``InvalidSource``."""
        own = [(index, other) for index, other in enumerate(self.laid) if other.area is one.area]
        zones = [zone for _index, other in own for zone in zones_of(other)]
        places = [place for name, _serves, place in zones if name == one.item.leftover]
        for index, other in own:
            for number, pile in enumerate(other.things if other.item.lay == "pile" else ()):
                if isinstance(pile, CardStack) and any(p.holds(footprint(pile)) for p in places):
                    down = [replace(card, face_down=True) for card in cards]
                    self._fill(index, number, [*pile.cards, *down])
                    return
        raise error_at(one.item.where, "DEAL", "no-pile", zone=one.item.leftover)


def _laid_hand(hand: _Hand) -> LaidItem:
    """Return the cards of a hand where they lie."""
    area = hand.mat.area
    zones = zone_places(hand.mat.item, _mat(hand.mat), 0)
    upright = next(place for name, _, place in zones if name == hand.zone)
    cards = (
        replace(card, extra=(*card.extra, (SEAT, area.seat.name if area.seat else "")))
        for card in _beside(hand.cards, upright)
    )
    return LaidItem(area, hand.item, tuple(turn(card, area.degrees, area.centre) for card in cards))


def _beside(cards: Sequence[TableCard[Face]], zone: Rectangle) -> Iterator[TableCard[Face]]:
    """Yield cards in a row in a zone, one over the other where it is not wide enough."""
    wide = max(card_size(card)[0] for card in cards)
    most = (zone.width - wide - 2 * GAP) / max(1, len(cards) - 1)
    step = max(0, min(wide + GAP, most))
    for index, card in enumerate(cards):
        height = card_size(card)[1]
        head = min(HEAD, max(0, zone.height - height))
        y = zone.y + head + (zone.height - head - height) / 2
        yield replace(card, x=round(zone.x + GAP + index * step), y=round(y), zindex=index + 1)


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
                yield warning_at(
                    one.item.where,
                    "PLATE",
                    "covers",
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
