"""``slots``, ``empty_slots``: how many cards lie in a part, by its slots."""

from collections.abc import Collection, Iterator
from typing import Annotated

from exporter.core.problems import Severity
from exporter.model.shape import Doc
from exporter.rules.kind import (
    AllowedNames,
    Bench,
    Expression,
    Fault,
    FigureId,
    Rule,
    RuleKind,
)


class Slots(RuleKind[Bench]):
    """No part holds more cards than it has slots; the figures that have a `part` say how many.

    ja: どの部位にも、スロットより多くのカードはない。スロットの数は、`part` のある数値が決める。
    """

    weight: Annotated[
        Expression | None,
        Doc(
            "over a card's fields: how many slots it takes, by default one",
            "カードの欄についての式。スロットをいくつ使うか。なければ1つ",
        ),
    ] = None

    examples = ("{weight: size}",)
    by_moving = True
    before_exchange = True
    sentences = {
        "ja": {
            "slots": (
                "{part}に{found}枚、スロットは{allowed}。",
                "{over}枚をほかの部位へ移すか、外してください。",
            ),
            "slots-wide": (
                "{part}の札は{found}スロット分、あるのは{allowed}。",
                "{over}スロット分をほかの部位へ移すか、外してください。",
            ),
        },
        "en": {
            "slots": (
                "{part} holds {found} cards and has {allowed} slots.",
                "Move {over} elsewhere, or remove it.",
            ),
            "slots-wide": (
                "The cards in {part} take {found} slots; it has {allowed}.",
                "Move what takes {over} elsewhere, or remove it.",
            ),
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return bool(subject.slots)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        for part, allowed in subject.slots.items():
            taken = self._taken(subject, part, rule)
            if taken > allowed:
                found = {"part": part, "found": taken, "allowed": allowed, "over": taken - allowed}
                where = subject.build.places.get(part, subject.where)
                text = "slots" if self.weight is None else "slots-wide"
                yield Fault(where, text, found, touches=tuple(subject.by_part[part]))

    def by_fewer(self) -> bool:
        return self.weight is None

    def _taken(self, bench: Bench, part: str, rule: Rule) -> int:
        """Count how many slots the cards in a part take."""
        if self.weight is None:
            return len(bench.build.mounted.get(part, ()))
        spots = bench.by_part.get(part, ())
        return sum(bench.worth(spot.card, self.weight, rule.where) for spot in spots)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        if self.weight is not None:
            yield self.weight, names.of_pool_cards


class EmptySlots(RuleKind[Bench]):
    """Slots without a card are noticed, and are no fault: a figure counts them, a deck does not.

    ja: カードのないスロットを知らせる。違反ではない（数値には数え、デッキには入らない）。
    """

    name = "empty_slots"

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
