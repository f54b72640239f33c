"""A face: one finished look as a value — template, values, size — that says nothing of pixels.

Rooms and print sheets show the very same faces, so they cannot disagree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from exporter.problems import Where


@dataclass(frozen=True)
class Face:
    """What a template draws from which values; two equal faces are painted once.

    ``template`` is a path below ``templates/faces``; ``values`` canonical JSON (see ``face``);
    ``width`` and ``height`` in millimetres; ``scale`` pixels of the screen picture to a millimetre;
    ``pictures`` the files of the game folder that the template shows. ``where`` is the row that
    a problem with this face is to be blamed on, and no part of its identity.
    """

    template: str
    values: str
    width: float
    height: float
    scale: float
    pictures: tuple[str, ...] = ()
    where: Where = field(default=Where(), compare=False)


def face(
    template: str,
    values: Mapping[str, Any],
    size: tuple[float, float],
    *,
    scale: float,
    pictures: tuple[str, ...] = (),
    where: Where = Where(),
) -> Face:
    """A face of ``size`` (millimetres), its values in the one order that makes equals equal."""
    width, height = size
    everything = {**values, "width": width, "height": height}
    text = json.dumps(everything, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return Face(template, text, width, height, scale, pictures, where)
