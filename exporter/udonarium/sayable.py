"""What cannot be said in the client's format, whatever pictures a room shows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from exporter.core.problems import (
    Problem,
    SourceLocation,
    quoted,
)
from exporter.model.tabletop import Inventory
from exporter.udonarium.client_text import (
    DROPPED,
    LARGEST_EXACT,
)
from exporter.udonarium.verify_checks import (
    found,
    is_called,
    named,
)


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
            problems.append(_dropped(value, named(owner)))
    elif isinstance(value, (int, float)):
        if not _is_exact(value):
            words = {"owner": named(owner), "found": quoted(str(value), 40)}
            problems.append(found("UD-NUMBER", SourceLocation(), "stands-number", **words))
    elif isinstance(value, (tuple, list)):
        for item in value:
            if not _is_sound_text(item):
                _look_at(item, owner, met, problems)
    elif isinstance(value, Struct) and id(value) not in met:
        met.add(id(value))
        _look_into(value, value if is_called(value) else owner, met, problems)


def _look_into(value: Struct, owner: Any, met: set[int], problems: list[Problem]) -> None:
    for inner in astuple(value):
        # Neither an empty text nor nought can be wrong, and most texts are not.
        if inner and not _is_sound_text(inner):
            _look_at(inner, owner, met, problems)
    if isinstance(value, Inventory):
        problems += _columns(value)


def _is_sound_text(value: Any) -> bool:
    return type(value) is str and DROPPED.search(value) is None


def _dropped(text: str, owner: str) -> Problem:
    codes = ", ".join(f"U+{ord(sign):04X}" for sign in sorted(set(DROPPED.findall(text))))
    return found("UD-TEXT-CONTROL", SourceLocation(), "text", owner=owner, codes=codes)


def _is_exact(number: float) -> bool:
    """Whether JavaScript holds this very number."""
    return abs(number) <= LARGEST_EXACT if isinstance(number, int) else math.isfinite(number)


def _columns(inventory: Inventory) -> Iterator[Problem]:
    """The client parts the names of columns at spaces."""
    for column in inventory.columns:
        if column.split() != [column]:
            yield found(
                "UD-SUMMARY-COLUMN", SourceLocation(), "inventory-column-spaces", column=column
            )
