"""Boards turned and put together, ``A@180+J2+B/C``; where spaces of rings and tracks lie; and the
faces of boards and of their raised squares. Geometry is in squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.problems import (
    Problem,
    SourceLocation,
    each_of,
    error_at,
    nearest,
    problem_at,
    stop_for,
)
from exporter.faces.card_faces import (
    Face,
    styled_face,
)
from exporter.model import (
    Board,
    Cell,
    Game,
    Link,
    Name,
)
from exporter.model.boards import (
    ROW,
    TURN,
)
from exporter.model.shape import MOST_REPEATED

_TURNS = ("90", "180", "270")
_SIDES = ("top", "right", "bottom", "left")

_Square = tuple[int, int]
_Number = TypeVar("_Number", int, float)


def _notch(board: Board | None, side: str) -> tuple[int, int]:
    """Return width and first row of the squares missing at a side; zeros where none are."""
    squares = board.notches.get(side, ()) if board is not None else ()
    return len({column for column, _row in squares}), min((row for _, row in squares), default=0)


def _offsets(boards: Sequence[Board]) -> list[_Square]:
    """Return column and row of each part's upper left square.

    A joint starts where the board before it has its notch, and what of it sticks out fills the
    notch of the board after it.
    """
    offsets: list[_Square] = []
    edge = 0
    neighbours = zip((None, *boards), boards, (*boards[1:], None), strict=False)
    for before, board, after in neighbours:
        if not board.joint:
            if before is not None and before.joint and len(offsets) == 1:
                edge -= min(_notch(board, "left")[0], before.columns)
            offsets.append((edge, 0))
            edge += board.columns
            continue
        width, row = _notch(before, "right")
        if before is None or before.joint:
            width, row = 0, _notch(after, "left")[1]
        filled = _notch(after, "left")[0] if before and after and not after.joint else 0
        offsets.append((edge - width, row))
        edge = max(edge, edge - width + board.columns - filled)
    return offsets


def _hanging(boards: Sequence[Board]) -> Iterator[Problem]:
    """Yield joints at the end of a row of which something stands free, beyond the notch they
    fill."""
    ends = ((boards[0], boards[1:2], "left"), (boards[-1], boards[-2:-1], "right"))
    for board, beside, side in ends:
        free = board.columns - sum(_notch(one, side)[0] for one in beside)
        if board.joint and free > 0:
            yield problem_at(
                board.where,
                "BOARD-JOIN",
                "joint-hangs",
                board=board.id,
                row="+".join(one.id for one in boards),
                columns=free,
            )


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _unlike(boards: Sequence[Board]) -> Iterator[Problem]:
    """Yield why boards cannot be one: they are no squares, or are not drawn alike."""
    first = boards[0]
    for board in boards:
        if board.kind != "square":
            yield problem_at(
                board.where, "BOARD-JOIN", "kind-only-square", board=board.id, board_kind=board.kind
            )
        for key in ("face", "square_mm"):
            found, allowed = getattr(board, key), getattr(first, key)
            if found != allowed:
                yield problem_at(
                    board.where,
                    "BOARD-JOIN",
                    "but-before",
                    board=board.id,
                    name=key,
                    found=_plain(found),
                    first=first.id,
                    allowed=_plain(allowed),
                )


def compose(boards: Sequence[Board]) -> Board:
    """Return one board out of several; where their colours differ, those of the first count.

    Raises ``InvalidSource`` where two parts cover one square, or are not alike.
    """
    return _composed(boards, _offsets(boards), "+")


def _composed(boards: Sequence[Board], offsets: Sequence[_Square], sign: str) -> Board:
    """Return boards laid at ``offsets``; ``sign`` stands between their ids."""
    if len(boards) == 1:
        return boards[0]
    stop_for(_unlike(boards))
    name, first = sign.join(board.id for board in boards), boards[0]
    cells: dict[_Square, Cell] = {}
    owner: dict[_Square, str] = {}
    texts: dict[_Square, str] = {}
    starts: dict[str, tuple[tuple[float, float], ...]] = {}
    problems = []
    for board, (right, down) in zip(boards, offsets, strict=True):
        moved = {(cell.column + right, cell.row + down): cell for cell in board.cells}
        if covered := [owner[square] for square in moved if square in owner]:
            problem = problem_at(
                board.where,
                "BOARD-OVERLAP",
                "lies-over-square",
                name=name,
                board=board.id,
                overlap=covered[-1],
            )
            problems.append(problem)
        owner |= dict.fromkeys(moved, board.id)
        cells |= {square: _at(square, cell) for square, cell in moved.items()}
        known = board.texts  # of which those in holes are left out
        texts |= {
            at: known[c.column, c.row] for at, c in moved.items() if (c.column, c.row) in known
        }
        for side, squares in board.starts.items():
            lie = tuple((column + right, row + down) for column, row in squares)
            starts[side] = starts.get(side, ()) + lie
    stop_for(problems)
    return Board(
        id=name,
        name=Name(
            "＋".join(board.name.ja for board in boards),
            " + ".join(board.name.en or board.name.ja for board in boards),
        ),
        columns=max(column for column, _row in cells) + 1,
        rows=max(row for _column, row in cells) + 1,
        cells=_in_order(cells.values()),
        starts=starts,
        notches={},
        square_mm=first.square_mm,
        certainty=first.certainty,
        colours={key: value for board in reversed(boards) for key, value in board.colours.items()},
        texts=texts,
        face=first.face,
        spot=first.spot,
    )


def _at(square: _Square, cell: Cell) -> Cell:
    return replace(cell, column=square[0], row=square[1])


def _in_order(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(sorted(cells, key=lambda cell: (cell.row, cell.column)))


def find_boards(
    boards: Mapping[str, Board], ids: Sequence[str], where: SourceLocation
) -> list[Board]:
    """Return the boards with these ids, turned as they say: ``A@180``.

    Raises ``InvalidSource`` naming the nearest for each unknown, and for those that cannot be
    turned so, and where there are very many.
    """

    def find(whole: str) -> Board:
        name, sign, turn = whole.removeprefix(ROW).partition(TURN)
        if name not in boards:
            raise error_at(where, "BOARD", "no-board", name=name, nearest=nearest(name, boards))
        if sign and turn not in turns_of(boards[name]):
            raise error_at(where, "BOARD-TURN", "no-turn", board=name, turn=turn)
        return turned(boards[name], int(turn) // 90) if sign else boards[name]

    if len(ids) > MOST_REPEATED:
        raise error_at(where, "BOARD", "too-many-boards", count=len(ids), most=MOST_REPEATED)
    return each_of(find, ids)


def put_together(boards: Mapping[str, Board], ids: Sequence[str], where: SourceLocation) -> Board:
    """Return one board out of those with these ids; one that begins with ``/`` begins a row below.

    Raises ``InvalidSource`` as ``find_boards`` and ``compose`` do, and where a joint hangs free.
    """
    rows: list[list[Board]] = []
    for name, board in zip(ids, find_boards(boards, ids, where), strict=True):
        if name.startswith(ROW) or not rows:
            rows.append([])
        rows[-1].append(board)
    stop_for(problem for row in rows if len(ids) > 1 for problem in _hanging(row))
    joined = [compose(row) for row in rows]
    below = [(0, sum(row.rows for row in joined[:index])) for index in range(len(joined))]
    return _composed(joined, below, ROW)


def turns_of(board: Board) -> tuple[str, ...]:
    """Find by how many degrees a board can be turned to lie on the table as it is printed."""
    if board.kind != "square":
        return ()
    return _TURNS if board.columns == board.rows else ("180",)


def turned(board: Board, quarters: int) -> Board:
    """Return a board of squares, turned clockwise by so many quarters.

    Where each side's start squares come to lie on those of a side, they take its name: who starts
    in the north still does.
    """
    columns, rows = board.columns, board.rows

    def moved(column: _Number, row: _Number) -> tuple[_Number, _Number]:
        for index in range(quarters):
            high = rows if index % 2 == 0 else columns
            column, row = high - 1 - row, column
        return column, row

    starts = {side: tuple(moved(*one) for one in lie) for side, lie in board.starts.items()}
    if sorted(map(sorted, starts.values())) == sorted(map(sorted, board.starts.values())):
        starts = dict(board.starts)
    degrees = quarters * 90
    return replace(
        board,
        id=f"{board.id}{TURN}{degrees}",
        name=Name(
            f"{board.name.ja}（{degrees}°）", f"{board.name.en or board.name.ja} ({degrees}°)"
        ),
        columns=rows if quarters % 2 else columns,
        rows=columns if quarters % 2 else rows,
        cells=_in_order(_at(moved(cell.column, cell.row), cell) for cell in board.cells),
        starts=starts,
        notches={
            _SIDES[(_SIDES.index(side) + quarters) % 4]: tuple(moved(*one) for one in squares)
            for side, squares in board.notches.items()
        },
        texts={moved(*square): text for square, text in board.texts.items()},
    )


def ring_places(number: int, size: tuple[int, int]) -> list[tuple[float, float]]:
    """Return centres on an ellipse that fills a board of ``size``, clockwise from the top.

    On quarters of a square, so that a piece that the client snaps stands in the middle.
    """
    across, down = size[0] / 2, size[1] / 2
    places = []
    for index in range(number):
        angle = 2 * math.pi * index / number
        x = across + max(across - 0.75, 0) * math.sin(angle)
        y = down - max(down - 0.75, 0) * math.cos(angle)
        places.append((round(x * 4) / 4, round(y * 4) / 4))
    return places


def track_places(number: int, per_row: int) -> tuple[tuple[int, int], list[tuple[float, float]]]:
    """Return size and centres of ``number`` squares in rows of ``per_row``, or in one row."""
    columns = min(per_row or number, number) or 1
    places = [(index % columns + 0.5, index // columns + 0.5) for index in range(number)]
    return (columns, max(1, -(-number // columns))), places


def bends(links: Sequence[Link]) -> list[float]:
    """Return how far each line is bent aside, so that parallel ones lie apart: … −1, 0, 1 …, in
    steps.

    Seen from the end whose id comes first, so that it does not matter which way a line is given.
    """
    alike = grouped(range(len(links)), lambda number: tuple(sorted(links[number].between)))
    bent = [0.0] * len(links)
    for numbers in alike.values():
        for position, index in enumerate(numbers):
            step = position - (len(numbers) - 1) / 2
            bent[index] = step if links[index].between[0] <= links[index].between[1] else -step
    return bent


def _cell_values(board: Board, cell: Cell) -> dict[str, Any]:
    """Return what a cell of a board shows."""
    values: dict[str, Any] = {"terrain": cell.terrain, "elevation": cell.elevation}
    place = (cell.column, cell.row)
    if place in board.texts:
        values["text"] = board.texts[place]
    for side, squares in board.starts.items():
        if board.corner(*place) in squares:
            values["start"] = side
    return values


def board_face(game: Game, style: str, board: Board) -> Face:
    """Return the picture of a board or joint at its true size; holes stay transparent."""
    values: dict[str, Any] = {
        "id": board.id,
        "name": game.named(board.name),
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
    """Return top and side of a raised square of a board; the top shows all that the square does."""
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
