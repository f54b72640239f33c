"""``limits``: a list of cards and skills that are banned or limited."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated, TypeAlias

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import (
    Card,
    Game,
    Name,
)
from exporter.model.shape import (
    Day,
    Doc,
    Ref,
    Shape,
    Short,
    Text,
    Whole,
    Wording,
    under,
)
from exporter.rules.kind import (
    CardPool,
    CardSpot,
    Fault,
    OfDecks,
    Rule,
    Skill,
)

CardName: TypeAlias = Annotated[str, Ref("card")]


class Limit(Shape, omit_defaults=True):
    """How many copies of a card are allowed, since when and why."""

    copies: Annotated[Whole, Doc("0 bans it", "0なら禁止")]
    since: Annotated[Day | None, Doc("the first day", "最初の日")] = None
    until: Annotated[Day | None, Doc("the last day", "最後の日")] = None
    reason: Annotated[Text, Doc("why", "理由")] = Wording()

    def holds_on(self, day: str) -> bool:
        """Say whether it holds on a day; where none is asked about, whether it does for good."""
        if not day:
            return self.until is None
        return (self.since or "") <= day <= (self.until or day)

    @property
    def why(self) -> Name:
        """Since when and why, in brackets, as far as that is known."""
        ja = "：".join(filter(None, [self.since and f"{self.since}から", self.reason.ja]))
        reason = self.reason.in_language("en")
        en = ": ".join(filter(None, [self.since and f"since {self.since}", reason]))
        return Name(f"（{ja}）" if ja else "", f" ({en})" if en else "")


class Limits(OfDecks[CardPool]):
    """A list of cards and skills with how many copies of each are allowed; 0 bans. A name stands
    for all cards that have it, so that reprints count; an id for one.

    ja: カードと技能ごとの枚数の上限。0 は禁止。名前なら同じ名前のカードすべて（再録も）、ID なら
    その1種類。
    """

    cards: Annotated[
        dict[CardName, Annotated[Limit, Short(under("copies", (str, int)), {"type": "integer"})]],
        Doc(
            "card or skill → copies, or `{copies: 0, since: 2026-04-01, reason: …}`; "
            "`until` ends it",
            "カードか技能 → 枚数、または `{copies: 0, since: 2026-04-01, reason: …}`"
            "。`until` で終わる",
        ),
    ] = {}

    examples = (
        "{cards: {竜: 0, 城: 2}}",
        "{cards: {竜: {copies: 0, since: 2026-04-01, reason: 強すぎる}}, decks: [main, side], "
        "together: true}",
    )
    sentences = {
        "ja": {
            "copies": ("{card}が{found}枚。{allowed}枚まで{why}。", "{over}枚を外してください。"),
            "limits-ban": ("{card}はこの大会で使えません{why}。", "外してください。"),
        },
        "en": {
            "copies": ("There are {found} {card}; {allowed} are allowed{why}.", "Remove {over}."),
            "limits-ban": ("{card} is banned here{why}.", "Remove it."),
        },
    }

    def looks(self, subject: CardPool, rule: Rule) -> bool:
        return bool(self.cards) and bool(subject.spots or subject.skills)

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        for name, limit in self.cards.items():
            if not limit.holds_on(subject.on):
                continue
            by_card = subject.by_card
            ids = [card.id for card in _called(subject.game, name)]
            spots = [spot for card in ids if card in by_card for spot in by_card[card]]
            skills = [skill for skill in subject.skills if skill.card.id in ids]
            allowed = limit.copies
            where: list[CardSpot | Skill] = [*spots, *skills]
            if len(where) <= allowed:
                continue
            values = {"card": where[0].card.name, "why": limit.why}
            if not allowed:
                copies = Counter(map(id, spots))  # those of one row of a deck are one and the same
                for spot in {id(spot): spot for spot in spots}.values():
                    off = copies[id(spot)]
                    found = values | {"over": off}
                    yield Fault(
                        spot.where, "limits-ban", found, touches=(spot,), off=off, steadfast=True
                    )
                for skill in skills:
                    yield Fault(skill.where, "limits-ban", values, steadfast=True)
                continue
            over = len(where) - allowed
            found = {**values, "found": len(where), "allowed": allowed, "over": over}
            yield Fault(
                where[allowed].where,
                "copies",
                found,
                touches=tuple(spots),
                off=over,
                steadfast=True,
            )

    def parameter_problems(self, at: Callable[..., SourceLocation]) -> Iterator[Problem]:
        for name, limit in self.cards.items():
            if limit.since and limit.until and limit.since > limit.until:
                where = at("cards", name, "until")
                yield problem_at(where, "SRC-VALUE", "limit-ends", name=name, until=limit.until)


def _called(game: Game, name: str) -> Sequence[Card]:
    """Find the card with this id, or all with this name."""
    if name in game.cards:
        return [game.cards[name]]

    def work() -> Sequence[Card]:
        return [card for card in game.cards.values() if card.name == name]

    return game.once(("called", name), work)
