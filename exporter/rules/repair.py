"""What to change: the smallest mending of an illegal build.

A search with a bound on how many builds it judges, not on time, so that the same
question always has the same answer.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import count
from typing import Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Severity,
)
from exporter.model import (
    Build,
    Game,
)
from exporter.rules.figures import (
    FigureResults,
    work_out,
)
from exporter.rules.judging import (
    Found,
    faults_of,
)
from exporter.rules.kind import (
    Rule,
    rules_about,
)
from exporter.rules.kinds.exchange import before_exchange
from exporter.rules.rulebook import Rulebook
from exporter.rules.subjects import (
    Bench,
    FrameChoice,
    lay_out,
)

MOST_JUDGED = 1500
"""Builds judged before a search gives up: about a second on a slow machine."""

WAYS_OF_A_BUILD = 100
"""Ways to exchange cards that take about as long to look at as a usual build to judge."""

Action: TypeAlias = Literal[
    "move", "swap", "replace", "frame", "add", "remove", "remove-skill", "remove-pilot",
    "exchange", "take", "put",
]  # fmt: skip


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

    @property
    def is_of_decks(self) -> bool:
        """Whether it changes a deck, which its places name."""
        return self.action in ("exchange", "take", "put")


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


def about_benches(book: Rulebook) -> Rulebook:
    """The rules that look at a build, for who has many judged."""
    rules = {
        name: rule
        for name, rule in book.rules.items()
        if rule.kind is not None and issubclass(Bench, rule.kind.subjects)
    }
    return replace(book, rules=rules)


class Judge(Struct, frozen=True):
    """Judges many builds that are much alike, by rules that are not waived.

    ``figures`` are kept by what they follow from: most changes move cards, and change none.
    """

    game: Game
    book: Rulebook
    boxes: frozenset[str]
    waived: frozenset[str]
    figures: dict[Hashable, FigureResults] = field(default_factory=dict)

    def against(self, build: Build) -> Judged:
        """A build with all that stands against it."""
        bench = before_exchange(self._laid_out(build), self.book.rules.values())
        found, problems = faults_of(bench, self.book.rules.values())
        return Judged(bench, list(filter(self._counts, found)), not problems, _work(bench))

    def is_legal(self, build: Build) -> tuple[bool, int]:
        """Whether nothing stands against a build, and how long that took in usual builds.

        Cards in exchange are looked at last: that takes the longest.
        """
        bench = self._laid_out(build)
        rules = self.book.rules.values()
        sooner = [rule for rule in rules if rule.kind is not None and rule.kind.before_exchange]
        try:
            if bench.problems or self._is_broken(bench, sooner):
                return False, 1
            bench = before_exchange(bench, rules, most_slack=0)
            return not bench.problems and not self._is_broken(bench, rules), _work(bench)
        except InvalidSource:
            return False, _work(bench)

    def _is_broken(self, bench: Bench, rules: Iterable[Rule]) -> bool:
        return any(
            self._counts((rule, fault))
            for rule, kind, part in rules_about(bench, rules)
            for fault in kind.faults(part, rule)
        )

    def _laid_out(self, build: Build) -> Bench:
        names = [name for cards in build.mounted.values() for name in cards]
        skills = sorted(skill for pilot in build.pilots for skill in pilot.skills)
        key = *sorted(names), "", *skills, "", *sorted(build.frame.items())
        if key not in self.figures:
            self.figures[key] = work_out(self.game, build)
        worked = self.figures[key]
        return lay_out(self.game, build, self.book.placements, self.boxes, worked=worked)

    def _counts(self, found: Found) -> bool:
        """Whether a fault stands against a build: it is no notice, and nobody waived it."""
        rule, fault = found
        return fault.severity is Severity.ERROR and rule.id not in self.waived


def _work(bench: Bench) -> int:
    """How long judging a build takes, in usual builds."""
    return 1 + bench.ways // WAYS_OF_A_BUILD


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


def by_skills(found: Found) -> bool:
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
    if by_skills(found):
        yield from _skill_changes(bench)


def after(game: Game, build: Build, step: RepairStep) -> Build:
    """A build after one of the steps that ``mend`` takes."""
    match step.action:
        case "remove-pilot":
            pilots = [pilot for pilot in build.pilots if pilot.name != step.what]
            return replace(build, pilots=tuple(pilots), places={})
        case "remove-skill":
            fewer = [
                replace(pilot, skills=_without(pilot.skills, pilot.skills.index(step.what)))
                if pilot.name == step.source and step.what in pilot.skills
                else pilot
                for pilot in build.pilots
            ]
            return replace(build, pilots=tuple(fewer), places={})
    mounted, changed = build.mounted, dict[str, tuple[str, ...]]()
    word = step.what
    if step.source:
        names = mounted[step.source]
        slot = next(i for i, name in enumerate(names) if _is_called(game, name, step.what))
        word, changed[step.source] = names[slot], _without(names, slot)
    if step.target:
        changed[step.target] = (*mounted.get(step.target, ()), word)
    return with_mounted(build, changed)


def _is_called(game: Game, word: str, name: str) -> bool:
    card = game.card(word)
    return card is not None and card.name == name


def key_of(build: Build) -> Hashable:
    """What tells builds apart: the frame, and what is in which part and seat, in any order."""
    mounted = [(part, *sorted(names)) for part, names in build.mounted.items() if names]
    pilots = [(pilot.name, *sorted(pilot.skills)) for pilot in build.pilots]
    return frozenset(mounted), *sorted(pilots), frozenset(build.frame.items())


def least_changes(faults: list[Found]) -> int:
    """How many changes it takes at the least: one for each fault that shares nothing."""
    taken: set[tuple[str, int]] = set()
    least = 0
    for found in faults:
        touched = {(spot.part, spot.slot) for spot in found[1].touches}
        if by_skills(found):
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
    judge: Callable[[Build], Judged] | None = None,
) -> Mending:
    """The smallest set of changes after which a build is legal; moves before removals.

    Whatever mends a build changes something that each of its faults touches, so only what one of
    them touches is tried (A*: faults that share nothing need a change each). ``judge`` is another
    way to have a build judged.
    """
    if judge is None:
        judge = Judge(game, about_benches(book), boxes, waived).against
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
            tried.judged = judge(tried.build)
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
