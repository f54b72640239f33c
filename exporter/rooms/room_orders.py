"""What somebody asks to be built — rooms, seats, boxes — made ready to plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field, json
from msgspec.structs import replace

from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    Problem,
    SourceLocation,
    error_at,
    nearest,
    problem_at,
)
from exporter.faces.board_faces import find_boards
from exporter.faces.card_faces import Face, OwnPicture
from exporter.model import (
    Build,
    Game,
    RoomPlan,
)
from exporter.model.boards import ROW
from exporter.model.game_names import (
    resolve_name,
    unknown,
)
from exporter.model.shape import (
    OrderText,
    OrderTexts,
)
from exporter.model.tabletop import Room
from exporter.rooms.room_planner import (
    PlannedRoom,
    plan_room,
)
from exporter.rooms.seats import (
    bays_left_out,
    can_be_laid,
    is_owned,
    mechs_without_boxes,
    owned_editions,
    owned_seats,
    seatings_of,
)
from exporter.rules.written_builds import is_code, read_line, write_line
from exporter.udonarium.marks import packed_marks, unpacked


class RoomOrder(Struct, frozen=True, kw_only=True):
    """Which rooms to build and how. Empty values mean: every room, the plans' own mechs and boards,
    all boxes.

    ``mechs`` leads from a seat to ``CODE``, ``CODE:VARIANT`` or a player's own build or deck (from
    ``""`` where one seat is free), ``pictures`` to a file, or the picture in it, that is the seat's
    pawn.
    Without ``samples`` they, and all that is theirs, are left out. Pictures lie ``images_at`` an
    address, which ends in a slash, and not in the zip.
    """

    rooms: OrderTexts = ()
    mechs: Mapping[str, OrderText | Build] = field(default_factory=dict)
    pictures: Mapping[str, OrderText | OwnPicture] = field(default_factory=dict)
    boards: OrderTexts = ()
    boxes: OrderTexts = ()
    shuffle: OrderText = ""
    samples: bool = True
    images_at: str = ""


class OrderMark(Struct, frozen=True, omit_defaults=True):
    """An order of one room as its tables remember it: builds as lines, pictures by their seats."""

    room: str
    mechs: dict[str, str] = {}
    pictures: tuple[str, ...] = ()
    boards: OrderTexts = ()
    boxes: OrderTexts = ()
    shuffle: str = ""
    samples: bool = True
    images_at: str = ""


def seated(game: Game, order: RoomOrder) -> RoomOrder:
    """Put what is given without a seat into the one that is free.

    Raises ``InvalidSource`` where that is none, or are several.
    """
    if "" not in order.mechs:
        return order
    taken = {resolve_name(game, "seat", seat) for seat in order.mechs}
    plans, _ = _chosen_rooms(game, order.rooms)
    seats = dict.fromkeys(seat.id for plan in plans for seat in plan.seats if not seat.bay)
    free = [seat for seat in seats if seat not in taken]
    if len(free) != 1:
        key = "which" if free else "none-free" if seats else "no-seats"
        words = {"word": order.mechs[""], "seats": ", ".join(free or seats)}
        raise error_at(COMMAND_LINE, "SEAT", key, first=next(iter(free), ""), **words)
    return replace(order, mechs={seat or free[0]: mech for seat, mech in order.mechs.items()})


def order_text(game: Game, room: str, order: RoomOrder) -> str:
    """Write the order of a room, with the mechs that sit there by default, for a mark.

    Raises ``InvalidSource`` for a build that fits no line.
    """
    seats = [seat for seat in game.rooms[room].seats if not seat.bay]
    mechs = {seat.id: f"{seat.mech}:{seat.variant}".rstrip(":") for seat in seats if seat.mech}
    for seat, chosen in order.mechs.items():
        mechs[resolve_name(game, "seat", seat)] = (
            write_line(game, chosen) if isinstance(chosen, Build) else chosen
        )
    known = {seat.id for seat in seats}
    found = OrderMark(
        room,
        {seat: mech for seat, mech in mechs.items() if seat in known},
        tuple(resolve_name(game, "seat", seat) for seat in order.pictures),
        order.boards if game.rooms[room].boards else (),
        order.boxes,
        order.shuffle,
        order.samples,
        order.images_at,
    )
    return packed_marks(json.encode(found).decode())


def read_order_text(
    game: Game, text: str, where: SourceLocation
) -> tuple[RoomOrder, frozenset[str]]:
    """Read such an order, and which seats had pictures of players.

    Raises ``InvalidSource``.
    """
    try:
        found = json.decode(unpacked(text), type=OrderMark)
    except ValueError:
        raise error_at(where, "UPDATE", "broken-order") from None
    mechs = {
        seat: read_line(game, word, where) if is_code(word) else word
        for seat, word in found.mechs.items()
    }
    order = RoomOrder(
        rooms=(found.room,),
        mechs=mechs,
        boards=found.boards,
        boxes=found.boxes,
        shuffle=found.shuffle,
        samples=found.samples,
        images_at=found.images_at,
    )
    return order, frozenset(found.pictures)


def _chosen_rooms(game: Game, names: Iterable[str]) -> tuple[list[RoomPlan], list[Problem]]:
    """Return the plans with these ids, by default all of the game, and a problem for each unknown
    one."""
    usual = (plan.id for plan in game.rooms.values() if not plan.on_request)
    wanted = dict.fromkeys(resolve_name(game, "room", name) for name in names or usual)
    problems = [
        unknown(game, "room", name, COMMAND_LINE, "ROOM")
        for name in wanted
        if name not in game.rooms
    ]
    if not wanted:
        problems.append(problem_at(game.where, "ROOM", "no-rooms-build", game=game.id))
    return [game.rooms[name] for name in wanted if name in game.rooms], problems


def _unused(plans: Sequence[RoomPlan], order: RoomOrder) -> list[Problem]:
    """List what no room can fulfil: a seat or a board where none of them has one."""
    rooms = ", ".join(plan.id for plan in plans)
    seats = {seat.id for plan in plans for seat in plan.seats}
    problems = [
        problem_at(
            COMMAND_LINE, "SEAT", "nowhere", rooms=rooms, name=name, nearest=nearest(name, seats)
        )
        for name in {**order.mechs, **order.pictures}
        if name not in seats
    ]
    if order.boards and not any(plan.boards for plan in plans):
        problems.append(problem_at(COMMAND_LINE, "BOARD", "no-chosen-room", rooms=rooms))
    return problems


def _resolve_board(game: Game, board: str) -> str:
    """Return a board as the game writes it, with the row that it begins and how it is turned."""
    plain = board.removeprefix(ROW)
    name, sign, turn = plain.replace("＠", "@").partition("@")
    return board[: len(board) - len(plain)] + resolve_name(game, "board", name) + sign + turn


def rooms_of_order(game: Game, order: RoomOrder) -> dict[str, Room[Face]]:
    """Return every room that is asked for, by id. ``game`` has its errata laid over it already.

    Raises ``InvalidSource`` with the independent faults of all of them.
    """
    return {name: planned.room for name, planned in plan_order(game, order).items()}


def plan_order(game: Game, order: RoomOrder) -> dict[str, PlannedRoom]:
    """Return every room that is asked for, by id, with what hands and eyes will meet in it.

    One that fits on no table is there too: its problems say so, and the others are none the worse.
    Raises ``InvalidSource`` with the independent faults of all of them.
    """
    faults = Faults()
    plans, no_rooms = _chosen_rooms(game, order.rooms)
    order = replace(
        order,
        mechs={resolve_name(game, "seat", seat): mech for seat, mech in order.mechs.items()},
        pictures={resolve_name(game, "seat", seat): one for seat, one in order.pictures.items()},
        boards=tuple(_resolve_board(game, board) for board in order.boards),
    )
    faults.problems += no_rooms or _unused(plans, order)
    editions = frozenset(game.editions)
    with faults.collect():
        editions = owned_editions(game, order.boxes)
    boards: tuple[str, ...] = ()
    with faults.collect():
        find_boards(game.boards, order.boards, COMMAND_LINE)
        boards = order.boards
    left = left_rooms(game, order)
    lacking = mechs_without_boxes(game, editions) if order.boxes else {}
    gone = {code for code, mech in game.mechs.items() if not is_owned(mech, editions)}
    rooms: dict[str, PlannedRoom] = {}
    for whole in plans:
        if whole.id in left:
            continue
        plan = owned_seats(whole, gone.union(lacking), editions)
        if plan.bays is not None and not any(seat.bay for seat in plan.seats):
            faults.problems.append(problem_at(COMMAND_LINE, "ROOM", "no-bays", room=plan.id))
        seatings = seatings_of(game, plan, order.mechs, order.pictures, editions, faults)
        if len(seatings) < len(plan.seats):
            continue
        with faults.collect():
            planned = plan_room(
                game,
                plan,
                seatings=seatings,
                boards=boards if plan.boards else (),
                editions=editions,
                shuffle=order.shuffle,
            )
            problems = (*bays_left_out(game, whole, lacking), *planned.problems)
            rooms[plan.id] = replace(planned, problems=problems)
    faults.stop_if_any()
    return rooms


def left_rooms(game: Game, order: RoomOrder) -> tuple[str, ...]:
    """Return the rooms that are left out as nobody named them: those with a seat whose own mech is
    in a box not owned, or a sample left out; and those of which no bay is left."""
    if order.rooms:
        return ()
    owned = frozenset(order.boxes or game.editions)
    here = {code for code, mech in game.mechs.items() if is_owned(mech, owned)}
    return tuple(
        plan.id for plan in game.rooms.values() if not can_be_laid(plan, here, order.mechs)
    )
