"""``excludes``: of some cards there is one at most."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Literal

from exporter.model.shape import Doc
from exporter.rules.kind import (
    AllowedNames,
    Bench,
    CardPool,
    CardSpot,
    Expression,
    Fault,
    OfDecks,
    Rule,
)


class Excludes(OfDecks[CardPool]):
    """Of the cards that meet an expression there is one at most.

    ja: 式に当てはまるカードは1枚だけ。
    """

    cards: Annotated[
        Expression, Doc("of the cards that exclude one another", "互いに排除しあうカードの条件")
    ]
    within: Annotated[
        Literal["part", "build"],
        Doc("one in each part of a build, or one in all", "機体の部位ごとに1枚か、全体で1枚か"),
    ] = "build"
    by: Annotated[
        Literal["card", "name"],
        Doc(
            "each copy excludes the others, or cards of different names do",
            "1枚1枚が排除しあうか、名前の違うカードだけが排除しあうか",
        ),
    ] = "card"

    examples = (
        "{cards: family == 'punch', within: part}",
        "{cards: \"name in ('光の王', '闇の王')\", by: name, decks: [main]}",
    )
    by_moving = True
    before_exchange = True
    sentences = {
        "ja": {
            "excludes": ("{cards}は一緒に使えません（{within}）。", "どれか1枚だけにしてください。")
        },
        "en": {"excludes": ("{cards} exclude one another ({within}).", "Keep one of them.")},
    }

    def about(self, subject: CardPool) -> Sequence[CardPool]:
        if self.within == "part" and not isinstance(subject, Bench):
            return ()
        return super().about(subject)

    def looks(self, subject: CardPool, rule: Rule) -> bool:
        return subject.any_fits(self.cards, rule.where)

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        groups: dict[str, list[CardSpot]] = {}
        for spot in (*subject.spots, *subject.put_back):
            if subject.fits(spot.card, self.cards, rule.where):
                within = spot.part if self.within == "part" else subject.name
                groups.setdefault(within, []).append(spot)
        for within, spots in groups.items():
            each = [spot.card.name for spot in spots]
            if self.by == "name":
                each = list(dict.fromkeys(each))
            if len(each) > 1:
                names = "・".join(each)
                found = {"cards": names, "within": within}
                yield Fault(spots[-1].where, "excludes", found, touches=tuple(spots))

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        yield self.cards, names.of_pool_cards
