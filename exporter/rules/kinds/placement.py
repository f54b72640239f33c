"""``placement``: every card lies where its mount pattern lets it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

from exporter.model.rule_records import Placement
from exporter.model.shape import Doc
from exporter.rules.kind import (
    Bench,
    CardSpot,
    Fault,
    OfEachCard,
    Rule,
)
from exporter.rules.subjects import counted


class Placements(OfEachCard[Bench]):
    """Every card lies where the pattern of `placements` lets it that its `mount` names.

    ja: どのカードも、`mount` の指す `placements` の型どおりに積んである。
    """

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
                "{card}は{part}に積めません。搭載部位は「{pattern}」。",
                "{allowed}へ移すか、外してください。",
            ),
            "place-frame": (
                "{card}はこの機体（{frame}）に積めません。搭載部位は「{pattern}」。",
                "外してください。",
            ),
            "place-sets": (
                "{card}の搭載部位は「{pattern}」だが、{found}に積んでいます。",
                "1組は{allowed}。足りないところへ移すか加え、余りは外してください。",
            ),
            "place-mixed": (
                "{card}の搭載部位は「{pattern}」で、2通りを同時には使えません。いまは{found}。",
                "どちらかの組だけにしてください。",
            ),
            "place-least": (
                "{card}は{parts}に1枚もありません。搭載部位は「{pattern}」。",
                "1枚を{parts}へ移してください。",
            ),
            "place-most": (
                "{card}が{part}に{found}枚。搭載部位は「{pattern}」、1部位に{allowed}枚まで。",
                "ほかの部位へ移すか、外してください。",
            ),
        },
        "en": {
            "place-part": (
                "{card} cannot be mounted on {part}; its placement is {pattern}.",
                "Move it to {allowed}, or remove it.",
            ),
            "place-frame": (
                "{card} cannot be mounted on this frame ({frame}); its placement is {pattern}.",
                "Remove it.",
            ),
            "place-sets": (
                "{card} is mounted {found}; its placement is {pattern}.",
                "One set is {allowed}: move or add what is short, remove what is over.",
            ),
            "place-mixed": (
                "{card} uses both alternatives of {pattern} at once: {found}.",
                "Keep only one of the two.",
            ),
            "place-least": (
                "{card} has no copy on {parts}; its placement is {pattern}.",
                "Move one there.",
            ),
            "place-most": (
                "{part} holds {found} {card}; by its placement {pattern} at most {allowed} a part.",
                "Move it elsewhere, or remove it.",
            ),
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return any(subject.placement(spot.card) for spot in subject.spots)

    def of_copies(self, subject: Bench, spots: Sequence[CardSpot]) -> Iterator[Fault]:
        card = spots[0].card
        pattern = subject.placement(card)
        if pattern is None:
            return
        base = {"card": card.name, "pattern": pattern.id}
        if pattern.frame and not subject.fits(card, pattern.frame, pattern.where):
            frame = " ".join(subject.build.frame.values())
            for spot in spots:
                yield Fault(spot.where, "place-frame", {**base, "frame": frame}, touches=(spot,))
            return
        known = [spot for spot in spots if spot.part in subject.game.parts]
        outside = [spot for spot in known if pattern.parts and spot.part not in pattern.parts]
        for spot in outside:
            found = {**base, "part": spot.part, "allowed": "・".join(pattern.parts)}
            yield Fault(spot.where, "place-part", found, touches=(spot,), steadfast=True)
        if not outside:  # else its sets would only say the same again
            yield from self._of_sets(subject, spots, pattern, base)
        if not outside and pattern.at_most:
            yield from _too_many(spots, pattern.at_most, base)

    def _of_sets(
        self,
        subject: Bench,
        spots: Sequence[CardSpot],
        pattern: Placement,
        base: Mapping[str, str],
    ) -> Iterator[Fault]:
        """Find what is short of a set, or of a part where one must be."""
        card, where = spots[0].card, spots[0].where
        whole = (*spots, *subject.substitutes.get(card.id, ()))
        if text := self._wrong_sets(pattern, spots):
            allowed = " / ".join(map(_set_text, pattern.sets))
            found = {**base, "found": counted(spots), "allowed": allowed}
            yield Fault(where, text, found, touches=whole, missing=card, lack=True)
        if pattern.at_least and not any(spot.part in pattern.at_least for spot in spots):
            found = {**base, "parts": "・".join(pattern.at_least)}
            yield Fault(where, "place-least", found, touches=whole, missing=card, lack=True)

    def _wrong_sets(self, pattern: Placement, spots: Sequence[CardSpot]) -> str:
        """Say which sentence the sets of a card earn, if any."""
        if not pattern.sets:
            return ""
        counts = Counter(spot.part for spot in spots)
        used = 0
        for one in pattern.sets:
            times = pattern.times(one, counts)
            if times is None:
                return "place-sets"
            used += times > 0
        return "place-mixed" if used > 1 and not self.both_sets else ""


def _too_many(spots: Sequence[CardSpot], most: int, base: Mapping[str, str]) -> Iterator[Fault]:
    """Find parts on which more lie than a part may hold of the card."""
    for part, count in Counter(spot.part for spot in spots).items():
        if count > most:
            there = tuple(spot for spot in spots if spot.part == part)
            found = {**base, "part": part, "found": count, "allowed": most}
            yield Fault(there[-1].where, "place-most", found, touches=there, steadfast=True)


def _set_text(parts: Mapping[str, int]) -> str:
    return "＋".join(f"{part}{count}" for part, count in parts.items())
