"""What lies in a room, in the client's own nouns, as plain values.

Every object is generic in ``P``, what a picture is: a ``Face`` while a room is planned, the
client's image identifier (a SHA-256, or an address) once it is painted or read from a zip.
``with_images`` leads from one to the other.

Lengths are the client's pixels: 50 to one unit of size. ``udonarium-format.md`` sections 4–10.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

P = TypeVar("P")

# Pixels of one unit of size, whatever a table's grid (format section 5).
UNIT = 50

# Attributes without a field of their own, in file order: so a thing says what it comes from.
Attributes: TypeAlias = tuple[tuple[str, str], ...]


class Image(Struct, Generic[P], frozen=True, kw_only=True):
    """A reference to a picture, at any depth of an object; ``None`` writes an empty reference."""

    picture: P | None = None


class Data(Struct, Generic[P], frozen=True, kw_only=True):
    """One ``<data>`` entry: a text, a slider (``numberResource``), a note, a picture or a group."""

    name: str
    value: str | Image[P] = ""
    type: str = ""
    current: str = ""
    children: tuple[Data[P], ...] = ()


class ImageFile(Struct, frozen=True, dict=True):
    """A picture's file. The client knows it by the SHA-256 of its bytes (format section 1)."""

    data: bytes
    extension: str

    @cached_property
    def identifier(self) -> str:
        """Lowercase hex SHA-256 of ``data``."""
        return hashlib.sha256(self.data).hexdigest()


def text(name: str, value: str) -> Data[Any]:
    """Return a plain field of an object's sheet."""
    return Data(name=name, value=value)


def note(name: str, value: str) -> Data[Any]:
    """Return a multi-line field of an object's sheet."""
    return Data(name=name, value=value, type="note")


def resource(name: str, current: int, maximum: int) -> Data[Any]:
    """Return a slider; palettes that name it get its current value."""
    return Data(name=name, value=str(maximum), type="numberResource", current=str(current))


def group(name: str, *children: Data[P]) -> Data[P]:
    """Return a section of an object's sheet. The client needs at least one child in it."""
    return Data(name=name, children=children)


class Placed(Struct, Generic[P], frozen=True, kw_only=True):
    """What all objects on a table share: a name, a place, and the sheet's ``detail``."""

    name: str
    x: float = 0
    y: float = 0
    z: float = 0
    location: str = "table"
    detail: tuple[Data[P], ...] = ()
    extra: Attributes = ()


class TableCard(Placed[P], frozen=True, kw_only=True):
    """A card; ``size`` is its width in units."""

    front: P | None
    back: P | None
    size: float = 2
    face_down: bool = False
    rotate: float = 0
    zindex: int = 0
    owner: str = ""


class CardStack(Placed[P], frozen=True, kw_only=True):
    """A pile; the first card lies on top."""

    cards: tuple[TableCard[P], ...] = ()
    rotate: float = 0
    zindex: int = 0
    owner: str = ""
    shows_total: bool = True


class ChatPalette(Struct, frozen=True, kw_only=True):
    """Prepared chat lines of a character; ``//name=value`` lines are variables."""

    text: str
    dicebot: str = ""


class Character(Placed[P], frozen=True, kw_only=True):
    """An upright piece with a sheet and a palette; ``size`` is its footprint in units."""

    picture: P | None
    size: float = 1
    rotate: float = 0
    roll: float = 0
    palette: ChatPalette | None = None


class DiceFace(Struct, Generic[P], frozen=True, kw_only=True):
    """One side of a die: its name and its picture."""

    name: str
    picture: P | None


class DiceSymbol(Placed[P], frozen=True, kw_only=True):
    """A die or wheel; ``face`` names the side that is up."""

    faces: tuple[DiceFace[P], ...]
    face: str
    size: float = 1
    rotate: float = 0
    owner: str = ""


class Terrain(Placed[P], frozen=True, kw_only=True):
    """A block or flat tile: ``width`` × ``depth`` units on the table, ``height`` units high."""

    floor: P | None
    wall: P | None = None
    width: float = 1
    depth: float = 1
    height: float = 1
    locked: bool = True
    shows_floor: bool = True
    shows_wall: bool = True
    rotate: float = 0


class TableMask(Placed[P], frozen=True, kw_only=True):
    """A covering area; ``opacity`` of ``opacity_maximum``."""

    picture: P | None
    width: float = 4
    height: float = 4
    opacity: float = 100
    opacity_maximum: float = 100
    locked: bool = True


class TextNote(Placed[P], frozen=True, kw_only=True):
    """A shared note; its place is the *centre of its lower edge*.

    The client shows only the title; a ``name`` that differs from it is kept in the sheet.
    """

    title: str
    text: str
    picture: P | None = None
    width: float = 4
    height: float = 3
    fontsize: float = 5
    rotate: float = 0
    zindex: int = 0
    password: str = ""


class GameTable(Struct, Generic[P], frozen=True, kw_only=True):
    """A board with its grid; terrain and masks live in it, all else is shared by all tables."""

    name: str
    width: float = 20
    height: float = 20
    grid_size: float = UNIT
    grid_type: int = 0
    grid_color: str = "#000000e6"
    picture: P | None = None
    background: P | None = None
    background_filter: str = ""
    selected: bool = False
    objects: tuple[Terrain[P] | TableMask[P], ...] = ()
    extra: Attributes = ()


class ChatMessage(Struct, Generic[P], frozen=True, kw_only=True):
    """One line of chat; ``timestamp`` in milliseconds since 1970, as text."""

    speaker: str
    text: str
    timestamp: str = "0"
    sender: str = "System"
    tag: str = ""
    picture: P | None = None


class ChatTab(Struct, Generic[P], frozen=True, kw_only=True):
    """A tab of the chat window."""

    name: str
    messages: tuple[ChatMessage[P], ...] = ()


class Inventory(Struct, frozen=True, kw_only=True):
    """Columns of the client's inventory window."""

    columns: tuple[str, ...] = ("HP", "MP", "敏捷度", "生命力", "精神力")
    sort_by: str = "name"
    ascending: bool = True


# What lies directly in a room.
Piece: TypeAlias = TableCard[P] | CardStack[P] | Character[P] | DiceSymbol[P] | TextNote[P]

# The order in which the client saves what lies in a room.
PIECE_ORDER = (Character, TextNote, CardStack, TableCard, DiceSymbol)

# What a zip may drop into a running room (format section 11).
Loose: TypeAlias = Piece[P] | Terrain[P] | TableMask[P]


class Room(Struct, Generic[P], frozen=True, kw_only=True):
    """Everything on the table. ``chat`` and ``inventory`` of ``None`` leave the client's own."""

    tables: tuple[GameTable[P], ...] = ()
    pieces: tuple[Piece[P], ...] = ()
    chat: tuple[ChatTab[P], ...] | None = None
    inventory: Inventory | None = None

    @property
    def cards(self) -> list[TableCard[P]]:
        """Every card, in stacks or alone."""
        found: list[TableCard[P]] = []
        for piece in self.pieces:
            if isinstance(piece, CardStack):
                found += piece.cards
            elif isinstance(piece, TableCard):
                found.append(piece)
        return found


PICTURE_FIELDS = frozenset({"picture", "front", "back", "floor", "wall", "background"})


def mapped(
    value: Any,
    change: Callable[[str, Any], Any],
    field: str = "",
    known: dict[int, Any] | None = None,
) -> Any:
    """Return a room, or any part of one, with ``change(field, leaf)`` in the place of every
    picture, and of every text and number but empty ones. What stands in several places is changed
    once."""
    known = {} if known is None else known
    if field in PICTURE_FIELDS or not isinstance(value, (Struct, tuple, list)):
        return change(field, value)
    if not isinstance(value, Struct):
        items = [mapped(item, change, field, known) for item in value]
        return value if all(map(operator.is_, items, value)) else tuple(items)
    if id(value) not in known:
        changes = {}
        for name, old in zip(value.__struct_fields__, astuple(value), strict=True):
            new = mapped(old, change, name, known) if old or name in PICTURE_FIELDS else old
            if new is not old:
                changes[name] = new
        known[id(value)] = replace(value, **changes) if changes else value
    return known[id(value)]


def with_images(value: Any, name: Callable[[Any], Any]) -> Any:
    """Return the same room, or any part of one, with every picture ``p`` replaced by
    ``name(p)``."""

    def change(field: str, leaf: Any) -> Any:
        return leaf if leaf is None or field not in PICTURE_FIELDS else name(leaf)

    return mapped(value, change)


def pictures(value: Any) -> list[Any]:
    """Return every picture of a room, a part of one, or several, in the order it is met."""
    found: list[Any] = []

    def note(picture: Any) -> Any:
        found.append(picture)
        return picture

    with_images(value, note)
    return found
