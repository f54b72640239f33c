"""A room zip whose XML is edited where it is, so that all else in it stays as somebody left it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lxml import etree
from msgspec import Struct

from exporter.core.problems import InvalidSource
from exporter.core.reading_limits import ProblemList
from exporter.udonarium.archive import RefusedZip, ZipEntry, pack, unpack
from exporter.udonarium.document import UnreadableXml, Xml, own, parse, tag_of
from exporter.udonarium.format import IDENTIFIER
from exporter.udonarium.verify_checks import unreadable

# What is said of an entry that cannot be had.
_LOST = ("UD-ENTRY-DAMAGED", "UD-ENTRY-METHOD")


class ZipContents(Struct, frozen=True):
    """The files of a zip that the client takes, and the XML among them, parsed, by its name."""

    entries: tuple[ZipEntry, ...]
    roots: Mapping[str, Xml]

    @property
    def room(self) -> Xml | None:
        """The room: of several the last, as the client has it."""
        rooms = [root for root in self.roots.values() if tag_of(root) == "room"]
        return rooms[-1] if rooms else None

    @property
    def used_pictures(self) -> set[str]:
        """The identifiers of pictures that its XML names anywhere."""
        texts = (etree.tostring(root, encoding="unicode") for root in self.roots.values())
        return {found for text in texts for found in IDENTIFIER.findall(text)}

    @property
    def pictures(self) -> dict[str, bytes]:
        """The files of pictures by their names without extension."""
        return {one.stem: one.data for one in self.entries if one.is_image and one.data}

    def rename_pictures(self, names: Mapping[str, str]) -> None:
        """Name other pictures, or addresses, wherever the XML names these."""

        def renamed(text: str) -> str:
            return IDENTIFIER.sub(lambda found: names.get(found[0], found[0]), text)

        for element in (each for root in self.roots.values() for each in root.iter("*")):
            if element.text:
                element.text = renamed(element.text)
            for name, value in element.attrib.items():
                element.set(name, renamed(str(value)))

    def packed(self, without: Iterable[str] = (), more: Iterable[tuple[str, bytes]] = ()) -> bytes:
        """Pack it with its XML as it is now, ``without`` some pictures and with ``more`` files."""
        left_out = set(without)
        files = {  # of several of one name the last, as the client has it
            entry.name: _text(self.roots[entry.name]) if entry.name in self.roots else entry.data
            for entry in self.entries
            if entry.data is not None and not (entry.is_image and entry.stem in left_out)
        }
        return pack((files | dict(more)).items())


def open_to_edit(source: Path | bytes) -> ZipContents:
    """Unpack a zip.

    Raises ``InvalidSource`` where it is none that can be unpacked safely, or a file in it cannot
    be read: what it says would be lost.
    """
    name = str(source) if isinstance(source, Path) else "room.zip"
    problems = ProblemList()
    try:
        entries = tuple(one for one in unpack(source, name, problems) if not one.is_foreign)
    except RefusedZip as error:
        raise InvalidSource([error.problem]) from None
    lost = [problem for problem in problems if problem.rule in _LOST]
    roots: dict[str, Xml] = {}
    for entry in entries:
        if entry.is_xml and entry.data is not None:
            try:
                roots[entry.name] = parse(entry.data, entry.where).root
            except UnreadableXml as error:
                if entry.extension == "xml":  # pages and the like are no part of a room
                    lost.append(unreadable(error, entry.where))
    if lost:
        raise InvalidSource(lost)
    return ZipContents(entries, roots)


def _text(root: Xml) -> bytes:
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True)


def picture_widths(room: Xml, unit: int) -> dict[str, float]:
    """Find how many pixels wide each picture of a room's pieces lies on the table, at most."""
    found: dict[str, float] = {}
    for thing in room.iter("card", "character", "dice-symbol", "terrain", "table-mask"):
        sizes = (leaf.text for leaf in thing.iter("data") if leaf.get("name") in _SIZES)
        pixels = max((float(text) * unit for text in sizes if text and _is_number(text)), default=0)
        for leaf in (one for one in thing.iter("data") if not len(list(own(one)))):
            if IDENTIFIER.fullmatch(leaf.text or ""):
                name = leaf.text or ""
                found[name] = max(found.get(name, 0), pixels)
    return found


_SIZES = ("size", "width", "height", "depth")


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdecimal()
