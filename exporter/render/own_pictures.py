"""Read a game's own pictures, and players' own: checked, and scaled to what a face can show."""

from __future__ import annotations

import hashlib
import io
import math
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageOps, UnidentifiedImageError
from PIL.ImageFile import ImageFile

from exporter.core.file_writer import file_bytes
from exporter.core.messages import sentence
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    notice_at,
    problem_at,
    quoted,
    some,
    stop_for,
)
from exporter.core.source_files import (
    inside,
    label,
    read_bytes,
)
from exporter.faces.card_faces import Face, OwnPicture
from exporter.render.pixels import (
    LONGEST_SIDE,
    is_drawing,
)
from exporter.udonarium.format import SIDE_RATIO

MAX_BYTES = 64 * 1024 * 1024
_FORMATS = ("PNG", "JPEG", "WEBP")

# What Pillow raises for pictures that it cannot read.
_BROKEN = (Image.DecompressionBombError, OSError, SyntaxError, ValueError, EOFError)

# EXIF: a camera held upright writes a lying picture, and the template shows it upright.
_ORIENTATION, _LYING = 0x0112, (5, 6, 7, 8)

# Pixels an inch of a picture's place, beyond which nobody sees more of it on paper.
DENSEST = 450

# Pixels to which nothing is scaled down further.
LEAST_SIDE = 1500

# Pixels of a picture that is scaled down, 320 MB; a JPEG is decoded small and may have more.
MOST_DECODED = 80_000_000

# How a picture is written that was scaled down, or that its name calls another format.
_SAVE_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "PNG": {"compress_level": 1},  # the layout engine unpacks it at once
    "JPEG": {"quality": 90},
    "WEBP": {"quality": 90, "method": 2},
}

_INCH = 25.4

# Pixels of the longer side of a stand-in; dots an inch of a picture that does not say.
_SMALL, _DOTS = 100, 72

# Pictures that tell whether all are cut out.
_LOOKED_AT = 12


# Of a drawing (.svg), which may have no more than ``MAX_ELEMENTS``.
DRAWING_BYTES = 2 * 1024 * 1024
MAX_ELEMENTS = 50_000

_SVG = "{http://www.w3.org/2000/svg}"
# What the engine draws for minutes, and cannot be stopped at; shadows and glows are blurs.
_SLOW = ("feTurbulence", "feMorphology", "feConvolveMatrix")
_LINKS = ("href", "{http://www.w3.org/1999/xlink}href", "src")
# A drawing within a drawing would not be looked through.
_INSIDE = re.compile(r"#|data:image/(?!svg)", re.IGNORECASE)
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!\s*['\"]?#)|@import", re.IGNORECASE)
_NUMBER = re.compile(r"\s*([+-]?[0-9]*\.?[0-9]+)")
_USUAL = (100.0, 100.0)


class Picture(Struct, frozen=True):
    """A picture that faces show: its file, or the bytes that a player brought, and its ``key``.

    ``size`` is in pixels as a template shows it, nothing for one that cannot be read; one that
    ``is_scaled`` is painted with ``side`` at most, and in the format of its name.
    """

    name: str
    where: SourceLocation
    root: Path | None
    brought: bytes
    side: int
    key: str
    size: tuple[int, int]
    is_scaled: bool

    @property
    def pixels(self) -> int:
        """Return how many pixels are painted with; a drawing has none."""
        count = self.size[0] * self.size[1]
        return 0 if is_drawing(self.name) else min(count, self.side**2) if self.is_scaled else count

    def read(self) -> bytes:
        """Return the file's bytes."""
        found = self.brought or read_picture(self.root, self.name, self.where)
        if isinstance(found, Problem):  # gone since it was read first
            raise InvalidSource([found])
        return found

    def scaled(self) -> bytes:
        """Return the bytes to paint: of no more pixels than a face can show, if it can be read."""
        data = self.read()
        small = scaled_down(data, self.side, format_of(self.name)) if self.is_scaled else None
        return small or data


def read_pictures(
    faces: Iterable[Face], root: Path | None
) -> tuple[dict[str, Picture], list[Problem]]:
    """Find the pictures that the faces show, by name; a problem for each that is not there.

    One with many more pixels than its largest face could show is to be scaled down, and a notice
    says so; one in another format than its name calls, or in the colours of a press, is to be
    written anew.
    """
    pictures: dict[str, Picture] = {}
    problems: list[Problem] = []
    noted: list[str] = []
    for name, (where, side, brought) in _shown_by(faces).items():
        data = brought or read_picture(root, name, where)
        if isinstance(data, Problem):
            problems.append(data)
            continue
        size, is_scaled = _seen(data, side, name)
        key = hashlib.sha256(f"{side if is_scaled else 0} ".encode() + data).hexdigest()
        pictures[name] = Picture(name, where, root, brought, side, key, size, is_scaled)
        if is_scaled and max(size) > side:
            noted.append(name)
    if noted and root is not None:
        problems.append(
            notice_at(
                SourceLocation(label(root, noted[0].partition("/")[0])),
                "FACE-PICTURE",
                "scaled-down",
                count=len(noted),
                names=some([name.partition("/")[2] for name in noted], 5),
            )
        )
    return pictures, problems


def read_picture(root: Path | None, name: str, where: SourceLocation) -> bytes | Problem:
    """Read the picture ``name`` of the game folder ``root``, or say why that is impossible."""
    path = inside(root, name) if root else None
    if root is None or path is None:
        return problem_at(where, "FACE-PICTURE", "picture-lies-outside", name=name)
    file = label(root, name)
    try:
        return read_bytes(path, file, MAX_BYTES, SourceLocation(file))
    except InvalidSource as error:
        return replace(error.problems[0], rule="FACE-PICTURE")


def brought_picture(path: Path, where: SourceLocation) -> OwnPicture:
    """Read the picture in a player's file, which is named at ``where``.

    Raises ``InvalidSource`` for a file that is none, or that Udonarium would not show.
    """
    data = read_bytes(path, str(path), MAX_BYTES, where)
    stop_for(check_picture(data, None, str(path)))
    ending = ".svg" if is_drawing(path.name) else path.suffix.lower()
    name = f"brought/{hashlib.sha256(data).hexdigest()[:20]}{ending}"
    return OwnPicture(name, data, *pixel_size(data))


def check_picture(
    data: bytes, root: Path | None, name: str, *, whole: bool = True, larger: bool = False
) -> Iterator[Problem]:
    """Yield a problem for a picture that is broken, too large, or too narrow to be one.

    Unless it is looked at ``whole``, its pixels are not read, but its header, its check sums and
    its end. One that is ``larger`` than it will be shown may have any size.
    """
    where = SourceLocation(label(root, name) if root else name)
    if is_drawing(name):
        if wrong := svg_fault(data):
            yield Problem(where, "FACE-PICTURE", sentence("FACE-PICTURE", wrong[0], **wrong[1]))
        return
    width = height = 0
    try:
        with _opened(data) as image:
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
    except _BROKEN:
        fault = "broken"
    if fault:
        yield problem_at(
            where,
            "FACE-PICTURE",
            fault,
            width=width,
            height=height,
            longest=LONGEST_SIDE,
            most=SIDE_RATIO,
            allowed=", ".join(_FORMATS),
        )


@contextmanager
def _opened(data: bytes) -> Iterator[ImageFile]:
    """Open a picture of an allowed format; Pillow's warnings are left to the checks here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            yield image


def _size_fault(width: int, height: int) -> str:
    if max(width, height) > LONGEST_SIDE:
        return "too-long"
    if max(width, height) > SIDE_RATIO * min(width, height):
        return "too-narrow"
    return ""


def _check_end(image: ImageFile, data: bytes) -> None:
    """Raise ``SyntaxError`` or ``OSError`` for a file that is damaged or cut off."""
    image.verify()  # of a PNG, all of its check sums
    ends = {
        "JPEG": data.rstrip(b"\0").endswith(b"\xff\xd9"),
        "WEBP": int.from_bytes(data[4:8], "little") + 8 <= len(data),
    }
    if not ends.get(str(image.format), True):
        raise OSError


def pixel_size(data: bytes) -> tuple[int, int]:
    """Return width and height, as a template shows it, of a picture without problems."""
    if data.lstrip()[:1] == b"<":
        width, height = map(round, _svg_size(_root(data)) or (1, 1))
        return max(1, width), max(1, height)
    with _opened(data) as image:
        width, height = image.size
        turned = _exif(image, data).get(_ORIENTATION, 1) in _LYING
    return (height, width) if turned else (width, height)


def stand_in(data: bytes, name: str) -> bytes:
    """Make a small picture of the same form, kind and size on a page as one that is large."""
    if is_drawing(name):
        return data
    with _opened(data) as image:
        less = max(1, max(image.size) // _SMALL)
        size = max(1, image.width // less), max(1, image.height // less)
        dots = [float(each) / less for each in image.info.get("dpi", (_DOTS, _DOTS))]
        small, exif = Image.new("L", size), _exif(image, data)
        return file_bytes(small, format_of(name), dpi=tuple(dots), exif=exif)


def blank(name: str) -> bytes:
    """Make a picture of nothing to stand for one: where a text stands does not depend on it."""
    if is_drawing(name):
        return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    return file_bytes(Image.new("L", (1, 1)), format_of(name))


def are_cut_out(pictures: Mapping[str, bytes]) -> bool:
    """Whether most pictures are drawings, or figures without a ground: nothing of them is to be
    cut off. A few are looked at."""
    some = list(pictures.items())[:_LOOKED_AT]
    return 2 * sum(is_drawing(name) or _is_cut_out(data) for name, data in some) > len(some)


def _is_cut_out(data: bytes) -> bool:
    """Whether a picture has two corners that are clear."""
    try:
        with _opened(data) as image:
            if image.width * image.height > MOST_DECODED or "A" not in image.getbands():
                return False
            alpha = image.getchannel("A")
            corners = ((0, 0), (image.width - 1, image.height - 1))
            return all(alpha.getpixel(at) == 0 for at in corners)
    except _BROKEN:
        return False


def _exif(image: ImageFile, data: bytes) -> Image.Exif:
    # Pillow reads all pixels of a PNG to find this, and few have it.
    is_there = image.format != "PNG" or b"eXIf" in data
    return image.getexif() if is_there else Image.Exif()


def _shown_by(faces: Iterable[Face]) -> dict[str, tuple[SourceLocation, int, bytes]]:
    """Each picture with the first place that shows it, the pixels that its longer side needs on the
    largest face, and what a player brought."""
    found: dict[str, tuple[SourceLocation, int, bytes]] = {}
    for face in faces:
        pixels = max(face.width, face.height) / _INCH * DENSEST
        for name in face.pictures:
            where, side, brought = found.get(name, (face.where, LEAST_SIDE, b""))
            side = math.ceil(min(LONGEST_SIDE, max(side, pixels)))
            found[name] = where, side, face.brought.get(name, brought)
    return found


def format_of(name: str) -> str:
    """Return the format of a picture's name, by which the layout engine reads the picture."""
    return {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP"}.get(
        name.rpartition(".")[2].lower(), "PNG"
    )


def _seen(data: bytes, side: int, name: str) -> tuple[tuple[int, int], bool]:
    """Return a picture's size, and whether it is to be scaled to ``side``, or to be written anew
    in the format of its name.

    What cannot be scaled is left as it is, for ``check_picture`` to tell of.
    """
    try:
        size = pixel_size(data)
        if is_drawing(name):
            return size, False
        with _opened(data) as image:
            # Screen and paper would each convert the colours of a press in a way of their own.
            is_right = image.format == format_of(name) and image.mode != "CMYK"
            if (is_right and max(size) <= side) or max(size) > SIDE_RATIO * min(size):
                return size, False
            image.draft(None, (side, side))
            return size, image.width * image.height <= MOST_DECODED
    except _BROKEN:
        return (0, 0), False


def scaled_down(data: bytes, side: int, form: str) -> bytes | None:
    """A picture with ``side`` pixels at most, turned as EXIF says, as ``PNG``, ``JPEG`` or
    ``WEBP``; nothing where it is broken."""
    try:
        with _opened(data) as image:
            image.draft(None, (side, side))
            turned = ImageOps.exif_transpose(image)
            if turned.mode not in ("L", "LA", "RGB", "RGBA"):
                turned = turned.convert("RGBA" if "transparency" in image.info else "RGB")
            turned.thumbnail((side, side), Image.Resampling.LANCZOS, reducing_gap=2.0)
            if form == "JPEG":
                turned = turned.convert("RGB")
            return file_bytes(turned, form, **_SAVE_OPTIONS[form])
    except _BROKEN:
        return None


def load_pictures(
    faces: Sequence[Face], pictures: Mapping[str, Picture], root: Path | None, *, small: bool
) -> tuple[list[Face], dict[str, bytes], list[Problem]]:
    """Separate faces whose own pictures are in order, and what to paint, from problems.

    Where they are not painted but set, ``small`` stand-ins do: of the pictures only headers, check
    sums and ends are looked at.
    """
    shown: dict[str, bytes] = {}
    problems: list[Problem] = []
    for name in dict.fromkeys(name for face in faces for name in face.pictures):
        picture = pictures[name]
        data = picture.read() if small else picture.scaled()
        larger = small and picture.is_scaled
        found = list(check_picture(data, root, name, whole=not small, larger=larger))
        problems += found
        if not found:
            shown[name] = stand_in(data, name) if small else data
    return [face for face in faces if shown.keys() >= set(face.pictures)], shown, problems


def svg_fault(data: bytes) -> tuple[str, dict[str, object]] | None:
    """Return the key and values of the sentence why a drawing is not shown; None where it is."""
    if len(data) > DRAWING_BYTES:
        return "drawing-large", {"most": DRAWING_BYTES // 1024 // 1024}
    if b"<!ENTITY" in data or b"<!entity" in data:
        return "drawing-entities", {}
    root = _root(data)
    for count, element in enumerate(root.iter("*") if root is not None else ()):
        if count > MAX_ELEMENTS:
            return "drawing-elements", {"most": MAX_ELEMENTS}
        if (name := str(element.tag).removeprefix(_SVG)) in _SLOW:
            return "drawing-filter", {"name": name}
        if found := _outside(element):
            return "drawing-outside", {"found": quoted(found)}
    return None if _svg_size(root) else ("no-drawing", {})


def _root(data: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        return None


def _outside(element: etree._Element) -> str:
    """Return what an element would fetch from elsewhere, or run."""
    if element.tag in (f"{_SVG}script", f"{_SVG}foreignObject"):
        return element.tag.removeprefix(_SVG)
    for name, value in element.attrib.items():
        text = str(value).strip()
        is_link = name in _LINKS and element.tag != f"{_SVG}a"
        if is_link and not _INSIDE.match(text):
            return text
        if _OUTSIDE.search(text):
            return text
    if element.tag == f"{_SVG}style" and _OUTSIDE.search(element.text or ""):
        return "style"
    return ""


def _svg_size(root: etree._Element | None) -> tuple[float, float] | None:
    """Return width and height in its own units; None where it is no drawing."""
    if root is None or root.tag not in (f"{_SVG}svg", "svg"):
        return None
    box = str(root.get("viewBox") or "").replace(",", " ").split()
    found = box[2:] if len(box) == 4 else [root.get("width") or "", root.get("height") or ""]
    sides = [float(match[1]) for text in found if (match := _NUMBER.match(str(text)))]
    if min(sides, default=1) <= 0:
        return None
    if len(sides) != 2:
        return _USUAL if not box else None
    return sides[0], sides[1]
