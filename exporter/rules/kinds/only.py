"""``only``: which cards may be brought at all."""

from collections.abc import Collection, Iterator
from typing import Annotated

from exporter.model.shape import Doc
from exporter.rules.kind import (
    AllowedNames,
    CardPool,
    Expression,
    Fault,
    OfDecks,
    Rule,
    describe_card,
)


class Only(OfDecks[CardPool]):
    """Only cards that meet an expression are brought.

    ja: 持ち寄るのは、式に当てはまるカードだけ。
    """

    cards: Annotated[Expression, Doc("of the cards that may be brought", "持ち寄れるカードの条件")]

    examples = ("{cards: side == 'light', decks: [light]}",)
    sentences = {
        "ja": {"only": ("{card}は{owner}に入れられません：{title}。", "外してください。")},
        "en": {"only": ("{card} may not be in {owner}: {title}.", "Remove it.")},
    }

    def looks(self, subject: CardPool, rule: Rule) -> bool:
        return bool(subject.spots)

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        each = subject.by_card.values()
        if len(subject.fitting(each, self.cards, rule.where)) == len(each):
            return
        for spots in each:
            if not subject.fits(spots[0].card, self.cards, rule.where):
                card = describe_card(subject.game, spots[0].card, self.cards)
                values = {"card": card, "owner": subject.called, "title": rule.title}
                yield Fault(
                    spots[0].where,
                    "only",
                    values,
                    touches=tuple(spots),
                    off=len(spots),
                    steadfast=True,
                )

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield self.cards, names.of_pool_cards
