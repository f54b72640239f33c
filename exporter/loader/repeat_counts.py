"""Numbers that something is repeated by: those of a field that a layout, sheet or rule counts with.

A field may hold large numbers as long as they are only shown, added or compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import (
    Card,
    Game,
    Selection,
)
from exporter.model.fields import (
    MOST_EVER_REPEATED,
    read_value,
)


def check_selections(game: Game, selections: Iterable[Selection | None]) -> Iterator[Problem]:
    """No card is laid as often as too large a number says."""
    asked = {(one.kind, one.copies): None for one in selections if one and one.copies}
    for kind, name in asked:
        for card, value, where in held(game, name):
            if kind in ("", card.kind):
                yield from check_repeated(game, card, name, value, where)


def check_repeated(
    game: Game, card: Card, name: str, value: object, where: SourceLocation
) -> Iterator[Problem]:
    """A value of a field by which something is repeated, at its place."""
    field = game.kinds[card.kind].fields.get(name)
    if field is None or not isinstance(value, int) or value <= field.most_repeated:
        return
    may_be_meant = field.most is None and value <= MOST_EVER_REPEATED
    yield problem_at(
        where,
        "SRC-VALUE",
        "repeated-often" if may_be_meant else "repeated-too-often",
        field=name,
        found=value,
        most=field.most_repeated,
    )


def held(game: Game, name: str) -> Iterator[tuple[Card, object, SourceLocation]]:
    """Each value that somebody gives to a field of a card, and its place."""
    for card in game.cards.values():
        yield card, card.fields.get(name), card.at(name)
    for entry in game.decks:
        named = game.card(entry.card)
        if named is not None and name in entry.fields:
            yield named, entry.fields[name], entry.where
    for change in (change for erratum in game.errata for change in erratum.changes):
        named = game.card(change.card)
        if named is not None and change.field == name and not change.target.keys() - {"card"}:
            field = game.kinds[named.kind].fields.get(name)
            where = change.place("now")
            if field is not None:
                yield named, read_value(change.now, field, where, name), where
