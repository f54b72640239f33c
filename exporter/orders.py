"""What somebody asks to be built — rooms, seats, boxes — made ready to plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from exporter.area import Seating
from exporter.faces import Face
from exporter.model import Build, Game, Loadout, RoomPlan
from exporter.problems import Faults, InvalidSource, Problem, Where, nearest
from exporter.room import Choices, plan_room
from exporter.rules.loadouts import built_loadout, find_mech, find_variant, printed_loadout
from exporter.tabletop import Room

COMMAND_LINE = Where("command line")


@dataclass(frozen=True, kw_only=True)
class Order:
    """A wish for rooms. Empty values mean: every room, the plans' own mechs and boards, all boxes.

    ``mechs`` leads from a seat to ``CODE``, ``CODE:VARIANT`` or a player's own build.
    """

    rooms: tuple[str, ...] = ()
    mechs: Mapping[str, str | Build] = field(default_factory=dict)
    boards: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    shuffle: str = ""


def owned_editions(game: Game, boxes: Sequence[str]) -> frozenset[str]:
    """The editions owned, by default all. Raises ``InvalidSource`` for unknown and lonely ones."""
    problems = []
    for box in boxes:
        if box not in game.editions:
            message = f"{game.id} has no box {box!r}."
            problems.append(Problem(COMMAND_LINE, "BOXES", message, nearest(box, game.editions)))
            continue
        missing = [name for name in game.editions[box].requires if name not in boxes]
        if missing:
            message = f"{game.editions[box].name} needs {' and '.join(missing)} too."
            hint = f"Give --boxes {','.join([*missing, *boxes])}."
            problems.append(Problem(COMMAND_LINE, "BOXES", message, hint))
    if problems:
        raise InvalidSource(problems)
    return frozenset(boxes or game.editions)


def chosen_loadouts(game: Game, wish: str | Build) -> tuple[Loadout, Loadout | None]:
    """A loadout and the other side of its sheet. Raises ``InvalidSource``."""
    if isinstance(wish, Build):
        return built_loadout(game, wish), None
    code, _, variant_name = wish.partition(":")
    chosen = printed_loadout(game, code, variant_name)
    mech = find_mech(game, code)
    variant = find_variant(game, variant_name)
    others = [name for name in mech.loadouts if name != variant.id]
    return chosen, printed_loadout(game, code, others[0]) if others else None


def chosen_rooms(game: Game, names: Iterable[str]) -> list[RoomPlan]:
    """The plans with these ids, by default all of the game. Raises ``InvalidSource``."""
    wanted = list(names) or list(game.rooms)
    problems = [
        Problem(COMMAND_LINE, "ROOM", f"{game.id} has no room {name!r}.", nearest(name, game.rooms))
        for name in wanted
        if name not in game.rooms
    ]
    if not wanted:
        message = f"{game.id} has no rooms to build."
        problems.append(
            Problem(game.where, "ROOM", message, "Add a plan such as rooms/table.yaml.")
        )
    if problems:
        raise InvalidSource(problems)
    return [game.rooms[name] for name in dict.fromkeys(wanted)]


def _seat_problems(plans: Sequence[RoomPlan], order: Order) -> list[Problem]:
    seats = {seat.id: None for plan in plans for seat in plan.seats}
    rooms = ", ".join(plan.id for plan in plans)
    return [
        Problem(
            COMMAND_LINE,
            "SEAT",
            f"No chosen room ({rooms}) has a seat {name!r}.",
            nearest(name, seats),
        )
        for name in order.mechs
        if name not in seats
    ]


def planned_rooms(game: Game, order: Order) -> dict[str, Room[Face]]:
    """Every room that is asked for, by id. ``game`` has its errata laid over it already.

    Raises ``InvalidSource`` with the independent faults of all of them.
    """
    faults = Faults()
    plans: list[RoomPlan] = []
    with faults.gathered():
        plans = chosen_rooms(game, order.rooms)
        faults.problems += _seat_problems(plans, order)
    editions = frozenset(game.editions)
    with faults.gathered():
        editions = owned_editions(game, order.boxes)
    rooms: dict[str, Room[Face]] = {}
    for plan in plans:
        seatings: dict[str, Seating] = {}
        for seat in plan.seats:
            wish = order.mechs.get(seat.id, f"{seat.mech}:{seat.variant}" if seat.mech else "")
            with faults.gathered():
                loadout, other = chosen_loadouts(game, wish) if wish else (None, None)
                seatings[seat.id] = Seating(seat, loadout, other)
            faults.problems += _box_problems(game, seat.id, wish, editions)
        if len(seatings) < len(plan.seats):
            continue
        choices = Choices(
            seatings=seatings, boards=order.boards, editions=editions, shuffle=order.shuffle
        )
        with faults.gathered():
            rooms[plan.id] = plan_room(game, plan, choices)
    faults.stop_if_any()
    return rooms


def _box_problems(
    game: Game, seat: str, wish: str | Build, editions: frozenset[str]
) -> list[Problem]:
    """A printed mech can only be played by who owns its box."""
    if isinstance(wish, Build):
        return []
    mech = game.mechs.get(wish.partition(":")[0])
    if mech is None or not mech.edition or mech.edition in editions:
        return []
    message = f"{seat} plays {mech.name}, which is in the box {mech.edition}."
    hint = f"Choose another mech with --mech {seat}=CODE, or own the box."
    return [Problem(COMMAND_LINE, "BOXES", message, hint)]
