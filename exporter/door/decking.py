"""Decks that somebody puts together: which cards may lie in them, and what to expect of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from exporter.door.drafts import Draft, entry_of
from exporter.door.held import Held

if TYPE_CHECKING:
    from exporter.checking.chances import DeckOdds


def pools(held: Held) -> Mapping[str, tuple[str, ...]]:
    """By the kind of deck, the ids of the cards that the game lets lie in it."""
    from exporter.rules.totals import may_lie

    game = held.game
    return {
        kind.id: tuple(card.id for card in game.cards.values() if may_lie(kind, card))
        for kind in game.deck_kinds.values()
    }


def chances(
    held: Held, draft: Draft, deck: str, hand: int | None = None, turn: int | None = None
) -> DeckOdds | None:
    """The chances to hold each card of one of a draft's decks; nothing for one without cards.

    Raises ``InvalidSource`` where neither the game nor the caller says how many are drawn.
    """
    from exporter.checking.chances import deck_odds

    game = held.game
    rows = entry_of(draft).build.decks.get(deck, ())
    cards = [row.of(card) for row in rows if (card := game.card(row.card)) is not None]
    if not cards:
        return None
    return deck_odds(game, draft.name, cards, {}, hand=hand, turn=turn)
