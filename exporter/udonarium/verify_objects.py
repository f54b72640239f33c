"""Checks of what lies on a table: sheets, places, cards, dice, terrain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from exporter.problems import Problem
from exporter.udonarium.checks import found
from exporter.udonarium.document import Document, Xml, attributes_of, inner_text, own, tag_of
from exporter.udonarium.format import ELEMENTS, GROUPS, NO_PICTURE, SHEET_NUMBER
from exporter.udonarium.look import (
    PLACED,
    attribute,
    child_named,
    data_below,
    data_children,
    first_named,
    group_of,
    label,
    number,
    quoted,
)
from exporter.udonarium.texts import json_boolean, loose_number

FAR_AWAY = 2000
"""Pixels beyond the table's edge at which an object counts as lost: 40 cells."""

Finds = Iterator[tuple[str, Xml, str]]
"""Check, the element to point at, and what was found."""


def check_objects(document: Document) -> Iterator[Problem]:
    """Every object of a document, in file order."""
    edges = _edges(document.root)
    for element in document.root.iter(*PLACED):
        for check, at, what in _check(element, edges):
            yield found(check, document.of(at), f"{label(element)}: {what}")


def _check(element: Xml, edges: tuple[float, float] | None) -> Finds:
    yield from _check_sheet(element)
    yield from _check_entries(element)
    yield from _check_place(element, edges)
    if attribute(element, "owner"):
        yield "UD-OWNER", element, f"owner is {quoted(attribute(element, 'owner'))}."
    special = _SPECIAL.get(tag_of(element))
    if special:
        yield from special(element)


# -- sheets ---------------------------------------------------------------------------------------


def _check_sheet(element: Xml) -> Finds:
    tag = tag_of(element)
    sheets = [c for c in data_children(element) if attribute(c, "name") == tag]
    if not sheets:
        others = data_children(element)
        if others:
            name = attribute(others[0], "name")
            yield "UD-GROUP-NAME", others[0], f"its data group is called {name!r}, not {tag!r}."
        else:
            yield "UD-GROUP-MISSING", element, "it has no data group."
        return
    if len(sheets) > 1:
        yield "UD-GROUP-TWICE", sheets[1], f"it has {len(sheets)} data groups {tag!r}."
    yield from _check_groups(sheets[0])
    for slot in ELEMENTS[tag].slots:
        yield from _check_shadow(child_named(sheets[0], "image"), slot.name)
    for entry in ELEMENTS[tag].entries:
        yield from _check_shadow(child_named(sheets[0], "common"), entry.name)


def _check_groups(sheet: Xml) -> Finds:
    shadowed = False
    order = []
    for name in GROUPS:
        groups = [c for c in data_children(sheet) if attribute(c, "name") == name]
        if not groups:
            yield "UD-GROUP-MISSING", sheet, f"the group {name!r} is missing."
            continue
        if len(groups) > 1:
            yield "UD-GROUP-TWICE", groups[1], f"the group {name!r} is there {len(groups)} times."
        order.append(list(own(sheet)).index(groups[0]))
        shadows = list(_check_shadow(sheet, name))
        shadowed = shadowed or bool(shadows)
        yield from shadows
    if order != sorted(order) and not shadowed:
        yield "UD-GROUP-ORDER", sheet, "its groups are not in the order image, common, detail."


def _check_shadow(group: Xml | None, name: str) -> Finds:
    meant, taken = child_named(group, name), first_named(group, name)
    if meant is not None and taken is not None and taken is not meant:
        above = taken.getparent()
        inside = attribute(above, "name") if above is not None else ""
        yield (
            "UD-NAME-SHADOWED",
            taken,
            f"an entry {name!r} in {inside!r} comes before the real one.",
        )


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
                yield "UD-FIELD-NUMBER", entry, f"{row.name} is {quoted(text)}."
    detail = group_of(element, "detail")
    if detail is None:
        return
    for section in data_children(detail):
        if len(section) == 0 and not inner_text(section) and not attribute(section, "type"):
            name = attribute(section, "name")
            yield "UD-GROUP-EMPTY", section, f"the section {name!r} of detail is empty."
    for entry in data_below(detail):
        if attribute(entry, "type") != "numberResource" or data_children(entry):
            continue
        name, current = attribute(entry, "name"), attribute(entry, "currentValue")
        if not _is_number(current) or not _is_number(inner_text(entry)):
            both = f"{quoted(current)} of {quoted(inner_text(entry))}"
            yield "UD-RESOURCE", entry, f"{name!r} is {both}."
        if name == "ICON" and tag_of(element) == "character":
            yield "UD-ICON", entry, "a numberResource is called ICON."


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
        yield "UD-LOCATION-HIDDEN", element, f"location.name is {quoted(location)}."
    elif tag == "character" and location not in ("table", "common", "graveyard"):
        yield "UD-LOCATION", element, f"location.name is {quoted(location)}."
    elif location == "table":
        far = _table_size(parent) if tag_of(parent) == "game-table" else edges
        places = zip(("location.x", "location.y"), far, strict=True)
        for name, edge in places:
            value = number(element, name)
            if value is not None and not -FAR_AWAY <= value <= edge + FAR_AWAY:
                yield "UD-FAR-AWAY", element, f"{name} is {value:g}, the table ends at {edge:g}."


# -- kinds of objects -----------------------------------------------------------------------------


def _check_card(card: Xml) -> Finds:
    state = number(card, "state")
    if state is not None and state not in (0, 1):
        yield "UD-CARD-STATE", card, f"state is {state:g}."
    images = group_of(card, "image")
    if images is None:
        return
    for side in ("front", "back"):
        entry = first_named(images, side)
        if entry is None or not inner_text(entry):
            yield "UD-CARD-SIDE", images if entry is None else entry, f"it has no {side}."


def _check_stack(stack: Xml) -> Finds:
    root = next((c for c in own(stack) if attribute(c, "name") == "cardRoot"), None)
    outside = [child for child in own(stack) if tag_of(child) == "card"]
    if outside:
        what = f"{len(outside)} of its cards stand beside the cardRoot."
        yield "UD-CARD-OUTSIDE", outside[0], what
    elif root is None:
        yield "UD-STACK-ROOT", stack, "it has no cardRoot."
    if root is None:
        return
    states = [attribute(card, "state", "0") for card in own(root) if tag_of(card) == "card"]
    down = sum(state.strip() == "1" for state in states)
    if 0 < down < len(states) and set(states) <= {"0", "1"}:
        yield "UD-STACK-STATE", stack, f"{down} of its {len(states)} cards lie face down."


def _check_terrain(terrain: Xml) -> Finds:
    mode = number(terrain, "mode", 3)
    if mode is not None and mode not in (1, 2, 3):
        yield "UD-TERRAIN-MODE", terrain, f"mode is {mode:g}."
    if "isLock" in attributes_of(terrain):
        yield "UD-LOCK-NAME", terrain, "it has isLock, which is for masks."
    elif terrain.getparent() is not None and not _true(terrain, "isLocked"):
        yield "UD-TERRAIN-UNLOCKED", terrain, "it is not locked."


def _true(element: Xml, name: str) -> bool:
    """Whether a boolean attribute holds; one in a wrong form is another check's matter."""
    try:
        return json_boolean(attribute(element, name, "false"))
    except ValueError:
        return True


def _check_mask(mask: Xml) -> Finds:
    if "isLocked" in attributes_of(mask):
        yield "UD-LOCK-NAME", mask, "it has isLocked, which is for terrain."
    common = group_of(mask, "common")
    if common is None:
        return
    entry = first_named(common, "opacity")
    if entry is None:
        yield "UD-OPACITY", common, "it has no opacity."
    else:
        texts = attribute(entry, "currentValue"), inner_text(entry)
        if not all(_is_number(text) for text in texts) or loose_number(texts[1]) == 0:
            yield "UD-OPACITY", entry, f"opacity is {quoted(texts[0])} of {quoted(texts[1])}."


def _check_dice(dice: Xml) -> Finds:
    images = group_of(dice, "image")
    if images is None:
        return
    faces = [attribute(face, "name") for face in data_children(images)]
    extra = child_named(images, NO_PICTURE)
    if extra is not None:
        yield "UD-DICE-EXTRA", extra, "its image group holds an imageIdentifier."
    if not faces:
        yield "UD-DICE-NO-FACES", images, "its image group is empty."
        return
    twice = [face for face, count in Counter(faces).items() if count > 1]
    if twice:
        yield "UD-DICE-FACE-TWICE", images, f"several faces are called {quoted(min(twice))}."
    face = attribute(dice, "face", "0")
    if face not in faces:
        known = ", ".join(faces[:8])
        yield "UD-DICE-FACE", dice, f"face is {quoted(face)}; it has {known}."


_SPECIAL: dict[str, Callable[[Xml], Finds]] = {
    "card": _check_card,
    "card-stack": _check_stack,
    "terrain": _check_terrain,
    "table-mask": _check_mask,
    "dice-symbol": _check_dice,
}
