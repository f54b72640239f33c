"""What cannot be said in the client's format, whatever pictures a room shows."""

from __future__ import annotations

import math
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
    if not value:  # neither an empty text nor nought can be wrong
        return
    if isinstance(value, str):
        if signs := sorted(set(DROPPED.findall(value))):
            codes = ", ".join(f"U+{ord(sign):04X}" for sign in signs)
            words = {"owner": named(owner), "codes": codes}
            problems.append(found("UD-TEXT-CONTROL", SourceLocation(), "text", **words))
    elif isinstance(value, (int, float)):
        # JavaScript holds no other numbers.
        if not (abs(value) <= LARGEST_EXACT if isinstance(value, int) else math.isfinite(value)):
            words = {"owner": named(owner), "found": quoted(str(value), 40)}
            problems.append(found("UD-NUMBER", SourceLocation(), "stands-number", **words))
    elif isinstance(value, (tuple, list)):
        for item in value:
            _look_at(item, owner, met, problems)
    elif isinstance(value, Struct) and id(value) not in met:
        met.add(id(value))
        for inner in astuple(value):
            _look_at(inner, value if is_called(value) else owner, met, problems)
        # The client parts the names of columns at spaces.
        columns = value.columns if isinstance(value, Inventory) else ()
        problems += (
            found("UD-SUMMARY-COLUMN", SourceLocation(), "inventory-column-spaces", column=column)
            for column in columns
            if column.split() != [column]
        )
