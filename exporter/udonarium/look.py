"""How the client looks things up in a room's XML, for the checks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from exporter.udonarium.document import Xml, inner_text, is_leaf, own, tag_of
from exporter.udonarium.format import ELEMENTS
from exporter.udonarium.texts import decoded, json_number

PLACED = frozenset(tag for tag, element in ELEMENTS.items() if element.placed)


def attribute(xml: Xml, name: str, default: str = "") -> str:
    """An attribute as the client holds it."""
    text = xml.get(name)
    return default if text is None else decoded(text)


def number(xml: Xml, name: str, default: float = 0) -> float | None:
    """A number attribute; ``None`` when it is not one, which another check reports."""
    try:
        return json_number(attribute(xml, name, str(default)))
    except ValueError:
        return None


def data_children(xml: Xml) -> list[Xml]:
    return [child for child in own(xml) if tag_of(child) == "data"]


def data_below(xml: Xml) -> Iterator[Xml]:
    """All entries below, in the order in which look-ups by name meet them."""
    for child in data_children(xml):
        yield child
        yield from data_below(child)


def first_named(xml: Xml | None, name: str) -> Xml | None:
    """The entry the client finds: depth first, the first of this name."""
    if xml is None:
        return None
    return next((data for data in data_below(xml) if attribute(data, "name") == name), None)


@lru_cache(maxsize=1024)
def child_named(xml: Xml | None, name: str) -> Xml | None:
    """The entry that is meant: a direct child of this name.

    All siblings ask their owner for the same ones, and a parsed document does not change.
    """
    if xml is None:
        return None
    return next((data for data in data_children(xml) if attribute(data, "name") == name), None)


def sheet_of(xml: Xml) -> Xml | None:
    """An object's root group."""
    return child_named(xml, tag_of(xml))


def group_of(xml: Xml, name: str) -> Xml | None:
    return child_named(sheet_of(xml), name)


def owner_of(xml: Xml) -> Xml | None:
    """The nearest thing on the table that an element belongs to, itself included."""
    found: Xml | None = xml
    while found is not None and tag_of(found) not in PLACED:
        found = found.getparent()
    return found


def label(xml: Xml) -> str:
    """How a message calls the object that an element belongs to: ``card '勇者'``."""
    owner = owner_of(xml)
    if owner is None:
        name = attribute(xml, "name")
        return f"{tag_of(xml)} {name!r}" if name else tag_of(xml)
    common = group_of(owner, "common")
    for key in ("name", "title"):
        entry = child_named(common, key)
        if entry is not None and is_leaf(entry) and inner_text(entry):
            return f"{tag_of(owner)} {inner_text(entry)!r}"
    return tag_of(owner)


def quoted(text: str) -> str:
    """A text from a file, cut to what fits a message."""
    return repr(text if len(text) <= 40 else text[:39] + "…")
