"""What things of a layout have, by what is laid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STYLES: Final[Mapping[str, str]] = {
    "mat": "mat", "piece": "pawn", "dice": "die", "sheet": "sheet", "pawn": "pawn",
    "blank": "sheet", "frames": "frame",
}  # fmt: skip
"""The style of a thing that names none."""

_STACKS = ("stack", "stacks", "frames")
_FIGURES = ("piece", "pawn")

LAYS_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "zones": ("mat",),
    "face": tuple(STYLES),
    "back": ("sheet", "blank"),
    "values": ("mat", "piece", "dice", "blank", "frames"),
    "face_down": ("stack", "stacks", "cards"),
    **dict.fromkeys(("draws_to", "store", "deal", "leftover"), _STACKS),
    "cards": ("stack", "stacks", "cards", *_FIGURES),
    "by": ("stacks",),
    **dict.fromkeys(
        ("step", "per_row"),
        ("stacks", "cards", "frames", "blank", "piece", "dice", "notes", "rulings"),
    ),
    **dict.fromkeys(("sliders", "shows", "asks", "palette", "card_lines", "skill_lines"), _FIGURES),
    **dict.fromkeys(("board", "square", "loose"), ("board",)),
    **dict.fromkeys(("sides", "up"), ("dice",)),
    "count": ("frames", "blank", "piece", "dice"),
    "notes": ("notes",),
    "title": ("note", "rulings"),
    "text": ("note", "stack", "stacks", "pile", "sheet"),
    "fontsize": ("note", "notes", "rulings"),
}
"""The keys that only some things have, with what is laid there: all things have the others."""
