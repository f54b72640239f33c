"""``stock``: what cards there are in the game's box."""

from collections.abc import Callable, Collection, Iterator
from typing import Annotated

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import Card
from exporter.model.shape import (
    Doc,
    Ref,
    Whole,
    Word,
)
from exporter.rules.figures import meets
from exporter.rules.kind import (
    AllowedNames,
    Box,
    Expression,
    Fault,
    Rule,
    RuleKind,
    wrong_numbers,
)


class Stock(RuleKind[Box]):
    """Of the cards of the game that meet an expression there are so many in all, or so many for
    each value of a field: for each that is listed, or each number from one to another.

    ja: 式に当てはまるカードが、全部で、または欄の値ごとに、決まった枚数ある。値は、挙げたものか、
    数の範囲。
    """

    cards: Annotated[Expression, Doc("of the cards that count", "数えるカードの条件")]
    copies: Annotated[
        str,
        Ref("field"),
        Doc(
            "the field that says how many of a card there are; by default one",
            "1種類が何枚あるかの欄。なければ1枚",
        ),
    ] = ""
    total: Annotated[Whole | None, Doc("how many there are in all", "全部で何枚")] = None
    field: Annotated[str, Ref("column"), Doc("whose values count", "値を数える欄")] = ""
    values: Annotated[list[Word], Doc("the values", "値")] = []
    least: Annotated[Whole | None, Doc("the smallest number", "いちばん小さい数")] = None
    most: Annotated[Whole | None, Doc("the largest number", "いちばん大きい数")] = None
    each: Annotated[Whole, Doc("how many there are of each value", "値ごとに何枚")] = 1

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
        groups: dict[str, list[Card]] = {value: [] for value in self._wanted}
        for card in cards:
            groups.setdefault(card.text(self.field), []).append(card)
        for value, alike in groups.items():
            found = sum(counts[card.id] for card in alike)
            wanted = self.each if value in self._wanted else 0
            if found != wanted:
                values = {"field": self.field, "value": value or "—", "found": found}
                yield Fault(self._place(alike or cards, rule), "stock", values | {"wanted": wanted})

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

    def _place(self, cards: list[Card], rule: Rule) -> SourceLocation:
        if not cards:
            return rule.where
        return cards[-1].at(self.copies or self.field or "id")

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield self.cards, names.of_any_card

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        if self.total is None and not self.field:
            yield problem_at(at(), "SRC-KEY", "stock-of-nothing")
        yield from wrong_numbers(at, self.least, self.most)
