"""Values → XML elements, along the tables of ``format``.

Built with lxml, which also makes them safe: a room is thousands of entries alike, and to load,
compile and fill templates took three times as long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lxml import etree

from exporter.tabletop import CardStack, Character, ChatTab, Data, GameTable, Inventory, Room
from exporter.udonarium.document import Xml
from exporter.udonarium.format import BY_TYPE
from exporter.udonarium.mapping import written_attributes, written_sheet
from exporter.udonarium.texts import twice_decodable

_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, strip_cdata=False)
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def as_document(element: Xml) -> str:
    """An element as a file of its own."""
    return f"{_DECLARATION}{etree.tostring(element, encoding='unicode')}\n"


def element_of(value: Any) -> Xml:
    """The element of a room, of settings, or of anything that lies on a table."""
    if isinstance(value, Inventory):
        return _leaf(_element(value), "")
    return _with_children(_element(value), [*_parts(value), *_others(value)])


def chat_tabs(tabs: Iterable[ChatTab[str]]) -> Xml:
    """The element of all tabs of a chat."""
    return _with_children(etree.Element("chat-tab-list"), map(element_of, tabs))


def _element(value: Any, more: Iterable[tuple[str, str]] = ()) -> Xml:
    return _made(BY_TYPE[type(value)].tag, [*written_attributes(value), *more])


def _made(tag: str, attributes: Iterable[tuple[str, str]]) -> Xml:
    """The one place where text is made safe for being decoded twice: that of attributes is."""
    return etree.Element(tag, {name: twice_decodable(text) for name, text in attributes})


def _with_children(element: Xml, children: Iterable[Xml]) -> Xml:
    """Each child on lines of its own."""
    element.text = "\n"
    for child in children:
        child.tail = "\n"
        element.append(child)
    return element


def _leaf(element: Xml, text: str) -> Xml:
    """A leaf's text is exact: nothing may stand beside it in its element."""
    element.text = text
    return element


def _parts(value: Any) -> Iterator[Xml]:
    if isinstance(value, Room):
        yield from map(element_of, (*value.tables, *value.pieces))
    elif isinstance(value, GameTable):
        yield from map(element_of, value.objects)
    elif isinstance(value, ChatTab):
        yield from (_leaf(_element(message), message.text) for message in value.messages)
    elif BY_TYPE[type(value)].placed:
        yield _entry(written_sheet(value))
    if isinstance(value, Character) and value.palette is not None:
        yield _leaf(_element(value.palette), value.palette.text)
    if isinstance(value, CardStack):
        extra = dict(value.entry_extra).get("cardRoot", ())
        root = _made("node", [("name", "cardRoot"), *extra])
        yield _with_children(root, map(element_of, value.cards))


def _others(value: Any) -> Iterator[Xml]:
    """What other programs wrote."""
    texts: Sequence[str] = getattr(value, "other_children", ())
    return (etree.fromstring(text, _PARSER) for text in texts)


def _entry(data: Data[str]) -> Xml:
    """An entry of a sheet, with those below it."""
    if data.children:
        return _with_children(_element(data), map(_entry, data.children))
    if isinstance(data.value, str):
        return _leaf(_element(data), data.value)
    return _leaf(_element(data, [("type", "image")]), data.value.picture or "")
