"""Builds at one table: whether the boxes owned hold the cards that all of them need at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from exporter.core.messages import sentence
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    Problem,
    Severity,
    problem_at,
)
from exporter.model import (
    Build,
    Card,
    Game,
    Loadout,
)
from exporter.rules.kinds.printed_decks import PrintedCopies
from exporter.rules.loadouts import built_loadout
from exporter.rules.rulebook import Rulebook


def missing_cards(
    game: Game, book: Rulebook, loadouts: Sequence[Loadout], boxes: Iterable[str] = ()
) -> Iterator[Problem]:
    """Find each card of which all that is played at once takes more than the boxes owned hold.

    How many a box holds is the field of a rule of kind ``printed_copies``; where the game has none,
    a notice says that nobody can tell.
    """
    rules = [rule for rule in book.rules.values() if isinstance(rule.kind, PrintedCopies)]
    if not rules:
        yield problem_at(
            COMMAND_LINE, "TOGETHER", "nobody-counts", severity=Severity.NOTICE, game=game.id
        )
    needed: dict[str, list[tuple[str, int]]] = {}
    for loadout in loadouts:
        of_one: dict[str, int] = {}
        for deck in loadout.decks.values() or (loadout.deck,):
            for entry in deck:
                of_one[entry.card.id] = of_one.get(entry.card.id, 0) + entry.copies
        for card_id, copies in of_one.items():
            needed.setdefault(card_id, []).append((loadout.name, copies))
    owned = frozenset(boxes or game.editions)
    for card_id, by in needed.items():
        card = game.cards[card_id]
        for rule in rules:
            assert isinstance(rule.kind, PrintedCopies)
            held = _copies_in(card, rule.kind.field, owned)
            total = sum(copies for _, copies in by)
            if held is not None and total > held:
                names = "・".join(f"{name} {copies}" for name, copies in by)
                text = sentence(
                    "one-table", "too-few", card=card.name, found=total, held=held, names=names
                )
                yield Problem(
                    loadouts[0].build.where, rule.id, text, cites=rule.cites, sources=rule.sources
                )


def _copies_in(card: Card, field: str, owned: frozenset[str]) -> int | None:
    """Find the copies of a card in the boxes owned; nothing where nobody says how many there
    are."""
    copies = card.fields.get(field)
    box = card.text("edition")
    if not isinstance(copies, int):
        return None
    return copies if not box or box in owned else 0


def loadouts_of(game: Game, builds: Iterable[Build]) -> list[Loadout]:
    """Find what builds play with; what cannot be worked out is reported elsewhere, and left out."""
    found = []
    for build in builds:
        try:
            found.append(built_loadout(game, build))
        except InvalidSource:
            continue
    return found
