"""A zip → the ``Room`` it holds. Tolerant where the client is; ``verify`` says what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lxml import etree
from msgspec import Struct, field

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
)
from exporter.core.reading_limits import ProblemList
from exporter.model.tabletop import (
    Attributes,
    CardStack,
    Character,
    ChatMessage,
    ChatPalette,
    ChatTab,
    Data,
    DiceFace,
    DiceSymbol,
    GameTable,
    Image,
    ImageFile,
    Inventory,
    Loose,
    Room,
    TableCard,
)
from exporter.udonarium import format
from exporter.udonarium.archive import (
    RefusedZip,
    ZipEntry,
    unpack,
)
from exporter.udonarium.document import (
    UnreadableXml,
    Xml,
    attributes_of,
    inner_text,
    own,
    parse,
    tag_of,
)
from exporter.udonarium.format import (
    GROUPS,
    SHEET_NUMBER,
    TEXT,
    CommonEntry,
    Element,
    ValueType,
)
from exporter.udonarium.verify_checks import found


class RoomFile(Struct, frozen=True):
    """What a zip holds: a room, or things to drop into a running one, and the pictures' files."""

    room: Room[str] | None
    loose: tuple[Loose[str] | GameTable[str] | ChatTab[str], ...] = ()
    images: Mapping[str, ImageFile] = field(default_factory=dict)


def read_zip(source: bytes | Path, name: str = "") -> RoomFile:
    """Read a room zip, whoever made it.

    Raises ``InvalidSource`` when it is no zip, cannot be unpacked safely, or holds neither a room
    nor anything loose. XML that the client would ignore is ignored here too.
    """
    name = name or ("zip" if isinstance(source, bytes) else str(source))
    told = ProblemList()
    try:
        entries = list(unpack(source, name, told))
    except RefusedZip as refused:
        raise InvalidSource([*told, refused.problem]) from None
    problems, roots = list(told), list[Xml]()
    for entry in entries:
        if entry.is_xml and entry.data is not None:
            try:
                roots.append(parse(entry.data, entry.where).root)
            except UnreadableXml as error:
                problems.append(error.problem(entry.where))
    room = read_room(roots)
    loose = tuple(read_object(root) for root in roots if tag_of(root) in format.LOOSE)
    if room is None and not loose:
        problems.append(found("UD-ROOM-NONE", SourceLocation(name), "neither-room-nor"))
        raise InvalidSource(problems)
    return RoomFile(room, loose, read_images(entries))


def read_images(entries: Iterable[ZipEntry]) -> dict[str, ImageFile]:
    """Pictures by their identifier; those over the client's limit were not unpacked."""
    files = (
        ImageFile(entry.data, entry.extension)
        for entry in entries
        if entry.is_image and entry.data is not None
    )
    images: dict[str, ImageFile] = {}
    for file in files:
        images.setdefault(file.identifier, file)
    return images


def read_room(roots: list[Xml]) -> Room[str] | None:
    """The last room wins, and so do the last chat and the last settings (section 2)."""
    last = {tag_of(root): root for root in roots}
    if "room" not in last:
        return None
    children = [(tag_of(child), child) for child in own(last["room"])]
    chat = last.get("chat-tab-list")
    summary = last.get("summary-setting")
    return Room(
        tables=tuple(read_object(child) for tag, child in children if tag == "game-table"),
        pieces=tuple(read_object(child) for tag, child in children if tag in format.PIECES),
        other_children=_others(last["room"], format.CHILDREN["room"]),
        chat=None
        if chat is None
        else tuple(read_object(child) for child in own(chat) if tag_of(child) == "chat-tab"),
        inventory=None if summary is None else Inventory(**_attributes(summary)),
        extra=tuple(attributes_of(last["room"]).items()),
    )


def _attributes(xml: Xml) -> dict[str, Any]:
    return read_attributes(format.ELEMENTS[tag_of(xml)], attributes_of(xml))


def _others(xml: Xml, known: frozenset[str]) -> tuple[str, ...]:
    """Child elements that this tool has no name for, as XML."""
    return tuple(as_text(child) for child in own(xml) if tag_of(child) not in known)


def as_text(xml: Xml) -> str:
    """An element as XML on its own."""
    return etree.tostring(xml, encoding="unicode", with_tail=False)


def read_data(xml: Xml) -> Data[str]:
    """A ``<data>`` element with all below it."""
    fields = _attributes(xml)
    below = list(own(xml))
    children = tuple([read_data(child) for child in below if tag_of(child) == "data"])
    value: str | Image[str] = "" if below else inner_text(xml)
    if fields["type"] == "image" and not children:
        fields["type"] = ""
        value = Image(picture=str(value) or None)
    return Data(value=value, children=children, **fields)


def read_object(xml: Xml) -> Any:
    """The value an element holds: a table, a tab, or anything that lies on a table."""
    tag = tag_of(xml)
    fields = _attributes(xml)
    children = [(tag_of(child), child) for child in own(xml)]
    if tag == "chat-tab":
        messages = tuple(
            ChatMessage[str](text=inner_text(child), **_attributes(child))
            for kind, child in children
            if kind == "chat"
        )
        return ChatTab(messages=messages, **fields)
    if tag == "game-table":
        objects = tuple(read_object(c) for kind, c in children if kind in format.ON_TABLE)
        return GameTable(objects=objects, other_children=_others(xml, format.ON_TABLE), **fields)
    element = format.ELEMENTS[tag]
    used: list[Xml] = []
    sheet = next((c for kind, c in children if kind == "data" and c.get("name") == tag), None)
    if sheet is not None:
        used.append(sheet)
    fields |= read_sheet(element, None if sheet is None else read_data(sheet))
    if element.value is Character:
        for kind, child in children:
            if kind == "chat-palette" and "palette" not in fields:
                used.append(child)
                fields["palette"] = ChatPalette(text=inner_text(child), **_attributes(child))
    if element.value is CardStack:
        fields["cards"] = _cards(children, used, fields)
    others = tuple(as_text(child) for _kind, child in children if child not in used)
    return element.value(other_children=others, **fields)


def _cards(
    children: list[tuple[str, Xml]], used: list[Xml], fields: dict[str, Any]
) -> tuple[TableCard[str], ...]:
    """Cards of a stack, top first: those in the first child called ``cardRoot`` (section 8)."""
    for kind, child in children:
        if kind == "node" and child.get("name") == "cardRoot":
            used.append(child)
            extra = tuple((n, text) for n, text in attributes_of(child).items() if n != "name")
            if extra:
                fields["entry_extra"] += (("cardRoot", extra),)
            # Cards are read once for as many as are written alike: a pile holds many copies.
            each = [(as_text(card), card) for card in own(child) if tag_of(card) == "card"]
            known = {text: read_object(card) for text, card in dict(each).items()}
            return tuple(known[text] for text, _card in each)
    return ()


Sheet = Data[str]


def _or_default(kind: ValueType, text: str, default: str) -> tuple[Any, ...]:
    try:
        return kind.read(text)
    except ValueError:
        return kind.read(default)


def read_attributes(element: Element, texts: Mapping[str, str]) -> dict[str, Any]:
    """Fields of a value from its attributes; unreadable ones count as absent."""
    fields = dict(element.absent)
    known, extra = element.known, []
    for name, text in texts.items():
        attribute = known.get(name)
        if attribute is None:
            extra.append((name, text))
        elif attribute.kind is TEXT:  # nearly always
            fields[attribute.fields[0]] = text
        else:
            values = _or_default(attribute.kind, text, attribute.default)
            fields.update(zip(attribute.fields, values, strict=True))
    fields["extra"] = tuple(extra)
    return fields


def _marks(data: Sheet, type_: str | None = "", slider: bool = False) -> Attributes:
    """What an entry says beyond its table row; ``None`` stands for a picture, always marked so."""
    pairs: list[tuple[str, str]] = []
    if type_ == "" and data.type:
        pairs.append(("type", data.type))
    if data.current and not slider:
        pairs.append(("currentValue", data.current))
    return (*pairs, *data.extra)


def picture_of(data: Sheet) -> str | None:
    """The picture an entry names, whether or not it is marked as one."""
    return (data.value.picture if isinstance(data.value, Image) else data.value) or None


class _Group:
    """Children of a group, taken one by one by the table rows that know them."""

    def __init__(self, data: Sheet | None) -> None:
        self.rest = list(data.children) if data else []

    def take(self, name: str) -> Sheet | None:
        """The first entry of this name that is not itself a group."""
        for index, data in enumerate(self.rest):
            if data.name == name and not data.children:
                return self.rest.pop(index)
        return None


def read_sheet(element: Element, sheet: Sheet | None) -> dict[str, Any]:
    """Fields of an object from its sheet; entries that no table row knows are kept as they are."""
    children = list(sheet.children) if sheet else []
    marks: list[tuple[str, Attributes]] = [("", _marks(sheet))] if sheet else []
    groups: dict[str, Sheet] = {}
    for child in list(children):
        if child.name in GROUPS and child.name not in groups:
            groups[child.name] = child
            children.remove(child)
            marks.append((child.name, _marks(child)))
    fields: dict[str, Any] = {"other_groups": tuple(children)}
    images = _Group(groups.get("image"))
    common = _Group(groups.get("common"))
    fields |= _read_pictures(element, images, marks)
    for entry in element.entries:
        fields |= _read_entry(entry, common, fields, marks)
    fields["other_images"] = tuple(images.rest)
    fields["other_common"] = tuple(common.rest)
    fields["detail"] = groups["detail"].children if "detail" in groups else ()
    fields["entry_extra"] = tuple((path, extra) for path, extra in marks if extra)
    return fields


def _read_pictures(
    element: Element, images: _Group, marks: list[tuple[str, Attributes]]
) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if element.value is DiceSymbol:
        faces = [data for data in images.rest if not data.children]
        images.rest = [data for data in images.rest if data.children]
        marks += [(f"image/{index}", _marks(data, None)) for index, data in enumerate(faces)]
        fields["faces"] = tuple(
            DiceFace(name=data.name, picture=picture_of(data)) for data in faces
        )
    for slot in element.slots:
        data = images.take(slot.name)
        if not slot.field:
            if data and (picture_of(data) or _marks(data, None)):
                images.rest.insert(0, data)
            continue
        fields[slot.field] = picture_of(data) if data else None
        if data:
            marks.append((f"image/{slot.name}", _marks(data, None)))
    return fields


def _read_entry(
    entry: CommonEntry,
    common: _Group,
    before: Mapping[str, Any],
    marks: list[tuple[str, Attributes]],
) -> dict[str, Any]:
    data = common.take(entry.name)
    if data is None:
        default = before[entry.same_as] if entry.same_as else entry.default
        texts = (default, entry.default)
    else:
        marks.append((f"common/{entry.name}", _marks(data, entry.type, bool(entry.current))))
        value = data.value if isinstance(data.value, str) else data.value.picture or ""
        texts = (value, data.current)
    fields = {}
    for name, text in zip((entry.value, entry.current), texts, strict=True):
        if name:
            blank = entry.kind is SHEET_NUMBER and entry.current and not text.strip()
            wanted = entry.default if blank else text
            (fields[name],) = _or_default(entry.kind, wanted, entry.default)
    return fields
