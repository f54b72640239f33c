"""Chances to hold cards of a deck: exact, by the hypergeometric distribution."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from msgspec import Struct

from exporter.core.cancellation import check_cancelled


class Odds(Struct, frozen=True):
    """The chances for ``copies`` of a card among the ``cards`` of a deck.

    ``by_draw[n]`` is the chance to have at least one of them among the first n cards.
    """

    name: str
    copies: int
    by_draw: tuple[Fraction, ...]


def at_least(wanted: int, copies: int, cards: int, drawn: int) -> Fraction:
    """The chance that ``drawn`` of ``cards`` hold ``wanted`` or more of ``copies``."""
    check_cancelled()
    drawn = min(drawn, cards)
    ways = sum(
        comb(copies, held) * comb(cards - copies, drawn - held)
        for held in range(wanted, min(copies, drawn) + 1)
    )
    return Fraction(ways, comb(cards, drawn))


def all_of(groups: Sequence[tuple[int, int]], cards: int, drawn: int) -> Fraction:
    """The chance to hold ``wanted`` or more of each group of ``copies``, given as such pairs."""
    drawn = min(drawn, cards)
    others = cards - sum(copies for _, copies in groups)

    def ways(index: int, left: int) -> int:
        if index == len(groups):
            return comb(others, left)
        check_cancelled()
        wanted, copies = groups[index]
        return sum(
            comb(copies, held) * ways(index + 1, left - held)
            for held in range(wanted, min(copies, left) + 1)
        )

    return Fraction(ways(0, drawn), comb(cards, drawn))


def odds_of(name: str, copies: int, cards: int, draws: int) -> Odds:
    """The chances of one card, up to so many draws."""
    by_draw = (at_least(1, copies, cards, drawn) for drawn in range(draws + 1))
    return Odds(name, copies, tuple(by_draw))


def turns_through(cards: int, hand: int, a_turn: int) -> int | None:
    """In which turn the last card of a deck is drawn, where ``hand`` is drawn before the first.

    Nothing where nothing is drawn.
    """
    left = max(0, cards - hand)
    if a_turn < 1:
        return 0 if not left else None
    return -(-left // a_turn)
