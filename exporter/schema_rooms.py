"""The shape of what lies on the table: ``boards/``, ``layouts.yaml`` and ``rooms/``."""

# ruff: noqa: RUF012  (pydantic copies each default)

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

    id: Word
    at: Pair | None = Field(default=None, examples=[[1.5, 2]])
    text: str | None = None
    zones: list[Word] = []
    start: str = ""
    size: Length = 1


class LinkShape(Shape):
    """A line between two spaces; ``[a, b]`` is short for one without a text."""

    between: tuple[Word, Word] = Field(examples=[["a", "b"]])
    text: str = ""
    dashed: bool = False


class BoardShape(Shape):
    """A file of boards/.

    A grid has ``rows`` (a line of cells, each a letter of the legend and an elevation), or a plain
    ``grid`` of so many columns and rows. Other kinds have ``spaces``: a graph with a ``size`` in
    squares and ``links``, a ring with a ``size``, a track with ``per_row`` spaces beside another.
    """

    id: Id
    name: Naming
    kind: BoardKind = "square"
    face: str = "board"
    certainty: Certainty = "stated"
    square_mm: Length = 30
    joint: bool = False
    shifts: Shifts = "columns"
    legend: dict[str, Word] = Field(default={}, examples=[{".": "plain", "#": "none"}])
    rows: list[str] = Field(default=[], max_length=100)
    grid: tuple[Side100, Side100] | None = Field(default=None, examples=[[3, 5]])
    texts: dict[str, str] = Field(default={}, examples=[{"1,1": "text"}])
    size: tuple[Side100, Side100] | None = Field(default=None, examples=[[8, 6]])
    spaces: list[Annotated[SpaceShape, BeforeValidator(_named)]] = Field(default=[], max_length=500)
    links: list[Annotated[LinkShape, BeforeValidator(_joined_two)]] = Field(
        default=[], max_length=2000
    )
    per_row: Whole = 0
    colours: dict[str, Colour] = {}
    starts: dict[str, list[tuple[Ordinal, Ordinal]]] = {}
    notches: dict[Literal["left", "right"], list[tuple[Ordinal, Ordinal]]] = {}


class ItemShape(Shape):
    """One thing of a layout."""

    lay: Literal[
        "mat", "board", "stack", "stacks", "cards", "sheet", "pawn", "piece", "dice", "note",
        "notes", "rulings",
    ]  # fmt: skip
    at: Place = Field(default=(0, 0), examples=[[0, 0]])
    on: tuple[Word, Word] | None = Field(default=None, examples=[["map", "a"]])
    name: str = ""
    size: Size | None = None
    face: str = ""
    back: str = ""
    face_down: bool = False
    cards: SelectionShape | None = None
    by: list[Word] = []
    step: Pair = (0, 0)
    per_row: Whole = 0
    sliders: dict[str, Word] = {}
    shows: dict[str, Word] = {}
    palette: str = ""
    card_lines: str = ""
    values: dict[str, Free] = {}
    board: str = ""
    square: Length = 2
    sides: list[Word] = Field(default=[], max_length=100)
    up: str = ""
    count: Ordinal = 1
    notes: list[Word] = []
    title: str = ""
    text: str = ""
    fontsize: Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)] = 5
    rotate: Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)] = 0


class LayoutShape(Shape):
    """An entry of layouts.yaml."""

    size: Size = Field(examples=[[18, 9]])
    items: list[ItemShape] = []


class SeatShape(Shape):
    """A seat of a room."""

    name: Word
    layout: Word
    team: str = ""
    mech: str = ""
    variant: str = ""
    start: tuple[Word, Ordinal] | None = Field(default=None, examples=[["south", 2]])
    number: Whole = 0
    rotate: Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)] = 0
    values: dict[str, str] = {}


class TabShape(Shape):
    """A chat tab."""

    name: Word
    messages: list[str] = []


Side: TypeAlias = Literal["top", "left", "centre", "right", "bottom"]


class RoomShape(Shape):
    """A file of rooms/.

    With ``variants`` it stands for several rooms: each has the id of its entry, whose keys replace
    those of the file.
    """

    id: Id
    name: Naming
    players: tuple[Ordinal, Ordinal] = Field(examples=[[2, 2]])
    seats: dict[Id, SeatShape] = {}
    boards: list[Word] = []
    arrange: dict[Side, list[Word]] = {}
    gap: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)] = 1
    square: Length = 2
    level: Length = 0.5
    table: str = ""
    surface: str = ""
    grid: Literal["", "none", "square", "hex columns", "hex rows"] = ""
    values: dict[str, str] = {}
    variants: dict[Id, Any] = {}
    chat: list[TabShape] = []
    inventory: list[Word] = []
    certainty: Certainty = "stated"
