"""What to change in a player's decks: the fewest cards taken out, put in or exchanged.

A search with a bound on how many decks it judges, not on time, so that the same question always has
the same answer.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, count
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.model import Build, Card, DeckEntry, Game
from exporter.problems import Severity
from exporter.rules.book import Rulebook
from exporter.rules.decks import Deck, lay_out_brought
from exporter.rules.judging import Found, faults_of
from exporter.rules.repair import MOST_JUDGED, Mending, RepairStep

Held: TypeAlias = Mapping[str, Counter[str]]
"""Copies of each card, by its id, in each deck."""


class _Try(Struct, order=True):
    """Decks on the way: changes at the least, cards that are taken out at the least, and the
    deepest first.

    Every ``number`` is given once, so that what stands below it is never compared.
    """

    least: int
    removed: int
    shallow: int
    number: int
    held: Held
    into: tuple[str, str] = ("", "")
    done: int = 0
    out: int = 0
    faults: list[Found] | None = None


def mend_decks(
    game: Game,
    book: Rulebook,
    build: Build,
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
    on: str = "",
) -> Mending:
    """The smallest set of changes after which a player's decks are legal; of equal ones that which
    keeps more cards.

    Whatever mends decks changes something that each of their faults rests on, so only that is tried
    (A*: as many changes as the worst fault takes are still to come).
    """
    numbers = count()
    asked_for = lay_out_brought(game, build, boxes, on).rows
    begun = {
        deck: _counted(row for row in build.decks.get(deck, ())) for deck in asked_for
    }  # those that are missing, too
    tired: Counter[tuple[str, str]] = Counter()  # what did not help when it was put in before
    waiting = [_Try(0, 0, 0, next(numbers), begun)]
    seen = {_key(begun)}
    judged, unsure = 0, False
    while waiting and judged < MOST_JUDGED:
        tried = heapq.heappop(waiting)
        deck = lay_out_brought(game, _with_cards(build, tried.held), boxes, on)
        if tried.faults is None:
            found, problems = faults_of(deck, book.rules.values())
            judged += 1
            tried.faults = [
                (rule, fault)
                for rule, fault in found
                if fault.severity is Severity.ERROR and rule.id not in waived
            ]
            unsure = unsure or bool(problems and not tried.faults)
            if problems and not tried.faults:
                continue
            changes, removals = _least(tried.faults)
            least = tried.done + changes, tried.out + removals
            if least > (tried.least, tried.removed):
                tired[tried.into] += 1
                tried.least, tried.removed = least
                heapq.heappush(waiting, tried)
                continue
        if not tried.faults:
            found_changes = tuple(_changes(game, begun, tried.held))
            mended = _with_cards(build, tried.held)
            return Mending(mended, found_changes, judged, searched_all=True)
        steps = list(_steps(deck, tried.held, min(tried.faults, key=_width)))
        for held, removed, into in sorted(steps, key=lambda step: tired[step[2]]):
            key = _key(held)
            if key not in seen:
                seen.add(key)
                done, out = tried.done + 1, tried.out + removed
                least = max(tried.least, done), max(tried.removed, out)
                each = _Try(*least, -done, next(numbers), held, into, done, out)
                heapq.heappush(waiting, each)
    return Mending(build, None, judged, searched_all=not (waiting or unsure))


def _counted(rows: Iterator[DeckEntry]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        counts[row.card] += row.copies
    return counts


def _key(held: Held) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    return tuple((deck, tuple(sorted(cards.items()))) for deck, cards in held.items())


def _with_cards(build: Build, held: Held) -> Build:
    """The build with these cards in its decks."""
    decks = {
        deck: tuple(
            DeckEntry(deck=deck, card=card, mark="", copies=copies, where=build.where)
            for card, copies in cards.items()
        )
        for deck, cards in held.items()
    }
    return replace(build, decks=decks)


def _least(faults: list[Found]) -> tuple[int, int]:
    """How many changes it takes at the least, and how many of them take out a card.

    Removals of what shares nothing add up, and none of them makes a deck larger; one card that is
    put in may be what several faults lack.
    """
    taken: set[tuple[str, str]] = set()
    removals, most, smaller = 0, 0, 0
    larger: dict[str, int] = {}
    for _, fault in sorted(faults, key=lambda found: -found[1].off):
        most = max(most, fault.off)
        larger[fault.part] = max(larger.get(fault.part, 0), fault.net)
        smaller = max(smaller, -fault.net)
        touched = {(spot.part, spot.card.id) for spot in fault.touches}
        if touched and not (fault.lack or fault.net or touched & taken):
            taken |= touched
            removals += fault.off
    removals = max(removals, smaller)
    whole = larger.pop("", 0)
    return max(removals + max(sum(larger.values()), whole), most), removals


def _width(found: Found) -> tuple[bool, int]:
    """How many different cards a fault leaves to choose from: the fewer, the sooner mended."""
    fault = found[1]
    return fault.lack, len({spot.card.id for spot in fault.touches})


def _steps(deck: Deck, held: Held, found: Found) -> Iterator[tuple[Held, int, tuple[str, str]]]:
    """Every single change that bears on a fault, how many cards it takes out, and what it puts in
    where."""
    rule, fault = found
    kind = rule.kind
    assert kind is not None, "only a kind finds fault"
    cards = list(_candidates(deck))
    touched = dict.fromkeys((spot.part, spot.card.id) for spot in fault.touches)
    for part, card_id in touched:
        if kind.bears(deck, rule, fault, deck.game.cards[card_id]):
            yield _moved(held, part, card_id, ""), 1, (part, "")
            for card in cards:
                if card.id != card_id:
                    yield _moved(held, part, card_id, card.id), 1, (part, card.id)
    if not fault.lack:
        return
    wanted = [card for card in cards if kind.bears(deck, rule, fault, card)]
    parts = [fault.part] if fault.part in held else list(held)
    for part in parts:
        for card in wanted:
            yield _moved(held, part, "", card.id), 0, (part, card.id)
            for other in sorted(held[part], key=lambda one: -held[part][one]):
                if other != card.id:
                    yield _moved(held, part, other, card.id), 1, (part, card.id)


def _moved(held: Held, deck: str, out: str, into: str) -> Held:
    """Decks with a card taken out, put in, or both."""
    cards = Counter(held[deck])
    if out:
        cards[out] -= 1
        if not cards[out]:
            del cards[out]
    if into:
        cards[into] += 1
    return {**held, deck: cards}


def _candidates(deck: Deck) -> Iterator[Card]:
    """Cards that may be put in: those that are there already first."""
    here = [spots[0].card for spots in deck.by_card.values()]
    kinds = {card.kind for card in here} or {card.kind for card in deck.game.cards.values()}
    others = (card for card in deck.game.cards.values() if card.kind in kinds)
    return iter({card.id: card for card in chain(here, others)}.values())


def _changes(game: Game, before: Held, after: Held) -> Iterator[RepairStep]:
    """What is to be done, in few words: exchanges, then what is taken out or put in."""
    for deck, cards in after.items():
        out = before[deck] - cards
        into = cards - before[deck]
        for card_id in list(out):
            for other in list(into):
                copies = min(out[card_id], into[other])
                if copies:
                    names = game.cards[card_id].name, game.cards[other].name
                    out[card_id] -= copies
                    into[other] -= copies
                    yield RepairStep("exchange", names[0], deck, names[1], copies)
        for action, left in (("take", out), ("put", into)):
            for card_id, copies in left.items():
                if copies:
                    name = game.cards[card_id].name
                    yield (
                        RepairStep("take", name, deck, "", copies)
                        if action == "take"
                        else RepairStep("put", name, "", deck, copies)
                    )
