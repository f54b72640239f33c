"""Boards turned and put together, ``A@180+J2+B/C``; where spaces of rings and tracks lie; and the
faces of boards and of their raised squares. Geometry is in squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    nearest,
    problem_at,
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

Places = dict[tuple[int, int], Cell]

_TURNS = ("90", "180", "270")
_SIDES = ("top", "right", "bottom", "left")


def _notch(board: Board, side: str) -> tuple[int, int, int]:
    """Return width, first row and height of the squares missing at a side; zeros where none are."""
    squares = board.notches.get(side, ())
    if not squares:
        return 0, 0, 0
    columns = {column for column, _row in squares}
    rows = [row for _column, row in squares]
    return len(columns), min(rows), max(rows) - min(rows) + 1


def _offsets(boards: Sequence[Board]) -> list[tuple[int, int]]:
    """Return column and row of each part's upper left square.

    A joint starts where the board before it has its notch, and what of it sticks out fills the
    notch of the board after it.
    """
    offsets = []
    edge = 0
    for index, board in enumerate(boards):
        before = boards[index - 1] if index else None
        after = boards[index + 1] if index + 1 < len(boards) else None
        if not board.joint:
            if before is not None and before.joint and index == 1:
                edge -= min(_notch(board, "left")[0], before.columns)
            offsets.append((edge, 0))
            edge += board.columns
            continue
        if before is not None and not before.joint:
            width, row, _height = _notch(before, "right")
            column = edge - width
        else:
            _width, row, _height = _notch(after, "left") if after else (0, 0, 0)
            column = edge
        offsets.append((column, row))
        filled = _notch(after, "left")[0] if after is not None and not after.joint else 0
        edge = max(edge, column + board.columns - (filled if before is not None else 0))
    return offsets


def _hanging(boards: Sequence[Board]) -> Iterator[Problem]:
    """Yield joints at the end of a row of which something stands free, beyond the notch they
    fill."""
    for joint, beside, side in ((0, 1, "left"), (-1, -2, "right")):
        board, next_to = boards[joint], boards[beside] if len(boards) > 1 else None
        if not board.joint:
            continue
        depth = _notch(next_to, side)[0] if next_to is not None else 0
        if board.columns > depth:
            yield problem_at(
                board.where,
                "BOARD-JOIN",
                "joint-hangs",
                board=board.id,
                row="+".join(one.id for one in boards),
                columns=board.columns - depth,
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


def _composed(boards: Sequence[Board], offsets: Sequence[tuple[int, int]], sign: str) -> Board:
    """Return boards laid at ``offsets``; ``sign`` stands between their ids."""
    if len(boards) == 1:
        return boards[0]
    places: Places = {}
    starts: dict[str, tuple[tuple[float, float], ...]] = {}
    texts: dict[tuple[int, int], str] = {}
    owner: dict[tuple[int, int], str] = {}
    problems = list(_unlike(boards))
    if problems:
        raise InvalidSource(problems)
    for board, (right, down) in zip(boards, offsets, strict=True):
        overlap = None
        for cell in board.cells:
            square = (cell.column + right, cell.row + down)
            if square in owner:
                overlap = owner[square]
            places[square] = replace(cell, column=square[0], row=square[1])
            owner[square] = board.id
            if (cell.column, cell.row) in board.texts:
                texts[square] = board.texts[cell.column, cell.row]
        if overlap is not None:
            problems.append(
                problem_at(
                    board.where,
                    "BOARD-OVERLAP",
                    "lies-over-square",
                    name=sign.join(part.id for part in boards),
                    board=board.id,
                    overlap=overlap,
                )
            )
        for side, squares in board.starts.items():
            moved = tuple((column + right, row + down) for column, row in squares)
            starts[side] = starts.get(side, ()) + moved
    if problems:
        raise InvalidSource(problems)
    return Board(
        id=sign.join(board.id for board in boards),
        name=Name(
            "＋".join(board.name.ja for board in boards),
            " + ".join(board.name.en or board.name.ja for board in boards),
        ),
        columns=max(column for column, _row in places) + 1,
        rows=max(row for _column, row in places) + 1,
        cells=tuple(places[square] for square in sorted(places, key=lambda s: (s[1], s[0]))),
        starts=starts,
        notches={},
        square_mm=boards[0].square_mm,
        certainty=boards[0].certainty,
        colours={key: value for board in reversed(boards) for key, value in board.colours.items()},
        texts=texts,
        face=boards[0].face,
        spot=boards[0].spot,
    )


def find_boards(
    boards: Mapping[str, Board], ids: Sequence[str], where: SourceLocation
) -> list[Board]:
    """Return the boards with these ids, turned as they say: ``A@180``.

    Raises ``InvalidSource`` naming the nearest for each unknown, and for those that cannot be
    turned so, and where there are very many.
    """
    if len(ids) > MOST_REPEATED:
        raise error_at(where, "BOARD", "too-many-boards", count=len(ids), most=MOST_REPEATED)
    found, problems = [], []
    for whole in ids:
        name, sign, turn = whole.removeprefix(ROW).partition(TURN)
        if name not in boards:
            problems.append(
                problem_at(where, "BOARD", "no-board", name=name, nearest=nearest(name, boards))
            )
        elif sign and turn not in turns_of(boards[name]):
            problems.append(problem_at(where, "BOARD-TURN", "no-turn", board=name, turn=turn))
        else:
            found.append(turned(boards[name], int(turn) // 90) if sign else boards[name])
    if problems:
        raise InvalidSource(problems)
    return found


def put_together(boards: Mapping[str, Board], ids: Sequence[str], where: SourceLocation) -> Board:
    """Return one board out of those with these ids; one that begins with ``/`` begins a row below.

    Raises ``InvalidSource`` as ``find_boards`` and ``compose`` do, and where a joint hangs free.
    """
    rows: list[list[Board]] = []
    for name, board in zip(ids, find_boards(boards, ids, where), strict=True):
        if name.startswith(ROW) or not rows:
            rows.append([])
        rows[-1].append(board)
    hanging = [problem for row in rows if len(ids) > 1 for problem in _hanging(row)]
    if hanging:
        raise InvalidSource(hanging)
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

    def moved(column: float, row: float) -> tuple[float, float]:
        for index in range(quarters):
            high = rows if index % 2 == 0 else columns
            column, row = high - 1 - row, column
        return column, row

    def square(column: int, row: int) -> tuple[int, int]:
        x, y = moved(column, row)
        return int(x), int(y)

    starts = {side: tuple(moved(*one) for one in lie) for side, lie in board.starts.items()}
    if sorted(map(sorted, starts.values())) == sorted(map(sorted, board.starts.values())):
        starts = dict(board.starts)
    cells = []
    for cell in board.cells:
        column, row = square(cell.column, cell.row)
        cells.append(replace(cell, column=column, row=row))
    degrees = quarters * 90
    return replace(
        board,
        id=f"{board.id}{TURN}{degrees}",
        name=Name(
            f"{board.name.ja}（{degrees}°）", f"{board.name.en or board.name.ja} ({degrees}°)"
        ),
        columns=rows if quarters % 2 else columns,
        rows=columns if quarters % 2 else rows,
        cells=tuple(sorted(cells, key=lambda cell: (cell.row, cell.column))),
        starts=starts,
        notches={
            _SIDES[(_SIDES.index(side) + quarters) % 4]: tuple(square(*one) for one in squares)
            for side, squares in board.notches.items()
        },
        texts={square(*one): text for one, text in board.texts.items()},
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
    alike: dict[tuple[str, ...], list[int]] = {}
    for index, link in enumerate(links):
        alike.setdefault(tuple(sorted(link.between)), []).append(index)
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
