"""Where the blocks of a plan lie: seats, supplies and the board, each of known size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec import Struct

from exporter.core.problems import (
    each_of,
    error_at,
    nearest,
)
from exporter.model import (
    Board,
    Game,
    RoomPlan,
)
from exporter.model.tabletop import UNIT
from exporter.rooms.footprints import (
    Point,
    Rectangle,
    turned_size,
)
from exporter.rooms.opening_view import (
    Margins,
    goals,
    margins,
)

# The word that stands for the composed board in a plan's ``arrange``.
BOARD = "board"

# Units of bare table around everything.
MARGIN = 1

# Cells a side that were tried in the client; its table editor stops at ``EDITOR_TABLE``.
LARGEST_TABLE = 200

EDITOR_TABLE = 100


class Block(Struct, frozen=True):
    """A part of a plan with its size in units; ``seen`` of a board that has less than its block."""

    name: str
    width: float
    height: float
    seen: tuple[float, float] | None = None


def blocks_of(
    game: Game, plan: RoomPlan, boards: Sequence[Board]
) -> Mapping[str, tuple[Block, ...]]:
    """Return the blocks of each side with their sizes in units; that of the board holds any of
    them. Raises ``InvalidSource`` with the problems of all."""
    arranged = [name for names in plan.arrange.values() for name in names]
    blocks = each_of(lambda name: _block(game, plan, boards, name), arranged)
    known = {block.name: block for block in blocks}
    return {side: tuple(known[name] for name in names) for side, names in plan.arrange.items()}


def _block(game: Game, plan: RoomPlan, boards: Sequence[Board], name: str) -> Block:
    if name == BOARD and boards:
        # The board's block holds any of them, wherever its hexes move to.
        widths, heights = zip(*(_reach(plan, board) for board in boards), strict=True)
        return Block(name, max(widths), max(heights), (widths[0], heights[0]))
    seat = plan.seats_by_id.get(name)
    layout = game.layouts.get(seat.layout if seat else name)
    if layout is None:
        allowed = [*plan.seats_by_id, *game.layouts, *([BOARD] if boards else [])]
        key, near = "no-board" if name == BOARD else "unknown", nearest(name, allowed)
        raise error_at(plan.where, "ARRANGE", key, room=plan.id, name=name, nearest=near)
    return Block(name, *turned_size(layout.size, seat.rotate if seat else 0))


def _reach(plan: RoomPlan, board: Board) -> tuple[float, float]:
    """Return the size of a board in units, with the cells by which its hexes may move."""
    (width, height), (across, down) = board.extent, grid_shift(plan, board)
    return width * plan.square + across, height * plan.square + down


def _rows(blocks: Sequence[Block], gap: float, most: float) -> list[list[Block]]:
    """Return blocks beside one another, in rows no wider than ``most``; 0 makes a column."""
    rows: list[list[Block]] = []
    width = math.inf
    for block in blocks:
        width += gap + block.width
        if width > most:
            rows.append([])
            width = block.width
        rows[-1].append(block)
    return rows


def _whole(x: float) -> int:
    """Return the nearest cell; halves always go the same way, so that equal gaps stay equal."""
    return math.floor(x + 0.5)


def _in_rows(
    blocks: Sequence[Block], gap: float, most: float
) -> tuple[list[tuple[str, Point]], tuple[float, float]]:
    """Return the corners of blocks in their rows, and the size that these take."""
    corners: list[tuple[str, Point]] = []
    width = y = 0.0
    for row in _rows(blocks, gap, most):
        x = 0.0
        for block in row:
            corners.append((block.name, (x, y)))
            x += block.width + gap
        width = max(width, x - gap)
        y += max(block.height for block in row) + gap
    return corners, (width, y - gap)


# The sides of a plan, from the top downwards and from left to right.
_BANDS = (("top",), ("left", "centre", "right"), ("bottom",), ("front",))
# Those whose blocks lie in a column.
_COLUMNS = ("left", "right")


def arranged(
    sides: Mapping[str, Sequence[Block]], gap: float, most: float, *, from_left: bool = False
) -> tuple[list[tuple[str, Point]], tuple[int, int]]:
    """Return the corner of each block in units, and the size of the table that holds them all.

    ``top``, ``bottom`` and ``front`` span the table; between the first two lie ``left``, ``centre``
    and ``right``; all of it in the middle or ``from_left``. No row is wider than ``most``: what is
    more lies below.
    """
    bands = [
        [
            _in_rows(sides[side], gap, 0 if side in _COLUMNS else most)
            for side in band
            if sides.get(side)
        ]
        for band in _BANDS
    ]
    widths = [sum(size[0] + gap for _, size in band) - gap for band in bands]
    corners: list[tuple[str, Point]] = []
    y: float = MARGIN
    for band, width in zip(bands, widths, strict=True):
        x = MARGIN + (0 if from_left else (max(widths) - width) / 2)
        height = max((size[1] for _, size in band), default=-gap)
        for inner, size in band:
            top = y + (height - size[1]) / 2
            corners += [
                (name, (_whole(x + left), _whole(top + down))) for name, (left, down) in inner
            ]
            x += size[0] + gap
        y += height + gap
    return corners, (math.ceil(max(widths)) + 2 * MARGIN, math.ceil(y - gap) + MARGIN)


def grid_shift(plan: RoomPlan, board: Board) -> tuple[int, int]:
    """Return by how many cells, across and down, hexes may have to move to lie on the client's.

    The client shifts columns, or rows, 1, 3, 5 … of the table.
    """
    if board.kind != "hex" or plan.square != 1:
        return 0, 0
    return (1, 0) if board.shifts == "columns" else (0, 1)


def places(
    sides: Mapping[str, Sequence[Block]], corners: Sequence[tuple[str, Point]]
) -> dict[str, Rectangle]:
    """Return where each block lies, in pixels: of a board the one that is seen first."""
    blocks = {block.name: block for blocks in sides.values() for block in blocks}
    found = {}
    for name, (x, y) in corners:
        width, height = blocks[name].seen or (blocks[name].width, blocks[name].height)
        found[name] = Rectangle(x * UNIT, y * UNIT, width * UNIT, height * UNIT)
    return found


def arranged_to_be_seen(
    plan: RoomPlan, sides: Mapping[str, Sequence[Block]]
) -> tuple[list[tuple[str, Point]], tuple[int, int]]:
    """Arrange as ``arranged``, with the bare table that shows what is to be seen when the room
    opens.

    Where that shows too little, as the client looks at the left of a wide table, everything begins
    there. Raises ``InvalidSource`` where a room opens on nothing that it has.
    """
    tried = []
    for from_left in (False, True):
        corners, size = arranged(sides, plan.gap, plan.row, from_left=from_left)
        seen = goals(plan, places(sides, corners))
        margin = margins(seen, *size, LARGEST_TABLE) if seen else Margins()
        moved = [(name, margin.moved(corner)) for name, corner in corners]
        tried.append((margin.surplus, moved, margin.size(*size)))
        if margin.surplus >= 0:
            break
    _surplus, corners, size = max(tried, key=lambda one: one[0])
    return corners, size
