"""The rule kinds by name: what ``kind:`` in rules.yaml may say, by what they look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from exporter.model import Card, Game, RoomPlan
from exporter.rules import conditions, counting, decks, exchanging, mounting, setup
from exporter.rules.bench import Bench
from exporter.rules.book import Rule
from exporter.rules.decks import Deck
from exporter.rules.faults import Fault
from exporter.rules.play import PLAY_KINDS

BUILD_KINDS: Mapping[str, Callable[[Bench, Rule], Iterator[Fault]]] = {
    "slots": mounting.slots,
    "empty_slots": mounting.empty_slots,
    "placement": mounting.placement,
    "together": mounting.together,
    "exchange": exchanging.exchange,
    "requires": mounting.requires,
    "excludes": mounting.excludes,
    "wrong_kind": mounting.wrong_kind,
    "copies": counting.copies,
    "limits": counting.limits,
    "boxes": counting.boxes,
    "budget": counting.budget,
    "pilots": counting.pilots,
    "skills": counting.skills,
    "same_name": counting.same_name,
    "figure": counting.figure,
    "printed_only": counting.printed_only,
    "expression": conditions.build_condition,
}

DECK_KINDS: Mapping[str, Callable[[Deck, Rule], Iterator[Fault]]] = {
    "deck_size": decks.deck_size,
    "deck_basics": decks.deck_basics,
    "deck_loadout": decks.deck_loadout,
}

ALL_DECKS_KINDS: Mapping[str, Callable[[list[Deck], Rule], Iterator[Fault]]] = {
    "printed_copies": decks.printed_copies,
}

CARD_KINDS: Mapping[str, Callable[[Game, Card, Rule], Iterator[Fault]]] = {
    "expression": conditions.card_condition,
}

ROOM_KINDS: Mapping[str, Callable[[Game, RoomPlan, Rule], Iterator[Fault]]] = {
    "setup": setup.setup,
    "starts": setup.starts,
}

REPEATED_BY: Mapping[str, str] = {"together": "min_count"}
"""The field of cards by which a kind repeats something."""

FRAME_KIND = "frame"
"""A build names a frame that there is; asked before anything else can be."""

KINDS = frozenset(
    [FRAME_KIND, *BUILD_KINDS, *DECK_KINDS, *ALL_DECKS_KINDS, *CARD_KINDS, *ROOM_KINDS, *PLAY_KINDS]
)
