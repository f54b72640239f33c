"""``empty_slots``: slots without a card, a notice."""

from collections.abc import Iterator
from typing import Annotated

from exporter.core.problems import Severity
from exporter.model.shape import Doc
from exporter.rules.kind import (
    Bench,
    Fault,
    FigureId,
    Rule,
    RuleKind,
)


class EmptySlots(RuleKind[Bench]):
    """Slots without a card are noticed, and are no fault: a figure counts them, a deck does not.

    ja: カードのないスロットを知らせる。違反ではない（数値には数え、デッキには入らない）。
    """

    figure: Annotated[FigureId, Doc("counts slots as cards", "スロットをカードとして数える数値")]

    examples = ("{figure: 大きさ}",)
    sentences = {
        "ja": {
            "empty-slots": (
                "空きスロットがあります: {parts}。",
                "違反ではありません。デッキは{deck}枚、{figure}は{value}。",
            )
        },
        "en": {
            "empty-slots": (
                "There are empty slots: {parts}.",
                "This is legal. The deck has {deck} cards, {figure} is {value}.",
            )
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return bool(subject.slots) and self.figure in subject.totals

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        empty = {
            part: subject.slots.get(part, 0) - len(spots)
            for part, spots in subject.by_part.items()
            if len(spots) < subject.slots.get(part, 0)
        }
        total = subject.totals.get(self.figure)
        if empty and total is not None:
            found = {
                "parts": "・".join(f"{part}{count}" for part, count in empty.items()),
                "figure": self.figure,
                "value": total.value,
                "deck": total.value - sum(subject.slots.values()) + len(subject.spots),
            }
            yield Fault(subject.where, "empty-slots", found, Severity.NOTICE, lack=True)
