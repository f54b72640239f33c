"""``limits``: a list of cards and skills that are banned or limited."""

from collections.abc import Iterator
from typing import Annotated, TypeAlias

from msgspec import Meta

from exporter.rules.kind import Brought, Fault, OfDecks, Rule
from exporter.schema.shape import Ref, Whole

CardName: TypeAlias = Annotated[str, Ref("card")]


class Limits(OfDecks[Brought]):
    """A list of cards and skills with how many copies of each are allowed; 0 bans."""

    cards: Annotated[dict[CardName, Whole], Meta(description="card or skill → copies")] = {}

    examples = ("{cards: {竜: 0, 城: 2}}", "{cards: {城: 1}, decks: [side]}")
    sentences = {
        "ja": {
            "copies": ("{card}が{found}枚。{allowed}枚まで。", "{over}枚を外す。"),
            "limits-ban": ("{card}はこの大会で使えない。", "外す。"),
        },
        "en": {
            "copies": ("There are {found} {card}; {allowed} are allowed.", "Remove {over}."),
            "limits-ban": ("{card} is banned here.", "Remove it."),
        },
    }

    def looks(self, subject: Brought, rule: Rule) -> bool:
        return bool(self.cards) and bool(subject.spots or subject.skills)

    def faults(self, subject: Brought, rule: Rule) -> Iterator[Fault]:
        for name, allowed in self.cards.items():
            card = subject.game.card(name)
            if card is None:
                continue
            spots = subject.by_card.get(card.id, [])
            skills = [skill for skill in subject.skills if skill.card.id == card.id]
            banned = {"card": card.name}
            if not allowed:
                for spot in spots:
                    yield Fault(spot.where, "limits-ban", banned, touches=(spot,), steadfast=True)
                for skill in skills:
                    yield Fault(skill.where, "limits-ban", banned, steadfast=True)
                continue
            places = [*(spot.where for spot in spots), *(skill.where for skill in skills)]
            if len(places) > allowed:
                over = len(places) - allowed
                found = {**banned, "found": len(places), "allowed": allowed, "over": over}
                where = places[allowed]
                yield Fault(where, "copies", found, touches=tuple(spots), steadfast=True)
