"""``skills``: no pilot has more skills than allowed."""

from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import (
    Doc,
    Whole,
)
from exporter.rules.kind import (
    Bench,
    Fault,
    Rule,
    RuleKind,
)


class Skills(RuleKind[Bench]):
    """No pilot has more than so many skills.

    ja: 1人のパイロットの技能の数に上限がある。
    """

    most: Annotated[Whole, Doc("skills of one pilot", "1人の技能の数")]

    examples = ("{most: 2}",)
    sentences = {
        "ja": {
            "skills": ("{pilot}の技能が{found}個。{allowed}個まで。", "{over}個減らしてください。")
        },
        "en": {
            "skills": ("{pilot} has {found} skills; {allowed} are allowed.", "Remove {over}."),
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return bool(subject.skills)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        for pilot, owned in subject.by_pilot:
            if len(owned) > self.most:
                values = {
                    "pilot": pilot.name,
                    "found": len(owned),
                    "allowed": self.most,
                    "over": len(owned) - self.most,
                }
                yield Fault(owned[self.most].where, "skills", values, steadfast=True)
