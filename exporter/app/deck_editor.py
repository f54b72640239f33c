"""Decks that somebody puts together: which cards may lie in them, and what to expect of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from exporter.app.drafts import (
    Draft,
    entry_of,
)
from exporter.app.open_project import Held

if TYPE_CHECKING:
    from exporter.model import Card
    from exporter.rules.report.chances import DeckOdds


def pools(held: Held) -> Mapping[str, tuple[str, ...]]:
    """By the kind of deck, the ids of the cards that the game lets lie in it."""
    from exporter.rules.figures import may_lie

    game = held.game
    return {
        kind.id: tuple(card.id for card in game.cards.values() if may_lie(kind, card))
        for kind in game.deck_kinds.values()
    }


class Pile(Struct, frozen=True):
    """The cards of a deck that are drawn in play, with copies; and the chances to draw them."""

    cards: tuple[tuple[Card, int], ...]
    odds: DeckOdds


def chances(
    held: Held, draft: Draft, deck: str, hand: int | None = None, turn: int | None = None
) -> Pile | None:
    """What to expect of one of a draft's decks; or, where it is none, of what its mech brings.

    Nothing for a deck without cards. Raises ``InvalidSource`` where neither the game nor the caller
    says how many are drawn, and for a frame that there is not.
    """
    from exporter.model import DeckCard
    from exporter.rules.loadouts import (
        built_loadout,
        with_decks,
    )
    from exporter.rules.report.chances import (
        deck_odds,
        drawn_copies,
    )
    from exporter.rules.report.verdicts import check_frame

    game, build = held.game, entry_of(draft).build
    rows = build.decks.get(deck, ())
    found = ((row, game.brought_card(row)) for row in rows)
    cards = tuple(DeckCard(card=card, copies=row.copies) for row, card in found if card is not None)
    figures: Mapping[str, int] = {}
    if deck not in build.decks and build.has_parts:
        game = with_decks(game)
        check_frame(game, held.opened.book, build)
        loadout = built_loadout(game, build)
        cards, figures = loadout.deck, loadout.figures
    drawn = drawn_copies(game, cards)
    if not drawn:
        return None
    odds = deck_odds(game, draft.name, cards, dict(figures), hand=hand, turn=turn)
    return Pile(tuple((game.cards[card], copies) for card, copies in drawn.items()), odds)
