"""Several ways to mend a build, best first, with changes that keep more than leaving cards out.

Besides what ``exporter.rules.repair`` tries there are two cards that change places, a card
exchanged for one of the same kind and range, and another choice of the frame, such as its seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.model import Build, Card, Game
from exporter.rules.book import Rulebook
from exporter.rules.judging import Found
from exporter.rules.repair import (
    Judged,
    Mending,
    RepairStep,
    against,
    changes_of,
    key_of,
    least_changes,
    mend,
    mended_by_moving,
    width_of,
    with_mounted,
)
from exporter.rules.subjects import Bench, CardSpot, FrameChoice

W = TypeVar("W")

MOST_TOLD = 5
"""Ways that are told."""

MOST_ALIKE = 2
"""Of these, ways that do the same to the same cards, to other places."""

MOST_LOOKED_AT = 700
"""Builds judged to find other ways, besides those that finding the first one took."""

_MILD = ("move", "swap", "replace", "frame", "add", "remove-skill", "remove", "remove-pilot")
"""What players mind least comes first."""

SAME = ("kinds", "range")
"""Fields in which a card agrees with the one that it is exchanged for."""


def lost_cards(before: Build, after: Build) -> int:
    """How many of the cards and skills of a build are gone after changes."""
    return (_cards(before) - _cards(after)).total()


def _cards(build: Build) -> Counter[str]:
    cards = Counter(name for names in build.mounted.values() for name in names)
    cards.update(skill for pilot in build.pilots for skill in pilot.skills)
    return cards


def rank(before: Build, mending: Mending) -> tuple[int, int, list[int]]:
    """How good a way is: the fewer changes, then cards lost, then what is minded least."""
    changes = mending.changes or ()
    mild = sorted(_MILD.index(one.action) if one.action in _MILD else 0 for one in changes)
    return len(changes), lost_cards(before, mending.build), mild


def single_changes(bench: Bench, found: Found) -> Iterator[tuple[RepairStep, Build]]:
    """Every change that could bear on a fault, or on any, once."""
    seen = {key_of(bench.build)}
    each = (
        *changes_of(bench, found),
        *_swaps(bench, found),
        *_replacements(bench, found),
        *_frames(bench),
    )
    for change, build in each:
        key = key_of(build)
        if key not in seen:
            seen.add(key)
            yield replace(change, why=found[0].id), build


def _once(spots: Sequence[CardSpot]) -> Iterator[CardSpot]:
    """One of the copies of each card in each part."""
    found: dict[tuple[str, str], CardSpot] = {}
    for spot in spots:
        found.setdefault((spot.part, spot.card.id), spot)
    return iter(found.values())


def _swaps(bench: Bench, found: Found) -> Iterator[tuple[RepairStep, Build]]:
    if not mended_by_moving(found):
        return
    mounted = bench.build.mounted
    for spot in _once(found[1].touches):
        for other in _once(bench.spots):
            if other.part == spot.part or other.card.id == spot.card.id:
                continue
            if other.part in bench.parts_for(spot.card) and spot.part in bench.parts_for(
                other.card
            ):
                here, there = list(mounted[spot.part]), list(mounted[other.part])
                here[spot.slot], there[other.slot] = there[other.slot], here[spot.slot]
                change = RepairStep(
                    "swap", spot.card.name, spot.part, f"{other.card.name} ({other.part})"
                )
                changed = {spot.part: tuple(here), other.part: tuple(there)}
                yield change, with_mounted(bench.build, changed)


def _replacements(bench: Bench, found: Found) -> Iterator[tuple[RepairStep, Build]]:
    fault = found[1]
    for spot in _once(fault.touches):
        for card in _like(bench.game, spot.card):
            if spot.part in bench.parts_for(card):
                yield _replaced(bench, spot, card)
    if fault.missing is not None:
        likes = {card.id for card in _like(bench.game, fault.missing)}
        for spot in _once(bench.spots):
            if spot.card.id in likes and spot.part in bench.parts_for(fault.missing):
                yield _replaced(bench, spot, fault.missing)


def _replaced(bench: Bench, spot: CardSpot, card: Card) -> tuple[RepairStep, Build]:
    cards = list(bench.build.mounted[spot.part])
    cards[spot.slot] = bench.game.word(card)
    changed = {spot.part: tuple(cards)}
    change = RepairStep("replace", spot.card.name, spot.part, card.name)
    return change, with_mounted(bench.build, changed)


def _like(game: Game, card: Card) -> Sequence[Card]:
    """The other cards of the same sort, kind and range."""

    def work() -> Sequence[Card]:
        same = [card.get(field) for field in SAME]
        return [
            one
            for one in game.cards.values()
            if one.kind == card.kind
            and one.id != card.id
            and [one.get(field) for field in SAME] == same
        ]

    return game.once("like", work, card)


def _frames(bench: Bench) -> Iterator[tuple[RepairStep, Build]]:
    """The other words of what a build chooses besides its row of the frames."""
    build = bench.build
    for key, words in bench.game.frame.options.items():
        name = bench.game.frame.names.get(key, key)
        for word in words:
            if word != build.frame.get(key):
                change = RepairStep("frame", name, build.frame.get(key, ""), word)
                yield change, replace(build, frame={**build.frame, key: word}, places={})


class _Ways(Struct):
    """One search: the ways found so far, and what was judged."""

    game: Game
    book: Rulebook
    boxes: frozenset[str]
    waived: frozenset[str]
    left: int = MOST_LOOKED_AT
    judged: int = 0

    def judge(self, build: Build) -> Judged:
        found = against(self.game, self.book, build, self.boxes, self.waived)
        self.left -= found.work
        self.judged += 1
        return found

    def after_one(self, start: Judged) -> list[tuple[RepairStep, Build, Judged]]:
        """Every single change that bears on one fault of a build, judged."""
        found = []
        for change, build in single_changes(start.bench, min(start.faults, key=width_of)):
            if self.left > 0 and not FrameChoice(self.game, build).unknown:
                found.append((change, build, self.judge(build)))
        return found

    def of_two(
        self, build: Build, once: Iterable[tuple[RepairStep, Build, Judged]]
    ) -> Iterator[Mending]:
        """The ways of two changes, whose first are those made ``once``."""
        waiting = [one for one in once if one[2].faults and _could_be_one(one[2].faults)]
        waiting.sort(key=lambda one: (len(one[2].faults), lost_cards(build, one[1])))
        for change, _changed, judged in waiting:
            if self.left <= 0:
                break
            for second, changed, after in self.after_one(judged):
                if after.is_legal:
                    yield Mending(changed, (change, second), self.judged, searched_all=True)


class _Best(Struct):
    """The best way to each build that was found."""

    start: Build
    found: dict[object, tuple[tuple[int, int, list[int]], int, Mending]] = field(
        default_factory=dict
    )
    kept: int = 0

    def keep(self, mending: Mending) -> None:
        key = key_of(mending.build)
        ranked = rank(self.start, mending), self.kept, mending
        self.kept += 1
        if key not in self.found or ranked[0] < self.found[key][0]:
            self.found[key] = ranked

    @property
    def fewest(self) -> int:
        """The fewest changes of a way; more than are looked for where there is none."""
        return min((ranked[0] for ranked, _, _ in self.found.values()), default=3)

    def mendings(self) -> list[Mending]:
        """The best first."""
        return [one for _, _, one in sorted(self.found.values(), key=lambda one: one[:2])]


def _could_be_one(faults: list[Found]) -> bool:
    """Whether one change could mend all: two that share nothing only if cards change places or one
    is exchanged for what another lacks."""
    if least_changes(faults) > 2:
        return False
    alone = [one for one in faults if not mended_by_moving(one) and one[1].missing is None]
    return least_changes(alone) < 2


def ways_to_mend(
    game: Game,
    book: Rulebook,
    build: Build,
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
) -> list[Mending]:
    """The ways to mend a build that were found, at most five, best first; one that says so where
    there is none.

    Ways of one change are all looked at, of two as far as time allows.
    """
    first = mend(game, book, build, boxes, waived)
    if FrameChoice(game, build).unknown or first.changes == ():
        return [first]
    search = _Ways(game, book, boxes, waived)
    start = search.judge(build)
    if not start.faults:
        return [first]
    kept = _Best(build)
    if first.changes is not None:
        kept.keep(first)
    once = search.after_one(start)
    for change, changed, judged in once:
        if judged.is_legal:
            kept.keep(Mending(changed, (change,), search.judged, searched_all=True))
    if kept.fewest >= 2:
        for mending in search.of_two(build, once):
            kept.keep(mending)
    return list(of_each_sort(kept.mendings(), _sort))[:MOST_TOLD] or [first]


def of_each_sort(ways: Iterable[W], sort: Callable[[W], object]) -> Iterator[W]:
    """Not all the places or cards that one may be exchanged for, but two of each sort of way."""
    seen: Counter[object] = Counter()
    for one in ways:
        seen[sort(one)] += 1
        if seen[sort(one)] <= MOST_ALIKE:
            yield one


def _sort(mending: Mending) -> object:
    return tuple(sorted((change.action, change.what) for change in mending.changes or ()))


def in_the_way(
    game: Game,
    book: Rulebook,
    build: Build,
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
) -> Mapping[str, Mending]:
    """Rules that a build breaks, each without which it could be mended, and how."""
    broken = against(game, book, build, boxes, waived).faults
    found: dict[str, Mending] = {}
    for name in dict.fromkeys(rule.id for rule, _ in broken):
        mending = mend(game, book, build, boxes, waived | {name}, most_judged=200)
        if mending.changes is not None:
            found[name] = mending
    return found
