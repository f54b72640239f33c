"""The faces of boards and of their raised squares."""

from __future__ import annotations

from typing import Any

from exporter.faces.board_codes import bends
from exporter.faces.card_faces import (
    Face,
    styled_face,
)
from exporter.model import (
    Board,
    Cell,
    Game,
)


def _cell_values(board: Board, cell: Cell) -> dict[str, Any]:
    """What a cell of a board shows."""
    values: dict[str, Any] = {"terrain": cell.terrain, "elevation": cell.elevation}
    place = (cell.column, cell.row)
    if place in board.texts:
        values["text"] = board.texts[place]
    for side, squares in board.starts.items():
        if board.corner(*place) in squares:
            values["start"] = side
    return values


def board_face(game: Game, style: str, board: Board) -> Face:
    """The picture of a board or joint at its true size; holes stay transparent."""
    values: dict[str, Any] = {
        "id": board.id,
        "name": board.name.ja,
        "columns": board.columns,
        "rows": board.rows,
        "square": board.square_mm,
    }
    if board.cells:
        rows: list[list[dict[str, Any]]] = [
            [{"terrain": "none", "elevation": 0, "start": ""} for _column in range(board.columns)]
            for _row in range(board.rows)
        ]
        for cell in board.cells:
            rows[cell.row][cell.column] |= _cell_values(board, cell)
        values["cells"] = rows
    else:
        centre = {space.id: space.centre for space in board.spaces}
        values["spaces"] = [
            {
                "id": space.id,
                "text": space.label,
                "at": space.centre,
                "zones": space.zones,
                "start": space.start,
                "size": space.size,
            }
            for space in board.spaces
        ]
        values["links"] = [
            {
                "from": centre[link.between[0]],
                "to": centre[link.between[1]],
                "bend": bend,
                "text": link.text,
                "dashed": link.dashed,
            }
            for link, bend in zip(board.links, bends(board.links), strict=True)
        ]
    if board.kind != "square":
        values |= {"kind": board.kind, "shifts": board.shifts}
    if board.colours:
        values["colours"] = dict(board.colours)
    width, height = (length * board.square_mm for length in board.extent)
    return styled_face(
        game,
        style,
        values,
        where=board.where,
        name=("boards", board.id),
        picture_of=board.id,
        size=(width, height),
    )


def tile_faces(
    game: Game, style: str, wall_style: str, board: Board, cell: Cell
) -> tuple[Face, Face]:
    """Top and side of a raised square of a board; the top shows all that the square does."""
    values = _cell_values(board, cell) | {"square": board.square_mm}
    if cell.terrain in board.colours:
        values["colours"] = {cell.terrain: board.colours[cell.terrain]}
    square = (board.square_mm, board.square_mm)
    raised = str(cell.elevation)
    top = styled_face(
        game,
        style,
        values,
        where=board.where,
        name=("tiles", f"{cell.terrain}-{raised}"),
        size=square,
    )
    wall = styled_face(
        game,
        wall_style,
        {"elevation": cell.elevation},
        where=board.where,
        name=("tiles", f"wall-{raised}"),
    )
    return top, wall
