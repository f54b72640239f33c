"""Decks: which cards may lie in them, and the chances to draw them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app.drafts import (
    Draft,
    entry_of,
)
from exporter.app.face_pictures import card_front
from exporter.model import DeckCard
from exporter.rules.figures import may_lie
from exporter.rules.loadouts import built_loadout
from exporter.rules.project import Project
from exporter.rules.report.chances import (
    DeckOdds,
    deck_odds,
    drawn_copies,
)
from exporter.rules.report.verdicts import check_frame
from exporter.web.page_values import (
    cards_values,
    regulations_values,
    seated_values,
)
from exporter.web.request_bodies import OddsRequest
from exporter.web.requests import (
    answer,
    body_of,
    language_of,
    worked,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)

MOST_CARDS = 10_000
"""Of a deck whose chances are counted: those of more take numbers of many thousand digits."""


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""
    return [
        Route("/api/{game}/pool", partial(pool, desk)),
        Route("/api/{game}/chances", partial(expected, desk), methods=["POST"]),
    ]


def _pools(project: Project) -> Mapping[str, tuple[str, ...]]:
    """By the kind of deck, the ids of the cards that the game lets lie in it."""
    game = project.corrected
    return {
        kind.id: tuple(card.id for card in game.cards.values() if may_lie(kind, card))
        for kind in game.deck_kinds.values()
    }


def pool(desk: Sessions, request: Request) -> Response:
    """The kinds of decks of a game, its cards, and printed decks to begin with."""
    opened = desk.open_game(request.path_params["game"])
    return answer(_pool(opened, language_of(request)))


def _pool(opened: OpenGame, language: str) -> dict[str, Any]:
    project = opened.project
    game, lying = project.corrected, _pools(project)
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
            {"code": deck, "name": deck, "draft": to_builtins(_printed(project, kind.id, deck))}
            for kind in game.deck_kinds.values()
            for deck in kind.printed
        ],
    }


def _printed(project: Project, kind: str, deck: str) -> Draft:
    cards: dict[str, int] = {}
    for entry in project.corrected.deck_cards(deck):
        cards[entry.card.id] = cards.get(entry.card.id, 0) + entry.copies
    return Draft(name=deck, decks={kind: cards})


def _chances(
    project: Project, draft: Draft, deck: str, hand: int | None, turn: int | None
) -> tuple[DeckOdds, dict[str, int]] | None:
    """What to expect of one of a draft's decks; or, where it is none, of what its mech brings.

    Also the copies of each card of it that is drawn in play. Nothing for a deck without cards.
    Raises ``InvalidSource`` where neither the game nor the caller says how many are drawn, and for
    a frame that there is not.
    """
    game, build = project.corrected, entry_of(draft)
    rows = build.decks.get(deck, ())
    found = ((row, game.brought_card(row)) for row in rows)
    cards = tuple(DeckCard(card=card, copies=row.copies) for row, card in found if card is not None)
    figures: Mapping[str, int] = {}
    if deck not in build.decks and build.has_parts:
        game = project.played
        check_frame(game, project.book, build)
        loadout = built_loadout(game, build)
        cards, figures = loadout.deck, loadout.figures
    drawn = drawn_copies(game, cards)
    if not drawn:
        return None
    return deck_odds(game, draft.name, cards, dict(figures), hand=hand, turn=turn), drawn


async def expected(desk: Sessions, request: Request) -> Response:
    """For each card of a deck, the chances to have seen it, and to have it in hand, by turn."""
    asked = await body_of(request, OddsRequest)
    opened = await asyncio.to_thread(desk.open_game, request.path_params["game"])
    project = opened.project
    is_deck = sum(asked.draft.decks.get(asked.deck, {}).values()) <= MOST_CARDS
    found = None
    if is_deck:
        found = await worked(_chances, project, asked.draft, asked.deck, asked.hand, asked.turn)
    if found is None:
        return answer({"cards": 0, "odds": [], "pile": []})
    odds, drawn = found
    cards = [(project.corrected.cards[card], copies) for card, copies in drawn.items()]
    fronts = [(card, copies, card_front(project, card)) for card, copies in cards]
    keys = opened.addresses(face for _card, _copies, face in fronts if face is not None)
    return answer(
        {
            "cards": odds.cards,
            "hand": odds.hand,
            "turn": odds.turn,
            "turns": odds.turns,
            "discards": odds.discards,
            "hands": odds.hands,
            "pile": [
                {
                    "id": card.id,
                    "name": card.name,
                    "copies": copies,
                    "front": keys.get(face, "") if face else "",
                    "ratio": face.width / face.height if face else 0.716,
                }
                for card, copies, face in fronts
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
    )
