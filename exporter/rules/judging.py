"""Rules applied: every fault of a build, a deck, a room, a card, in the order of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from exporter.model import Build, DeckEntry, Game, Mech, RoomPlan
from exporter.problems import InvalidSource, Problem
from exporter.rules.bench import Bench, lay_out
from exporter.rules.book import Placement, Rule, Rulebook
from exporter.rules.decks import Deck
from exporter.rules.exchanging import before_exchange
from exporter.rules.faults import Fault
from exporter.rules.kinds import (
    ALL_DECKS_KINDS,
    BUILD_KINDS,
    CARD_KINDS,
    DECK_KINDS,
    FRAME_KIND,
    ROOM_KINDS,
)

Found = tuple[Rule, Fault]


def frame_fault(game: Game, build: Build) -> Fault | None:
    """That a build names no known frame."""
    if not game.frames:
        return None
    known = [" ".join(frame.key.values()) for frame in game.frames]
    words = " ".join(build.frame.get(key, "?") for key in game.frames[0].key)
    options = {
        key: build.frame.get(key, "?")
        for key, allowed in game.frame.options.items()
        if build.frame.get(key) not in allowed
    }
    if words in known and not options:
        return None
    found = " ".join(dict.fromkeys([words, *options.values()]))
    allowed = get_close_matches(words, known, n=3, cutoff=0.3) or known
    if words in known:
        allowed = [word for key in options for word in game.frame.options[key]]
    values = {"found": found, "allowed": " / ".join(allowed)}
    return Fault(build.places.get("frame", build.where), "frame", values)


def frame_faults(game: Game, book: Rulebook, build: Build) -> Iterator[Found]:
    """What the rules say of an unknown frame; without one nothing else can be asked."""
    fault = frame_fault(game, build)
    for rule in book.rules.values() if fault is not None else ():
        if rule.kind == FRAME_KIND and fault is not None:
            yield rule, fault


def build_faults(bench: Bench, book: Rulebook) -> tuple[list[Found], list[Problem]]:
    """Everything against a build that has a frame, and what is wrong with the rules themselves."""
    found: list[Found] = []
    bench = before_exchange(bench, book.rules.values())
    problems = list(bench.problems)
    for rule in book.rules.values():
        kind = BUILD_KINDS.get(rule.kind)
        if kind is None:
            continue
        try:
            faults = list(kind(bench, rule))
        except InvalidSource as error:
            problems.extend(error.problems)
            continue
        found += [(rule, fault) for fault in faults if not (bench.unread and fault.lack)]
    return found, problems


def deck_of(
    game: Game,
    deck_id: str,
    entries: Iterable[DeckEntry],
    mech: Mech | None,
    placements: Mapping[str, Placement],
) -> Deck:
    """A printed deck with its mech's builds laid out. Raises ``InvalidSource``."""
    loadouts = mech.loadouts if mech else {}
    benches = {
        variant: lay_out(game, build, placements, claims=mech.printed if mech else {})
        for variant, build in loadouts.items()
    }
    return Deck(game, deck_id, tuple(entries), mech, benches)


def decks_of(game: Game, placements: Mapping[str, Placement]) -> list[Deck]:
    """All printed decks. Raises ``InvalidSource``."""
    entries: dict[str, list[DeckEntry]] = {}
    for entry in game.decks:
        entries.setdefault(entry.deck, []).append(entry)
    return [
        deck_of(game, deck_id, found, game.mechs.get(deck_id), placements)
        for deck_id, found in entries.items()
    ]


def deck_faults(decks: list[Deck], book: Rulebook) -> Iterator[Found]:
    """Everything against printed decks, one by one and together."""
    for rule in book.rules.values():
        if rule.kind in DECK_KINDS:
            for deck in decks:
                for fault in DECK_KINDS[rule.kind](deck, rule):
                    yield rule, fault
        elif rule.kind in ALL_DECKS_KINDS and decks:
            for fault in ALL_DECKS_KINDS[rule.kind](decks, rule):
                yield rule, fault


def card_faults(game: Game, card_ids: Iterable[str], book: Rulebook) -> Iterator[Found]:
    """Everything against the cards themselves."""
    rules = [rule for rule in book.rules.values() if rule.kind in CARD_KINDS]
    rules = [rule for rule in rules if rule.parameters.get("each")]
    for card_id in card_ids:
        for rule in rules:
            for fault in CARD_KINDS[rule.kind](game, game.cards[card_id], rule):
                yield rule, fault


def room_faults(game: Game, plans: Iterable[RoomPlan], book: Rulebook) -> Iterator[Found]:
    """Everything against room plans."""
    for plan in plans:
        for rule in book.rules.values():
            if rule.kind in ROOM_KINDS:
                for fault in ROOM_KINDS[rule.kind](game, plan, rule):
                    yield rule, fault
