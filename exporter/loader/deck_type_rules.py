"""What game.yaml says of the decks that players bring, as rules like those of rules.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from exporter.loader.load_context import LoadContext
from exporter.model import (
    DeckKind,
    Game,
    Name,
)
from exporter.model.shape import Wording
from exporter.rules.kind import Rule
from exporter.rules.kinds.deck_size import DeckSize
from exporter.rules.kinds.only import Only


def rules_of_decks(reading: LoadContext, game: Game, others: Mapping[str, Rule]) -> dict[str, Rule]:
    """A rule for the size of each deck, ``DECK-MAIN-SIZE``, and one for the cards that may lie in
    it, ``DECK-MAIN-CARDS``; notes what is wrong with the decks together."""
    found: dict[str, Rule] = {}
    for kind in game.deck_kinds.values():
        if kind.beside in game.deck_kinds and _lies_beside(game, kind):
            where, other = kind.place("beside"), kind.beside
            reading.fault(where, "SRC-VALUE", "beside-beside", deck=kind.id, other=other)
        least, most = kind.size or (0, 0)
        if least > most:
            where = kind.place("size")
            reading.fault(where, "SRC-VALUE", "size-turned", least=least, most=most)
        for rule in _rules(kind):
            if rule.id in {**found, **others}:
                reading.fault(kind.where, "SRC-ID", "rule-of-deck", deck=kind.id, made=rule.id)
            found[rule.id] = rule
    return found


def _lies_beside(game: Game, kind: DeckKind) -> bool:
    """Whether the deck that one lies beside lies beside others itself."""
    return bool(game.deck_kinds[kind.beside].beside) or kind.beside == kind.id


def _rules(kind: DeckKind) -> Iterator[Rule]:
    stem = "DECK-" + kind.id.upper().replace("_", "-")
    en = kind.name.in_language("en")
    if kind.size is not None:
        least, most = kind.size
        exactly = least == most
        span = str(least) if exactly else f"{least}～{most}"
        yield Rule(
            id=f"{stem}-SIZE",
            title=Name(f"{kind.name.ja}は{span}枚", f"{en}: {span} cards"),
            status="checked",
            kind=DeckSize(decks=(kind.id,), cards=least)
            if exactly
            else DeckSize(decks=(kind.id,), least=least, most=most),
            spot=kind.spot.at("size"),
        )
    if kind.cards is not None:
        yield Rule(
            id=f"{stem}-CARDS",
            title=Name(f"{kind.name.ja}に入れられる札", f"{en}: its cards"),
            says=Wording("{card}は{owner}に入れられません。", "{card} may not be in {owner}."),
            status="checked",
            kind=Only(decks=(kind.id,), cards=kind.cards),
            spot=kind.spot.at("cards"),
        )
