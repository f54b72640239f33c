"""Checks of tables, chat, palettes and the inventory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from exporter.problems import Problem
from exporter.udonarium.checks import found
from exporter.udonarium.document import Document, Xml, inner_text, own, tag_of
from exporter.udonarium.look import (
    attribute,
    data_below,
    data_children,
    label,
    number,
    quoted,
    sheet_of,
)
from exporter.udonarium.texts import json_boolean, loose_number

_VARIABLE = re.compile(r"^\s*[/／]{2}([^=＝{}｛｝\s]+)\s*[=＝]\s*(.+)\s*")
_VARIABLE_WITH_SPACE = re.compile(r"^\s*[/／]{2}\s+[^=＝{}｛｝\s]+[=＝]")
_REFERENCE = re.compile("[{｛]([^{}｛｝]+)[}｝]")
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(ord("！"), ord("～") + 1)}

Finds = Iterator[tuple[str, Xml, str]]


def check_room(document: Document) -> Iterator[Problem]:
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
    for group in finds:
        for check, at, what in group:
            yield found(check, document.of(at), f"{label(at)}: {what}")


def _check_tables(room: Xml) -> Finds:
    tables = [child for child in own(room) if tag_of(child) == "game-table"]
    if not tables:
        yield "UD-TABLE-NONE", room, "it has no game-table."
        return
    selected = [table for table in tables if _selected(table)]
    if not selected:
        yield "UD-TABLE-UNSELECTED", tables[0], "no table is selected."
    elif len(selected) > 1:
        yield "UD-TABLE-SELECTED-TWICE", selected[-1], f"{len(selected)} tables are selected."


def _selected(table: Xml) -> bool:
    try:
        return json_boolean(attribute(table, "selected", "false"))
    except ValueError:
        return True


def _check_table(table: Xml) -> Finds:
    for side in ("width", "height"):
        cells = number(table, side, 20)
        if cells is not None and not 1 <= cells <= 100:
            yield "UD-TABLE-SIZE", table, f"{side} is {cells:g}."
    grid = number(table, "gridType")
    if grid is not None and grid not in (-1, 0, 1, 2):
        yield "UD-GRID-TYPE", table, f"gridType is {grid:g}."
    size = number(table, "gridSize", 50)
    if size is not None and size != 50:
        yield "UD-GRID-SIZE", table, f"gridSize is {size:g}."
    color = attribute(table, "gridColor", "#000000e6")
    if not re.fullmatch("#[0-9a-fA-F]{8}", color):
        yield "UD-GRID-COLOR", table, f"gridColor is {quoted(color)}."
    veil = attribute(table, "backgroundFilterType")
    if veil not in ("", "white", "black"):
        yield "UD-FILTER", table, f"backgroundFilterType is {quoted(veil)}."


# -- palettes -------------------------------------------------------------------------------------


def _check_palettes(character: Xml) -> Finds:
    palettes = [child for child in own(character) if tag_of(child) == "chat-palette"]
    if len(palettes) > 1:
        yield "UD-PALETTE-TWICE", palettes[1], f"it has {len(palettes)} chat-palettes."
    for palette in palettes[:1]:
        yield from _check_palette(palette, character)


def _check_palette(palette: Xml, character: Xml) -> Finds:
    text = inner_text(palette)
    if text.endswith("\n"):
        yield "UD-PALETTE-END", palette, "its palette ends in a line break."
    lines = text.split("\n")
    sheet = sheet_of(character)
    if sheet is not None:
        yield from _check_names(palette, text, lines, sheet)
    for line in lines:
        if _VARIABLE_WITH_SPACE.match(line):
            yield "UD-PALETTE-SPACE", palette, f"its palette has the line {quoted(line)}."


def _check_names(palette: Xml, text: str, lines: list[str], sheet: Xml) -> Finds:
    names = {_narrow(match[1]) for line in lines if (match := _VARIABLE.match(line))}
    names |= _sheet_names(sheet)
    # The client drops spaces before a name, and keeps those after it.
    named = dict.fromkeys(match[1].lstrip() or " " for match in _REFERENCE.finditer(text))
    for name in named:
        if _narrow(name) not in names:
            yield "UD-PALETTE-NAME", palette, f"its palette names {quoted(name)}."


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
        yield "UD-CHAT-NO-TAB", tabs, "it has no chat-tab."


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
            yield "UD-CHAT-TIME", message, f"its timestamp is {quoted(stamp)}."
        elif time < latest:
            yield "UD-CHAT-ORDER", message, "it is older than the message before it."
        latest = latest if time is None else max(latest, time)
        if attribute(message, "to"):
            yield "UD-CHAT-PRIVATE", message, "it is addressed to one user."


def _check_summary(summary: Xml) -> Finds:
    order = attribute(summary, "sortOrder", "ASC")
    if order not in ("ASC", "DESC"):
        yield "UD-SUMMARY-ORDER", summary, f"sortOrder is {quoted(order)}."
