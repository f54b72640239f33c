"""Several ways to mend a player's decks, best first, and the rules that stand in the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.model import (
    Build,
    Card,
    Game,
)
from exporter.rules.alternatives import (
    MOST_TOLD,
    of_each_sort,
)
from exporter.rules.deck_repair import (
    DeckSearch,
    Held,
    LegalDecks,
    errors_of,
    unlikeness,
    width_of,
)
from exporter.rules.deck_subjects import (
    Deck,
    lay_out_brought,
)
from exporter.rules.judging import Found
from exporter.rules.repair import (
    Mending,
    RepairStep,
)
from exporter.rules.rulebook import Rulebook
from exporter.rules.written_builds import card_written

MOST_LOOKED_AT = 300
"""Decks judged to find other ways, besides those that finding the first one took."""

MOST_REFINED = 100
"""Decks judged to find better cards for those that are put in."""

MOST_WITHOUT = 100
"""Decks judged to learn whether there would be a way without a rule."""

_MILD = ("exchange", "put", "take")
"""What players mind least comes first."""


class _Change(Struct, frozen=True):
    """Copies of one card ``out`` of a deck, of another ``into`` it, or of both in exchange."""

    deck: str
    out: Card | None
    into: Card | None
    copies: int


_Way: TypeAlias = tuple[LegalDecks, Sequence[_Change]]


def ways_to_mend_decks(
    game: Game,
    book: Rulebook,
    build: Build,
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
    on: str = "",
) -> tuple[list[Mending], Sequence[str]]:
    """The ways to mend a player's decks that were found, at most five, best first, or one that says
    that there is none; and the ids of all rules that any decks broke that were looked at.

    All have the fewest changes, but for one found in haste where the search was cut short. Those
    come first that keep more cards, then what players mind less, then what puts in cards like those
    that go, and cards that are in the decks already.
    """
    search = DeckSearch(game, book, build, boxes, waived, on)
    found: list[LegalDecks] = []
    for one in search.legal():
        if found and one.changes > found[0].changes:
            break
        found.append(one)
        if not one.changes:
            return [Mending(build, (), search.judged, searched_all=True)], ()
        if len(found) == 1:
            search.most = search.judged + MOST_LOOKED_AT
    is_least, judged = bool(found), search.most - MOST_LOOKED_AT if found else search.judged
    if not found and not search.searched_all:
        search = replace(search, in_haste=True, most=search.judged + MOST_LOOKED_AT)
        found = list(islice(search.legal(), 1))
    if not found:
        return [Mending(build, None, judged, search.searched_all)], [*search.broken]
    deck = lay_out_brought(game, build, boxes, on)
    against = errors_of(deck, book, waived)[0]
    ways = sorted((_way(game, one) for one in found), key=lambda way: _rank(game, way))
    search.most = search.judged + MOST_REFINED
    ways = [_refined(search, ways[0]), *ways]
    mendings = [
        Mending(
            one.build,
            tuple(_step(game, deck, against, change) for change in changes),
            judged,
            searched_all=is_least,
        )
        for one, changes in islice(of_each_sort(_each_once(ways), _sort), MOST_TOLD)
    ]
    return mendings, [*search.broken]


def in_the_way_of_decks(
    game: Game,
    book: Rulebook,
    build: Build,
    met: Iterable[str],
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
    on: str = "",
) -> list[str]:
    """Rules, of those that were met in vain, each without which there would be a way to mend."""
    found = []
    for name in met:
        search = DeckSearch(game, book, build, boxes, waived | {name}, on, MOST_WITHOUT)
        if any(True for _ in search.legal()):
            found.append(name)
    return found


def _way(game: Game, one: LegalDecks) -> _Way:
    return one, list(_changes(game, one.before, one.after))


def _rank(game: Game, way: _Way) -> tuple[object, ...]:
    """How good a way is: the fewer changes, then cards lost, then what is minded least, then the
    fewer sorts of changes, what comes like what goes, and cards that are not new to the decks."""
    one, changes = way
    here = {card for cards in one.before.values() for card in cards}
    mild = sorted(_MILD.index(_action(each)) for each in changes for _ in range(each.copies))
    lost = sum(each.copies for each in changes if each.out)
    odd = sum(
        each.copies * unlikeness(game, each.out.id)[each.into.id]
        for each in changes
        if each.out and each.into
    )
    new = {each.into.id for each in changes if each.into} - here
    return sum(each.copies for each in changes), lost, mild, len(changes), odd, len(new)


def _refined(search: DeckSearch, way: _Way) -> _Way:
    """A way in which each card that comes is the best that may, the others being what they are."""
    game, best = search.game, way
    for change in way[1]:
        held = best[0].after[change.deck]
        if change.into is None or held[change.into.id] < change.copies:
            continue  # it has become part of another change
        less = held - Counter({change.into.id: change.copies})
        others = [
            _way(game, best[0].with_deck(change.deck, less + Counter({card: change.copies})))
            for card in game.cards
            if game.cards[card].kind == change.into.kind
        ]
        rank = _rank(game, best)
        for other in sorted(others, key=lambda one: _rank(game, one)):
            if _rank(game, other) >= rank:
                break
            if search.allows(other[0].build):
                best = other
                break
    return best


def _changes(game: Game, before: Held, after: Held) -> Iterator[_Change]:
    """What is to be done, in few words: exchanges of what is most alike, then the rest."""
    cards = game.cards
    for deck in after:
        out, into = before[deck] - after[deck], after[deck] - before[deck]
        pairs = [(gone, come) for gone in out for come in into]
        for gone, come in sorted(pairs, key=lambda pair: unlikeness(game, pair[0])[pair[1]]):
            copies = min(out[gone], into[come])
            if copies:
                out[gone] -= copies
                into[come] -= copies
                yield _Change(deck, cards[gone], cards[come], copies)
        yield from (_Change(deck, cards[one], None, n) for one, n in out.items() if n)
        yield from (_Change(deck, None, cards[one], n) for one, n in into.items() if n)


def _action(change: _Change) -> str:
    if change.out and change.into:
        return "exchange"
    return "take" if change.out else "put"


def _each_once(ways: Iterable[_Way]) -> Iterator[_Way]:
    told: list[Held] = []
    for way in ways:
        if way[0].after not in told:
            told.append(way[0].after)
            yield way


def _sort(way: _Way) -> object:
    return tuple(sorted((_action(one), one.deck, one.out.id if one.out else "") for one in way[1]))


def _step(game: Game, deck: Deck, against: Sequence[Found], change: _Change) -> RepairStep:
    """A change as it is told, with the rule that it is for."""
    gone, come = (card_written(game, one.id) if one else "" for one in (change.out, change.into))
    why = _why(deck, against, change)
    if gone and come:
        return RepairStep("exchange", gone, change.deck, come, change.copies, why)
    if gone:
        return RepairStep("take", gone, change.deck, "", change.copies, why)
    return RepairStep("put", come, "", change.deck, change.copies, why)


def _why(deck: Deck, against: Sequence[Found], change: _Change) -> str:
    """The rule whose fault a change bears on, of several that which leaves the fewest choices."""
    for rule, fault in sorted(against, key=width_of):
        kind, touched = rule.kind, {(spot.part, spot.card.id) for spot in fault.touches}
        assert kind is not None, "only a kind finds fault"
        lacks = fault.lack and fault.part in ("", change.deck)
        gone, come = change.out, change.into
        goes = gone and (change.deck, gone.id) in touched and kind.bears(deck, rule, fault, gone)
        if goes or (lacks and come and kind.bears(deck, rule, fault, come)):
            return rule.id
    return ""
