"""The shape of what lies on the table: ``boards/``, ``layouts.yaml`` and ``rooms/``."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from exporter.model import BoardKind, Shifts
from exporter.schema.shape import (
    TEXT,
    TEXTS,
    Certainty,
    Id,
    Length,
    Naming,
    Ordinal,
    Pair,
    Shape,
    Short,
    Word,
)


def _named(value: Any) -> Any:
    return {"id": value} if isinstance(value, str) else value


def _joined_two(value: Any) -> Any:
    return {"between": value} if isinstance(value, list) else value


Side100: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
Colour: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^#[0-9a-fA-F]{6}$",
        examples=["#2f7d7a"],
        extra={"allowed": "a colour, such as #2f7d7a"},
    ),
]


class SpaceShape(Shape):
    """A space of a board without cells: its centre in squares; a mere name may stand for it.

    On a ring or a track the spaces stand in order, and ``at`` is left out.
    """

    id: Annotated[Word, Meta(description="of the space")]
    at: Annotated[
        Pair | None,
        Meta(examples=[[1.5, 2]], description="its centre in squares; left out on a ring or track"),
    ] = None
    text: Annotated[str | None, Meta(description="what stands on it; by default its id")] = None
    zones: Annotated[list[Word], Meta(description="the groups it belongs to")] = []
    start: Annotated[str, Meta(description="the side that starts there")] = ""
    size: Annotated[Length, Meta(description="its width in squares")] = 1


class LinkShape(Shape):
    """A line between two spaces; ``[a, b]`` is short for one without a text."""

    between: Annotated[tuple[Word, Word], Meta(examples=[["a", "b"]], description="two spaces")]
    text: Annotated[str, Meta(description="what stands on the line")] = ""
    dashed: Annotated[bool, Meta(description="how it is drawn")] = False


class BoardShape(Shape):
    """A file of boards/.

    A grid has ``rows`` (a line of cells, each a letter of the legend and an elevation), or a plain
    ``grid`` of so many columns and rows. Other kinds have ``spaces``: a graph with a ``size`` in
    squares and ``links``, a ring with a ``size``, a track with ``per_row`` spaces beside another.
    """

    id: Annotated[Id, Meta(description="of the board")]
    name: Annotated[Naming, Meta(description="of the board")]
    kind: Annotated[
        BoardKind,
        Meta(
            description="`square` (the default), `hex`, or without cells `graph`, `ring`, `track`"
        ),
    ] = "square"
    face: Annotated[str, Meta(description="its face style, by default `board`")] = "board"
    certainty: Annotated[Certainty, Meta(description="`invented` for boards of one's own")] = (
        "stated"
    )
    square_mm: Annotated[Length, Meta(description="the side of a square on paper")] = 30
    joint: Annotated[bool, Meta(description="it joins two boards: it fills their notches")] = False
    shifts: Annotated[
        Shifts,
        Meta(
            description="of hexes: the `columns` 1, 3, 5 … lie half a hex lower, or the `rows` 1, "
            "3, 5 … half a hex to the right"
        ),
    ] = "columns"
    legend: Annotated[
        dict[str, Word],
        Meta(
            examples=[{".": "plain", "#": "none"}], description="letter → terrain; `none` is a hole"
        ),
    ] = {}
    rows: Annotated[
        list[str],
        Meta(
            max_length=100,
            description="a line of cells, each a letter and an elevation: `0 1 2`, `-` for −1; "
            "only squares are raised in a room, hexes show the number",
        ),
    ] = []
    grid: Annotated[
        tuple[Side100, Side100] | None,
        Meta(examples=[[3, 5]], description="instead of rows, a plain grid: `[columns, rows]`"),
    ] = None
    texts: Annotated[
        dict[str, str],
        Meta(examples=[{"1,1": "text"}], description='`"column,row"` → what stands in that cell'),
    ] = {}
    size: Annotated[
        tuple[Side100, Side100] | None,
        Meta(examples=[[8, 6]], description="of a board without cells, in squares"),
    ] = None
    spaces: Annotated[
        list[Annotated[SpaceShape, Short(_named, TEXT)]],
        Meta(max_length=500, description="of a board without cells, in order"),
    ] = []
    links: Annotated[
        list[Annotated[LinkShape, Short(_joined_two, {**TEXTS, "minItems": 2, "maxItems": 2})]],
        Meta(max_length=2000, description="the lines between spaces"),
    ] = []
    per_row: Annotated[
        int, Meta(ge=0, le=500, description="of a track: spaces beside one another")
    ] = 0
    colours: Annotated[dict[str, Colour], Meta(description="terrain or zone → `#rrggbb`")] = {}
    starts: Annotated[
        dict[str, list[tuple[Ordinal, Ordinal]]],
        Meta(description="side → `[column, row]`, counted from 1"),
    ] = {}
    notches: Annotated[
        dict[Literal["left", "right"], list[tuple[Ordinal, Ordinal]]],
        Meta(description="`left`, `right` → the squares missing there"),
    ] = {}
