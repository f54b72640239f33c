"""Checks of a document: any element, objects with their sheets, tables, palettes and chat."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from exporter.core import first_by
from exporter.core.problems import Problem
from exporter.model.tabletop import UNIT
from exporter.udonarium.document import (
    LEAVES,
    PLACED,
    Xml,
    XmlDocument,
    attribute,
    attributes_of,
    child_named,
    data_below,
    data_children,
    element_children,
    first_named,
    flag,
    group_of,
    inner_text,
    number,
    short,
    tag_of,
)
from exporter.udonarium.format import (
    CHILDREN,
    DROPPED,
    ELEMENTS,
    FORK_BOOLEANS,
    FORK_NUMBERS,
    FORK_PICTURE_SECTION,
    FORK_TAGS,
    GROUPS,
    JSON_NUMBER,
    KNOWN_TAGS,
    NO_PICTURE,
    ON_TABLE,
    SHEET_NUMBER,
    SINGLETONS,
    ValueType,
    decoded,
    decodes_by_chance,
    is_json,
    is_number,
    loose_number,
)
from exporter.udonarium.verify_checks import Finding, Finds, finding, zip_problem

# Pixels beyond the table's edge at which an object counts as lost: 40 cells.
FAR_AWAY = 2000

_NONE: frozenset[str] = frozenset()
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
_FORK_VALUES = FORK_BOOLEANS | FORK_NUMBERS


def check_characters(document: XmlDocument) -> Iterator[Problem]:
    """Yield characters that the client removes; the first place of each."""
    if document.encoding_faults:
        yield zip_problem("UD-XML-ENCODING", document.where, "some-bytes-not")
    seen = {"\ufffd"} if document.encoding_faults else set()
    for dropped in DROPPED.finditer(document.text):
        if dropped[0] not in seen:
            seen.add(dropped[0])
            where = document.at(dropped.start())
            yield zip_problem("UD-TEXT-CONTROL", where, "u", ord=ord(dropped[0]))


# -- any element ----------------------------------------------------------------------------------


def check_markup(document: XmlDocument) -> Finds:
    """Walk everything the client would read, and stop where it skips."""
    yield from _check_source(document)
    literal = {element for element, _kinds in document.literal}
    forks: dict[str, list[Xml]] = {}
    waiting = [(document.root, tag_of(document.root))]
    while waiting:
        element, tag = waiting.pop()
        yield from _check_attributes(element, tag)
        children = list(element_children(element)) if len(element) else ()
        if children:
            yield from _check_mixed(element, children)
        elif tag in LEAVES and element not in literal:
            yield from _check_blank(element)
        inside = []
        for child in children:
            below = tag_of(child)
            # Of a card that lies in a stack, the stack itself tells.
            is_known = below in CHILDREN.get(tag, _NONE) or (below, tag) == ("card", "card-stack")
            if not is_known and below in FORK_TAGS:
                forks.setdefault(below, []).append(child)
            elif not is_known:
                yield _misplaced(element, child, below)
            if is_known or (below in ON_TABLE and below not in FORK_TAGS):
                inside.append((child, below))
        waiting += reversed(inside)
    # Of the forks each tag is reported once: a save has the same of each character.
    for tag, (first, *others) in forks.items():
        parent, key = first.getparent(), "tags" if others else "tag"
        assert parent is not None  # the root is looked at elsewhere
        yield finding("UD-FORK", first, key, tag=tag, object=parent, more=len(others))


def _check_source(document: XmlDocument) -> Finds:
    """Yield what the client's parser takes otherwise than it looks."""
    for element, kinds in document.literal:
        for kind in kinds:
            check = "UD-LEAF-CDATA" if kind == "cdata" else "UD-LEAF-COMMENT"
            yield finding(check, element, "literal")
    for element, name in document.broken_attributes():
        yield finding("UD-ATTRIBUTE-NEWLINE", element, "raw-line-break", name=name)


def _misplaced(parent: Xml, child: Xml, tag: str) -> Finding:
    if tag in SINGLETONS:
        return finding("UD-SINGLETON", child, "there-is-in", tag=tag, object=parent)
    if tag not in KNOWN_TAGS:
        return finding("UD-TAG-UNKNOWN", child, "there-is-in", tag=tag, object=parent)
    if tag == "chat-palette":
        return finding("UD-PALETTE-PLACE", child, "chat-palette-stands", object=parent)
    check = "UD-TERRAIN-OUTSIDE" if tag in ON_TABLE else "UD-TAG-PLACE"
    return finding(check, child, "misplaced", parent=parent)


def _check_attributes(element: Xml, tag: str) -> Finds:
    known = ELEMENTS[tag].known if tag in ELEMENTS else {}
    for name, text in cast("list[tuple[str, str]]", element.items()):
        if "&" in text and decodes_by_chance(text):
            yield finding("UD-ENTITY-TWICE", element, "shown-something-else", name=name, text=text)
        if "\n" in text or "\t" in text or "\r" in text:
            yield finding("UD-ATTRIBUTE-BREAK", element, "line-break-or", name=name)
        check = ""
        if name in known:
            check = _wrong_form(known[name].kind, decoded(text))
        elif name in _FORK_VALUES and not is_json(decoded(text)):
            check = "UD-FORK-VALUE"
        if check:
            yield finding(check, element, "attribute", name=name, text=decoded(text))


def _wrong_form(kind: ValueType, text: str) -> str:
    """Return the check that an attribute's text fails; empty when it is as it should be."""
    if not kind.parsed or (kind.parsed == "number" and _PLAIN_NUMBER.fullmatch(text)):
        return ""
    word = text.strip(" \t\n\r")
    if word == "null":
        return "UD-NULL"
    if kind.parsed == "boolean":
        is_right = word in ("true", "false")
    else:
        is_right = bool(JSON_NUMBER.fullmatch(word)) and math.isfinite(float(word))
    if is_right:
        return ""
    if is_json(word):
        return "UD-VALUE-KIND"
    return "UD-NUMBER" if kind.parsed == "number" else "UD-BOOLEAN"


def _check_mixed(element: Xml, children: Sequence[Xml]) -> Finds:
    nodes = children if len(children) == len(element) else element  # with comments
    texts = (element.text, *(node.tail for node in nodes))
    text = next((text.strip() for text in texts if text and not text.isspace()), "")
    if text:
        yield finding("UD-LEAF-MIXED", element, "text-stands-beside", text=text)


def _check_blank(element: Xml) -> Finds:
    """Find a text that is blank; pictures, sliders and sizes have checks of their own, and
    groups are allowed to be indented."""
    text = inner_text(element)
    if not text.isspace() or attribute(element, "type") in ("image", "numberResource"):
        return
    above = list(element.iterancestors())[:3]
    if any(tag_of(each) in PLACED for each in above[:2]):
        return
    if len(above) == 3 and above[0] is group_of(above[2], "common"):
        rows = ELEMENTS[tag_of(above[2])].entries
        if any(row.name == element.get("name") and row.kind is SHEET_NUMBER for row in rows):
            return
    name = attribute(element, "name") or tag_of(element)
    yield finding("UD-TEXT-BLANK", element, "text", name=name, text=text)


# -- objects and their sheets ---------------------------------------------------------------------


def check_objects(document: XmlDocument) -> Finds:
    """Yield what is wrong with the objects of a document, in file order."""
    edges = _edges(document.root)
    for element in document.root.iter(*PLACED):
        yield from _check_sheet(element)
        yield from _check_entries(element)
        yield from _check_place(element, edges)
        if owner := attribute(element, "owner"):
            yield finding("UD-OWNER", element, "owner", owner=owner)


def _check_sheet(element: Xml) -> Finds:
    tag, entries = tag_of(element), data_children(element)
    sheets = [entry for entry in entries if attribute(entry, "name") == tag]
    if not sheets and entries:
        name = attribute(entries[0], "name")
        yield finding("UD-GROUP-NAME", entries[0], "data-group-called", name=name, tag=tag)
    elif not sheets:
        yield finding("UD-GROUP-MISSING", element, "no-data-group")
    else:
        if len(sheets) > 1:
            yield finding("UD-GROUP-TWICE", sheets[1], "data-groups", count=len(sheets), tag=tag)
        yield from _check_groups(sheets[0])
        for slot in ELEMENTS[tag].slots:
            yield from _check_shadow(child_named(sheets[0], "image"), slot)
        for entry in ELEMENTS[tag].entries:
            yield from _check_shadow(child_named(sheets[0], "common"), entry.name)


def _check_groups(sheet: Xml) -> Finds:
    children = data_children(sheet)
    order: list[int] = []
    shadowed = False
    for name in GROUPS:
        groups = [child for child in children if attribute(child, "name") == name]
        if not groups:
            yield finding("UD-GROUP-MISSING", sheet, "group-missing", name=name)
            continue
        if len(groups) > 1:
            yield finding("UD-GROUP-TWICE", groups[1], "group-times", name=name, count=len(groups))
        order.append(children.index(groups[0]))
        shadows = list(_check_shadow(sheet, name))
        shadowed = shadowed or bool(shadows)
        yield from shadows
    if order != sorted(order) and not shadowed:
        yield finding("UD-GROUP-ORDER", sheet, "groups-not-order")


def _check_shadow(group: Xml | None, name: str) -> Finds:
    child, first = child_named(group, name), first_named(group, name)
    if child is not None and first is not None and first is not child:
        above = first.getparent()
        inside = attribute(above, "name") if above is not None else ""
        yield finding("UD-NAME-SHADOWED", first, "entry-comes-before", name=name, inside=inside)


def _check_entries(element: Xml) -> Finds:
    common, detail = group_of(element, "common"), group_of(element, "detail")
    for row in ELEMENTS[tag_of(element)].entries:
        entry = first_named(common, row.name)
        if row.kind is SHEET_NUMBER and not row.current and entry is not None:
            text = inner_text(entry)
            if not is_number(text) or (row.name == "size" and loose_number(text) <= 0):
                yield finding("UD-FIELD-NUMBER", entry, "is", name=row.name, text=text)
    for section in data_children(detail) if detail is not None else ():
        if len(section) == 0 and not inner_text(section) and not attribute(section, "type"):
            name = attribute(section, "name")
            yield finding("UD-GROUP-EMPTY", section, "section-detail-empty", name=name)
    for entry in data_below(detail) if detail is not None else ():
        if attribute(entry, "type") != "numberResource" or data_children(entry):
            continue
        name, current = attribute(entry, "name"), attribute(entry, "currentValue")
        most = inner_text(entry)
        if not is_number(current) or not is_number(most):
            yield finding("UD-RESOURCE", entry, "is-of", name=name, current=current, most=most)
        above = entry.getparent()
        # Where Lily itself puts it, it does no harm.
        in_fork = above is not None and attribute(above, "name") == FORK_PICTURE_SECTION
        if name == "ICON" and tag_of(element) == "character" and not in_fork:
            yield finding("UD-ICON", entry, "numberresource-called-icon")


# -- places ---------------------------------------------------------------------------------------


def _edges(root: Xml) -> tuple[float, float] | None:
    """Return the width and height of the largest table in pixels; ``None`` without tables."""
    sizes = [_table_size(table) for table in root.iter("game-table")]
    if tag_of(root) in PLACED or not sizes:
        return None
    return max(width for width, _ in sizes), max(height for _, height in sizes)


def _table_size(table: Xml) -> tuple[float, float]:
    grid = number(table, "gridSize", 50) or 0
    return (number(table, "width", 20) or 0) * grid, (number(table, "height", 20) or 0) * grid


def _check_place(element: Xml, edges: tuple[float, float] | None) -> Finds:
    parent = element.getparent()
    if edges is None or parent is None or tag_of(parent) == "node":
        return
    tag = tag_of(element)
    location = attribute(element, "location.name", "table")
    if tag in ("card", "card-stack") and location != "table":
        yield finding("UD-LOCATION-HIDDEN", element, "location-name", place=location)
    elif tag == "character" and location not in ("table", "common", "graveyard"):
        yield finding("UD-LOCATION", element, "location-name", place=location)
    elif location == "table":
        far = _table_size(parent) if tag_of(parent) == "game-table" else edges
        for name, edge in zip(("location.x", "location.y"), far, strict=True):
            value = number(element, name)
            if value is not None and not -FAR_AWAY <= value <= edge + FAR_AWAY:
                yield finding(
                    "UD-FAR-AWAY",
                    element,
                    "table-ends",
                    name=name,
                    value=f"{value:g}",
                    edge=f"{edge:g}",
                )
        height = number(element, "posZ")
        if height is not None and not -UNIT <= height <= FAR_AWAY:
            yield finding("UD-FAR-AWAY", element, "out-of-sight", height=f"{height:g}")


# -- kinds of objects -----------------------------------------------------------------------------


def _check_card(card: Xml) -> Finds:
    state, images = number(card, "state"), group_of(card, "image")
    if state is not None and state not in (0, 1):
        yield finding("UD-CARD-STATE", card, "state", state=f"{state:g}")
    for side in ("front", "back") if images is not None else ():
        entry = first_named(images, side)
        if entry is None or not inner_text(entry):
            at = images if entry is None else entry
            assert at is not None
            yield finding("UD-CARD-SIDE", at, "no", side=side)


def _check_stack(stack: Xml) -> Finds:
    roots = [child for child in element_children(stack) if attribute(child, "name") == "cardRoot"]
    inside = [card for root in roots[:1] for card in root.iterfind("card")]
    outside = [card for card in stack.iter("card") if card.getparent() not in roots[:1]]
    if not roots and stack.find("card") is None:
        yield finding("UD-STACK-ROOT", stack, "no-cardroot")
    elif outside:
        first, count = outside[0], len(outside)
        yield finding("UD-CARD-OUTSIDE", first, "cards-stand-beside", count=count, object=stack)
    states = [attribute(card, "state", "0") for card in inside]
    down = sum(state.strip() == "1" for state in states)
    if 0 < down < len(states) and set(states) <= {"0", "1"}:
        yield finding("UD-STACK-STATE", stack, "cards-lie-face", down=down, count=len(states))


def _check_terrain(terrain: Xml) -> Finds:
    mode = number(terrain, "mode", 3)
    if mode is not None and mode not in (1, 2, 3):
        yield finding("UD-TERRAIN-MODE", terrain, "mode", mode=f"{mode:g}")
    if "isLock" in attributes_of(terrain):
        yield finding("UD-LOCK-NAME", terrain, "islock-masks")
    elif terrain.getparent() is not None and not flag(terrain, "isLocked"):
        yield finding("UD-TERRAIN-UNLOCKED", terrain, "not-locked")


def _check_mask(mask: Xml) -> Finds:
    if "isLocked" in attributes_of(mask):
        yield finding("UD-LOCK-NAME", mask, "islocked-terrain")
    common = group_of(mask, "common")
    entry = first_named(common, "opacity")
    if entry is not None:
        current, most = attribute(entry, "currentValue"), inner_text(entry)
        if not (is_number(current) and is_number(most)) or loose_number(most) == 0:
            yield finding("UD-OPACITY", entry, "opacity", current=current, most=most)
    elif common is not None:
        yield finding("UD-OPACITY", common, "no-opacity")


def _check_dice(dice: Xml) -> Finds:
    images = group_of(dice, "image")
    if images is None:
        return
    extra = child_named(images, NO_PICTURE)
    if extra is not None:
        yield finding("UD-DICE-EXTRA", extra, "image-group-holds")
    faces = [attribute(face, "name") for face in data_children(images)]
    if not faces:
        yield finding("UD-DICE-NO-FACES", images, "image-group-empty")
        return
    if twice := [face for face, count in Counter(faces).items() if count > 1]:
        yield finding("UD-DICE-FACE-TWICE", images, "several-faces-called", name=min(twice))
    face = attribute(dice, "face", "0")
    if face not in faces:
        yield finding(
            "UD-DICE-FACE", dice, "face", face=face, known=", ".join(map(short, faces[:8]))
        )


# -- tables, palettes, chat, inventory ------------------------------------------------------------


def check_room(document: XmlDocument) -> Finds:
    """Yield what is wrong with tables, objects of each kind, palettes, tabs and columns."""
    root, tag = document.root, tag_of(document.root)
    if tag == "room":
        yield from _check_tables(root)
    for element in root.iter(*_CHECKS):
        yield from _CHECKS[tag_of(element)](element)
    if tag == "chat-tab-list" and root.find("chat-tab") is None:
        yield finding("UD-CHAT-NO-TAB", root, "no-chat-tab")
    order = attribute(root, "sortOrder", "ASC")
    if tag == "summary-setting" and order not in ("ASC", "DESC"):
        yield finding("UD-SUMMARY-ORDER", root, "sortorder", order=order)


def _check_tables(room: Xml) -> Finds:
    tables = room.findall("game-table")
    selected = [table for table in tables if flag(table, "selected")]
    if not tables:
        yield finding("UD-TABLE-NONE", room, "no-game-table")
    elif not selected:
        yield finding("UD-TABLE-UNSELECTED", tables[0], "no-table-selected")
    elif len(selected) > 1:
        yield finding(
            "UD-TABLE-SELECTED-TWICE", selected[-1], "tables-selected", count=len(selected)
        )


def _check_table(table: Xml) -> Finds:
    for side in ("width", "height"):
        cells = number(table, side, 20)
        if cells is not None and not 1 <= cells <= 200:
            yield finding("UD-TABLE-SIZE", table, "is", side=side, cells=f"{cells:g}")
    grid, size = number(table, "gridType"), number(table, "gridSize", 50)
    if grid is not None and grid not in (-1, 0, 1, 2):
        yield finding("UD-GRID-TYPE", table, "gridtype", type=f"{grid:g}")
    if size is not None and size != 50:
        yield finding("UD-GRID-SIZE", table, "gridsize", size=f"{size:g}")
    color = attribute(table, "gridColor", "#000000e6")
    if not re.fullmatch("#[0-9a-fA-F]{8}", color):
        yield finding("UD-GRID-COLOR", table, "gridcolor", color=color)
    veil = attribute(table, "backgroundFilterType")
    if veil not in ("", "white", "black"):
        yield finding("UD-FILTER", table, "backgroundfiltertype", veil=veil)


_VARIABLE = re.compile(r"^\s*[/／]{2}([^=＝{}｛｝\s]+)\s*[=＝]\s*(.+)\s*")
_VARIABLE_WITH_SPACE = re.compile(r"^\s*[/／]{2}\s+[^=＝{}｛｝\s]+[=＝]")
_REFERENCE = re.compile("[{｛]([^{}｛｝]+)[}｝]")
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(ord("！"), ord("～") + 1)}


def _check_palettes(character: Xml) -> Finds:
    palettes = character.findall("chat-palette")
    if not palettes:
        return
    if len(palettes) > 1:
        yield finding("UD-PALETTE-TWICE", palettes[1], "chat-palettes", count=len(palettes))
    palette, text = palettes[0], inner_text(palettes[0])
    if text.endswith("\n"):
        yield finding("UD-PALETTE-END", palette, "palette-ends-line")
    lines = text.split("\n")
    sheet = child_named(character, "character")
    if sheet is not None:
        names = {_narrow(match[1]) for line in lines if (match := _VARIABLE.match(line))}
        # Names in the sheet give a text where their first entry is no group.
        first = first_by(data_below(sheet), lambda entry: _narrow(attribute(entry, "name")))
        names |= {name for name, entry in first.items() if not data_children(entry)}
        # The client drops spaces before a name, and keeps those after it.
        for name in dict.fromkeys(m[1].lstrip() or " " for m in _REFERENCE.finditer(text)):
            if _narrow(name) not in names:
                yield finding("UD-PALETTE-NAME", palette, "palette-names", name=name)
    for line in filter(_VARIABLE_WITH_SPACE.match, lines):
        yield finding("UD-PALETTE-SPACE", palette, "palette-line", line=line)


def _narrow(text: str) -> str:
    return text.translate(_HALF_WIDTH)


def _check_tab(tab: Xml) -> Finds:
    latest = float("-inf")
    for message in tab.iterfind("chat"):
        stamp = attribute(message, "timestamp")
        if not is_number(stamp):
            yield finding("UD-CHAT-TIME", message, "timestamp", stamp=stamp)
        else:
            time = loose_number(stamp)
            if time < latest:
                yield finding("UD-CHAT-ORDER", message, "older-message-before")
            latest = max(latest, time)
        if attribute(message, "to"):
            yield finding("UD-CHAT-PRIVATE", message, "addressed-one-user")


_CHECKS: Mapping[str, Callable[[Xml], Finds]] = {
    "card": _check_card,
    "card-stack": _check_stack,
    "terrain": _check_terrain,
    "table-mask": _check_mask,
    "dice-symbol": _check_dice,
    "game-table": _check_table,
    "character": _check_palettes,
    "chat-tab": _check_tab,
}
