"""``together``: of some cards so many lie together."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated

from exporter.model import Card
from exporter.model.shape import Doc
from exporter.rules.kind import (
    Bench,
    CardSpot,
    Fault,
    OfEachCard,
    Rule,
)


class Together(OfEachCard[Bench]):
    """Of a card with `min_count` n (at most 99), n copies lie in every part that holds one; with
    `may_split` they are counted over all parts.

    ja: `min_count` が n のカードは（99まで）、ある部位すべてに n 枚ずつある。`may_split` なら全部
    位を合わせて数える。
    """

    splits: Annotated[
        str,
        Doc(
            "the field of cards that let the others in their part be split, too",
            "同じ部位のほかのカードも分けてよくする欄",
        ),
    ] = ""

    examples = ("{splits: splits_part}",)
    by_moving = True
    repeats = "min_count"
    sentences = {
        "ja": {
            "together-part": (
                "{card}は同じ部位に{needed}枚必要。{part}には{found}枚。",
                "同じ部位に集めるか、加えるか、外してください。",
            ),
            "together-all": (
                "{card}は合わせて{needed}枚必要。いまは{found}枚。",
                "加えるか、外してください。",
            ),
        },
        "en": {
            "together-part": (
                "{card} needs {needed} in one part; {part} holds {found}.",
                "Bring them together, add one, or remove them.",
            ),
            "together-all": (
                "{card} needs {needed} in all; there are {found}.",
                "Add one, or remove it.",
            ),
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return any(_needed(spot.card) > 1 for spot in subject.spots)

    def of_copies(self, subject: Bench, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        card, needed = spots[0].card, _needed(spots[0].card)
        if needed < 2:
            return
        groups: dict[str, list[CardSpot]] = {}
        for spot in spots:
            groups.setdefault(spot.part, []).append(spot)
        if all(len(group) >= needed for group in groups.values()):
            return
        if card.get("may_split") or any(one.part in groups for one in self._loosening(subject)):
            groups = {"": list(spots)}
        whole = (*spots, *subject.substitutes.get(card.id, ()))
        for part, group in groups.items():
            if len(group) < needed:
                found = {"card": card.name, "needed": needed, "found": len(group), "part": part}
                text = "together-part" if part else "together-all"
                yield Fault(group[0].where, text, found, touches=whole, missing=card, lack=True)

    def loosens(self, bench: Bench) -> Collection[str]:
        return ("number",) if any(True for _ in self._loosening(bench)) else ()

    def reaching_fields(self) -> tuple[str, ...]:
        return (self.splits,) if self.splits else ()

    def _loosening(self, bench: Bench) -> Iterator[CardSpot]:
        if self.splits:
            yield from (spot for spot in bench.spots if spot.card.get(self.splits))


def _needed(card: Card) -> int:
    value = card.get("min_count")
    return value if isinstance(value, int) else 0
