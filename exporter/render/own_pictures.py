"""Read a game's own pictures, and check them before a template shows them."""

from __future__ import annotations

import hashlib
import io
import math
import struct
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.cache import Cache
from exporter.core.messages import sentence
from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
    problem_at,
    some,
)
from exporter.core.source_files import (
    Unreadable,
    inside,
    label,
    read_bytes,
)
from exporter.faces.card_faces import Face
from exporter.render.pixels import (
    LONGEST_SIDE,
    has_many_chunks,
    is_drawing,
)
from exporter.udonarium.format import SIDE_RATIO

if TYPE_CHECKING:
    from PIL.Image import Exif
    from PIL.ImageFile import ImageFile

MAX_BYTES = 64 * 1024 * 1024
_FORMATS = ("PNG", "JPEG", "WEBP")
_ORIENTATION, _LYING = 0x0112, (5, 6, 7, 8)
"""EXIF: a camera held upright writes a lying picture, and the template shows it upright."""

DENSEST = 450
"""Pixels an inch of a picture's place, beyond which nobody sees more of it on paper."""

LEAST_SIDE = 1500
"""Pixels to which nothing is scaled down further."""

MOST_DECODED = 80_000_000
"""Pixels of a picture that is scaled down, 320 MB; a JPEG is decoded small and may have more."""

_SAVE_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "PNG": {"compress_level": 1},  # for the cache: in half the time, a fifth larger
    "JPEG": {"quality": 90},
    "WEBP": {"quality": 90, "method": 2},
}
"""How a picture is written that was scaled down, or that its name calls another format."""

_INCH = 25.4

_SMALL, _DOTS = 100, 72
"""Pixels of the longer side of a stand-in; dots an inch of a picture that does not say."""


def read_picture(root: Path | None, name: str, where: SourceLocation) -> bytes | Problem:
    """Read the picture ``name`` of the game folder ``root``, or say why that is impossible."""
    path = inside(root, name) if root else None
    if root is None or path is None:
        return problem_at(where, "FACE-PICTURE", "picture-lies-outside", name=name)
    file = label(root, name)
    try:
        data = read_bytes(path, file, MAX_BYTES, SourceLocation(file))
    except Unreadable as error:
        return replace(error.problem, rule="FACE-PICTURE")
    return (
        problem_at(SourceLocation(file), "FACE-PICTURE", "broken")
        if has_many_chunks(data)
        else data
    )


def check_picture(
    data: bytes, root: Path | None, name: str, *, whole: bool = True, larger: bool = False
) -> Iterator[Problem]:
    """Yield a problem for a picture that is broken, too large, or too narrow to be one.

    Unless it is looked at ``whole``, its pixels are not read, but its header and its end. One that
    is ``larger`` than it will be shown may have any size.
    """
    from PIL import Image, UnidentifiedImageError

    if is_drawing(name):
        from exporter.render.svg_drawings import svg_fault

        if wrong := svg_fault(data):
            where = SourceLocation(label(root, name) if root else name)
            yield Problem(where, "FACE-PICTURE", sentence("FACE-PICTURE", wrong[0], **wrong[1]))
        return
    width = height = 0
    try:
        if has_many_chunks(data):
            raise SyntaxError
        with warnings.catch_warnings():
            # Pillow warns of large pictures and odd EXIF; the measure here is stricter.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                width, height = image.size
                fault = "" if larger else _size_fault(width, height)
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
        where = SourceLocation(label(root, name) if root else name)
        yield problem_at(
            where,
            "FACE-PICTURE",
            fault,
            width=width,
            height=height,
            longest=LONGEST_SIDE,
            allowed=", ".join(_FORMATS),
        )


def _check_end(image: ImageFile, data: bytes) -> None:
    """Raise ``SyntaxError`` or ``OSError`` for a file that is damaged or cut off."""
    image.verify()  # of a PNG, all of its check sums
    ends = {
        "JPEG": data.rstrip(b"\0").endswith(b"\xff\xd9"),
        "WEBP": int.from_bytes(data[4:8], "little") + 8 <= len(data),
    }
    if not ends.get(str(image.format), True):
        raise OSError


def pixel_count(data: bytes) -> int:
    """Count the pixels that a picture's header promises; 0 where it cannot be read."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                return image.width * image.height
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError):
        return 0


def stand_in(data: bytes) -> bytes:
    """Make a small picture of the same form, kind and size on a page as one that is large."""
    from PIL import Image

    if data.lstrip()[:1] == b"<":
        return data
    with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        less = max(1, max(image.size) // _SMALL)
        size = max(1, image.width // less), max(1, image.height // less)
        dots = [float(each) / less for each in image.info.get("dpi", (_DOTS, _DOTS))]
        stream = io.BytesIO()
        small = Image.new("L", size)
        small.save(stream, image.format, dpi=tuple(dots), exif=_exif(image, data))
        return stream.getvalue()


class OwnPictures(NamedTuple):
    """Own pictures by name, those of them that are ``larger`` than they will be shown, and what is
    wrong with others."""

    files: dict[str, bytes]
    larger: frozenset[str]
    problems: list[Problem]


def read_pictures(
    faces: Iterable[Face], root: Path | None, cache: Cache, most: float = math.inf
) -> OwnPictures:
    """Read the game's own pictures that the faces show; a problem for each that is not there.

    One with many more pixels than its largest face could show is scaled down, once, and a notice
    says so; one that its name calls another format than it has is written anew in that. For this
    no more than ``most`` pixels are decoded; the others stay ``larger``. CMYK becomes RGB likewise.
    """
    pictures: dict[str, bytes] = {}
    problems = []
    scaler = _Scaler(cache, most)
    wanted = tuple(faces)
    brought = {name: data for face in wanted for name, data in face.brought.items()}
    for name, (where, side) in _shown_by(wanted).items():
        found = brought.get(name) or read_picture(root, name, where)
        if isinstance(found, Problem):
            problems.append(found)
        elif is_drawing(name):
            pictures[name] = found
        else:
            pictures[name] = scaler.scaled(name, found, side)
    if scaler.noted and root is not None:
        problems.append(_notice(root, scaler.noted))
    return OwnPictures(pictures, frozenset(scaler.larger), problems)


def _shown_by(faces: Iterable[Face]) -> dict[str, tuple[SourceLocation, int]]:
    """Each picture with the first place that shows it, and the pixels that its longer side needs
    on the largest face."""
    longest: dict[str, tuple[SourceLocation, float]] = {}
    for face in faces:
        for name in face.pictures:
            where, before = longest.get(name, (face.where, 0.0))
            longest[name] = where, max(before, face.width, face.height)
    return {
        name: (where, min(LONGEST_SIDE, max(LEAST_SIDE, math.ceil(side / _INCH * DENSEST))))
        for name, (where, side) in longest.items()
    }


class _Scaler(Struct):
    """Scale large pictures down while no more than ``left`` pixels are decoded for it.

    ``larger`` are those that were left, ``noted`` these and the ones that were scaled.
    """

    cache: Cache
    left: float
    larger: set[str] = field(default_factory=set)
    noted: list[str] = field(default_factory=list)

    def scaled(self, name: str, data: bytes, side: int) -> bytes:
        """Return a picture of at most ``side`` pixels, in the format of its name; or as it is."""
        form = format_of(name)
        count = pixels_to_scale(data, side, form)
        if not count:
            return data
        key = _scaled_key(data, side, form)
        smaller = self.cache.get(key)
        if smaller is None and count > self.left:
            self.larger.add(name)
            self.noted.append(name)
            return data
        if smaller is None:
            self.left -= count
            smaller = scaled_down(data, side, form)
            if smaller is None:
                return data
            self.cache.put(key, smaller)
        if max(pixel_size(data)) > side:
            self.noted.append(name)
        return smaller


def _notice(root: Path, scaled: Sequence[str]) -> Problem:
    return problem_at(
        SourceLocation(label(root, scaled[0].partition("/")[0])),
        "FACE-PICTURE",
        "scaled-down",
        severity=Severity.NOTICE,
        count=len(scaled),
        names=some([name.partition("/")[2] for name in scaled], 5),
    )


_PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
"""How a PNG begins: its size follows."""


def format_of(name: str) -> str:
    """Return the format of a picture's name, by which the layout engine reads the picture."""
    return {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP"}.get(
        name.rpartition(".")[2].lower(), "PNG"
    )


def pixels_to_scale(data: bytes, side: int, form: str) -> int:
    """How many pixels have to be decoded to have a picture of at most ``side`` in a format, by its
    header.

    None where it is so, and where it is left as it is, for ``check_picture`` to tell of.
    """
    if (
        form == "PNG"
        and data[:16] == _PNG
        and max(struct.unpack(">II", data[16:24].ljust(8))) <= side
    ):
        return 0  # without Pillow, which takes 1 ms to open one and is asked at every start
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                if max(image.size) > SIDE_RATIO * min(image.size):
                    return 0
                # Screen and paper would each convert the colours of a press in a way of their own.
                is_right = image.format == form and image.mode != "CMYK"
                if max(image.size) <= side and is_right:
                    return 0
                _draft(image, side)
                count = image.width * image.height
                return count if count <= MOST_DECODED else 0
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError):
        return 0


def _draft(image: ImageFile, side: int) -> None:
    if image.format == "JPEG":
        image.draft(None, (side, side))


def _scaled_key(data: bytes, side: int, form: str) -> str:
    import PIL

    return (
        "scaled-" + hashlib.sha256(f"{PIL.__version__} {side} {form} ".encode() + data).hexdigest()
    )


def scaled_down(data: bytes, side: int, form: str) -> bytes | None:
    """A picture with ``side`` pixels at most, turned as EXIF says, as ``PNG``, ``JPEG`` or
    ``WEBP``; nothing where it is broken."""
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                _draft(image, side)
                stream = io.BytesIO()
                turned = ImageOps.exif_transpose(image)
                if turned.mode not in ("L", "LA", "RGB", "RGBA"):
                    turned = turned.convert("RGBA" if "transparency" in image.info else "RGB")
                turned.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=2.0)
                if form == "JPEG":
                    turned = turned.convert("RGB")
                turned.save(stream, form, **_SAVE_OPTIONS[form])
    except (Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError):
        return None
    return stream.getvalue()


def with_good_pictures(
    faces: Sequence[Face], pictures: Mapping[str, bytes], root: Path | None
) -> tuple[list[Face], list[Problem]]:
    """Separate faces whose own pictures are in order from problems of the others'."""
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
    """Return width and height, as a template shows it, of a picture without problems."""
    from PIL import Image

    if data.lstrip()[:1] == b"<":
        from exporter.render.svg_drawings import svg_size

        width, height = map(round, svg_size(data) or (1, 1))
        return max(1, width), max(1, height)
    with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
        width, height = image.size
        turned = _exif(image, data).get(_ORIENTATION, 1) in _LYING
    return (height, width) if turned else (width, height)


_LOOKED_AT = 12


def are_cut_out(pictures: Mapping[str, bytes]) -> bool:
    """Whether most pictures are drawings, or figures without a ground: nothing of them is to be
    cut off. A few are looked at."""
    from PIL import Image

    found = 0
    some = list(pictures.items())[:_LOOKED_AT]
    for name, data in some:
        if is_drawing(name):
            found += 1
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                    if image.width * image.height > MOST_DECODED or "A" not in image.getbands():
                        continue
                    alpha = image.getchannel("A")
                    corners = ((0, 0), (image.width - 1, image.height - 1))
                    found += all(alpha.getpixel(at) == 0 for at in corners)
        except (Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError):
            continue
    return found * 2 > len(some)


def _exif(image: ImageFile, data: bytes) -> Exif:
    from PIL.Image import Exif

    # Pillow reads all pixels of a PNG to find this, and few have it.
    is_there = image.format != "PNG" or b"eXIf" in data
    return image.getexif() if is_there else Exif()
