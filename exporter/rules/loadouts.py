"""What a mech or a build plays with: its figures, and the cards of its deck.

The deck of a printed loadout is its rows of decks/; where there are none, it follows from what is
mounted and from the figures, as that of a player's own build does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    error_at,
)
from exporter.model import (
    Build,
    Card,
    DeckCard,
    DeckEntry,
    Game,
    Kind,
    Loadout,
    Mech,
    Variant,
)
from exporter.model.fields import copies_of
from exporter.model.game_names import (
    resolve_name,
    unknown,
)
from exporter.rules.expressions import whole
from exporter.rules.figures import (
    FigureResults,
    all_figures,
    figures_of_cards,
    mounted_cards,
    slots_by_part,
)


def find_mech(game: Game, code: str) -> Mech:
    """Find the mech with this code or name. Raises ``InvalidSource`` naming the nearest."""
    found = game.mechs.get(resolve_name(game, "mech", code))
    if found is not None:
        return found
    for sample, name in game.left_out.items():
        if code in (sample, name):
            raise error_at(game.where, "SAMPLE", "left-out", mech=name)
    raise InvalidSource([unknown(game, "mech", code, game.where, "MECH")])


def find_variant(game: Game, name: str) -> Variant:
    """Find the variant with this id or name; an empty one gives the first. Raises
    ``InvalidSource``."""
    if not name and game.variants:
        return next(iter(game.variants.values()))
    found = game.variants.get(resolve_name(game, "variant", name))
    if found is None:
        raise InvalidSource([unknown(game, "variant", name, game.where, "VARIANT")])
    return found


def printed_loadout(game: Game, code: str, variant_name: str = "") -> Loadout:
    """Make a printed mech with one of its loadouts and its deck: the cards that carry the mark.

    Raises ``InvalidSource`` for an unknown code or variant, and for a mech whose figures
    nobody published.
    """
    mech = find_mech(game, code)
    variant = find_variant(game, variant_name)
    key = ("loadout", mech.code, variant.id)
    return game.cached(key, lambda: _printed(game, mech, variant))


def published(game: Game, mech: Mech, variant: Variant) -> Build:
    """Find what a mech mounts in a variant. Raises ``InvalidSource`` where nobody published
    that."""
    build = mech.loadouts.get(variant.id)
    if build is None:
        missing = ", ".join(mech.unknown) or f"loadouts.{variant.id}"
        raise error_at(
            mech.where,
            "UNKNOWN-MECH",
            "cannot-played-nobody",
            mech=mech.name,
            missing=missing,
            names=", ".join(m.code for m in game.mechs.values() if m.loadouts),
        )
    return build


def _printed(game: Game, mech: Mech, variant: Variant) -> Loadout:
    build = published(game, mech, variant)
    results = all_figures(game, build).totals
    printed = [row for row in game.decks if row.deck == mech.code]
    every = (*printed, *_following(game, mech, _without_row(game, mech)))
    rows = [row for row in every if variant.mark in row.mark]
    found = ((row, game.card(row.card)) for row in rows)
    return Loadout(
        name=mech.title,
        code=mech.code,
        variant=variant,
        build=build,
        figures={name: total.value for name, total in results.items()},
        slots=slots_by_part(results),
        deck=tuple(row.of(card) for row, card in found if card is not None),
        silhouette=mech.silhouette,
        colour=mech.colour,
        sample=mech.sample,
        text=mech.text,
    )


def _bounded(kind: Kind, card: Card, copies: int) -> int:
    """Check that a deck may hold so many copies. Raises ``InvalidSource``."""
    most, field = copies_of(kind.fields).most, kind.deck_copies
    if most is not None and copies > most:
        words = {"card": card.name, "field": field, "copies": copies, "most": most}
        raise error_at(card.at(field), "COPIES", "comes-allowed-most", **words)
    return copies


def built_loadout(game: Game, build: Build) -> Loadout:
    """Make a player's own build; its deck is what the figures and the mounted cards make of it,
    or the first of the decks that it brings."""
    decks = {deck: tuple(_own_cards(game, rows)) for deck, rows in build.decks.items()}
    if build.has_parts:
        worked = all_figures(game, build)
        copies = _copies(game, build, worked).items()
        deck = tuple(DeckCard(card=game.cards[key], copies=count) for key, count in copies)
    else:
        kinds = sorted(game.deck_kinds.values(), key=lambda kind: bool(kind.beside))
        first = next((kind.id for kind in kinds if kind.id in decks), next(iter(decks), ""))
        deck = decks.get(first, ())
        cards = [entry.card for entry in deck for _copy in range(entry.copies)]
        worked = figures_of_cards(game, cards)
    return Loadout(
        name=build.name,
        code="",
        variant=None,
        build=build,
        figures={name: total.value for name, total in worked.totals.items()},
        slots=slots_by_part(worked.totals) if build.has_parts else {},
        deck=deck,
        decks=decks,
    )


def _own_cards(game: Game, rows: Iterable[DeckEntry]) -> Iterator[DeckCard]:
    """Find the cards of a player's deck. They look as those of the printed deck that it stands
    for."""
    for row in rows:
        card = game.brought_card(row)
        kind = game.kind_of_deck(row.deck)
        printed = kind.printed if kind else ()
        looks = printed[0] if len(printed) == 1 else row.deck
        if card is not None:
            deck = looks if looks in game.printed_decks else ""
            yield DeckCard(card=card, copies=row.copies, deck=deck)


def with_decks(game: Game) -> Game:
    """Find the game with rows in ``decks`` for every loadout. Raises ``InvalidSource``.

    Rows that follow from a loadout follow from the cards as they are: lay the errata over them
    first.
    """
    following = [
        row for mech, missing in without_rows(game) for row in _following(game, mech, missing)
    ]
    return replace(game, decks=(*game.decks, *following)) if following else game


def without_rows(game: Game) -> Iterator[tuple[Mech, list[Variant]]]:
    """Find the mechs with loadouts of which decks/ has no row, in a game that lays decks."""
    if game.decks or any(item.cards and item.cards.deck for item in game.laid):
        for mech in game.mechs.values():
            missing = _without_row(game, mech)
            if missing:
                yield mech, missing


def _without_row(game: Game, mech: Mech) -> list[Variant]:
    marks = [row.mark for row in game.decks if row.deck == mech.code]
    variants = [one for name, one in game.variants.items() if name in mech.loadouts]
    return [one for one in variants if not any(one.mark in mark for mark in marks)]


def _following(game: Game, mech: Mech, variants: list[Variant]) -> Iterator[DeckEntry]:
    """Find the rows that follow from loadouts: what several of them share carries all their
    marks."""
    copies = {}
    for variant in variants:
        build = mech.loadouts[variant.id]
        copies[variant.mark] = _copies(game, build, all_figures(game, build))
    for card_id in dict.fromkeys(name for counts in copies.values() for name in counts):
        counts = {mark: found.get(card_id, 0) for mark, found in copies.items()}
        for fewer, more in pairwise(sorted({0, *counts.values()})):
            mark = "".join(mark for mark, count in counts.items() if count >= more)
            yield DeckEntry(
                deck=mech.code, card=card_id, mark=mark, copies=more - fewer, where=mech.where
            )


def _copies(game: Game, build: Build, worked: FigureResults) -> dict[str, int]:
    """Find the copies of each card (by id) in a build's deck: those of every deck, then the
    mounted."""
    copies: dict[str, int] = {}
    for kind in game.kinds.values():
        if not kind.deck_copies:
            continue
        for card in game.cards_of(kind.id):
            expression = str(card.get(kind.deck_copies)) or "0"
            where = card.at(kind.deck_copies)
            copies[card.id] = _bounded(kind, card, whole(expression, worked.names, where))
    for card in mounted_cards(game, build):
        copies[card.id] = copies.get(card.id, 0) + 1
    return {card_id: count for card_id, count in copies.items() if count > 0}
