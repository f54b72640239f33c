"""Which of a game's own pictures a face shows: in its window for art, or as the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from exporter.faces.face_texts import folded
from exporter.model import (
    FaceStyle,
    Game,
)

FINISHED = "plain/finished.typ"
"""The template of a face that is a picture and nothing else."""


class OwnPicture(Struct, frozen=True):
    """A picture that a player brings, which is none of the game's: its ``data`` under a ``name``
    that tells it from others, and its size in pixels."""

    name: str
    data: bytes
    width: int
    height: int


def finished_of(game: Game, name: tuple[str, ...], of: str, also: tuple[str, ...]) -> str:
    """The picture that is the whole of a face, if the folder has one."""
    if not game.finished or not name:
        return ""
    keys = ("/".join(name), *(f"{name[0]}/{other}" for other in (of, *also) if other))
    if name[0] == "decks":
        keys = (*keys, f"cards/{of}")
    return next((game.finished[key] for key in map(folded, keys) if key in game.finished), "")


def art_of(game: Game, style: FaceStyle, values: Mapping[str, Any]) -> str | None:
    """The picture in a style's art window; ``""`` where there is none, nothing without a window.

    The slot ``art`` names the field with the picture's name, or is the name itself; the field
    ``id`` is that of the card, whose picture is shown too where a field is empty.
    """
    slots = values.get("slots")
    word = slots.get("art") if isinstance(slots, Mapping) else None
    if not word or style.declaration is None or "art" not in style.declaration.takes:
        return None
    named = values.get(word, word)
    if isinstance(named, list | tuple):
        named = named[0] if named else ""
    return picture_called(game, str(named or values.get("id", "")))


def picture_called(game: Game, name: str) -> str:
    """The file in ``pictures/`` of this name, with or without its ending; nothing if none is."""
    last = name.replace("\\", "/").rpartition("/")[2]
    words = (last, last.rpartition(".")[0], folded(last), folded(last.rpartition(".")[0]))
    return next((game.art[word] for word in words if word and word in game.art), "")
