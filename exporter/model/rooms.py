"""Rooms: boards, layouts, seats and the plans that put them together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from exporter.model.cards import Name
from exporter.problems import Where


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A square of a board; ``terrain`` of ``none`` is a hole."""

    column: int
    row: int
    terrain: str
    elevation: int = 0


@dataclass(frozen=True, kw_only=True)
class Board:
    """A map board or a joint part. ``cells`` hold what exists; columns and rows count from 0.

    ``starts`` are the start squares by side, ``notches`` the squares missing at ``left`` and
    ``right`` which a joint may fill. ``square_mm`` is the true size of a square on paper.
    """

    id: str
    name: Name
    columns: int
    rows: int
    cells: tuple[Cell, ...]
    starts: Mapping[str, tuple[tuple[int, int], ...]]
    notches: Mapping[str, tuple[tuple[int, int], ...]]
    joint: bool = False
    square_mm: float = 30
    certainty: str = "stated"
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Note:
    """A page of text for the table, such as a part of the quick start."""

    id: str
    title: str
    text: str
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which cards: of the seat's own deck, by kind and field values, or one by one.

    ``copies`` is a number, or the name of the field that holds it. ``used_by`` names a field that
    lists other cards: only cards are laid that one of the room's own cards has need of.
    """

    deck: bool = False
    kind: str = ""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    copies: str = "1"
    used_by: str = ""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing that a layout lays; positions and sizes in units from the layout's corner.

    ``lay`` says what: ``mat`` ``stack`` ``stacks`` ``cards`` ``sheet`` ``pawn`` ``piece`` ``note``
    ``notes`` ``rulings``. The other fields hold what that needs (``docs/data.md``).
    """

    lay: str
    at: tuple[float, float] | str
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
    card_lines: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    title: str = ""
    text: str = ""
    fontsize: float = 5
    rotate: float = 0
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Things that lie together, on an area of ``size`` units; seats and supplies are layouts."""

    id: str
    size: tuple[float, float]
    items: tuple[Item, ...]
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A player's place: the layout laid there, and the mech that sits in it by default."""

    id: str
    name: str
    layout: str
    team: str = ""
    mech: str = ""
    variant: str = ""
    start: tuple[str, int] | None = None
    number: int = 0
    rotate: float = 0
    where: Where = Where()
    places: Mapping[str, Where] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, kw_only=True)
class Tab:
    """A chat tab with its opening messages."""

    name: str
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RoomPlan:
    """What a room holds. ``arrange`` puts seats, layouts and ``board`` at the sides of the centre.

    Blocks at ``left`` and ``right`` stand under one another, those at ``top``, ``centre`` and
    ``bottom`` side by side, ``gap`` units apart; the table is as large as they need, and shows the
    face style ``surface`` where there is one.
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
    chat: tuple[Tab, ...] = ()
    inventory: tuple[str, ...] = ()
    certainty: str = "stated"
    where: Where = Where()
