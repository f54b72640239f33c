"""A game's own pictures: read from its folder, and looked at before a template shows them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from exporter.faces import Face
from exporter.paint import checks
from exporter.paint.pixels import LONGEST_SIDE
from exporter.problems import Problem, Where, told
from exporter.source.files import Unreadable, inside, label, read_bytes
from exporter.udonarium.format import SIDE_RATIO

if TYPE_CHECKING:
    from PIL.Image import Exif
    from PIL.ImageFile import ImageFile

MAX_BYTES = 64 * 1024 * 1024
_FORMATS = ("PNG", "JPEG", "WEBP")
_ORIENTATION, _LYING = 0x0112, (5, 6, 7, 8)
"""EXIF: a camera held upright writes a lying picture, and the template shows it upright."""

_SMALL, _DOTS = 100, 72
"""Pixels of the longer side of a stand-in; dots an inch of a picture that does not say."""


def read_picture(root: Path | None, name: str, where: Where) -> bytes | Problem:
    """The bytes of the picture ``name`` of the game folder ``root``, or why there are none."""
    path = inside(root, name) if root else None
    if root is None or path is None:
        return told(where, checks.PICTURE, "picture-lies-outside", name=name)
    file = label(root, name)
    try:
        return read_bytes(path, file, MAX_BYTES, Where(file))
    except Unreadable as error:
        return replace(error.problem, rule=checks.PICTURE)


def check_picture(
    data: bytes, root: Path | None, name: str, *, whole: bool = True
) -> Iterator[Problem]:
    """A picture that is broken, too large, or too narrow to be one.

    Unless it is looked at ``whole``, its pixels are not read, but its header and its end.
    """
    from PIL import Image, UnidentifiedImageError

    width = height = 0
    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures and odd EXIF; the measure here is stricter.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                width, height = image.size
                fault = _size_fault(width, height)
                if not fault and whole:
                    image.load()
                elif not fault:
                    _check_end(image, data)
    except Image.DecompressionBombError:
        fault = "far-too-many-pixels"
    except UnidentifiedImageError:
        fault = "no-picture"
    except (OSError, SyntaxError, ValueError, EOFError):
        fault = "broken"
    if fault:
        where = Where(label(root, name) if root else name)
        yield told(
            where,
            checks.PICTURE,
            fault,
            width=width,
            height=height,
            longest=LONGEST_SIDE,
            allowed=", ".join(_FORMATS),
        )


def _check_end(image: ImageFile, data: bytes) -> None:
    """Raises ``SyntaxError`` or ``OSError`` for a file that is damaged or cut off."""
    image.verify()  # of a PNG, all of its check sums
    ends = {
        "JPEG": data.rstrip(b"\0").endswith(b"\xff\xd9"),
        "WEBP": int.from_bytes(data[4:8], "little") + 8 <= len(data),
    }
    if not ends.get(str(image.format), True):
        raise OSError


def pixel_count(data: bytes) -> int:
    """How many pixels a picture's header promises; none where it has no readable header."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                return image.width * image.height
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError):
        return 0


def stand_in(data: bytes) -> bytes:
    """A small picture of the same form, kind and size on a page, in place of one that is large."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        less = max(1, max(image.size) // _SMALL)
        size = max(1, image.width // less), max(1, image.height // less)
        dots = [float(each) / less for each in image.info.get("dpi", (_DOTS, _DOTS))]
        stream = io.BytesIO()
        small = Image.new("L", size)
        small.save(stream, image.format, dpi=tuple(dots), exif=_exif(image, data))
        return stream.getvalue()


def read_pictures(
    faces: Iterable[Face], root: Path | None
) -> tuple[dict[str, bytes], list[Problem]]:
    """The game's own pictures that the faces show, and a problem for each that is not there."""
    pictures: dict[str, bytes] = {}
    problems = []
    for name, where in {name: face.where for face in faces for name in face.pictures}.items():
        found = read_picture(root, name, where)
        if isinstance(found, Problem):
            problems.append(found)
        else:
            pictures[name] = found
    return pictures, problems


def with_good_pictures(
    faces: Sequence[Face], pictures: Mapping[str, bytes], root: Path | None
) -> tuple[list[Face], list[Problem]]:
    """The faces whose own pictures are in order, and what is wrong with the others'."""
    shown = dict.fromkeys(name for face in faces for name in face.pictures)
    faults = {name: list(check_picture(pictures[name], root, name)) for name in shown}
    good = [face for face in faces if not any(faults[name] for name in face.pictures)]
    return good, [problem for found in faults.values() for problem in found]


def _size_fault(width: int, height: int) -> str:
    if max(width, height) > LONGEST_SIDE:
        return "too-long"
    if max(width, height) > SIDE_RATIO * min(width, height):
        return "too-narrow"
    return ""


def pixel_size(data: bytes) -> tuple[int, int]:
    """Width and height, as a template shows it, of a picture that ``check_picture`` found well."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        width, height = image.size
        turned = _exif(image, data).get(_ORIENTATION, 1) in _LYING
    return (height, width) if turned else (width, height)


def _exif(image: ImageFile, data: bytes) -> Exif:
    from PIL.Image import Exif

    # Pillow reads all pixels of a PNG to find this, and few have it.
    is_there = image.format != "PNG" or b"eXIf" in data
    return image.getexif() if is_there else Exif()
