"""``pilots``: there is at most one pilot for each seat."""

from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import (
    Doc,
    Whole,
    Word,
)
from exporter.rules.kind import (
    Bench,
    Fault,
    Rule,
    RuleKind,
)


class Pilots(RuleKind[Bench]):
    """There is at most one pilot for each seat.

    ja: パイロットは1つの座席に1人まで。
    """

    option: Annotated[
        Word,
        Doc(
            "the choice of the frame that says how many seats", "座席の数を決める、機体タイプの選択"
        ),
    ]
    seats: Annotated[
        dict[str, Whole], Doc("word of that choice → seats", "その選択の語 → 座席の数")
    ]

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
