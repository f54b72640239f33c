"""What a stack deals out before the game begins, where the stacks of a room are shuffled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from exporter.model.shape import (
    Doc,
    Record,
    Word,
)


class Deal(Record, frozen=True, kw_only=True):
    """Cards that seats get: the seat that a stack lies in, or every seat of the room."""

    each: Annotated[
        Word,
        Doc(
            "how many cards a seat gets: a number, or a figure of its mech",
            "席ごとの枚数：数か、機体の数値",
        ),
    ]
    to: Annotated[
        str,
        Doc(
            "the zone of the seat where they lie; by default `draws_to`",
            "置く置き場。なければ `draws_to`",
        ),
    ] = ""
    holding: Annotated[
        Mapping[str, Word],
        Doc(
            "only seats that were dealt a card with these values before: `{side: light}`",
            "先にこの値の札を配られた席だけ：`{side: light}`",
        ),
    ] = {}
    face_up: Annotated[bool, Doc("they lie face up", "表向きに置く")] = False
