"""``figure``: printed or claimed figures are what their terms come to."""

from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import Doc
from exporter.rules.kind import (
    Bench,
    Fault,
    FigureId,
    Rule,
    RuleKind,
)


class Figures(RuleKind[Bench]):
    """What somebody prints or claims of figures is what their terms come to.

    ja: 印刷・申告された数値は、項の合計と同じ。
    """

    figures: Annotated[list[FigureId], Doc("those that are looked at", "調べる数値")]

    examples = ("{figures: [速さ, 重さ]}",)
    sentences = {
        "ja": {
            "figure": (
                "{figure}は{found}とあるが、計算では{value}。{total}",
                "数字か構成を直してください。",
            ),
        },
        "en": {
            "figure": (
                "{figure} is said to be {found}; it comes to {value}: {total}",
                "Correct the figure or the construction.",
            )
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return any(name in subject.claims and name in subject.totals for name in self.figures)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        for name in self.figures:
            claim, total = subject.claims.get(name), subject.totals.get(name)
            if claim is not None and total is not None and claim != total.value:
                values = {"figure": name, "found": claim, "value": total.value, "total": total}
                where = subject.build.places.get(f"printed.{name}", subject.where)
                yield Fault(where, "figure", values)
