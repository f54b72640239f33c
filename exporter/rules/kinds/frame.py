"""``frame``: a build names a frame that there is."""

from collections.abc import Iterator

from exporter.rules.kind import Fault, FrameChoice, Rule, RuleKind


class Frame(RuleKind[FrameChoice]):
    """A build names a frame that there is. This is asked before anything else can be.

    ja: 実在する機体タイプを名指している。ほかの規則より先に調べる。
    """

    sentences = {
        "ja": {"frame": ("{found}という機体タイプはありません。", "使えるのは: {allowed}。")},
        "en": {"frame": ("There is no frame {found}.", "Allowed: {allowed}.")},
    }

    def looks(self, subject: FrameChoice, rule: Rule) -> bool:
        return bool(subject.game.frames)

    def faults(self, subject: FrameChoice, rule: Rule) -> Iterator[Fault]:
        if subject.unknown is not None:
            found, allowed = subject.unknown
            where = subject.build.places.get("frame", subject.build.where)
            values = {"found": found, "allowed": " / ".join(allowed)}
            yield Fault(where, "frame", values, steadfast=True)
