"""``laid``: how an item of a layout begins."""

from collections.abc import Callable, Collection, Iterator
from typing import Annotated

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import (
    Card,
    Game,
    Item,
    Selection,
)
from exporter.model.shape import (
    Count,
    Doc,
    Ref,
    Whole,
    Word,
)
from exporter.model.spelling import whole_number
from exporter.rules.figures import meets
from exporter.rules.kind import (
    AllowedNames,
    Box,
    Expression,
    Fault,
    Rule,
    RuleKind,
)


class Laid(RuleKind[Box]):
    """An item of a layout is laid as the rulebook says: so many of it, with so many sides, that one
    up, sliders that begin so, on that space, with so many cards, of which a seat is dealt so many.

    ja: 配置のものが、ルールブックのとおりに置いてある：数、面、上の面、スライダーの始まり、場所、
    カードの枚数、席に配る枚数。
    """

    layout: Annotated[Word, Ref("layout"), Doc("where it lies", "置いてある配置")]
    item: Annotated[
        Word,
        Doc(
            "its name, as layouts.yaml has it, or the board that it stands on",
            "layouts.yaml での名前、または立っている盤",
        ),
    ]
    count: Annotated[Count | None, Doc("how many of it", "いくつ")] = None
    sides: Annotated[list[Word], Doc("the sides of a die", "ダイスの面")] = []
    up: Annotated[str, Doc("the side that lies up", "上の面")] = ""
    sliders: Annotated[dict[str, Word], Doc("label → `current/maximum`", "見出し → `今/最大`")] = {}
    on: Annotated[str, Doc("the space of the board that it stands on", "立っている、盤の場所")] = ""
    cards: Annotated[
        Whole | None,
        Doc(
            "how many cards it has, of a kind, by the values of `only`",
            "カードの枚数。種類と `only` の値で",
        ),
    ] = None
    of: Annotated[
        Expression | None, Doc("of those of its cards that count", "数えるカードの条件")
    ] = None
    deals: Annotated[str, Doc("how many cards each seat is dealt", "席ごとに配る枚数")] = ""

    examples = (
        "{layout: seat, item: 資金, up: '5', sides: ['1', '2', '3', '4', '5', '6']}",
        "{layout: supply, item: 山札, cards: 4, of: number == 7, deals: '5'}",
    )
    sentences = {
        "ja": {
            "laid": ("{item}の{what}は{found}。決まりでは{wanted}。", "直してください。"),
            "not-laid": (
                "配置{layout}に{item}がありません。",
                "加えるか、規則の名前を直してください。",
            ),
        },
        "en": {
            "laid": ("{what} of {item}: found {found}; by the rules {wanted}.", "Correct it."),
            "not-laid": (
                "The layout {layout} lays no {item}.",
                "Add it, or correct the name in the rule.",
            ),
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        layout = subject.game.layouts.get(self.layout)
        items = [item for item in layout.items if self._is_named(item)] if layout else []
        if not items:
            values = {"layout": self.layout, "item": self.item}
            yield Fault(layout.where if layout else rule.where, "not-laid", values)
        for item in items:
            for what, found, wanted, where in self._compared(item, subject.game):
                if found != wanted:
                    values = {"item": self.item, "what": what, "found": found, "wanted": wanted}
                    yield Fault(where, "laid", values)

    def _is_named(self, item: Item) -> bool:
        named = (item.name, item.on[0] if item.on else "")
        return item.lay != "pile" and self.item in named  # an empty pile has its stack's name

    def _compared(self, item: Item, game: Game) -> Iterator[tuple[str, str, str, SourceLocation]]:
        """Find what is laid, what should be, and where that stands."""
        if self.count is not None:
            yield "count", str(item.count), str(self.count), item.place("count")
        if self.sides:
            yield "sides", "・".join(item.sides), "・".join(self.sides), item.place("sides")
        if self.up:
            yield "up", item.up, self.up, item.place("up")
        for label, value in self.sliders.items():
            yield label, item.sliders.get(label, "—"), value, item.place("sliders", label)
        if self.on:
            yield "on", item.on[1] if item.on else "—", self.on, item.place("on", 1)
        if self.cards is not None:
            found = str(self._number_of_cards(item.cards, game)) if item.cards else "0"
            yield "cards", found, str(self.cards), item.place("cards")
        if self.deals:
            found = "・".join(deal.each for deal in item.deal) or "—"
            yield "deal", found, self.deals, item.place("deal", 0, "each")

    def _number_of_cards(self, selection: Selection, game: Game) -> int:
        """Count how many cards of the game a selection by kind and values comes to."""
        return sum(
            _copies(card, selection.copies)
            for card in game.cards.values()
            if selection.kind
            and selection.suits(card)
            and (self.of is None or meets(card, self.of, card.where))
        )

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        if self.of is not None:
            yield self.of, names.of_any_card

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        texts = (self.sides, self.up, self.sliders, self.on, self.deals)
        if self.count is None and self.cards is None and not any(texts):
            yield problem_at(at(), "SRC-KEY", "laid-nothing")


def _copies(card: Card, copies: str) -> int:
    """Count how many of a card a selection lays: a number, or what a field of the card says."""
    number = whole_number(copies)
    value = card.get(copies) if number is None else number
    return value if isinstance(value, int) else 0
