"""Where a thing of a room comes from, as attributes: the client keeps them when it saves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from exporter.faces.card_faces import Face
from exporter.faces.data_version import version_text
from exporter.model import (
    Game,
    Item,
    Loadout,
)
from exporter.model.tabletop import (
    Attributes,
    CardStack,
    Placed,
)
from exporter.udonarium.marks import PLACE

# The attribute with the record that a thing comes from, such as ``card ID``.
RECORD = "record"

# The attribute with the seat, as players read it, in which a thing was laid.
SEAT = "seat"

# The attributes of a table that say what it was made of.
GAME, VERSION, ROOM = "game", "version", "room"

# Items that lay several things, each told from the others by its name.
_MANY = ("stacks", "notes", "rulings")

T = TypeVar("T", bound=Placed[Face])


def of(sort: str, which: str) -> Attributes:
    """Record that a thing is, or is a part of, this card, board or frame."""
    return ((RECORD, f"{sort} {which}"),)


def of_loadout(loadout: Loadout) -> Attributes:
    """Record that a thing shows this mech, or somebody's own build."""
    if not loadout.code:
        return of("build", loadout.name)
    variant = loadout.variant.id if loadout.variant else ""
    return of("mech", f"{loadout.code} {variant}".rstrip())


def recorded(thing: T, area: str, layout: str, item: Item, seat: str, index: int) -> T:
    """Return a thing that says which item of which layout laid it, unless it says more, and for
    whom.

    Its place in the plan has no number in it, so that a further item moves no other.
    """
    own = dict(thing.extra).get(RECORD, "")
    what = own if own.startswith(("card ", "frame ", "board ")) else ""
    what = what or (thing.name if item.lay in _MANY else "")
    place = "/".join(filter(None, (area, layout, f"{item.lay} {item.name}".strip(), what)))
    of_seat = [(SEAT, seat)] if seat else []
    if isinstance(thing, CardStack):
        cards = (
            replace(card, extra=(*card.extra, (PLACE, f"{place}/{read(card.extra)}")))
            for card in thing.cards
        )
        thing = replace(thing, cards=tuple(cards))
    marks = ((RECORD, own or f"layout {layout} {index}"), *of_seat, (PLACE, place))
    return replace(thing, extra=marks)


def of_table(game: Game, room: str) -> Attributes:
    """Record of which data a table was made, and as which room."""
    version = [(VERSION, version_text(game))] if game.version else []
    return ((GAME, game.id), *version, (ROOM, room))


def read(extra: Sequence[tuple[str, str]], name: str = RECORD) -> str:
    """Return what a thing says of itself by one of these attributes."""
    return dict(extra).get(name, "")


def split(record: str) -> tuple[str, str]:
    """Return the sort of a record, and which one."""
    sort, _, rest = record.partition(" ")
    return sort, rest
