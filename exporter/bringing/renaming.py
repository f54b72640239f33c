"""Which columns of a table stand under other headings in a newer one, by what their cells hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

Below: TypeAlias = Sequence[Mapping[str, str]]
"""The rows of a table below its headings, each by heading."""

_SAME = 0.9
"""Share of the rows in which a renamed column says the same as before."""


def renamed(old: Below, new: Below, gone: Sequence[str], came: Collection[str]) -> dict[str, str]:
    """New heading → the old one, of columns whose cells are nearly all the same.

    ``gone`` are headings that only the old table has, ``came`` those that only the new one has.
    """
    pairs = _pairs(old, new, [*came, *gone])
    found: dict[str, str] = {}
    if 2 * len(pairs) < min(len(old), len(new)):
        return found
    for before in gone:
        shares = {
            heading: sum(a.get(before) == b.get(heading) for a, b in pairs) / len(pairs)
            for heading in came
            if heading not in found and any(a.get(before) for a, _b in pairs)
        }
        best = max(shares, key=lambda heading: shares[heading], default="")
        if best and shares[best] >= _SAME:
            found[best] = before
    return found


def _pairs(
    old: Below, new: Below, apart: Collection[str]
) -> list[tuple[Mapping[str, str], Mapping[str, str]]]:
    """Rows that say the same in all columns but some, or in their order where none do."""
    common = [name for name in (old[0] if old else ()) if name not in apart]
    waiting: dict[tuple[str, ...], list[Mapping[str, str]]] = defaultdict(list)
    for row in reversed(old):
        waiting[tuple(row.get(name, "") for name in common)].append(row)
    keys = (tuple(row.get(name, "") for name in common) for row in new)
    return [(waiting[key].pop(), row) for key, row in zip(keys, new, strict=True) if waiting[key]]
