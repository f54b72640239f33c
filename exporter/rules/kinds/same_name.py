"""``same_name``: skills whose names count as one."""

from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import (
    Doc,
    Word,
)
from exporter.rules.kind import (
    Bench,
    Fault,
    Rule,
    RuleKind,
    Skill,
)


class SameName(RuleKind[Bench]):
    """Skills whose names differ only in an ending count as one, which a pilot has once.

    ja: 名前の終わりだけが違う技能は同じもの。1人に1つまで。
    """

    endings: Annotated[list[Word], Doc("those that make no difference", "違いにならない終わり")]

    examples = ("{endings: [Ⅰ, Ⅱ, Ⅲ]}",)
    sentences = {
        "ja": {
            "same-name": (
                "{cards}は同じ名とみなします。{owner}は1つしか持てません。",
                "1つだけにしてください。",
            )
        },
        "en": {"same-name": ("{cards} count as one; {owner} may have it once.", "Keep one.")},
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return bool(subject.skills)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        for pilot, owned in subject.by_pilot:
            groups: dict[str, list[Skill]] = {}
            for skill in owned:
                groups.setdefault(self._bare(skill.card.name), []).append(skill)
            for same in groups.values():
                if len(same) > 1:
                    names = "・".join(skill.card.name for skill in same)
                    values = {"cards": names, "owner": pilot.name}
                    yield Fault(same[1].where, "same-name", values, steadfast=True)

    def _bare(self, name: str) -> str:
        endings = sorted(self.endings, key=len, reverse=True)
        return next((name.removesuffix(end) for end in endings if name.endswith(end)), name)
