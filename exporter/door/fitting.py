"""Where a card may go in a build that somebody constructs, and what speaks against other places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from exporter.door.drafts import Draft, entry_of
from exporter.door.held import Held

if TYPE_CHECKING:
    from exporter.checking.verdicts import Wish
    from exporter.problems import Problem
    from exporter.rules.judging import Found


class Fit(Struct, frozen=True):
    """What one more copy of a card in a part would break, and what it would ask for besides.

    It fits where nothing is ``against`` it; what it ``wants`` are further copies or other cards.
    """

    against: tuple[Problem, ...] = ()
    wants: tuple[Problem, ...] = ()


def mountable(held: Held) -> tuple[str, ...]:
    """The ids of the cards that can be mounted: those of kinds that mechs mount."""
    game = held.game
    kinds = {
        card.kind
        for mech in game.mechs.values()
        for build in mech.loadouts.values()
        for names in build.mounted.values()
        for name in names
        if (card := game.card(name)) is not None
    }
    return tuple(card.id for card in game.cards.values() if card.kind in kinds)


def skill_cards(held: Held) -> tuple[str, ...]:
    """The ids of the cards that pilots may have: those of kinds that a mech's pilots have."""
    game = held.game
    builds = [build for mech in game.mechs.values() for build in mech.loadouts.values()]
    kinds = {
        card.kind
        for build in builds
        for pilot in build.pilots
        for name in pilot.skills
        if (card := game.card(name)) is not None
    }
    return tuple(card.id for card in game.cards.values() if card.kind in kinds)


def fits_of(
    held: Held, draft: Draft, cards: Iterable[str], wish: Wish
) -> Mapping[str, Mapping[str, Fit]]:
    """By each of ``cards`` and by part, what would come of one more copy there.

    Empty for a frame that there is not: nothing fits it.
    """
    from exporter.checking.report import regulation_of
    from exporter.rules.kind import said
    from exporter.rules.repair import against
    from exporter.rules.subjects import FrameChoice

    game, entry = held.game, entry_of(draft)
    regulation, _unknown = regulation_of(held.opened.book, entry, wish)
    book = held.opened.book
    rules = book.under_any() if regulation is None else book.under(regulation)
    waived = frozenset(waiver.rule for waiver in draft.waivers)
    boxes = frozenset(wish.boxes)

    def found(tried: Draft) -> list[Found]:
        return against(game, rules, entry_of(tried).build, boxes, waived).faults

    if FrameChoice(game, entry.build).unknown:
        return {}
    before = {_said(one) for one in found(draft)}

    def fit(card: str, part: str) -> Fit:
        new = [one for one in found(_with(draft, part, card)) if _said(one) not in before]
        return Fit(
            tuple(said(fault, rule) for rule, fault in new if not fault.lack),
            tuple(said(fault, rule) for rule, fault in new if fault.lack),
        )

    return {card: {part: fit(card, part) for part in game.parts} for card in cards}


def _said(one: Found) -> tuple[str, str, str]:
    rule, fault = one
    return rule.id, fault.text, str(fault.values)


def _with(draft: Draft, part: str, card: str) -> Draft:
    cards = (*draft.mounted.get(part, ()), card)
    return replace(draft, mounted={**draft.mounted, part: cards})
