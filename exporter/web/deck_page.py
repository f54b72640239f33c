"""The page of decks: which cards may lie in them, and the chances to draw them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins
from starlette.routing import Route

from exporter.app.drafts import (
    Draft,
    Line,
    build_of,
)
from exporter.app.face_pictures import card_front
from exporter.model import DeckCard
from exporter.rules.figures import may_lie
from exporter.rules.loadouts import built_loadout
from exporter.rules.project import Project
from exporter.rules.report.chances import (
    deck_odds,
    drawn_copies,
)
from exporter.rules.report.verdicts import refuse_unknown_frame
from exporter.web.answers import (
    game_route,
    regulations_values,
    seated_values,
)
from exporter.web.cards_page import cards_values
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)

# Of a deck whose chances are counted: those of more take numbers of many thousand digits.
MOST_CARDS = 10_000


class OddsRequest(Struct, frozen=True, kw_only=True):
    """A deck of a draft, of which ``hand`` cards are drawn first and ``turn`` in each turn.

    What is left out is as the game says.
    """

    draft: Draft
    deck: Line
    hand: Annotated[int, Meta(ge=0, le=999)] | None = None
    turn: Annotated[int, Meta(ge=0, le=999)] | None = None


def routes(sessions: Sessions) -> list[Route]:
    """Give the addresses of what this module does."""
    return [
        game_route(sessions, "pool", pool),
        game_route(sessions, "chances", chances, OddsRequest),
    ]


def pool(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give the kinds of decks of a game, its cards, and printed decks to begin with."""
    project = opened.project
    game = project.corrected
    lying = {
        kind.id: [card.id for card in game.cards.values() if may_lie(kind, card)]
        for kind in game.deck_kinds.values()
    }
    found = cards_values(opened, language)
    some = {card for cards in lying.values() for card in cards}
    return {
        **found,
        **regulations_values(project, language),
        "boxes": seated_values(project, language)["boxes"],
        "list": [one for one in found["list"] if one["id"] in some],
        "others": {card.id: card.name for card in game.cards.values() if card.id not in some},
        "deck_kinds": [
            {
                "id": kind.id,
                "name": kind.name.in_language(language),
                "size": list(kind.size) if kind.size else None,
                "beside": kind.beside,
                "cards": lying[kind.id],
            }
            for kind in game.deck_kinds.values()
        ],
        "numbers": list(
            dict.fromkeys(
                name
                for kind in game.kinds.values()
                for name, one in kind.fields.items()
                if one.type == "number" and name != "copies"
            )
        ),
        "draws": bool(game.draws.hand and game.draws.turn),
        "printed": [
            {
                "code": deck,
                "name": deck,
                "draft": to_builtins(Draft(name=deck, decks={kind.id: _copies(project, deck)})),
            }
            for kind in game.deck_kinds.values()
            for deck in kind.printed
        ],
    }


def _copies(project: Project, deck: str) -> Mapping[str, int]:
    """Count the copies of each card of a printed deck, by its id."""
    cards: Counter[str] = Counter()
    for entry in project.corrected.deck_cards(deck):
        cards[entry.card.id] += entry.copies
    return cards


def chances(opened: OpenGame, asked: OddsRequest, _language: str) -> dict[str, Any]:
    """Give each card's chances, to have been seen and to be in hand, by turn.

    Of one of a draft's decks; or, where it is none, of the one that its mech brings. Raises
    ``InvalidSource`` where neither the game nor the page says how many are drawn, and for a frame
    that there is not.
    """
    project, build = opened.project, build_of(asked.draft)
    game, cards = project.corrected, tuple[DeckCard, ...]()
    figures: Mapping[str, int] = {}
    if asked.deck not in build.decks and build.has_parts:
        game = project.played
        refuse_unknown_frame(game, project.book, build)
        loadout = built_loadout(game, build)
        cards, figures = loadout.deck, loadout.figures
    elif sum(asked.draft.decks.get(asked.deck, {}).values()) <= MOST_CARDS:
        found = [(game.brought_card(row), row.copies) for row in build.decks.get(asked.deck, ())]
        cards = tuple(DeckCard(card=card, copies=n) for card, n in found if card is not None)
    drawn = drawn_copies(game, cards)
    if not drawn:
        return {"cards": 0, "odds": [], "pile": []}
    odds = deck_odds(game, build.name, cards, dict(figures), hand=asked.hand, turn=asked.turn)
    fronts = {card: card_front(project, project.corrected.cards[card]) for card in drawn}
    keys = opened.addresses(face for face in fronts.values() if face is not None)
    return {
        "cards": odds.cards,
        "hand": odds.hand,
        "turn": odds.turn,
        "turns": odds.turns,
        "discards": odds.discards,
        "hands": odds.hands,
        "pile": [
            {
                "id": card,
                "name": project.corrected.cards[card].name,
                "copies": copies,
                "front": keys.get(face, "") if face else "",
                "ratio": face.width / face.height if face else 0.716,
            }
            for card, copies, face in ((card, drawn[card], fronts[card]) for card in drawn)
        ],
        "odds": [
            {
                "name": one.name,
                "copies": one.copies,
                "by_turn": [round(float(one.by_draw[n]), 4) for n in odds.draws],
                "in_hand": [round(float(one.by_draw[n]), 4) for n in odds.hands],
            }
            for one in odds.odds
        ],
    }
