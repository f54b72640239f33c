"""Checks of a room's tables and what lies on them, of chat, palettes and the inventory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from exporter.udonarium.client_text import (
    loose_number,
)
from exporter.udonarium.document import (
    Xml,
    XmlDocument,
    attributes_of,
    inner_text,
    own,
    tag_of,
)
from exporter.udonarium.format import (
    ELEMENTS,
    FORK_PICTURE_SECTION,
    GROUPS,
    NO_PICTURE,
    SHEET_NUMBER,
)
from exporter.udonarium.look import (
    PLACED,
    Finds,
    attribute,
    child_named,
    data_below,
    data_children,
    find,
    first_named,
    flag,
    group_of,
    number,
    sheet_of,
    short,
)

FAR_AWAY = 2000
"""Pixels beyond the table's edge at which an object counts as lost: 40 cells."""


def check_objects(document: XmlDocument) -> Finds:
    """Every object of a document, in file order."""
    edges = _edges(document.root)
    for element in document.root.iter(*PLACED):
        yield from _check_sheet(element)
        yield from _check_entries(element)
        yield from _check_place(element, edges)
        if owner := attribute(element, "owner"):
            yield find("UD-OWNER", element, "owner", owner=owner)
        if special := _SPECIAL.get(tag_of(element)):
            yield from special(element)


# -- sheets ---------------------------------------------------------------------------------------


def _check_sheet(element: Xml) -> Finds:
    tag = tag_of(element)
    sheets = [c for c in data_children(element) if attribute(c, "name") == tag]
    if not sheets:
        others = data_children(element)
        if others:
            name = attribute(others[0], "name")
            yield find("UD-GROUP-NAME", others[0], "data-group-called", name=name, tag=tag)
        else:
            yield find("UD-GROUP-MISSING", element, "no-data-group")
        return
    if len(sheets) > 1:
        yield find("UD-GROUP-TWICE", sheets[1], "data-groups", count=len(sheets), tag=tag)
    yield from _check_groups(sheets[0])
    for slot in ELEMENTS[tag].slots:
        yield from _check_shadow(child_named(sheets[0], "image"), slot.name)
    for entry in ELEMENTS[tag].entries:
        yield from _check_shadow(child_named(sheets[0], "common"), entry.name)


def _check_groups(sheet: Xml) -> Finds:
    shadowed = False
    order = []
    named: dict[str, list[tuple[int, Xml]]] = {name: [] for name in GROUPS}
    for index, child in enumerate(data_children(sheet)):
        if attribute(child, "name") in named:
            named[attribute(child, "name")].append((index, child))
    for name, groups in named.items():
        if not groups:
            yield find("UD-GROUP-MISSING", sheet, "group-missing", name=name)
            continue
        if len(groups) > 1:
            yield find("UD-GROUP-TWICE", groups[1][1], "group-times", name=name, count=len(groups))
        order.append(groups[0][0])
        shadows = list(_check_shadow(sheet, name))
        shadowed = shadowed or bool(shadows)
        yield from shadows
    if order != sorted(order) and not shadowed:
        yield find("UD-GROUP-ORDER", sheet, "groups-not-order")


def _check_shadow(group: Xml | None, name: str) -> Finds:
    meant, taken = child_named(group, name), first_named(group, name)
    if meant is not None and taken is not None and taken is not meant:
        above = taken.getparent()
        inside = attribute(above, "name") if above is not None else ""
        yield find("UD-NAME-SHADOWED", taken, "entry-comes-before", name=name, inside=inside)


def _is_number(text: str) -> bool:
    try:
        loose_number(text)
    except ValueError:
        return False
    return bool(text.strip())


def _check_entries(element: Xml) -> Finds:
    common = group_of(element, "common")
    for row in ELEMENTS[tag_of(element)].entries:
        entry = first_named(common, row.name)
        if row.kind is SHEET_NUMBER and not row.current and entry is not None:
            text = inner_text(entry)
            if not _is_number(text):
                yield find("UD-FIELD-NUMBER", entry, "is", name=row.name, text=text)
    detail = group_of(element, "detail")
    if detail is not None:
        yield from _check_detail(detail, is_character=tag_of(element) == "character")


def _check_detail(detail: Xml, *, is_character: bool) -> Finds:
    for section in data_children(detail):
        if len(section) == 0 and not inner_text(section) and not attribute(section, "type"):
            name = attribute(section, "name")
            yield find("UD-GROUP-EMPTY", section, "section-detail-empty", name=name)
    for entry in data_below(detail):
        if attribute(entry, "type") != "numberResource" or data_children(entry):
            continue
        name, current = attribute(entry, "name"), attribute(entry, "currentValue")
        if not _is_number(current) or not _is_number(inner_text(entry)):
            yield find(
                "UD-RESOURCE", entry, "is-of", name=name, current=current, most=inner_text(entry)
            )
        above = entry.getparent()
        # Where Lily itself puts it, it does no harm.
        in_fork = above is not None and attribute(above, "name") == FORK_PICTURE_SECTION
        if name == "ICON" and is_character and not in_fork:
            yield find("UD-ICON", entry, "numberresource-called-icon")


# -- places ---------------------------------------------------------------------------------------


def _edges(root: Xml) -> tuple[float, float] | None:
    """Pixels from the origin to the far edges of the largest table; ``None`` without tables."""
    tables = list(root.iter("game-table"))
    if tag_of(root) in PLACED or not tables:
        return None
    sizes = [_table_size(table) for table in tables]
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
        yield find("UD-LOCATION-HIDDEN", element, "location-name", place=location)
    elif tag == "character" and location not in ("table", "common", "graveyard"):
        yield find("UD-LOCATION", element, "location-name", place=location)
    elif location == "table":
        far = _table_size(parent) if tag_of(parent) == "game-table" else edges
        places = zip(("location.x", "location.y"), far, strict=True)
        for name, edge in places:
            value = number(element, name)
            if value is not None and not -FAR_AWAY <= value <= edge + FAR_AWAY:
                pixels = {"value": f"{value:g}", "edge": f"{edge:g}"}
                yield find("UD-FAR-AWAY", element, "table-ends", name=name, **pixels)


# -- kinds of objects -----------------------------------------------------------------------------


def _check_card(card: Xml) -> Finds:
    state = number(card, "state")
    if state is not None and state not in (0, 1):
        yield find("UD-CARD-STATE", card, "state", state=f"{state:g}")
    images = group_of(card, "image")
    if images is None:
        return
    for side in ("front", "back"):
        entry = first_named(images, side)
        if entry is None or not inner_text(entry):
            at = images if entry is None else entry
            yield find("UD-CARD-SIDE", at, "no", side=side)


def _check_stack(stack: Xml) -> Finds:
    root = next((c for c in own(stack) if attribute(c, "name") == "cardRoot"), None)
    outside = [child for child in own(stack) if tag_of(child) == "card"]
    if outside:
        yield find(
            "UD-CARD-OUTSIDE", outside[0], "cards-stand-beside", count=len(outside), object=stack
        )
    elif root is None:
        yield find("UD-STACK-ROOT", stack, "no-cardroot")
    if root is None:
        return
    states = [attribute(card, "state", "0") for card in own(root) if tag_of(card) == "card"]
    down = sum(state.strip() == "1" for state in states)
    if 0 < down < len(states) and set(states) <= {"0", "1"}:
        yield find("UD-STACK-STATE", stack, "cards-lie-face", down=down, count=len(states))


def _check_terrain(terrain: Xml) -> Finds:
    mode = number(terrain, "mode", 3)
    if mode is not None and mode not in (1, 2, 3):
        yield find("UD-TERRAIN-MODE", terrain, "mode", mode=f"{mode:g}")
    if "isLock" in attributes_of(terrain):
        yield find("UD-LOCK-NAME", terrain, "islock-masks")
    elif terrain.getparent() is not None and not flag(terrain, "isLocked"):
        yield find("UD-TERRAIN-UNLOCKED", terrain, "not-locked")


def _check_mask(mask: Xml) -> Finds:
    if "isLocked" in attributes_of(mask):
        yield find("UD-LOCK-NAME", mask, "islocked-terrain")
    common = group_of(mask, "common")
    if common is None:
        return
    entry = first_named(common, "opacity")
    if entry is None:
        yield find("UD-OPACITY", common, "no-opacity")
    else:
        current, most = attribute(entry, "currentValue"), inner_text(entry)
        if not (_is_number(current) and _is_number(most)) or loose_number(most) == 0:
            yield find("UD-OPACITY", entry, "opacity", current=current, most=most)


def _check_dice(dice: Xml) -> Finds:
    images = group_of(dice, "image")
    if images is None:
        return
    faces = [attribute(face, "name") for face in data_children(images)]
    extra = child_named(images, NO_PICTURE)
    if extra is not None:
        yield find("UD-DICE-EXTRA", extra, "image-group-holds")
    if not faces:
        yield find("UD-DICE-NO-FACES", images, "image-group-empty")
        return
    twice = [face for face, count in Counter(faces).items() if count > 1]
    if twice:
        yield find("UD-DICE-FACE-TWICE", images, "several-faces-called", name=min(twice))
    face = attribute(dice, "face", "0")
    if face not in faces:
        known = ", ".join(map(short, faces[:8]))
        yield find("UD-DICE-FACE", dice, "face", face=face, known=known)


_SPECIAL: dict[str, Callable[[Xml], Finds]] = {
    "card": _check_card,
    "card-stack": _check_stack,
    "terrain": _check_terrain,
    "table-mask": _check_mask,
    "dice-symbol": _check_dice,
}


_VARIABLE = re.compile(r"^\s*[/／]{2}([^=＝{}｛｝\s]+)\s*[=＝]\s*(.+)\s*")


_VARIABLE_WITH_SPACE = re.compile(r"^\s*[/／]{2}\s+[^=＝{}｛｝\s]+[=＝]")


_REFERENCE = re.compile("[{｛]([^{}｛｝]+)[}｝]")


_HALF_WIDTH = {code: code - 0xFEE0 for code in range(ord("！"), ord("～") + 1)}


def check_room(document: XmlDocument) -> Finds:
    """Tables, tabs, palettes and columns of a document."""
    root = document.root
    if tag_of(root) == "room":
        yield from _check_tables(root)
    for tag, check in (
        ("game-table", _check_table),
        ("character", _check_palettes),
        ("chat-tab", _check_tab),
    ):
        for element in root.iter(tag):
            yield from check(element)
    if tag_of(root) == "chat-tab-list" and "chat-tab" not in map(tag_of, own(root)):
        yield find("UD-CHAT-NO-TAB", root, "no-chat-tab")
    order = attribute(root, "sortOrder", "ASC")
    if tag_of(root) == "summary-setting" and order not in ("ASC", "DESC"):
        yield find("UD-SUMMARY-ORDER", root, "sortorder", order=order)


def _check_tables(room: Xml) -> Finds:
    tables = [child for child in own(room) if tag_of(child) == "game-table"]
    if not tables:
        yield find("UD-TABLE-NONE", room, "no-game-table")
        return
    selected = [table for table in tables if flag(table, "selected")]
    if not selected:
        yield find("UD-TABLE-UNSELECTED", tables[0], "no-table-selected")
    elif len(selected) > 1:
        yield find("UD-TABLE-SELECTED-TWICE", selected[-1], "tables-selected", count=len(selected))


def _check_table(table: Xml) -> Finds:
    for side in ("width", "height"):
        cells = number(table, side, 20)
        if cells is not None and not 1 <= cells <= 100:
            yield find("UD-TABLE-SIZE", table, "is", side=side, cells=f"{cells:g}")
    grid = number(table, "gridType")
    if grid is not None and grid not in (-1, 0, 1, 2):
        yield find("UD-GRID-TYPE", table, "gridtype", type=f"{grid:g}")
    size = number(table, "gridSize", 50)
    if size is not None and size != 50:
        yield find("UD-GRID-SIZE", table, "gridsize", size=f"{size:g}")
    color = attribute(table, "gridColor", "#000000e6")
    if not re.fullmatch("#[0-9a-fA-F]{8}", color):
        yield find("UD-GRID-COLOR", table, "gridcolor", color=color)
    veil = attribute(table, "backgroundFilterType")
    if veil not in ("", "white", "black"):
        yield find("UD-FILTER", table, "backgroundfiltertype", veil=veil)


def _check_palettes(character: Xml) -> Finds:
    palettes = [child for child in own(character) if tag_of(child) == "chat-palette"]
    if len(palettes) > 1:
        yield find("UD-PALETTE-TWICE", palettes[1], "chat-palettes", count=len(palettes))
    if not palettes:
        return
    palette = palettes[0]
    text = inner_text(palette)
    if text.endswith("\n"):
        yield find("UD-PALETTE-END", palette, "palette-ends-line")
    lines = text.split("\n")
    sheet = sheet_of(character)
    names = {_narrow(match[1]) for line in lines if (match := _VARIABLE.match(line))}
    # Names in the sheet give a text where their first entry is no group.
    first: dict[str, Xml] = {}
    for entry in data_below(sheet) if sheet is not None else ():
        first.setdefault(_narrow(attribute(entry, "name")), entry)
    names |= {name for name, entry in first.items() if not data_children(entry)}
    # The client drops spaces before a name, and keeps those after it.
    named = dict.fromkeys(match[1].lstrip() or " " for match in _REFERENCE.finditer(text))
    for name in named if sheet is not None else ():
        if _narrow(name) not in names:
            yield find("UD-PALETTE-NAME", palette, "palette-names", name=name)
    for line in lines:
        if _VARIABLE_WITH_SPACE.match(line):
            yield find("UD-PALETTE-SPACE", palette, "palette-line", line=line)


def _narrow(text: str) -> str:
    return text.translate(_HALF_WIDTH)


def _check_tab(tab: Xml) -> Finds:
    latest = float("-inf")
    for message in own(tab):
        if tag_of(message) != "chat":
            continue
        stamp = attribute(message, "timestamp")
        try:
            time = loose_number(stamp) if stamp.strip() else None
        except ValueError:
            time = None
        if time is None:
            yield find("UD-CHAT-TIME", message, "timestamp", stamp=stamp)
        elif time < latest:
            yield find("UD-CHAT-ORDER", message, "older-message-before")
        latest = latest if time is None else max(latest, time)
        if attribute(message, "to"):
            yield find("UD-CHAT-PRIVATE", message, "addressed-one-user")
