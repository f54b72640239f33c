"""What people type for a card, found among a game's cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exporter.model import (
    Card,
    Game,
)
from exporter.model.called import name_index


def cards_called(game: Game, typed: str) -> Sequence[Card]:
    """The cards that somebody may mean, in any spelling: the one with this id, or else all with
    this name.

    Of reprints of one card the first stands for all.
    """
    card = game.cards.get(typed)
    if card is not None:
        return (card,)
    found = _by_name(game).get(typed)
    if found:
        return found
    meant = [game.cards[key] for key in name_index(game, "card").meant(typed)]
    return [card for card in meant if card in _by_name(game)[card.name]]


def _by_name(game: Game) -> Mapping[str, Sequence[Card]]:
    def work() -> Mapping[str, Sequence[Card]]:
        found: dict[str, list[Card]] = {}
        for card in game.cards.values():
            named = found.setdefault(card.name, [])
            first = next((one for one in named if one.kind == card.kind), None)
            if first is None or not game.kinds[card.kind].reprints:
                named.append(card)
        return found

    return game.once("cards by name", work)
