"""Checks of a whole room zip, whoever made it, by ``verify_zip``: those of ``verify_checks``.

Here are those of the zip, of image files and of what refers to them.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import warnings
import zlib
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from xml.parsers import expat

from msgspec import Struct
from PIL import Image

from exporter.core.problems import InvalidSource, Problem, SourceLocation
from exporter.core.reading_limits import (
    MIB,
    ROOM,
    LimitExceeded,
    ProblemList,
    ReadingLimits,
)
from exporter.udonarium import format
from exporter.udonarium.archive import ZipEntry, refused_zip, unpack
from exporter.udonarium.document import (
    PLACED,
    UnreadableXml,
    Xml,
    XmlDocument,
    attribute,
    data_children,
    group_of,
    inner_text,
    is_leaf,
    parse,
    tag_of,
)
from exporter.udonarium.verify_checks import (
    Finding,
    Finds,
    finding,
    report_findings,
    unreadable,
    zip_problem,
)
from exporter.udonarium.verify_xml import (
    check_characters,
    check_markup,
    check_objects,
    check_room,
)

_WEB = "UD-REF-WEB"
_HEX = re.compile("[0-9a-fA-F]{64}")
_LARGE_BLOCK = 16 * MIB
_ICONS = (b"\0\0\1\0", b"\0\0\2\0")
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO", "CUR", "AVIF")


class ZipPicture(Struct, frozen=True):
    """An image entry and its identifier; empty when it was not unpacked."""

    name: str
    stem: str
    where: SourceLocation
    identifier: str


class ZipPictures:
    """The image entries of a zip, looked at one at a time: they need not be there all at once."""

    def __init__(self, problems: ProblemList, budget: ReadingLimits) -> None:
        self.each: list[ZipPicture] = []
        self._problems, self._budget = problems, budget
        self._unseen: list[SourceLocation] = []
        # glibc keeps memory for what comes next only when it has seen a large block go; else each
        # picture's is given back to the system and asked for anew, which takes half as long again.
        bytes(_LARGE_BLOCK)

    def add(self, entry: ZipEntry) -> None:
        """Looks at an image, and notes the identifier that the client computes."""
        if entry.data is None:
            if entry.size > format.IMAGE_BYTES:
                self._say("UD-IMAGE-SIZE", entry.where, "of-bytes", size=entry.size)
        else:
            self._problems += self._check_content(entry, entry.data)
        identifier = "" if entry.data is None else hashlib.sha256(entry.data).hexdigest()
        self.each.append(ZipPicture(entry.name, entry.stem, entry.where, identifier))

    def _say(self, check: str, where: SourceLocation, key: str, **values: object) -> None:
        self._problems.append(zip_problem(check, where, key, **values))

    def check_all(self, mentioned: set[str], complete: bool) -> None:
        """Whether each has its name and its use.

        ``mentioned`` holds every identifier that stands anywhere in the XML; ``complete`` is
        whether all XML could be read, so that an image nobody mentions is really unused.
        """
        names: dict[str, str] = {}
        for picture in self.each:
            if not picture.identifier:
                continue
            earlier = names.setdefault(picture.identifier, picture.name)
            if earlier != picture.name:
                self._say("UD-IMAGE-TWICE", picture.where, "same", earlier=earlier)
                continue
            used = picture.identifier in mentioned
            if picture.stem != picture.identifier:
                changed = picture.stem in mentioned and not used
                check = "UD-IMAGE-CHANGED" if changed else "UD-IMAGE-NAME"
                self._say(check, picture.where, "hash", hash=picture.identifier)
                if changed:
                    continue
            if complete and not used:
                self._say("UD-IMAGE-UNUSED", picture.where, "unused")
        if self._unseen:
            self._say("UD-IMAGE-UNSEEN", self._unseen[0], "by-header", count=len(self._unseen))

    def _check_content(self, entry: ZipEntry, data: bytes) -> Iterator[Problem]:
        if not data:
            yield zip_problem("UD-IMAGE-BROKEN", entry.where, "empty")
            return
        expected = format.IMAGE_TYPES[entry.extension]
        if expected == "SVG":
            yield from self._check_svg(entry, data)
            return
        if data.startswith(_ICONS) and not self._budget.left("pixels"):
            self._unseen.append(entry.where)  # to open an icon, Pillow decodes it
            return
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
                    kind = {"CUR": "ICO"}.get(image.format or "", image.format)
                    width, height = image.size
                    size = {"width": width, "height": height}
                    shape = []
                    if max(image.size) > format.SIDE_RATIO * min(image.size):
                        shape.append(zip_problem("UD-IMAGE-RATIO", entry.where, "pixels", **size))
                    if width * height > format.IMAGE_PIXELS:
                        shape.append(zip_problem("UD-IMAGE-HUGE", entry.where, "pixels", **size))
                    yield from shape
                    if not shape:
                        yield from self._check_decoding(entry, image)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            yield zip_problem("UD-IMAGE-HUGE", entry.where, "more-pixels-can")
            return
        except Exception:  # Pillow's decoders raise whatever broken bytes lead them into.
            yield zip_problem("UD-IMAGE-BROKEN", entry.where, "cannot-decoded")
            return
        if kind != expected:
            values = {"kind": kind, "extension": entry.extension}
            yield zip_problem("UD-IMAGE-EXTENSION", entry.where, "format-extension", **values)

    def _check_decoding(self, entry: ZipEntry, image: Image.Image) -> Iterator[Problem]:
        left = self._budget.left("pixels")
        if image.width * image.height > left and image.format != "ICO":
            self._unseen.append(entry.where)
            return
        try:
            image.load()
            self._budget.take("pixels", min(left, image.width * image.height))
        except OSError as error:
            if "truncated" not in str(error):
                raise
            yield zip_problem("UD-IMAGE-TRUNCATED", entry.where, "ends-too-early")

    def _check_svg(self, entry: ZipEntry, data: bytes) -> Iterator[Problem]:
        """Check that an SVG is XML with the right root. It is not kept: a small one may unpack to
        much."""
        roots: list[str] = []
        parser = expat.ParserCreate(namespace_separator=" ")

        def begin(name: str, _attributes: object) -> None:
            roots.append(name.rpartition(" ")[2])
            parser.StartElementHandler = None

        parser.StartElementHandler = begin
        try:
            if data.startswith(b"\x1f\x8b"):
                with gzip.open(io.BytesIO(data)) as file:
                    data = file.read(self._budget.left("bytes of SVG") + 1)
            self._budget.take("bytes of SVG", len(data))
            parser.Parse(data, True)
        except LimitExceeded:
            self._unseen.append(entry.where)
        except (expat.ExpatError, ValueError, OSError, EOFError, zlib.error):
            yield zip_problem("UD-IMAGE-BROKEN", entry.where, "not-well-formed")
        else:
            if roots != ["svg"]:
                yield zip_problem("UD-IMAGE-BROKEN", entry.where, "xml-but-not")


# -- references -----------------------------------------------------------------------------------


class PictureReference(Struct, frozen=True):
    """A place that shows a picture. ``typed`` is whether the client will keep it on saving."""

    text: str
    element: Xml
    document: XmlDocument
    typed: bool = True
    background: bool = False


def references(document: XmlDocument, images: Collection[str]) -> Iterator[PictureReference]:
    """Yield everything in a document that shows a picture, or would if it were marked so."""
    root = document.root
    passed_over = {element for element, _kinds in document.literal}
    # What the plain client skips; a fork has pictures of its own for it.
    passed_over |= {entry for fork in root.iter(*format.FORK_TAGS) for entry in fork.iter("data")}
    slots = {entry for owner in root.iter(*PLACED) for entry in _slots(owner)}
    for element in root.iter("game-table", "chat", "data"):
        if element.tag != "data":
            for name in ("imageIdentifier", "backgroundImageIdentifier"):
                text, background = attribute(element, name), name != "imageIdentifier"
                if text not in ("", format.NO_PICTURE):
                    yield PictureReference(text, element, document, background=background)
        elif is_leaf(element) and element not in passed_over:
            text = inner_text(element)
            typed = attribute(element, "type") == "image"
            if text and (typed or element in slots or text.strip() in images):
                yield PictureReference(text, element, document, typed)


def _slots(owner: Xml) -> Iterator[Xml]:
    """Yield the entries of an object where the client looks for a picture, marked or not."""
    group, tag = group_of(owner, "image"), tag_of(owner)
    if group is not None:
        slots = format.ELEMENTS[tag].slots
        for entry in data_children(group):
            if tag == "dice-symbol" or attribute(entry, "name") in slots:
                yield entry


def check_references(
    references: Iterable[PictureReference], pictures: Iterable[ZipPicture]
) -> Iterator[tuple[XmlDocument, Finding]]:
    """Yield every reference leads to an image, and is written so that the client finds it."""
    there = {name for picture in pictures for name in (picture.identifier, picture.stem)}
    references = list(references)
    shown = {reference.text for reference in references if not reference.background}
    # One fault, one problem: a missing image is shown in many places, an address is no fault.
    places: dict[tuple[str, str], list[PictureReference]] = {}
    for one in references:
        check = _wrong_reference(one, there, shown)
        if check:
            places.setdefault((check, "" if check == _WEB else one.text), []).append(one)
    for (check, _), wrong in places.items():
        first, more = wrong[0], len(wrong) - 1
        key = "pictures" if more else "picture"
        yield first.document, finding(check, first.element, key, more=more, text=first.text)
    for one in references:
        if not one.typed:
            name = attribute(one.element, "name")
            yield one.document, finding("UD-REF-TYPE", one.element, "picture-lacks-type", name=name)


def _wrong_reference(reference: PictureReference, there: set[str], shown: set[str]) -> str:
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
        return _WEB if "://" in text else ""
    return "UD-REF-DEAD"


_MENTION = re.compile("(?<![0-9a-fA-F])[0-9a-fA-F]{64}")


def verify_zip(source: bytes | Path, name: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with a room zip, sorted by place. Never raises for its content.

    Places are ``name/entry:line:column``; ``name`` is the path unless given. Of each check the
    first problems are problems, and how many more there are.
    """
    name = name or ("zip" if isinstance(source, bytes) else str(source))
    problems = ProblemList(lambda problem: problem.rule)
    try:
        _verify(source, name, problems)
    except InvalidSource as error:
        problems += error.problems
    return tuple(sorted(set(problems)))


def _verify(source: bytes | Path, name: str, problems: ProblemList) -> None:
    budget = ReadingLimits(ROOM)
    documents: list[XmlDocument] = []
    pictures = ZipPictures(problems, budget)
    complete = True
    for entry in unpack(source, name, problems):
        problems += _check_entry(entry)
        if entry.is_image:
            pictures.add(entry)
        elif entry.is_xml and entry.data is None:
            complete = False
        elif entry.is_xml and entry.data is not None:
            try:
                documents.append(_parsed(entry, entry.data, budget))
            except UnreadableXml as error:
                # HTML and YAML are reported for being there; that they are no XML adds nothing.
                if entry.extension == "xml":
                    complete = False
                    problems.append(unreadable(error, entry.where))
    _check_roots(documents, complete, name, problems)
    known = [document for document in documents if tag_of(document.root) in format.ROOTS]
    for document in documents:
        problems += check_characters(document)
    for document in known:
        for check in (check_markup, check_objects, check_room):
            report_findings(problems, ((document, one) for one in check(document)))
    mentioned = {m.lower() for document in documents for m in _MENTION.findall(document.text)}
    pictures.check_all(mentioned, complete and bool(documents))
    identifiers = {picture.identifier for picture in pictures.each}
    shown = (one for document in known for one in references(document, identifiers))
    report_findings(problems, check_references(shown, pictures.each))


def _parsed(entry: ZipEntry, data: bytes, budget: ReadingLimits) -> XmlDocument:
    """Return an XML entry. Raises ``UnreadableXml``, and ``InvalidSource`` where the room holds too
    much."""
    try:
        document = parse(data, entry.where, budget)
        budget.take("pieces", sum(1 for _ in document.root.iter(*PLACED)))
    except LimitExceeded as spent:
        raise refused_zip("UD-ROOM-LARGE", entry.where, "up", found=spent.sentence) from None
    return document


def _check_entry(entry: ZipEntry) -> Iterator[Problem]:
    kind = entry.extension
    if kind in format.MARKUP_EXTENSIONS:
        yield zip_problem("UD-ENTRY-MARKUP", entry.where, "file", kind=kind)
    elif kind in format.VIDEO_EXTENSIONS:
        yield zip_problem("UD-ENTRY-VIDEO", entry.where, "video")
    elif kind in format.AUDIO_EXTENSIONS:
        if entry.size > format.AUDIO_BYTES:
            yield zip_problem("UD-AUDIO-SIZE", entry.where, "bytes", size=entry.size)
        else:
            yield zip_problem("UD-AUDIO-NOT-SAVED", entry.where, "audio")


def _check_roots(
    documents: list[XmlDocument], complete: bool, name: str, problems: ProblemList
) -> None:
    tags = [tag_of(document.root) for document in documents]
    if complete and "room" not in tags and not set(tags) & format.LOOSE:
        problems.append(zip_problem("UD-ROOM-NONE", SourceLocation(name), "no-room-any"))
    last = {tag: index for index, tag in enumerate(tags)}
    for index, document in enumerate(documents):
        finds = _check_root(document, index, last, tags.count("room"))
        report_findings(problems, ((document, one) for one in finds))


def _check_root(document: XmlDocument, index: int, last: dict[str, int], rooms: int) -> Finds:
    """Return ``last`` is where the last root of each tag stands among all of them."""
    root, tag = document.root, tag_of(document.root)
    if tag == "room" and index != last["room"]:
        yield finding("UD-ROOM-TWICE", root, "one-rooms", count=rooms)
    elif tag in format.LOOSE and rooms:
        lost = index < last["room"] and tag != "chat-tab"
        check = "UD-LOOSE-LOST" if lost else "UD-LOOSE-BESIDE"
        yield finding(check, root, "own-file")
    elif tag in ("chat-tab-list", "summary-setting") and index != last[tag]:
        yield finding("UD-SETTINGS-TWICE", root, "another-after")
    elif tag not in format.ROOTS:
        fork, alone = tag in format.FORK_TAGS, tag in format.SINGLETONS
        check = "UD-FORK" if fork else "UD-SINGLETON" if alone else "UD-ROOT-UNKNOWN"
        yield finding(check, root, "root")
