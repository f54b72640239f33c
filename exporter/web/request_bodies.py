"""What the pages send: a room with who sits in it, a build to judge, a text to read."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, Struct, field

from exporter.app.drafts import (
    Draft,
    Line,
    Lines,
    entry_of,
)
from exporter.rooms.room_orders import RoomOrder

if TYPE_CHECKING:
    from exporter.app.face_pictures import OwnPicture
    from exporter.model.print_jobs import PrintOrder


class FacesWish(Struct, frozen=True):
    """Faces that a page will show next, the first first."""

    keys: Annotated[tuple[Line, ...], Meta(max_length=100)]


class PictureWish(Struct, frozen=True):
    """A picture that was handed over: the key that it was given, and the name of its file."""

    key: Line
    name: Line


Players = Annotated[int, Meta(ge=1, le=12)]


class RoomWish(Struct, frozen=True, kw_only=True):
    """A room as somebody puts it together; what is left out is as the plan has it.

    A seat holds ``CODE:VARIANT`` or a build of somebody's own.
    """

    room: Line
    mechs: Annotated[Mapping[Line, Line | Draft], Meta(max_length=100)] = field(
        default_factory=dict
    )
    pictures: Annotated[Mapping[Line, PictureWish], Meta(max_length=100)] = field(
        default_factory=dict
    )
    boards: Lines = ()
    boxes: Lines = ()
    shuffle: Line = ""

    def order(self, handed: Mapping[str, OwnPicture]) -> RoomOrder:
        """The same as rooms are ordered, of pictures that were ``handed`` over, by key."""
        return RoomOrder(
            rooms=(self.room,),
            mechs={
                seat: entry_of(wish) if isinstance(wish, Draft) else wish
                for seat, wish in self.mechs.items()
                if wish
            },
            pictures={seat: handed[one.key] for seat, one in self.pictures.items()},
            boards=self.boards,
            boxes=self.boxes,
            shuffle=self.shuffle,
        )

    def command(self, game: str) -> str:
        """The command line that makes the same zip."""
        words = ["exporter", "build", game, "--room", self.room]
        for seat, wish in self.mechs.items():
            who = f"{wish.name or seat}.yaml" if isinstance(wish, Draft) else wish
            option = "--deck" if isinstance(wish, Draft) and wish.decks else "--mech"
            words += [option, f"{seat}={who}"] if who else []
        for seat, picture in self.pictures.items():
            words += ["--picture", f"{seat}={picture.name}"]
        words += ["--board", "+".join(self.boards).replace("+/", "/")] if self.boards else []
        words += ["--boxes", ",".join(self.boxes)] if self.boxes else []
        words += ["--shuffle", self.shuffle] if self.shuffle else []
        return shlex.join(words)


class PrintWish(Struct, frozen=True, kw_only=True):
    """Sheets as somebody wants them on paper; what is left out is as jobs and presets have it."""

    sheets: Lines = ()
    preset: Line = ""
    paper: Line = ""
    cut: Literal["", "marks", "lines", "none"] = ""
    backs: Literal["", "interleaved", "separate", "none"] = ""
    bleed: Annotated[float, Meta(ge=0, le=20)] | None = None
    gap: Annotated[float, Meta(ge=0, le=1000)] | None = None
    only: Lines = ()
    mechs: Annotated[tuple[Line | Draft, ...], Meta(max_length=100)] = ()
    boxes: Lines = ()
    saving: bool = False
    samples: bool = True

    @property
    def order(self) -> PrintOrder:
        """The same as paper is ordered."""
        from exporter.model.print_jobs import PrintOrder

        return PrintOrder(
            sheets=self.sheets,
            preset=self.preset or None,
            paper=self.paper or None,
            cut=self.cut or None,
            backs=self.backs or None,
            bleed=self.bleed,
            gap=None if self.gap is None else (self.gap, self.gap),
            only=self.only,
            builds=tuple(entry_of(who) if isinstance(who, Draft) else who for who in self.mechs),
            boxes=self.boxes,
            saving=self.saving,
            samples=self.samples,
        )

    def command(self, game: str) -> str:
        """The command line that makes the same files."""
        words = ["exporter", "print", game]
        for sheet in self.sheets:
            words += ["--sheet", sheet]
        for who in self.mechs:
            option = "--deck" if isinstance(who, Draft) and who.decks else "--mech"
            words += [option, f"{who.name or 'build'}.yaml" if isinstance(who, Draft) else who]
        for option in ("preset", "paper", "cut", "backs", "bleed", "gap"):
            value = getattr(self, option)
            words += (
                [f"--{option}", f"{value:g}" if isinstance(value, float) else value]
                if (value not in ("", None))
                else []
            )
        for option, said in (("--only", self.only), ("--boxes", self.boxes)):
            words += [option, ",".join(said)] if said else []
        words += ["--saving"] if self.saving else []
        words += [] if self.samples else ["--without-samples"]
        return shlex.join(words)


class LooseWish(Struct, frozen=True):
    """One thing to drop into a running room: a name, or a build of somebody's own."""

    thing: Line | Draft


class ImagesWish(Struct, frozen=True):
    """All pictures of a game: WebP where that is smaller, or PNG alone."""

    png: bool = False


class BeginWish(Struct, frozen=True, kw_only=True):
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
    table: Literal["csv", "xlsx"] = "csv"
    place: Annotated[str, Meta(max_length=1000)] = ""


class FolderWish(Struct, frozen=True):
    """A folder of this machine, with a game in it."""

    path: Annotated[str, Meta(max_length=1000)]


class JudgeWish(Struct, frozen=True, kw_only=True):
    """A build to judge: under which regulation, with which boxes."""

    draft: Draft
    regulation: Line = ""
    boxes: Lines = ()
    what: Line = ""


class CompareWish(Struct, frozen=True):
    """Builds side by side."""

    drafts: Annotated[tuple[Draft, ...], Meta(max_length=6)]


class DraftsWish(Struct, frozen=True):
    """All drafts of a browser."""

    drafts: Annotated[tuple[Draft, ...], Meta(max_length=1000)]


class ChancesWish(Struct, frozen=True, kw_only=True):
    """A deck of a draft, of which ``hand`` cards are drawn first and ``turn`` in each turn.

    What is left out is as the game says.
    """

    draft: Draft
    deck: Line
    hand: Annotated[int, Meta(ge=0, le=999)] | None = None
    turn: Annotated[int, Meta(ge=0, le=999)] | None = None


class TextWish(Struct, frozen=True):
    """A text with builds, the name of the file it is from, and those of pictures beside it."""

    text: Annotated[str, Meta(max_length=250_000)]
    name: Line = "build.yaml"
    beside: Lines = ()
