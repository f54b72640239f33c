"""The changes that may repair a build: cards moved, exchanged, added or left out, skills and pilots
left out, another choice of the frame; and what each of them takes after it at the least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import chain, combinations, islice
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import first_by
from exporter.model import (
    Build,
    Card,
    Game,
)
from exporter.rules.figures import (
    FigureResults,
    work_out,
)
from exporter.rules.repair import (
    Action,
    Judged,
    RepairChange,
    Repairs,
    RepairStep,
    Search,
    Steps,
)
from exporter.rules.rulebook import (
    Found,
)
from exporter.rules.subjects import (
    CardSpot,
    FrameChoice,
    MountedBuild,
    lay_out,
)

# More cards than a fault touches.
MANY = 1000

# Fields in which a card agrees with the one that it is exchanged for.
SAME = ("kinds", "range")

# What players mind least comes first.
_MILD: tuple[Action, ...] = (
    "move", "swap", "replace", "frame", "add", "remove-skill", "remove", "remove-pilot",
)  # fmt: skip


class BuildChange(Struct, frozen=True):
    """A step and the build after it; ``altered`` is what faults may rest on of which it has more
    or less: cards, also by their parts, parts with fewer, skills."""

    step: RepairStep
    build: Build
    altered: Set[object]
    lost: int = 0


class BuildRepairs(Repairs[Build]):
    """Repairs of what is mounted on a build, its pilots and its frame."""

    @cached_property
    def _figures(self) -> dict[Hashable, FigureResults]:
        """Figures by what they follow from: most changes move cards, and change none."""
        return {}

    @cached_property
    def _modifying(self) -> frozenset[str]:
        """Cards (ids) that change figures."""
        return self._having("modifies")

    @cached_property
    def _reaching(self) -> frozenset[str]:
        """These, and what else changes what holds of others, as what may lie where."""
        kinds = (rule.kind for rule in self.book.rules.values() if rule.kind is not None)
        return self._having(
            "modifies", *(name for kind in kinds for name in kind.reaching_fields())
        )

    def _having(self, *fields: str) -> frozenset[str]:
        cards = self.game.cards.values()
        return frozenset(card.id for card in cards if any(map(card.get, fields)))

    def start(self) -> Build:
        return self.build

    def mended(self, state: Build) -> Build:
        return state

    def key(self, state: Build) -> Hashable:
        """The frame, and what is in which part and seat, in any order."""
        mounted = [(part, *sorted(names)) for part, names in state.mounted.items() if names]
        pilots = [(pilot.name, *sorted(pilot.skills)) for pilot in state.pilots]
        return frozenset(mounted), *sorted(pilots), frozenset(state.frame.items())

    def judge(self, state: Build) -> Judged:
        names = [name for cards in state.mounted.values() for name in cards]
        skills = sorted(skill for pilot in state.pilots for skill in pilot.skills)
        key = *sorted(names), "", *skills, "", *sorted(state.frame.items())
        if key not in self._figures:
            self._figures[key] = work_out(self.game, state)
        worked = self._figures[key]
        return self.judge_subject(
            lay_out(self.game, state, self.book.placements, self.boxes, worked=worked)
        )

    def at_least(self, faults: Sequence[Found]) -> tuple[int, int]:
        """One change may mend all."""
        return min(1, len(faults)), 0

    def estimate(self, faults: Sequence[Found]) -> int:
        """One for each that shares nothing with those before."""
        taken: set[object] = set()
        count = 0
        for one in map(_Need.of, faults):
            if one.what.isdisjoint(taken):
                taken |= one.what
                count += 1
        return count

    def changes(
        self, judged: Judged, state: Build, made: Steps, in_haste: bool
    ) -> Iterator[RepairChange[Build]]:
        """The changes that bear on the fault that leaves the least choice; a frame is chosen before
        all else. In haste there are moves and what is left out or added alone."""
        chosen = min(judged.faults, key=_width if in_haste else _choice)
        needs = [_Need.of(one) for one in judged.faults]
        needs.sort(key=lambda one: (one.lacks, one.shares, len(one.what)))
        steadfast = [one for one in needs if not one.absent]
        by, lack = _Need.of(chosen).by, chosen[1].lack
        far = self._from_afar(judged, chosen) if lack else ()
        for change in chain(changes_of(judged.subject, chosen), far):
            altered, step = change.altered, change.step
            if in_haste and step.action in ("swap", "replace", "frame"):
                continue
            modifies = step.action == "frame" or not altered.isdisjoint(self._modifying)
            reaches = modifies or not altered.isdisjoint(self._reaching)
            others = () if modifies else steadfast if reaches else needs
            fits = modifies or (reaches and lack) or not by.isdisjoint(altered)
            if step.action == "frame":
                fits = all(one.action == "frame" for one in made)
                fits = fits and not FrameChoice(self.game, change.build).unknown
            if fits or in_haste:
                step = step if step.why else replace(step, why=chosen[0].id)
                yield RepairChange(change.build, change.lost, (_least(others, altered), 0), step)

    def _from_afar(self, judged: Judged, chosen: Found) -> Iterator[BuildChange]:
        """Cards exchanged because of other faults for what may bring the one chosen what it
        lacks."""
        for found in judged.faults:
            if found is not chosen:
                for change in _replaced(judged.subject, found, self._reaching - self._modifying):
                    yield replace(change, step=replace(change.step, why=found[0].id))

    def better(self, state: Build, made: Steps) -> tuple[Build, Steps]:
        """The best of what was found in haste and of what makes all its changes but two, or but
        three where fewer cards are lost so, as far as so many builds can be judged."""
        best, left = (state, made), self.most_judged
        for free in (2, 3):
            for kept in combinations(reversed(made), max(0, len(made) - free)):
                begun = self.build
                for step in kept:
                    begun = _after(self.game, begun, step)
                lost = lost_cards(self.build, best[0]) - lost_cards(self.build, begun)
                near = replace(self, build=begun)
                search = Search(near, left, farthest=free, most_lost=lost - (free == 3))
                for one in islice(search.legal(), 1):
                    best = min(best, (one.state, (*kept, *one.made)), key=lambda e: self.rank(*e))
                left = search.left
        return best

    def rank(self, state: Build, made: Sequence[RepairStep]) -> tuple[Any, ...]:
        mild = sorted(_MILD.index(one.action) for one in made)
        return len(made), lost_cards(self.build, state), mild


def lost_cards(before: Build, after: Build) -> int:
    """How many of the cards and skills of a build are gone after changes."""
    was, now = (
        Counter(
            chain(*build.mounted.values(), *(pilot.skills for pilot in build.pilots)),
        )
        for build in (before, after)
    )
    return (was - now).total()


def changes_of(mounted_build: MountedBuild, found: Found) -> Iterator[BuildChange]:
    """Every change that could bear on a fault, or on any; some lead to the same build."""
    mounted, fault = mounted_build.build.mounted, found[1]
    movable = mended_by_moving(found)
    for spot in _once(fault.touches):
        name, word = spot.card.name, mounted[spot.part][spot.slot]
        for part in mounted_build.parts_for(spot.card) if movable else ():
            if part != spot.part:
                step = RepairStep("move", name, spot.part, part)
                yield _edited(mounted_build, step, (spot.part, spot.slot, ""), (part, -1, word))
        step = RepairStep("remove", name, spot.part)
        yield _edited(mounted_build, step, (spot.part, spot.slot, ""))
    missing = fault.missing
    for part in mounted_build.parts_for(missing) if missing else ():
        assert missing is not None
        step = RepairStep("add", missing.name, "", part)
        yield _edited(mounted_build, step, (part, -1, mounted_build.game.word(missing)))
    if _by_skills(found):
        yield from _without_skills(mounted_build)
    for spot in _once(fault.touches) if movable else ():
        yield from _swapped(mounted_build, spot)
    yield from _replaced(mounted_build, found)
    likes = _like(mounted_build.game, missing) if missing else ()
    for spot in _once(mounted_build.spots) if missing else ():
        if missing and spot.card in likes and spot.part in mounted_build.parts_for(missing):
            yield _replaced_by(mounted_build, spot, missing)
    yield from _frames(mounted_build)


def _edited(
    mounted_build: MountedBuild, step: RepairStep, *edits: tuple[str, int, str]
) -> BuildChange:
    """A build with words put into slots of parts, behind the others in slot -1; an empty word takes
    the card away."""
    game, mounted = mounted_build.game, dict(mounted_build.build.mounted)
    gone, come, altered = list[str](), list[str](), set[object]()
    for part, slot, word in edits:
        cards = list(mounted.get(part, ()))
        if slot < 0:
            cards.append(word)
        else:
            card = game.card(cards[slot])
            gone += [card.id] if card else []
            altered.add((part, gone[-1]))
            cards[slot : slot + 1] = [word] if word else []
            if not word:
                altered.add(("fewer", part))
        if word and (card := game.card(word)):
            come.append(card.id)
        mounted[part] = tuple(cards)
    if not set(come) <= set(gone):
        altered.add("more")
    build = replace(mounted_build.build, mounted=mounted, places={})
    lost = sum(one not in come for one in gone)
    return BuildChange(step, build, altered.union(gone, come), lost)


def _after(game: Game, build: Build, step: RepairStep) -> Build:
    """A build after a step that was found in haste."""
    if step.action.startswith("remove-"):
        gone = step.what
        pilots = [one for one in build.pilots if step.source or one.name != gone]
        for index, pilot in enumerate(pilots):
            if step.source == pilot.name and step.what in pilot.skills:
                slot = pilot.skills.index(step.what)
                skills = pilot.skills[:slot] + pilot.skills[slot + 1 :]
                pilots[index] = replace(pilot, skills=skills)
        return replace(build, pilots=tuple(pilots), places={})
    mounted, word = dict(build.mounted), step.what
    if step.source:
        names = list(mounted[step.source])
        word = next(one for one in names if (card := game.card(one)) and card.name == step.what)
        names.remove(word)
        mounted[step.source] = tuple(names)
    if step.target:
        mounted[step.target] = (*mounted.get(step.target, ()), word)
    return replace(build, mounted=mounted, places={})


def _once(spots: Sequence[CardSpot]) -> Iterable[CardSpot]:
    """One of the copies of each card in each part."""
    return first_by(spots, lambda spot: (spot.part, spot.card.id)).values()


def _without_skills(mounted_build: MountedBuild) -> Iterator[BuildChange]:
    build, altered = mounted_build.build, {"skills"}
    for index, pilot in enumerate(build.pilots):
        before, after = build.pilots[:index], build.pilots[index + 1 :]
        for slot, skill in enumerate(pilot.skills):
            fewer = replace(pilot, skills=pilot.skills[:slot] + pilot.skills[slot + 1 :])
            changed = replace(build, pilots=(*before, fewer, *after), places={})
            yield BuildChange(RepairStep("remove-skill", skill, pilot.name), changed, altered, 1)
        changed = replace(build, pilots=(*before, *after), places={})
        step = RepairStep("remove-pilot", pilot.name)
        yield BuildChange(step, changed, altered, len(pilot.skills))


def _swapped(mounted_build: MountedBuild, spot: CardSpot) -> Iterator[BuildChange]:
    mounted = mounted_build.build.mounted
    for other in _once(mounted_build.spots):
        if (
            other.part != spot.part
            and other.card.id != spot.card.id
            and other.part in mounted_build.parts_for(spot.card)
            and spot.part in mounted_build.parts_for(other.card)
        ):
            target = f"{other.card.name} ({other.part})"
            yield _edited(
                mounted_build,
                RepairStep("swap", spot.card.name, spot.part, target),
                (spot.part, spot.slot, mounted[other.part][other.slot]),
                (other.part, other.slot, mounted[spot.part][spot.slot]),
            )


def _replaced(
    mounted_build: MountedBuild, found: Found, some: Set[str] | None = None
) -> Iterator[BuildChange]:
    """What a fault touches exchanged for cards like it, or for some of these (ids)."""
    for spot in _once(found[1].touches):
        for card in _like(mounted_build.game, spot.card):
            if (some is None or card.id in some) and spot.part in mounted_build.parts_for(card):
                yield _replaced_by(mounted_build, spot, card)


def _replaced_by(mounted_build: MountedBuild, spot: CardSpot, card: Card) -> BuildChange:
    step = RepairStep("replace", spot.card.name, spot.part, card.name)
    return _edited(mounted_build, step, (spot.part, spot.slot, mounted_build.game.word(card)))


def _like(game: Game, card: Card) -> Sequence[Card]:
    """The other cards of the same sort, kind and range."""

    def work() -> Sequence[Card]:
        same = card.kind, *map(card.get, SAME)
        each = game.cards.values()
        return [one for one in each if one != card and (one.kind, *map(one.get, SAME)) == same]

    return game.cached("like", work, card)


def _frames(mounted_build: MountedBuild) -> Iterator[BuildChange]:
    """The other words of what a build chooses besides its row of the frames."""
    build, frame = mounted_build.build, mounted_build.game.frame
    for key, words in frame.options.items():
        was = build.frame.get(key, "")
        for word in words:
            if word != was:
                changed = replace(build, frame={**build.frame, key: word}, places={})
                step = RepairStep("frame", frame.names.get(key, key), was, word)
                yield BuildChange(step, changed, frozenset())


def mended_by_moving(found: Found) -> bool:
    """Whether moving a card can mend a fault; the others only go away with the card."""
    rule, _fault = found
    return rule.kind is not None and rule.kind.by_moving


def _by_skills(found: Found) -> bool:
    """Whether leaving out a skill can mend a fault."""
    rule, fault = found
    return not fault.touches or (rule.kind is not None and rule.kind.by_skills)


def _choice(found: Found) -> tuple[bool, int, bool]:
    """How much choice a fault leaves: any change may mend what lacks it does not say what, and
    more than it says where cards stand for one that it lacks."""
    fault = found[1]
    return fault.lack and fault.missing is None, _width(found), fault.missing is not None


def _width(found: Found) -> int:
    """How many different cards a fault touches; many where it touches none."""
    return len({(spot.part, spot.card.id) for spot in found[1].touches}) or MANY


class _Need(Struct, frozen=True):
    """What mends a fault: a change of one of ``what``, cards in parts, cards added, skills; of
    these such as alters one of ``by``.

    ``shares``: one change may mend another like it too, as two cards change places; ``lacks``: or
    any other, as a card is exchanged for what this one lacks; ``absent``: cards may bring it what
    it lacks that it does not touch; it ``is_open`` where it does not say what.
    """

    what: frozenset[object]
    by: frozenset[object]
    shares: bool
    lacks: bool
    absent: bool
    is_open: bool

    @staticmethod
    def of(found: Found) -> _Need:
        rule, fault = found
        what: set[object] = {(spot.part, spot.card.id) for spot in fault.touches}
        if fault.missing is not None:
            what.add(fault.missing.id)
        if _by_skills(found):
            what.add("skills")
        by, shares, is_open = what, mended_by_moving(found), fault.lack and fault.missing is None
        if is_open:
            by = what | {"more"}
        if rule.kind is not None and rule.kind.by_fewer():
            by, shares = {("fewer", spot.part) for spot in fault.touches}, False
        lacks = fault.missing is not None
        return _Need(frozenset(what), frozenset(by), shares, lacks, fault.lack, is_open)


def _least(needs: Iterable[_Need], altered: Set[object]) -> int:
    """How many changes at the least mend what a change does not bear on that alters so much."""
    taken: set[object] = set()
    alone = shares = lacks = still_open = 0
    for one in needs:
        if not one.by.isdisjoint(altered):
            continue
        if one.is_open:
            still_open = 1
        elif one.what.isdisjoint(taken):
            taken |= one.what
            alone += not (one.shares or one.lacks)
            shares += one.shares and not one.lacks
            lacks += one.lacks
    every = alone + shares + lacks
    pairs = lacks + shares // 2 if alone > lacks else every // 2
    return max(every - pairs, still_open)
