"""Room zips that somebody has, whoever made them: looked into, and made smaller."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from PIL import Image

from exporter.app.games import NameOrPath
from exporter.core.problems import (
    InvalidSource,
    Problem,
)
from exporter.model.tabletop import (
    PIECE_ORDER,
    UNIT,
    GameTable,
    Room,
    TableMask,
    Terrain,
)
from exporter.rooms.saved_benches import game_of
from exporter.udonarium.format import IDENTIFIER
from exporter.udonarium.read import open_to_edit, picture_widths, read_zip
from exporter.udonarium.verify import verify_zip

# How many times as wide as it lies on the table anybody sees a picture.
ZOOMED = 6

# Pixels that a picture keeps in any case: the client shows it so wide under the pointer.
LEAST = 540

# Pixels that a side of a WebP picture may have.
_MOST = 16383


class OpenedZip(Struct, frozen=True):
    """What a zip holds.

    ``pictures`` are the names of their files by the identifiers that the room has for them;
    ``counts`` says how many of each sort there are, cards in stacks too; ``game`` is the id of the
    game that it was made of, where it says so. What is to be dropped into a running room lies on a
    table of its own. There is no room where none can be read.
    """

    problems: tuple[Problem, ...]
    room: Room[str] | None = None
    pictures: Mapping[str, str] = {}
    counts: Mapping[str, int] = {}
    size: int = 0
    game: str = ""


def open_zip(path: Path, pictures: Path) -> OpenedZip:
    """Look into a zip, whoever made it; its pictures are written into the folder ``pictures``.

    Nothing is raised for what the zip holds.
    """
    data = path.read_bytes()
    problems = verify_zip(data, path.name)
    try:
        found = read_zip(data, path.name)
    except InvalidSource as error:
        return OpenedZip(problems or error.problems, size=len(data))
    pictures.mkdir(parents=True)
    names = {}
    for identifier, image in found.images.items():
        names[identifier] = f"{identifier}.{image.extension}"
        (pictures / names[identifier]).write_bytes(image.data)
    room = found.room or _laid(found.loose)
    return OpenedZip(problems, room, names, _counts(room, len(names)), len(data), game_of(room))


def _laid(loose: tuple[Any, ...]) -> Room[str]:
    """Return loose things on an empty table."""
    blocks = tuple(one for one in loose if isinstance(one, Terrain | TableMask))
    tables = tuple(one for one in loose if isinstance(one, GameTable))
    pieces = tuple(one for one in loose if isinstance(one, PIECE_ORDER))
    return Room(
        tables=tables or (GameTable(name="", selected=True, objects=blocks),),
        pieces=pieces,
    )


def _counts(room: Room[str], pictures: int) -> dict[str, int]:
    blocks = (one for table in room.tables for one in table.objects if isinstance(one, Terrain))
    return {
        "picture": pictures,
        "table": len(room.tables),
        "piece": len(room.pieces),
        "card": len(room.cards),
        "block": sum(1 for _ in blocks),
    }


class Slimmed(Struct, frozen=True):
    """A zip made smaller: its bytes, how many it had, and how many pictures were changed how."""

    data: bytes
    before: int
    unused: int
    doubles: int
    scaled: int
    packed: int


def slim(room: NameOrPath) -> Slimmed:
    """Leave out pictures that nothing shows and doubles, and pack the others as small as can be.

    Pictures much larger than where they are seen are scaled down; all else loses no pixel.
    Raises ``InvalidSource`` where it is no zip.
    """
    path = Path(room)
    contents = open_to_edit(path)
    pictures = contents.pictures
    used = contents.used_pictures
    unused = {name for name in pictures if IDENTIFIER.fullmatch(name) and name not in used}
    widths = {} if contents.room is None else picture_widths(contents.room, UNIT)
    alike: dict[object, list[str]] = {}
    for name, data in pictures.items():
        if name not in unused and (picture := _read(data)):
            pixels = picture.size, hashlib.sha256(picture.tobytes()).digest()
            alike.setdefault(pixels, []).append(name)
    names: dict[str, str] = {}
    files: dict[str, bytes] = {}
    scaled = 0
    for first, *doubles in alike.values():
        width = max(widths.get(name, 0) for name in (first, *doubles))
        data, smaller = _packed(pictures[first], max(LEAST, ZOOMED * width) if width else 0)
        kept = first
        if len(data) < len(pictures[first]):
            kept = hashlib.sha256(data).hexdigest()
            names[first] = kept
            files[f"{kept}.webp"] = data
            scaled += smaller
        names |= dict.fromkeys(doubles, kept)
    contents.rename_pictures(names)
    data = contents.packed({*unused, *names}, files.items())
    count = sum(len(group) - 1 for group in alike.values())
    return Slimmed(data, path.stat().st_size, len(unused), count, scaled, len(files) - scaled)


def _packed(data: bytes, most: float) -> tuple[bytes, bool]:
    """Pack a picture as WebP; whether it was wider than ``most``, if not 0, and so scaled down."""
    picture = _read(data)
    assert picture is not None, "it was read before"
    smaller = 0 < most < picture.width
    if smaller:
        height = max(1, round(picture.height * most / picture.width))
        picture = picture.resize((int(most), height))
    found = io.BytesIO()
    picture.save(found, "WEBP", lossless=not smaller, quality=92 if smaller else 100, method=6)
    return found.getvalue(), smaller


def _read(data: bytes) -> Image.Image | None:
    """Read the pixels of a still picture that can be packed without loss; of others nothing."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.format not in ("PNG", "WEBP", "BMP") or getattr(picture, "n_frames", 1) > 1:
                return None
            return picture.convert("RGBA") if max(picture.size) <= _MOST else None
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
