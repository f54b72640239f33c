"""``order``: who acts first."""

from collections.abc import Mapping
from typing import Annotated

from exporter.core.problems import nearest
from exporter.model.shape import (
    Doc,
    Word,
)
from exporter.rules.kind import Rule
from exporter.rules.play_rules import (
    OfPlay,
    Outcome,
    Situation,
)


class Order(OfPlay):
    """Who acts first goes by some names, one after the other, the highest first.

    ja: 誰から動くかを、名前の順に、大きいほうから決める。
    """

    by: Annotated[
        list[Word], Doc("names of what each of those in order is given", "並べるものの名前")
    ]
    ranks: Annotated[
        dict[str, list[Word]],
        Doc(
            "name that stands for a word → the words, the first of them first",
            "語を値にする名前 → 語。先に来るものから",
        ),
    ] = {}

    examples = ("{by: [種別, 速さ], ranks: {種別: [移動, 射撃]}}",)

    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        """Work out the order as places in the given list, from 1."""
        asked.allow({"mechs"})
        mechs = [asked.of(one) for one in asked.entries("mechs", Mapping, "list-of-mechs")]
        ranked = sorted(range(len(mechs)), key=lambda index: self._ranks(mechs[index]))
        return Outcome(tuple(index + 1 for index in ranked))

    def _ranks(self, mech: Situation) -> list[int]:
        """Find what sorts a mech among the others, the lowest first. Raises ``InvalidSource``."""
        found = []
        for name in self.by:
            words = self.ranks.get(name)
            if words is None:
                found.append(-mech.number(name, 0))
                continue
            word = mech.given.get(name, "".join(words[:1]))
            if word not in words:
                raise mech.refused(name, ", ".join(words), nearest(str(word), words))
            found.append(words.index(word))
        return found
