"""``pilots``: there is at most one pilot for each seat."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from exporter.rules.kind import Bench, Fault, Rule, RuleKind
from exporter.schema.shape import Whole, Word


class Pilots(RuleKind[Bench]):
    """There is at most one pilot for each seat."""

    option: Annotated[Word, Meta(description="the choice of the frame that says how many seats")]
    seats: Annotated[dict[str, Whole], Meta(description="word of that choice → seats")]

    examples = ("{option: seats, seats: {単座: 1, 複座: 2}}",)
    sentences = {
        "ja": {"pilots": ("パイロットが{found}人。席は{allowed}。", "{over}人減らしてください。")},
        "en": {
            "pilots": ("There are {found} pilots and {allowed} seats.", "Leave out {over}."),
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return bool(subject.build.pilots)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        allowed = self.seats.get(subject.build.frame.get(self.option, ""), 0)
        found = len(subject.build.pilots)
        if found > allowed:
            where = subject.build.pilots[allowed].where
            values = {"found": found, "allowed": allowed, "over": found - allowed}
            yield Fault(where, "pilots", values, steadfast=True)
