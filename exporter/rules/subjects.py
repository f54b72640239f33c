"""What each kind of rule looks at: whether there is anything in a build, a deck, a room, a game.

A rule that looked at nothing found no fault either, and is not to be called checked for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from exporter.model import Game, RoomPlan
from exporter.problems import InvalidSource
from exporter.rules.bench import Bench, lay_out
from exporter.rules.book import Rule, Rulebook
from exporter.rules.decks import Deck, wanted_size
from exporter.rules.judging import decks_of
from exporter.rules.kinds import CARD_KINDS, FRAME_KIND
from exporter.rules.setup import things_to_count

T = TypeVar("T")


def _has_cards(bench: Bench, rule: Rule) -> bool:
    return bool(bench.spots or bench.skills)


def _meeting(bench: Bench, rule: Rule) -> bool:
    condition = str(rule.parameters["cards"])
    cards = (spots[0].card for spots in bench.by_card.values())
    return any(bench.fits(card, condition, rule.where) for card in cards)


def _with_field(bench: Bench, rule: Rule) -> bool:
    return any(spot.card.get(str(rule.parameters["field"])) for spot in bench.spots)


def _needing_more(bench: Bench, rule: Rule) -> bool:
    counts = (spot.card.get("min_count") for spot in bench.spots)
    return any(isinstance(count, int) and count > 1 for count in counts)


def _limited(bench: Bench, rule: Rule) -> bool:
    if rule.parameters.get("most") is not None:
        return bool(bench.spots)
    field = str(rule.parameters.get("field", ""))
    return any(isinstance(spot.card.get(field), int) for spot in bench.spots)


def _of_boxes(bench: Bench, rule: Rule) -> bool:
    skills_in = rule.parameters.get("skills_in", "")
    editions = [str(spot.card.get("edition")) for spot in bench.spots]
    return any(name in bench.game.editions for name in editions) or bool(bench.skills and skills_in)


OF_BUILDS: Mapping[str, Callable[[Bench, Rule], bool]] = {
    "slots": lambda bench, rule: bool(bench.slots),
    "empty_slots": lambda bench, rule: (
        bool(bench.slots) and rule.parameters["figure"] in bench.totals
    ),
    "placement": lambda bench, rule: any(bench.placement(spot.card) for spot in bench.spots),
    "together": _needing_more,
    "exchange": _with_field,
    "requires": _meeting,
    "excludes": _meeting,
    "wrong_kind": _has_cards,
    "copies": _limited,
    "limits": lambda bench, rule: bool(rule.parameters["cards"]) and _has_cards(bench, rule),
    "boxes": _of_boxes,
    "budget": lambda bench, rule: rule.parameters["figure"] in bench.totals,
    "pilots": lambda bench, rule: bool(bench.build.pilots),
    "skills": lambda bench, rule: bool(bench.skills),
    "same_name": lambda bench, rule: bool(bench.skills),
    "figure": lambda bench, rule: any(
        name in bench.claims and name in bench.totals for name in rule.parameters["figures"]
    ),
    "printed_only": lambda bench, rule: any(mech.loadouts for mech in bench.game.mechs.values()),
    "expression": lambda bench, rule: not rule.parameters.get("each"),
}


def _has_figure(deck: Deck, rule: Rule) -> bool:
    only = rule.parameters.get("decks")
    sizes = (wanted_size(deck, variant, rule) for variant in deck.variants())
    return (not only or deck.id in only) and any(size is not None for size in sizes)


def _has_basic_cards(deck: Deck, rule: Rule) -> bool:
    kinds = [kind.id for kind in deck.game.kinds.values() if kind.deck_copies]
    return bool(deck.benches) and any(card.kind in kinds for card in deck.game.cards.values())


def _counted(deck: Deck, rule: Rule) -> bool:
    field = str(rule.parameters["field"])
    cards = filter(None, (deck.game.card(entry.card) for entry in deck.entries))
    return any(isinstance(card.get(field), int) and field in card.fields for card in cards)


OF_DECKS: Mapping[str, Callable[[Deck, Rule], bool]] = {
    "deck_size": _has_figure,
    "deck_basics": _has_basic_cards,
    "deck_loadout": lambda deck, rule: rule.parameters["variant"] in deck.benches,
    "printed_copies": _counted,
}

OF_ROOMS: Mapping[str, Callable[[Game, RoomPlan, Rule], bool]] = {
    "setup": lambda game, plan, rule: any(things_to_count(game, plan, rule)),
    "starts": lambda game, plan, rule: any(seat.start is not None for seat in plan.seats),
}


def _any(rule: Rule, things: Iterable[T], looks: Callable[[T, Rule], bool]) -> bool:
    """Whether a rule looks at any of some things; one that cannot be asked looks at none."""
    try:
        return any(looks(thing, rule) for thing in things)
    except InvalidSource:
        return False


def in_build(game: Game, rules: Iterable[Rule], bench: Bench | None) -> set[str]:
    """The ids of those rules that have anything to look at in a build; one whose frame is unknown
    has no ``bench``."""
    benches = [bench] if bench is not None else []
    return {
        rule.id
        for rule in rules
        if (rule.kind == FRAME_KIND and game.frames)
        or (rule.kind in OF_BUILDS and _any(rule, benches, OF_BUILDS[rule.kind]))
    }


def in_game(game: Game, book: Rulebook) -> set[str]:
    """The ids of the rules that have anything to look at in a game's decks, rooms and cards."""
    try:
        decks = decks_of(game, book.placements)
    except InvalidSource:
        decks = []
    kinds = {card.kind for card in game.cards.values()}
    found = set()
    for rule in book.rules.values():
        if rule.kind in OF_DECKS and _any(rule, decks, OF_DECKS[rule.kind]):
            found.add(rule.id)
        if rule.kind in OF_ROOMS:
            looks = OF_ROOMS[rule.kind]
            if any(looks(game, plan, rule) for plan in game.rooms.values()):
                found.add(rule.id)
        if rule.kind in CARD_KINDS and rule.parameters.get("each") in kinds:
            found.add(rule.id)
    return found


def in_all(game: Game, book: Rulebook) -> set[str]:
    """The same of the whole game, its loadouts included."""
    found = in_game(game, book)
    for mech in game.mechs.values():
        for build in mech.loadouts.values():
            try:
                bench = lay_out(game, build, book.placements, claims=mech.printed)
            except InvalidSource:
                continue
            found |= in_build(game, book.rules.values(), bench)
    return found
