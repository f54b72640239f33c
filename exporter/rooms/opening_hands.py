"""Opening hands: in a room whose stacks are shuffled, cards are dealt to the zones of its seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from exporter.core.problems import (
    Faults,
    error_at,
    nearest,
)
from exporter.faces.card_faces import Face
from exporter.faces.face_texts import fill
from exporter.model import (
    Deal,
    Item,
)
from exporter.model.fields import whole_number
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    TableCard,
)
from exporter.rooms.area import Area
from exporter.rooms.drawn_cards import zones_of
from exporter.rooms.footprints import (
    Rectangle,
    card_size,
    footprint,
    turn,
)
from exporter.rooms.laying import LaidItem
from exporter.rooms.provenance import (
    RECORD,
    read,
    recorded,
    split,
)

HEAD = UNIT / 2
"""Pixels at the top of a zone that its name takes."""

GAP = 5
"""Pixels between cards that lie beside one another."""


def dealt(laid: Sequence[LaidItem], faults: Faults) -> list[LaidItem]:
    """The same things after every stack that deals has dealt, in the order of the layouts."""
    table = _Table(laid)
    for index, one in enumerate(laid):
        if one.item.deal:
            with faults.gathered():
                table.deal_from(index)
    return [*table.laid, *table.hands()]


class _Table:
    """Things that lie, and the cards that each seat was dealt, by the zone."""

    def __init__(self, laid: Sequence[LaidItem]) -> None:
        self.laid = list(laid)
        self.seats = list({id(one.area): one.area for one in laid if one.area.seat}.values())
        self.dealt: dict[tuple[int, str], list[TableCard[Face]]] = {}
        self.items: dict[tuple[int, str], Item] = {}

    def deal_from(self, index: int) -> None:
        one = self.laid[index]
        for number, stack in enumerate(one.things):
            if isinstance(stack, CardStack):
                left = self._deal(one, stack)
                if one.item.leftover:
                    self._put_away(one, left)
                    left = []
                things = list(self.laid[index].things)
                things[number] = replace(stack, cards=tuple(left))
                self.laid[index] = LaidItem(one.area, one.item, tuple(things))

    def _deal(self, one: LaidItem, stack: CardStack[Face]) -> list[TableCard[Face]]:
        cards = list(stack.cards)
        for deal in one.item.deal:
            for seat in [one.area] if one.area.seat else self.seats:
                if not self._holds(seat, deal):
                    continue
                text = fill(deal.each, seat.names, one.item.where)
                count = whole_number(text)
                if count is None or count < 0:
                    raise error_at(one.item.where, "DEAL", "no-number", found=text)
                if count > len(cards):
                    words = {"stack": stack.name, "count": len(stack.cards)}
                    raise error_at(one.item.where, "DEAL", "too-few", **words)
                zone = self._zone(one.item, seat, deal.to or one.item.draws_to)
                given, cards = cards[:count], cards[count:]
                given = [replace(card, face_down=not deal.face_up) for card in given]
                self.dealt.setdefault((id(seat), zone), []).extend(given)
                self.items[id(seat), zone] = one.item
        return cards

    def _holds(self, seat: Area, deal: Deal) -> bool:
        """Whether a seat was dealt a card with the values that a deal asks for."""
        cards = [
            seat.game.cards.get(split(read(card.extra, RECORD))[1])
            for (owner, _zone), given in self.dealt.items()
            if owner == id(seat)
            for card in given
        ]
        return not deal.holding or any(
            card is not None and all(card.text(name) == word for name, word in deal.holding.items())
            for card in cards
        )

    def _zones(self, seat: Area) -> Iterator[tuple[LaidItem, str]]:
        yield from ((one, zone) for one in self.laid if one.area is seat for zone in one.item.zones)

    def _zone(self, item: Item, seat: Area, wanted: str) -> str:
        """The zone of a seat, by its name. Raises ``InvalidSource``."""
        names = [name for _one, name in self._zones(seat)]
        if wanted in names:
            return wanted
        words = {"seat": seat.owner, "zone": wanted, "nearest": nearest(wanted, names)}
        raise error_at(item.where, "DEAL", "no-zone", **words)

    def _put_away(self, one: LaidItem, cards: Iterable[TableCard[Face]]) -> None:
        """What nobody gets lies face down in the pile of a zone. Raises ``InvalidSource``."""
        for mat, name in self._zones(one.area):
            if name != one.item.leftover:
                continue
            places = {zone: place for zone, _for, place in zones_of(mat)}
            for index, other in enumerate(self.laid):
                if other.item.lay == "pile" and other.area is one.area:
                    (pile,) = other.things
                    if isinstance(pile, CardStack) and places[name].holds(footprint(pile)):
                        down = tuple(replace(card, face_down=True) for card in cards)
                        filled = replace(pile, cards=(*pile.cards, *down))
                        self.laid[index] = LaidItem(other.area, other.item, (filled,))
                        return
        raise error_at(one.item.where, "DEAL", "no-pile", zone=one.item.leftover)

    def hands(self) -> Iterator[LaidItem]:
        """The cards of each seat where they lie."""
        for (owner, name), cards in self.dealt.items():
            seat = next(area for area in self.seats if id(area) == owner)
            mat = next(one for one, zone in self._zones(seat) if zone == name)
            title = seat.seat.name if seat.seat else ""
            # Where the zone lies before its seat is turned.
            x, y = mat.area.place(mat.item.lies_at)
            left, top, *size = (length * UNIT for length in mat.item.zones[name].at)
            upright = Rectangle(x + left, y + top, *size)
            things = tuple(
                recorded(turn(card, seat.degrees, seat.centre), "", 0, title)
                for card in _beside(cards, upright)
            )
            yield LaidItem(seat, self.items[owner, name], things)


def _beside(cards: Sequence[TableCard[Face]], zone: Rectangle) -> Iterator[TableCard[Face]]:
    """Cards in a row in a zone, one over the other where it is not wide enough."""
    wide = max(card_size(card)[0] for card in cards)
    most = (zone.width - wide - 2 * GAP) / max(1, len(cards) - 1)
    step = max(0, min(wide + GAP, most))
    for index, card in enumerate(cards):
        height = card_size(card)[1]
        head = min(HEAD, max(0, zone.height - height))
        y = zone.y + head + (zone.height - head - height) / 2
        yield replace(card, x=round(zone.x + GAP + index * step), y=round(y), zindex=index + 1)
