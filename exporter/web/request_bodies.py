"""What the pages send: a room with who sits in it, a build to judge, a text to read."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from exporter.app.drafts import (
    Draft,
    Line,
    Lines,
    entry_of,
)
from exporter.model import Build
from exporter.model.print_jobs import PrintOrder
from exporter.rooms.room_orders import RoomOrder
from exporter.web.requests import as_form

if TYPE_CHECKING:
    from exporter.app.face_pictures import OwnPicture


class FacesRequest(Struct, frozen=True):
    """Faces that a page will show next, the first first."""

    keys: Annotated[tuple[Line, ...], Meta(max_length=100)]


class HandedPicture(Struct, frozen=True):
    """A picture that was handed over: the key that it was given, and the name of its file."""

    key: Line
    name: Line


class Seats(Struct, frozen=True, kw_only=True):
    """A room, what sits in its seats, ``CODE:VARIANT`` or a draft, and pictures for them."""

    room: Line
    mechs: Annotated[Mapping[Line, Line | Draft], Meta(max_length=100)] = {}
    pictures: Annotated[Mapping[Line, HandedPicture], Meta(max_length=100)] = {}


def room_order(body: Any, seats: Seats, handed: Mapping[str, OwnPicture]) -> RoomOrder:
    """Fill the order of a room with a body; ``handed`` are pictures by their keys."""
    mechs = {seat: _build(who) for seat, who in seats.mechs.items() if who}
    pictures = {seat: handed[one.key] for seat, one in seats.pictures.items()}
    filled = {**body, "rooms": [seats.room], "mechs": mechs, "pictures": pictures}
    return as_form(filled, RoomOrder)


def room_command(game: str, order: RoomOrder, seats: Seats) -> str:
    """Return the command line that makes the zip of an order."""
    words = ["exporter", "build", game, "--room", seats.room]
    for seat, who in order.mechs.items():
        option, name = _option(who, seat)
        words += [option, f"{seat}={name}"]
    for seat, picture in seats.pictures.items():
        words += ["--picture", f"{seat}={picture.name}"]
    words += ["--board", "+".join(order.boards).replace("+/", "/")] if order.boards else []
    words += ["--boxes", ",".join(order.boxes)] if order.boxes else []
    words += ["--shuffle", order.shuffle] if order.shuffle else []
    return shlex.join(words)


class Printed(Struct, frozen=True, kw_only=True):
    """Whose sheets are printed, ``CODE:VARIANT`` or drafts, and the gap on all sides."""

    mechs: Annotated[tuple[Line | Draft, ...], Meta(max_length=100)] = ()
    gap: float | None = None


def print_order(body: Any, printed: Printed) -> PrintOrder:
    """Fill the order of sheets with a body, in which what is empty is as jobs have it."""
    filled = {name: value for name, value in body.items() if value not in ("", None)}
    filled["builds"] = [_build(who) for who in printed.mechs]
    if printed.gap is not None:
        filled["gap"] = [printed.gap, printed.gap]
    return as_form(filled, PrintOrder)


def print_command(game: str, order: PrintOrder) -> str:
    """Return the command line that makes the files of an order."""
    words = ["exporter", "print", game]
    for sheet in order.sheets:
        words += ["--sheet", sheet]
    for who in order.builds:
        words += _option(who, "build")
    for option in ("preset", "paper", "cut", "backs", "bleed", "gap"):
        value = getattr(order, option)
        value = value[0] if isinstance(value, tuple) else value
        said = f"{value:g}" if isinstance(value, float) else value
        words += [f"--{option}", said] if said not in ("", None) else []
    for option, names in (("--only", order.only), ("--boxes", order.boxes)):
        words += [option, ",".join(names)] if names else []
    words += ["--saving"] if order.saving else []
    words += [] if order.samples else ["--without-samples"]
    return shlex.join(words)


def _build(who: str | Draft) -> str | Build:
    return entry_of(who) if isinstance(who, Draft) else who


def _option(who: str | Build, other: str) -> tuple[str, str]:
    """The option for a build, and the file that it is in; ``other`` for one without a name."""
    if isinstance(who, str):
        return "--mech", who
    return "--deck" if who.decks else "--mech", f"{who.name or other}.yaml"


class LooseRequest(Struct, frozen=True):
    """One thing to drop into a running room: a name, or a build of somebody's own."""

    thing: Line | Draft


class ImagesRequest(Struct, frozen=True):
    """All pictures of a game: WebP where that is smaller, or PNG alone."""

    png: bool = False


Players = Annotated[int, Meta(ge=1, le=12)]


class NewGameRequest(Struct, frozen=True, kw_only=True):
    """A new game: its id, and what it is made of.

    What was ``handed`` over is in a tray of that name. An empty ``place`` is the usual one.
    """

    id: Line
    name: Line = ""
    of: Literal["table", "pictures", "game", "empty"]
    handed: Line = ""
    like: Line = ""
    players: tuple[Players, Players] | None = None
    board: Literal["square", "hex", "graph", "ring", "track", "none"] = "none"
    place: Annotated[str, Meta(max_length=1000)] = ""


class FolderRequest(Struct, frozen=True):
    """A folder of this machine, with a game in it."""

    path: Annotated[str, Meta(max_length=1000)]


class BuildRequest(Struct, frozen=True, kw_only=True):
    """A build to judge: under which regulation, with which boxes."""

    draft: Draft
    regulation: Line = ""
    boxes: Lines = ()
    what: Line = ""


class CompareRequest(Struct, frozen=True):
    """Builds side by side."""

    drafts: Annotated[tuple[Draft, ...], Meta(max_length=6)]


class DraftsRequest(Struct, frozen=True):
    """All drafts of a browser."""

    drafts: Annotated[tuple[Draft, ...], Meta(max_length=1000)]


class OddsRequest(Struct, frozen=True, kw_only=True):
    """A deck of a draft, of which ``hand`` cards are drawn first and ``turn`` in each turn.

    What is left out is as the game says.
    """

    draft: Draft
    deck: Line
    hand: Annotated[int, Meta(ge=0, le=999)] | None = None
    turn: Annotated[int, Meta(ge=0, le=999)] | None = None


class TextRequest(Struct, frozen=True):
    """A text with builds, the name of the file it is from, and those of pictures beside it."""

    text: Annotated[str, Meta(max_length=250_000)]
    name: Line = "build.yaml"
    beside: Lines = ()
