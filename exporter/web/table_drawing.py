"""A planned room as the page draws it: each thing with its place, size and pictures.

All of it is what the room's values say, in the client's pixels; where a thing's corner is and how
it stands up follows the client's own page (format section 14).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    Data,
    DiceSymbol,
    GameTable,
    P,
    Placed,
    Room,
    TableCard,
    TableMask,
    Terrain,
    TextNote,
)
from exporter.rooms.opening_view import (
    PERSPECTIVE,
    SHIFT,
    TILT,
    TURN,
    WINDOWS,
)

Address = Callable[[Any], str]
"""Where a picture is served."""

CAMERA = {"perspective": PERSPECTIVE, "x": SHIFT, "pitch": TILT, "turn": TURN}
"""The client's opening view: pixels and degrees."""


def drawn(room: Room[P], address: Address) -> dict[str, Any]:
    """The table that is in view and what lies on it, the lowest first."""
    tables = sorted(room.tables, key=lambda table: not table.selected)
    if not tables:
        return {"table": None, "things": [], "camera": CAMERA}
    table = tables[0]
    things = [*_things(table, room, address)]
    return {
        "table": {
            "name": table.name,
            "width": table.width * UNIT,
            "height": table.height * UNIT,
            "picture": _at(table.picture, address),
            "background": _at(table.background, address),
        },
        "things": things,
        "camera": CAMERA,
        "windows": [
            {
                "width": one.width,
                "height": one.height,
                "panels": [list(each) for each in one.panels],
            }
            for one in WINDOWS
        ],
    }


def _things(table: GameTable[P], room: Room[P], address: Address) -> Iterator[dict[str, Any]]:
    for one in table.objects:
        yield _terrain(one, address) if isinstance(one, Terrain) else _mask(one, address)
    for piece in room.pieces:
        if piece.location != "table":
            continue
        match piece:
            case CardStack():
                yield _stack(piece, address)
            case TableCard():
                yield {**_placed(piece, "card"), **_card(piece, address)}
            case Character():
                yield _standing(piece, "character", piece.size, piece.picture, address)
            case DiceSymbol():
                up = next((side for side in piece.faces if side.name == piece.face), None)
                picture = up.picture if up else None
                yield _standing(piece, "die", piece.size, picture, address)
            case TextNote():
                yield _note(piece, address)


def _placed(piece: Placed[Any], kind: str) -> dict[str, Any]:
    return {
        "kind": kind,
        "name": piece.name,
        "x": piece.x,
        "y": piece.y,
        "z": piece.z,
        "turn": getattr(piece, "rotate", 0),
        "level": getattr(piece, "zindex", 0),
        "text": [*_texts(piece.detail)],
    }


def _at(picture: Any, address: Address) -> str:
    return "" if picture is None else address(picture)


def _card(card: TableCard[Any], address: Address) -> dict[str, Any]:
    return {
        "width": card.size * UNIT,
        "picture": _at(card.back if card.face_down else card.front, address),
        "down": card.face_down,
    }


def _stack(stack: CardStack[Any], address: Address) -> dict[str, Any]:
    found = {**_placed(stack, "stack"), "count": len(stack.cards)}
    if stack.cards:
        found |= _card(stack.cards[0], address)
    return found


def _standing(
    piece: Placed[Any], kind: str, size: float, picture: Any, address: Address
) -> dict[str, Any]:
    return {
        **_placed(piece, kind),
        "width": size * UNIT,
        "picture": _at(picture, address),
        "roll": getattr(piece, "roll", 0),
    }


def _note(note: TextNote[Any], address: Address) -> dict[str, Any]:
    return {
        **_placed(note, "note"),
        "title": note.title,
        "says": note.text,
        "width": note.width * UNIT,
        "height": note.height * UNIT,
        "font": note.fontsize + 9,
        "picture": _at(note.picture, address),
    }


def _terrain(block: Terrain[Any], address: Address) -> dict[str, Any]:
    return {
        **_placed(block, "terrain"),
        "width": block.width * UNIT,
        "depth": block.depth * UNIT,
        "height": block.height * UNIT,
        "picture": _at(block.floor, address) if block.shows_floor else "",
        "wall": _at(block.wall, address) if block.shows_wall else "",
    }


def _mask(mask: TableMask[Any], address: Address) -> dict[str, Any]:
    return {
        **_placed(mask, "mask"),
        "width": mask.width * UNIT,
        "depth": mask.height * UNIT,
        "picture": _at(mask.picture, address),
        "opacity": mask.opacity / (mask.opacity_maximum or 1),
    }


def _texts(entries: tuple[Data[Any], ...]) -> Iterator[list[str]]:
    """Labels and values of a piece's sheet, as pointing at it shows them."""
    for entry in entries:
        if entry.children:
            yield from _texts(entry.children)
        elif isinstance(entry.value, str) and entry.value:
            value = f"{entry.current}/{entry.value}" if entry.current else entry.value
            yield [entry.name, value]
