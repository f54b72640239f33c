"""The plain styles: what any game's things look like that brings no look of its own.

The templates are those of ``templates/faces/plain``; each says at its top which values it takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from exporter.model import FaceStyle


def _style(
    name: str,
    template: str,
    size: tuple[float, float],
    scale: float,
    per_unit: float = 0,
    **values: str,
) -> FaceStyle:
    path = f"plain/{template}.typ"
    return FaceStyle(
        id=name, template=path, size=size, scale=scale, values=values, per_unit=per_unit
    )


PLAIN_STYLES: Final[Mapping[str, FaceStyle]] = {
    style.id: style
    for style in (
        _style("card", "card", (63, 88), 6.35),
        _style("card_back", "back", (63, 88), 6.35),
        _style("token", "token", (25, 25), 8),
        _style("sheet", "sheet", (148, 105), 5),
        _style("pawn", "pawn", (30, 45), 8),
        _style("disc", "pawn", (30, 30), 8, pose="flat"),
        _style("die", "die", (25, 25), 8),
        _style("dial", "dial", (60, 60), 6),
        _style("mat", "mat", (180, 120), 2.5, per_unit=20),
        _style("surface", "surface", (400, 300), 0.8),
        _style("board", "board", (30, 30), 4),
        _style("tile", "tile", (30, 30), 4),
        _style("wall", "tile", (30, 15), 4),
    )
}
