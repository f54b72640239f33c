"""What cannot be said in the client's format, whatever pictures a room shows."""

from __future__ import annotations

import math
from typing import Any

from msgspec import Struct

from exporter.problems import Problem, Where
from exporter.source.checks import quoted
from exporter.tabletop import Inventory
from exporter.udonarium.checks import found, is_called, named
from exporter.udonarium.texts import DROPPED, LARGEST_EXACT


def unsayable(thing: Any) -> list[Problem]:
    """Texts and numbers of a room, of a part of one, or of several, that the format cannot hold."""
    problems: list[Problem] = []
    _look_at(thing, None, set(), problems)
    return problems


def _look_at(value: Any, owner: Any, met: set[int], problems: list[Problem]) -> None:
    """Adds what the format cannot hold, each fault blamed on the object it is in, its ``owner``.

    ``met`` are the identities of objects already looked at.
    """
    if isinstance(value, str):
        if DROPPED.search(value):
            dropped = sorted(set(DROPPED.findall(value)))
            codes = ", ".join(f"U+{ord(character):04X}" for character in dropped)
            problems.append(
                found("UD-TEXT-CONTROL", Where(), "text", owner=named(owner), codes=codes)
            )
    elif isinstance(value, (int, float)):
        exact = abs(value) <= LARGEST_EXACT if isinstance(value, int) else math.isfinite(value)
        if not exact:
            problems.append(
                found(
                    "UD-NUMBER",
                    Where(),
                    "stands-number",
                    owner=named(owner),
                    found=quoted(str(value), 40),
                )
            )
    elif isinstance(value, (tuple, list)):
        for item in value:
            _look_at(item, owner, met, problems)
    elif isinstance(value, Struct) and id(value) not in met:
        met.add(id(value))
        inside = value if is_called(value) else owner
        for field in value.__struct_fields__:
            inner = getattr(value, field)
            # Neither an empty text nor nought can be wrong, and most texts are not.
            if inner and not (type(inner) is str and DROPPED.search(inner) is None):
                _look_at(inner, inside, met, problems)
        if isinstance(value, Inventory):
            for column in value.columns:
                if column.split() != [column]:
                    problems.append(
                        found(
                            "UD-SUMMARY-COLUMN", Where(), "inventory-column-spaces", column=column
                        )
                    )
