"""Which cards something is about: those that a layout lays, or a sheet prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from exporter.model.cards import Card
from exporter.model.document_places import Reference
from exporter.model.shape import (
    Doc,
    Record,
    Ref,
    Short,
    Word,
)
from exporter.model.spelling import whole_number

OWN_DECK = "own"
"""Stands for the deck of the mech in the seat."""


def _own_deck(value: Any) -> Any:
    return {"true": OWN_DECK, "false": ""}.get(value, value) if isinstance(value, str) else value


class Selection(Record, frozen=True, kw_only=True):
    """Which cards: of a deck, by kind and field values, or one by one."""

    deck: Annotated[
        Annotated[str, Short(_own_deck, {"type": "boolean"})],
        Doc(
            "the deck of the mech in the seat (`true`), or a printed deck by its name",
            "席の機体のデッキ（`true`）か、印刷デッキの名前",
        ),
    ] = ""
    kind: Annotated[str, Ref("kind"), Doc("a kind of card", "カードの種類")] = ""
    only: Annotated[
        Mapping[str, tuple[str, ...]],
        Doc("field → values of which it must have one", "欄 → 値。どれかに当てはまるカードだけ"),
    ] = {}
    unless: Annotated[
        Mapping[str, tuple[str, ...]],
        Doc("field → values of which it must have none", "欄 → 値。どれかに当てはまるカードは除く"),
    ] = field(default_factory=dict, name="except")
    marks: Annotated[
        tuple[Annotated[str, Meta(max_length=20)], ...],
        Doc(
            "with `deck: true`: of the printed cards of the mech those with just these marks",
            "`deck: true` のとき：機体のカードのうち、印がちょうどこのもの",
            ["●◆"],
        ),
    ] = ()
    ids: Annotated[
        tuple[Word, ...], Doc("single cards by id or name", "カードを1枚ずつ。IDか名前")
    ] = ()
    listed: Annotated[
        tuple[Word, ...],
        Meta(max_length=2),
        Doc(
            "`[card, field]`: the cards that a field of a card lists",
            "`[カード, 欄]`：そのカードの欄が挙げるカード",
        ),
    ] = ()
    pilots: Annotated[
        Literal["", "seat", "both"],
        Doc(
            "the skills of the pilots of the mech in the `seat`, or of `both` sides of its sheet",
            "席の機体のパイロットの技能（`seat`）、またはシートの両面の（`both`）",
        ),
    ] = ""
    copies: Annotated[Word, Doc("a number, or the field that holds it", "枚数か、枚数のある欄")] = (
        "1"
    )
    used_by: Annotated[
        str,
        Doc(
            "the field that lists other cards: only what a card in the room has need of",
            "ほかのカードを挙げる欄。ルームのカードが必要とするものだけを置く",
        ),
    ] = ""

    @property
    def field_sort(self) -> str:
        """What a field of the selected cards is called where it is referred to."""
        return f"field of {self.kind}" if self.kind else "field"

    def suits(self, card: Card) -> bool:
        """Whether a card is of the kind, and has the values that it must have and no other."""
        return (
            (not self.kind or card.kind == self.kind)
            and all(card.text(name) in values for name, values in self.only.items())
            and not any(card.text(name) in values for name, values in self.unless.items())
        )

    def refers(self) -> Iterator[Reference]:
        """A deck, fields and cards, unless their names are still to be filled in."""
        sort = self.field_sort
        for key, values in (("only", self.only), ("except", self.unless)):
            yield from (Reference(sort, name, self.place(key, name, key=True)) for name in values)
        yield Reference(sort, self.used_by, self.place("used_by"))
        if "$" not in self.copies and whole_number(self.copies) is None:
            yield Reference(sort, self.copies, self.place("copies"))
        if "$" not in self.deck and self.deck != OWN_DECK:
            yield Reference("deck", self.deck, self.place("deck"))
        for index, name in enumerate(self.ids):
            if "$" not in name:
                yield Reference("card", name, self.place("ids", index))
