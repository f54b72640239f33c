"""How reading a game folder speaks: the ids of its checks, and texts short enough to show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from exporter.problems import quoted as quoted

FILE: Final = "SRC-FILE"
TEXT: Final = "SRC-TEXT"
YAML: Final = "SRC-YAML"
CSV: Final = "SRC-CSV"
CELL: Final = "SRC-CELL"
KEY: Final = "SRC-KEY"
VALUE: Final = "SRC-VALUE"
ID: Final = "SRC-ID"
REF: Final = "SRC-REF"
WAS: Final = "SRC-WAS"
SLOT: Final = "SRC-SLOT"
MARK: Final = "SRC-MARK"

MEANINGS: Final = {
    FILE: "a file or folder is missing, cannot be read, is too large or lies outside the game",
    TEXT: "a file is no text in a known encoding",
    YAML: "a file is no well-formed YAML, or uses more of YAML than data needs",
    CSV: "a table's header or a row's number of columns is wrong",
    CELL: "a cell is merged, a formula without a sound value, or a date or ? that a spreadsheet "
    "left in the place of what was there",
    KEY: "a key is unknown, missing or given twice",
    VALUE: "a value has the wrong type or is not among those allowed",
    ID: "two things have the same id",
    REF: "something is named that the game does not have",
    SLOT: "a slot names a field that this side of the card does not get",
    MARK: "a mark in a text, such as [bomb], has neither an icon nor a text",
    WAS: "an erratum corrects a value that is not the printed one",
}


def listed(words: Iterable[str], most: int = 12) -> str:
    """What is allowed, as far as a message can hold it."""
    found = [word[:20] for word in words]
    return ", ".join(found[:most]) + (" …" if len(found) > most else "")
