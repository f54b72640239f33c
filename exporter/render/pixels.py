"""Encode a page's PNG as its smallest file, and check the sizes of pictures."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

from PIL import Image, WebPImagePlugin  # noqa: F401 - or saving loads all formats there are

from exporter.core.file_writer import file_bytes
from exporter.core.messages import sentence
from exporter.core.problems import (
    Problem,
    problem_at,
    warning_at,
)
from exporter.faces.card_faces import Face
from exporter.model.tabletop import ImageFile
from exporter.udonarium.format import (
    IMAGE_BYTES,
    SIDE_RATIO,
)

# Pixels; the client draws every picture full size on a canvas (format section 2).
LONGEST_SIDE = 4000

# Of anything but a board, so that a room loads quickly: 55 ms a megapixel.
MOST_SCREEN_PIXELS = 500_000


# Of a picture that loses nothing: flat ones have some 600, shaded ones 2,500, photographs 30,000.
MOST_COLOURS = 1500


def smallest(png: bytes) -> ImageFile:
    """Encode the same pixels as lossless WebP, or return the PNG itself where that is smaller.

    With more than ``MOST_COLOURS`` a picture only looks the same: in a fourth of the time it takes
    two thirds of the bytes, a photograph a fourth.
    """
    with Image.open(io.BytesIO(png), formats=["PNG"]) as image:
        is_shaded = image.getcolors(MOST_COLOURS) is None
        # Measured in docs/decisions/0002-pictures.md: more effort takes long and saves little.
        quality = 90 * is_shaded
        webp = file_bytes(image, "WEBP", lossless=not is_shaded, method=2, quality=quality)
    return ImageFile(webp, "webp") if len(webp) < len(png) else ImageFile(png, "png")


def as_png(image: ImageFile) -> ImageFile:
    """Encode a picture for programs that read no WebP."""
    if image.extension in ("png", "svg"):
        return image
    with Image.open(io.BytesIO(image.data), formats=["WEBP", "JPEG"]) as picture:
        return ImageFile(file_bytes(picture, "PNG"), "png")


def all_as_png(images: Mapping[Face, ImageFile]) -> dict[Face, ImageFile]:
    """Encode pictures as PNG, several at a time."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(images, pool.map(as_png, images.values()), strict=True))


def image_file(data: bytes) -> ImageFile:
    """Return a picture that ``smallest`` made, known by its first bytes."""
    return ImageFile(data, "webp" if data.startswith(b"RIFF") else "png")


def screen_size(face: Face) -> tuple[int, int]:
    """Return width and height of the screen picture in pixels."""
    return max(1, round(face.width * face.scale)), max(1, round(face.height * face.scale))


def check_size(face: Face) -> Iterator[Problem]:
    """Yield what is wrong with the size of a face, before it is painted."""
    values = {"template": face.template, "wide": face.width, "high": face.height}
    size = sentence("FACE-SIZE", "size", **values, scale=face.scale)
    if not all(0 < measure < math.inf for measure in (face.width, face.height, face.scale)):
        yield problem_at(face.where, "FACE-SIZE", "no-pixels", size=size)
        return
    width, height = screen_size(face)
    longest, shortest = max(width, height), min(width, height)
    found = sentence("FACE-SIZE", "picture", size=size, width=width, height=height)
    if longest > LONGEST_SIDE:
        yield problem_at(face.where, "FACE-SIZE", "side-may", found=found, most=LONGEST_SIDE)
    elif longest > SIDE_RATIO * shortest:
        yield problem_at(face.where, "FACE-SIZE", "one-side-may", found=found, most=SIDE_RATIO)
    elif width * height > MOST_SCREEN_PIXELS and not (
        {"cells", "spaces"} & json.loads(face.values).keys()  # of a board
    ):
        most = MOST_SCREEN_PIXELS
        yield warning_at(face.where, "FACE-SIZE", "above-pixels-takes", found=found, most=most)


def check_bytes(face: Face, file: ImageFile) -> Iterator[Problem]:
    """Yield a problem for a painted picture that the client would drop."""
    if len(file.data) > IMAGE_BYTES:
        megabytes = len(file.data) / 1024 / 1024
        yield problem_at(face.where, "FACE-SIZE", "picture-takes-mib", megabytes=megabytes)


def is_drawing(name: str) -> bool:
    """Tell whether a file is a drawing (.svg), which has no pixels."""
    return name.lower().endswith(".svg")
