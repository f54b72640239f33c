"""Boards of every kind: grids of squares or hexes, and spaces joined by lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct, field

from exporter.problems import Where
from exporter.schema.shape import Name

BoardKind: TypeAlias = Literal["square", "hex", "graph", "ring", "track"]
Shifts: TypeAlias = Literal["columns", "rows"]


class Cell(Struct, frozen=True, kw_only=True):
    """A cell of a grid; ``terrain`` of ``none`` is a hole."""

    column: int
    row: int
    terrain: str
    elevation: int = 0


class Space(Struct, frozen=True, kw_only=True):
    """A space of a graph, ring or track; its centre in squares from the board's corner.

    ``zones`` are the groups it belongs to, ``size`` its width in squares.
    """

    id: str
    x: float
    y: float
    text: str = ""
    zones: tuple[str, ...] = ()
    start: str = ""
    size: float = 1


class Link(Struct, frozen=True, kw_only=True):
    """A line between two spaces; several may join the same two."""

    between: tuple[str, str]
    text: str = ""
    dashed: bool = False
    where: Where = Where()


class Board(Struct, frozen=True, kw_only=True):
    """A map board or a joint part. A grid has ``cells``, any other kind ``spaces`` and ``links``.

    Columns and rows count from 0; of a board without cells they are its size in squares. ``starts``
    are the start places by side: the upper left corners of squares, in squares. ``notches`` are the
    squares missing at ``left`` and ``right`` which a joint may fill. ``square_mm`` is the true size
    of a square on paper, ``face`` the style it is drawn in, ``colours`` those of terrains and
    zones, ``texts`` what stands in cells. Of hexes every other column or row ``shifts`` by half a
    cell.
    """

    id: str
    name: Name
    columns: int
    rows: int
    cells: tuple[Cell, ...] = ()
    starts: Mapping[str, tuple[tuple[float, float], ...]]
    notches: Mapping[str, tuple[tuple[int, int], ...]]
    joint: bool = False
    square_mm: float = 30
    certainty: str = "stated"
    kind: BoardKind = "square"
    shifts: Shifts = "columns"
    spaces: tuple[Space, ...] = ()
    links: tuple[Link, ...] = ()
    colours: Mapping[str, str] = field(default_factory=dict)
    texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    face: str = "board"
    where: Where = Where()

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the whole picture in squares: tips of hexes stand out of the grid."""
        if self.kind != "hex":
            return self.columns, self.rows
        if self.shifts == "columns":
            return self.columns + 1 / 3, self.rows + 1 / 2
        return self.columns + 1 / 2, self.rows + 1 / 3

    @property
    def overhang(self) -> tuple[float, float]:
        """How far the picture's corner lies outside the grid's, in squares."""
        if self.kind != "hex":
            return 0, 0
        return (1 / 6, 0) if self.shifts == "columns" else (0, 1 / 6)

    def corner(self, column: int, row: int) -> tuple[float, float]:
        """The upper left corner of a cell in squares from the picture's corner.

        Hexes of columns, or rows, 0, 2, 4 … are shifted, as in the client's grids.
        """
        x, y = self.overhang[0] + column, self.overhang[1] + row
        if self.kind == "hex" and self.shifts == "columns":
            y += 0.5 * (column % 2 == 0)
        elif self.kind == "hex":
            x += 0.5 * (row % 2 == 0)
        return x, y

    def middle(self, space: str) -> tuple[float, float] | None:
        """The centre of a space by its id, or of a cell by ``column,row`` counted from 1."""
        for found in self.spaces:
            if found.id == space:
                return found.x, found.y
        for cell in self.cells:
            if f"{cell.column + 1},{cell.row + 1}" == space.replace(" ", ""):
                x, y = self.corner(cell.column, cell.row)
                return x + 0.5, y + 0.5
        return None
