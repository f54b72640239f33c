"""``laid``: how an item of a layout begins."""

from collections.abc import Callable, Iterator
from typing import Annotated

from msgspec import Meta

from exporter.model import Item
from exporter.problems import Problem, Where, told
from exporter.rules.kind import Box, Fault, Rule, RuleKind
from exporter.schema.shape import Count, Ref, Word


class Laid(RuleKind[Box]):
    """An item of a layout is laid as the rulebook says: so many of it, with so many sides, that one
    up, sliders that begin so."""

    layout: Annotated[Word, Ref("layout"), Meta(description="where it lies")]
    item: Annotated[Word, Meta(description="its name, as layouts.yaml has it")]
    count: Annotated[Count | None, Meta(description="how many of it")] = None
    sides: Annotated[list[Word], Meta(description="the sides of a die")] = []
    up: Annotated[str, Meta(description="the side that lies up")] = ""
    sliders: Annotated[dict[str, Word], Meta(description="label → `current/maximum`")] = {}

    examples = ("{layout: seat, item: 資金, up: '5', sides: ['1', '2', '3', '4', '5', '6']}",)
    sentences = {
        "ja": {
            "laid": ("{item}の{what}は{found}。決まりでは{wanted}。", "直してください。"),
            "not-laid": (
                "配置{layout}に{item}がありません。",
                "加えるか、規則の名前を直してください。",
            ),
        },
        "en": {
            "laid": ("{what} of {item}: found {found}; by the rules {wanted}.", "Correct it."),
            "not-laid": (
                "The layout {layout} lays no {item}.",
                "Add it, or correct the name in the rule.",
            ),
        },
    }

    def faults(self, subject: Box, rule: Rule) -> Iterator[Fault]:
        layout = subject.game.layouts.get(self.layout)
        items = [item for item in layout.items if item.name == self.item] if layout else []
        if not items:
            values = {"layout": self.layout, "item": self.item}
            yield Fault(layout.where if layout else rule.where, "not-laid", values)
        for item in items:
            for what, found, wanted, where in self._compared(item):
                if found != wanted:
                    values = {"item": self.item, "what": what, "found": found, "wanted": wanted}
                    yield Fault(where, "laid", values)

    def _compared(self, item: Item) -> Iterator[tuple[str, str, str, Where]]:
        """What is laid, what should be, and where that stands."""
        if self.count is not None:
            yield "count", str(item.count), str(self.count), item.place("count")
        if self.sides:
            yield "sides", "・".join(item.sides), "・".join(self.sides), item.place("sides")
        if self.up:
            yield "up", item.up, self.up, item.place("up")
        for label, value in self.sliders.items():
            yield label, item.sliders.get(label, "—"), value, item.place("sliders", label)

    def wrong(self, at: Callable[..., Where]) -> Iterator[Problem]:
        if self.count is None and not (self.sides or self.up or self.sliders):
            yield told(at(), "SRC-KEY", "laid-nothing")
