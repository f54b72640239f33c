"""The seats of a room that follow from the mechs there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from exporter.model import (
    BAYS,
    Bays,
    Mech,
    RoomPlan,
    Seat,
)

UNPUBLISHED = "unpublished"
"""Behind the colon: the mechs of which nobody published a loadout."""


def bay_words(plan: RoomPlan, variants: Iterable[str]) -> set[str]:
    """What `arrange` may say of a plan's bays."""
    if plan.bays is None:
        return set()
    return {BAYS, *(f"{BAYS}:{name}" for name in (*variants, UNPUBLISHED))}


def with_bays(plan: RoomPlan, mechs: Mapping[str, Mech]) -> RoomPlan:
    """A plan with a seat for each of its mechs, and the seats in the place of `bays`."""
    if plan.bays is None:
        return plan
    chosen = [one for one in mechs.values() if one.edition in (plan.bays.editions or [one.edition])]
    seats: dict[str, Seat] = dict(plan.seats_by_id)

    def named(word: str) -> Iterator[str]:
        if plan.bays is None or word.partition(":")[0] != BAYS:
            yield word
            return
        for seat in _bays(plan.bays, chosen, word.partition(":")[2]):
            seats[seat.id] = seat
            yield seat.id

    arrange = {
        side: tuple(n for w in words for n in named(w)) for side, words in plan.arrange.items()
    }
    return replace(plan, seats_by_id=seats, arrange=arrange)


def _bays(bays: Bays, mechs: Sequence[Mech], variant: str) -> Iterator[Seat]:
    for mech in mechs if variant != UNPUBLISHED else ():
        if variant in mech.loadouts:
            yield _seat(bays, mech, f"{mech.code}_{variant}", variant)
        elif not variant and mech.loadouts:
            yield _seat(bays, mech, mech.code, next(iter(mech.loadouts)))
    for mech in mechs if bays.unpublished and variant in ("", UNPUBLISHED) else ():
        if not mech.loadouts:
            words = {"mech": mech.name, "code": mech.code, "note": mech.note}
            yield Seat(
                id=mech.code,
                name=mech.code,
                layout=bays.unpublished,
                values=words,
                bay=mech.code,
                spot=bays.spot,
            )


def _seat(bays: Bays, mech: Mech, name: str, variant: str) -> Seat:
    return Seat(
        id=name,
        name=mech.code,
        layout=bays.layout,
        mech=mech.code,
        variant=variant,
        bay=mech.code,
        spot=bays.spot,
    )
