"""Checks of any element: tags in their places, attributes in their form, texts as they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from exporter.core.problems import Problem
from exporter.udonarium.client_text import (
    JSON_NUMBER,
    decoded,
    decodes_by_chance,
    is_json,
    json_boolean,
    json_number,
)
from exporter.udonarium.document import (
    LEAVES,
    Xml,
    XmlDocument,
    inner_text,
    own,
    tag_of,
)
from exporter.udonarium.format import (
    CHILDREN,
    ELEMENTS,
    FORK_BOOLEANS,
    FORK_NUMBERS,
    FORK_TAGS,
    KNOWN_TAGS,
    ON_TABLE,
    SHEET_NUMBER,
    SINGLETONS,
    ValueType,
)
from exporter.udonarium.look import (
    PLACED,
    Find,
    Finds,
    attribute,
    find,
    group_of,
)
from exporter.udonarium.verify_checks import found

_NONE: frozenset[str] = frozenset()
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
_FORK_VALUES = FORK_BOOLEANS | FORK_NUMBERS


def check_characters(document: XmlDocument) -> Iterator[Problem]:
    """Characters that the client removes; the first place of each."""
    if document.encoding_faults:
        yield found("UD-XML-ENCODING", document.where, "some-bytes-not")
    seen = {"\ufffd"} if document.encoding_faults else set()
    for character, where in document.dropped_characters(seen):
        yield found("UD-TEXT-CONTROL", where, "u", ord=ord(character))


def check_markup(document: XmlDocument) -> Finds:
    """Walk everything the client would read, and stop where it skips."""
    yield from _check_literal(document)
    for element, name in document.broken_attributes():
        yield find("UD-ATTRIBUTE-NEWLINE", element, "raw-line-break", name=name)
    literal = {element for element, _kinds in document.literal}
    forks: dict[str, list[Xml]] = {}
    waiting = [(document.root, tag_of(document.root))]
    while waiting:
        element, tag = waiting.pop()
        yield from _check_attributes(element, tag)
        children = list(own(element)) if len(element) else ()
        if children:
            yield from _check_mixed(element, children)
        elif tag in LEAVES and element not in literal:
            yield from _check_blank(element)
        inside = []
        for child in children:
            below = tag_of(child)
            is_known = _is_known(below, tag)
            if not is_known and below in FORK_TAGS:
                forks.setdefault(below, []).append(child)
            elif not is_known:
                yield _misplaced(element, child, below)
            if is_known or (below in ON_TABLE and below not in FORK_TAGS):
                inside.append((child, below))
        waiting += reversed(inside)
    yield from _told_once(forks)


def _check_literal(document: XmlDocument) -> Finds:
    for element, kinds in document.literal:
        for kind in kinds:
            check = "UD-LEAF-CDATA" if kind == "cdata" else "UD-LEAF-COMMENT"
            yield find(check, element, "literal", kind=kind)


def _told_once(forks: Mapping[str, list[Xml]]) -> Finds:
    """Elements of the forks: a save has the same of each character."""
    for tag, elements in forks.items():
        parent = elements[0].getparent()
        assert parent is not None  # the root is looked at elsewhere
        more, key = len(elements) - 1, "tags" if elements[1:] else "tag"
        yield find("UD-FORK", elements[0], key, tag=tag, object=parent, more=more)


def _is_known(tag: str, parent: str) -> bool:
    """Whether such an element belongs there; of a card in a stack the stack itself tells."""
    return tag in CHILDREN.get(parent, _NONE) or (tag, parent) == ("card", "card-stack")


def _misplaced(parent: Xml, child: Xml, tag: str) -> Find:
    if tag in SINGLETONS:
        return find("UD-SINGLETON", child, "there-is-in", tag=tag, object=parent)
    if tag not in KNOWN_TAGS:
        return find("UD-TAG-UNKNOWN", child, "there-is-in", tag=tag, object=parent)
    if tag == "chat-palette":
        return find("UD-PALETTE-PLACE", child, "chat-palette-stands", object=parent)
    check = "UD-TERRAIN-OUTSIDE" if tag in ON_TABLE else "UD-TAG-PLACE"
    return find(check, child, "misplaced", parent=parent)


def _check_attributes(element: Xml, tag: str) -> Finds:
    known = ELEMENTS[tag].known if tag in ELEMENTS else {}
    for name, text in cast("list[tuple[str, str]]", element.items()):
        if "&" in text and decodes_by_chance(text):
            yield find("UD-ENTITY-TWICE", element, "shown-something-else", name=name, text=text)
        if "\n" in text or "\t" in text or "\r" in text:
            yield find("UD-ATTRIBUTE-BREAK", element, "line-break-or", name=name)
        if name in known:
            check = _wrong_form(known[name].kind, decoded(text))
        elif name in _FORK_VALUES and not is_json(decoded(text)):
            check = "UD-FORK-VALUE"
        else:
            continue
        if check:
            yield find(check, element, "attribute", name=name, text=decoded(text))


def _wrong_form(kind: ValueType, text: str) -> str:
    """The check that an attribute's text fails; empty when it is as it should be."""
    if not kind.parsed or (kind.parsed == "number" and _PLAIN_NUMBER.fullmatch(text)):
        return ""
    word = text.strip(" \t\n\r")
    if word == "null":
        return "UD-NULL"
    try:
        if kind.parsed == "number":
            json_number(word)
        else:
            json_boolean(word)
            if JSON_NUMBER.fullmatch(word):
                return "UD-VALUE-KIND"
    except ValueError:
        if is_json(word):
            return "UD-VALUE-KIND"
        return "UD-NUMBER" if kind.parsed == "number" else "UD-BOOLEAN"
    return ""


def _check_mixed(element: Xml, children: Sequence[Xml]) -> Finds:
    nodes = children if len(children) == len(element) else element  # with comments
    texts = (element.text, *(node.tail for node in nodes))
    text = next((text.strip() for text in texts if text and not text.isspace()), "")
    if text:
        yield find("UD-LEAF-MIXED", element, "text-stands-beside", text=text)


def _check_blank(element: Xml) -> Finds:
    text, name = inner_text(element), attribute(element, "name") or tag_of(element)
    if text.isspace() and not _blank_is_reported_elsewhere(element):
        yield find("UD-TEXT-BLANK", element, "text", name=name, text=text)


def _blank_is_reported_elsewhere(element: Xml) -> bool:
    """Pictures, sliders and sizes have checks of their own; groups are allowed to be indented."""
    if attribute(element, "type") in ("image", "numberResource"):
        return True
    parent = element.getparent()
    above = parent.getparent() if parent is not None else None
    for holder in (parent, above):
        if holder is not None and tag_of(holder) in PLACED:
            return True
    if above is None or parent is None or above.getparent() is None:
        return False
    owner = above.getparent()
    if owner is None or parent is not group_of(owner, "common"):
        return False
    entries = ELEMENTS[tag_of(owner)].entries
    return any(e.name == element.get("name") and e.kind is SHEET_NUMBER for e in entries)
