"""An open game: its folder, its data and rules, and what is wrong with its files."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    stop_for_errors,
)
from exporter.model import (
    Game,
    Layout,
    RoomPlan,
)
from exporter.rules.errata import corrected, corrected_on
from exporter.rules.loadouts import with_decks
from exporter.rules.rulebook import Rulebook


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
        stop_for_errors(self.problems)
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
