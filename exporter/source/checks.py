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


def listed(words: Iterable[str], most: int = 12) -> str:
    """What is allowed, as far as a message can hold it."""
    found = [word[:20] for word in words]
    return ", ".join(found[:most]) + (" …" if len(found) > most else "")
