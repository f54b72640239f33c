"""What to expect of a deck: chances to hold cards, and how long it lasts.

Chances are exact, by the hypergeometric distribution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

from msgspec import Struct

from exporter.core import sum_by_key
from exporter.core.messages import say
from exporter.core.problems import (
    COMMAND_LINE,
    Problem,
    error_at,
    problem_at,
    stop_for,
)
from exporter.model import (
    Card,
    DeckCard,
    Game,
)
from exporter.model.game_names import (
    resolve_name,
    unknown,
)
from exporter.rules.expressions import (
    asks_only,
    holds,
    whole,
)
from exporter.rules.figures import names_about

# Turns that are listed one by one.
MOST_TURNS = 12


class Odds(Struct, frozen=True):
    """The chances for ``copies`` of a card among the ``cards`` of a deck.

    ``by_draw[n]`` is the chance to have at least one of them among the first n cards.
    """

    name: str
    copies: int
    by_draw: tuple[Fraction, ...]


class DeckOdds(Struct, frozen=True):
    """The chances of a deck of ``cards``, of which ``hand`` are drawn first and ``turn`` a turn.

    ``together``: by draw, the chance to have one of each of the cards that were asked about.
    ``turns``: in which turn the last card is drawn, if any is. With ``discards`` turns are rounds,
    of which the first begins with the first hand, and each hand is discarded before the next.
    """

    name: str
    cards: int
    hand: int
    turn: int
    odds: tuple[Odds, ...]
    together: tuple[Fraction, ...] = ()
    turns: int | None = None
    discards: bool = False

    @property
    def draws(self) -> list[int]:
        """How many cards are drawn at the beginning and after each turn, until all are."""
        found = [min(self.hand, self.cards)]
        while self.turn and found[-1] < self.cards and len(found) <= MOST_TURNS:
            found.append(min(found[-1] + self.turn, self.cards))
        return found

    @property
    def hands(self) -> list[int]:
        """How many cards of those are in hand then: all, or those of that round alone.

        Where the deck ends amid a hand, the rest of it is drawn from the shuffled discards: any
        cards are as likely in it as in the others.
        """
        if not self.discards:
            return self.draws
        later = [min(self.turn, self.cards)] * (len(self.draws) - 1)
        return [self.draws[0], *later]


def deck_odds(
    game: Game,
    name: str,
    deck: Iterable[DeckCard],
    figures: dict[str, int],
    asked: Sequence[str] = (),
    hand: int | None = None,
    turn: int | None = None,
) -> DeckOdds:
    """Find the chances of a deck, of all its cards or of those that are named.

    Without numbers the game says how many are drawn. Raises ``InvalidSource`` for cards that are
    not in the deck, and where nobody says how many are drawn.
    """
    copies = drawn_copies(game, deck)
    total = sum(copies.values())
    if not total:
        raise error_at(COMMAND_LINE, "ODDS", "no-cards", name=name)
    hand = _number(game, "hand", figures) if hand is None else hand
    turn = _number(game, "turn", figures) if turn is None else turn
    ids = list(_card_ids(game, name, asked, copies)) or list(copies)
    each = tuple(
        Odds(game.cards[key].name, copies[key], _by_draw([(1, copies[key])], total)) for key in ids
    )
    groups = [(1, copies[key]) for key in dict.fromkeys(ids)]
    together = _by_draw(groups, total) if asked[1:] else ()
    turns, discards = turns_through(total, hand, turn), game.draws.discards
    if discards and turns is not None:
        turns += 1
    return DeckOdds(name, total, hand, turn, each, together, turns, discards)


def chance_of(groups: Sequence[tuple[int, int]], cards: int, drawn: int) -> Fraction:
    """Work out the chance that ``drawn`` of ``cards`` hold at least so many of each group.

    A group is how many are wanted, and how many copies there are.
    """
    drawn = min(drawn, cards)
    others = cards - sum(copies for _, copies in groups)

    def ways(index: int, left: int) -> int:
        if index == len(groups):
            return comb(others, left)
        wanted, copies = groups[index]
        return sum(
            comb(copies, count) * ways(index + 1, left - count)
            for count in range(wanted, min(copies, left) + 1)
        )

    return Fraction(ways(0, drawn), comb(cards, drawn))


def _by_draw(groups: Sequence[tuple[int, int]], cards: int) -> tuple[Fraction, ...]:
    """Find the chances to hold each group after every draw, from none on."""
    return tuple(chance_of(groups, cards, drawn) for drawn in range(cards + 1))


def turns_through(cards: int, hand: int, a_turn: int) -> int | None:
    """Find in which turn the last card of a deck is drawn, where ``hand`` is drawn before the
    first; nothing where nothing is drawn."""
    left = max(0, cards - hand)
    if a_turn < 1:
        return 0 if not left else None
    return -(-left // a_turn)


def drawn_copies(game: Game, deck: Iterable[DeckCard]) -> dict[str, int]:
    """Count how many of each card of a deck are drawn in play, by its id."""
    condition = game.draws.cards

    def is_drawn(card: Card) -> bool:
        known = names_about(condition, card, {})
        where = game.draws.place("cards")
        return not asks_only(condition, known) or holds(condition, known, where)

    drawn = (entry for entry in deck if not condition or is_drawn(entry.card))
    return dict(sum_by_key((entry.card.id, entry.copies) for entry in drawn))


def _number(game: Game, key: str, figures: dict[str, int]) -> int:
    text = getattr(game.draws, key)
    if not text:
        raise error_at(COMMAND_LINE, "ODDS", f"no-{key}", game=game.id)
    return max(0, whole(text, figures, game.draws.place(key)))


def _card_ids(game: Game, name: str, asked: Sequence[str], copies: dict[str, int]) -> Iterator[str]:
    problems: list[Problem] = []
    for word in asked:
        card = game.card(resolve_name(game, "card", word))
        if card is None:
            problems.append(unknown(game, "card", word, COMMAND_LINE, "ODDS"))
        elif card.id not in copies:
            strange = problem_at(COMMAND_LINE, "ODDS", "not-in-deck", card=card.name, name=name)
            problems.append(strange)
        else:
            yield card.id
    stop_for(problems)


def percent(chance: Fraction) -> str:
    """Write a chance as people read it, to a tenth of a percent."""
    return f"{float(chance) * 100:.1f}%"


def odds_lines(found: DeckOdds, language: str) -> Iterator[str]:
    """Find the chances as a table, columns by tabs."""
    word = partial(say, "odds", language)
    key, draws = "deck-discards" if found.discards else "deck", found.draws
    yield word(key, name=found.name, cards=found.cards, hand=found.hand, turn=found.turn)
    if found.discards:
        in_hand = list(dict.fromkeys(found.hands))
        keys = ("in-hand",) if len(in_hand) == 1 else ("in-hand-first", "in-hand-later")
        seen = (word("seen", number=n) for n in range(1, len(draws) + 1))
        heads, draws = [*map(word, keys), *seen], [*in_hand, *draws]
    else:
        heads = [word("hand"), *(word("turn", number=n) for n in range(1, len(draws)))]
    yield "\t".join(["  " + word("card"), word("copies"), *heads])
    yield "\t".join(["  " + word("drawn"), "", *map(str, draws)])
    for one in found.odds:
        chances = [percent(one.by_draw[n]) for n in draws]
        yield "\t".join([f"  {one.name}", str(one.copies), *chances])
    if found.together:
        chances = [percent(found.together[n]) for n in draws]
        yield "\t".join(["  " + word("together"), "", *chances])
    if found.turns is not None:
        key = "through-round" if found.discards else "through"
        at_once = found.hand >= found.cards
        yield word("through-at-once") if at_once else word(key, turns=found.turns)


def odds_values(found: DeckOdds) -> dict[str, Any]:
    """Give the same as plain values: chances from 0 to 1 by how many cards are drawn, from none on.

    ``draws`` and ``hands`` are how many are seen and in hand after each turn.
    """
    return {
        "name": found.name,
        "cards": found.cards,
        "hand": found.hand,
        "turn": found.turn,
        "turns": found.turns,
        "discards": found.discards,
        "draws": found.draws,
        "hands": found.hands,
        "odds": [
            {"card": one.name, "copies": one.copies, "by_draw": [float(n) for n in one.by_draw]}
            for one in found.odds
        ],
        "together": [float(n) for n in found.together],
    }
