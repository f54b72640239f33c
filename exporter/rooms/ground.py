"""Boards on a table: flat pictures, a block for every raised cell, and where spaces are."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from exporter.core.problems import (
    SourceLocation,
    error_at,
    nearest,
)
from exporter.faces.board_codes import find_boards
from exporter.faces.board_faces import (
    board_face,
    tile_faces,
)
from exporter.faces.card_faces import Face
from exporter.model import (
    Board,
    Game,
    RoomPlan,
)
from exporter.model.tabletop import (
    UNIT,
    Terrain,
)
from exporter.rooms import provenance

GRIDS = {"": 0, "none": -1, "square": 0, "hex columns": 1, "hex rows": 2}
"""What the client calls its grids (format section 6)."""


class Ground(Struct, frozen=True):
    """A board that lies on the table: its picture's corner in units, and units to a square."""

    board: Board
    corner: tuple[float, float]
    square: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture in units."""
        width, height = self.board.extent
        return width * self.square, height * self.square

    def middle(self, space: str, where: SourceLocation) -> tuple[float, float]:
        """The centre of a space in units. Raises ``InvalidSource`` naming the nearest."""
        found = self.board.middle(space)
        if found is None:
            board = self.board
            cells = [f"{cell.column + 1},{cell.row + 1}" for cell in board.cells]
            names = [space.id for space in board.spaces] or cells
            raise error_at(
                where,
                "SPACE",
                "no-space",
                board=board.id,
                space=space,
                nearest=nearest(space, names),
            )
        x, y = found
        return self.corner[0] + x * self.square, self.corner[1] + y * self.square


def ground(
    game: Game, name: str, corner: tuple[float, float], square: float, at: SourceLocation
) -> Ground:
    """The board called ``name`` with its grid's corner at ``corner``. Raises ``InvalidSource``."""
    board = find_boards(game.boards, [name], at)[0]
    return laid_out(board, corner, square)


def laid_out(board: Board, corner: tuple[float, float], square: float) -> Ground:
    """A board whose grid begins at ``corner``; tips of hexes stand out of it."""
    across, down = board.overhang
    return Ground(board, (corner[0] - across * square, corner[1] - down * square), square)


def client_grid(plan: RoomPlan, board: Board | None) -> int:
    """The client's grid for a table: the one asked for, or the one whose cells are the board's."""
    if plan.grid or board is None or board.kind == "square":
        return GRIDS[plan.grid]
    if board.kind == "hex" and plan.square == 1:
        return GRIDS[f"hex {board.shifts}"]
    return GRIDS["none"]


def terrain(game: Game, ground: Ground, level: float, name: str = "") -> Iterator[Terrain[Face]]:
    """The board as a flat picture, and a block of ``level`` units a step on every raised cell."""
    board, (x, y), square = ground.board, ground.corner, ground.square
    width, depth = ground.size
    yield Terrain(
        name=name or board.name.ja,
        floor=board_face(game, board.face, board),
        width=round(width, 4),
        depth=round(depth, 4),
        height=0,
        shows_wall=False,
        x=round(x * UNIT, 4),
        y=round(y * UNIT, 4),
        extra=provenance.of("board", board.id),
    )
    for cell in board.cells:
        if cell.elevation > 0 and board.kind == "square":
            top, side = tile_faces(game, "tile", "wall", board, cell)
            yield Terrain(
                name=f"高度＋{cell.elevation}（{cell.column + 1}列{cell.row + 1}行）",
                floor=top,
                wall=side,
                width=square,
                depth=square,
                height=cell.elevation * level,
                x=(x + cell.column * square) * UNIT,
                y=(y + cell.row * square) * UNIT,
                extra=provenance.of("board", board.id),
            )
