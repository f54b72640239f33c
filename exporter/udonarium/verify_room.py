"""Checks of tables, chat, palettes and the inventory."""

from __future__ import annotations

import re
from itertools import chain

from exporter.udonarium.client_text import (
    json_boolean,
    loose_number,
)
from exporter.udonarium.document import (
    Xml,
    XmlDocument,
    inner_text,
    own,
    tag_of,
)
from exporter.udonarium.look import (
    Finds,
    attribute,
    data_below,
    data_children,
    find,
    number,
    sheet_of,
)

_VARIABLE = re.compile(r"^\s*[/／]{2}([^=＝{}｛｝\s]+)\s*[=＝]\s*(.+)\s*")
_VARIABLE_WITH_SPACE = re.compile(r"^\s*[/／]{2}\s+[^=＝{}｛｝\s]+[=＝]")
_REFERENCE = re.compile("[{｛]([^{}｛｝]+)[}｝]")
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(ord("！"), ord("～") + 1)}


def check_room(document: XmlDocument) -> Finds:
    """Tables, tabs, palettes and columns of a document."""
    root = document.root
    finds = [_check_tables(root)] if tag_of(root) == "room" else []
    finds += [_check_table(table) for table in root.iter("game-table")]
    finds += [_check_palettes(character) for character in root.iter("character")]
    finds += [_check_tab(tab) for tab in root.iter("chat-tab")]
    if tag_of(root) == "chat-tab-list":
        finds.append(_check_tabs(root))
    if tag_of(root) == "summary-setting":
        finds.append(_check_summary(root))
    yield from chain.from_iterable(finds)


def _check_tables(room: Xml) -> Finds:
    tables = [child for child in own(room) if tag_of(child) == "game-table"]
    if not tables:
        yield find("UD-TABLE-NONE", room, "no-game-table")
        return
    selected = [table for table in tables if _selected(table)]
    if not selected:
        yield find("UD-TABLE-UNSELECTED", tables[0], "no-table-selected")
    elif len(selected) > 1:
        yield find("UD-TABLE-SELECTED-TWICE", selected[-1], "tables-selected", count=len(selected))


def _selected(table: Xml) -> bool:
    try:
        return json_boolean(attribute(table, "selected", "false"))
    except ValueError:
        return True


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


# -- palettes -------------------------------------------------------------------------------------


def _check_palettes(character: Xml) -> Finds:
    palettes = [child for child in own(character) if tag_of(child) == "chat-palette"]
    if len(palettes) > 1:
        yield find("UD-PALETTE-TWICE", palettes[1], "chat-palettes", count=len(palettes))
    for palette in palettes[:1]:
        yield from _check_palette(palette, character)


def _check_palette(palette: Xml, character: Xml) -> Finds:
    text = inner_text(palette)
    if text.endswith("\n"):
        yield find("UD-PALETTE-END", palette, "palette-ends-line")
    lines = text.split("\n")
    sheet = sheet_of(character)
    if sheet is not None:
        yield from _check_names(palette, text, lines, sheet)
    for line in lines:
        if _VARIABLE_WITH_SPACE.match(line):
            yield find("UD-PALETTE-SPACE", palette, "palette-line", line=line)


def _check_names(palette: Xml, text: str, lines: list[str], sheet: Xml) -> Finds:
    names = {_narrow(match[1]) for line in lines if (match := _VARIABLE.match(line))}
    names |= _sheet_names(sheet)
    # The client drops spaces before a name, and keeps those after it.
    named = dict.fromkeys(match[1].lstrip() or " " for match in _REFERENCE.finditer(text))
    for name in named:
        if _narrow(name) not in names:
            yield find("UD-PALETTE-NAME", palette, "palette-names", name=name)


def _narrow(text: str) -> str:
    return text.translate(_HALF_WIDTH)


def _sheet_names(sheet: Xml) -> set[str]:
    """Names that give a text: those whose first entry is no group."""
    first: dict[str, Xml] = {}
    for entry in data_below(sheet):
        first.setdefault(_narrow(attribute(entry, "name")), entry)
    return {name for name, entry in first.items() if not data_children(entry)}


# -- chat and inventory ---------------------------------------------------------------------------


def _check_tabs(tabs: Xml) -> Finds:
    if not any(tag_of(child) == "chat-tab" for child in own(tabs)):
        yield find("UD-CHAT-NO-TAB", tabs, "no-chat-tab")


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


def _check_summary(summary: Xml) -> Finds:
    order = attribute(summary, "sortOrder", "ASC")
    if order not in ("ASC", "DESC"):
        yield find("UD-SUMMARY-ORDER", summary, "sortorder", order=order)
