"""Decks: which cards may lie in them, and the chances to draw them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app.deck_editor import (
    chances,
    pools,
)
from exporter.app.drafts import Draft
from exporter.app.face_pictures import card_front
from exporter.app.open_project import Held
from exporter.web.page_values import (
    cards_values,
    regulations_values,
    seated_values,
)
from exporter.web.request_bodies import ChancesWish
from exporter.web.requests import (
    answer,
    body_of,
    language_of,
    worked,
)
from exporter.web.sessions import (
    Sessions,
    Shown,
)

MOST_CARDS = 10_000
"""Of a deck whose chances are counted: those of more take numbers of many thousand digits."""


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""
    return [
        Route("/api/{game}/pool", partial(pool, desk)),
        Route("/api/{game}/chances", partial(expected, desk), methods=["POST"]),
    ]


def pool(desk: Sessions, request: Request) -> Response:
    """The kinds of decks of a game, its cards, and printed decks to begin with."""
    shown, held = desk.held(request.path_params["game"])
    return answer(_pool(shown, held, language_of(request)))


def _pool(shown: Shown, held: Held, language: str) -> dict[str, Any]:
    game, lying = held.game, pools(held)
    found = cards_values(shown, held, language)
    some = {card for cards in lying.values() for card in cards}
    return {
        **found,
        **regulations_values(held, language),
        "boxes": seated_values(held, language)["boxes"],
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
            {"code": deck, "name": deck, "draft": to_builtins(_printed(held, kind.id, deck))}
            for kind in game.deck_kinds.values()
            for deck in kind.printed
        ],
    }


def _printed(held: Held, kind: str, deck: str) -> Draft:
    cards: dict[str, int] = {}
    for entry in held.game.deck_cards(deck):
        cards[entry.card.id] = cards.get(entry.card.id, 0) + entry.copies
    return Draft(name=deck, decks={kind: cards})


async def expected(desk: Sessions, request: Request) -> Response:
    """For each card of a deck, the chances to have seen it, and to have it in hand, by turn."""
    wish = await body_of(request, ChancesWish)
    shown, held = await asyncio.to_thread(desk.held, request.path_params["game"])
    is_deck = sum(wish.draft.decks.get(wish.deck, {}).values()) <= MOST_CARDS
    asked = (held, wish.draft, wish.deck, wish.hand, wish.turn)
    found = await worked(chances, *asked) if is_deck else None
    if found is None:
        return answer({"cards": 0, "odds": [], "pile": []})
    odds = found.odds
    fronts = [(card, copies, card_front(held, card)) for card, copies in found.cards]
    keys = shown.addresses(face for _card, _copies, face in fronts if face is not None)
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
