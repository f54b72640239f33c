"""``sets``: so many cards for each value of a field."""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Annotated

from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.model import Card
from exporter.model.shape import (
    Count,
    Doc,
    Ref,
    Whole,
    Word,
)
from exporter.rules.kind import (
    AllowedNames,
    CardPool,
    CardSpot,
    Deck,
    Expression,
    Fault,
    OfDecks,
    Rule,
    wrong_numbers,
)


class Sets(OfDecks[Deck]):
    """Of the cards that meet an expression, a deck has so many for each value of a field: for
    each that is listed, for each number from one to another, or for each that any card of the
    game has. So `{field: id, copies: 2}` asks for every card twice.

    ja: 式に当てはまるカードが、欄の値ごとに決まった枚数ある。値は、挙げたもの、数の範囲、ゲームの
    どれかのカードにあるもの。`{field: id, copies: 2}` ならどのカードも2枚ずつ。
    """

    field: Annotated[
        Word,
        Ref("column"),
        Doc("whose values count; `id` and `name` too", "値を数える欄。`id` と `name` も"),
    ]
    cards: Annotated[Expression | None, Doc("of the cards that count", "数えるカードの条件")] = None
    values: Annotated[list[Word], Doc("the values", "値")] = []
    least: Annotated[Whole | None, Doc("the smallest number", "いちばん小さい数")] = None
    most: Annotated[Whole | None, Doc("the largest number", "いちばん大きい数")] = None
    copies: Annotated[Count, Doc("how many there are of each", "それぞれ何枚")] = 1

    examples = ("{field: number, least: 1, most: 11}", "{field: id, cards: kind == 'tower'}")
    sentences = {
        "ja": {
            "sets": (
                "{deck}に{field}が{value}の札は{found}枚。決まりでは{copies}枚。",
                "枚数を直してください。",
            ),
            "sets-card": (
                "{deck}に{value}は{found}枚。決まりでは{copies}枚。",
                "枚数を直してください。",
            ),
        },
        "en": {
            "sets": (
                "{deck} has {found} cards with {field} {value}; by the rules {copies}.",
                "Correct the copies.",
            ),
            "sets-card": (
                "{deck} has {found} {value}; by the rules {copies}.",
                "Correct the copies.",
            ),
        },
    }

    def looks(self, subject: Deck, rule: Rule) -> bool:
        return bool(self._wanted(subject, rule))

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        wanted = self._wanted(subject, rule)
        groups: dict[str, list[CardSpot]] = {value: [] for value in wanted}
        for spot in subject.spots:
            if self._counts(subject, spot.card, rule):
                groups.setdefault(spot.card.text(self.field), []).append(spot)
        for value, spots in groups.items():
            copies = self.copies if value in wanted else 0
            if len(spots) != copies:
                found = {
                    "deck": subject.called,
                    "field": self.field,
                    "value": self._called(subject, value),
                    "found": len(spots),
                    "copies": copies,
                }
                where = spots[-1].where if spots else subject.where
                few = len(spots) < copies
                off = abs(len(spots) - copies)
                text = "sets-card" if self.field == "id" else "sets"
                yield Fault(where, text, found, touches=tuple(spots), off=off, lack=few)

    def bears(self, subject: CardPool, rule: Rule, fault: Fault, card: Card) -> bool:
        return self._called(subject, card.text(self.field)) == fault.values["value"]

    def _called(self, subject: CardPool, value: str) -> str:
        """Write a value as people read it: a card by its name, with the id where others have
        that."""
        if self.field != "id" or value not in subject.game.cards:
            return value or "—"
        card = subject.game.cards[value]
        return f"{card.name} ({value})" if subject.game.word(card) == value else card.name

    def _wanted(self, deck: Deck, rule: Rule) -> Collection[str]:
        """Find the values of which there are to be cards."""
        if self.values:
            return self.values
        if self.least is not None and self.most is not None:
            return [str(number) for number in range(self.least, self.most + 1)]
        cards: Iterable[Card] = deck.game.cards.values()
        counting = (card for card in cards if self._counts(deck, card, rule))
        return dict.fromkeys(text for card in counting if (text := card.text(self.field)))

    def _counts(self, deck: Deck, card: Card, rule: Rule) -> bool:
        return self.cards is None or deck.fits(card, self.cards, rule.where)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        if self.cards is not None:
            yield self.cards, names.of_pool_cards

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        return wrong_numbers(at, self.least, self.most)
