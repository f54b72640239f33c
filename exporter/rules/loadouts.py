"""What a mech or a build plays with: its figures, and the cards of its deck."""

from __future__ import annotations

from exporter.model import Build, DeckCard, Game, Kind, Loadout, Mech, Variant
from exporter.model.fields import copies_of
from exporter.problems import InvalidSource, Problem, Where, nearest, told
from exporter.rules.expressions import whole
from exporter.rules.totals import mounted_cards, names_of, slots_by_part, totals


def find_mech(game: Game, code: str) -> Mech:
    """The mech with this code or name. Raises ``InvalidSource`` naming the nearest."""
    for mech in game.mechs.values():
        if code in (mech.code, mech.name):
            return mech
    message = f"{game.id} has no mech {code!r}."
    raise InvalidSource([Problem(game.where, "MECH", message, nearest(code, game.mechs))])


def find_variant(game: Game, name: str) -> Variant:
    """The variant with this id; an empty name gives the first. Raises ``InvalidSource``."""
    if not name and game.variants:
        return next(iter(game.variants.values()))
    if name in game.variants:
        return game.variants[name]
    message = f"{game.id} has no variant {name!r}."
    raise InvalidSource([Problem(game.where, "VARIANT", message, nearest(name, game.variants))])


def printed_loadout(game: Game, code: str, variant_name: str = "") -> Loadout:
    """A printed mech with one of its loadouts; its deck holds the cards that carry the mark.

    Raises ``InvalidSource`` for an unknown code or variant, and for a mech whose figures
    nobody published.
    """
    mech = find_mech(game, code)
    variant = find_variant(game, variant_name)
    build = mech.loadouts.get(variant.id)
    if build is None:
        missing = ", ".join(mech.unknown) or f"loadouts.{variant.id}"
        message = f"{mech.name} cannot be played: nobody published its {missing}."
        hint = f"Choose one of {', '.join(m.code for m in game.mechs.values() if m.loadouts)}."
        raise InvalidSource([Problem(mech.where, "UNKNOWN-MECH", message, hint)])
    results = totals(game, build)
    cards = []
    for entry in game.decks:
        card = game.card(entry.card)
        if entry.deck == mech.code and variant.mark in entry.mark and card is not None:
            cards.append(entry.of(card))
    return Loadout(
        name=mech.name,
        code=mech.code,
        variant=variant,
        build=build,
        figures={name: total.value for name, total in results.items()},
        slots=slots_by_part(results),
        deck=tuple(cards),
        silhouette=mech.silhouette,
    )


def _bounded(kind: Kind, copies: int, where: Where) -> int:
    """So many copies of a card as a deck may hold. Raises ``InvalidSource``."""
    most = copies_of(kind.fields).most
    if most is not None and copies > most:
        sentence = "{field} comes to {copies}; allowed: at most {most} in a deck."
        field = kind.deck_copies
        problem = told(where, "COPIES", sentence, field=field, copies=copies, most=most)
        raise InvalidSource([problem])
    return copies


def built_loadout(game: Game, build: Build) -> Loadout:
    """A player's own build; its deck is what the figures and the mounted cards make of it."""
    results = totals(game, build)
    names = names_of(game, build, results)
    copies: dict[str, int] = {}
    for kind in game.kinds.values():
        if not kind.deck_copies:
            continue
        for card in game.cards.values():
            if card.kind == kind.id:
                expression = str(card.get(kind.deck_copies)) or "0"
                where = card.at(kind.deck_copies)
                copies[card.id] = _bounded(kind, whole(expression, names, where), where)
    for _part, card in mounted_cards(game, build):
        copies[card.id] = copies.get(card.id, 0) + 1
    deck = tuple(
        DeckCard(card=game.cards[card_id], copies=count)
        for card_id, count in copies.items()
        if count > 0
    )
    return Loadout(
        name=build.name,
        code="",
        variant=None,
        build=build,
        figures={name: total.value for name, total in results.items()},
        slots=slots_by_part(results),
        deck=deck,
    )
