"""What cannot be said in the client's format, whatever pictures a room shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from exporter.problems import Problem, Where
from exporter.source.checks import quoted
from exporter.tabletop import Inventory
from exporter.udonarium.checks import found, named
from exporter.udonarium.texts import DROPPED, LARGEST_EXACT


def unsayable(thing: Any) -> Iterator[Problem]:
    """Texts and numbers of a room, or of a part of one, that the format cannot hold."""
    return _problems(thing, "", set())


def _problems(value: Any, owner: str, met: set[int]) -> Iterator[Problem]:
    """Texts and numbers that the format cannot hold, each blamed on the object it is in.

    ``met`` are the identities of objects already looked at.
    """
    if isinstance(value, str):
        if DROPPED.search(value):
            dropped = sorted(set(DROPPED.findall(value)))
            codes = ", ".join(f"U+{ord(character):04X}" for character in dropped)
            yield found("UD-TEXT-CONTROL", Where(), f"{owner}: a text has {codes}.")
    elif isinstance(value, int | float):
        exact = abs(value) <= LARGEST_EXACT if isinstance(value, int) else math.isfinite(value)
        if not exact:
            yield found(
                "UD-NUMBER", Where(), f"{owner}: {quoted(str(value), 40)} stands for a number."
            )
    elif isinstance(value, tuple):
        for item in value:
            yield from _problems(item, owner, met)
    elif isinstance(value, Struct) and id(value) not in met:
        met.add(id(value))
        inside = named(value) or owner
        for field in value.__struct_fields__:
            yield from _problems(getattr(value, field), inside, met)
        if isinstance(value, Inventory):
            for column in value.columns:
                if column.split() != [column]:
                    what = f"The inventory column {column!r} has spaces in it."
                    yield found("UD-SUMMARY-COLUMN", Where(), what)
