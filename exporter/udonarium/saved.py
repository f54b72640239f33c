"""What becomes of a room when the client loads it and saves it again (seen in 1.17.3)."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from exporter.tabletop import Card, CardStack, Character, DiceSymbol, Inventory, Room, TextNote

_ORDER = (Character, TextNote, CardStack, Card, DiceSymbol)


def as_saved(room: Room[str]) -> Room[str]:
    """The room as it comes back: sorted by kind, blank texts gone, elements unknown to it too."""
    pieces = sorted(room.pieces, key=lambda piece: _ORDER.index(type(piece)))
    sorted_room = replace(room, pieces=tuple(pieces), inventory=room.inventory or Inventory())
    saved: Room[str] = _without_losses(replace(sorted_room, extra=()))
    return saved


def _without_losses(value: Any) -> Any:
    if isinstance(value, str):
        return value if value.strip() else ""
    if isinstance(value, tuple):
        return tuple(_without_losses(item) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {field.name: _without_losses(getattr(value, field.name)) for field in fields(value)}
    if "other_children" in changes:
        changes["other_children"] = ()
    return replace(value, **changes)
