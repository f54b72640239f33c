"""How much of what comes from outside is read, and how many problems of it are told one by one.

A zip, a spreadsheet or a table may come from a stranger, and say of itself what it likes. Readers
count what really comes and take it from a ``Budget``; what is more than that is told and not read,
never half believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Final, Self

from msgspec.structs import replace

from exporter.problems import Problem, Where, told

KIB: Final = 1024
MIB: Final = 1024 * KIB

MOST_PIXELS: Final = 50_000_000
"""Of one picture: more are never decoded."""

BESIDE: Final = 64 * MIB
"""What a zip may unpack to besides three times its own size, so that one in it can be read too."""

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
"""A room zip: the largest of this project has 9,000 elements; 2,000 pieces load quickly."""

SPREADSHEET: Final[Mapping[str, int]] = {
    "parts": 1000,
    "bytes": 64 * MIB,
    "elements": 2_000_000,
    "characters": 16_000_000,
}
"""A spreadsheet; each text counts as often as a cell shows it."""

MOST_TOLD: Final = 50
"""Problems of a kind that are told one by one."""


class Spent(Exception):
    """More of ``what`` came than the ``most`` that is read."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        super().__init__(f"more than {most:,} {what}")


class Budget:
    """What may still be read of something from outside, by what is counted."""

    def __init__(self, most: Mapping[str, int]) -> None:
        self._most = dict(most)
        self._left = dict(most)

    def left(self, what: str) -> int:
        """How much of ``what`` may still come."""
        return self._left[what]

    def take(self, what: str, count: int = 1) -> None:
        """Counts what came. Raises ``Spent`` where that is too much."""
        self._left[what] -= count
        if self._left[what] < 0:
            raise Spent(what, self._most[what])


class Told:
    """Problems as they are found: of each kind the first fifty, and how many more there are.

    A kind is what ``kind`` makes of a problem; by default its rule and its file.
    """

    def __init__(self, kind: Callable[[Problem], Hashable] | None = None) -> None:
        self._kind = kind or (lambda problem: (problem.rule, problem.where.file))
        self._kept: dict[Hashable, list[Problem]] = {}
        self._counts: Counter[Hashable] = Counter()
        self._places: set[tuple[str, int]] = set()

    def wants(self, kind: Hashable) -> bool:
        """Counts one more of a kind; whether it is among those that are told themselves."""
        self._counts[kind] += 1
        return self._counts[kind] <= MOST_TOLD

    def keep(self, kind: Hashable, problem: Problem) -> None:
        """Tells a problem that ``wants`` has counted."""
        self._kept.setdefault(kind, []).append(problem)

    def append(self, problem: Problem) -> None:
        """Tells a problem, or only counts it."""
        where, kind = problem.where, self._kind(problem)
        self._places |= {(where.file, where.line), (where.file, -1)}
        if self.wants(kind):
            self.keep(kind, problem)

    def __iadd__(self, problems: Iterable[Problem]) -> Self:
        for problem in problems:
            self.append(problem)
        return self

    def __iter__(self) -> Iterator[Problem]:
        for kind, kept in self._kept.items():
            yield from kept
            more = self._counts[kind] - len(kept)
            if more:
                yield _more(max(kept), more)

    def __len__(self) -> int:
        return sum(map(len, self._kept.values()))

    def stand_at(self, where: Where, *, file: bool = False) -> bool:
        """Whether there is any in this line, or in the whole file."""
        return (where.file, -1 if file else where.line) in self._places


def _more(last: Problem, count: int) -> Problem:
    """Stands for all others like ``last``, after which it is told."""
    sentence = "… and {more} more like this."
    problem = told(last.where, last.rule, sentence, severity=last.severity, more=f"{count:,}")
    return replace(problem, times=count)
