"""``printed_only``: the build is a printed loadout."""

from collections import Counter
from collections.abc import Iterator, Mapping

from exporter.rules.kind import (
    Bench,
    Fault,
    Rule,
    RuleKind,
)


class PrintedOnly(RuleKind[Bench]):
    """The build has the frame and the mounted cards of one of the printed loadouts.

    ja: 印刷された搭載のどれかと、機体タイプも積んだカードも同じ。
    """

    sentences = {
        "ja": {
            "printed-only": (
                "{build}は、印刷されたどの構成とも同じではありません。",
                "{nearest}が一番近いです。違い: {difference}",
            )
        },
        "en": {
            "printed-only": (
                "{build} equals no printed loadout.",
                "The nearest is {nearest}: {difference}",
            )
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return any(mech.loadouts and not mech.sample for mech in subject.game.mechs.values())

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        game, frame = subject.game, dict(subject.build.frame)
        mounted = Counter(spot.card.name for spot in subject.spots)
        closest: tuple[int, str, str] | None = None
        for mech in (one for one in game.mechs.values() if not one.sample):
            for variant, loadout in mech.loadouts.items():
                cards = (game.card(name) for part in loadout.mounted.values() for name in part)
                printed = Counter(card.name for card in cards if card is not None)
                same_frame = dict(loadout.frame) == frame
                if printed == mounted and same_frame:
                    return
                gap = sum(((printed - mounted) + (mounted - printed)).values())
                words = "" if same_frame else " ".join(loadout.frame.values()) + " "
                label = f"{mech.name} {game.variants[variant].name}"
                distance = gap + (0 if same_frame else 5)
                if closest is None or distance < closest[0]:
                    closest = (distance, label, words + _difference(mounted, printed))
        if closest is not None:
            _, nearest, difference = closest
            values = {"build": subject.name, "nearest": nearest, "difference": difference}
            yield Fault(subject.where, "printed-only", values, touches=subject.spots, lack=True)


def _difference(found: Mapping[str, int], wanted: Mapping[str, int]) -> str:
    """Write two counts against one another: ``＋A×1 −B×2`` is what the first has over the
    second."""
    parts = []
    for name in sorted({*found, *wanted}):
        over = found.get(name, 0) - wanted.get(name, 0)
        if over:
            parts.append(f"{'＋' if over > 0 else '−'}{name}×{abs(over)}")
    return " ".join(parts)
