"""How much of what comes from outside is read, and how many problems of it are listed.

A zip, a spreadsheet or a table may come from a stranger, and say of itself what it likes. Readers
count what really comes and take it from a ``ReadingLimits``; what is more than that is
reported and not read, never half believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Final, Self

from msgspec.structs import replace

from exporter.core.messages import (
    sentence,
)
from exporter.core.problems import (
    Problem,
    SourceLocation,
)

KIB: Final = 1024
MIB: Final = 1024 * KIB

# Of one picture: more are never decoded.
MOST_PIXELS: Final = 50_000_000

# What a zip may unpack to besides three times its own size, so that one in it can be read too.
BESIDE: Final = 64 * MIB

# A room zip: the largest of this project has 9,000 elements; 2,000 pieces load quickly.
ROOM: Final[Mapping[str, int]] = {
    "bytes": 512 * MIB,
    "entries": 10_000,
    "bytes of XML": 16 * MIB,
    "elements": 100_000,
    "attributes": 300_000,
    "references": 100_000,
    "pieces": 5000,
    "pixels": 64_000_000,
    "bytes of SVG": 16 * MIB,
}

# A game folder: values of its YAML, lines and cells of its tables. The largest of this project has
# 16,000 values and 6,000 cells.
GAME: Final[Mapping[str, int]] = {"values": 100_000, "lines": 200_000, "cells": 150_000}

# A file of players: a table may hold the decks of a whole event.
PLAYERS: Final[Mapping[str, int]] = {"values": 100_000, "lines": 600_000, "cells": 3_000_000}

# A spreadsheet; each text counts as often as a cell shows it.
SPREADSHEET: Final[Mapping[str, int]] = {
    "entries": 1000,
    "bytes": 32 * MIB,
    "elements": 800_000,
    "attributes": 1_000_000,
    "cells": 100_000,
    "characters": 8_000_000,
}

# Problems of a kind that are reported one by one.
MOST_LISTED: Final = 50


class LimitExceeded(Exception):
    """More of ``what`` came than the ``most`` that is read."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        amount = f"{most:,}"
        if what.startswith("bytes"):
            amount = f"{most // MIB} MiB" if most >= MIB else f"{amount} bytes"
        self.sentence = sentence("spent", what.replace(" ", "-"), amount=amount)
        super().__init__(str(self.sentence))


class ReadingLimits:
    """What may still be read of something from outside, by what is counted."""

    def __init__(self, most: Mapping[str, int]) -> None:
        self._most = dict(most)
        self._left = dict(most)

    def left(self, what: str) -> int:
        """Return how much of ``what`` may still come."""
        return self._left[what]

    def take(self, what: str, count: int = 1) -> None:
        """Count what came. Raises ``LimitExceeded`` where that is too much."""
        self._left[what] -= count
        if self._left[what] < 0:
            raise LimitExceeded(what, self._most[what])


class ProblemList:
    """Problems as they are found: of each kind the first ``most``, and how many more there are.

    A kind is what ``kind`` makes of a problem; by default its rule and the folder of its file.
    """

    def __init__(
        self, kind: Callable[[Problem], Hashable] | None = None, most: int = MOST_LISTED
    ) -> None:
        self._kind, self._most = kind, most
        self._kept: dict[Hashable, list[Problem]] = {}
        self._counts: Counter[Hashable] = Counter()
        self._places: set[tuple[str, int]] = set()
        self._columns: set[Hashable] = set()

    def wants(self, kind: Hashable) -> bool:
        """Count one more of a kind; return whether it is among those that are reported."""
        self._counts[kind] += 1
        return self._counts[kind] <= self._most

    def keep(self, kind: Hashable, problem: Problem) -> None:
        """List a problem that ``wants`` has counted."""
        self._kept.setdefault(kind, []).append(problem)

    def append(self, problem: Problem, column: str = "") -> None:
        """List a problem, or only count it.

        Where very many cells of a ``column`` have the same one, the first is reported for all.
        """
        where = problem.where
        self._places |= {(where.file, where.line), (where.file, -1)}
        folder = where.file.rpartition("/")[0]
        kind: Hashable = (problem.rule, folder if "/" in folder else where.file)
        if self._kind is not None:
            kind = self._kind(problem)
        if column:
            allowed = dict(problem.sentence.values).get("allowed", "")
            kind = (where.file, problem.rule, column, allowed)
            self._columns.add(kind)
        if self.wants(kind):
            self.keep(kind, problem)

    def __iadd__(self, problems: Iterable[Problem]) -> Self:
        for problem in problems:
            self.append(problem)
        return self

    def __iter__(self) -> Iterator[Problem]:
        for kind, kept in self._kept.items():
            count = self._counts[kind]
            if count > len(kept) and kind in self._columns:
                text = sentence("problems", "column", count=count, first=kept[0].sentence)
                yield replace(kept[0], sentence=text, times=count)
                continue
            yield from kept
            if more := count - len(kept):
                text = sentence("problems", "more", more=more)
                yield replace(max(kept), sentence=text, cites=(), times=more)

    def __len__(self) -> int:
        """Return how many were found, reported or not."""
        return self._counts.total()

    def stand_at(self, where: SourceLocation, *, file: bool = False) -> bool:
        """Return whether there is any in this line, or in the whole file."""
        return (where.file, -1 if file else where.line) in self._places
