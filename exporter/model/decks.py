"""The decks that players bring: what they are called, what may lie in them, how large they are."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from exporter.model.shape import (
    Doc,
    Naming,
    OwnKey,
    Record,
    Ref,
    Short,
    Whole,
    Word,
)


def _exactly(value: Any) -> Any:
    """A number of cards stands for a least and a most of so many."""
    return [value, value] if isinstance(value, str) else value


class DeckKind(Record, frozen=True, kw_only=True):
    """A deck that a player brings."""

    id: OwnKey
    name: Annotated[
        Naming,
        Doc(
            "of the deck; a line of it begins the deck in a plain list",
            "デッキの名前。デッキリストでこの名前の行が来たら、そこからこのデッキ",
        ),
    ]
    size: Annotated[
        Annotated[tuple[Whole, Whole], Short(_exactly, {"type": "integer"})] | None,
        Doc(
            "its cards, least and most: `[40, 60]`, or exactly: `60`",
            "枚数の下限と上限：`[40, 60]`。きっちりなら `60`",
            [40, 60],
        ),
    ] = None
    cards: Annotated[
        Annotated[str, Meta(min_length=1, max_length=400)] | None,
        Doc(
            "an expression over a card's fields: only such cards may lie in it",
            "カードの欄についての式。当てはまるカードだけを入れられる",
            "kind == 'unit'",
        ),
    ] = None
    beside: Annotated[
        str,
        Ref("kind of deck"),
        Doc(
            "the deck with which it is brought, as a side deck is; others are brought alone",
            "一緒に持ち寄るデッキ（サイドデッキの親）。なければ単独で持ち寄る",
        ),
    ] = ""
    printed: Annotated[
        tuple[Annotated[Word, Ref("printed deck")], ...],
        Doc("the decks of `decks/` that are such decks", "`decks/` のうち、このデッキにあたるもの"),
    ] = ()
