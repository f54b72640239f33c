"""``deck_basics``: the cards of every deck, in a printed one."""

from collections.abc import Iterator

from exporter.rules.expressions import whole
from exporter.rules.kind import (
    Deck,
    Fault,
    Rule,
    RuleKind,
)


class DeckBasics(RuleKind[Deck]):
    """A mech's deck holds as many of each card with `deck_copies` as its figures ask for.

    ja: 機体のデッキに、`deck_copies` のあるカードが数値どおりの枚数ある。
    """

    sentences = {
        "ja": {
            "deck-cards": (
                "{deck}の印{mark}に{card}が{found}枚、決まりでは{allowed}枚。",
                "枚数か印を直してください。",
            )
        },
        "en": {
            "deck-cards": (
                "{deck} has {found} {card} marked {mark}; by the rules {allowed}.",
                "Correct the copies or the mark.",
            )
        },
    }

    def looks(self, subject: Deck, rule: Rule) -> bool:
        return bool(subject.bench) and any(map(subject.is_basic, subject.game.cards.values()))

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        game, variant, bench = subject.game, subject.variant, subject.bench
        if variant is None or bench is None:
            return
        for card in filter(subject.is_basic, game.cards.values()):
            field = game.kinds[card.kind].deck_copies
            allowed = whole(str(card.get(field)) or "0", bench.names, card.at(field))
            spots = subject.by_card.get(card.id, [])
            if len(spots) != max(allowed, 0):
                values = {
                    "deck": subject.title,
                    "mark": variant.mark,
                    "card": card.name,
                    "found": len(spots),
                    "allowed": allowed,
                }
                where = spots[0].where if spots else subject.where
                yield Fault(where, "deck-cards", values)
