"""What a build may be: its frame, what is mounted where, its figures, who sits in it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from exporter.core import grouped
from exporter.core.problems import Severity
from exporter.model import Card, Name
from exporter.model.rule_records import Placement
from exporter.model.shape import Doc, Whole, Word
from exporter.rules.figures import mounted_cards
from exporter.rules.kind import (
    CardKind,
    CardSpot,
    Expression,
    Fault,
    FigureId,
    FrameChoice,
    MountedBuild,
    OfEachCard,
    Rule,
    RuleKind,
    Skill,
    fault_at,
)


class Frame(RuleKind[FrameChoice]):
    """A build names a frame that there is. This is asked before anything else can be.

    ja: 実在する機体タイプを名指している。ほかの規則より先に調べる。
    """

    sentences = {
        "ja": {
            "frame": ("機体タイプ {found} はありません。", "使えるのは: {allowed}。"),
            "unsaid": (
                "機体タイプの{keys}が書かれていません。",
                "YAML では `frame` に、表ではその列に書いてください：{allowed}。",
            ),
        },
        "en": {
            "frame": ("There is no frame {found}.", "Allowed: {allowed}."),
            "unsaid": (
                "The frame needs its {keys}.",
                "Write it under `frame`, or in a table in that column: {allowed}.",
            ),
        },
    }

    def applies(self, subject: FrameChoice, rule: Rule) -> bool:
        return bool(subject.game.frames)

    def faults(self, subject: FrameChoice, rule: Rule) -> Iterator[Fault]:
        missing, labels = subject.missing, subject.game.frame.names
        where = subject.build.places.get("frame", subject.build.where)
        if subject.unknown is None:
            return
        if missing:
            ja = "・".join(labels.get(key, key) for key in missing)
            allowed = "; ".join(f"{key}: {' / '.join(words)}" for key, words in missing.items())
            yield fault_at(where, "unsaid", keys=Name(ja, " and ".join(missing)), allowed=allowed)
            return
        found, known = subject.unknown
        yield fault_at(where, "frame", found=found, allowed=" / ".join(known), steadfast=True)


class WrongKind(RuleKind[MountedBuild]):
    """Only cards of some kinds are mounted, and only those of others are skills.

    ja: 積むのは決まった種類のカードだけ。技能も決まった種類だけ。
    """

    mounted: Annotated[list[CardKind], Doc("kinds of card that are mounted", "積めるカードの種類")]
    skills: Annotated[
        list[CardKind], Doc("kinds of card that are skills", "技能になるカードの種類")
    ] = []

    examples = ("{mounted: [weapon], skills: [skill]}",)
    sentences = {
        "ja": {
            "kind": (
                "「{card}」は{found}です。ここに置けるのは{allowed}だけです。",
                "外すか、名前を直してください。",
            )
        },
        "en": {
            "kind": (
                "{card!r} is a {found}; only {allowed} can stand here.",
                "Remove or correct it.",
            )
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return bool(subject.spots or subject.skills)

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        kinds = subject.game.kinds
        things: list[CardSpot | Skill] = [*subject.spots, *subject.skills]
        for one in things:
            touches = (one,) if isinstance(one, CardSpot) else ()
            allowed = self.mounted if touches else self.skills
            if one.card.kind not in allowed:
                listed = "・".join(str(kinds[kind].name) for kind in allowed)
                found = kinds[one.card.kind].name
                yield fault_at(
                    one.where,
                    "kind",
                    card=one.card.name,
                    found=found,
                    allowed=listed,
                    touches=touches,
                    steadfast=True,
                )


class Slots(RuleKind[MountedBuild]):
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
    sentences = {
        "ja": {
            "slots": (
                "「{part}」に{found}枚積んでいますが、スロットは{allowed}です。",
                "{over}枚をほかの部位へ移すか、外してください。",
            ),
            "slots-wide": (
                "「{part}」の札は{found}スロット分ですが、スロットは{allowed}です。",
                "{over}スロット分をほかの部位へ移すか、外してください。",
            ),
        },
        "en": {
            "slots": (
                "{part!r} holds {found:card|cards} but has {allowed:slot|slots}.",
                "Move {over} elsewhere, or remove it.",
            ),
            "slots-wide": (
                "The cards on {part!r} take {found:slot|slots}, but it has {allowed}.",
                "Move what takes {over} elsewhere, or remove it.",
            ),
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return bool(subject.slots)

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        text = "slots" if self.weight is None else "slots-wide"
        for part, allowed in subject.slots.items():
            spots, taken = subject.by_part[part], len(subject.build.mounted.get(part, ()))
            if self.weight is not None:
                taken = sum(subject.worth(one.card, self.weight, rule.where) for one in spots)
            if taken > allowed:
                where = subject.build.places.get(part, subject.where)
                yield fault_at(
                    where,
                    text,
                    part=part,
                    found=taken,
                    allowed=allowed,
                    over=taken - allowed,
                    touches=spots,
                )

    def by_fewer(self) -> bool:
        return self.weight is None


class EmptySlots(RuleKind[MountedBuild]):
    """Slots without a card are noticed, and are no fault: a figure counts them, a deck does not.

    ja: カードのないスロットを知らせる。違反ではない（数値には数え、デッキには入らない）。
    """

    figure: Annotated[FigureId, Doc("counts slots as cards", "スロットをカードとして数える数値")]

    examples = ("{figure: 大きさ}",)
    sentences = {
        "ja": {
            "empty-slots": (
                "空きスロットがあります: {parts}。",
                "違反ではありません。デッキは{deck}枚、{figure}は{value}です。",
            )
        },
        "en": {
            "empty-slots": (
                "There are empty slots: {parts}.",
                "This is legal. The deck has {deck:card|cards}, {figure} is {value}.",
            )
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return bool(subject.slots) and self.figure in subject.totals

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        each, slots = subject.by_part.items(), subject.slots
        free = {part: slots.get(part, 0) - len(spots) for part, spots in each}
        empty = {part: count for part, count in free.items() if count > 0}
        total = subject.totals.get(self.figure)
        if empty and total is not None:
            deck = total.value - sum(slots.values()) + len(subject.spots)
            yield fault_at(
                subject.where,
                "empty-slots",
                figure=self.figure,
                value=total.value,
                deck=deck,
                parts="・".join(f"{part}×{count}" for part, count in empty.items()),
                severity=Severity.NOTICE,
                lack=True,
            )


class PlacementKind(OfEachCard[MountedBuild]):
    """Every card lies where the pattern of `placements` lets it that its `mount` names.

    ja: どのカードも、`mount` の指す `placements` の型どおりに積んである。
    """

    name = "placement"

    both_sets: Annotated[
        bool,
        Doc(
            "one card may use several alternatives of its pattern at once",
            "1枚で、型の選択肢をいくつも同時に使ってよい",
        ),
    ] = True

    examples = ("{both_sets: false}",)
    by_moving = True
    sentences = {
        "ja": {
            "place-part": (
                "「{card}」は「{part}」に積めません。搭載部位は「{pattern}」です。",
                "{allowed}へ移すか、外してください。",
            ),
            "place-frame": (
                "「{card}」はこの機体（{frame}）に積めません。搭載部位は「{pattern}」です。",
                "外してください。",
            ),
            "place-sets": (
                "「{card}」の搭載部位は「{pattern}」ですが、{found}に積んでいます。",
                "1組は{allowed}です。足りない部位へ移すか加え、余りは外してください。",
            ),
            "place-mixed": (
                "「{card}」を積めるのは「{allowed}」のうち1通りだけです（今は{found}）。",
                "ほかの組の札を外してください。",
            ),
            "place-least": (
                "「{card}」は{parts}に1枚必要ですが（搭載部位は「{pattern}」）、1枚もありません。",
                "1枚を{parts}へ移してください。",
            ),
            "place-most": (
                "「{card}」が「{part}」に{found}枚あります。搭載部位は「{pattern}」で、1部位に{allowed}枚までです。",
                "ほかの部位へ移すか、外してください。",
            ),
        },
        "en": {
            "place-part": (
                "{card!r} cannot be mounted on {part!r}; its placement is {pattern!r}.",
                "Move it to {allowed}, or remove it.",
            ),
            "place-frame": (
                "{card!r} cannot be mounted on this frame ({frame}); its placement is {pattern!r}.",
                "Remove it.",
            ),
            "place-sets": (
                "{card!r} is mounted {found}; its placement is {pattern!r}.",
                "One set is {allowed}: move or add what is missing, remove what is too many.",
            ),
            "place-mixed": (
                "{card!r} may be mounted in one of these ways alone: {allowed}. Now it is {found}.",
                "Keep one of these ways, and remove the other copies.",
            ),
            "place-least": (
                "{card!r} needs a copy on {parts} (its placement is {pattern!r}); there is none.",
                "Move one there.",
            ),
            "place-most": (
                "{part!r} holds {found} copies of {card!r}; its placement ({pattern!r}) allows "
                "{allowed} per part.",
                "Move it elsewhere, or remove it.",
            ),
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return any(subject.placement(spot.card) for spot in subject.spots)

    def of_copies(self, subject: MountedBuild, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        card = spots[0].card
        pattern = subject.placement(card)
        if pattern is None:
            return
        base: dict[str, Any] = {"card": card.name, "pattern": pattern.id}
        if pattern.frame and not subject.fits(card, pattern.frame, pattern.where):
            frame = " ".join(subject.build.frame.values())
            for spot in spots:
                yield fault_at(spot.where, "place-frame", **base, frame=frame, touches=(spot,))
            return
        counts = Counter(spot.part for spot in spots)
        outside = counts.keys() & set(subject.game.parts) - set(pattern.parts or counts)
        for spot in spots:
            if spot.part in outside:
                yield fault_at(
                    spot.where,
                    "place-part",
                    **base,
                    part=spot.part,
                    allowed="・".join(pattern.parts),
                    touches=(spot,),
                    steadfast=True,
                )
        if outside:
            return  # its sets would only say the same again
        yield from self._of_counts(subject, spots, pattern, counts)

    def _of_counts(
        self,
        subject: MountedBuild,
        spots: Sequence[CardSpot],
        pattern: Placement,
        counts: Mapping[str, int],
    ) -> Iterator[Fault]:
        """Find what is short of a set, or of a part where one must be, and what is too much."""
        card, where = spots[0].card, spots[0].where
        base: dict[str, Any] = {"card": card.name, "pattern": pattern.id}
        whole = (*spots, *subject.substitutes.get(card.id, ()))
        if text := self._wrong_sets(pattern, counts):
            allowed = " / ".join(_counted(one, "＋") for one in pattern.sets)
            yield fault_at(
                where,
                text,
                **base,
                found=_counted(counts, "・"),
                allowed=allowed,
                touches=whole,
                missing=card,
                lack=True,
            )
        if pattern.at_least and counts.keys().isdisjoint(pattern.at_least):
            yield fault_at(
                where,
                "place-least",
                **base,
                parts="・".join(pattern.at_least),
                touches=whole,
                missing=card,
                lack=True,
            )
        for part, count in counts.items():
            if count > (pattern.at_most or count):
                there = tuple(spot for spot in spots if spot.part == part)
                yield fault_at(
                    there[-1].where,
                    "place-most",
                    **base,
                    part=part,
                    found=count,
                    allowed=pattern.at_most,
                    touches=there,
                    steadfast=True,
                )

    def _wrong_sets(self, pattern: Placement, counts: Mapping[str, int]) -> str:
        """Say which sentence the sets of a card earn, if any."""
        times = [pattern.times(one, counts) for one in pattern.sets]
        if None in times:
            return "place-sets"
        return "place-mixed" if sum(map(bool, times)) > 1 and not self.both_sets else ""


def _counted(counts: Mapping[str, int], between: str) -> str:
    """Write parts as people say them: ``a2・b1``."""
    return between.join(f"{part}{count}" for part, count in counts.items())


class Together(OfEachCard[MountedBuild]):
    """Of a card with `min_count` n (at most 99), n copies lie in every part that holds one; with
    `may_split` they are counted over all parts.

    ja: `min_count` が n のカードは（99まで）、ある部位すべてに n 枚ずつある。`may_split` なら全部
    位を合わせて数える。
    """

    splits: Annotated[
        str,
        Doc(
            "the field of cards that let the others in their part be split, too",
            "同じ部位のほかのカードも分けてよくする欄",
        ),
    ] = ""

    examples = ("{splits: splits_part}",)
    by_moving = True
    repeats = "min_count"
    sentences = {
        "ja": {
            "together-part": (
                "「{card}」は同じ部位に{needed}枚必要ですが、「{part}」には{found}枚しかありません。",
                "同じ部位に集めるか、加えるか、外してください。",
            ),
            "together-all": (
                "「{card}」は合わせて{needed}枚必要ですが、{found}枚しかありません。",
                "足りない分を加えるか、外してください。",
            ),
        },
        "en": {
            "together-part": (
                "{card!r} needs {needed} copies on one part, but {part!r} has {found}.",
                "Bring them together, add one, or remove them.",
            ),
            "together-all": (
                "{card!r} needs {needed} copies in all, but {found:copy is|copies are} mounted.",
                "Add what is missing, or remove it.",
            ),
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return any(_needed(spot.card) > 1 for spot in subject.spots)

    def of_copies(self, subject: MountedBuild, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        card, needed = spots[0].card, _needed(spots[0].card)
        groups = grouped(spots if needed > 1 else (), lambda spot: spot.part)
        if all(len(group) >= needed for group in groups.values()):
            return
        loosening = (one.part for one in subject.spots if self.splits and one.card.get(self.splits))
        if card.get("may_split") or not groups.keys().isdisjoint(loosening):
            groups = {"": list(spots)}
        whole = (*spots, *subject.substitutes.get(card.id, ()))
        for part, group in groups.items():
            if len(group) < needed:
                text = "together-part" if part else "together-all"
                yield fault_at(
                    group[0].where,
                    text,
                    card=card.name,
                    needed=needed,
                    found=len(group),
                    part=part,
                    touches=whole,
                    missing=card,
                    lack=True,
                )

    def reaching_fields(self) -> tuple[str, ...]:
        return (self.splits,) if self.splits else ()


def _needed(card: Card) -> int:
    value = card.get("min_count")
    return value if isinstance(value, int) else 0


class Figure(RuleKind[MountedBuild]):
    """What somebody prints or claims of figures is what their terms come to.

    ja: 印刷・申告された数値は、項の合計と同じ。
    """

    figures: Annotated[list[FigureId], Doc("those that are looked at", "調べる数値")]

    examples = ("{figures: [速さ, 重さ]}",)
    sentences = {
        "ja": {
            "figure": (
                "{figure}は{found}と書かれていますが、計算すると{value}です（{total}）。",
                "数字か構成を直してください。",
            ),
        },
        "en": {
            "figure": (
                "{figure} is given as {found}, but comes to {value}: {total}.",
                "Correct the figure or the construction.",
            )
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return any(name in subject.claims and name in subject.totals for name in self.figures)

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        for name in self.figures:
            claim, total = subject.claims.get(name), subject.totals.get(name)
            if claim is not None and total is not None and claim != total.value:
                where = subject.build.places.get(f"printed.{name}", subject.where)
                yield fault_at(
                    where, "figure", figure=name, found=claim, value=total.value, total=total
                )


class PrintedOnly(RuleKind[MountedBuild]):
    """The build has the frame and the mounted cards of one of the printed loadouts.

    ja: 印刷された搭載のどれかと、機体タイプも積んだカードも同じ。
    """

    sentences = {
        "ja": {
            "printed-only": (
                "{build}と同じ構成は印刷されていません。",
                "{nearest}が一番近いです。違い: {difference}",
            )
        },
        "en": {
            "printed-only": (
                "{build} is not a printed loadout.",
                "The nearest is {nearest}: {difference}",
            )
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return any(mech.loadouts and not mech.sample for mech in subject.game.mechs.values())

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        game, frame = subject.game, dict(subject.build.frame)
        mounted, near = Counter(spot.card.name for spot in subject.spots), []
        for mech in [mech for mech in game.mechs.values() if not mech.sample]:
            for variant, build in mech.loadouts.items():
                printed = Counter(card.name for card in mounted_cards(game, build))
                more, less = mounted - printed, printed - mounted
                words = "" if dict(build.frame) == frame else " ".join(build.frame.values()) + " "
                gap = {name: mounted[name] - printed[name] for name in sorted({*more, *less})}
                each = (f"{'＋' if n > 0 else '−'}{name}×{abs(n)}" for name, n in gap.items())
                distance = more.total() + less.total() + 5 * bool(words)
                label = f"{mech.name} {game.variants[variant].name}"
                near.append((distance, label, words + " ".join(each)))
        if near and min(near)[0]:
            _, nearest, difference = min(near, key=lambda one: one[0])
            yield fault_at(
                subject.where,
                "printed-only",
                build=subject.name,
                nearest=nearest,
                difference=difference,
                touches=subject.spots,
                lack=True,
            )


class Pilots(RuleKind[MountedBuild]):
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
        "ja": {
            "pilots": (
                "パイロットが{found}人いますが、座席は{allowed}です。",
                "{over}人減らしてください。",
            )
        },
        "en": {
            "pilots": (
                "There are {found:pilot|pilots} for {allowed:seat|seats}.",
                "Remove {over}.",
            ),
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return bool(subject.build.pilots)

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        allowed = self.seats.get(subject.build.frame.get(self.option, ""), 0)
        pilots = subject.build.pilots
        if len(pilots) > allowed:
            yield fault_at(
                pilots[allowed].where,
                "pilots",
                found=len(pilots),
                allowed=allowed,
                over=len(pilots) - allowed,
                steadfast=True,
            )


class Skills(RuleKind[MountedBuild]):
    """No pilot has more than so many skills.

    ja: 1人のパイロットの技能の数に上限がある。
    """

    most: Annotated[Whole, Doc("skills of one pilot", "1人の技能の数")]

    examples = ("{most: 2}",)
    sentences = {
        "ja": {
            "skills": (
                "{pilot}の技能が{found}個あります（上限{allowed}個）。",
                "{over}個減らしてください。",
            )
        },
        "en": {
            "skills": (
                "{pilot} has {found:skill|skills}; the limit is {allowed}.",
                "Remove {over}.",
            ),
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return bool(subject.skills)

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        for pilot, owned in subject.by_pilot:
            over = len(owned) - self.most
            if over > 0:
                where = owned[self.most].where
                yield fault_at(
                    where,
                    "skills",
                    pilot=pilot.name,
                    found=len(owned),
                    allowed=self.most,
                    over=over,
                    steadfast=True,
                )


class SameName(RuleKind[MountedBuild]):
    """Skills whose names differ only in an ending count as one, which a pilot has once.

    ja: 名前の終わりだけが違う技能は同じもの。1人に1つまで。
    """

    endings: Annotated[list[Word], Doc("those that make no difference", "違いにならない終わり")]

    examples = ("{endings: [Ⅰ, Ⅱ, Ⅲ]}",)
    sentences = {
        "ja": {
            "same-name": (
                "{cards}は同じ技能として数えます。{owner}は1つしか持てません。",
                "1つだけにしてください。",
            )
        },
        "en": {"same-name": ("{cards} count as the same; {owner} may have it once.", "Keep one.")},
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return bool(subject.skills)

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        longest = sorted(self.endings, key=len, reverse=True)
        for pilot, owned in subject.by_pilot:
            groups = grouped(owned, lambda skill: _without_ending(skill.card.name, longest))
            for same in [group for group in groups.values() if len(group) > 1]:
                names = "・".join(skill.card.name for skill in same)
                yield fault_at(
                    same[1].where, "same-name", cards=names, owner=pilot.name, steadfast=True
                )


def _without_ending(name: str, endings: Sequence[str]) -> str:
    return name.removesuffix(next((end for end in endings if name.endswith(end)), ""))
