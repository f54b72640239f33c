"""``slots``: no part holds more cards than it has slots."""

from collections.abc import Iterator

from exporter.rules.kind import Bench, Fault, Rule, RuleKind


class Slots(RuleKind[Bench]):
    """No part holds more cards than it has slots; the figures that have a `part` say how many."""

    by_moving = True
    before_exchange = True
    sentences = {
        "ja": {
            "slots": (
                "{part}に{found}枚、スロットは{allowed}。",
                "{over}枚をほかの部位へ移すか、外す。",
            )
        },
        "en": {
            "slots": (
                "{part} holds {found} cards and has {allowed} slots.",
                "Move {over} elsewhere, or remove it.",
            )
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return bool(subject.slots)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        for part, allowed in subject.slots.items():
            held = len(subject.build.mounted.get(part, ()))
            if held > allowed:
                found = {"part": part, "found": held, "allowed": allowed, "over": held - allowed}
                where = subject.build.places.get(part, subject.where)
                yield Fault(where, "slots", found, touches=tuple(subject.by_part[part]))
