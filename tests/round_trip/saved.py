"""What becomes of a room when the client loads it and saves it again (seen in 1.17.3)."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.model.tabletop import PIECE_ORDER, DiceFace, GameTable, Inventory, Room
from exporter.udonarium.format import BY_TYPE, decoded


def as_saved(room: Room[str]) -> Room[str]:
    """The room as it comes back: sorted by kind, and without what saving loses.

    Lost are blank texts, line breaks and entities in attributes, and all selections of a table but
    the last. Nobody's chat and the default columns are added where the room had none; of these only
    the columns are known here.
    """
    pieces = sorted(room.pieces, key=lambda piece: PIECE_ORDER.index(type(piece)))
    whole = replace(
        room,
        tables=_last_selected(room.tables),
        pieces=tuple(pieces),
        inventory=room.inventory or Inventory(),
    )
    saved: Room[str] = _without_losses(whole)
    return saved


def _last_selected(tables: tuple[GameTable[str], ...]) -> tuple[GameTable[str], ...]:
    last = max((index for index, table in enumerate(tables) if table.selected), default=-1)
    return tuple(replace(table, selected=index == last) for index, table in enumerate(tables))


def _in_attribute(text: str) -> str:
    return decoded(re.sub("[\n\t]", " ", text))


def _in_element(text: str) -> str:
    return text if text.strip() else ""


def _changed(value: Any, change: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_changed(item, change) for item in value)
    return change(value) if isinstance(value, str) else _without_losses(value)


def _without_losses(value: Any) -> Any:
    if not isinstance(value, Struct):
        return value
    element = BY_TYPE.get(type(value))
    inside = {"extra"}
    if element:
        inside |= {field for row in element.attributes for field in row.fields}
    if isinstance(value, DiceFace):
        inside |= {"name"}
    changes: dict[str, Any] = {}
    for field in value.__struct_fields__:
        change = _in_attribute if field in inside else _in_element
        changes[field] = _changed(getattr(value, field), change)
    return replace(value, **changes)
