"""Checks of what lies on a table: sheets, places, cards, dice, terrain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from exporter.udonarium.document import Document, Xml, attributes_of, inner_text, own, tag_of
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
    group_of,
    number,
    short,
)
from exporter.udonarium.texts import json_boolean, loose_number

FAR_AWAY = 2000
"""Pixels beyond the table's edge at which an object counts as lost: 40 cells."""


def check_objects(document: Document) -> Finds:
    """Every object of a document, in file order."""
    edges = _edges(document.root)
    for element in document.root.iter(*PLACED):
        yield from _check(element, edges)


def _check(element: Xml, edges: tuple[float, float] | None) -> Finds:
    yield from _check_sheet(element)
    yield from _check_entries(element)
    yield from _check_place(element, edges)
    if attribute(element, "owner"):
        yield find("UD-OWNER", element, "owner is {owner!r}.", owner=attribute(element, "owner"))
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
            sentence = "its data group is called {name!r}, not {tag!r}."
            yield find("UD-GROUP-NAME", others[0], sentence, name=name, tag=tag)
        else:
            yield find("UD-GROUP-MISSING", element, "it has no data group.")
        return
    if len(sheets) > 1:
        sentence = "it has {count} data groups {tag!r}."
        yield find("UD-GROUP-TWICE", sheets[1], sentence, count=len(sheets), tag=tag)
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
            yield find("UD-GROUP-MISSING", sheet, "the group {name!r} is missing.", name=name)
            continue
        if len(groups) > 1:
            sentence = "the group {name!r} is there {count} times."
            yield find("UD-GROUP-TWICE", groups[1][1], sentence, name=name, count=len(groups))
        order.append(groups[0][0])
        shadows = list(_check_shadow(sheet, name))
        shadowed = shadowed or bool(shadows)
        yield from shadows
    if order != sorted(order) and not shadowed:
        sentence = "its groups are not in the order image, common, detail."
        yield find("UD-GROUP-ORDER", sheet, sentence)


def _check_shadow(group: Xml | None, name: str) -> Finds:
    meant, taken = child_named(group, name), first_named(group, name)
    if meant is not None and taken is not None and taken is not meant:
        above = taken.getparent()
        inside = attribute(above, "name") if above is not None else ""
        sentence = "an entry {name!r} in {inside!r} comes before the real one."
        yield find("UD-NAME-SHADOWED", taken, sentence, name=name, inside=inside)


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
                sentence = "{name} is {text!r}."
                yield find("UD-FIELD-NUMBER", entry, sentence, name=row.name, text=text)
    detail = group_of(element, "detail")
    if detail is None:
        return
    for section in data_children(detail):
        if len(section) == 0 and not inner_text(section) and not attribute(section, "type"):
            name = attribute(section, "name")
            sentence = "the section {name!r} of detail is empty."
            yield find("UD-GROUP-EMPTY", section, sentence, name=name)
    for entry in data_below(detail):
        if attribute(entry, "type") != "numberResource" or data_children(entry):
            continue
        name, current = attribute(entry, "name"), attribute(entry, "currentValue")
        if not _is_number(current) or not _is_number(inner_text(entry)):
            sentence, most = "{name!r} is {current!r} of {most!r}.", inner_text(entry)
            yield find("UD-RESOURCE", entry, sentence, name=name, current=current, most=most)
        if name == "ICON" and tag_of(element) == "character" and not _is_of_a_fork(entry):
            yield find("UD-ICON", entry, "a numberResource is called ICON.")


def _is_of_a_fork(icon: Xml) -> bool:
    """Whether it stands where Lily itself puts it."""
    section = icon.getparent()
    return section is not None and attribute(section, "name") == FORK_PICTURE_SECTION


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
        yield find("UD-LOCATION-HIDDEN", element, "location.name is {place!r}.", place=location)
    elif tag == "character" and location not in ("table", "common", "graveyard"):
        yield find("UD-LOCATION", element, "location.name is {place!r}.", place=location)
    elif location == "table":
        far = _table_size(parent) if tag_of(parent) == "game-table" else edges
        places = zip(("location.x", "location.y"), far, strict=True)
        for name, edge in places:
            value = number(element, name)
            if value is not None and not -FAR_AWAY <= value <= edge + FAR_AWAY:
                sentence = "{name} is {value}, the table ends at {edge}."
                pixels = {"value": f"{value:g}", "edge": f"{edge:g}"}
                yield find("UD-FAR-AWAY", element, sentence, name=name, **pixels)


# -- kinds of objects -----------------------------------------------------------------------------


def _check_card(card: Xml) -> Finds:
    state = number(card, "state")
    if state is not None and state not in (0, 1):
        yield find("UD-CARD-STATE", card, "state is {state}.", state=f"{state:g}")
    images = group_of(card, "image")
    if images is None:
        return
    for side in ("front", "back"):
        entry = first_named(images, side)
        if entry is None or not inner_text(entry):
            at = images if entry is None else entry
            yield find("UD-CARD-SIDE", at, "it has no {side}.", side=side)


def _check_stack(stack: Xml) -> Finds:
    root = next((c for c in own(stack) if attribute(c, "name") == "cardRoot"), None)
    outside = [child for child in own(stack) if tag_of(child) == "card"]
    if outside:
        sentence = "{count} of its cards stand beside the cardRoot."
        yield find("UD-CARD-OUTSIDE", outside[0], sentence, count=len(outside), object=stack)
    elif root is None:
        yield find("UD-STACK-ROOT", stack, "it has no cardRoot.")
    if root is None:
        return
    states = [attribute(card, "state", "0") for card in own(root) if tag_of(card) == "card"]
    down = sum(state.strip() == "1" for state in states)
    if 0 < down < len(states) and set(states) <= {"0", "1"}:
        sentence = "{down} of its {count} cards lie face down."
        yield find("UD-STACK-STATE", stack, sentence, down=down, count=len(states))


def _check_terrain(terrain: Xml) -> Finds:
    mode = number(terrain, "mode", 3)
    if mode is not None and mode not in (1, 2, 3):
        yield find("UD-TERRAIN-MODE", terrain, "mode is {mode}.", mode=f"{mode:g}")
    if "isLock" in attributes_of(terrain):
        yield find("UD-LOCK-NAME", terrain, "it has isLock, which is for masks.")
    elif terrain.getparent() is not None and not _true(terrain, "isLocked"):
        yield find("UD-TERRAIN-UNLOCKED", terrain, "it is not locked.")


def _true(element: Xml, name: str) -> bool:
    """Whether a boolean attribute holds; one in a wrong form is another check's matter."""
    try:
        return json_boolean(attribute(element, name, "false"))
    except ValueError:
        return True


def _check_mask(mask: Xml) -> Finds:
    if "isLocked" in attributes_of(mask):
        yield find("UD-LOCK-NAME", mask, "it has isLocked, which is for terrain.")
    common = group_of(mask, "common")
    if common is None:
        return
    entry = first_named(common, "opacity")
    if entry is None:
        yield find("UD-OPACITY", common, "it has no opacity.")
    else:
        current, most = attribute(entry, "currentValue"), inner_text(entry)
        if not (_is_number(current) and _is_number(most)) or loose_number(most) == 0:
            sentence = "opacity is {current!r} of {most!r}."
            yield find("UD-OPACITY", entry, sentence, current=current, most=most)


def _check_dice(dice: Xml) -> Finds:
    images = group_of(dice, "image")
    if images is None:
        return
    faces = [attribute(face, "name") for face in data_children(images)]
    extra = child_named(images, NO_PICTURE)
    if extra is not None:
        yield find("UD-DICE-EXTRA", extra, "its image group holds an imageIdentifier.")
    if not faces:
        yield find("UD-DICE-NO-FACES", images, "its image group is empty.")
        return
    twice = [face for face, count in Counter(faces).items() if count > 1]
    if twice:
        sentence = "several faces are called {name!r}."
        yield find("UD-DICE-FACE-TWICE", images, sentence, name=min(twice))
    face = attribute(dice, "face", "0")
    if face not in faces:
        known = ", ".join(map(short, faces[:8]))
        yield find(
            "UD-DICE-FACE", dice, "face is {face!r}; it has {known}.", face=face, known=known
        )


_SPECIAL: dict[str, Callable[[Xml], Finds]] = {
    "card": _check_card,
    "card-stack": _check_stack,
    "terrain": _check_terrain,
    "table-mask": _check_mask,
    "dice-symbol": _check_dice,
}
