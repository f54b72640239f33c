"""``deck_basics``, ``deck_loadout``, ``printed_copies``: what the game's printed decks hold."""

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import (
    Doc,
    Ref,
    Word,
)
from exporter.rules.deck_subjects import unlike_mounted
from exporter.rules.expressions import whole
from exporter.rules.kind import (
    AllDecks,
    Deck,
    Fault,
    FieldId,
    Rule,
    RuleKind,
)


class DeckBasics(RuleKind[Deck]):
    """A mech's deck holds as many of each card with `deck_copies` as its figures ask for.

    ja: 機体のデッキに、`deck_copies` のあるカードが数値どおりの枚数ある。
    """

    name = "deck_basics"
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


class DeckLoadout(RuleKind[Deck]):
    """The other cards that carry a variant's mark are those mounted in that loadout. A deck of the
    wrong size is left to that fault alone.

    ja: 改などの印のあるほかのカードは、その搭載で積んだもの。枚数の違うデッキは、枚数の違反だけを
    言う。
    """

    name = "deck_loadout"

    variant: Annotated[Word, Ref("variant"), Doc("the loadout that is compared", "比べる搭載")]

    examples = ("{variant: basic}",)
    sentences = {
        "ja": {
            "deck-loadout": (
                "{deck}の印{mark}と{variant}の搭載が違います: {difference}",
                "どちらかを直してください。",
            )
        },
        "en": {
            "deck-loadout": (
                "{deck}, mark {mark}: the deck and the {variant} loadout differ: {difference}",
                "Correct one of the two.",
            )
        },
    }

    def looks(self, subject: Deck, rule: Rule) -> bool:
        return subject.variant is not None and subject.variant.id == self.variant

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        variant, bench = subject.variant, subject.bench
        if variant is None or bench is None or variant.id != self.variant:
            return
        idle, bare = unlike_mounted(subject, variant)
        if idle and idle.total() == bare.total():
            gap = [f"＋{card}×{count}" for card, count in idle.items()]
            gap += [f"−{card}×{count}" for card, count in bare.items()]
            values = {
                "deck": subject.title,
                "mark": variant.mark,
                "variant": variant.name,
                "difference": " ".join(gap),
            }
            yield Fault(bench.where, "deck-loadout", values)


class PrintedCopies(RuleKind[AllDecks]):
    """All decks of the game together hold no more of a card than a field of it says there are.

    ja: ゲームのデッキ全部を合わせても、カードの枚数は欄の値を超えない。
    """

    name = "printed_copies"

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
