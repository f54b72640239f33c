"""Layouts and rooms: what lies on the table, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec.structs import replace

from exporter.core.problems import (
    UNREADABLE,
    nearest,
    quoted,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.style_files import item_styles, read_values
from exporter.model import (
    BAYS,
    MAT_SIZE,
    Bays,
    FaceStyle,
    Head,
    Item,
    Layout,
    Mech,
    RoomPlan,
    Seat,
    Selection,
)
from exporter.model.documents import Table
from exporter.model.fields import whole_number
from exporter.model.forms import described
from exporter.model.layouts import BARE_TABLE, LAYS_WITH
from exporter.model.shape import MOST_EVER_REPEATED


def check_selection(reading: LoadContext, cards: Selection | None) -> None:
    """Note what is wrong with the numbers of a selection's copies and of its words."""
    if cards is None:
        return
    number = whole_number(cards.copies)
    if number is not None and not 0 <= number <= MOST_EVER_REPEATED:
        reading.fault(
            cards.place("copies"),
            "SRC-VALUE",
            "copies-found-allowed",
            found=quoted(cards.copies),
            most=MOST_EVER_REPEATED,
        )
    if len(cards.listed) == 1:
        reading.fault(cards.place("listed"), "SRC-VALUE", "listed-found-one")


def with_values(reading: LoadContext, layout: Layout, faces: Mapping[str, FaceStyle]) -> Layout:
    """Return a layout whose items have their values as the templates of their styles take them."""
    _check_drawn(reading, layout)
    return replace(layout, items=tuple(_item(reading, item, faces) for item in layout.items))


def _check_zones(reading: LoadContext, item: Item) -> None:
    """Note zones that stand out of their mat."""
    width, depth = item.size or MAT_SIZE
    for name, zone in item.zones.items():
        x, y = zone.at[0] + zone.at[2], zone.at[1] + zone.at[3]
        if item.is_sound("zones", name) and (x > width or y > depth):
            reading.fault(
                item.place("zones", name),
                "SRC-VALUE",
                "zone-beyond-mat",
                name=name,
                x=f"{x:g}",
                y=f"{y:g}",
                width=f"{width:g}",
                depth=f"{depth:g}",
            )


def _check_keys(reading: LoadContext, item: Item) -> None:
    """Note keys that only other things have."""
    if not item.is_sound("lay"):
        return
    for key, lays in LAYS_WITH.items():
        if item.lay not in lays and item.spot.spelled(key) is not None:
            reading.fault(
                item.place(key, key=True),
                "SRC-KEY",
                "not-of-such-a-thing",
                lay=item.lay,
                key=key,
                lays=", ".join(lays),
            )


def _check_drawn(reading: LoadContext, layout: Layout) -> None:
    """Note what is drawn to a zone that its layout does not have, or both drawn and stored."""
    zones = {BARE_TABLE, *(name for item in layout.items for name in item.zones)}
    for item in layout.items:
        if item.draws_to and item.store:
            reading.fault(item.place("store", key=True), "SRC-KEY", "drawn-and-stored")
        if item.draws_to not in ("", UNREADABLE, *zones):
            reading.fault(
                item.place("draws_to"),
                "SRC-REF",
                "no-zone",
                name=item.draws_to,
                nearest=nearest(item.draws_to, zones),
            )


def _item(reading: LoadContext, item: Item, faces: Mapping[str, FaceStyle]) -> Item:
    """Return an item with its values as the template of its style takes them."""
    check_selection(reading, item.cards)
    _check_keys(reading, item)
    _check_zones(reading, item)
    if not item.values:
        return item
    if item.lay not in LAYS_WITH["values"]:
        return replace(item, values={})
    style = next((faces.get(name) for name in item_styles(item)), None)
    declaration = style.declaration if style else None
    if item.lay == "mat" and "zones" in item.values:
        reading.fault(item.place("values", "zones", key=True), "SRC-KEY", "zones-no-values")
        return replace(item, values={})
    return replace(item, values=read_values(reading, item, item.values, declaration))


# Behind the colon of ``bays``: the mechs of which nobody published a loadout.
UNPUBLISHED = "unpublished"


def _check_arranged(
    reading: LoadContext,
    room: RoomPlan,
    layouts: Collection[str],
    variants: Collection[str],
    is_variant: bool,
) -> set[str]:
    """Check that what is arranged exists, and every seat is; a variant may leave seats empty.

    Gives the names that are arranged.
    """
    known = {"board", *room.seats_by_id, *layouts}
    if room.bays is not None:
        known |= {BAYS, *(f"{BAYS}:{name}" for name in (*variants, UNPUBLISHED))}
    seen: set[str] = set()
    for side, names in room.arrange.items():
        for index, name in enumerate(names):
            where = room.place("arrange", side, index)
            if name in seen:
                reading.fault(where, "SRC-ID", "arranged-second-time", name=name)
            elif name not in known and name != UNREADABLE and "layout" not in reading.incomplete:
                reading.fault(
                    where, "SRC-REF", "no-seat-or", name=name, nearest=nearest(name, known)
                )
            seen.add(name)
    if is_variant or not room.is_sound("arrange") or not seen <= known:
        return seen
    for seat in room.seats:
        if seat.id not in seen:
            where = room.place("seats", seat.id, key=True)
            reading.fault(where, "SRC-REF", "seat-not-arranged", seat=seat.id)
    return seen


def _rooms(reading: LoadContext) -> Iterator[tuple[RoomPlan, bool]]:
    """Yield the rooms of every file of rooms/, with whether they are variants of the file's room.

    A variant's keys are put in place of the file's before anything is compared with the shape, so
    that a problem is shown where its value stands.
    """
    for name in reading.files("rooms", "room"):
        found = reading.value_of(name, "room")
        if found is None:
            continue
        value, where = found
        variants = value.get("variants")
        rooms = [] if isinstance(variants, Table) else [(value, where)]
        for key, changes in variants.items() if isinstance(variants, Table) else ():
            at = variants.values_at[key]
            if isinstance(changes, Table):
                rooms.append((value.with_keys(changes, id=key), at))
            else:
                reading.fault(at, "SRC-VALUE", "found-allowed-keys", found=described(changes))
        for room, at in rooms:
            yield reading.shape(RoomPlan, room, at), room is not value


def read_rooms(
    reading: LoadContext, layouts: Collection[str], variants: Collection[str]
) -> Iterator[RoomPlan]:
    """Read the rooms of rooms/, bays still in one word."""
    for room, is_variant in _rooms(reading):
        check_players(reading, room)
        arranged = _check_arranged(reading, room, layouts, variants, is_variant)
        seats = {
            key: seat if seat.is_sound("start") else replace(seat, start=None)
            for key, seat in room.seats_by_id.items()
            if key in arranged or not is_variant
        }
        yield replace(room, seats_by_id=seats)


def with_bays(plan: RoomPlan, mechs: Mapping[str, Mech]) -> RoomPlan:
    """Return a plan with a seat for each of its mechs, and the seats in the place of `bays`."""
    if plan.bays is None:
        return plan
    chosen = [one for one in mechs.values() if one.edition in (plan.bays.editions or [one.edition])]
    seats: dict[str, Seat] = dict(plan.seats_by_id)

    def named(word: str) -> Iterator[str]:
        if plan.bays is None or word.partition(":")[0] != BAYS:
            yield word
            return
        for seat in _bays(plan.bays, chosen, word.partition(":")[2]):
            seats[seat.id] = seat
            yield seat.id

    arrange = {
        side: tuple(n for w in words for n in named(w)) for side, words in plan.arrange.items()
    }
    return replace(plan, seats_by_id=seats, arrange=arrange)


def _bays(bays: Bays, mechs: Sequence[Mech], variant: str) -> Iterator[Seat]:
    """Yield the seats of mechs: of a loadout each, or of those of which none is published."""
    for mech in mechs if variant != UNPUBLISHED else ():
        loadout = variant or next(iter(mech.loadouts), "")
        if loadout in mech.loadouts:
            yield Seat(
                id=f"{mech.code}_{variant}" if variant else mech.code,
                name=mech.code,
                layout=bays.layout,
                mech=mech.code,
                variant=loadout,
                bay=mech.code,
                spot=bays.spot,
            )
    for mech in mechs if bays.unpublished and variant in ("", UNPUBLISHED) else ():
        if not mech.loadouts:
            yield Seat(
                id=mech.code,
                name=mech.code,
                layout=bays.unpublished,
                values={"mech": mech.name, "code": mech.code, "note": mech.note},
                bay=mech.code,
                spot=bays.spot,
            )


def check_players(reading: LoadContext, thing: Head | RoomPlan) -> None:
    """Check that the smaller number of players comes first."""
    least, most = thing.players
    if least > most and thing.is_sound("players"):
        reading.fault(
            thing.place("players"),
            "SRC-VALUE",
            "smaller-first",
            key="players",
            least=least,
            most=most,
        )
