"""The boards of boards/: grids of cells, graphs, rings and tracks."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from exporter.core.problems import (
    listed,
    nearest,
    quoted,
)
from exporter.faces.board_faces import (
    ring_places,
    track_places,
)
from exporter.loader.load_context import LoadContext
from exporter.model import (
    Board,
    Cell,
    Link,
    Space,
)
from exporter.model.boards import (
    AnyBoard,
    BoardKind,
    WrittenBoard,
)

# The terrain of a cell that does not exist.
HOLE = "none"

MAX_COLUMNS = 100
_ELEVATIONS = {"-": -1, "0": 0, "1": 1, "2": 2}

_Cells = dict[tuple[int, int], Cell]


def _row(reading: LoadContext, board: WrittenBoard, index: int, text: str) -> list[Cell]:
    """Return the cells of one line, each a letter of the legend and an elevation."""
    legend, where = board.legend, board.place("rows", index)
    words = text.split()
    if len(words) > MAX_COLUMNS:
        reading.fault(
            where,
            "SRC-VALUE",
            "row-cells-allowed",
            index=index + 1,
            count=len(words),
            max_columns=MAX_COLUMNS,
        )
        return []
    cells = []
    for column, word in enumerate(words):
        if len(word) != 2 or word[0] not in legend or word[1] not in _ELEVATIONS:
            reading.fault(
                where,
                "SRC-VALUE",
                "cell-row-allowed",
                column=column + 1,
                index=index + 1,
                found=quoted(word),
                allowed=listed(map(quoted, legend)),
                names=listed(map(quoted, _ELEVATIONS)),
                example=quoted(f"{next(iter(legend), '')}0"),
            )
            cells.append(Cell(column=column, row=index, terrain=HOLE))
            continue
        terrain, elevation = legend[word[0]], _ELEVATIONS[word[1]]
        cells.append(Cell(column=column, row=index, terrain=terrain, elevation=elevation))
    return cells


def _extent(cells: _Cells) -> dict[str, int]:
    return {"columns": len({column for column, _ in cells}), "rows": len({row for _, row in cells})}


def _squares(
    reading: LoadContext, board: WrittenBoard, group: str, cells: _Cells | None
) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return squares by side, counted from 0; starts are on the board, notches are holes in it."""
    sides = getattr(board, group)
    for side, squares in sides.items():
        for index, (column, row) in enumerate(squares):
            if cells is None or not board.is_sound(group, side, index):
                continue
            cell = cells.get((column - 1, row - 1))
            where = board.place(group, side, index)
            if group == "starts" and (cell is None or cell.terrain == HOLE):
                reading.fault(
                    where, "SRC-VALUE", "no-square-column", column=column, row=row, **_extent(cells)
                )
            elif group == "notches" and (cell is None or cell.terrain != HOLE):
                reading.fault(
                    where, "SRC-VALUE", "column-row-no", column=column, row=row, hole=HOLE
                )
    return {
        str(side): tuple((column - 1, row - 1) for column, row in squares)
        for side, squares in sides.items()
    }


def _grid(reading: LoadContext, file: WrittenBoard) -> tuple[list[list[Cell]], _Cells | None]:
    """Return the rows of a grid, and its cells by place if nothing is wrong with them."""
    if file.grid is not None:
        columns, rows_number = file.grid
        rows = [
            [Cell(column=column, row=row, terrain="plain") for column in range(columns)]
            for row in range(rows_number)
        ]
        return rows, {(cell.column, cell.row): cell for row in rows for cell in row}
    if not (file.is_sound("legend") and file.is_sound("rows")):
        return [], None
    faults = len(reading.problems)
    if not file.rows and not file.spot.document.repaired:
        reading.fault(file.where, "SRC-KEY", "rows-missing")
    rows = [_row(reading, file, index, row) for index, row in enumerate(file.rows)]
    for index, row in enumerate(rows):
        if len(row) != len(rows[0]):
            reading.fault(
                file.place("rows", index),
                "SRC-VALUE",
                "row-cells-first",
                index=index + 1,
                count=len(row),
                count2=len(rows[0]),
            )
    if len(reading.problems) > faults:
        return rows, None
    return rows, {(cell.column, cell.row): cell for row in rows for cell in row}


def _texts(reading: LoadContext, file: WrittenBoard, cells: _Cells) -> dict[tuple[int, int], str]:
    """Return what stands in cells, by column and row from 0; in the data they count from 1."""
    squares = {f"{column + 1},{row + 1}": (column, row) for column, row in cells}
    named = {place: squares.get(place.replace(" ", "")) for place in file.texts}
    for place in (place for place, square in named.items() if square is None):
        reading.fault(
            file.place("texts", place, key=True),
            "SRC-VALUE",
            "no-cell",
            found=quoted(place),
            **_extent(cells),
        )
    return {square: file.texts[place] for place, square in named.items() if square is not None}


def _grid_board(reading: LoadContext, file: WrittenBoard, plain: Board) -> Board:
    rows, cells = _grid(reading, file)
    board = replace(
        plain,
        columns=len(rows[0]) if rows else 0,
        rows=len(rows),
        cells=tuple(cell for row in rows for cell in row if cell.terrain != HOLE),
        notches=_squares(reading, file, "notches", cells),
        texts=_texts(reading, file, cells) if cells is not None else {},
    )
    starts = _squares(reading, file, "starts", cells)
    corners = {side: tuple(board.corner(*cell) for cell in found) for side, found in starts.items()}
    return replace(board, starts=corners)


def _spaces(reading: LoadContext, file: WrittenBoard) -> tuple[tuple[int, int], list[Space]]:
    """Return the size in squares of a board without cells, and its spaces where they lie on it."""
    number = len(file.spaces)
    if not file.spaces and file.is_sound("spaces"):
        reading.fault(file.place("kind"), "SRC-KEY", "board-kind-spaces", file=file.kind)
    if file.kind == "track":
        size, places = track_places(number, file.per_row)
    else:
        size = file.size or (1, 1)
        places = ring_places(number, size)
        if file.size is None and file.is_sound("size"):
            reading.fault(file.place("kind"), "SRC-KEY", "board-kind-size", file=file.kind)
    spaces = []
    for index, (found, place) in enumerate(zip(file.spaces, places, strict=True)):
        if file.kind == "graph" and file.size is not None and found.at is not None:
            place = found.at
            if not (0 <= place[0] <= size[0] and 0 <= place[1] <= size[1]):
                reading.fault(
                    file.place("spaces", index, "at"),
                    "SRC-VALUE",
                    "space-lies-outside",
                    found=found.id,
                    size=size[0],
                    size2=size[1],
                )
        elif file.kind == "graph" and file.size is not None and file.is_sound("spaces", index):
            reading.fault(file.place("spaces", index), "SRC-KEY", "space-no-place", found=found.id)
        spaces.append(replace(found, at=place))
    each = [(s.id, file.place("spaces", index), s) for index, s in enumerate(spaces)]
    reading.unique("space", each)
    return size, spaces


def _spaced_board(reading: LoadContext, file: WrittenBoard, plain: Board) -> Board:
    size, spaces = _spaces(reading, file)
    names = [space.id for space in spaces]
    links = []
    for index, link in enumerate(file.links):
        where = file.place("links", index)
        if not file.is_sound("links", index):
            continue
        for name in link.between:
            if name not in names and file.is_sound("spaces"):
                reading.fault(where, "SRC-REF", "no-space", name=name, nearest=nearest(name, names))
        if link.between[0] == link.between[1]:
            reading.fault(where, "SRC-VALUE", "line-leads-nowhere")
        elif all(name in names for name in link.between):
            links.append(link)
    if file.kind == "ring" and len(names) > 2 and not links:
        links = [
            Link(between=(name, names[(index + 1) % len(names)]))
            for index, name in enumerate(names)
        ]
    starts: dict[str, tuple[tuple[float, float], ...]] = {}
    for space in spaces:
        if space.start:
            x, y = space.centre
            starts[space.start] = (*starts.get(space.start, ()), (x - 0.5, y - 0.5))
    return replace(
        plain,
        columns=size[0],
        rows=size[1],
        spaces=tuple(spaces),
        links=tuple(links),
        starts=starts,
    )


_OF_GRIDS = ("rows", "grid", "legend", "texts", "notches", "starts")
# The keys that a board of each kind has, of those that only some have.
_KEYS: Mapping[BoardKind, tuple[str, ...]] = {
    "square": _OF_GRIDS,
    "hex": _OF_GRIDS,
    "graph": ("spaces", "links", "size"),
    "ring": ("spaces", "links", "size"),
    "track": ("spaces", "links", "per_row"),
}


def board_of(reading: LoadContext, file: WrittenBoard) -> Board:
    """Return a board or joint as rooms use it; what is wrong with it as a whole is noted."""
    is_grid = _KEYS[file.kind] == _OF_GRIDS
    every = {key for keys in _KEYS.values() for key in keys}
    for key in sorted(every.difference(_KEYS[file.kind])):
        if file.spot.spelled(key) is not None and file.is_sound("kind"):
            reading.fault(
                file.place(key, key=True), "SRC-KEY", "board-kind-no", file=file.kind, name=key
            )
    reading.refer("face", "" if file.face == "board" else file.face, file.place("face"))
    common = {name: getattr(file, name) for name in AnyBoard.__struct_fields__}
    plain = Board(columns=0, rows=0, starts={}, notches={}, **common)
    return (_grid_board if is_grid else _spaced_board)(reading, file, plain)
