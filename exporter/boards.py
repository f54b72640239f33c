"""Boards put together from left to right: ``A+J2+B``. Pure geometry in squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from exporter.model import Board, Cell, Name
from exporter.problems import InvalidSource, Problem, Where, nearest

Places = dict[tuple[int, int], Cell]


def _notch(board: Board, side: str) -> tuple[int, int, int]:
    """Width, first row and height of the squares missing at a side; zeros where none are."""
    squares = board.notches.get(side, ())
    if not squares:
        return 0, 0, 0
    columns = {column for column, _row in squares}
    rows = [row for _column, row in squares]
    return len(columns), min(rows), max(rows) - min(rows) + 1


def _offsets(boards: Sequence[Board]) -> list[tuple[int, int]]:
    """Column and row of each part's upper left square.

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


def compose(boards: Sequence[Board]) -> Board:
    """One board out of several. Raises ``InvalidSource`` where two parts cover one square."""
    if len(boards) == 1:
        return boards[0]
    places: Places = {}
    starts: dict[str, tuple[tuple[int, int], ...]] = {}
    owner: dict[tuple[int, int], str] = {}
    problems: list[Problem] = []
    for board, (right, down) in zip(boards, _offsets(boards), strict=True):
        overlap = None
        for cell in board.cells:
            square = (cell.column + right, cell.row + down)
            if square in owner:
                overlap = owner[square]
            places[square] = replace(cell, column=square[0], row=square[1])
            owner[square] = board.id
        if overlap is not None:
            name = "+".join(part.id for part in boards)
            message = f"In {name}, {board.id} lies over a square of {overlap}."
            hint = "A joint must fit the notches beside it; put boards in another order."
            problems.append(Problem(board.where, "BOARD-OVERLAP", message, hint))
        for side, squares in board.starts.items():
            moved = tuple((column + right, row + down) for column, row in squares)
            starts[side] = starts.get(side, ()) + moved
    if problems:
        raise InvalidSource(problems)
    return Board(
        id="+".join(board.id for board in boards),
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
        where=boards[0].where,
    )


def find_boards(boards: Mapping[str, Board], ids: Sequence[str], where: Where) -> list[Board]:
    """The boards with these ids. Raises ``InvalidSource`` naming the nearest for each unknown."""
    problems = [
        Problem(where, "BOARD", f"There is no board {name!r}.", nearest(name, boards))
        for name in ids
        if name not in boards
    ]
    if problems:
        raise InvalidSource(problems)
    return [boards[name] for name in ids]
