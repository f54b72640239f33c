"""Mats: flat pictures with places for what people have in hand, draw and discard."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from exporter.model.shape import (
    NUMBERS,
    Doc,
    Length,
    Short,
    under,
)

MAT_SIZE = (2.0, 2.0)
"""Width and depth in units of a mat that says none."""

BARE_TABLE = "table"
"""Where a card falls that is drawn to no zone."""


_Along: TypeAlias = Annotated[float, Meta(ge=0, le=10_000)]


class Zone(Struct, frozen=True):
    """A named place on a mat."""

    at: Annotated[
        tuple[_Along, _Along, Length, Length],
        Doc(
            "`[x, y, width, height]` in units from the mat's corner, within the mat",
            "マットの左上から数えた `[x, y, 幅, 奥行き]`。マットの内側に",
        ),
    ]
    serves: Annotated[
        Literal[
            "place", "hand", "draw", "discard", "removed", "aside", "play", "part", "frame", "pilot"
        ],
        Doc(
            "what lies there: cards in hand, those to be drawn, discarded, out of the game, set "
            "aside, just being played; or anything (`place`). On a mat where mechs are put "
            "together: what is mounted in the `part` of this name, the card of the `frame`, the "
            "skills of a `pilot`; `check` reads them in a saved room",
            "何を置く所か：手札、引く札、捨て札、ゲームから除いた札、よけておく札、今使"
            "っている札、なんでも（`place`）。機体を組むマットでは、この名前の部位に積"
            "む札（`part`）、機体タイプの札（`frame`）、パイロットの技能（`pilot`）。保"
            "存したルームを `check` が読む",
        ),
    ] = field(default="place", name="for")
    text: Annotated[str, Doc("a hint that is printed in it", "そこに印刷する説明")] = ""


Place: TypeAlias = Annotated[Zone, Short(under("at", list), NUMBERS)]
"""A zone as people write it: its rectangle alone, or with what it is for."""
