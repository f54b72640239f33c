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

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    Severity,
)
from exporter.model import (
    Build,
    Card,
    DeckEntry,
    Game,
)
from exporter.rules.deck_subjects import (
    Deck,
    lay_out_brought,
)
from exporter.rules.judging import (
    Found,
    faults_of,
)
from exporter.rules.rulebook import Rulebook

MOST_JUDGED = 600
"""Decks judged before a search gives up: most of a second on a slow machine."""

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


class DeckSearch(Struct):
    """A search for legal decks: how many were ``judged`` so far, of ``most``, and the rules that
    were ``broken`` by any on the way. One ``in_haste`` goes for what leaves the least to mend, and
    what it finds may be more changes away than it must.

    Whatever mends decks changes something that each of their faults rests on, so only that is tried
    (A*: as many changes as the worst fault takes are still to come).
    """

    game: Game
    book: Rulebook
    build: Build
    boxes: frozenset[str] = frozenset()
    waived: frozenset[str] = frozenset()
    on: str = ""
    most: int = MOST_JUDGED
    in_haste: bool = False
    judged: int = 0
    unsure: bool = False
    is_through: bool = False
    broken: dict[str, None] = field(default_factory=dict)

    @property
    def searched_all(self) -> bool:
        """Whether there are no legal decks but those that were found."""
        return self.is_through and not self.unsure

    def legal(self) -> Iterator[LegalDecks]:
        """Legal decks: those of the fewest changes first, of these those that keep more cards.

        Ends where there are no more, or too many were looked at.
        """
        numbers = count()
        asked_for = lay_out_brought(self.game, self.build, self.boxes, self.on).rows
        begun = {deck: self.build.copies_in(deck) for deck in asked_for}  # the missing ones, too
        tired: Counter[tuple[str, str]] = Counter()  # what did not help when it was put in before
        waiting = [_Try(0, 0, 0, next(numbers), begun)]
        seen = {_key(begun)}
        while waiting and self.judged < self.most:
            tried = heapq.heappop(waiting)
            mended = _with_cards(self.build, tried.held)
            deck = lay_out_brought(self.game, mended, self.boxes, self.on)
            if tried.faults is None:
                tried.faults = self._judge(deck)
                if tried.faults is None:
                    continue
                changes, removals = _least(tried.faults)
                least = tried.done + changes, tried.out + removals
                if self.in_haste:
                    least = sum(fault.off for _, fault in tried.faults), tried.done
                if least > (tried.least, tried.removed):
                    tired[tried.into] += 1
                    tried.least, tried.removed = least
                    heapq.heappush(waiting, tried)
                    continue
            if not tried.faults:
                yield LegalDecks(mended, begun, tried.held, tried.done)
                continue
            steps = list(_steps(deck, tried.held, min(tried.faults, key=width_of)))
            for held, removed, into in sorted(steps, key=lambda step: tired[step[2]]):
                key = _key(held)
                if key not in seen:
                    seen.add(key)
                    done, out = tried.done + 1, tried.out + removed
                    bound = max(tried.least, done), max(tried.removed, out)
                    if self.in_haste:
                        bound = tried.least - 1, done
                    each = _Try(*bound, -done, next(numbers), held, into, done, out)
                    heapq.heappush(waiting, each)
        self.is_through = not waiting

    def allows(self, build: Build) -> bool:
        """Whether the decks of a build are legal; not where too many were looked at."""
        if self.judged >= self.most:
            return False
        return self._judge(lay_out_brought(self.game, build, self.boxes, self.on)) == []

    def _judge(self, deck: Deck) -> list[Found] | None:
        """What stands against some decks; nothing where nobody can tell."""
        faults, problems = errors_of(deck, self.book, self.waived)
        self.judged += 1
        self.broken |= dict.fromkeys(rule.id for rule, _ in faults)
        self.unsure = self.unsure or bool(problems and not faults)
        return None if problems and not faults else faults


def errors_of(
    deck: Deck, book: Rulebook, waived: frozenset[str]
) -> tuple[list[Found], list[Problem]]:
    """What stands against decks, without waived rules and notices; what is wrong with rules."""
    found, problems = faults_of(deck, book.rules.values())
    errors = [
        (rule, fault)
        for rule, fault in found
        if fault.severity is Severity.ERROR and rule.id not in waived
    ]
    return errors, problems


class LegalDecks(Struct, frozen=True):
    """A build whose decks are legal, so many ``changes`` away: copies of cards before and after."""

    build: Build
    before: Held
    after: Held
    changes: int

    def with_deck(self, deck: str, cards: Counter[str]) -> LegalDecks:
        """The same with other cards in a deck, which need not be legal."""
        after = {**self.after, deck: cards}
        return replace(self, build=_with_cards(self.build, after), after=after)


def _key(held: Held) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    return tuple((deck, tuple(sorted(cards.items()))) for deck, cards in held.items())


def _with_cards(build: Build, held: Held) -> Build:
    """The build with these cards in its decks."""
    said = {(deck, row.card): row.fields for deck, rows in build.decks.items() for row in rows}
    decks = {
        deck: tuple(
            DeckEntry(
                deck=deck,
                card=card,
                mark="",
                copies=copies,
                fields=said.get((deck, card), {}),
                where=build.where,
            )
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


def width_of(found: Found) -> tuple[bool, int]:
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
            unlike = unlikeness(deck.game, card_id)
            for card in sorted(cards, key=lambda one: unlike[one.id]):
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


def unlikeness(game: Game, card_id: str) -> Mapping[str, int]:
    """In how many fields each card of a game differs from one, a kind of its own counted as one."""

    def work() -> Mapping[str, int]:
        own = game.cards[card_id]
        return {
            card.id: (card.kind != own.kind)
            + sum(card.get(name) != own.get(name) for name in {*card.fields, *own.fields})
            for card in game.cards.values()
        }

    return game.once("unlikeness", work, card_id)
