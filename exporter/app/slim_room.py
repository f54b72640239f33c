"""A room zip made smaller without a loss that anybody sees: `exporter slim`."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

from msgspec import Struct
from PIL import Image

from exporter.app.games import Named
from exporter.model.tabletop import UNIT
from exporter.udonarium.edit import largest_shown, open_to_edit
from exporter.udonarium.format import IDENTIFIER

ZOOMED = 6
"""How many times as wide as it lies on the table anybody sees a picture."""

LEAST = 540
"""Pixels that a picture keeps in any case: the client shows it so wide under the pointer."""


class Slimmed(Struct, frozen=True):
    """A zip made smaller: its bytes, how many it had, and how many pictures were changed how."""

    data: bytes
    before: int
    unused: int
    doubles: int
    scaled: int
    packed: int


def slim(room: Named) -> Slimmed:
    """Leave out pictures that nothing shows and doubles, and pack the others as small as can be.

    Pictures much larger than where they are seen are scaled down; all else loses no pixel.
    Raises ``InvalidSource`` where it is no zip.
    """
    path = Path(room)
    contents = open_to_edit(path)
    shown = contents.shown
    pictures = contents.pictures
    unused = {name for name in pictures if IDENTIFIER.fullmatch(name) and name not in shown}
    seen = {} if contents.room is None else largest_shown(contents.room, UNIT)
    of_pixels: dict[tuple[tuple[int, int], bytes], str] = {}
    names: dict[str, str] = {}
    files: dict[str, bytes] = {}
    doubles = scaled = 0
    for name, data in pictures.items():
        if name in unused:
            continue
        picture = _read(data)
        if picture is None:
            continue
        key = picture.size, hashlib.sha256(picture.tobytes()).digest()
        if key in of_pixels:
            names[name] = names.get(of_pixels[key], of_pixels[key])
            doubles += 1
            continue
        of_pixels[key] = name
        most = max(LEAST, ZOOMED * seen[name]) if seen.get(name) else 0
        smaller = bool(most) and picture.width > most
        if smaller:
            picture = picture.resize(
                (int(most), max(1, round(picture.height * most / picture.width)))
            )
            scaled += 1
        found = io.BytesIO()
        picture.save(found, "WEBP", lossless=not smaller, quality=92 if smaller else 100, method=6)
        if len(found.getvalue()) < len(data):
            new = hashlib.sha256(found.getvalue()).hexdigest()
            names[name] = new
            files[f"{new}.webp"] = found.getvalue()
    contents.rename_pictures(names)
    data = contents.packed({*unused, *names}, files.items())
    changed = len(files) - scaled
    return Slimmed(data, path.stat().st_size, len(unused), doubles, scaled, max(0, changed))


def _read(data: bytes) -> Image.Image | None:
    """Read the pixels of a still picture that can be packed without loss; of others nothing."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            if picture.format not in ("PNG", "WEBP", "BMP") or getattr(picture, "n_frames", 1) > 1:
                return None
            return picture.convert("RGBA")
    except (OSError, ValueError, Image.DecompressionBombError):
        return None
