"""What to change in an illegal build or deck: one best-first search over single changes.

It is bounded by how much it judges, not by time, so that the same question always has the same
answer.
"""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import count, islice
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from exporter.core.problems import Severity
from exporter.model import Build, Game
from exporter.rules.rulebook import Found, Rulebook, apply_rules
from exporter.rules.subjects import Subject

Action: TypeAlias = Literal[
    "move", "swap", "replace", "frame", "add", "remove-skill", "remove", "remove-pilot",
    "exchange", "take", "put",
]  # fmt: skip

# Repairs that are offered.
MOST_OFFERED = 5

# Of these, repairs that do the same to the same cards, with other cards or places.
MOST_ALIKE = 2

# Builds judged for further repairs, besides those that finding the first took.
MOST_BEYOND = 300

State = TypeVar("State")


class RepairStep(Struct, frozen=True):
    """One step of a repair: what, which card or skill or pilot, from where, to where.

    ``copies`` of a card are exchanged for one by the name of the ``target``. ``why`` is the rule
    that it was tried for.
    """

    action: Action
    what: str
    source: str = ""
    target: str = ""
    copies: int = 1
    why: str = ""

    @property
    def is_of_decks(self) -> bool:
        """Whether it changes a deck, which its places name."""
        return self.action in ("exchange", "take", "put")


Steps: TypeAlias = tuple[RepairStep, ...]


class Mending(Struct, frozen=True):
    """A repair, or that there is none, where ``changes`` is nothing.

    ``searched_all``: none is shorter, or there is none; otherwise the search was cut short.
    """

    build: Build
    changes: Steps | None
    judged: int
    searched_all: bool


class Judged(Struct, frozen=True):
    """What stands against a build or decks, waived rules and notices left out.

    ``whole``: nothing kept it from being judged.
    """

    subject: Any
    faults: list[Found]
    whole: bool


class RepairChange(Struct, Generic[State], frozen=True):
    """A single change and what it leads to. It loses so many cards; how many more changes it takes
    ``at_least`` after it, and how many more cards they lose."""

    after: State
    lost: int
    at_least: tuple[int, int]
    step: RepairStep


class Repairs(Struct, Generic[State], dict=True):
    """Repairs of a build or of decks under rules, with the boxes owned, on a day: what a search
    asks about the things that it repairs."""

    game: Game
    book: Rulebook
    build: Build
    boxes: frozenset[str] = frozenset()
    waived: frozenset[str] = frozenset()
    on: str = ""
    most_judged: int = 1200  # builds: some seconds on a slow machine

    @abstractmethod
    def start(self) -> State:
        """What is to be repaired."""

    @abstractmethod
    def key(self, state: State) -> Hashable:
        """Whatever makes two of them the same."""

    @abstractmethod
    def judge(self, state: State) -> Judged:
        """What stands against one."""

    def judge_subject(self, subject: Subject) -> Judged:
        """Hold what is laid out of one against the rules that are not waived."""
        found = apply_rules(subject, self.book.rules.values())
        faults = [
            (rule, fault)
            for rule, fault in found.faults
            if fault.severity is Severity.ERROR and rule.id not in self.waived
        ]
        return Judged(subject, faults, not found.problems)

    @abstractmethod
    def at_least(self, faults: Sequence[Found]) -> tuple[int, int]:
        """How many changes faults take at the least, and how many cards these lose."""

    @abstractmethod
    def estimate(self, faults: Sequence[Found]) -> int:
        """How many changes faults usually take."""

    @abstractmethod
    def changes(
        self, judged: Judged, state: State, made: Steps, in_haste: bool
    ) -> Iterator[RepairChange[State]]:
        """The changes that bear on the fault that leaves the least choice."""

    @abstractmethod
    def mended(self, state: State) -> Build:
        """The build with that."""

    @abstractmethod
    def rank(self, state: State, made: Sequence[RepairStep]) -> tuple[Any, ...]:
        """The fewer changes, then cards lost, then what is minded least."""

    def steps(self, state: State, made: Steps) -> Steps:
        """The steps to one, in few words."""
        return made


class _Attempt(Struct, order=True):
    """Something on the way: changes that it takes at the least and cards that these lose, the
    deepest first.

    Every ``number`` is given once, so that what stands below it is never compared. It is one
    change away from what was ``before``.
    """

    least: int
    lost: int
    shallow: int
    number: int
    state: Any
    made: Steps = ()
    out: int = 0
    judged: Judged | None = None
    before: _Attempt | None = None


class Search(Struct, Generic[State]):
    """A search for what is legal, so many changes away at the ``farthest``, with so many cards
    lost at the most, that judges as much as is ``left``; and what came of it.

    Whatever repairs something changes what each of its faults rests on, so only that is tried
    (A*). One ``in_haste`` goes for what leaves the least to mend; what it finds may be longer than
    it must. One that does not ``begin`` on the way begins at the start.
    """

    repairs: Repairs[State]
    left: int
    begin: _Attempt | None = None
    in_haste: bool = False
    farthest: int = 1000
    most_lost: int = 1000
    judged: int = 0
    is_through: bool = False

    def legal(self) -> Iterator[_Attempt]:
        """What is legal: of the fewest changes first, of these what keeps more cards."""
        numbers, repairs, unsure = count(), self.repairs, False
        begin = self.begin or _Attempt(0, 0, 0, next(numbers), repairs.start())
        waiting, reached = [begin], {repairs.key(begin.state): len(begin.made)}
        while waiting and self.left > 0 and waiting[0].least <= self.farthest:
            one = heapq.heappop(waiting)
            done = len(one.made)
            if one.judged is None:
                one.judged = repairs.judge(one.state)
                self.judged += 1
                self.left -= 1
                more, lost = repairs.at_least(one.judged.faults)
                least = done + more, one.out + lost
                if self.in_haste:
                    least = done + repairs.estimate(one.judged.faults), 0
                if least > (one.least, one.lost):
                    one.least, one.lost = least
                    heapq.heappush(waiting, one)
                    continue
            if not one.judged.faults:
                unsure = unsure or not one.judged.whole
                if one.judged.whole:
                    yield one
                continue
            for change in repairs.changes(one.judged, one.state, one.made, self.in_haste):
                key = repairs.key(change.after)
                out, (more, lost) = one.out + change.lost, change.at_least
                if done + 1 < reached.get(key, self.farthest + 1) and out <= self.most_lost:
                    reached[key] = done + 1
                    least = done + 1 + more, out + lost
                    if self.in_haste:
                        least = one.least, 0
                    made = (*one.made, change.step)
                    place = *least, -done, next(numbers)
                    each = _Attempt(*place, change.after, made, out, before=one)
                    heapq.heappush(waiting, each)
        self.is_through = not (waiting or unsure)


def mend(repairs: Repairs[State]) -> list[Mending]:
    """The repairs of the fewest changes, at most five, best first; where there is none one that
    says so.

    Where too much is judged before there is any, one is found in haste, if it can be.
    """
    search, found = Search(repairs, repairs.most_judged), list[_Attempt]()
    for one in search.legal():
        if found and len(one.made) > len(found[0].made):
            break
        if not found:
            judged, search.left = search.judged, min(search.left, MOST_BEYOND)
        found.append(one)
        if not one.made:
            break
    attempts = found
    if not found:
        judged = search.judged
        attempts = [] if search.is_through else _in_haste(repairs)
    if not attempts:
        return [Mending(repairs.build, None, judged, search.is_through)]
    alike, offered = Counter[object](), dict[Hashable, Mending]()
    for one in sorted(attempts, key=lambda one: repairs.rank(one.state, one.made)):
        steps, key = repairs.steps(one.state, one.made), repairs.key(one.state)
        sort = tuple(sorted((step.action, step.what * (step.action != "put")) for step in steps))
        if key not in offered and alike[sort] < MOST_ALIKE:
            alike[sort] += 1
            offered[key] = Mending(repairs.mended(one.state), steps, judged, bool(found))
    return list(offered.values())[:MOST_OFFERED]


def _in_haste(repairs: Repairs[State]) -> list[_Attempt]:
    """A repair that may take more changes than it must, and the best of what branches off from its
    last changes, as far as so much can be judged."""
    found = list(islice(Search(repairs, repairs.most_judged, in_haste=True).legal(), 1))
    left, begin = repairs.most_judged, found[0] if found else None
    while begin is not None and left > 0:
        most_lost = min(one.out for one in found)
        search = Search(repairs, left, begin, farthest=len(found[0].made), most_lost=most_lost)
        found += islice(search.legal(), 1)
        left, begin = search.left, begin.before
    return found
