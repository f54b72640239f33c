"""A game without what was made up for it: mechs, their decks and bays, and notes on them."""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from exporter.model import (
    Game,
    Layout,
    RoomPlan,
)


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
        rooms={key: without_bays(plan, codes) for key, plan in game.rooms.items()},
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


def without_bays(plan: RoomPlan, codes: Container[str]) -> RoomPlan:
    """Make a plan without the bays of these mechs."""
    return without_seats(plan, {seat.id for seat in plan.seats if seat.bay in codes})


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
