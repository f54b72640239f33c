"""What was said after printing: errata as changes of printed values, and rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from exporter.model.shape import (
    Date,
    Doc,
    Record,
    Ref,
    Spelled,
    Word,
)


class Change(Record, frozen=True, kw_only=True):
    """What an erratum changes; the first five keys say where."""

    targets: ClassVar = ("card", "deck", "mech", "list", "page")

    card: Annotated[
        str,
        Ref("card"),
        Doc(
            "the card that is corrected; with `deck`, a card in one deck",
            "訂正するカード。`deck` と書けば、そのデッキの中のカード",
        ),
    ] = ""
    deck: Annotated[
        str, Ref("mech"), Doc("the mech whose deck is corrected", "デッキを訂正する機体")
    ] = ""
    mech: Annotated[str, Ref("mech"), Doc("the mech that is corrected", "訂正する機体")] = ""
    list: Annotated[str, Doc("the printed list that is corrected", "訂正する、印刷された一覧")] = ""
    page: Annotated[str, Doc("the page that is corrected", "訂正するページ")] = ""
    field: Annotated[
        Word,
        Doc(
            "of a card; of a deck's row; of a mech by a path, `frame.armour`",
            "カードかデッキの行の欄。機体なら `frame.armour` のような道",
        ),
    ]
    was: Annotated[
        Spelled,
        Doc(
            "the printed value, which must be what the data hold",
            "印刷された値。データと同じでなければならない",
        ),
    ]
    now: Annotated[Spelled, Doc("the corrected value", "訂正後の値")]

    @property
    def target(self) -> Mapping[str, str]:
        """What is changed: a card, in a deck or anywhere, a mech, a list or a page."""
        return {sort: name for sort in self.targets if (name := getattr(self, sort))}


class Erratum(Record, frozen=True, kw_only=True):
    """A published correction, kept beside the printed value."""

    id: Annotated[Word, Doc("permanent", "変えないID")]
    edition: Annotated[str, Ref("edition"), Doc("the box", "箱")] = field(default="", name="set")
    medium: Annotated[
        Literal["card", "sheet", "list", "rulebook"],
        Doc("where it was printed", "印刷されている所"),
    ]
    changes: Annotated[
        tuple[Change, ...],
        Meta(min_length=1),
        Doc("what it changes, one or more", "直す所。いくつでも"),
    ]
    source: Annotated[Word, Ref("source"), Doc("a key of `sources.yaml`", "`sources.yaml` のキー")]
    date: Annotated[Date, Doc("the day, or `unknown`", "日付。わからなければ `unknown`")] = (
        "unknown"
    )
    note: Annotated[str, Doc("what it means", "どういう意味か")] = ""


class Ruling(Record, frozen=True, kw_only=True):
    """A question answered by the publisher."""

    id: Annotated[Word, Doc("permanent", "変えないID")]
    topic: Annotated[Word, Doc("what it is about", "何についてか")]
    ruling: Annotated[
        str,
        Meta(min_length=1),
        Doc("the answer, in the project's words", "このプロジェクトの言葉での答え"),
    ]
    cards: Annotated[
        tuple[Annotated[Word, Ref("card")], ...],
        Doc("the cards it is shown with", "一緒に見せるカード"),
    ] = ()
    rules: Annotated[tuple[Word, ...], Doc("the rules it bears on", "関わる規則")] = ()
    source: Annotated[
        str, Ref("source"), Doc("a key of `sources.yaml`", "`sources.yaml` のキー")
    ] = ""
    date: Annotated[Date, Doc("the day, or `unknown`", "日付。わからなければ `unknown`")] = (
        "unknown"
    )
