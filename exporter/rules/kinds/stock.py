"""``stock``: what cards there are in the game's box."""

from collections.abc import Callable, Collection, Iterator
from typing import Annotated

from msgspec import Meta

from exporter.model import Card
from exporter.problems import Problem, Where, told
from exporter.rules.kind import (
    MOST_SETS,
    AllowedNames,
    Box,
    Expression,
    Fault,
    Rule,
    RuleKind,
    meets,
)
from exporter.schema.shape import Ref, Whole, Word


class Stock(RuleKind[Box]):
    """Of the cards of the game that meet an expression there are so many in all, or so many for
    each value of a field: for each that is listed, or each number from one to another."""

    cards: Annotated[Expression, Meta(description="of the cards that count")]
    copies: Annotated[
        str,
        Ref("field"),
        Meta(description="the field that says how many of a card there are; by default one"),
    ] = ""
    total: Annotated[Whole | None, Meta(description="how many there are in all")] = None
    field: Annotated[str, Ref("column"), Meta(description="whose values count")] = ""
    values: Annotated[list[Word], Meta(description="the values")] = []
    least: Annotated[Whole | None, Meta(description="the smallest number")] = None
    most: Annotated[Whole | None, Meta(description="the largest number")] = None
    each: Annotated[Whole, Meta(description="how many there are of each value")] = 1

    examples = (
        "{cards: kind == 'hand', copies: printed, field: number, least: 1, most: 5, each: 2}",
        "{cards: kind == 'tower', copies: printed, total: 45}",
    )
    sentences = {
        "ja": {
            "stock": (
                "{field}が{value}の札は{found}枚。決まりでは{wanted}枚。",
                "枚数を直してください。",
            ),
            "stock-total": (
                "{title}：合わせて{found}枚。決まりでは{wanted}枚。",
                "枚数を直してください。",
            ),
        },
        "en": {
            "stock": (
                "There are {found} cards with {field} {value}; by the rules {wanted}.",
                "Correct the copies.",
            ),
            "stock-total": (
                "{title}: there are {found} cards; by the rules {wanted}.",
                "Correct the copies.",
            ),
        },
    }

    def looks(self, subject: Box, rule: Rule) -> bool:
        return bool(self._cards(subject, rule)) or self.total != 0

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        cards = self._cards(subject, rule)
        counts = {card.id: self._copies(card) for card in cards}
        found = sum(counts.values())
        if self.total is not None and found != self.total:
            values = {"title": rule.title, "found": found, "wanted": self.total}
            yield Fault(self._place(cards, rule), "stock-total", values)
        if not self.field:
            return
        held: dict[str, list[Card]] = {value: [] for value in self._wanted}
        for card in cards:
            held.setdefault(card.text(self.field), []).append(card)
        for value, alike in held.items():
            found = sum(counts[card.id] for card in alike)
            wanted = self.each if value in self._wanted else 0
            if found != wanted:
                said = {"field": self.field, "value": value or "—", "found": found}
                yield Fault(self._place(alike or cards, rule), "stock", said | {"wanted": wanted})

    @property
    def _wanted(self) -> Collection[str]:
        if self.least is not None and self.most is not None:
            return [str(number) for number in range(self.least, self.most + 1)]
        return self.values

    def _cards(self, box: Box, rule: Rule) -> list[Card]:
        return [card for card in box.game.cards.values() if meets(card, self.cards, rule.where)]

    def _copies(self, card: Card) -> int:
        value = card.get(self.copies) if self.copies else 1
        return value if isinstance(value, int) else 0

    def _place(self, cards: list[Card], rule: Rule) -> Where:
        if not cards:
            return rule.where
        return cards[-1].at(self.copies or self.field or "id")

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield self.cards, names.of_any_card

    def wrong(self, at: Callable[..., Where]) -> Iterator[Problem]:
        if self.total is None and not self.field:
            yield told(at(), "SRC-KEY", "stock-of-nothing")
        least, most = self.least or 0, self.most or 0
        if (self.least is None) != (self.most is None):
            yield told(at(), "SRC-KEY", "set-numbers-both")
        elif not least <= most < least + MOST_SETS:
            yield told(
                at(), "SRC-VALUE", "no-numbers-or", least=least, most=most, highest=MOST_SETS
            )
