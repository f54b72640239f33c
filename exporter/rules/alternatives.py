"""Several ways to mend a build, best first, with changes that keep more than leaving cards out.

Besides what ``exporter.rules.repair`` tries there are two cards that change places, a card
exchanged for one of the same kind and range, and another choice of the frame, such as its seats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
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
    about_benches,
    against,
    by_skills,
    changes_of,
    is_legal,
    key_of,
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

MOST_LOOKED_AT = 1600
"""Builds looked at before the search for the best way gives up."""

MOST_SURE = 2
"""Changes of which all ways are looked at, before any way of more is taken."""

MOST_BEYOND = 400
"""Builds looked at for a better one of these."""

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
    """One search: what was judged, by what tells builds apart.

    ``reaching`` are cards (ids) that change what holds of others: figures, or what may lie where.
    """

    game: Game
    book: Rulebook
    boxes: frozenset[str]
    waived: frozenset[str]
    left: int = MOST_LOOKED_AT
    reaching: frozenset[str] = frozenset()
    known: dict[object, Judged] = field(default_factory=dict)
    illegal: set[object] = field(default_factory=set)

    @property
    def looked_at(self) -> int:
        """How many builds were."""
        return len(self.illegal | self.known.keys())

    def judge(self, build: Build, key: object = None) -> Judged:
        """A build with all that stands against it."""
        key = key or key_of(build)
        if key not in self.known:
            self.known[key] = against(self.game, self.book, build, self.boxes, self.waived)
            self.left -= self.known[key].work
        return self.known[key]

    def is_legal(self, build: Build, key: object) -> bool:
        """Whether nothing stands against a build; no further is looked than to the first fault."""
        if key in self.known or key in self.illegal:
            return key in self.known and self.known[key].is_legal
        legal, work = is_legal(self.game, self.book, build, self.boxes, self.waived)
        self.left -= work
        if not legal:
            self.illegal.add(key)
        return legal

    def of(self, start: Build, most: int, lost: int = MOST_LOOKED_AT) -> Iterator[Mending]:
        """The ways of as many changes as ``most``, whatever order they are made in, that lose no
        more than ``lost`` cards.

        Each change bears on the fault that leaves the least choice, and leaves no more of the
        others than the changes behind it can mend; a frame is chosen before all else.
        """
        reached: list[tuple[Build, tuple[RepairStep, ...]]] = [(start, ())]
        seen = {key_of(start)}
        for left in reversed(range(most)):
            before, reached = reached, []
            for build, made in before:
                for change, changed in self._next(build, made, left):
                    key = key_of(changed)
                    if key in seen or lost_cards(start, changed) > lost:
                        continue
                    seen.add(key)
                    if self.left <= 0:
                        return
                    if left:
                        if self.judge(changed, key).faults:
                            reached.append((changed, (*made, change)))
                    elif self.is_legal(changed, key):
                        yield Mending(changed, (*made, change), self.looked_at, searched_all=True)
            reached.sort(key=lambda one: len(self.judge(one[0]).faults))

    def _next(
        self, build: Build, made: tuple[RepairStep, ...], left: int
    ) -> Iterator[tuple[RepairStep, Build]]:
        """The changes after those ``made`` that leave no more than so many others can mend."""
        judged = self.judge(build)
        faults = [_Needs.of(one) for one in judged.faults]
        for change, changed in single_changes(judged.bench, min(judged.faults, key=_choice)):
            if change.action == "frame":
                fits = all(one.action == "frame" for one in made)
                fits = fits and not FrameChoice(self.game, changed).unknown
            else:
                what = altered(judged.bench, changed)
                fits = not what.isdisjoint(self.reaching) or may_suffice(faults, what, left)
            if fits:
                yield change, changed


class _Needs(Struct, frozen=True):
    """What mends a fault: a change of one of ``what``, cards in parts, cards added, skills.

    ``shares``: one change may mend another like it too, as two cards change places; ``lacks``: or
    any other, as a card is exchanged for what this one lacks.
    """

    what: frozenset[object]
    shares: bool
    lacks: bool

    @staticmethod
    def of(found: Found) -> _Needs:
        fault = found[1]
        what: set[object] = {(spot.part, spot.card.id) for spot in fault.touches}
        if fault.missing is not None:
            what.add(fault.missing.id)
        if by_skills(found):
            what.add("skills")
        return _Needs(frozenset(what), mended_by_moving(found), fault.missing is not None)


def _choice(found: Found) -> tuple[int, bool]:
    """How much choice a fault leaves; more than it says where cards stand for one that it lacks."""
    return width_of(found), found[1].missing is not None


def altered(bench: Bench, changed: Build) -> set[object]:
    """What a build that is one change from a bench has no more: cards, also in which parts, and
    skills; and the cards that it has more of."""
    game, build = bench.game, bench.build
    found: set[object] = {"skills"} if changed.pilots != build.pilots else set()
    more: Counter[str] = Counter()
    for part, names in changed.mounted.items():
        before = build.mounted.get(part, ())
        if names is not before:
            now, then = Counter(names), Counter(before)
            gone = [card.id for name in then - now if (card := game.card(name))]
            found.update(gone, ((part, card) for card in gone))
            more.update(now)
            more.subtract(then)
    return found | {card.id for name in +more if (card := game.card(name))}


def may_suffice(faults: Sequence[_Needs], change: Set[object], left: int) -> bool:
    """Whether after a change so many more could mend what it does not bear on."""
    taken: set[object] = set()
    alone = shares = lacks = 0
    for one in sorted(faults, key=lambda one: (one.lacks, one.shares, len(one.what))):
        if not one.what.isdisjoint(change) or not one.what.isdisjoint(taken):
            continue
        taken |= one.what
        alone += not (one.shares or one.lacks)
        shares += one.shares and not one.lacks
        lacks += one.lacks
    every = alone + shares + lacks
    pairs = lacks + shares // 2 if alone > lacks else every // 2
    return every - pairs <= left


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
    else that of the changes which take the least to try.
    """
    book = about_benches(book)
    search = _Ways(game, book, boxes, waived, reaching=_reaching(game, book))
    if FrameChoice(game, build).unknown or not search.judge(build).faults:
        return [mend(game, book, build, boxes, waived)]
    for most in range(1, MOST_SURE + 1):
        if found := list(search.of(build, most)):
            return _best(build, found)
    first = mend(game, book, build, boxes, waived, judge=search.judge)
    if first.changes is None:
        return [first]
    search.left = min(search.left, MOST_BEYOND)
    for most in range(MOST_SURE + 1, len(first.changes)):
        if found := list(search.of(build, most)):
            return _best(build, found)
    for lost in range(lost_cards(build, first.build) + 1):
        if found := list(search.of(build, len(first.changes), lost)):
            return _best(build, [first, *found])
    return [first]


def _reaching(game: Game, book: Rulebook) -> frozenset[str]:
    fields = {"modifies"}
    for rule in book.rules.values():
        fields.update(rule.kind.reaching_fields() if rule.kind else ())
    return frozenset(card.id for card in game.cards.values() if any(map(card.get, fields)))


def _best(build: Build, found: Sequence[Mending]) -> list[Mending]:
    """The best of some ways, no two to the same build, best first."""
    ranked = sorted(found, key=lambda one: rank(build, one))
    different = {key_of(one.build): one for one in reversed(ranked)}
    return list(of_each_sort(reversed(different.values()), _sort))[:MOST_TOLD]


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
