"""The changes that may repair a build: cards moved, exchanged, added or left out, skills and pilots
left out, another choice of the frame; and what each of them takes after it at the least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import first_by
from exporter.model import (
    Build,
    Card,
    Game,
)
from exporter.rules.repair import (
    Action,
    Judged,
    RepairChange,
    Repairs,
    RepairStep,
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
        return self.judge_subject(lay_out(self.game, state, self.book.placements, self.boxes))

    def at_least(self, faults: Sequence[Found]) -> tuple[int, int]:
        """One change may mend all."""
        return min(1, len(faults)), 0

    def estimate(self, faults: Sequence[Found]) -> int:
        """One for each that shares nothing with those before."""
        taken: set[object] = set()
        count = 0
        for what in map(_concerned, faults):
            if what.isdisjoint(taken):
                taken |= what
                count += 1
        return count

    def changes(
        self, judged: Judged, state: Build, made: Steps, in_haste: bool
    ) -> Iterator[RepairChange[Build]]:
        """The changes that bear on the fault that leaves the least choice; a frame is chosen before
        all else. In haste there are moves and what is left out or added alone."""
        chosen = min(judged.faults, key=_width if in_haste else _choice)
        needs = [(_mended_by(one), one[1].lack) for one in judged.faults]
        by, lack = _mended_by(chosen), chosen[1].lack
        far = self._from_afar(judged, chosen) if lack else ()
        for change in chain(changes_of(judged.subject, chosen), far):
            altered, step = change.altered, change.step
            if in_haste and step.action in ("swap", "replace", "frame"):
                continue
            modifies = step.action == "frame" or not altered.isdisjoint(self._modifying)
            reaches = modifies or not altered.isdisjoint(self._reaching)
            left = not modifies and any(
                what.isdisjoint(altered) for what, lacks in needs if not (reaches and lacks)
            )
            fits = modifies or (reaches and lack) or not by.isdisjoint(altered)
            if step.action == "frame":
                fits = all(one.action == "frame" for one in made)
                fits = fits and not FrameChoice(self.game, change.build).unknown
            if fits or in_haste:
                step = step if step.why else replace(step, why=chosen[0].id)
                yield RepairChange(change.build, change.lost, (int(left), 0), step)

    def _from_afar(self, judged: Judged, chosen: Found) -> Iterator[BuildChange]:
        """Cards exchanged because of other faults for what may bring the one chosen what it
        lacks."""
        for found in judged.faults:
            if found is not chosen:
                for change in _replaced(judged.subject, found, self._reaching - self._modifying):
                    yield replace(change, step=replace(change.step, why=found[0].id))

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


def _concerned(found: Found) -> Set[object]:
    """What a fault is about: cards in parts, a card that is missing, skills."""
    fault = found[1]
    what: set[object] = {(spot.part, spot.card.id) for spot in fault.touches}
    if fault.missing is not None:
        what.add(fault.missing.id)
    if _by_skills(found):
        what.add("skills")
    return what


def _mended_by(found: Found) -> Set[object]:
    """What a change that mends a fault alters: any of what it is about, or more of any cards where
    it does not say which it lacks; or it leaves fewer in a part."""
    rule, fault = found
    if rule.kind is not None and rule.kind.by_fewer():
        return {("fewer", spot.part) for spot in fault.touches}
    is_open = fault.lack and fault.missing is None
    return _concerned(found) | {"more"} if is_open else _concerned(found)
