"""What to change: the smallest mending of an illegal build, and places for cards without any.

Both are searches with a bound on how many builds they judge, not on time, so that the same
question always has the same answer.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from itertools import count
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.model import Build, Card, Game
from exporter.problems import Severity
from exporter.rules.book import Rulebook
from exporter.rules.judging import Found, faults_of
from exporter.rules.kinds.exchange import before_exchange
from exporter.rules.subjects import Bench, FrameChoice, lay_out
from exporter.rules.written_rules import Placement

MOST_JUDGED = 1500
"""Builds judged before a search gives up: about a second on a slow machine."""

WAYS_OF_A_BUILD = 100
"""Ways to exchange cards that take about as long to look at as a usual build to judge."""

MOST_STEPS = 60_000
"""Steps of placing cards, which are cheap, before a search gives up."""

Action: TypeAlias = Literal[
    "move", "swap", "replace", "frame", "add", "remove", "remove-skill", "remove-pilot",
    "exchange", "take", "put",
]  # fmt: skip
"""The last three are of decks."""


class RepairStep(Struct, frozen=True):
    """One step of mending: what, which card or skill or pilot, from where, to where.

    ``copies`` of a card are exchanged for one by the name of the ``target``. ``why`` is the rule
    that it was tried for.
    """

    action: Action
    what: str
    source: str = ""
    target: str = ""
    copies: int = 1
    why: str = ""


class Mending(Struct, frozen=True):
    """The result of a search. ``changes`` is nothing where none was found; ``searched_all`` then
    says that there is none, otherwise that the search was cut short."""

    build: Build
    changes: tuple[RepairStep, ...] | None
    judged: int
    searched_all: bool


class Judged(Struct, frozen=True):
    """A build as it was judged: what stands against it, waived rules and notices left out.

    ``whole``: nothing kept it from being judged. ``work`` is how long it took, in usual builds.
    """

    bench: Bench
    faults: list[Found]
    whole: bool
    work: int

    @property
    def is_legal(self) -> bool:
        """Whether nothing stands against it that was looked at, and all was."""
        return self.whole and not self.faults


def against(
    game: Game, book: Rulebook, build: Build, boxes: frozenset[str], waived: frozenset[str]
) -> Judged:
    """A build judged by rules that are not waived."""
    bench = before_exchange(lay_out(game, build, book.placements, boxes), book.rules.values())
    found, problems = faults_of(bench, book.rules.values())
    faults = [
        (rule, fault)
        for rule, fault in found
        if fault.severity is Severity.ERROR and rule.id not in waived
    ]
    return Judged(bench, faults, not problems, 1 + bench.ways // WAYS_OF_A_BUILD)


def _without(cards: tuple[str, ...], slot: int) -> tuple[str, ...]:
    return cards[:slot] + cards[slot + 1 :]


def with_mounted(build: Build, changed: Mapping[str, tuple[str, ...]]) -> Build:
    """A build with other cards in some parts."""
    return replace(build, mounted={**build.mounted, **changed}, places={})


def _skill_changes(bench: Bench) -> Iterator[tuple[RepairStep, Build]]:
    build = bench.build
    for index, pilot in enumerate(build.pilots):
        for slot, skill in enumerate(pilot.skills):
            fewer = replace(pilot, skills=_without(pilot.skills, slot))
            pilots = (*build.pilots[:index], fewer, *build.pilots[index + 1 :])
            change = RepairStep("remove-skill", skill, pilot.name)
            yield change, replace(build, pilots=pilots, places={})
        pilots = (*build.pilots[:index], *build.pilots[index + 1 :])
        yield RepairStep("remove-pilot", pilot.name), replace(build, pilots=pilots, places={})


def mended_by_moving(found: Found) -> bool:
    """Whether moving a card can mend a fault; the others only go away with the card."""
    rule, _fault = found
    return rule.kind is not None and rule.kind.by_moving


def _by_skills(found: Found) -> bool:
    """Whether leaving out a skill can mend a fault."""
    rule, fault = found
    return not fault.touches or (rule.kind is not None and rule.kind.by_skills)


def changes_of(bench: Bench, found: Found) -> Iterator[tuple[RepairStep, Build]]:
    """Every single change that could bear on a fault."""
    build, fault = bench.build, found[1]
    movable = mended_by_moving(found)
    tried: set[tuple[str, str]] = set()
    for spot in fault.touches:
        if (spot.part, spot.card.id) in tried:
            continue
        tried.add((spot.part, spot.card.id))
        left = _without(build.mounted[spot.part], spot.slot)
        name = build.mounted[spot.part][spot.slot]
        for part in bench.parts_for(spot.card) if movable else ():
            if part != spot.part:
                there = (*build.mounted.get(part, ()), name)
                moved = with_mounted(build, {spot.part: left, part: there})
                yield RepairStep("move", spot.card.name, spot.part, part), moved
        change = RepairStep("remove", spot.card.name, spot.part)
        yield change, with_mounted(build, {spot.part: left})
    if fault.missing is not None:
        for part in bench.parts_for(fault.missing):
            there = (*build.mounted.get(part, ()), fault.missing.name)
            yield (
                RepairStep("add", fault.missing.name, "", part),
                with_mounted(build, {part: there}),
            )
    if _by_skills(found):
        yield from _skill_changes(bench)


def key_of(build: Build) -> tuple[tuple[tuple[str, str], int], ...]:
    """What tells builds apart: the frame, and what is in which part and seat, in any order."""
    cards = Counter((part, name) for part, names in build.mounted.items() for name in names)
    cards.update((f"pilot {pilot.name}", skill) for pilot in build.pilots for skill in pilot.skills)
    cards.update((f"pilot {pilot.name}", "") for pilot in build.pilots)
    cards.update((f"frame {key}", word) for key, word in build.frame.items())
    return tuple(sorted(cards.items()))


def least_changes(faults: list[Found]) -> int:
    """How many changes it takes at the least: one for each fault that shares nothing."""
    taken: set[tuple[str, int]] = set()
    least = 0
    for found in faults:
        touched = {(spot.part, spot.slot) for spot in found[1].touches}
        if _by_skills(found):
            touched.add(("skills", 0))
        if not touched & taken:
            taken |= touched
            least += 1
    return least


def width_of(found: Found) -> int:
    """How many different cards a fault leaves to choose from: the fewer, the sooner mended."""
    return len({(spot.part, spot.card.id) for spot in found[1].touches}) or MOST_JUDGED


class _Try(Struct, order=True):
    """A build on the way: changes it takes at the least, those that remove, those that add.

    Every ``number`` is given once, so that what stands below it is never compared.
    """

    least: int
    removed: int
    added: int
    number: int
    changes: tuple[RepairStep, ...]
    build: Build
    judged: Judged | None = None


def mend(
    game: Game,
    book: Rulebook,
    build: Build,
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
    most_judged: int = MOST_JUDGED,
) -> Mending:
    """The smallest set of changes after which a build is legal; moves before removals.

    Whatever mends a build changes something that each of its faults touches, so only what one of
    them touches is tried (A*: faults that share nothing need a change each).
    """
    if FrameChoice(game, build).unknown:
        return Mending(build, None, 0, searched_all=True)
    numbers = count()
    waiting = [_Try(0, 0, 0, next(numbers), (), build)]
    seen = {key_of(build)}
    judged, work, unsure = 0, 0, False
    size = sum(len(cards) for cards in build.mounted.values())
    most = most_judged * 20 // max(20, size)
    while waiting and work < most:
        tried = heapq.heappop(waiting)
        if tried.judged is None:
            tried.judged = against(game, book, tried.build, boxes, waived)
            judged, work = judged + 1, work + tried.judged.work
            least = len(tried.changes) + least_changes(tried.judged.faults)
            if least > tried.least:
                tried.least = least
                heapq.heappush(waiting, tried)
                continue
        faults = tried.judged.faults
        if not faults and tried.judged.whole:
            return Mending(tried.build, tried.changes, judged, searched_all=True)
        if not faults:
            unsure = True
            continue
        faulty = min(faults, key=width_of)
        for change, changed in changes_of(tried.judged.bench, faulty):
            key = key_of(changed)
            if key not in seen:
                seen.add(key)
                removed = tried.removed + change.action.startswith("remove")
                added = tried.added + (change.action == "add")
                changes = (*tried.changes, replace(change, why=faulty[0].id))
                least = max(tried.least, len(changes))
                heapq.heappush(
                    waiting, _Try(least, removed, added, next(numbers), changes, changed)
                )
    return Mending(build, None, judged, searched_all=not (waiting or unsure))


def _spreads(
    left: int, parts: tuple[str, ...], room: Mapping[str, int], most: int
) -> Iterator[dict[str, int]]:
    """Every way to spread copies over parts, the fullest first part first."""
    if not parts:
        if left == 0:
            yield {}
        return
    first, *rest = parts
    for number in range(min(left, room.get(first, 0), most or left), -1, -1):
        for others in _spreads(left - number, tuple(rest), room, most):
            yield ({first: number} if number else {}) | others


def _may_lie(spread: Mapping[str, int], placement: Placement | None) -> bool:
    """Whether a spread of all of a card's copies follows its pattern."""
    if placement is None:
        return True
    if placement.at_least and not any(part in spread for part in placement.at_least):
        return False
    for one in placement.sets:
        shares = {spread.get(part, 0) / needed for part, needed in one.items()}
        if len(shares) > 1 or not next(iter(shares)).is_integer():
            return False
    return True


def _suffices(card: Card, spread: Mapping[str, int]) -> bool:
    """Whether each part has a card's minimum, where nothing mounted loosens that."""
    needed = card.get("min_count")
    if card.get("may_split") or not isinstance(needed, int):
        return True
    return all(copies >= needed for copies in spread.values())


def place_loose(
    game: Game,
    book: Rulebook,
    build: Build,
    loose: tuple[str, ...],
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
) -> Mending:
    """Parts for cards that have none, so that the build is legal, if there are any."""
    if not game.parts or FrameChoice(game, build).unknown:
        return Mending(build, None, 0, searched_all=True)
    anywhere = game.parts[0]
    heap = {anywhere: (*build.mounted.get(anywhere, ()), *loose)}
    judged = against(game, book, with_mounted(build, heap), boxes, waived)
    bench = judged.bench
    if not all(map(mended_by_moving, judged.faults)):
        return Mending(build, None, 1, searched_all=True)
    room = {part: slots - len(build.mounted.get(part, ())) for part, slots in bench.slots.items()}
    counts = Counter(card.id for name in loose if (card := game.card(name)) is not None)
    already = {card.id for names in build.mounted.values() for n in names if (card := game.card(n))}
    cards = [game.cards[card_id] for card_id in counts]
    cards.sort(key=lambda card: (len(bench.parts_for(card)), -counts[card.id]))
    kinds = (rule.kind for rule in book.rules.values() if rule.kind is not None)
    loosened = frozenset(what for kind in kinds for what in kind.loosens(bench))
    search = _Placing(game, book, build, boxes, waived, bench, counts, already, loosened)
    found = search.place(cards, room, {}) if sum(room.values()) >= len(loose) else None
    cut_short = search.judged >= MOST_JUDGED or search.steps >= MOST_STEPS
    if found is None:
        return Mending(build, None, search.judged, searched_all=not cut_short)
    changes = tuple(
        RepairStep("add", name, "", part)
        for part, names in found.mounted.items()
        for name in names[len(build.mounted.get(part, ())) :]
    )
    return Mending(found, changes, search.judged, searched_all=True)


class _Placing(Struct):
    """One search for places: cards with the fewest choices first, room as it is used up.

    ``loosened``: some card changes where others may lie (``place``), or how many they need
    (``number``), so that only a whole build can be judged.
    """

    game: Game
    book: Rulebook
    build: Build
    boxes: frozenset[str]
    waived: frozenset[str]
    bench: Bench
    counts: Mapping[str, int]
    already: set[str]
    loosened: Set[str]
    judged: int = 0
    steps: int = 0

    def place(
        self, cards: list[Card], room: Mapping[str, int], spread: Mapping[str, tuple[str, ...]]
    ) -> Build | None:
        """The first legal build that has all ``cards`` in the ``room`` that is left."""
        if not cards:
            self.judged += 1
            added = {
                part: (*self.build.mounted.get(part, ()), *names) for part, names in spread.items()
            }
            built = with_mounted(self.build, added)
            judged = against(self.game, self.book, built, self.boxes, self.waived)
            self.steps += (judged.work - 1) * (MOST_STEPS // MOST_JUDGED)
            return built if judged.whole and not judged.faults else None
        card, *rest = cards
        placement = self.bench.placement(card)
        most = placement.at_most if placement else 0
        copies = self.counts[card.id]
        for one in _spreads(copies, self.bench.parts_for(card), room, most):
            self.steps += 1
            if self.steps >= MOST_STEPS or self.judged >= MOST_JUDGED:
                return None
            if card.id not in self.already and not (
                ("place" in self.loosened or _may_lie(one, placement))
                and ("number" in self.loosened or _suffices(card, one))
            ):
                continue
            left = {part: free - one.get(part, 0) for part, free in room.items()}
            here = {
                part: (*spread.get(part, ()), *(card.name,) * one.get(part, 0))
                for part in {**spread, **one}
            }
            found = self.place(rest, left, here)
            if found is not None:
                return found
        return None
