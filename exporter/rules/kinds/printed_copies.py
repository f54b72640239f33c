"""``printed_copies``: all printed decks together fit the boxes."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import Doc
from exporter.rules.kind import (
    AllDecks,
    Fault,
    FieldId,
    Rule,
    RuleKind,
)


class PrintedCopies(RuleKind[AllDecks]):
    """All decks of the game together hold no more of a card than a field of it says there are.

    ja: ゲームのデッキ全部を合わせても、カードの枚数は欄の値を超えない。
    """

    field: Annotated[FieldId, Doc("of the card: how many there are", "カードの欄。何枚あるか")]

    examples = ("{field: copies_in_box}",)
    sentences = {
        "ja": {
            "printed-copies": (
                "全デッキを合わせると{card}が{found}枚、箱には{allowed}枚。",
                "上限か枚数を直してください。",
            )
        },
        "en": {
            "printed-copies": (
                "All printed decks together hold {found} {card}, the boxes {allowed}.",
                "Correct the limit or the decks.",
            )
        },
    }

    def looks(self, subject: AllDecks, rule: Rule) -> bool:
        cards = filter(None, (subject.game.card(entry.card) for entry in subject.entries))
        return any(isinstance(card.fields.get(self.field), int) for card in cards)

    def faults(self, subject: AllDecks, rule: Rule) -> Iterator[Fault]:
        counts: Counter[str] = Counter()
        for entry in subject.entries:
            card = subject.game.card(entry.card)
            if card is not None:
                counts[card.id] += entry.copies
        for card_id, found in counts.items():
            card = subject.game.cards[card_id]
            allowed = card.fields.get(self.field)
            if isinstance(allowed, int) and found > allowed:
                values = {"card": card.name, "found": found, "allowed": allowed}
                yield Fault(card.at(self.field), "printed-copies", values)
