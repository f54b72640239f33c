"""What the pages send: a room with who sits in it, a build to judge, a text to read."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from exporter.door.drafts import Draft, Line, Lines, entry_of
from exporter.model import Build
from exporter.rooms.orders import Order


class RoomWish(Struct, frozen=True, kw_only=True):
    """A room as somebody puts it together; what is left out is as the plan has it.

    A seat holds ``CODE:VARIANT`` or a build of somebody's own.
    """

    room: Line
    mechs: Annotated[Mapping[Line, Line | Draft], Meta(max_length=100)] = field(
        default_factory=dict
    )
    boards: Lines = ()
    boxes: Lines = ()
    shuffle: Line = ""

    @property
    def order(self) -> Order:
        """The same as rooms are ordered."""
        return Order(
            rooms=(self.room,),
            mechs={
                seat: _build(wish) if isinstance(wish, Draft) else wish
                for seat, wish in self.mechs.items()
                if wish
            },
            boards=self.boards,
            boxes=self.boxes,
            shuffle=self.shuffle,
        )

    def command(self, game: str) -> str:
        """The command line that makes the same zip."""
        words = ["exporter", "build", game, "--room", self.room]
        for seat, wish in self.mechs.items():
            who = f"{wish.name or seat}.yaml" if isinstance(wish, Draft) else wish
            words += ["--mech", f"{seat}={who}"] if who else []
        for option, said, sign in (("--board", self.boards, "+"), ("--boxes", self.boxes, ",")):
            words += [option, sign.join(said)] if said else []
        words += ["--shuffle", self.shuffle] if self.shuffle else []
        return shlex.join(words)


def _build(draft: Draft) -> Build:
    entry = entry_of(draft)
    return replace(entry.build, regulation=entry.regulation)


class LooseWish(Struct, frozen=True):
    """One thing to drop into a running room: a name, or a build of somebody's own."""

    thing: Line | Draft


class JudgeWish(Struct, frozen=True, kw_only=True):
    """A build to judge: under which regulation, with which boxes."""

    draft: Draft
    regulation: Line = ""
    boxes: Lines = ()
    what: Line = ""


class TextWish(Struct, frozen=True):
    """A text with builds, and the name of the file it is from."""

    text: Annotated[str, Meta(max_length=200_000)]
    name: Line = "build.yaml"
