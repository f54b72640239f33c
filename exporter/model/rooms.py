"""Rooms: layouts, seats and the plans that put them together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from exporter.model.boards import board_id
from exporter.model.deals import Deal
from exporter.model.mats import Place
from exporter.model.selections import Selection
from exporter.schema.places import Reference
from exporter.schema.shape import (
    TEXT,
    Certainty,
    Count,
    Doc,
    Free,
    Id,
    Inner,
    Length,
    Naming,
    Ordinal,
    OwnKey,
    Pair,
    Record,
    Ref,
    Short,
    Size,
    Whole,
    Word,
)

TableSide: TypeAlias = Literal["top", "left", "centre", "right", "bottom", "front"]


def _one_part(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class Line(Struct, frozen=True):
    """Lines of a note that are not the same on the table and on paper."""

    table: Annotated[str, Doc("for the notes of rooms, where people click")] = ""
    paper: Annotated[str, Doc("for leaflets, where they have cards in hand")] = ""


class Note(Record, frozen=True, kw_only=True):
    """A page of text, such as a part of the quick start."""

    id: Annotated[Id, Doc("by which layouts and sheets name it")]
    title: Annotated[Word, Doc("of the note")]
    lines: Annotated[
        Annotated[tuple[str | Line, ...], Short(_one_part, TEXT)],
        Doc(
            "up to 12 lines of 26 characters can be read on the table; a text, or a "
            "list whose entries are for table and paper alike, or `{table: …, paper: …}`",
            "[山札は24枚。, {table: 右クリックで混ぜる。, paper: よく混ぜる。}]",
        ),
    ] = field(name="text")
    sample: Annotated[bool, Doc("it is of samples, and goes where they are left out")] = False

    @property
    def text(self) -> str:
        """As it reads on the table."""
        return self._reads("table")

    @property
    def paper(self) -> str:
        """As it reads on paper."""
        return self._reads("paper")

    def _reads(self, medium: Literal["table", "paper"]) -> str:
        texts = [one if isinstance(one, str) else getattr(one, medium) for one in self.lines]
        return "\n".join(
            text for text, one in zip(texts, self.lines, strict=True) if text or one == ""
        )


class Item(Record, frozen=True, kw_only=True):
    """One thing of a layout; positions and sizes are in units from the layout's corner."""

    lay: Annotated[Literal[
        "mat", "board", "stack", "stacks", "pile", "cards", "frames", "sheet", "blank", "pawn",
        "piece", "dice", "note", "notes", "rulings",
    ], Doc(
        "what it is; a `pile` is an empty stack that cards are dropped on, `frames` a stack of "
        "cards for every frame, `blank` a flat card that shows a style of its `values` alone"
    )]  # fmt: skip
    at: Annotated[
        Pair | Literal["start"],
        Doc("the place of its upper left corner; `start` is the seat's start square", [0, 0]),
    ] = (0, 0)
    on: Annotated[
        tuple[Word, Word] | None,
        Doc("a board and a space on it: it stands in its middle, moved by `at`", ["map", "a"]),
    ] = None
    name: Annotated[
        str,
        Doc(
            "of the object, by default of a board its own; in `stacks` also `${count}` "
            "and the fields of the card"
        ),
    ] = ""
    size: Annotated[Size | None, Doc("width and depth")] = None
    face: Annotated[
        str, Ref("face"), Doc("face style; by default `mat`, `sheet`, `pawn` or `die`")
    ] = ""
    back: Annotated[str, Ref("face"), Doc("face style of the other side")] = ""
    face_down: Annotated[bool, Doc("they lie face down; only such are shuffled by `--shuffle`")] = (
        False
    )
    draws_to: Annotated[
        str,
        Doc(
            "of a stack that people draw from: the zone of this layout where the client puts a "
            "drawn card, or `table`",
            "手札",
        ),
    ] = ""
    store: Annotated[
        bool, Doc("of a stack that is kept for later: its sheet says how a card is taken out")
    ] = False
    deal: Annotated[
        tuple[Deal, ...],
        Doc(
            "of a stack: what it deals with `--shuffle`; without it all stays in the stack",
            [{"each": "5"}],
        ),
    ] = ()
    leftover: Annotated[
        str, Doc("the zone with a pile for what is left when it has dealt; by default it stays")
    ] = ""
    zones: Annotated[
        Mapping[Word, Place],
        Doc("of a mat: name → `[x, y, width, height]`, or with more to say `{at: […], for: hand}`"),
    ] = {}
    cards: Annotated[Selection | None, Doc("which cards")] = None
    by: Annotated[
        tuple[Word, ...],
        Doc("fields: `stacks` makes a stack of all cards that agree in them"),
    ] = ()
    step: Annotated[Pair, Doc("from one to the next of several")] = (0, 0)
    per_row: Annotated[Whole, Doc("so many beside one another, then below")] = 0
    sliders: Annotated[
        Mapping[str, Word], Doc("label → figure, or `current/maximum`, as a slider")
    ] = {}
    shows: Annotated[Mapping[str, Word], Doc("label → figure or text")] = {}
    asks: Annotated[
        Mapping[Word, Literal["name", "pilot"]],
        Doc(
            "of a piece: fields that people fill in, label → what it is of the build that lies on "
            "the mat of this layout; that of a `pilot` is called like the zone of the skills"
        ),
    ] = {}
    palette: Annotated[str, Doc("the chat palette")] = ""
    card_lines: Annotated[
        Annotated[tuple[str, ...], Short(_one_part, TEXT)],
        Doc(
            "a line of the palette for every one of `cards`, in parts: one whose "
            "`${…}` is empty or a dash is left out"
        ),
    ] = ()
    skill_lines: Annotated[
        Annotated[tuple[str, ...], Short(_one_part, TEXT)],
        Doc("the same for every skill of the mech's pilots; `${pilot}` is who has it"),
    ] = ()
    values: Annotated[Mapping[str, Free], Doc("what the template gets besides")] = {}
    board: Annotated[str, Doc("the board that is laid")] = ""
    square: Annotated[Length, Doc("the units of its squares")] = 2
    loose: Annotated[
        bool, Doc("of a board: it is one flat piece, which people move, turn and join themselves")
    ] = False
    sides: Annotated[tuple[Word, ...], Meta(max_length=100), Doc("the names of a die's faces")] = ()
    up: Annotated[str, Doc("the one that lies up")] = ""
    count: Annotated[Count, Doc("how many of it; `${index}` in their names counts them")] = 1
    notes: Annotated[tuple[Annotated[Word, Ref("note")], ...], Doc("ids of notes")] = ()
    title: Annotated[str, Doc("of a note")] = ""
    text: Annotated[str, Doc("of a note; it also explains a stack")] = ""
    fontsize: Annotated[float, Meta(ge=0.1, le=100), Doc("of the letters of a note")] = 5
    rotate: Annotated[float, Meta(ge=-360, le=360), Doc("degrees")] = 0

    def refers(self) -> Iterator[Reference]:
        """Boards and figures, unless they are still to be filled in, and fields of its cards."""
        for key, name in (("board", self.board), ("on", self.on[0] if self.on else "")):
            if "$" not in name:
                yield Reference("board", name, self.place(key))
        for group in ("sliders", "shows"):
            for label, figure in getattr(self, group).items():
                if "$" not in figure and "/" not in figure and not figure.isdecimal():
                    yield Reference("figure", figure, self.place(group, label))
        sort = self.cards.field_sort if self.cards else "field"
        for index, name in enumerate(self.by):
            yield Reference(sort, name, self.place("by", index))


class Layout(Record, frozen=True, kw_only=True):
    """Things that lie together; seats and supplies are layouts."""

    id: OwnKey
    size: Annotated[Size, Doc("the area it takes: `[18, 11]`", [18, 9])]
    items: Annotated[tuple[Item, ...], Doc("the things in it")] = ()


class Seat(Record, frozen=True, kw_only=True):
    """A seat of a room: a layout, and the mech that sits there by default."""

    id: OwnKey
    name: Annotated[Word, Doc("as players read it")]
    layout: Annotated[Word, Ref("layout"), Doc("what is laid there")]
    team: Annotated[str, Ref("team"), Doc("of the player")] = ""
    mech: Annotated[str, Ref("mech"), Doc("who sits there unless `--mech` says otherwise")] = ""
    variant: Annotated[str, Ref("variant"), Doc("which of its loadouts")] = ""
    start: Annotated[
        tuple[Word, Ordinal] | None,
        Doc("`[side, number]`: the start square", ["south", 2]),
    ] = None
    number: Annotated[Whole, Doc("the player's number")] = 0
    rotate: Annotated[float, Meta(ge=-360, le=360), Doc("degrees")] = 0
    values: Annotated[Mapping[str, str], Doc("word → text, for `${…}`")] = {}
    edition: Annotated[
        str, Ref("edition"), Doc("it is there only where this box is owned (`--boxes`)")
    ] = ""
    bay: Annotated[str, Inner()] = ""
    """The mech that it follows from."""


BAYS = "bays"
"""The word in a plan's ``arrange`` for the seats that follow from mechs, also with a variant
behind a colon."""


class Bays(Record, frozen=True, kw_only=True):
    """Seats that follow from the mechs there are: `bays` in `arrange` stands for all of them."""

    editions: Annotated[
        tuple[Annotated[Word, Ref("edition")], ...],
        Doc("the mechs of these boxes; by default all there are", ["base"]),
    ] = ()
    layout: Annotated[Word, Ref("layout"), Doc("what is laid for a mech")]
    unpublished: Annotated[
        str,
        Ref("layout"),
        Doc(
            "what is laid for a mech of which nobody published a loadout; its texts may say "
            "`${mech}`, `${code}` and `${note}`. Without it, such a mech has no place"
        ),
    ] = ""


class Tab(Record, frozen=True, kw_only=True):
    """A chat tab."""

    name: Annotated[Word, Doc("of the tab")]
    messages: Annotated[tuple[str, ...], Doc("what stands in it to begin with")] = ()


class RoomPlan(Record, frozen=True, kw_only=True):
    """A file of rooms/.

    With ``variants`` it stands for several rooms: each has the id of its entry, whose keys replace
    those of the file.
    """

    id: Annotated[Id, Doc("of the room; it names the zip")]
    name: Annotated[Naming, Doc("of the room")]
    players: Annotated[tuple[Count, Count], Doc("least and most", [2, 2])]
    seats_by_id: Annotated[Mapping[Id, Seat], Doc("id → seat")] = field(
        default_factory=dict, name="seats"
    )
    bays: Annotated[
        Bays | None,
        Doc("a seat for every mech of some boxes: `{editions: [base], layout: bay}`"),
    ] = None
    boards: Annotated[
        tuple[Word, ...],
        Doc(
            "ids from left to right; `A@180` is turned, `/C` begins a row below",
            ["A@180", "J2", "B", "/C"],
        ),
    ] = ()
    maps: Annotated[
        Mapping[Word, tuple[Word, ...]],
        Doc(
            "name → ids of boards: a table for each, of which people choose one while they play; "
            "instead of `boards`",
            {"荒野": ["A"], "荒野と市街": ["A", "B"]},
        ),
    ] = {}
    arrange: Annotated[
        Mapping[TableSide, tuple[Word, ...]],
        Doc(
            "side → seats, layouts, `board`, which is the composed board, and `bays`, or "
            "`bays:VARIANT`, each mech with that loadout; `front` is a second row below `bottom`"
        ),
    ] = {}
    opens_on: Annotated[
        str,
        Doc(
            "what is seen first: `board`, `seat` (the first one), `rack` (the first of the bays), "
            "or a seat or layout of `arrange`; bare table is added for it"
        ),
    ] = ""
    on_request: Annotated[
        bool, Doc("it is built only where it is named, as others hold the same: `--room ID`")
    ] = False
    partly_seen: Annotated[
        str, Doc("why less of it is in sight than should be: then nothing is told of that")
    ] = ""
    gap: Annotated[float, Meta(ge=0, le=100), Doc("units between them")] = 1
    row: Annotated[
        float, Meta(ge=1, le=98), Doc("units that a row takes at most; what is more lies below")
    ] = 98
    square: Annotated[Length, Doc("units of a square of the board")] = 2
    level: Annotated[Length, Doc("units of height for each step of elevation")] = 0.5
    table: Annotated[str, Doc("the table's name")] = ""
    surface: Annotated[str, Ref("face"), Doc("the face style of the table itself")] = ""
    grid: Annotated[
        Literal["", "none", "square", "hex columns", "hex rows"],
        Doc("the client's grid; by default what fits the boards"),
    ] = ""
    values: Annotated[Mapping[str, str], Doc("word → text, for `${…}`")] = {}
    variants: Annotated[
        Mapping[Id, Any],
        Doc("id → keys that replace those of the file: each makes a room of its own"),
    ] = {}
    chat: Annotated[tuple[Tab, ...], Doc("the chat's tabs")] = ()
    inventory: Annotated[tuple[Word, ...], Doc("the columns of the client's inventory")] = ()
    certainty: Annotated[Certainty, Doc("of the plan")] = "stated"

    def refers(self) -> Iterator[Reference]:
        """Boards, however they are turned."""
        for index, part in enumerate(self.boards):
            yield Reference("board", board_id(part), self.place("boards", index))
        for name, parts in self.maps.items():
            for index, part in enumerate(parts):
                yield Reference("board", board_id(part), self.place("maps", name, index))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in their order."""
        return tuple(self.seats_by_id.values())
