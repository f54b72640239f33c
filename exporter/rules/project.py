"""An open game: its folder, its data and rules, and what is wrong with its files.

Errata are layers over the printed data: both stay readable, rooms show the corrected value.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import chain
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
    errors,
)
from exporter.model import (
    Card,
    Change,
    DeckEntry,
    Erratum,
    Field,
    Game,
    Kind,
    Layout,
    RoomPlan,
    Value,
)
from exporter.model.fields import (
    TEXT,
    copies_of,
    read_value,
)
from exporter.rules.loadouts import with_decks
from exporter.rules.rulebook import Rulebook


def entry_fields(kind: Kind) -> dict[str, Field]:
    """Find the fields of a deck's entry that errata correct, for a card of this kind."""
    return {"mark": TEXT, "copies": copies_of(kind.fields)}


def value_of(change: Change, key: Literal["was", "now"], field: Field) -> Value:
    """Read a value of a change, as its field has it. Raises ``InvalidSource``."""
    value = read_value(getattr(change, key), field, change.place(key), change.field)
    if isinstance(value, Problem):
        raise InvalidSource([value])
    return value


def _corrected_card(game: Game, card: Card, changes: list[Change]) -> Card:
    fields: dict[str, Value] = dict(card.fields)
    for change in changes:
        field = game.kinds[card.kind].fields.get(change.field, TEXT)
        fields[change.field] = value_of(change, "now", field)
    return replace(card, fields=fields)


def _corrected_entry(game: Game, entry: DeckEntry, errata: tuple[Erratum, ...]) -> DeckEntry:
    for change in (change for erratum in errata for change in erratum.changes):
        card = game.card(change.card)
        same = change.deck == entry.deck and card is game.card(entry.card)
        if card is None or not same:
            continue
        field = entry_fields(game.kinds[card.kind]).get(change.field)
        if field and value_of(change, "was", field) == getattr(entry, change.field):
            entry = replace(entry, **{change.field: value_of(change, "now", field)})
    return entry


def undated(game: Game) -> tuple[Erratum, ...]:
    """Find the errata whose date nobody knows: they hold on any day."""
    return tuple(one for one in game.errata if one.date == "unknown")


def corrected_on(game: Game, day: str) -> Game:
    """Lay the errata that hold on a day over a game."""
    always = undated(game)
    return corrected(game, tuple(o for o in game.errata if o in always or o.date <= day))


def corrected(game: Game, errata: tuple[Erratum, ...] | None = None) -> Game:
    """Lay ``errata`` (by default all) over the cards and printed decks of a game."""
    layers = game.errata if errata is None else errata
    changes: dict[str, list[Change]] = {}
    of_cards = (erratum.changes for erratum in layers if erratum.medium == "card")
    for change in chain.from_iterable(of_cards):
        card = None if change.deck else game.card(change.card)
        if card is not None:
            changes.setdefault(card.id, []).append(change)
    cards: Mapping[str, Card] = {
        card_id: _corrected_card(game, card, changes[card_id]) if card_id in changes else card
        for card_id, card in game.cards.items()
    }
    decks = tuple(_corrected_entry(game, entry, layers) for entry in game.decks)
    return replace(game, cards=cards, decks=decks)


class Project(Struct, frozen=True, kw_only=True):
    """An open game and its rules, as far as its files can be read. It does not change.

    ``game`` is as printed; cards of faulty rows are left out. ``problems`` are all faults of its
    files, ``data_problems`` those of all files but the rules and cases. It is ``sound`` where
    nothing is wrong but cases. ``uncertain`` are some of the faults on which every build rests.
    Of the sorts in ``incomplete`` some things could not be read, ``excluded`` are names of others,
    by sort: who refers to these is not at fault.
    """

    folder: Path
    game: Game
    book: Rulebook
    problems: tuple[Problem, ...] = ()
    data_problems: tuple[Problem, ...] = ()
    uncertain: tuple[Problem, ...] = ()
    sound: bool = True
    incomplete: frozenset[str] = frozenset()
    excluded: frozenset[tuple[str, str]] = frozenset()

    @property
    def corrected(self) -> Game:
        """The game with its errata laid over it."""
        return self.game.cached("corrected", lambda: corrected(self.game))

    def on(self, day: str) -> Game:
        """Return the game with the errata that hold on a day; where none is said, with all."""
        if not day:
            return self.corrected
        return self.game.cached(("corrected", day), lambda: corrected_on(self.game, day))

    @property
    def played(self) -> Game:
        """The game with its errata, and with a deck for every loadout."""
        return self.game.cached("played", lambda: with_decks(self.corrected))

    def with_samples(self, *, wanted: bool) -> Project:
        """Return the same, or the game without its samples."""
        return self if wanted else replace(self, game=without_samples(self.game))

    def without_problems(self) -> Project:
        """Return the same. Raises ``InvalidSource`` for errors in any of its files."""
        if errors(self.problems):
            raise InvalidSource(self.problems)
        return self


def without_samples(game: Game) -> Game:
    """Find the game without its samples. Who sat in a seat by default may be missing then."""
    codes = {mech.code: mech.name for mech in game.mechs.values() if mech.sample}
    notes = {note.id for note in game.notes.values() if note.sample}
    if not codes and not notes:
        return game
    return replace(
        game,
        mechs={key: mech for key, mech in game.mechs.items() if not mech.sample},
        decks=tuple(row for row in game.decks if row.deck not in codes),
        notes={key: note for key, note in game.notes.items() if not note.sample},
        layouts={key: _without_notes(layout, notes) for key, layout in game.layouts.items()},
        rooms={
            key: without_seats(plan, {seat.id for seat in plan.seats if seat.bay in codes})
            for key, plan in game.rooms.items()
        },
        pictures={name: file for name, file in game.pictures.items() if name not in codes},
        left_out=codes,
    )


def _without_notes(layout: Layout, notes: set[str]) -> Layout:
    items = (
        replace(item, notes=tuple(name for name in item.notes if name not in notes))
        if notes.intersection(item.notes)
        else item
        for item in layout.items
    )
    return replace(layout, items=tuple(items))


def without_seats(plan: RoomPlan, gone: Container[str]) -> RoomPlan:
    """Make a plan without these seats."""
    if not any(seat.id in gone for seat in plan.seats):
        return plan
    return replace(
        plan,
        seats_by_id={key: seat for key, seat in plan.seats_by_id.items() if key not in gone},
        arrange={
            side: tuple(name for name in names if name not in gone)
            for side, names in plan.arrange.items()
        },
    )
