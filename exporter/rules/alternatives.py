"""Several ways to mend a build, best first, with changes that keep more than leaving cards out.

Besides what ``exporter.rules.repair`` tries there are two cards that change places, a card
exchanged for one of the same kind and range, and another choice of the frame, such as its seats.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, combinations, count, islice
from math import inf
from typing import TypeAlias, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.model import (
    Build,
    Card,
    Game,
)
from exporter.rules.judging import Found
from exporter.rules.repair import (
    Judge,
    Judged,
    Mending,
    RepairStep,
    about_benches,
    after,
    changes_of,
    key_of,
    mend,
    mended_by_moving,
    with_mounted,
)
from exporter.rules.rulebook import Rulebook
from exporter.rules.subjects import (
    Bench,
    CardSpot,
    FrameChoice,
)
from exporter.rules.sufficing import (
    Needs,
    altered,
    choice,
    is_open,
    may_suffice,
    without,
)

W = TypeVar("W")

_Standing: TypeAlias = tuple[int, tuple[int, ...]]
"""Of a build on the way: less the changes that may follow, how much those made are minded."""

MOST_TOLD = 5
"""Ways that are told."""

MOST_ALIKE = 2
"""Of these, ways that do the same to the same cards, to other places."""

MOST_LOOKED_AT = 4000
"""Builds looked at before the search for the best way gives up."""

MOST_SURE = 3
"""Changes of which all ways are looked at, before any way of more is taken."""

MOST_BEYOND = 400
"""Builds looked at for further ways than the best."""

_MILD = ("move", "swap", "replace", "frame", "add", "remove-skill", "remove", "remove-pilot")
"""What players mind least comes first."""

SAME = ("kinds", "range")
"""Fields in which a card agrees with the one that it is exchanged for."""


def lost_cards(before: Build, after: Build) -> int:
    """How many of the cards and skills of a build are gone after changes."""
    return len(without(_cards(before), _cards(after)))


def _cards(build: Build) -> list[str]:
    mounted = [name for names in build.mounted.values() for name in names]
    return mounted + [skill for pilot in build.pilots for skill in pilot.skills]


def rank(before: Build, mending: Mending) -> tuple[int, int, tuple[int, ...]]:
    """How good a way is: the fewer changes, then cards lost, then what is minded least."""
    changes = mending.changes or ()
    return len(changes), lost_cards(before, mending.build), minded(changes)


def minded(changes: Iterable[RepairStep]) -> tuple[int, ...]:
    """How much players mind some changes."""
    return tuple(sorted([_MILD.index(one.action) for one in changes]))


def single_changes(bench: Bench, found: Found) -> Iterator[tuple[RepairStep, Build]]:
    """Every change that could bear on a fault, or on any; some lead to the same build."""
    for each in (changes_of, _swaps, _replacements, _frames):
        yield from each(bench, found)


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
    yield from _replaced_by(bench, found)
    if fault.missing is not None:
        likes = {card.id for card in _like(bench.game, fault.missing)}
        for spot in _once(bench.spots):
            if spot.card.id in likes and spot.part in bench.parts_for(fault.missing):
                yield _replaced(bench, spot, fault.missing)


def _replaced_by(
    bench: Bench, found: Found, some: Set[str] | None = None
) -> Iterator[tuple[RepairStep, Build]]:
    """What a fault touches exchanged for cards like it, or for some of these (ids)."""
    for spot in _once(found[1].touches):
        for card in _like(bench.game, spot.card):
            if (some is None or card.id in some) and spot.part in bench.parts_for(card):
                yield _replaced(bench, spot, card)


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


def _frames(bench: Bench, _found: Found) -> Iterator[tuple[RepairStep, Build]]:
    """The other words of what a build chooses besides its row of the frames."""
    build = bench.build
    for key, words in bench.game.frame.options.items():
        name = bench.game.frame.names.get(key, key)
        for word in words:
            if word != build.frame.get(key):
                change = RepairStep("frame", name, build.frame.get(key, ""), word)
                yield change, replace(build, frame={**build.frame, key: word}, places={})


class Ways(Struct):
    """One search: what was judged, by what tells builds apart.

    ``modifying`` are cards (ids) that change figures, ``reaching`` these and what else changes what
    holds of others, as what may lie where. ``one_name_each``: no two cards have one name.
    """

    court: Judge
    left: int
    modifying: frozenset[str]
    reaching: frozenset[str]
    one_name_each: bool
    known: dict[object, Judged] = field(default_factory=dict)
    alters: dict[object, Set[object]] = field(default_factory=dict)
    illegal: set[object] = field(default_factory=set)

    @staticmethod
    def among(court: Judge, most: int = MOST_LOOKED_AT) -> Ways:
        """A search that looks at so many builds at the most."""
        cards = court.game.cards.values()

        def having(*fields: str) -> frozenset[str]:
            return frozenset(card.id for card in cards if any(map(card.get, fields)))

        kinds = (rule.kind for rule in court.book.rules.values() if rule.kind is not None)
        reaching = (name for kind in kinds for name in kind.reaching_fields())
        apart = len({card.name for card in cards}) == len(cards)
        return Ways(court, most, having("modifies"), having("modifies", *reaching), apart)

    @property
    def looked_at(self) -> int:
        """How many builds were."""
        return len(self.illegal | self.known.keys())

    def judge(self, build: Build, key: object = None) -> Judged:
        """A build with all that stands against it."""
        key = key or key_of(build)
        if key not in self.known:
            self.known[key] = self.court.against(build)
            self.left -= self.known[key].work
        return self.known[key]

    def is_legal(self, build: Build, key: object) -> bool:
        """Whether nothing stands against a build; no further is looked than to the first fault."""
        if key in self.known or key in self.illegal:
            return key in self.known and self.known[key].is_legal
        legal, work = self.court.is_legal(build)
        self.left -= work
        if not legal:
            self.illegal.add(key)
        return legal

    def of(self, start: Build, most: int, below: float = inf) -> Iterator[Mending]:
        """The ways of as many changes as ``most``, whatever order they are made in, best first,
        that lose fewer cards than ``below``.

        Each change bears on the fault that leaves the least choice, and leaves no more of the
        others than the changes behind it can mend; a frame is chosen before all else.
        """
        numbers = count()
        waiting: list[tuple[int, _Standing, int, Build, object, tuple[RepairStep, ...]]] = []
        heapq.heappush(waiting, (0, (-most, ()), next(numbers), start, key_of(start), ()))
        reached: dict[object, _Standing] = {key_of(start): (-most, ())}
        while waiting and self.left > 0:
            lost, standing, _, build, key, made = heapq.heappop(waiting)
            left = standing[0]
            if standing > reached[key]:
                continue
            if left == 0:
                if self.is_legal(build, key):
                    yield Mending(build, made, self.looked_at, searched_all=True)
            elif self.judge(build, key).faults:
                for change, changed in self._next(build, made, -left - 1):
                    key, changes = key_of(changed), (*made, change)
                    standing = left + 1, minded(changes) if left == -1 else ()
                    if key not in reached or standing < reached[key]:
                        reached[key] = standing
                        lost = lost_cards(start, changed)
                        one = (lost, standing, next(numbers), changed, key, changes)
                        if lost < below:
                            heapq.heappush(waiting, one)

    def better(self, start: Build, found: Mending) -> Mending:
        """The best of a way and of those that make all its changes but two, or but three where
        fewer cards are lost so, as far as so many builds can be looked at."""
        best, steps, game = found, found.changes or (), self.court.game
        for free in (2, 3):
            for kept in combinations(reversed(steps), max(0, len(steps) - free)):
                begun = start
                for step in kept:
                    begun = after(game, begun, step)
                lost = lost_cards(start, best.build) - lost_cards(start, begun)
                for way in islice(self.of(begun, free, lost + (free == 2)), 1):
                    changes = (*kept, *(way.changes or ()))
                    one = replace(way, changes=changes)
                    best = min(best, one, key=lambda each: rank(start, each))
        return best

    def _next(
        self, build: Build, made: tuple[RepairStep, ...], left: int
    ) -> Iterator[tuple[RepairStep, Build]]:
        """The changes after those ``made`` that leave no more than so many others can mend."""
        judged = self.judge(build)
        chosen = min(judged.faults, key=choice)
        faults = [Needs.of(one) for one in judged.faults if not (left and is_open(one))]
        faults.sort(key=lambda one: (one.lacks, one.shares, len(one.what)))
        by = Needs.of(chosen).by
        steadfast = [one for one in faults if not one.absent]
        far = self._from_afar(judged, chosen) if chosen[1].lack else ()
        for change, changed in chain(single_changes(judged.bench, chosen), far):
            if change.action == "frame":
                fits = all(one.action == "frame" for one in made)
                fits = fits and not FrameChoice(self.court.game, changed).unknown
            else:
                what = self._altered(judged.bench, change, changed)
                modifies = not what.isdisjoint(self.modifying)
                reaches = not what.isdisjoint(self.reaching)
                others = [] if modifies else steadfast if reaches else faults
                fits = modifies or (reaches and chosen[1].lack) or not by.isdisjoint(what)
                fits = fits and may_suffice(others, what, left)
            if fits:
                yield change if change.why else replace(change, why=chosen[0].id), changed

    def _altered(self, bench: Bench, change: RepairStep, changed: Build) -> Set[object]:
        """What a change alters, found once for all builds in which the same cards are changed."""
        action = "remove" if change.action == "move" else change.action
        key = action, change.what, change.source, change.target * (action != "remove")
        if key not in self.alters or not self.one_name_each:
            self.alters[key] = altered(bench, changed)
        return self.alters[key]

    def _from_afar(self, judged: Judged, chosen: Found) -> Iterator[tuple[RepairStep, Build]]:
        """Cards exchanged because of other faults for what may bring the one chosen what it
        lacks."""
        bringing = self.reaching - self.modifying
        for found in judged.faults:
            if found is not chosen:
                for change, changed in _replaced_by(judged.bench, found, bringing):
                    yield replace(change, why=found[0].id), changed


def ways_to_mend(
    game: Game,
    book: Rulebook,
    build: Build,
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
) -> list[Mending]:
    """The ways to mend a build of the fewest changes, at most five, best first; one that says so
    where there is none.

    Of all ways with so few changes the best is given, as far as so many builds can be looked at;
    else that of the changes which take the least to try, or a better one that shares some of them.
    """
    search = Ways.among(Judge(game, about_benches(book), boxes, waived))
    if FrameChoice(game, build).unknown or not search.judge(build).faults:
        return [mend(game, book, build, boxes, waived)]
    for most in range(1, MOST_SURE + 1):
        for best in (ways := search.of(build, most)):
            search.left = min(search.left, MOST_BEYOND)
            return list(islice(of_each_sort(chain([best], ways), _sort), MOST_TOLD))
    found = mend(game, book, build, boxes, waived, judge=search.judge)
    return [search.better(build, found)]


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
    broken = Judge(game, book, boxes, waived).against(build).faults
    found: dict[str, Mending] = {}
    for name in dict.fromkeys(rule.id for rule, _ in broken):
        mending = mend(game, book, build, boxes, waived | {name}, most_judged=200)
        if mending.changes is not None:
            found[name] = mending
    return found
