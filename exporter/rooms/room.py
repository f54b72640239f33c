"""A room plan and what sits in its seats become a ``Room`` of faces: values still, no pixels.

The parts of a plan are blocks of known size — seats and supplies, each a layout, and the board —
that stand around the centre. So a longer board or a ninth player needs no new coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from exporter.boards import compose, find_boards
from exporter.faces import Face, styled_face
from exporter.model import Board, DeckCard, Game, Item, Layout, RoomPlan
from exporter.problems import Faults, InvalidSource, Problem, nearest, told
from exporter.rooms.area import Area, Seating, Start
from exporter.rooms.chat import chat_tabs
from exporter.rooms.ground import Ground, client_grid, laid_out, terrain
from exporter.rooms.laying import Laid, depends_on_others, lay_item, note_board
from exporter.tabletop import (
    PIECE_ORDER,
    UNIT,
    ChatTab,
    GameTable,
    Inventory,
    Piece,
    Room,
    TableMask,
    Terrain,
)

BOARD = "board"
"""The word that stands for the composed board in a plan's ``arrange``."""

MARGIN = 1
"""Units of bare table around everything."""

REACH = 10
"""Units beside the table where things may still be kept."""

LARGEST_TABLE = 100
"""Cells that the client's table editor allows a side (format section 6)."""


class Choices(Struct, frozen=True):
    """What the person who builds a room chooses; empty values leave the plan's own.

    ``seatings`` by seat id; ``boards`` ids from left to right; ``editions`` the boxes owned.
    """

    seatings: Mapping[str, Seating]
    boards: tuple[str, ...] = ()
    editions: frozenset[str] = frozenset()
    shuffle: str = ""


class _Block(Struct, frozen=True):
    name: str
    width: float
    height: float


def _blocks(game: Game, plan: RoomPlan, board: Board | None) -> Mapping[str, tuple[_Block, ...]]:
    """The blocks of each side with their sizes in units."""
    seats = plan.seats_by_id
    problems: list[Problem] = []
    sides: dict[str, tuple[_Block, ...]] = {}
    for side, names in plan.arrange.items():
        blocks = []
        for name in names:
            if name == BOARD and board is not None:
                width, height = board.extent
                across, down = _grid_shift(plan, board)
                size = (width * plan.square + across, height * plan.square + down)
            elif name in seats and seats[name].layout in game.layouts:
                size = game.layouts[seats[name].layout].size
            elif name in game.layouts:
                size = game.layouts[name].size
            else:
                allowed = [*seats, *game.layouts, *([BOARD] if board else [])]
                key, near = "no-board" if name == BOARD else "unknown", nearest(name, allowed)
                problems.append(
                    told(plan.where, "ARRANGE", key, room=plan.id, name=name, nearest=near)
                )
                continue
            blocks.append(_Block(name, *size))
        sides[side] = tuple(blocks)
    if problems:
        raise InvalidSource(problems)
    return sides


def _rows(blocks: Sequence[_Block], gap: float) -> list[list[_Block]]:
    """Blocks beside one another, in as many rows as the largest table makes of them."""
    rows: list[list[_Block]] = []
    width = math.inf
    for block in blocks:
        width += gap + block.width
        if width > LARGEST_TABLE - 2 * MARGIN:
            rows.append([])
            width = block.width
        rows[-1].append(block)
    return rows


def _row(blocks: Sequence[_Block], gap: float) -> tuple[float, float]:
    rows = _rows(blocks, gap)
    widths = (sum(block.width for block in row) + gap * (len(row) - 1) for row in rows)
    heights = sum(max(block.height for block in row) for row in rows)
    return max(widths, default=0), heights + gap * max(0, len(rows) - 1)


def _column(blocks: Sequence[_Block], gap: float) -> tuple[float, float]:
    height = sum(block.height for block in blocks) + gap * max(0, len(blocks) - 1)
    return max((block.width for block in blocks), default=0), height


def _whole(x: float) -> int:
    """The nearest cell; halves always go the same way, so that equal gaps stay equal."""
    return math.floor(x + 0.5)


def _beside(blocks: Sequence[_Block], x: float, y: float, gap: float) -> Iterator[tuple[str, _At]]:
    for row in _rows(blocks, gap):
        left = x
        for block in row:
            yield block.name, (_whole(left), _whole(y))
            left += block.width + gap
        y += max(block.height for block in row) + gap


def _below(blocks: Sequence[_Block], x: float, y: float, gap: float) -> Iterator[tuple[str, _At]]:
    for block in blocks:
        yield block.name, (_whole(x), _whole(y))
        y += block.height + gap


_At = tuple[float, float]


def arranged(
    sides: Mapping[str, Sequence[_Block]], gap: float
) -> tuple[list[tuple[str, _At]], tuple[int, int]]:
    """The corner of each block in units, and the size of the table that holds them all.

    ``top`` and ``bottom`` span the table; between them ``left``, ``centre`` and ``right``.
    """
    top, bottom, centre = (sides.get(side, ()) for side in ("top", "bottom", "centre"))
    left, right = sides.get("left", ()), sides.get("right", ())
    middle = [
        size
        for size in (_column(left, gap), _row(centre, gap), _column(right, gap))
        if size != (0, 0)
    ]
    middle_width = sum(size[0] for size in middle) + gap * max(0, len(middle) - 1)
    middle_height = max((size[1] for size in middle), default=0)
    width = max(_row(top, gap)[0], middle_width, _row(bottom, gap)[0])
    corners: list[tuple[str, _At]] = []
    y: float = MARGIN
    if top:
        corners += _beside(top, MARGIN + (width - _row(top, gap)[0]) / 2, y, gap)
        y += _row(top, gap)[1] + gap
    x = MARGIN + (width - middle_width) / 2
    for blocks, stand in ((left, _below), (centre, _beside), (right, _below)):
        if blocks:
            size = _column(blocks, gap) if stand is _below else _row(blocks, gap)
            corners += stand(blocks, x, y + (middle_height - size[1]) / 2, gap)
            x += size[0] + gap
    if middle:
        y += middle_height + gap
    if bottom:
        corners += _beside(bottom, MARGIN + (width - _row(bottom, gap)[0]) / 2, y, gap)
        y += _row(bottom, gap)[1] + gap
    return corners, (math.ceil(width) + 2 * MARGIN, math.ceil(y - gap) + MARGIN)


def _grid_shift(plan: RoomPlan, board: Board) -> tuple[int, int]:
    """Cells by which hexes may have to move to lie on those of the client's grid, across and down.

    The client shifts columns, or rows, 1, 3, 5 … of the table.
    """
    if board.kind != "hex" or plan.square != 1:
        return 0, 0
    return (1, 0) if board.shifts == "columns" else (0, 1)


def _board_ground(plan: RoomPlan, board: Board | None, corner: _At | None) -> Ground | None:
    """The plan's board where it lies, its hexes on those of the client's grid."""
    if board is None or corner is None:
        return None
    (x, y), (across, down) = corner, _grid_shift(plan, board)
    return laid_out(board, (x + across * (x % 2), y + down * (y % 2)), plan.square)


def _starts(plan: RoomPlan, ground: Ground | None) -> tuple[dict[str, Start], list[Problem]]:
    """The start square of each seat's pawn, facing the other side."""
    found: dict[str, Start] = {}
    taken: dict[tuple[float, float], str] = {}
    problems: list[Problem] = []
    if ground is None:
        return found, problems
    board, corner = ground.board, ground.corner
    heights = {board.corner(cell.column, cell.row): cell.elevation for cell in board.cells}
    for seat in plan.seats:
        if seat.start is None:
            continue
        side, number = seat.start
        squares = board.starts.get(side, ())
        if not 1 <= number <= len(squares):
            problems.append(
                told(
                    seat.where,
                    "START",
                    "starts",
                    seat=seat.id,
                    side=side,
                    number=number,
                    board=board.id,
                    count=len(squares),
                    names=", ".join(board.starts),
                )
            )
            continue
        square = squares[number - 1]
        if square in taken:
            problems.append(
                told(
                    seat.where,
                    "START",
                    "start-same-square",
                    seat=seat.id,
                    taken=taken[square],
                    side=side,
                    number=number,
                )
            )
            continue
        taken[square] = seat.id
        x, y = (corner[axis] + square[axis] * plan.square for axis in (0, 1))
        z = max(0, heights.get(square, 0)) * plan.level
        facing = 180.0 if square[1] < board.rows / 2 else 0.0
        found[seat.id] = Start(x * UNIT, y * UNIT, z * UNIT, facing, plan.square)
    return found, problems


def plan_room(game: Game, plan: RoomPlan, choices: Choices) -> Room[Face]:
    """The room that ``plan`` describes. Raises ``InvalidSource`` with every fault found."""
    faults = Faults()
    board_ids = choices.boards or plan.boards
    board = compose(find_boards(game.boards, board_ids, plan.where)) if board_ids else None
    corners, size = arranged(_blocks(game, plan, board), plan.gap)
    if max(size) > LARGEST_TABLE:
        faults.problems.append(
            told(
                plan.where,
                "TABLE-SIZE",
                "needs-table-cells",
                plan=plan.id,
                size=size[0],
                size2=size[1],
                largest_table=LARGEST_TABLE,
            )
        )
    main = _board_ground(plan, board, dict(corners).get(BOARD))
    starts, start_problems = _starts(plan, main)
    faults.problems += start_problems
    fixed: list[Terrain[Face]] = []
    grounds: dict[tuple[str, str], Ground] = {}
    if main is not None:
        with faults.gathered():
            fixed += terrain(game, main, plan.level)
        grounds["", main.board.id] = main
    laid: list[Laid] = []
    for item, things in lay_all(_areas(game, plan, choices, corners, starts, grounds), faults):
        laid += things
        faults.problems += _far_off(things, item, size)
    with faults.gathered():
        chat = chat_tabs(game, plan, choices.shuffle)
        room = _room(game, plan, size, client_grid(plan, board), fixed, laid, chat)
    faults.stop_if_any()
    return room


def lay_all(
    areas: Sequence[tuple[Area, Layout]], faults: Faults
) -> list[tuple[Item, tuple[Laid, ...]]]:
    """What each item becomes: boards are known first, and what depends on others comes last."""
    for area, layout in areas:
        for item in layout.items:
            with faults.gathered():
                note_board(area, item)
    laid = []
    for later in (False, True):
        for area, layout in areas:
            for item in layout.items:
                if depends_on_others(item) is later:
                    with faults.gathered():
                        laid.append((item, lay_item(area, item)))
    return laid


def _far_off(things: Sequence[Laid], item: Item, size: tuple[int, int]) -> Iterator[Problem]:
    """What nobody would find, as it lies far from the table."""
    width, height = (side + REACH for side in size)
    for thing in things:
        x, y = thing.x / UNIT, thing.y / UNIT
        if not (-REACH <= x <= width and -REACH <= y <= height):
            yield told(
                item.where, "FAR-OFF", "lie-more-units", thing=thing.name or item.lay, reach=REACH
            )
            return


def _areas(
    game: Game,
    plan: RoomPlan,
    choices: Choices,
    corners: Sequence[tuple[str, _At]],
    starts: Mapping[str, Start],
    grounds: dict[tuple[str, str], Ground],
) -> list[tuple[Area, Layout]]:
    """Every seat and layout of the plan with the place where it is laid."""
    seats = plan.seats_by_id
    used: dict[tuple[str, str], DeckCard] = {}
    areas = []
    for name, corner in corners:
        seat = seats.get(name)
        layout = game.layouts.get(seat.layout if seat else name)
        if layout is not None and name != BOARD:
            area = Area(
                game=game,
                corner=corner,
                editions=choices.editions or frozenset(game.editions),
                seating=choices.seatings.get(name, Seating(seat)) if seat else None,
                start=starts.get(name),
                shuffle=choices.shuffle,
                words=plan.values,
                used=used,
                grounds=grounds,
            )
            areas.append((area, layout))
    return areas


def _room(
    game: Game,
    plan: RoomPlan,
    size: tuple[int, int],
    grid: int,
    fixed: Sequence[Terrain[Face]],
    laid: Sequence[Laid],
    chat: tuple[ChatTab[Face], ...] | None,
) -> Room[Face]:
    flat: list[Terrain[Face] | TableMask[Face]] = list(fixed)
    pieces: list[Piece[Face]] = []
    for thing in laid:
        if isinstance(thing, Terrain):
            flat.append(thing)
        else:
            pieces.append(thing)
    table = GameTable(
        name=plan.table or plan.name.ja,
        width=size[0],
        height=size[1],
        grid_type=grid,
        picture=_surface(game, plan, size),
        selected=True,
        objects=tuple(flat),
    )
    return Room(
        tables=(table,),
        pieces=tuple(sorted(pieces, key=lambda piece: PIECE_ORDER.index(type(piece)))),
        chat=chat,
        inventory=Inventory(columns=plan.inventory) if plan.inventory else None,
    )


def _surface(game: Game, plan: RoomPlan, size: tuple[int, int]) -> Face | None:
    """The table's own picture, ten millimetres to a cell; the client would stretch any other."""
    if not plan.surface:
        return None
    millimetres = (size[0] * 10.0, size[1] * 10.0)
    name = ("tables", plan.id)
    return styled_face(game, plan.surface, {}, where=plan.where, name=name, size=millimetres)
