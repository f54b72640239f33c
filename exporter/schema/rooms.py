"""The shape of what lies on the table: ``boards/``, ``layouts.yaml`` and ``rooms/``."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from exporter.model import BoardKind, Shifts
from exporter.schema.shape import (
    TEXT,
    TEXTS,
    Certainty,
    Count,
    Free,
    Id,
    Length,
    Naming,
    Ordinal,
    Pair,
    Shape,
    Short,
    Size,
    Whole,
    Word,
)
from exporter.schema.things import SelectionShape


def _named(value: Any) -> Any:
    return {"id": value} if isinstance(value, str) else value


def _alone(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


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
Place: TypeAlias = Pair | Literal["start"]


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


class ItemShape(Shape):
    """One thing of a layout."""

    lay: Annotated[Literal[
        "mat", "board", "stack", "stacks", "cards", "sheet", "pawn", "piece", "dice", "note",
        "notes", "rulings",
    ], Meta(description="what it is")]  # fmt: skip
    at: Annotated[
        Place,
        Meta(
            examples=[[0, 0]],
            description="the place of its upper left corner; `start` is the seat's start square",
        ),
    ] = (0, 0)
    on: Annotated[
        tuple[Word, Word] | None,
        Meta(
            examples=[["map", "a"]],
            description="a board and a space on it: it stands in its middle, moved by `at`",
        ),
    ] = None
    name: Annotated[
        str,
        Meta(
            description="of the object, by default of a board its own; in `stacks` also `${count}` "
            "and the fields of the card"
        ),
    ] = ""
    size: Annotated[Size | None, Meta(description="width and depth")] = None
    face: Annotated[
        str, Meta(description="face style; by default `mat`, `sheet`, `pawn` or `die`")
    ] = ""
    back: Annotated[str, Meta(description="face style of the other side")] = ""
    face_down: Annotated[
        bool, Meta(description="they lie face down; only such are shuffled by `--shuffle`")
    ] = False
    cards: Annotated[SelectionShape | None, Meta(description="which cards")] = None
    by: Annotated[
        list[Word],
        Meta(description="fields: `stacks` makes a stack of all cards that agree in them"),
    ] = []
    step: Annotated[Pair, Meta(description="from one to the next of several")] = (0, 0)
    per_row: Annotated[Whole, Meta(description="so many beside one another, then below")] = 0
    sliders: Annotated[
        dict[str, Word], Meta(description="label → figure, or `current/maximum`, as a slider")
    ] = {}
    shows: Annotated[dict[str, Word], Meta(description="label → figure or text")] = {}
    palette: Annotated[str, Meta(description="the chat palette")] = ""
    card_lines: Annotated[
        Annotated[list[str], Short(_alone, TEXT)],
        Meta(
            description="a line of the palette for every one of `cards`, in parts: one whose "
            "`${…}` is empty or a dash is left out"
        ),
    ] = []
    values: Annotated[dict[str, Free], Meta(description="what the template gets besides")] = {}
    board: Annotated[str, Meta(description="the board that is laid")] = ""
    square: Annotated[Length, Meta(description="the units of its squares")] = 2
    sides: Annotated[
        list[Word], Meta(max_length=100, description="the names of a die's faces")
    ] = []
    up: Annotated[str, Meta(description="the one that lies up")] = ""
    count: Annotated[
        Count, Meta(description="how many of it; `${index}` in their names counts them")
    ] = 1
    notes: Annotated[list[Word], Meta(description="ids of notes")] = []
    title: Annotated[str, Meta(description="of a note")] = ""
    text: Annotated[str, Meta(description="of a note; it also explains a stack")] = ""
    fontsize: Annotated[float, Meta(ge=0.1, le=100, description="of a note")] = 5
    rotate: Annotated[float, Meta(ge=-360, le=360, description="degrees")] = 0


class LayoutShape(Shape):
    """An entry of layouts.yaml."""

    size: Annotated[Size, Meta(examples=[[18, 9]], description="the area it takes: `[18, 11]`")]
    items: Annotated[list[ItemShape], Meta(description="the things in it")] = []


class SeatShape(Shape):
    """A seat of a room."""

    name: Annotated[Word, Meta(description="as players read it")]
    layout: Annotated[Word, Meta(description="what is laid there")]
    team: Annotated[str, Meta(description="of the player")] = ""
    mech: Annotated[str, Meta(description="who sits there unless `--mech` says otherwise")] = ""
    variant: Annotated[str, Meta(description="which of its loadouts")] = ""
    start: Annotated[
        tuple[Word, Ordinal] | None,
        Meta(examples=[["south", 2]], description="`[side, number]`: the start square"),
    ] = None
    number: Annotated[Whole, Meta(description="of the player")] = 0
    rotate: Annotated[float, Meta(ge=-360, le=360, description="degrees")] = 0
    values: Annotated[dict[str, str], Meta(description="word → text, for `${…}`")] = {}


class TabShape(Shape):
    """A chat tab."""

    name: Annotated[Word, Meta(description="of the tab")]
    messages: Annotated[list[str], Meta(description="what stands in it to begin with")] = []


Side: TypeAlias = Literal["top", "left", "centre", "right", "bottom"]


class RoomShape(Shape):
    """A file of rooms/.

    With ``variants`` it stands for several rooms: each has the id of its entry, whose keys replace
    those of the file.
    """

    id: Annotated[Id, Meta(description="of the room; it names the zip")]
    name: Annotated[Naming, Meta(description="of the room")]
    players: Annotated[tuple[Count, Count], Meta(examples=[[2, 2]], description="least and most")]
    seats: Annotated[dict[Id, SeatShape], Meta(description="id → seat")] = {}
    boards: Annotated[list[Word], Meta(description="ids from left to right")] = []
    arrange: Annotated[
        dict[Side, list[Word]],
        Meta(description="side → seats, layouts and `board`, which is the composed board"),
    ] = {}
    gap: Annotated[float, Meta(ge=0, le=100, description="units between them")] = 1
    square: Annotated[Length, Meta(description="units of a square of the board")] = 2
    level: Annotated[Length, Meta(description="units of height for each step of elevation")] = 0.5
    table: Annotated[str, Meta(description="the table's name")] = ""
    surface: Annotated[str, Meta(description="the face style of the table itself")] = ""
    grid: Annotated[
        Literal["", "none", "square", "hex columns", "hex rows"],
        Meta(description="the client's grid; by default what fits the boards"),
    ] = ""
    values: Annotated[dict[str, str], Meta(description="word → text, for `${…}`")] = {}
    variants: Annotated[
        dict[Id, Any],
        Meta(description="id → keys that replace those of the file: each makes a room of its own"),
    ] = {}
    chat: Annotated[list[TabShape], Meta(description="the chat's tabs")] = []
    inventory: Annotated[list[Word], Meta(description="the columns of the client's inventory")] = []
    certainty: Annotated[Certainty, Meta(description="of the plan")] = "stated"
