"""``copies``: no card is brought more often than it may be."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated, Literal

from exporter.model.shape import (
    Doc,
    Ref,
    Whole,
)
from exporter.rules.kind import (
    AllowedNames,
    CardPool,
    CardSpot,
    Expression,
    Fault,
    OfDecks,
    OfEachCard,
    Rule,
)


class Copies(OfDecks[CardPool], OfEachCard[CardPool]):
    """No card is brought more often than a field of it says, or a number for all.

    ja: どのカードも、欄に書いてある枚数か、共通の枚数を超えて持ち寄らない。
    """

    field: Annotated[str, Ref("field"), Doc("of the card: how often", "カードの欄。何枚まで")] = ""
    most: Annotated[
        Whole | None,
        Doc("instead of a field: how often any card", "欄の代わりに：どのカードも何枚まで"),
    ] = None
    by: Annotated[
        Literal["id", "name"],
        Doc(
            "what is one card: by `name`, a reprint counts too",
            "何を1種類と数えるか。`name` なら再録も同じ",
        ),
    ] = "id"
    cards: Annotated[
        Expression | None, Doc("of the cards that are limited", "制限するカードの条件")
    ] = None

    examples = ("{field: copies_in_box}", "{most: 3, by: name, cards: not basic, decks: [main]}")
    sentences = {
        "ja": {"copies": ("{card}が{found}枚。{allowed}枚まで。", "{over}枚を外してください。")},
        "en": {"copies": ("There are {found} {card}; {allowed} are allowed.", "Remove {over}.")},
    }

    def looks(self, subject: CardPool, rule: Rule) -> bool:
        return any(self._allowed(spots[0]) is not None for spots in self._limited(subject, rule))

    def groups(self, subject: CardPool, rule: Rule) -> Iterable[Sequence[CardSpot]]:
        if self.by == "id":
            return self._limited(subject, rule)
        groups: dict[str, list[CardSpot]] = {}
        for spots in self._limited(subject, rule):
            groups.setdefault(spots[0].card.name, []).extend(spots)
        return groups.values()

    def _limited(self, subject: CardPool, rule: Rule) -> Iterable[Sequence[CardSpot]]:
        """Find the copies of each card that is limited at all."""
        each = subject.before.values()
        if self.cards is None:
            return each
        return subject.fitting(each, self.cards, rule.where)

    def of_copies(self, subject: CardPool, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        allowed = self._allowed(spots[0])
        if allowed is not None and len(spots) > allowed:
            found = {
                "card": spots[0].card.name,
                "found": len(spots),
                "allowed": allowed,
                "over": len(spots) - allowed,
            }
            where = spots[allowed].where
            over = len(spots) - allowed
            yield Fault(where, "copies", found, touches=tuple(spots), off=over, steadfast=True)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        if self.cards is not None:
            yield self.cards, names.of_pool_cards

    def _allowed(self, spot: CardSpot) -> int | None:
        if self.most is not None:
            return self.most
        value = spot.card.get(self.field)
        return value if isinstance(value, int) else None
