"""Checks of image files and of what refers to them."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator

from lxml import etree
from msgspec import Struct
from PIL import Image

from exporter.problems import Problem, Where
from exporter.udonarium import format
from exporter.udonarium.archive import Entry
from exporter.udonarium.checks import found
from exporter.udonarium.document import Document, Xml, inner_text, is_leaf, tag_of
from exporter.udonarium.look import PLACED, attribute, group_of, label, owner_of, quoted

_HEX = re.compile("[0-9a-fA-F]{64}")
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO", "CUR", "AVIF")


class Reference(Struct, frozen=True):
    """A place that shows a picture. ``typed`` is whether the client will keep it on saving."""

    text: str
    element: Xml
    where: Where
    typed: bool = True
    background: bool = False


class Picture(Struct, frozen=True):
    """An image entry and its identifier; empty when it was not unpacked."""

    entry: Entry
    identifier: str


# -- files ----------------------------------------------------------------------------------------


def identified(entries: Iterable[Entry]) -> list[Picture]:
    """The image entries with the identifiers the client computes."""
    return [
        Picture(entry, "" if entry.data is None else hashlib.sha256(entry.data).hexdigest())
        for entry in entries
        if entry.is_image
    ]


def check_files(pictures: list[Picture], mentioned: set[str], complete: bool) -> Iterator[Problem]:
    """Image files one by one.

    ``mentioned`` holds every identifier that stands anywhere in the XML; ``complete`` is whether
    all XML could be read, so that an image nobody mentions is really unused.
    """
    names: dict[str, str] = {}
    for picture in pictures:
        entry = picture.entry
        if entry.data is None:
            if entry.size > format.IMAGE_BYTES:
                yield found("UD-IMAGE-SIZE", entry.where, f"It has {entry.size} bytes.")
            continue
        yield from _check_content(entry, entry.data)
        earlier = names.setdefault(picture.identifier, entry.name)
        if earlier != entry.name:
            yield found("UD-IMAGE-TWICE", entry.where, f"{earlier} is the same image.")
            continue
        used = picture.identifier in mentioned
        if entry.stem == picture.identifier:
            if complete and not used:
                yield found("UD-IMAGE-UNUSED", entry.where, "Nothing shows it.")
        elif entry.stem in mentioned and not used:
            what = f"Its bytes have the SHA-256 {picture.identifier}."
            yield found("UD-IMAGE-CHANGED", entry.where, what)
        else:
            what = f"Its SHA-256 is {picture.identifier}."
            yield found("UD-IMAGE-NAME", entry.where, what)
            if complete and not used:
                yield found("UD-IMAGE-UNUSED", entry.where, "Nothing shows it.")


def _check_content(entry: Entry, data: bytes) -> Iterator[Problem]:
    if not data:
        yield found("UD-IMAGE-BROKEN", entry.where, "It is empty.")
        return
    meant = format.IMAGE_TYPES[entry.extension]
    if meant == "SVG":
        yield from _check_svg(entry, data)
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                kind = {"CUR": "ICO"}.get(image.format or "", image.format)
                shape = list(_check_shape(entry, *image.size))
                yield from shape
                if not shape:
                    yield from _check_decoding(entry, image)
    except Image.DecompressionBombError:
        yield found("UD-IMAGE-HUGE", entry.where, "It has more pixels than can be decoded.")
        return
    except Exception:  # Pillow's decoders raise whatever broken bytes lead them into.
        yield found("UD-IMAGE-BROKEN", entry.where, "It cannot be decoded.")
        return
    if kind != meant:
        what = f"Its format is {kind}, its extension {entry.extension!r}."
        yield found("UD-IMAGE-EXTENSION", entry.where, what)


def _check_shape(entry: Entry, width: int, height: int) -> Iterator[Problem]:
    size = f"It has {width} × {height} pixels."
    if max(width, height) > format.SIDE_RATIO * min(width, height):
        yield found("UD-IMAGE-RATIO", entry.where, size)
    if width * height > format.IMAGE_PIXELS:
        yield found("UD-IMAGE-HUGE", entry.where, size)


def _check_decoding(entry: Entry, image: Image.Image) -> Iterator[Problem]:
    try:
        image.load()
    except OSError as error:
        if "truncated" not in str(error):
            raise
        yield found("UD-IMAGE-TRUNCATED", entry.where, "It ends too early.")


def _check_svg(entry: Entry, data: bytes) -> Iterator[Problem]:
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.open(io.BytesIO(data)) as file:
                data = file.read(format.IMAGE_BYTES * 8)
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, OSError, EOFError, zlib.error):
        yield found("UD-IMAGE-BROKEN", entry.where, "It is not well-formed SVG.")
        return
    if etree.QName(root).localname != "svg":
        yield found("UD-IMAGE-BROKEN", entry.where, "It is XML, but not SVG.")


# -- references -----------------------------------------------------------------------------------


def references(document: Document, images: set[str]) -> Iterator[Reference]:
    """Everything in a document that shows a picture, or would if it were marked so."""
    literal = {element for element, _kinds in document.literal}
    for element in document.root.iter("*"):
        tag = tag_of(element)
        if tag in ("game-table", "chat"):
            yield from _attribute_references(document, element)
        elif tag == "data" and is_leaf(element) and element not in literal:
            text = inner_text(element)
            typed = attribute(element, "type") == "image"
            if text and (typed or text.strip() in images or _is_slot(element)):
                yield Reference(text, element, document.of(element), typed)


def _attribute_references(document: Document, element: Xml) -> Iterator[Reference]:
    for name in ("imageIdentifier", "backgroundImageIdentifier"):
        text = attribute(element, name)
        if text not in ("", format.NO_PICTURE):
            background = name != "imageIdentifier"
            yield Reference(text, element, document.of(element), background=background)


def _is_slot(element: Xml) -> bool:
    """Whether the client looks for a picture here, marked or not."""
    owner = owner_of(element)
    if owner is None or tag_of(owner) not in PLACED:
        return False
    if element.getparent() is not group_of(owner, "image"):
        return False
    slots = {slot.name for slot in format.ELEMENTS[tag_of(owner)].slots}
    return tag_of(owner) == "dice-symbol" or attribute(element, "name") in slots


def check_references(references: list[Reference], pictures: list[Picture]) -> Iterator[Problem]:
    """Every reference leads to an image, and is written so that the client finds it."""
    there = {picture.identifier for picture in pictures}
    # An image that is at fault itself is there by name; its own check has spoken.
    there |= {picture.entry.stem for picture in pictures}
    shown = {reference.text for reference in references if not reference.background}
    # One fault, one problem: a missing image is shown in many places.
    places: dict[tuple[str, str], list[Reference]] = {}
    for reference in references:
        check = _wrong_reference(reference, there, shown)
        if check:
            places.setdefault((check, reference.text), []).append(reference)
    for (check, text), wrong in places.items():
        others = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        what = f"{label(wrong[0].element)}{others}: the picture is {quoted(text)}."
        yield found(check, wrong[0].where, what)
    for reference in references:
        if not reference.typed:
            name = attribute(reference.element, "name")
            what = f'{label(reference.element)}: the picture {name!r} lacks type="image".'
            yield found("UD-REF-TYPE", reference.where, what)


def _wrong_reference(reference: Reference, there: set[str], shown: set[str]) -> str:
    text = reference.text
    if text != text.strip():
        return "UD-REF-SPACE"
    if text in format.BUILT_IN_PICTURES or (text in there and format.IDENTIFIER.fullmatch(text)):
        return ""
    if _HEX.fullmatch(text) and text != text.lower():
        return "UD-REF-CASE"
    stem, dot, extension = text.rpartition(".")
    if dot and extension.lower() in format.URL_EXTENSIONS:
        if _HEX.fullmatch(stem):
            return "UD-REF-EXTENSION"
        if reference.background and text not in shown:
            return "UD-REF-BACKGROUND"
        return "UD-REF-WEB" if "://" in text else ""
    return "UD-REF-DEAD"
