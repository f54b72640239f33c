"""The shape of what lies on the table: ``boards/``, ``layouts.yaml`` and ``rooms/``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, WrapValidator
from pydantic_core import PydanticCustomError

from exporter.model import BoardKind, Shifts
from exporter.schema import (
    Certainty,
    Free,
    Id,
    Length,
    Naming,
    Ordinal,
    Pair,
    SelectionShape,
    Shape,
    Size,
    Whole,
    Word,
)


def _start_or(value: Any, pair: Callable[[Any], Any]) -> Any:
    if isinstance(value, str):
        if value == "start":
            return "start"
        raise PydanticCustomError("place", "allowed: a pair such as [1, 2.5], or the word start")
    return pair(value)


def _named(value: Any) -> Any:
    return {"id": value} if isinstance(value, str) else value


def _joined_two(value: Any) -> Any:
    return {"between": value} if isinstance(value, list) else value


Side100: TypeAlias = Annotated[int, Field(ge=1, le=100)]
Colour: TypeAlias = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$", examples=["#2f7d7a"])]
Place: TypeAlias = Annotated[Pair, WrapValidator(_start_or)]


class SpaceShape(Shape):
    """A space of a board without cells: its centre in squares; a mere name may stand for it.

    On a ring or a track the spaces stand in order, and ``at`` is left out.
    """

    id: Word = Field(description="of the space")
    at: Pair | None = Field(
        default=None,
        examples=[[1.5, 2]],
        description="its centre in squares; left out on a ring or track",
    )
    text: str | None = Field(None, description="what stands on it; by default its id")
    zones: list[Word] = Field([], description="the groups it belongs to")
    start: str = Field("", description="the side that starts there")
    size: Length = Field(1, description="its width in squares")


class LinkShape(Shape):
    """A line between two spaces; ``[a, b]`` is short for one without a text."""

    between: tuple[Word, Word] = Field(examples=[["a", "b"]], description="two spaces")
    text: str = Field("", description="what stands on the line")
    dashed: bool = Field(False, description="how it is drawn")


class BoardShape(Shape):
    """A file of boards/.

    A grid has ``rows`` (a line of cells, each a letter of the legend and an elevation), or a plain
    ``grid`` of so many columns and rows. Other kinds have ``spaces``: a graph with a ``size`` in
    squares and ``links``, a ring with a ``size``, a track with ``per_row`` spaces beside another.
    """

    id: Id = Field(description="of the board")
    name: Naming = Field(description="of the board")
    kind: BoardKind = Field(
        "square",
        description="`square` (the default), `hex`, or without cells `graph`, `ring`, `track`",
    )
    face: str = Field("board", description="its face style, by default `board`")
    certainty: Certainty = Field("stated", description="`invented` for boards of one's own")
    square_mm: Length = Field(30, description="the side of a square on paper")
    joint: bool = Field(False, description="it joins two boards: it fills their notches")
    shifts: Shifts = Field(
        "columns",
        description="of hexes: every other of the `columns` or `rows` is shifted by half a cell",
    )
    legend: dict[str, Word] = Field(
        default={},
        examples=[{".": "plain", "#": "none"}],
        description="letter → terrain; `none` is a hole",
    )
    rows: list[str] = Field(
        default=[],
        max_length=100,
        description="a line of cells, each a letter and an elevation: `0 1 2`, `-` for −1",
    )
    grid: tuple[Side100, Side100] | None = Field(
        default=None,
        examples=[[3, 5]],
        description="instead of rows, a plain grid: `[columns, rows]`",
    )
    texts: dict[str, str] = Field(
        default={},
        examples=[{"1,1": "text"}],
        description='`"column,row"` → what stands in that cell',
    )
    size: tuple[Side100, Side100] | None = Field(
        default=None, examples=[[8, 6]], description="of a board without cells, in squares"
    )
    spaces: list[Annotated[SpaceShape, BeforeValidator(_named)]] = Field(
        default=[], max_length=500, description="of a board without cells, in order"
    )
    links: list[Annotated[LinkShape, BeforeValidator(_joined_two)]] = Field(
        default=[], max_length=2000, description="the lines between spaces"
    )
    per_row: Whole = Field(0, description="of a track: spaces beside one another")
    colours: dict[str, Colour] = Field({}, description="terrain or zone → `#rrggbb`")
    starts: dict[str, list[tuple[Ordinal, Ordinal]]] = Field(
        {}, description="side → `[column, row]`, counted from 1"
    )
    notches: dict[Literal["left", "right"], list[tuple[Ordinal, Ordinal]]] = Field(
        {}, description="`left`, `right` → the squares missing there"
    )


class ItemShape(Shape):
    """One thing of a layout."""

    lay: Literal[
        "mat", "board", "stack", "stacks", "cards", "sheet", "pawn", "piece", "dice", "note",
        "notes", "rulings",
    ] = Field(description="what it is")  # fmt: skip
    at: Place = Field(
        default=(0, 0),
        examples=[[0, 0]],
        description="the place of its upper left corner; `start` is the seat's start square",
    )
    on: tuple[Word, Word] | None = Field(
        default=None,
        examples=[["map", "a"]],
        description="a board and a space on it: it stands in its middle, moved by `at`",
    )
    name: str = Field(
        "", description="of the object; in `stacks` also `${count}` and the fields of the card"
    )
    size: Size | None = Field(None, description="width and depth")
    face: str = Field("", description="face style")
    back: str = Field("", description="face style of the other side")
    face_down: bool = Field(
        False, description="they lie face down; only such are shuffled by `--shuffle`"
    )
    cards: SelectionShape | None = Field(None, description="which cards")
    by: list[Word] = Field(
        [], description="fields: `stacks` makes a stack of all cards that agree in them"
    )
    step: Pair = Field((0, 0), description="from one to the next of several")
    per_row: Whole = Field(0, description="so many beside one another, then below")
    sliders: dict[str, Word] = Field(
        {}, description="label → figure, or `current/maximum`, as a slider"
    )
    shows: dict[str, Word] = Field({}, description="label → figure or text")
    palette: str = Field("", description="the chat palette")
    card_lines: str = Field("", description="a line of the palette for every one of `cards`")
    values: dict[str, Free] = Field({}, description="what the template gets besides")
    board: str = Field("", description="the board that is laid")
    square: Length = Field(2, description="the units of its squares")
    sides: list[Word] = Field(default=[], max_length=100, description="the names of a die's faces")
    up: str = Field("", description="the one that lies up")
    count: Ordinal = Field(1, description="how many of it")
    notes: list[Word] = Field([], description="ids of notes")
    title: str = Field("", description="of a note")
    text: str = Field("", description="of a note; it also explains a stack")
    fontsize: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = Field(
        5, description="of a note"
    )
    rotate: Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)] = Field(
        0, description="degrees"
    )


class LayoutShape(Shape):
    """An entry of layouts.yaml."""

    size: Size = Field(examples=[[18, 9]], description="the area it takes: `[18, 11]`")
    items: list[ItemShape] = Field([], description="the things in it")


class SeatShape(Shape):
    """A seat of a room."""

    name: Word = Field(description="as players read it")
    layout: Word = Field(description="what is laid there")
    team: str = Field("", description="of the player")
    mech: str = Field("", description="who sits there unless `--mech` says otherwise")
    variant: str = Field("", description="which of its loadouts")
    start: tuple[Word, Ordinal] | None = Field(
        default=None, examples=[["south", 2]], description="`[side, number]`: the start square"
    )
    number: Whole = Field(0, description="of the player")
    rotate: Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)] = Field(
        0, description="degrees"
    )
    values: dict[str, str] = Field({}, description="word → text, for `${…}`")


class TabShape(Shape):
    """A chat tab."""

    name: Word = Field(description="of the tab")
    messages: list[str] = Field([], description="what stands in it to begin with")


Side: TypeAlias = Literal["top", "left", "centre", "right", "bottom"]


class RoomShape(Shape):
    """A file of rooms/.

    With ``variants`` it stands for several rooms: each has the id of its entry, whose keys replace
    those of the file.
    """

    id: Id = Field(description="of the room; it names the zip")
    name: Naming = Field(description="of the room")
    players: tuple[Ordinal, Ordinal] = Field(examples=[[2, 2]], description="least and most")
    seats: dict[Id, SeatShape] = Field({}, description="id → seat")
    boards: list[Word] = Field([], description="ids from left to right")
    arrange: dict[Side, list[Word]] = Field(
        {},
        description="side → seats, layouts and `board`, which is the composed board",
    )
    gap: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] = Field(
        1, description="units between them"
    )
    square: Length = Field(2, description="units of a square of the board")
    level: Length = Field(0.5, description="units of height for each step of elevation")
    table: str = Field("", description="the table's name")
    surface: str = Field("", description="the face style of the table itself")
    grid: Literal["", "none", "square", "hex columns", "hex rows"] = Field(
        "", description="the client's grid; by default what fits the boards"
    )
    values: dict[str, str] = Field({}, description="word → text, for `${…}`")
    variants: dict[Id, Any] = Field(
        {}, description="id → keys that replace those of the file: each makes a room of its own"
    )
    chat: list[TabShape] = Field([], description="the chat's tabs")
    inventory: list[Word] = Field([], description="the columns of the client's inventory")
    certainty: Certainty = Field("stated", description="of the plan")
