"""The client's format, written once: attributes, pictures and sheet entries of each element; and
text as the client reads it (section 3): what it drops, and what it decodes twice.

Reading and verifying walk these tables; ``templates/udonarium`` writes, and what was written is
read back. Facts: ``docs/udonarium-format.md``; the section is named beside each table.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct

from exporter.model import tabletop

# Characters the client removes from any XML before it reads it.
DROPPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffd\ufffe\uffff\ud800-\udfff]")

_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}
_ENTITY = re.compile("|".join(_ENTITIES))
_LOOKS_LIKE_ENTITY = re.compile(r"&(?=(?:amp|lt|gt|quot|apos);)")
_DECODED_BY_CHANCE = re.compile(r"&(?:lt|gt|quot|apos|amp(?!;(?:amp|lt|gt|quot|apos);));")

JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
# Whole numbers up to here are exact in JavaScript.
LARGEST_EXACT = 2**53


def decoded(text: str) -> str:
    """Return the client's own decoding, once: five entities and nothing else."""
    return _ENTITY.sub(lambda match: _ENTITIES[match[0]], text) if "&" in text else text


def twice_decodable(text: str) -> str:
    """Return an attribute's text made safe for being decoded by the XML parser *and* by the client.

    The one place where the second escape happens; only text that looks like an entity needs it.
    """
    return _LOOKS_LIKE_ENTITY.sub("&amp;", text) if "&" in text else text


def decodes_by_chance(text: str) -> bool:
    """Return whether an attribute's parsed text holds an entity that nobody escaped a second
    time."""
    return bool(_DECODED_BY_CHANCE.search(text))


def plain_lines(text: str) -> str:
    """Return line ends as every XML reader makes them: LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def number_text(number: float) -> str:
    """Return a finite number as JSON and JavaScript write it: ``250``, ``0.5``."""
    if float(number).is_integer() and abs(number) <= LARGEST_EXACT:
        return str(int(number))
    return repr(float(number))


def json_number(text: str) -> float:
    """Return a number attribute, after ``JSON.parse``. Raises ``ValueError`` for anything else."""
    if not JSON_NUMBER.fullmatch(text.strip(" \t\n\r")):
        raise ValueError(text)
    return _finite(text)


def json_boolean(text: str) -> bool:
    """Return a boolean attribute. The client also takes numbers. Raises ``ValueError``."""
    word = text.strip(" \t\n\r")
    if word in ("true", "false"):
        return word == "true"
    return json_number(word) != 0


def is_json(text: str) -> bool:
    """Return whether ``JSON.parse`` would take it at all; if not, the client stops loading."""
    try:
        json.loads(text, parse_constant=int)  # which refuses NaN and Infinity
    except (ValueError, RecursionError):
        return False
    return True


def loose_number(text: str) -> float:
    """Return a number in a sheet, after JavaScript's ``Number``: blank is 0. Raises
    ``ValueError``."""
    word = text.strip()
    if not word:
        return 0
    if re.fullmatch(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", word):
        return _finite(word)
    if re.fullmatch(r"0[xX][0-9a-fA-F]{1,12}", word):
        return int(word, 16)
    raise ValueError(text)


def is_number(text: str) -> bool:
    """Return whether a text in a sheet is a number."""
    try:
        loose_number(text)
    except ValueError:
        return False
    return bool(text.strip())


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return int(number) if number.is_integer() and abs(number) <= LARGEST_EXACT else number


# What a table says instead of a picture (section 6).
NO_PICTURE = "imageIdentifier"


class ValueType(Struct, frozen=True):
    """How a text becomes fields of a value (``ValueError``: the default counts)."""

    read: Callable[[str], tuple[Any, ...]]
    # ``number`` or ``boolean`` when the client gives the text to ``JSON.parse``.
    parsed: str = ""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TEXT = ValueType(lambda text: (text,))
NUMBER = ValueType(lambda text: (json_number(text),), "number")
BOOLEAN = ValueType(lambda text: (json_boolean(text),), "boolean")
SHEET_NUMBER = ValueType(lambda text: (loose_number(text),))
FACE_DOWN = ValueType(lambda text: (json_number(text) != 0,), "number")
FACES_SHOWN = ValueType(
    lambda text: (bool(int(json_number(text)) & 1), bool(int(json_number(text)) & 2)), "number"
)
PICTURE = ValueType(lambda text: (text or None,))
TABLE_PICTURE = ValueType(lambda text: (None if text in ("", NO_PICTURE) else text,))
COLUMNS = ValueType(lambda text: (tuple(text.split()),))
ORDER = ValueType(lambda text: (text != "DESC",))


class Attribute(Struct, frozen=True, dict=True):
    """An XML attribute: its name, the fields it holds, and what counts when it is absent."""

    name: str
    kind: ValueType
    default: str = ""
    # Field of the value, several separated by spaces; empty when called like the attribute.
    field: str = ""

    @cached_property
    def fields(self) -> tuple[str, ...]:
        return tuple(self.field.split()) or (self.name,)


class CommonEntry(Struct, frozen=True):
    """An entry of the sheet's ``common`` group. ``current`` is the field of a slider's handle."""

    name: str
    kind: ValueType = TEXT
    default: str = ""
    field: str = ""
    type: str = ""
    current: str = ""
    # Left out when equal to this field, which is read in its place.
    same_as: str = ""

    @property
    def value(self) -> str:
        return self.field or self.name


class Element(Struct, frozen=True, dict=True):
    """One XML element and the value it holds.

    ``slots`` are the pictures in the sheet's ``image`` group, each with the field that it fills;
    one without is always written empty.
    """

    tag: str
    value: type[Struct]
    attributes: tuple[Attribute, ...] = ()
    slots: Mapping[str, str] = {}
    entries: tuple[CommonEntry, ...] = ()

    @cached_property
    def known(self) -> dict[str, Attribute]:
        """Its attributes by their names."""
        return {attribute.name: attribute for attribute in self.attributes}

    @cached_property
    def absent(self) -> dict[str, Any]:
        """What its fields hold where all attributes are absent."""
        return {
            field: value
            for attribute in self.attributes
            for field, value in zip(
                attribute.fields, attribute.kind.read(attribute.default), strict=True
            )
        }

    @property
    def placed(self) -> bool:
        """Whether it lies on a table and owns a sheet."""
        return issubclass(self.value, tabletop.Placed)


# The groups of a sheet, in the order that keeps look-ups from going astray (section 4).
GROUPS = ("image", "common", "detail")

# Section 5.
_PLACE = (
    Attribute("location.name", TEXT, "table", field="location"),
    Attribute("location.x", NUMBER, "0", field="x"),
    Attribute("location.y", NUMBER, "0", field="y"),
    Attribute("posZ", NUMBER, "0", field="z"),
)
_ROTATE = Attribute("rotate", NUMBER, "0")
_ZINDEX = Attribute("zindex", NUMBER, "0")
_OWNER = Attribute("owner", TEXT)
_NAME = CommonEntry("name")
_PICTURE_SLOT = {"imageIdentifier": "picture"}


def _size(name: str, default: str) -> CommonEntry:
    return CommonEntry(name, SHEET_NUMBER, default)


_ALL = (
    # Section 6.
    Element(
        "game-table",
        tabletop.GameTable,
        (
            Attribute("name", TEXT, "テーブル"),
            Attribute("width", NUMBER, "20"),
            Attribute("height", NUMBER, "20"),
            Attribute("gridSize", NUMBER, "50", field="grid_size"),
            Attribute("imageIdentifier", TABLE_PICTURE, NO_PICTURE, field="picture"),
            Attribute("backgroundImageIdentifier", TABLE_PICTURE, NO_PICTURE, field="background"),
            Attribute("backgroundFilterType", TEXT, field="background_filter"),
            Attribute("selected", BOOLEAN, "false"),
            Attribute("gridType", NUMBER, "0", field="grid_type"),
            Attribute("gridColor", TEXT, "#000000e6", field="grid_color"),
        ),
    ),
    # Section 7.
    Element(
        "terrain",
        tabletop.Terrain,
        (
            *_PLACE,
            Attribute("isLocked", BOOLEAN, "false", field="locked"),
            Attribute("mode", FACES_SHOWN, "3", field="shows_floor shows_wall"),
            _ROTATE,
        ),
        {"wall": "wall", "floor": "floor"},
        (_NAME, _size("width", "1"), _size("height", "1"), _size("depth", "1")),
    ),
    Element(
        "table-mask",
        tabletop.TableMask,
        (*_PLACE, Attribute("isLock", BOOLEAN, "false", field="locked")),
        _PICTURE_SLOT,
        (
            _NAME,
            _size("width", "1"),
            _size("height", "1"),
            CommonEntry(
                "opacity", SHEET_NUMBER, "100", "opacity_maximum", "numberResource", "opacity"
            ),
        ),
    ),
    Element(
        "text-note",
        tabletop.TextNote,
        (*_PLACE, _ROTATE, _ZINDEX, Attribute("password", TEXT)),
        _PICTURE_SLOT,
        (
            _size("width", "1"),
            _size("height", "1"),
            _size("fontsize", "1"),
            CommonEntry("title"),
            CommonEntry("text", type="note"),
            CommonEntry("name", same_as="title"),
        ),
    ),
    Element(
        "dice-symbol",
        tabletop.DiceSymbol,
        (*_PLACE, Attribute("face", TEXT, "0"), _OWNER, _ROTATE),
        {},
        (_NAME, _size("size", "1")),
    ),
    Element(
        "character",
        tabletop.Character,
        (*_PLACE, _ROTATE, Attribute("roll", NUMBER, "0")),
        _PICTURE_SLOT,
        (_NAME, _size("size", "1")),
    ),
    # Section 8.
    Element(
        "card",
        tabletop.TableCard,
        (
            *_PLACE,
            Attribute("state", FACE_DOWN, "0", field="face_down"),
            _ROTATE,
            _OWNER,
            _ZINDEX,
        ),
        {"front": "front", "back": "back"},
        (_NAME, _size("size", "2")),
    ),
    Element(
        "card-stack",
        tabletop.CardStack,
        (
            *_PLACE,
            _ROTATE,
            _ZINDEX,
            _OWNER,
            Attribute("isShowTotal", BOOLEAN, "true", field="shows_total"),
        ),
        {"imageIdentifier": ""},
        (_NAME,),
    ),
    # Section 4.
    Element(
        "data",
        tabletop.Data,
        (
            Attribute("name", TEXT),
            Attribute("type", TEXT),
            Attribute("currentValue", TEXT, field="current"),
        ),
    ),
    # Section 9.
    Element("chat-palette", tabletop.ChatPalette, (Attribute("dicebot", TEXT),)),
    # Section 10.
    Element("chat-tab", tabletop.ChatTab, (Attribute("name", TEXT, "タブ"),)),
    Element(
        "chat",
        tabletop.ChatMessage,
        (
            Attribute("from", TEXT, field="sender"),
            Attribute("name", TEXT, field="speaker"),
            Attribute("timestamp", TEXT),
            Attribute("imageIdentifier", PICTURE, field="picture"),
            Attribute("tag", TEXT),
        ),
    ),
    Element(
        "summary-setting",
        tabletop.Inventory,
        (
            Attribute("sortTag", TEXT, "name", field="sort_by"),
            Attribute("sortOrder", ORDER, "ASC", field="ascending"),
            Attribute("dataTag", COLUMNS, "HP MP 敏捷度 生命力 精神力", field="columns"),
        ),
    ),
    Element("room", tabletop.Room),
)

ELEMENTS = {element.tag: element for element in _ALL}
BY_TYPE = {element.value: element for element in _ALL}

# What lies directly in a room.
PIECES = frozenset({"character", "card", "card-stack", "text-note", "dice-symbol"})

# What only a game-table can hold.
ON_TABLE = frozenset({"terrain", "table-mask"})

# Root tags that add to a running room (section 11).
LOOSE = PIECES | ON_TABLE | {"game-table", "chat-tab"}

ROOTS = LOOSE | {"room", "chat-tab-list", "summary-setting"}

# Which elements mean something in which; what is not listed has no child elements.
CHILDREN = {
    "room": PIECES | {"game-table"},
    "game-table": ON_TABLE,
    "character": frozenset({"data", "chat-palette"}),
    "card-stack": frozenset({"data", "node"}),
    "node": frozenset({"card"}),
    "data": frozenset({"data"}),
    "chat-tab-list": frozenset({"chat-tab"}),
    "chat-tab": frozenset({"chat"}),
    **{tag: frozenset({"data"}) for tag in ("card", "text-note", "dice-symbol", *ON_TABLE)},
}

KNOWN_TAGS = frozenset(ELEMENTS) | {"node", "chat-tab-list"}

# Objects the client has one of; a zip with one makes a second copy (section 11).
SINGLETONS = frozenset({"jukebox", "dice-bot", "TableSelecter", "PeerCursor", "sound-effect"})

# Section 12.
FORK_TAGS = _words("""
    range cut-in cut-in-list dice-table dice-table-palette table-scratch-mask buff-palette config
    image-tag-list image-tag dice-roll-table dice-roll-table-list stand-list
""")
# The section with a numberResource ``ICON`` that Lily gives to every character it loads.
FORK_PICTURE_SECTION = "コマ画像"
FORK_NUMBERS = _words("""
    overViewWidth overViewMaxHeight komaImageHeignt slopeDirection currntImageIndex
""")
FORK_BOOLEANS = _words("""
    isLock isLocked dispLockMark isDropShadow hideInventory nonTalkFlag specifyKomaImageFlag
    isShowChatBubble isSlope isSurfaceShading isGrid isInteract isUpright isWhiteOut isShowTitle
    isShowNumber isAltitudeIndicate isInverse isHollow isBlackPaint isNotRide
""")

# Section 1.
# Extensions of images, and the format that belongs to each.
IMAGE_TYPES = {
    **dict.fromkeys(("png", "apng"), "PNG"),
    **dict.fromkeys(("jpg", "jpeg", "jpe", "jfif", "pjpeg", "pjp"), "JPEG"),
    **dict.fromkeys(("svg", "svgz"), "SVG"),
    **dict.fromkeys(("ico", "cur"), "ICO"),
    "webp": "WEBP",
    "gif": "GIF",
    "avif": "AVIF",
    "bmp": "BMP",
}

MARKUP_EXTENSIONS = frozenset({"html", "htm", "shtml", "yml", "yaml"})
AUDIO_EXTENSIONS = frozenset({"mp3", "wav", "m4a", "ogg"})
VIDEO_EXTENSIONS = frozenset({"mp4", "webm", "mpg", "mpeg"})
# An identifier that ends in one of these is taken for an address (section 11).
URL_EXTENSIONS = (
    frozenset(IMAGE_TYPES)
    | MARKUP_EXTENSIONS
    | AUDIO_EXTENSIONS
    | VIDEO_EXTENSIONS
    | {"xml", "json", "map", "zip"}
)

# A byte more, and the client drops the picture.
IMAGE_BYTES = 2 * 1024 * 1024
AUDIO_BYTES = 10 * 1024 * 1024
# The longest side in shortest sides, beyond which the client hangs for ever (section 2).
SIDE_RATIO = 256
IMAGE_PIXELS = 4000 * 4000

# A bare image identifier: the lowercase hex SHA-256 of the file.
IDENTIFIER = re.compile("[0-9a-f]{64}")

# Identifiers of pictures that come with the client and appear in its own saves.
BUILT_IN_PICTURES = frozenset(
    {"none_icon", "testTableBackgroundImage_image"}
    | {f"testCharacter_{number}_image" for number in (1, 3, 4, 5, 6)}
)
