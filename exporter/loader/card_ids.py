"""Ids of cards whose table has none: from their names, and the same when a name changes."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from exporter.core.patterns import pattern

MOST_ALIGNED = 2000
"""Rows in which renamed cards are looked for by their place."""

_NO_ID = pattern(r'[\x00-\x1f\x7f"*/:<>?\\|]+')
_MOST = 64


class Known(NamedTuple):
    """An id that was written down, and the name that its card had then."""

    id: str
    name: str


def id_of(name: str) -> str:
    """A name as an id: in one line, composed, without what cannot stand in a file's name."""
    plain = unicodedata.normalize("NFC", " ".join(name.split()))
    return _NO_ID.sub("-", plain)[:_MOST].strip(" .-")


def ids_for(names: Sequence[str], known: Sequence[Known]) -> tuple[list[str], list[Known]]:
    """An id for each name, in order, and of the ids that were known those of renamed cards.

    A name that is known has its id; one that stands where a known name stood is that card renamed;
    any other has an id of its own name, with a number where that is taken.
    """
    found: list[str] = [""] * len(names)
    free: dict[str, list[Known]] = {}
    for each in known:
        free.setdefault(each.name, []).append(each)
    for index, name in enumerate(names):
        if free.get(name):
            found[index] = free[name].pop(0).id
    renamed = []
    for index, each in _by_place(names, known, found):
        found[index] = each.id
        renamed.append(each)
    taken = {*found, *(each.id for each in known)}
    for index, name in enumerate(names):
        if not found[index]:
            found[index] = _fresh(id_of(name) or "card", taken)
            taken.add(found[index])
    return found, renamed


def _fresh(wanted: str, taken: set[str]) -> str:
    number, found = 1, wanted
    while found in taken:
        number += 1
        found = f"{wanted[: _MOST - 5]}-{number}"
    return found


def _by_place(
    names: Sequence[str], known: Sequence[Known], found: Sequence[str]
) -> list[tuple[int, Known]]:
    """Names without an id that stand where known names stood which are gone."""
    used = set(found)
    if all(found) or len(names) > MOST_ALIGNED or len(known) > MOST_ALIGNED:
        return []
    before = [each.id for each in known]
    pairs: list[tuple[int, Known]] = []
    matcher = difflib.SequenceMatcher(None, before, list(found), autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "replace":
            continue
        gone = [known[index] for index in range(first, last) if before[index] not in used]
        new = [index for index in range(start, end) if not found[index]]
        if len(gone) == len(new):
            pairs += zip(new, gone, strict=True)
    return pairs
