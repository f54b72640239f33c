"""Boards of every kind: grids of squares or hexes, and spaces joined by lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from exporter.model.shape import (
    TEXT,
    TEXTS,
    Certainty,
    Doc,
    Id,
    Length,
    Naming,
    Ordinal,
    Pair,
    Record,
    Ref,
    Short,
    Word,
    under,
)

# What a part of a composition begins with that begins another row, below the ones before it.
ROW = "/"
# What stands between a board and the degrees by which it is turned.
TURN = "@"


def board_parts(composition: str) -> tuple[str, ...]:
    """Return the parts of ``A@180+J2+B/C``: ``A@180``, ``J2``, ``B``, ``/C``."""
    parts = re.sub(r"\s*[/／]\s*", f"+{ROW}", composition).split("+")
    return tuple(part.strip() for part in parts if part.strip())


def board_id(part: str) -> str:
    """Return which board a part of a composition is: ``/A@180`` is of ``A``."""
    return part.removeprefix(ROW).partition(TURN)[0]


# A part of a composition, and a whole one.
BOARD_PART = Ref("board", lambda part: (board_id(part),))
COMPOSITION = Ref("board", lambda composition: map(board_id, board_parts(composition)))

BoardKind: TypeAlias = Literal["square", "hex", "graph", "ring", "track"]
Shifts: TypeAlias = Literal["columns", "rows"]


class Cell(Struct, frozen=True, kw_only=True):
    """A cell of a grid; ``terrain`` of ``none`` is a hole."""

    column: int
    row: int
    terrain: str
    elevation: int = 0


Side100: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
Colour: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^#[0-9a-fA-F]{6}$",
        examples=["#2f7d7a"],
        extra={"allowed": "hex-colour"},
    ),
]


TWO = {**TEXTS, "minItems": 2, "maxItems": 2}


class Space(Record, frozen=True, kw_only=True):
    """A space of a board without cells: its centre in squares; a mere name may stand for it.

    On a ring or a track the spaces stand in order, and ``at`` is left out.
    """

    id: Annotated[Word, Doc("of the space", "場所のID")]
    at: Annotated[
        Pair | None,
        Doc(
            "its centre in squares; left out on a ring or track",
            "真ん中の位置（マスの数で）。ring と track では書かない",
            [1.5, 2],
        ),
    ] = None
    text: Annotated[
        str | None, Doc("what stands on it; by default its id", "そこに書く文字。なければID")
    ] = None
    zones: Annotated[tuple[Word, ...], Doc("the groups it belongs to", "属するグループ")] = ()
    start: Annotated[str, Doc("the side that starts there", "ここから始まる側")] = ""
    size: Annotated[Length, Doc("its width in squares", "幅（マスの数で）")] = 1

    @property
    def centre(self) -> tuple[float, float]:
        """Its centre in squares from the board's corner."""
        return self.at or (0, 0)

    @property
    def label(self) -> str:
        """What stands on it."""
        return self.id if self.text is None else self.text


class Link(Record, frozen=True, kw_only=True):
    """A line between two spaces; ``[a, b]`` is short for one without a text."""

    between: Annotated[tuple[Word, Word], Doc("two spaces", "2つの場所", ["a", "b"])]
    text: Annotated[str, Doc("what stands on the line", "線に書く文字")] = ""
    dashed: Annotated[bool, Doc("how it is drawn", "線の引き方")] = False


class AnyBoard(Record, frozen=True, kw_only=True):
    """What a board is called, and how it is drawn."""

    id: Annotated[Id, Doc("of the board; `--board` takes it", "マップのID。`--board` に書く")]
    name: Annotated[Naming, Doc("of the board", "このマップの")]
    kind: Annotated[
        BoardKind,
        Doc(
            "`square` (the default), `hex`, or without cells `graph`, `ring`, `track`",
            "`square`（既定）、`hex`。マスのない `graph`、`ring`、`track`",
        ),
    ] = "square"
    face: Annotated[
        str, Doc("its face style, by default `board`", "絵柄のスタイル。なければ `board`")
    ] = "board"
    certainty: Annotated[
        Certainty, Doc("`invented` for boards of one's own", "自分で考えたマップなら `invented`")
    ] = "stated"
    square_mm: Annotated[Length, Doc("the side of a square on paper", "紙の上での1マスの長さ")] = 30
    joint: Annotated[
        bool,
        Doc(
            "it joins two boards: it fills their notches",
            "2枚のマップをつなぐジョイント。切り欠きにはまる",
        ),
    ] = False
    shifts: Annotated[
        Shifts,
        Doc(
            "of hexes: the `columns` 1, 3, 5 … lie half a hex lower, or the `rows` 1, "
            "3, 5 … half a hex to the right",
            "六角マスのずれ：`columns` なら 1・3・5…列が半マス下に、`rows` なら 1・3・"
            "5…行が半マス右に",
        ),
    ] = "columns"
    colours: Annotated[
        Mapping[str, Colour], Doc("terrain or zone → `#rrggbb`", "地形やゾーン → `#rrggbb`")
    ] = {}


class WrittenBoard(AnyBoard, frozen=True, kw_only=True):
    """A file of boards/.

    A grid has ``rows`` (a line of cells, each a letter of the legend and an elevation), or a plain
    ``grid`` of so many columns and rows. Other kinds have ``spaces``: a graph with a ``size`` in
    squares and ``links``, a ring with a ``size``, a track with ``per_row`` spaces beside another.
    """

    legend: Annotated[
        Mapping[str, Word],
        Doc(
            "letter → terrain; `none` is a hole",
            "文字 → 地形。`none` は穴",
            {".": "plain", "#": "none"},
        ),
    ] = {}
    rows: Annotated[
        tuple[str, ...],
        Meta(max_length=100),
        Doc(
            "a line of cells, each a letter and an elevation: `0 1 2`, `-` for −1; "
            "only squares are raised in a room, hexes show the number",
            "マスの行。文字と高さを並べる：`0 1 2`、`-` は −1。ルームで盛り上がるのは四"
            "角マスだけで、六角マスには数字が出る",
        ),
    ] = ()
    grid: Annotated[
        tuple[Side100, Side100] | None,
        Doc(
            "instead of rows, a plain grid: `[columns, rows]`",
            "行の代わりに、ただの格子：`[列, 行]`",
            [3, 5],
        ),
    ] = None
    texts: Annotated[
        Mapping[str, str],
        Doc(
            '`"column,row"` → what stands in that cell',
            '`"列,行"` → そのマスに書く文字',
            {"1,1": "text"},
        ),
    ] = {}
    size: Annotated[
        tuple[Side100, Side100] | None,
        Doc("of a board without cells, in squares", "マスのないマップの大きさ（マスで）", [8, 6]),
    ] = None
    spaces: Annotated[
        tuple[Annotated[Space, Short(under("id"), TEXT)], ...],
        Meta(max_length=500),
        Doc("of a board without cells, in order", "マスのないマップの場所。順に"),
    ] = ()
    links: Annotated[
        tuple[Annotated[Link, Short(under("between", list), TWO)], ...],
        Meta(max_length=2000),
        Doc("the lines between spaces", "場所をつなぐ線"),
    ] = ()
    per_row: Annotated[
        int,
        Meta(ge=0, le=500),
        Doc("of a track: spaces beside one another", "track で、横に並べる数"),
    ] = 0
    starts: Annotated[
        Mapping[str, tuple[tuple[Ordinal, Ordinal], ...]],
        Doc("side → `[column, row]`, counted from 1", "側 → `[列, 行]`。1から数える"),
    ] = {}
    notches: Annotated[
        Mapping[Literal["left", "right"], tuple[tuple[Ordinal, Ordinal], ...]],
        Doc(
            "`left`, `right` → the squares missing there", "`left`、`right` → そこに欠けているマス"
        ),
    ] = {}


class Board(AnyBoard, frozen=True, kw_only=True):
    """A map board or a joint part. A grid has ``cells``, any other kind ``spaces`` and ``links``.

    Columns and rows count from 0; of a board without cells they are its size in squares. ``starts``
    are the start places by side: the upper left corners of squares, in squares. ``notches`` are the
    squares missing at ``left`` and ``right`` which a joint may fill. ``texts`` is what stands in
    cells. Of hexes every other column or row ``shifts`` by half a cell.
    """

    columns: int
    rows: int
    cells: tuple[Cell, ...] = ()
    starts: Mapping[str, tuple[tuple[float, float], ...]]
    notches: Mapping[str, tuple[tuple[int, int], ...]]
    spaces: tuple[Space, ...] = ()
    links: tuple[Link, ...] = ()
    texts: Mapping[tuple[int, int], str] = {}

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
        """Return the upper left corner of a cell in squares from the picture's corner.

        Hexes of columns, or rows, 0, 2, 4 … are shifted, as in the client's grids.
        """
        x, y = self.overhang[0] + column, self.overhang[1] + row
        if self.kind == "hex" and self.shifts == "columns":
            y += 0.5 * (column % 2 == 0)
        elif self.kind == "hex":
            x += 0.5 * (row % 2 == 0)
        return x, y

    def middle(self, space: str) -> tuple[float, float] | None:
        """Return the centre of a space by its id, or of a cell by ``column,row`` counted from 1."""
        for found in self.spaces:
            if found.id == space:
                return found.centre
        for cell in self.cells:
            if f"{cell.column + 1},{cell.row + 1}" == space.replace(" ", ""):
                x, y = self.corner(cell.column, cell.row)
                return x + 0.5, y + 0.5
        return None
