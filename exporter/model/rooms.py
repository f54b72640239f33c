"""Rooms: layouts, seats and the plans that put them together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Struct, field

from exporter.problems import Where
from exporter.schema.shape import TEXT, Doc, Id, Name, Record, Short, Word

OWN_DECK = "own"
"""Stands for the deck of the mech in the seat."""

MAT_SIZE = (2.0, 2.0)
"""Width and depth in units of a mat that says none."""


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


class Selection(Struct, frozen=True, kw_only=True):
    """Which cards: of a deck, by kind and field values, or one by one.

    ``deck`` names a printed deck, or is ``OWN_DECK``. ``listed`` is a card
    and its field that lists others. ``copies`` is a number, or the name of the field that holds it.
    ``used_by`` names a field that lists other cards: only cards are laid that one of the room's own
    cards has need of.
    """

    deck: str = ""
    kind: str = ""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    copies: str = "1"
    used_by: str = ""


class Item(Struct, frozen=True, kw_only=True):
    """One thing that a layout lays; positions and sizes in units from the layout's corner.

    ``lay`` says what: ``mat`` ``board`` ``stack`` ``stacks`` ``cards`` ``sheet`` ``pawn`` ``piece``
    ``dice`` ``note`` ``notes`` ``rulings``. The other fields hold what that needs
    (``docs/data.md``). ``on`` is a board of the room and a space on it: the thing stands in its
    middle, moved by ``at``. ``blanks`` are the places of texts among ``values`` that hold ``${…}``.
    """

    lay: str
    at: tuple[float, float] | str = (0, 0)
    on: tuple[str, str] | None = None
    name: str = ""
    size: tuple[float, float] | None = None
    face: str = ""
    back: str = ""
    face_down: bool = False
    cards: Selection | None = None
    by: tuple[str, ...] = ()
    step: tuple[float, float] = (0, 0)
    per_row: int = 0
    sliders: Mapping[str, str] = field(default_factory=dict)
    shows: Mapping[str, str] = field(default_factory=dict)
    palette: str = ""
    card_lines: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    board: str = ""
    square: float = 2
    sides: tuple[str, ...] = ()
    up: str = ""
    count: int = 1
    notes: tuple[str, ...] = ()
    title: str = ""
    text: str = ""
    fontsize: float = 5
    rotate: float = 0
    blanks: Mapping[tuple[int | str, ...], Where] = field(default_factory=dict)
    where: Where = Where()


class Layout(Struct, frozen=True, kw_only=True):
    """Things that lie together, on an area of ``size`` units; seats and supplies are layouts."""

    id: str
    size: tuple[float, float]
    items: tuple[Item, ...]
    where: Where = Where()


class Seat(Struct, frozen=True, kw_only=True):
    """A player's place: the layout laid there, and the mech that sits in it by default.

    ``values`` are words that the layout's texts may name as ``${…}``.
    """

    id: str
    name: str
    layout: str
    team: str = ""
    mech: str = ""
    variant: str = ""
    start: tuple[str, int] | None = None
    number: int = 0
    rotate: float = 0
    values: Mapping[str, str] = field(default_factory=dict)
    where: Where = Where()
    places: Mapping[str, Where] = field(default_factory=dict)


class Tab(Struct, frozen=True, kw_only=True):
    """A chat tab with its opening messages."""

    name: str
    messages: tuple[str, ...] = ()


class RoomPlan(Struct, frozen=True, kw_only=True):
    """What a room holds. ``arrange`` puts seats, layouts and ``board`` at the sides of the centre.

    Blocks at ``left`` and ``right`` stand under one another, those at ``top``, ``centre`` and
    ``bottom`` side by side, ``gap`` units apart; the table is as large as they need, and shows the
    face style ``surface`` where there is one. ``grid`` is the client's grid, empty for the one that
    fits the boards; ``values`` are words that layouts and chat may name as ``${…}``.
    """

    id: str
    name: Name
    players: tuple[int, int]
    seats: tuple[Seat, ...]
    boards: tuple[str, ...]
    arrange: Mapping[str, tuple[str, ...]]
    gap: float = 1
    square: float = 2
    level: float = 0.5
    table: str = ""
    surface: str = ""
    grid: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    chat: tuple[Tab, ...] = ()
    inventory: tuple[str, ...] = ()
    certainty: str = "stated"
    where: Where = Where()
