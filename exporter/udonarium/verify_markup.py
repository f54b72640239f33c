"""Checks of any element: tags in their places, attributes in their form, texts as they are read."""

from __future__ import annotations

from collections.abc import Iterator

from exporter.problems import Problem
from exporter.udonarium.checks import found
from exporter.udonarium.document import (
    LEAVES,
    Document,
    Xml,
    attributes_of,
    inner_text,
    is_leaf,
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
    Kind,
)
from exporter.udonarium.look import PLACED, attribute, group_of, label, quoted
from exporter.udonarium.texts import (
    JSON_NUMBER,
    decodes_by_chance,
    is_json,
    json_boolean,
    json_number,
)


def check_characters(document: Document) -> Iterator[Problem]:
    """Characters that the client removes; the first place of each."""
    if document.encoding_faults:
        yield found("UD-XML-ENCODING", document.where, "Some of its bytes are not UTF-8.")
    seen = {"\ufffd"} if document.encoding_faults else set()
    for character, where in document.dropped_characters():
        if character not in seen:
            seen.add(character)
            yield found("UD-TEXT-CONTROL", where, f"There is U+{ord(character):04X} here.")


def check_markup(document: Document) -> Iterator[Problem]:
    """Walk everything the client would read, and stop where it skips."""
    for element, kinds in document.literal:
        for kind in kinds:
            check = "UD-LEAF-CDATA" if kind == "cdata" else "UD-LEAF-COMMENT"
            what = f"In {label(element)} a text has {kind} in it."
            yield found(check, document.of(element), what)
    waiting = [document.root]
    literal = {element for element, _kinds in document.literal}
    while waiting:
        element = waiting.pop()
        yield from _check_attributes(document, element)
        if tag_of(element) in LEAVES and is_leaf(element):
            if element not in literal:
                yield from _check_blank(document, element)
        elif not is_leaf(element):
            yield from _check_mixed(document, element)
        for child in own(element):
            problems = list(_check_place(document, element, child))
            yield from problems
            if not problems or problems[0].rule == "UD-TERRAIN-OUTSIDE":
                waiting.append(child)


def _check_place(document: Document, parent: Xml, child: Xml) -> Iterator[Problem]:
    tag, inside = tag_of(child), tag_of(parent)
    in_stack = tag == "card" and inside == "card-stack"  # The stack itself reports those.
    if tag in CHILDREN.get(inside, frozenset()) or in_stack:
        return
    where = document.of(child)
    what = f"{label(child)} stands in {label(parent)}."
    if tag in FORK_TAGS:
        yield found("UD-FORK", where, f"There is <{tag}> in {label(parent)}.")
    elif tag in SINGLETONS:
        yield found("UD-SINGLETON", where, f"There is <{tag}> in {label(parent)}.")
    elif tag not in KNOWN_TAGS:
        yield found("UD-TAG-UNKNOWN", where, f"There is <{tag}> in {label(parent)}.")
    elif tag in ON_TABLE:
        yield found("UD-TERRAIN-OUTSIDE", where, what)
    elif tag == "chat-palette":
        yield found("UD-PALETTE-PLACE", where, f"A chat-palette stands in <{inside}>.")
    else:
        yield found("UD-TAG-PLACE", where, what)


def _check_attributes(document: Document, element: Xml) -> Iterator[Problem]:
    where = document.of(element)
    known = {row.name: row for row in getattr(ELEMENTS.get(tag_of(element)), "attributes", ())}
    for name, text in element.attrib.items():
        name, text = str(name), str(text)
        if decodes_by_chance(text):
            what = f"{label(element)}: {name} is {quoted(text)} and shown as something else."
            yield found("UD-ENTITY-TWICE", where, what)
        if set(text) & set("\n\t\r"):
            what = f"{label(element)}: {name} has a line break or tab in it."
            yield found("UD-ATTRIBUTE-BREAK", where, what)
    tag = document.start_tags.get(element)
    for name, raw in tag.attributes if tag else ():
        if set(raw) & set("\n\t\r"):
            what = f"{label(element)}: {name} has a raw line break or tab in it."
            yield found("UD-ATTRIBUTE-NEWLINE", where, what)
    for name, text in attributes_of(element).items():
        check = _wrong_form(known[name].kind, text) if name in known else _fork_form(name, text)
        if check:
            yield found(check, where, f"{label(element)}: {name} is {quoted(text)}.")


def _wrong_form(kind: Kind, text: str) -> str:
    """The check that an attribute's text fails; empty when it is as it should be."""
    word = text.strip(" \t\n\r")
    if not kind.parsed:
        return ""
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


def _fork_form(name: str, text: str) -> str:
    if name in FORK_BOOLEANS | FORK_NUMBERS and not is_json(text):
        return "UD-FORK-VALUE"
    return ""


def _check_mixed(document: Document, element: Xml) -> Iterator[Problem]:
    texts = [element.text or "", *(child.tail or "" for child in element)]
    text = "".join(texts).strip()
    if text:
        what = f"In {label(element)} the text {quoted(text)} stands beside elements."
        yield found("UD-LEAF-MIXED", document.of(element), what)


def _check_blank(document: Document, element: Xml) -> Iterator[Problem]:
    text = inner_text(element)
    if not text or text.strip() or _blank_is_reported_elsewhere(element):
        return
    name = attribute(element, "name") or tag_of(element)
    what = f"{label(element)}: the text of {name!r} is {quoted(text)}."
    yield found("UD-TEXT-BLANK", document.of(element), what)


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
