"""Make the ground of a face: its background, drawn out into the bleed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.faces.card_faces import (
    Face,
    back_values,
    face,
    front_values,
)
from exporter.faces.style_values import taken
from exporter.model import (
    DeckCard,
    Game,
)
from exporter.model.print_jobs import FaceGround


def card_grounds(
    game: Game,
    ground: FaceGround | None,
    entry: DeckCard,
    sides: tuple[Face, Face | None],
    size: tuple[float, float],
    bleed: float,
) -> tuple[Face | None, Face | None]:
    """Return the grounds of a card's front and back; ``size`` is its trim size, lengths are in mm.

    Both are ``None`` without a ``ground``, the second also without a back.
    """
    front, back = sides
    if ground is None:
        return None, None
    kind = game.kinds[entry.card.kind]
    shown = {**game.faces[kind.front].values, **front_values(game, entry)}
    before = _grounded(ground, shown, front, size, bleed)
    if back is None:
        return before, None
    shown = {**game.faces[kind.back].values, **back_values(game, entry)}
    return before, _grounded(ground, shown, back, size, bleed)


def _grounded(
    ground: FaceGround,
    values: Mapping[str, Any],
    shown: Face,
    size: tuple[float, float],
    bleed: float,
) -> Face:
    """Return the ground of the face ``shown``, made from those of ``values`` that it declares."""
    lying = (size[0] > size[1]) != (shown.width > shown.height)
    width, height = (size[1], size[0]) if lying else size
    whole = (width + 2 * bleed, height + 2 * bleed)
    drawn = taken(ground.declaration, values)
    return face(ground.template, drawn, whole, scale=shown.scale, where=shown.where)
