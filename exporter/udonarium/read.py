"""A zip → the ``Room`` it holds. Tolerant where the client is; ``verify`` says what is wrong.

Elements that this tool has no name for are passed over. Or a zip → its XML, to be edited where it
is, so that all else in it stays as somebody left it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from lxml import etree
from msgspec import Struct, field

from exporter.core.problems import InvalidSource, Problem, SourceLocation, stop_for
from exporter.core.reading_limits import ProblemList
from exporter.model.tabletop import (
    ChatTab,
    DiceFace,
    GameTable,
    Image,
    ImageFile,
    Loose,
    Room,
)
from exporter.udonarium.archive import ZipEntry, pack, unpack
from exporter.udonarium.document import (
    UnreadableXml,
    Xml,
    attribute,
    attributes_of,
    child_named,
    data_children,
    element_children,
    group_of,
    inner_text,
    is_leaf,
    parse,
    tag_of,
)
from exporter.udonarium.format import (
    CHILDREN,
    ELEMENTS,
    IDENTIFIER,
    LOOSE,
    ON_TABLE,
    PIECES,
    SHEET_NUMBER,
    Element,
    ValueType,
    is_number,
    loose_number,
)
from exporter.udonarium.verify_checks import unreadable, zip_problem


class RoomFile(Struct, frozen=True):
    """What a zip holds: a room, or things to drop into a running one, and the pictures' files."""

    room: Room[str] | None
    loose: tuple[Loose[str] | GameTable[str] | ChatTab[str], ...] = ()
    images: Mapping[str, ImageFile] = field(default_factory=dict)


def read_zip(source: bytes | Path, name: str = "") -> RoomFile:
    """Read a room zip, whoever made it.

    Raises ``InvalidSource`` when it is no zip, cannot be unpacked safely, or holds neither a room
    nor anything loose. XML that the client would ignore is ignored here too, and so are pictures
    over its limit.
    """
    name = name or ("zip" if isinstance(source, bytes) else str(source))
    contents, problems = _unpacked(source, name)
    roots = list(contents.roots.values())
    room = read_room(roots)
    loose = tuple(read_object(root) for root in roots if tag_of(root) in LOOSE)
    if room is None and not loose:
        nothing = zip_problem("UD-ROOM-NONE", SourceLocation(name), "neither-room-nor")
        raise InvalidSource([*problems, nothing])
    images = (
        ImageFile(entry.data, entry.extension)
        for entry in contents.entries
        if entry.is_image and entry.data is not None
    )
    return RoomFile(room, loose, {file.identifier: file for file in images})


def read_room(roots: list[Xml]) -> Room[str] | None:
    """Return the last room wins, and so do the last chat and the last settings (section 2)."""
    last = {tag_of(root): root for root in roots}
    if "room" not in last:
        return None
    chat, summary = last.get("chat-tab-list"), last.get("summary-setting")
    return Room(
        tables=_children(last["room"], ("game-table",)),
        pieces=_children(last["room"], PIECES),
        chat=None if chat is None else _children(chat, ("chat-tab",)),
        inventory=None if summary is None else read_object(summary),
    )


def _children(xml: Xml | None, tags: Collection[str]) -> tuple[Any, ...]:
    """Return the values of an element's children with one of some tags."""
    each = () if xml is None else element_children(xml)
    return tuple([read_object(child) for child in each if tag_of(child) in tags])


def read_object(xml: Xml) -> Any:
    """Return the value that an element holds."""
    element = ELEMENTS[tag_of(xml)]
    fields = _attributes(element, attributes_of(xml))
    if element.placed:
        fields |= _sheet(element, xml)
    match element.tag:
        case "game-table":
            fields["objects"] = _children(xml, ON_TABLE)
        case "card-stack":
            root = next((n for n in xml.iterfind("node") if n.get("name") == "cardRoot"), None)
            fields["cards"] = _children(root, CHILDREN["node"])
        case "character":
            fields["palette"] = next(iter(_children(xml, ("chat-palette",))), None)
        case "chat-tab":
            fields["messages"] = _children(xml, CHILDREN["chat-tab"])
        case "chat" | "chat-palette":
            fields["text"] = inner_text(xml)
        case "data":
            fields["children"] = _children(xml, ("data",))
            text = inner_text(xml) if is_leaf(xml) else ""
            is_picture = fields["type"] == "image" and not fields["children"]
            fields["value"] = Image(picture=text or None) if is_picture else text
            fields["type"] = "" if is_picture else fields["type"]
    return element.value(**fields)


def _or_default(kind: ValueType, text: str, default: str) -> tuple[Any, ...]:
    try:
        return kind.read(text)
    except ValueError:
        return kind.read(default)


def _attributes(element: Element, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a value from its attributes; unreadable ones count as absent."""
    fields = dict(element.absent)
    for name, text in texts.items():
        if row := element.known.get(name):
            fields.update(zip(row.fields, _or_default(row.kind, text, row.default), strict=True))
    if "extra" in element.value.__struct_fields__:
        fields["extra"] = tuple(item for item in texts.items() if item[0] not in element.known)
    return fields


def _sheet(element: Element, xml: Xml) -> dict[str, Any]:
    """Return the fields of an object from its sheet."""
    images, common, detail = (group_of(xml, name) for name in ("image", "common", "detail"))
    fields: dict[str, Any] = {
        name: _text(child_named(images, slot)) or None
        for slot, name in element.slots.items()
        if name
    }
    if element.tag == "dice-symbol":
        each = () if images is None else data_children(images)
        fields["faces"] = tuple(
            DiceFace(name=attribute(face, "name"), picture=_text(face) or None) for face in each
        )
    for entry in element.entries:
        there = child_named(common, entry.name)
        texts = (_text(there), "" if there is None else attribute(there, "currentValue"))
        if there is None:
            texts = (fields[entry.same_as] if entry.same_as else entry.default, entry.default)
        for name, text in zip((entry.value, entry.current), texts, strict=True):
            if name:
                is_blank = entry.kind is SHEET_NUMBER and entry.current and not text.strip()
                text = entry.default if is_blank else text
                (fields[name],) = _or_default(entry.kind, text, entry.default)
    return fields | {"detail": _children(detail, ("data",))}


def _text(xml: Xml | None) -> str:
    return "" if xml is None else inner_text(xml)


# -- to be edited ----------------------------------------------------------------------------------


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
            entry.name: etree.tostring(
                self.roots[entry.name], encoding="UTF-8", xml_declaration=True
            )
            if entry.name in self.roots
            else entry.data
            for entry in self.entries
            if entry.data is not None and not (entry.is_image and entry.stem in left_out)
        }
        return pack((files | dict(more)).items())


# What is said of a file that cannot be had.
_LOST = (
    "UD-ENTRY-DAMAGED", "UD-ENTRY-METHOD", "UD-XML-BROKEN", "UD-XML-ENTITY", "UD-XML-ENCODING",
)  # fmt: skip


def open_to_edit(source: Path | bytes) -> ZipContents:
    """Unpack a zip.

    Raises ``InvalidSource`` where it is none that can be unpacked safely, or a file in it cannot
    be read: what it says would be lost.
    """
    contents, problems = _unpacked(source, str(source) if isinstance(source, Path) else "room.zip")
    stop_for(problem for problem in problems if problem.rule in _LOST)
    return contents


def _unpacked(source: bytes | Path, name: str) -> tuple[ZipContents, list[Problem]]:
    """Unpack a zip; return what is wrong with files in it, too. Raises ``InvalidSource``."""
    problems = ProblemList()
    entries: list[ZipEntry] = []
    roots: dict[str, Xml] = {}
    try:
        for entry in unpack(source, name, problems):
            if entry.is_foreign:
                continue
            entries.append(entry)
            try:
                if entry.is_xml and entry.data is not None:
                    roots[entry.name] = parse(entry.data, entry.where).root
            except UnreadableXml as error:
                if entry.extension == "xml":  # pages and the like are no part of a room
                    problems.append(unreadable(error, entry.where))
    except InvalidSource as error:
        raise InvalidSource([*problems, *error.problems]) from None
    return ZipContents(tuple(entries), roots), list(problems)


def picture_widths(room: Xml, unit: int) -> dict[str, float]:
    """Find how many pixels wide each picture of a room's pieces lies on the table, at most."""
    found: dict[str, float] = {}
    for thing in room.iter("card", "character", "dice-symbol", "terrain", "table-mask"):
        sizes = (leaf.text or "" for leaf in thing.iter("data") if leaf.get("name") in _SIZES)
        pixels = unit * max((loose_number(text) for text in sizes if is_number(text)), default=0)
        for leaf in (one for one in thing.iter("data") if not len(list(element_children(one)))):
            if IDENTIFIER.fullmatch(leaf.text or ""):
                name = leaf.text or ""
                found[name] = max(found.get(name, 0), pixels)
    return found


_SIZES = ("size", "width", "height", "depth")
