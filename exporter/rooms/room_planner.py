"""A room plan and what sits in its seats become a ``Room`` of faces: values still, no pixels.

The parts of a plan are blocks of known size — seats and supplies, each a layout, and the board —
that stand around the centre. So a longer board or a ninth player needs no new coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    Faults,
    Problem,
    Severity,
    problem_at,
)
from exporter.faces.board_faces import put_together
from exporter.faces.card_faces import (
    Face,
    style_of,
    styled_face,
)
from exporter.model import (
    Board,
    Game,
    Item,
    RoomPlan,
)
from exporter.model.boards import ROW
from exporter.model.tabletop import (
    PIECE_ORDER,
    UNIT,
    CardStack,
    ChatTab,
    GameTable,
    Inventory,
    Piece,
    Room,
    TableMask,
    Terrain,
)
from exporter.rooms.area import (
    Area,
    Ground,
    Seating,
    Start,
    laid_out,
)
from exporter.rooms.arrangement import (
    BOARD,
    EDITOR_TABLE,
    LARGEST_TABLE,
    arranged,
    arranged_to_be_seen,
    blocks_of,
    grid_shift,
    places,
)
from exporter.rooms.footprints import Point, Rectangle, Thing, footprint, turned_size
from exporter.rooms.laying import (
    LaidItem,
    lay_all,
    terrain,
    with_more,
)
from exporter.rooms.opening_view import (
    goals,
    unseen,
)
from exporter.rooms.room_notes import chat_tabs, notes_of, opening_note
from exporter.rooms.zones import (
    dealt,
    drawing_faults,
    plate_faults,
)
from exporter.udonarium.marks import of_table

# Units beside the table where things may still be kept.
REACH = 10


# What the client calls its grids (format section 6).
GRIDS = {"": 0, "none": -1, "square": 0, "hex columns": 1, "hex rows": 2}


def client_grid(plan: RoomPlan, board: Board | None) -> int:
    """Return the client's grid for a table: the one asked for, or the one whose cells are the
    board's."""
    if plan.grid or board is None or board.kind == "square":
        return GRIDS[plan.grid]
    if board.kind == "hex" and plan.square == 1:
        return GRIDS[f"hex {board.shifts}"]
    return GRIDS["none"]


def _board_ground(plan: RoomPlan, board: Board, corner: Point) -> Ground:
    """Return the plan's board where it lies, its hexes on those of the client's grid."""
    (x, y), (across, down) = corner, grid_shift(plan, board)
    return laid_out(board, (x + across * (x % 2), y + down * (y % 2)), plan.square)


def _starts(plan: RoomPlan, ground: Ground, faults: Faults) -> dict[str, Start]:
    """Return the start square of each seat's pawn, facing the other side."""
    board, corner = ground.board, ground.corner
    heights = {board.corner(cell.column, cell.row): cell.elevation for cell in board.cells}
    found: dict[str, Start] = {}
    taken: dict[tuple[float, float], str] = {}
    for seat in plan.seats:
        if seat.start is None:
            continue
        side, number = seat.start
        words: dict[str, Any] = {"seat": seat.id, "side": side, "number": number}
        squares = board.starts.get(side, ())
        square = squares[number - 1] if 1 <= number <= len(squares) else None
        if square is None:
            words["names"] = ", ".join(f"{one} ×{len(each)}" for one, each in board.starts.items())
            faults.problems.append(
                problem_at(seat.where, "START", "starts", board=board.id, **words)
            )
        elif square in taken:
            words["taken"] = taken[square]
            faults.problems.append(problem_at(seat.where, "START", "start-same-square", **words))
        else:
            taken[square] = seat.id
            x, y = (corner[axis] + square[axis] * plan.square for axis in (0, 1))
            z = max(0, heights.get(square, 0)) * plan.level
            facing = 180.0 if square[1] < board.rows / 2 else 0.0
            found[seat.id] = Start(x * UNIT, y * UNIT, z * UNIT, facing, plan.square)
    return found


class PlannedRoom(Struct, frozen=True):
    """A room, and warnings of what hands and eyes will meet in it.

    With an error among its ``problems`` it fits on no table: it can be looked at, and is not made.
    """

    room: Room[Face]
    problems: tuple[Problem, ...] = ()


def plan_room(
    game: Game,
    plan: RoomPlan,
    *,
    seatings: Mapping[str, Seating],
    boards: tuple[str, ...],
    editions: frozenset[str],
    shuffle: str,
) -> PlannedRoom:
    """Return the room that ``plan`` describes. Raises ``InvalidSource`` with every fault found.

    ``boards`` are ids from left to right, none are the plan's own; ``editions`` are the boxes
    owned, ``shuffle`` is a seed.
    """
    whole = Area(game, editions=editions, shuffle=shuffle, words=plan.values)
    if plan.tables:
        return _as_they_lie(whole, plan, seatings)
    faults = Faults()
    chosen = boards or plan.boards
    # The first is shown when the room is opened.
    maps = {
        name: put_together(game.boards, ids, plan.where)
        for name, ids in (
            {plan.table or game.named(plan.name): chosen} if chosen else plan.maps
        ).items()
    }
    board = next(iter(maps.values()), None)
    sides = blocks_of(game, plan, tuple(maps.values()))
    corners, size = arranged(sides, plan.gap, plan.row)
    with faults.collect():
        corners, size = arranged_to_be_seen(plan, sides)
    corner = dict(corners).get(BOARD)
    grounds = {name: _board_ground(plan, each, corner) for name, each in maps.items() if corner}
    starts: dict[str, Start] = {}
    for ground in list(grounds.values())[:1]:
        whole.grounds["", ground.board.id] = ground
        starts = _starts(plan, ground, faults)
    fixed: dict[str, list[Terrain[Face]]] = {}
    for name, ground in grounds.items():
        with faults.collect():
            fixed[name] = list(terrain(game, ground, plan.level))
    laid = lay_all(_areas(whole, plan, seatings, corners, starts), faults)
    if shuffle:
        laid = dealt(laid, faults)
    for one in laid:
        faults.problems += _far_off(one.things, one.item, size)
    scenery = [thing for one in fixed.values() for thing in one]
    with faults.collect():
        chat = chat_tabs(game, plan, shuffle)
        things = [thing for one in laid for thing in one.things]
        seen = goals(plan, places(sides, corners))
        lying, mats = _taken(laid, next(iter(fixed.values()), ()))
        note = opening_note(game, plan, seen, size, lying, mats, bool(notes_of(game, plan)))
        things += [note] if note else []
        picture = _surface(game, plan, size)
        tables = [
            GameTable(
                name=name,
                width=size[0],
                height=size[1],
                grid_type=client_grid(plan, board),
                picture=picture,
                background=picture,
                objects=tuple(terrains),
                extra=of_table(game, plan.id),
            )
            for name, terrains in (fixed or {plan.table or game.named(plan.name): []}).items()
        ]
        room = _room(plan, tables, things, chat)
    faults.stop_if_any()
    table = Rectangle(0, 0, size[0] * UNIT, size[1] * UNIT)
    problems = [*drawing_faults(laid, scenery, table), *plate_faults(laid)]
    if max(size) > EDITOR_TABLE:
        problems.append(_table_size(plan, size))
    if seen and max(size) <= LARGEST_TABLE and not plan.partly_seen:
        in_rows = any(part.startswith(ROW) for part in chosen)
        problems += unseen(plan, seen, size, things, in_rows=in_rows)
    return PlannedRoom(room, tuple(problems))


def _taken(
    laid: Sequence[LaidItem], scenery: Iterable[Thing]
) -> tuple[list[Rectangle], list[Rectangle]]:
    """Return where things lie, mats among them that something lies on, and where all mats lie."""
    mats = [footprint(thing) for one in laid if one.item.lay == "mat" for thing in one.things]
    others = [thing for one in laid if one.item.lay != "mat" for thing in one.things]
    full = [footprint(one) for one in others if not isinstance(one, CardStack) or one.cards]
    used = [mat for mat in mats if any(mat.meets(one) for one in full)]
    return [*map(footprint, (*others, *scenery)), *used], mats


def _as_they_lie(whole: Area, plan: RoomPlan, seatings: Mapping[str, Seating]) -> PlannedRoom:
    """Return the room of a plan whose tables have a size: all layouts begin in their corner."""
    faults = Faults()

    def laid(names: Iterable[str]) -> list[Thing]:
        areas = _areas(whole, plan, seatings, [(name, (0, 0)) for name in names], {})
        return [thing for one in lay_all(areas, faults) for thing in one.things]

    things = laid(chain(*plan.arrange.values()))
    tables: list[GameTable[Face]] = []
    for name, table in plan.tables.items():
        flat, standing = _parted(laid(table.layouts))
        things += standing
        made = GameTable[Face](
            name=name,
            width=table.size[0],
            height=table.size[1],
            grid_type=GRIDS[table.grid],
            objects=flat,
            extra=of_table(whole.game, plan.id),
        )
        with faults.collect():
            tables.append(with_more(whole.game, made, table))
    with faults.collect():
        chat = chat_tabs(whole.game, plan, whole.shuffle)
    faults.stop_if_any()
    return PlannedRoom(_room(plan, tables, things, chat))


def _parted(
    things: Sequence[Thing],
) -> tuple[tuple[Terrain[Face] | TableMask[Face], ...], list[Piece[Face]]]:
    """Return what lies in a table, and the pieces that lie on all of them."""
    flat = tuple(thing for thing in things if isinstance(thing, Terrain | TableMask))
    return flat, [thing for thing in things if not isinstance(thing, Terrain | TableMask)]


def _room(
    plan: RoomPlan,
    tables: Iterable[GameTable[Face]],
    things: Sequence[Thing],
    chat: tuple[ChatTab[Face], ...] | None,
) -> Room[Face]:
    """Return a room with its pieces in the order in which the client saves them; the first table
    is seen."""
    flat, pieces = _parted(things)
    return Room(
        tables=tuple(
            replace(table, objects=(*table.objects, *flat), selected=number == 0)
            for number, table in enumerate(tables)
        ),
        pieces=tuple(sorted(pieces, key=lambda piece: PIECE_ORDER.index(type(piece)))),
        chat=chat,
        inventory=Inventory(columns=plan.inventory) if plan.inventory else None,
    )


def _table_size(plan: RoomPlan, size: tuple[int, int]) -> Problem:
    """Say that a table is larger than the client's editor allows, or than was tried."""
    mechs = ", ".join(dict.fromkeys(seat.bay for seat in plan.seats if seat.bay))
    is_tried = max(size) <= LARGEST_TABLE
    key = "larger-than-editor" if is_tried else "bays-need-cells" if mechs else "needs-table-cells"
    return problem_at(
        plan.where,
        "TABLE-SIZE",
        key,
        severity=Severity.NOTICE if is_tried else Severity.ERROR,
        plan=plan.id,
        size=size[0],
        size2=size[1],
        largest_table=LARGEST_TABLE,
        editor=EDITOR_TABLE,
        mechs=mechs,
    )


def _far_off(things: Sequence[Thing], item: Item, size: tuple[int, int]) -> Iterator[Problem]:
    """Yield what nobody would find, as it lies far from the table."""
    width, height = (side + REACH for side in size)
    for thing in things:
        x, y = thing.x / UNIT, thing.y / UNIT
        if not (-REACH <= x <= width and -REACH <= y <= height):
            yield problem_at(
                item.where, "FAR-OFF", "lie-more-units", thing=thing.name or item.lay, reach=REACH
            )
            return


def _areas(
    whole: Area,
    plan: RoomPlan,
    seatings: Mapping[str, Seating],
    corners: Iterable[tuple[str, Point]],
    starts: Mapping[str, Start],
) -> list[Area]:
    """Return the place where each seat and layout of the plan is laid, of the ``whole`` room."""
    seats = plan.seats_by_id
    areas = []
    for name, corner in corners:
        seat = seats.get(name)
        layout = whole.game.layouts.get(seat.layout if seat else name)
        if layout is not None and name != BOARD:
            taken = turned_size(layout.size, seat.rotate if seat else 0)
            x, y = (corner[axis] + (taken[axis] - layout.size[axis]) / 2 for axis in (0, 1))
            seating = seatings.get(name, Seating(seat))
            start = starts.get(name)
            areas.append(replace(whole, layout=layout, corner=(x, y), seating=seating, start=start))
    return areas


# Pixels that the picture of a table has at most, below what takes long to load.
_LARGEST_SURFACE = 480_000


def _surface(game: Game, plan: RoomPlan, size: tuple[int, int]) -> Face | None:
    """Return the table's own picture, ten millimetres to a cell; the client would stretch any
    other.

    That of a large table has fewer to a cell, and what is too large to be one has none.
    """
    if not plan.surface or max(size) > LARGEST_TABLE:
        return None
    scale = style_of(game, plan.surface, plan.where).scale
    cell = min(10.0, math.floor(math.sqrt(_LARGEST_SURFACE / (size[0] * size[1])) / scale))
    millimetres = (size[0] * cell, size[1] * cell)
    name = ("tables", plan.id)
    return styled_face(game, plan.surface, {}, where=plan.where, name=name, size=millimetres)
