"""What Lily and With Fly understand and the plain client keeps unread (format section 12).

Only what helps there and takes nothing away: a sheet on its mat is not dragged along by mistake,
what is wide is shown wide when pointed at, and notes lie flat and hide nothing.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from exporter.faces.card_faces import Face
from exporter.model import Item
from exporter.model.tabletop import (
    Attributes,
    Placed,
    TableCard,
    TextNote,
)
from exporter.rooms.area import Area

WIDE = 4
"""Units from which a card is a sheet to read from."""

SHOWN_WIDE: Attributes = (("overViewWidth", "560"),)
"""Pixels instead of 270, which are too few for a sheet of 8 units."""

LOCKED: Attributes = (("isLock", "true"), ("isLocked", "true"), ("dispLockMark", "false"))
"""One name is Lily's, one With Fly's; Lily draws a lock on the picture unless told not to."""

FLAT: Attributes = (("isUpright", "false"),)

T = TypeVar("T", bound=Placed[Face])


def helped(thing: T, area: Area, item: Item) -> T:
    """A thing with what helps in the forks."""
    more: Attributes = ()
    if isinstance(thing, TableCard) and thing.size >= WIDE:
        sits = area.seat is not None and not area.seat.bay
        more = SHOWN_WIDE + (LOCKED if sits and item.lay == "sheet" else ())
    elif isinstance(thing, TextNote) and item.lay == "notes":
        more = FLAT
    return replace(thing, extra=thing.extra + more) if more else thing
