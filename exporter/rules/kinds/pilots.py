"""``pilots``, ``skills``, ``same_name``: who sits in a build, and with which skills."""

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
    Skill,
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


class Skills(RuleKind[Bench]):
    """No pilot has more than so many skills.

    ja: 1人のパイロットの技能の数に上限がある。
    """

    name = "skills"

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


class SameName(RuleKind[Bench]):
    """Skills whose names differ only in an ending count as one, which a pilot has once.

    ja: 名前の終わりだけが違う技能は同じもの。1人に1つまで。
    """

    name = "same_name"

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
