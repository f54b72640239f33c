"""What a saved room remembers of its data: marks, as attributes that the client keeps.

A thing says which record of the data it comes from, its place in the plan and what was written of
it, a table of which order it was made. So a room that was played in can be brought up to date
without touching what players changed.
"""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any, TypeVar

from lxml import etree
from msgspec.structs import replace

from exporter.faces.card_faces import Face
from exporter.model import Game, Item, Layout, Loadout, Seat
from exporter.model.tabletop import Attributes, CardStack, Placed, Room
from exporter.udonarium.document import (
    Xml,
    attribute,
    data_children,
    element_children,
    inner_text,
    is_leaf,
    tag_of,
)

# The attribute with the record that a thing comes from, such as ``card ID``.
RECORD = "record"

# The attribute with the seat, as players read it, in which a thing was laid.
SEAT = "seat"

# The attributes of a table that say what it was made of.
GAME, VERSION, ROOM = "game", "version", "room"

# The attribute with a thing's place in the plan, which is the same in each version of it.
PLACE = "at"

# The attribute with digests of a thing's fields as they were written.
WRITTEN = "wrote"

# The attributes of a table with the whole order, the places of all that was laid, and by what.
ORDER, MADE, PROGRAM = "order", "made", "program"

# The field of a character's chat palette.
PALETTE = "palette"

# The fields of a table: its attributes.
TABLE_FIELDS = ("name", "width", "height", "imageIdentifier", "backgroundImageIdentifier")

# Items that lay several things, each told from the others by its name.
_MANY = ("stacks", "notes", "rulings")

T = TypeVar("T", bound=Placed[Face])

_LETTERS = 6
# Characters of a mark that is unpacked: more than any room is described by.
_MOST = 1_000_000


def of(sort: str, which: str) -> Attributes:
    """Record that a thing is, or is a part of, this card, board or frame."""
    return ((RECORD, f"{sort} {which}"),)


def of_loadout(loadout: Loadout) -> Attributes:
    """Record that a thing shows this mech, or somebody's own build."""
    if not loadout.code:
        return of("build", loadout.name)
    variant = loadout.variant.id if loadout.variant else ""
    return of("mech", f"{loadout.code} {variant}".rstrip())


def recorded(thing: T, layout: Layout, item: Item, seat: Seat | None) -> T:
    """Return a thing that says which item of which layout laid it, unless it says more, and for
    whom.

    Its place in the plan has no number in it, so that a further item moves no other.
    """
    record = read_marks(thing.extra)
    what = record if record.startswith(("card ", "frame ", "board ")) else ""
    what = what or (thing.name if item.lay in _MANY else "")
    owner = seat.id if seat else ""
    place = "/".join(filter(None, (owner, layout.id, f"{item.lay} {item.name}".strip(), what)))
    of_seat = [(SEAT, seat.name)] if seat and seat.name else []
    if isinstance(thing, CardStack):
        cards = (
            replace(card, extra=(*card.extra, (PLACE, f"{place}/{read_marks(card.extra)}")))
            for card in thing.cards
        )
        thing = replace(thing, cards=tuple(cards))
    record = record or f"layout {layout.id} {layout.items.index(item)}"
    return replace(thing, extra=((RECORD, record), *of_seat, (PLACE, place)))


def of_table(game: Game, room: str) -> Attributes:
    """Record of which data a table was made, and as which room."""
    version = [(VERSION, game.version_text)] if game.version else []
    return ((GAME, game.id), *version, (ROOM, room))


def read_marks(extra: Sequence[tuple[str, str]], name: str = RECORD) -> str:
    """Return what a thing says of itself by one of these attributes."""
    return dict(extra).get(name, "")


def split(record: str) -> tuple[str, str]:
    """Return the sort of a record, and which one."""
    sort, _, rest = record.partition(" ")
    return sort, rest


def fields(thing: Xml) -> dict[str, str]:
    """Return what data decide of a thing, by paths such as ``common/name``; of a table by words.

    Places, sides, owners, handles of sliders and the like are the players' own.
    """
    if tag_of(thing) == "game-table":
        return {name: attribute(thing, name) for name in TABLE_FIELDS}
    found = {path: inner_text(leaf) for path, leaf in _leaves(thing)}
    palette = thing.find("chat-palette")
    return found if palette is None else {**found, PALETTE: inner_text(palette)}


def _named(group: Xml, before: str) -> Iterator[tuple[str, Xml]]:
    """Yield entries of a group with their paths; what is called like one before it has a number."""
    count: Counter[str] = Counter()
    for entry in data_children(group):
        name = attribute(entry, "name")
        count[name] += 1
        yield f"{before}/{name}" + (f"#{count[name]}" if count[name] > 1 else ""), entry


def _leaves(thing: Xml) -> Iterator[tuple[str, Xml]]:
    sheets = [data for data in data_children(thing) if data.get("name") == tag_of(thing)]
    groups = [each for sheet in sheets[:1] for each in _named(sheet, "")]
    while groups:
        path, entry = groups.pop(0)
        if is_leaf(entry):
            yield path[1:], entry
        else:
            groups = [*_named(entry, path), *groups]


def take_field(saved: Xml, now: Xml, field: str) -> None:
    """Make one field of a saved thing what it is in another; where it is not there, it goes."""
    if field in TABLE_FIELDS:
        saved.set(field, now.get(field, ""))
    elif field == PALETTE:
        _take(saved.find("chat-palette"), now.find("chat-palette"), saved)
    else:
        _take(dict(_leaves(saved)).get(field), dict(_leaves(now)).get(field), saved)


def _take(old: Xml | None, new: Xml | None, thing: Xml) -> None:
    if new is None:
        if old is not None and (group := old.getparent()) is not None:
            group.remove(old)
    elif old is None:
        names = [group.get("name", "") for group in new.iterancestors("data")]
        _group_of(thing, reversed(names)).append(deepcopy(new))
    else:
        old.text = new.text
        if (sort := new.get("type")) is not None:
            old.set("type", sort)


def _group_of(thing: Xml, names: Iterable[str]) -> Xml:
    """Find the group of a thing by the names on the way to it, or make it."""
    for name in names:
        known = (entry for entry in data_children(thing) if entry.get("name") == name)
        inner = next(known, None)
        thing = etree.SubElement(thing, "data", {"name": name}) if inner is None else inner
    return thing


def things(room: Xml) -> Iterator[Xml]:
    """List what lies on the tables: terrain, pieces, and each stack before its cards."""
    for thing in element_children(room):
        if tag_of(thing) == "game-table":
            yield from element_children(thing)
            continue
        yield thing
        if tag_of(thing) == "card-stack":
            yield from thing.iterfind("node/card")


def place_of(thing: Xml) -> tuple[str, int]:
    """Find a thing's place in the plan and its number there; nothing of what has no mark."""
    place, _, number = attribute(thing, PLACE).rpartition(" ")
    return (place, int(number)) if number.isdecimal() else ("", 0)


@lru_cache(1024)
def short_digest(field: str) -> str:
    """Return a field as a mark calls it."""
    return mark_digest(field)[:4]


def mark_digest(text: str) -> str:
    """Return letters that tell a text from others."""
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())[:_LETTERS].decode()


def digests(thing: Xml) -> dict[str, str]:
    """Return the digest of each field of a thing, by what marks call it."""
    return {short_digest(field): mark_digest(text) for field, text in fields(thing).items()}


def digests_text(found: Mapping[str, str]) -> str:
    """Write digests as they stand in a mark."""
    return " ".join(f"{field}:{letters}" for field, letters in found.items())


def was_written(thing: Xml) -> dict[str, str]:
    """Read the digests in the mark of a thing."""
    pairs = (word.rpartition(":") for word in attribute(thing, WRITTEN).split())
    return {field: letters for field, _, letters in pairs}


def marked(room: Room[str], order: str, program: str, xml: Callable[[Any], Xml]) -> Room[str]:
    """Mark everything in a room that was made to an order; ``xml`` leads from values to elements.

    Things of one place, such as copies of a card in a deck, are numbered.
    """
    count: Counter[str] = Counter()

    def of(thing: Any) -> Any:
        extra = dict(thing.extra)
        place = extra.get(PLACE) or f"{extra.get('record', '')}/{thing.name}"
        count[place] += 1
        marks = {PLACE: f"{place} {count[place]}", WRITTEN: digests_text(digests(xml(thing)))}
        return replace(thing, extra=tuple((extra | marks).items()))

    def with_cards(piece: Any) -> Any:
        if not isinstance(piece, CardStack):
            return of(piece)
        return replace(of(replace(piece, cards=())), cards=tuple(map(of, piece.cards)))

    objects = [tuple(map(of, table.objects)) for table in room.tables]
    pieces = tuple(map(with_cards, room.pieces))
    made = packed_marks("\n".join(f"{place} {number}" for place, number in count.items()))
    tables = []
    for number, (table, inside) in enumerate(zip(room.tables, objects, strict=True), 1):
        written = digests_text(digests(xml(replace(table, objects=()))))
        marks = {PLACE: f"table {number}", WRITTEN: written}
        marks |= {ORDER: order, MADE: made, PROGRAM: program}
        tables.append(replace(table, objects=inside, extra=(*table.extra, *marks.items())))
    return replace(room, tables=tuple(tables), pieces=pieces)


def laid(table: Xml) -> Counter[str]:
    """Read how many things were laid at each place. Raises ``ValueError``."""
    lines = unpacked(attribute(table, MADE)).splitlines()
    pairs = (line.rpartition(" ") for line in lines)
    return Counter({place: int(number) for place, _, number in pairs})


def packed_marks(text: str) -> str:
    """Write a text in few letters that an attribute can hold."""
    data = zlib.compress(text.encode(), 9, wbits=-15)
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpacked(letters: str) -> str:
    """Read such a text. Raises ``ValueError`` for what is none."""
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj(wbits=-15)
        text = reader.decompress(data, _MOST)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not reader.eof:
        raise ValueError("cut off, or too long")
    return text.decode()
