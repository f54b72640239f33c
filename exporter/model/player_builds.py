"""Files of builds and decks, as players write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, TypeAlias

from msgspec import field

from exporter.model import (
    Build,
    Mounting,
)
from exporter.model.document_places import Reference
from exporter.model.mech import (
    Waiver,
    frame_references,
)
from exporter.model.shape import (
    Doc,
    Ref,
    Short,
    Spelled,
    Word,
    under,
)
from exporter.model.spelling import MOST_EVER_REPEATED

MOST_OF_A_CARD = MOST_EVER_REPEATED
"""Copies of a card in a player's deck."""

CardList: TypeAlias = Mapping[
    Word,
    Annotated[
        Mapping[Word, Spelled],
        Short(under("copies"), {"type": "integer", "minimum": 1, "maximum": MOST_OF_A_CARD}),
    ],
]
"""How many copies of which card, and what it holds in fields in which printed decks differ."""


class WrittenBuild(Mounting, frozen=True, kw_only=True):
    """A construction."""

    name: Annotated[str, Doc("of the build", "機体の名前")] = ""
    frame: Annotated[
        Mapping[str, Word], Doc("the words that choose its frame", "機体タイプを選ぶ語")
    ] = {}

    @property
    def build(self) -> Build:
        """It as rules look at it."""
        where = self.place("name") if self.name else self.where
        return self.on(self.frame, self.place("frame"), self.name, where)


class WrittenSubmission(WrittenBuild, frozen=True, kw_only=True):
    """A document of a build file."""

    game: Annotated[str, Doc("the game it is for", "どのゲームのものか")] = ""
    picture: Annotated[
        str,
        Doc(
            "a file beside this one: the picture of its pawn, `chara.png`",
            "コマの絵。このファイルの隣の `chara.png` など",
        ),
    ] = ""
    label: Annotated[str, Doc("a word of your own to sort builds by", "機体を分ける自分の言葉")] = (
        ""
    )
    note: Annotated[
        str,
        Doc("remarks of your own; no rule reads them", "自分用のメモ。規則は見ない"),
    ] = ""
    regulation: Annotated[str, Doc("the regulation it is held to", "従うレギュレーション")] = ""
    waivers: Annotated[tuple[Waiver, ...], Doc("rules that are overlooked", "見逃す規則")] = ()
    weapons: Annotated[
        tuple[Annotated[Word, Ref("card")], ...],
        Doc(
            "cards without a part yet; `suggest` finds places",
            "部位の決まっていないカード。`suggest` が場所を探す",
        ),
    ] = ()
    deck: Annotated[
        str,
        Doc(
            "which of the game's decks `cards` are, where there are several",
            "`cards` がどのデッキか。いくつもあるとき",
        ),
    ] = ""
    cards_of_deck: Annotated[
        CardList, Doc("a deck: card id or name → copies", "デッキ：カードのIDか名前 → 枚数")
    ] = field(default_factory=dict, name="cards")
    decks: Annotated[
        Mapping[Word, CardList],
        Doc("several decks: which one → card → copies", "いくつかのデッキ：どれか → カード → 枚数"),
    ] = {}

    def refers(self) -> Iterator[Reference]:
        """What chooses its frame, and its cards."""
        yield from frame_references(self, self.frame)
        yield from self.cards()
