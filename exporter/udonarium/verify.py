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
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from xml.parsers import expat

from msgspec import Struct
from PIL import Image

from exporter.core import grouped
from exporter.core.problems import InvalidSource, Problem, SourceLocation
from exporter.core.reading_limits import (
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
_MENTION = re.compile("(?<![0-9a-fA-F])[0-9a-fA-F]{64}")
_ICONS = (b"\0\0\1\0", b"\0\0\2\0")
# What browsers decode; Pillow would also run programs that a picture names.
PICTURE_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "ICO", "CUR", "AVIF")


def verify_zip(source: bytes | Path, name: str = "") -> tuple[Problem, ...]:
    """Return what is wrong with a room zip, sorted by place. Never raises for its content.

    Places are ``name/entry:line:column``; ``name`` is the path unless given. Of each check the
    first problems are problems, and how many more there are.
    """
    name = name or ("zip" if isinstance(source, bytes) else str(source))
    check = _ZipCheck()
    try:
        for entry in unpack(source, name, check.problems):
            check.look_at(entry)
        check.finish(SourceLocation(name))
    except InvalidSource as error:
        check.problems += error.problems
    return tuple(sorted(set(check.problems)))


class ZipPicture(Struct, frozen=True):
    """An image entry and its identifier; empty when it was not unpacked."""

    name: str
    stem: str
    where: SourceLocation
    identifier: str


class _ZipCheck:
    """Looks at the entries of a zip one at a time: pictures need not be there all at once."""

    def __init__(self) -> None:
        self.problems = ProblemList(lambda problem: problem.rule)
        self._budget = ReadingLimits(ROOM)
        self._documents: list[XmlDocument] = []
        self._pictures: list[ZipPicture] = []
        self._unseen: list[SourceLocation] = []
        # Whether all XML could be read, so that an image nobody mentions is really unused.
        self._complete = True

    def _say(self, check: str, where: SourceLocation, key: str, **values: object) -> None:
        self.problems.append(zip_problem(check, where, key, **values))

    def look_at(self, entry: ZipEntry) -> None:
        """Check what can be said of one entry. Raises ``InvalidSource`` where there is too much."""
        kind = entry.extension
        if kind in format.MARKUP_EXTENSIONS:
            self._say("UD-ENTRY-MARKUP", entry.where, "file", kind=kind)
        elif kind in format.VIDEO_EXTENSIONS:
            self._say("UD-ENTRY-VIDEO", entry.where, "video")
        elif kind in format.AUDIO_EXTENSIONS and entry.size > format.AUDIO_BYTES:
            self._say("UD-AUDIO-SIZE", entry.where, "bytes", size=entry.size)
        elif kind in format.AUDIO_EXTENSIONS:
            self._say("UD-AUDIO-NOT-SAVED", entry.where, "audio")
        if entry.is_image:
            identifier = "" if entry.data is None else hashlib.sha256(entry.data).hexdigest()
            self._pictures.append(ZipPicture(entry.name, entry.stem, entry.where, identifier))
            self._check_picture(entry)
        elif entry.is_xml:
            self._parse(entry)

    def _parse(self, entry: ZipEntry) -> None:
        """Keep an XML entry. Raises ``InvalidSource`` where the room holds too much."""
        if entry.data is None:
            self._complete = False
            return
        try:
            document = parse(entry.data, entry.where, self._budget)
            self._budget.take("pieces", sum(1 for _ in document.root.iter(*PLACED)))
            self._documents.append(document)
        except UnreadableXml as error:
            # HTML and YAML are reported for being there; that they are no XML adds nothing.
            if entry.extension == "xml":
                self._complete = False
                self.problems.append(unreadable(error, entry.where))
        except LimitExceeded as spent:
            raise refused_zip("UD-ROOM-LARGE", entry.where, "up", found=spent.sentence) from None

    # -- pictures ---------------------------------------------------------------------------------

    def _check_picture(self, entry: ZipEntry) -> None:
        """Check an image by its header, and by its pixels while there are not too many."""
        where, data, expected = entry.where, entry.data, format.IMAGE_TYPES[entry.extension]
        if data is None:
            if entry.size > format.IMAGE_BYTES:
                self._say("UD-IMAGE-SIZE", where, "of-bytes", size=entry.size)
        elif not data:
            self._say("UD-IMAGE-BROKEN", where, "empty")
        elif expected == "SVG":
            self._check_svg(where, data)
        elif data.startswith(_ICONS) and not self._budget.left("pixels"):
            self._unseen.append(where)  # to open an icon, Pillow decodes it
        else:
            self._check_pixels(entry, data, expected)

    def _check_pixels(self, entry: ZipEntry, data: bytes, expected: str) -> None:
        where = entry.where
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                warnings.simplefilter("error", Image.DecompressionBombWarning)
                with Image.open(io.BytesIO(data), formats=PICTURE_FORMATS) as image:
                    kind = {"CUR": "ICO"}.get(image.format or "", image.format)
                    width, height = image.size
                    is_narrow = max(image.size) > format.SIDE_RATIO * min(image.size)
                    is_huge = width * height > format.IMAGE_PIXELS
                    if is_narrow:
                        self._say("UD-IMAGE-RATIO", where, "pixels", width=width, height=height)
                    if is_huge:
                        self._say("UD-IMAGE-HUGE", where, "pixels", width=width, height=height)
                    if not (is_narrow or is_huge):
                        self._decode(where, image)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning):
            self._say("UD-IMAGE-HUGE", where, "more-pixels-can")
        except Exception:  # Pillow's decoders raise whatever broken bytes lead them into.
            self._say("UD-IMAGE-BROKEN", where, "cannot-decoded")
        else:
            if kind != expected:
                self._say(
                    "UD-IMAGE-EXTENSION",
                    where,
                    "format-extension",
                    kind=kind,
                    extension=entry.extension,
                )

    def _decode(self, where: SourceLocation, image: Image.Image) -> None:
        left = self._budget.left("pixels")
        if image.width * image.height > left and image.format != "ICO":
            self._unseen.append(where)
            return
        try:
            image.load()
            self._budget.take("pixels", min(left, image.width * image.height))
        except OSError as error:
            if "truncated" not in str(error):
                raise
            self._say("UD-IMAGE-TRUNCATED", where, "ends-too-early")

    def _check_svg(self, where: SourceLocation, data: bytes) -> None:
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
            self._unseen.append(where)
        except (expat.ExpatError, ValueError, OSError, EOFError, zlib.error):
            self._say("UD-IMAGE-BROKEN", where, "not-well-formed")
        else:
            if roots != ["svg"]:
                self._say("UD-IMAGE-BROKEN", where, "xml-but-not")

    # -- all of them ------------------------------------------------------------------------------

    def finish(self, where: SourceLocation) -> None:
        """Check what can be said when all entries are known."""
        self._check_roots(where)
        known = [one for one in self._documents if tag_of(one.root) in format.ROOTS]
        for document in self._documents:
            self.problems += check_characters(document)
        for document in known:
            for check in (check_markup, check_objects, check_room):
                self._report((document, one) for one in check(document))
        self._check_names()
        identifiers = {picture.identifier for picture in self._pictures}
        shown = [one for document in known for one in references(document, identifiers)]
        self._report(check_references(shown, self._pictures))

    def _report(self, finds: Iterable[tuple[XmlDocument, Finding]]) -> None:
        report_findings(self.problems, finds)

    def _check_roots(self, where: SourceLocation) -> None:
        tags = [tag_of(document.root) for document in self._documents]
        if self._complete and "room" not in tags and not set(tags) & format.LOOSE:
            self._say("UD-ROOM-NONE", where, "no-room-any")
        last = {tag: index for index, tag in enumerate(tags)}
        for index, document in enumerate(self._documents):
            finds = _check_root(document, index, last, tags.count("room"))
            self._report((document, one) for one in finds)

    def _check_names(self) -> None:
        """Check that each picture has its name and its use."""
        mentioned = {m.lower() for one in self._documents for m in _MENTION.findall(one.text)}
        names: dict[str, str] = {}
        for picture in self._pictures:
            if not picture.identifier:
                continue
            earlier = names.setdefault(picture.identifier, picture.name)
            if earlier != picture.name:
                self._say("UD-IMAGE-TWICE", picture.where, "same", earlier=earlier)
                continue
            used = picture.identifier in mentioned
            changed = picture.stem in mentioned and not used
            if picture.stem != picture.identifier:
                check = "UD-IMAGE-CHANGED" if changed else "UD-IMAGE-NAME"
                self._say(check, picture.where, "hash", hash=picture.identifier)
            if self._complete and self._documents and not used and not changed:
                self._say("UD-IMAGE-UNUSED", picture.where, "unused")
        if self._unseen:
            self._say("UD-IMAGE-UNSEEN", self._unseen[0], "by-header", count=len(self._unseen))


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
    references: Sequence[PictureReference], pictures: Iterable[ZipPicture]
) -> Iterator[tuple[XmlDocument, Finding]]:
    """Yield a finding for each reference that leads to no image, or is written so that the client
    does not find it."""
    there = {name for picture in pictures for name in (picture.identifier, picture.stem)}
    shown = {reference.text for reference in references if not reference.background}
    checked = ((_wrong_reference(one, there, shown), one) for one in references)
    # One fault, one problem: a missing image is shown in many places, an address is no fault.
    faults = grouped(
        (pair for pair in checked if pair[0]),
        lambda pair: (pair[0], "" if pair[0] == _WEB else pair[1].text),
    )
    for (check, _), wrong in faults.items():
        first, more = wrong[0][1], len(wrong) - 1
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


def _check_root(document: XmlDocument, index: int, last: dict[str, int], rooms: int) -> Finds:
    """Yield what is wrong with one of several roots; ``last`` is where the last root of each tag
    stands among all of them."""
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
