"""``boxes``: cards need the box that they are in."""

from collections.abc import Iterator
from typing import Annotated

from exporter.core.problems import SourceLocation
from exporter.model import Card
from exporter.model.shape import (
    Doc,
    Ref,
)
from exporter.rules.kind import (
    CardPool,
    CardSpot,
    Fault,
    Rule,
    RuleKind,
)


class Boxes(RuleKind[CardPool]):
    """Cards of an `edition` need its box; so do skills, which are all in one.

    ja: `edition` のあるカードには、その箱が要る。技能も、すべて入っている1つの箱が要る。
    """

    skills_in: Annotated[
        str, Ref("edition"), Doc("the box of all skills", "技能の入っている箱")
    ] = ""

    examples = ("{skills_in: box2}",)
    sentences = {
        "ja": {
            "box": (
                "{card}は「{box}」の{kind}。持っている箱は{owned}。",
                "箱を足すか、外してください。",
            )
        },
        "en": {
            "box": (
                "{card} belongs to the box {box}; owned: {owned}.",
                "Add the box, or remove it.",
            )
        },
    }

    def looks(self, subject: CardPool, rule: Rule) -> bool:
        editions = {spot.card.text("edition") for spot in subject.spots}
        return not editions.isdisjoint(subject.game.editions) or bool(
            subject.skills and self.skills_in
        )

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        editions = subject.game.editions
        owned = "・".join(str(editions[name].name) for name in editions if name in subject.boxes)
        things: list[tuple[Card, SourceLocation, str, tuple[CardSpot, ...]]] = [
            *((one.card, one.where, one.card.text("edition"), (one,)) for one in subject.spots),
            *((one.card, one.where, self.skills_in, ()) for one in subject.skills),
        ]
        seen: set[str] = set()
        for card, where, edition, touches in things:
            if edition in editions and edition not in subject.boxes and card.id not in seen:
                seen.add(card.id)
                found = {
                    "card": card.name,
                    "box": editions[edition].name,
                    "owned": owned,
                    "kind": subject.game.kinds[card.kind].name,
                }
                yield Fault(where, "box", found, touches=touches, steadfast=True)
