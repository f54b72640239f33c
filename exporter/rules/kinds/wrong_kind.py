"""``wrong_kind``: which kinds of card are mounted, and which are skills."""

from collections.abc import Iterator
from typing import Annotated

from exporter.core.problems import SourceLocation
from exporter.model import Card
from exporter.model.shape import Doc
from exporter.rules.kind import (
    Bench,
    CardKind,
    CardSpot,
    Fault,
    Rule,
    RuleKind,
)


class WrongKind(RuleKind[Bench]):
    """Only cards of some kinds are mounted, and only those of others are skills.

    ja: 積むのは決まった種類のカードだけ。技能も決まった種類だけ。
    """

    mounted: Annotated[list[CardKind], Doc("kinds of card that are mounted", "積めるカードの種類")]
    skills: Annotated[
        list[CardKind], Doc("kinds of card that are skills", "技能になるカードの種類")
    ] = []

    examples = ("{mounted: [weapon], skills: [skill]}",)
    sentences = {
        "ja": {
            "kind": (
                "{card}は{found}。ここに置けるのは{allowed}だけ。",
                "外すか、ほかの名に直してください。",
            )
        },
        "en": {
            "kind": ("{card} is a {found}; only {allowed} can stand here.", "Remove or correct it.")
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return bool(subject.spots or subject.skills)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        things: list[tuple[Card, SourceLocation, list[str], tuple[CardSpot, ...]]] = [
            *((spot.card, spot.where, self.mounted, (spot,)) for spot in subject.spots),
            *((skill.card, skill.where, self.skills, ()) for skill in subject.skills),
        ]
        kinds = subject.game.kinds
        for card, where, allowed, touches in things:
            if card.kind not in allowed:
                found = {
                    "card": card.name,
                    "found": kinds[card.kind].name,
                    "allowed": "・".join(str(kinds[kind].name) for kind in allowed),
                }
                yield Fault(where, "kind", found, touches=touches, steadfast=True)
