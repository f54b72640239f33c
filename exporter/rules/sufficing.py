"""What may mend a fault, and whether some changes may suffice for all: what a search for the best
way need not look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from msgspec import Struct

from exporter.model import Build
from exporter.rules.judging import Found
from exporter.rules.repair import (
    by_skills,
    mended_by_moving,
    width_of,
)
from exporter.rules.subjects import Bench


class Needs(Struct, frozen=True):
    """What mends a fault: a change of one of ``what``, cards in parts, cards added, skills; of
    these such as does one of ``by``, which may be that fewer cards are in a part.

    ``shares``: one change may mend another like it too, as two cards change places; ``lacks``: or
    any other, as a card is exchanged for what this one lacks; ``absent``: cards may bring it what
    it lacks that it does not touch.
    """

    what: frozenset[object]
    by: frozenset[object]
    shares: bool
    lacks: bool
    absent: bool

    @staticmethod
    def of(found: Found) -> Needs:
        rule, fault = found
        what: set[object] = {(spot.part, spot.card.id) for spot in fault.touches}
        if fault.missing is not None:
            what.add(fault.missing.id)
        if by_skills(found):
            what.add("skills")
        by, shares = what, mended_by_moving(found)
        if is_open(found):
            by = what | {"more"}
        if rule.kind is not None and rule.kind.by_fewer():
            by, shares = {("fewer", spot.part) for spot in fault.touches}, False
        return Needs(frozenset(what), frozenset(by), shares, fault.missing is not None, fault.lack)


def choice(found: Found) -> tuple[bool, int, bool]:
    """How much choice a fault leaves: any change may mend what lacks it does not say what, and
    more than it says where cards stand for one that it lacks."""
    return is_open(found), width_of(found), found[1].missing is not None


def is_open(found: Found) -> bool:
    """Whether a fault lacks something and does not say what."""
    return found[1].lack and found[1].missing is None


def altered(bench: Bench, changed: Build) -> set[object]:
    """What a build that is one change from a bench has no more: cards, also in which parts, and
    skills; the cards that it has more of, and the parts with fewer."""
    game, build = bench.game, bench.build
    found: set[object] = {"skills"} if changed.pilots != build.pilots else set()
    all_gone: list[str] = []
    more: list[str] = []
    for part, names in changed.mounted.items():
        before = build.mounted.get(part, ())
        if names is not before:
            gone = without(before, names)
            found.update([(part, card.id) for name in gone if (card := game.card(name))])
            all_gone += gone
            if len(names) < len(before):
                found.add(("fewer", part))
            more += without(names, before)
    more = without(more, all_gone)
    if more:
        found.add("more")
    changes = (*all_gone, *more)
    return found.union([card.id for name in changes if (card := game.card(name))])


def without(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """The names that are left when each of the others takes one away: some are faster than
    counters."""
    left = list(names)
    for name in others:
        if name in left:
            left.remove(name)
    return left


def may_suffice(faults: Sequence[Needs], change: Set[object], left: int) -> bool:
    """Whether after a change so many more could mend what it does not bear on, of some faults in
    order."""
    taken: set[object] = set()
    alone = shares = lacks = 0
    for one in faults:
        if not one.by.isdisjoint(change) or not one.what.isdisjoint(taken):
            continue
        taken |= one.what
        alone += not (one.shares or one.lacks)
        shares += one.shares and not one.lacks
        lacks += one.lacks
    every = alone + shares + lacks
    pairs = lacks + shares // 2 if alone > lacks else every // 2
    return every - pairs <= left
