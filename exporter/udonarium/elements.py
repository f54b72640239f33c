"""Values → XML elements, along the tables of ``format``.

Built with lxml, which also makes them safe: a room is thousands of entries alike, and to load,
compile and fill templates took three times as long.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lxml import etree

from exporter.tabletop import CardStack, Character, ChatTab, Data, GameTable, Inventory, Room
from exporter.udonarium.client_text import twice_decodable
from exporter.udonarium.document import Xml
from exporter.udonarium.format import BY_TYPE
from exporter.udonarium.mapping import written_attributes, written_sheet

_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, strip_cdata=False)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def as_document(element: Xml) -> str:
    """An element as a file of its own."""
    return f"{_DECLARATION}{etree.tostring(element, encoding='unicode')}\n"


def element_of(value: Any) -> Xml:
    """The element of a room, of settings, or of anything that lies on a table."""
    element = etree.Element(BY_TYPE[type(value)].tag, _safe(written_attributes(value)))
    _fill(element, value)
    return element


def chat_tabs(tabs: Iterable[ChatTab[str]]) -> Xml:
    """The element of all tabs of a chat."""
    element = etree.Element("chat-tab-list")
    element.text = "\n"
    for tab in tabs:
        _fill(_added(element, tab), tab)
    return element


def _safe(attributes: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The one place where text is made safe for being decoded twice: that of attributes is."""
    return {name: twice_decodable(text) for name, text in attributes}


def _added(parent: Xml, value: Any, more: Iterable[tuple[str, str]] = ()) -> Xml:
    """A new element, its children on lines of their own."""
    attributes = [*written_attributes(value), *more]
    return _under(parent, BY_TYPE[type(value)].tag, attributes)


def _under(parent: Xml, tag: str, attributes: Iterable[tuple[str, str]]) -> Xml:
    element = etree.SubElement(parent, tag, _safe(attributes))
    element.text = element.tail = "\n"
    return element


def _fill(element: Xml, value: Any) -> None:
    """What is inside the element of a value."""
    element.text = "" if isinstance(value, Inventory) else "\n"
    if isinstance(value, Room):
        _fill_all(element, (*value.tables, *value.pieces))
    elif isinstance(value, GameTable):
        _fill_all(element, value.objects)
    elif isinstance(value, ChatTab):
        for message in value.messages:
            _added(element, message).text = message.text
    elif BY_TYPE[type(value)].placed:
        _add_entry(element, written_sheet(value))
    if isinstance(value, Character) and value.palette is not None:
        _added(element, value.palette).text = value.palette.text
    if isinstance(value, CardStack):
        extra = dict(value.entry_extra).get("cardRoot", ())
        _fill_all(_under(element, "node", [("name", "cardRoot"), *extra]), value.cards)
    for text in getattr(value, "other_children", ()):
        child = etree.fromstring(text, _PARSER)
        child.tail = "\n"
        element.append(child)


def _fill_all(parent: Xml, values: Iterable[Any]) -> None:
    for value in values:
        _fill(_added(parent, value), value)


def _add_entry(parent: Xml, data: Data[str]) -> None:
    """An entry of a sheet, with those below it. A leaf's text is exact."""
    if data.children:
        element = _added(parent, data)
        for child in data.children:
            _add_entry(element, child)
    elif isinstance(data.value, str):
        _added(parent, data).text = data.value
    else:
        _added(parent, data, [("type", "image")]).text = data.value.picture or ""
