"""``deck_loadout``: what a printed deck holds is what is mounted."""

from collections.abc import Iterator
from typing import Annotated

from exporter.model.shape import (
    Doc,
    Ref,
    Word,
)
from exporter.rules.deck_subjects import unlike_mounted
from exporter.rules.kind import (
    Deck,
    Fault,
    Rule,
    RuleKind,
)


class DeckLoadout(RuleKind[Deck]):
    """The other cards that carry a variant's mark are those mounted in that loadout. A deck of the
    wrong size is left to that fault alone.

    ja: 改などの印のあるほかのカードは、その搭載で積んだもの。枚数の違うデッキは、枚数の違反だけを
    言う。
    """

    variant: Annotated[Word, Ref("variant"), Doc("the loadout that is compared", "比べる搭載")]

    examples = ("{variant: basic}",)
    sentences = {
        "ja": {
            "deck-loadout": (
                "{deck}の印{mark}と{variant}の搭載が違います: {difference}",
                "どちらかを直してください。",
            )
        },
        "en": {
            "deck-loadout": (
                "{deck}, mark {mark}: the deck and the {variant} loadout differ: {difference}",
                "Correct one of the two.",
            )
        },
    }

    def looks(self, subject: Deck, rule: Rule) -> bool:
        return subject.variant is not None and subject.variant.id == self.variant

    def faults(self, subject: Deck, rule: Rule) -> Iterator[Fault]:
        variant, bench = subject.variant, subject.bench
        if variant is None or bench is None or variant.id != self.variant:
            return
        idle, bare = unlike_mounted(subject, variant)
        if idle and idle.total() == bare.total():
            gap = [f"＋{card}×{count}" for card, count in idle.items()]
            gap += [f"−{card}×{count}" for card, count in bare.items()]
            values = {
                "deck": subject.title,
                "mark": variant.mark,
                "variant": variant.name,
                "difference": " ".join(gap),
            }
            yield Fault(bench.where, "deck-loadout", values)
