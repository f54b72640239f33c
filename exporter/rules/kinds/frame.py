"""``frame``: a build names a frame that there is."""

from collections.abc import Iterator

from exporter.core.problems import SourceLocation
from exporter.model import Name
from exporter.rules.kind import (
    Fault,
    FrameChoice,
    Rule,
    RuleKind,
)


class Frame(RuleKind[FrameChoice]):
    """A build names a frame that there is. This is asked before anything else can be.

    ja: 実在する機体タイプを名指している。ほかの規則より先に調べる。
    """

    sentences = {
        "ja": {
            "frame": ("{found}という機体タイプはありません。", "使えるのは: {allowed}。"),
            "unsaid": (
                "機体タイプに{keys}がありません。",
                "`frame` に書き足してください：{allowed}。",
            ),
        },
        "en": {
            "frame": ("There is no frame {found}.", "Allowed: {allowed}."),
            "unsaid": ("The frame does not say its {keys}.", "Add under `frame`: {allowed}."),
        },
    }

    def looks(self, subject: FrameChoice, rule: Rule) -> bool:
        return bool(subject.game.frames)

    def faults(self, subject: FrameChoice, rule: Rule) -> Iterator[Fault]:
        if subject.unknown is not None:
            found, allowed = subject.unknown
            where = subject.build.places.get("frame", subject.build.where)
            if subject.missing:
                yield self._unsaid(subject, where)
                return
            values = {"found": found, "allowed": " / ".join(allowed)}
            yield Fault(where, "frame", values, steadfast=True)

    def _unsaid(self, subject: FrameChoice, where: SourceLocation) -> Fault:
        """Say that something is left out which chooses a frame."""
        missing, labels = subject.missing, subject.game.frame.names
        keys = Name(
            "・".join(labels.get(key, key) for key in missing), " and ".join(map(str, missing))
        )
        allowed = "; ".join(f"{key}: {' / '.join(words)}" for key, words in missing.items())
        return Fault(where, "unsaid", {"keys": keys, "allowed": allowed})
