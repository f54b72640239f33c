"""The ids under which reading a game folder speaks, and what each of them means."""

from __future__ import annotations

from typing import Final

FILE: Final = "SRC-FILE"
TEXT: Final = "SRC-TEXT"
YAML: Final = "SRC-YAML"
CSV: Final = "SRC-CSV"
KEY: Final = "SRC-KEY"
VALUE: Final = "SRC-VALUE"
ID: Final = "SRC-ID"
REF: Final = "SRC-REF"
WAS: Final = "SRC-WAS"

MEANINGS: Final = {
    FILE: "a file or folder is missing, cannot be read, is too large or lies outside the game",
    TEXT: "a file is no text in a known encoding",
    YAML: "a file is no well-formed YAML, or uses more of YAML than data needs",
    CSV: "a table's header or a row's number of columns is wrong",
    KEY: "a key is unknown, missing or given twice",
    VALUE: "a value has the wrong type or is not among those allowed",
    ID: "two things have the same id",
    REF: "something is named that the game does not have",
    WAS: "an erratum corrects a value that is not the printed one",
}
