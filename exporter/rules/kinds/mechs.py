"""``mechs``: how many printed mechs a box has."""

from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import (
    Doc,
    Ref,
    Whole,
    Word,
)
from exporter.rules.kind import (
    Box,
    Fault,
    Rule,
    RuleKind,
)


class MechsInBox(RuleKind[Box]):
    """A box has so many printed mechs, and each of them so many loadouts.

    ja: 箱に印刷された機体の数と、それぞれの搭載の数が決まっている。
    """

    edition: Annotated[Word, Ref("edition"), Doc("the box", "箱")]
    count: Annotated[Whole, Doc("how many mechs", "機体の数")]
    loadouts: Annotated[Whole | None, Doc("how many loadouts each has", "1機の搭載の数")] = None

    examples = ("{edition: base, count: 9, loadouts: 2}",)
    sentences = {
        "ja": {
            "mechs": (
                "{box}の機体は{found}（{mechs}）。決まりでは{wanted}。",
                "機体の`edition`か数を直してください。",
            ),
            "loadouts": ("{mech}の構成は{found}。決まりでは{wanted}。", "構成を直してください。"),
        },
        "en": {
            "mechs": (
                "{box} has {found} mechs ({mechs}); by the rules {wanted}.",
                "Correct their `edition`, or the number.",
            ),
            "loadouts": ("{mech} has {found} loadouts; by the rules {wanted}.", "Correct them."),
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        mechs = [mech for mech in subject.game.mechs.values() if mech.edition == self.edition]
        if len(mechs) != self.count:
            box = subject.game.editions[self.edition].name
            codes = ", ".join(mech.code for mech in mechs) or "—"
            values = {"box": box, "found": len(mechs), "mechs": codes, "wanted": self.count}
            yield Fault(subject.game.place("editions", self.edition, key=True), "mechs", values)
        for mech in mechs if self.loadouts is not None else ():
            if len(mech.loadouts) != self.loadouts:
                values = {"mech": mech.name, "found": len(mech.loadouts), "wanted": self.loadouts}
                yield Fault(mech.where, "loadouts", values)
