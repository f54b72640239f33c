"""Attributes and sheets → fields of values, along the tables of ``format``; knows no XML.

A sheet is a ``Data`` tree: the group called like the object's tag, with image, common and detail.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.model.tabletop import (
    Attributes,
    Data,
    DiceFace,
    DiceSymbol,
    Image,
)
from exporter.udonarium.format import (
    GROUPS,
    SHEET_NUMBER,
    TEXT,
    CommonEntry,
    Element,
    ValueType,
)

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
    for field, text in zip((entry.value, entry.current), texts, strict=True):
        if field:
            blank = entry.kind is SHEET_NUMBER and entry.current and not text.strip()
            wanted = entry.default if blank else text
            (fields[field],) = _or_default(entry.kind, wanted, entry.default)
    return fields
