"""``slots``: no part holds more cards than it has slots."""

from collections.abc import Collection, Iterator
from typing import Annotated

from exporter.model.shape import Doc
from exporter.rules.kind import (
    AllowedNames,
    Bench,
    Expression,
    Fault,
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
            held = self._held(subject, part, rule)
            if held > allowed:
                found = {"part": part, "found": held, "allowed": allowed, "over": held - allowed}
                where = subject.build.places.get(part, subject.where)
                text = "slots" if self.weight is None else "slots-wide"
                yield Fault(where, text, found, touches=tuple(subject.by_part[part]))

    def by_fewer(self) -> bool:
        return self.weight is None

    def _held(self, bench: Bench, part: str, rule: Rule) -> int:
        """How many slots the cards in a part take."""
        if self.weight is None:
            return len(bench.build.mounted.get(part, ()))
        spots = bench.by_part.get(part, ())
        return sum(bench.worth(spot.card, self.weight, rule.where) for spot in spots)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        if self.weight is not None:
            yield self.weight, names.of_cards_brought
