"""Rules applied: every fault of whatever they look at, in the order of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
)
from exporter.model import (
    DeckEntry,
    Game,
)
from exporter.model.rule_records import Placement
from exporter.rules.kind import (
    Fault,
    Rule,
    rules_about,
)
from exporter.rules.kinds.exchange import before_exchange
from exporter.rules.subjects import (
    AllDecks,
    Bench,
    Box,
    CardPool,
    Deck,
    FrameChoice,
    OwnCards,
    SeatedRoom,
    Subject,
    lay_out,
    lay_out_decks,
)

Found: TypeAlias = tuple[Rule, Fault]


class Judgement(NamedTuple):
    """What rules say of a subject: everything against it, what is wrong with the rules themselves,
    and the ids of those rules that had anything to look at.

    A rule that looked at nothing found no fault either, and is not to be called checked for that;
    nor is one that cannot be asked.
    """

    faults: list[Found]
    problems: list[Problem]
    looked: set[str]


def apply_rules(subject: Subject, rules: Iterable[Rule]) -> Judgement:
    """Hold a subject against rules, in their order."""
    rules = tuple(rules)
    if isinstance(subject, Bench):
        subject = before_exchange(subject, rules)
    found = Judgement([], list(subject.problems) if isinstance(subject, CardPool) else [], set())
    unread = subject.unread if isinstance(subject, CardPool) else 0
    for rule, kind, part in rules_about(subject, rules):
        try:
            if not kind.applies(part, rule):
                continue
            found.looked.add(rule.id)
            faults = list(kind.faults(part, rule))
        except InvalidSource as error:
            found.problems.extend(error.problems)
            continue
        if isinstance(part, Deck) and part.kind is not None:
            faults = [replace(fault, part=part.id) for fault in faults]
        kept = (fault for fault in faults if not (fault.lack and fault.off <= unread))
        found.faults.extend((rule, fault) for fault in kept)
    return found


def used_rules(subjects: Iterable[Subject], rules: Iterable[Rule]) -> set[str]:
    """Find the ids of the rules that have anything to look at in any of some subjects."""
    rules = tuple(rules)
    return set().union(*(apply_rules(subject, rules).looked for subject in subjects))


def subjects_of(game: Game, placements: Mapping[str, Placement]) -> Iterator[Subject]:
    """Find what a game itself has for rules to look at, besides the loadouts of its mechs: its
    rooms, cards and decks. Raises ``InvalidSource`` at the decks of a mech that cannot be laid
    out."""
    yield from (SeatedRoom(game, plan) for plan in game.rooms.values())
    yield Box(game)
    yield OwnCards(game, tuple(game.cards.values()))
    rows: dict[str, list[DeckEntry]] = {}
    for entry in game.decks:
        rows.setdefault(entry.deck, []).append(entry)
    if rows:
        yield AllDecks(game, game.decks)
    for deck_id, entries in rows.items():
        yield from lay_out_decks(game, deck_id, entries, game.mechs.get(deck_id), placements)


def everything_in(game: Game, placements: Mapping[str, Placement]) -> Iterator[Subject]:
    """Lay out the same, and the loadouts, as far as they can be laid out."""
    with suppress(InvalidSource):
        yield from subjects_of(game, placements)
    for mech in game.mechs.values():
        for build in mech.loadouts.values():
            yield FrameChoice(game, build)
            with suppress(InvalidSource):
                yield lay_out(game, build, placements, claims=mech.printed)
