"""Where a card may go in a build that somebody constructs, and what speaks against other places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from exporter.app.drafts import (
    Draft,
    entry_of,
)
from exporter.rules.project import Project
from exporter.rules.report.check_report import judge_build
from exporter.rules.written_builds import card_written

if TYPE_CHECKING:
    from exporter.core.problems import Problem
    from exporter.rules.judging import Found
    from exporter.rules.repair import RepairStep
    from exporter.rules.report.comparing import Comparison
    from exporter.rules.report.verdicts import CheckOptions


class OneMore(Struct, frozen=True):
    """What one more copy of a card in a part would break, and what it would ask for besides.

    It fits where nothing is ``against`` it; what it ``wants`` are further copies or other cards.
    """

    against: tuple[Problem, ...] = ()
    wants: tuple[Problem, ...] = ()


def mountable(project: Project) -> tuple[str, ...]:
    """The ids of the cards that can be mounted."""
    from exporter.rules import fitting

    return tuple(card.id for card in fitting.mountable(project.corrected, project.book))


def skill_cards(project: Project) -> tuple[str, ...]:
    """The ids of the cards that pilots may have: those of kinds that a mech's pilots have."""
    game = project.corrected
    builds = [build for mech in game.mechs.values() for build in mech.loadouts.values()]
    kinds = {
        card.kind
        for build in builds
        for pilot in build.pilots
        for name in pilot.skills
        if (card := game.card(name)) is not None
    }
    return tuple(card.id for card in game.cards.values() if card.kind in kinds)


def one_more(
    project: Project, draft: Draft, cards: Iterable[str], options: CheckOptions
) -> Mapping[str, Mapping[str, OneMore]]:
    """By each of ``cards`` and by part, what would come of one more copy there.

    Empty for a frame that there is not: nothing fits it.
    """
    from exporter.rules.subjects import FrameChoice

    game = project.corrected
    if FrameChoice(game, entry_of(draft)).unknown:
        return {}
    tried = _Trial(project, draft, options)
    return {card: {part: tried(card, part) for part in game.parts} for card in cards}


def _free_parts(project: Project, draft: Draft, options: CheckOptions) -> tuple[str, ...]:
    """The parts with slots, by the figures that say how many, that nothing is mounted in."""
    totals = judge_build(project, entry_of(draft), options).totals or {}
    slots = {one.figure.part: one.value for one in totals.values() if one.figure.part}
    mounted = draft.mounted
    parts = project.corrected.parts
    return tuple(part for part in parts if len(mounted.get(part, ())) < slots.get(part, 0))


def fill(
    project: Project, draft: Draft, options: CheckOptions
) -> tuple[Draft, tuple[RepairStep, ...]]:
    """A draft with a card in every free slot, as far as cards fit, and the steps to it.

    More of what is mounted goes first, then cards in their order.
    """
    from exporter.rules.repair import RepairStep

    game = project.corrected
    already = Counter(
        card.id
        for names in draft.mounted.values()
        for name in names
        if (card := game.card(name)) is not None
    )
    order = sorted(mountable(project), key=lambda card: -already[card])
    steps: list[RepairStep] = []
    while True:
        tried = _Trial(project, draft, options)
        found = next(
            (
                (card, part)
                for part in _free_parts(project, draft, options)
                for card in order
                if tried(card, part) == OneMore()
            ),
            None,
        )
        if found is None:
            return draft, tuple(steps)
        name, part = found
        steps.append(RepairStep("add", game.cards[name].name, target=part))
        draft = _with(draft, part, card_written(game, name))


class _Trial:
    """One more copy of a card somewhere, tried on a draft as it is."""

    def __init__(self, project: Project, draft: Draft, options: CheckOptions) -> None:
        from exporter.rules.build_changes import Judge
        from exporter.rules.report.check_report import regulation_of

        book, entry = project.book, entry_of(draft)
        regulation, _unknown = regulation_of(book, entry, options)
        rules = book.under_any() if regulation is None else book.under(regulation)
        waived = frozenset(waiver.rule for waiver in draft.waivers)
        self.draft, self.court = (
            draft,
            Judge(project.corrected, rules, frozenset(options.boxes), waived),
        )
        self.before = {_said(one) for one in self._found(draft)}

    def _found(self, draft: Draft) -> list[Found]:
        return self.court.against(entry_of(draft)).faults

    def __call__(self, card: str, part: str) -> OneMore:
        """What would come of it."""
        from exporter.rules.kind import fault_problem

        found = self._found(_with(self.draft, part, card))
        new = [one for one in found if _said(one) not in self.before]
        return OneMore(
            tuple(fault_problem(fault, rule) for rule, fault in new if not fault.lack),
            tuple(fault_problem(fault, rule) for rule, fault in new if fault.lack),
        )


def compared(project: Project, drafts: Sequence[Draft], language: str) -> Comparison:
    """Drafts side by side: figures, and damage by distance. Raises ``InvalidSource``."""
    from exporter.rules.loadouts import (
        built_loadout,
        with_decks,
    )
    from exporter.rules.report.comparing import compare

    game = with_decks(project.corrected)
    loadouts = [built_loadout(game, entry_of(draft)) for draft in drafts]
    names = [draft.name for draft in drafts]
    return compare(game, project.book, names, loadouts, language)


def _said(one: Found) -> tuple[str, str, str]:
    rule, fault = one
    return rule.id, fault.text, str(fault.values)


def _with(draft: Draft, part: str, card: str) -> Draft:
    cards = (*draft.mounted.get(part, ()), card)
    return replace(draft, mounted={**draft.mounted, part: cards})
