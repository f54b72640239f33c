"""``budget``: a figure has a limit."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

from exporter.model.shape import Doc
from exporter.rules.figures import (
    TermValue,
    terms_text,
)
from exporter.rules.kind import (
    CardPool,
    CardSpot,
    Fault,
    FigureId,
    Number,
    OfDecks,
    Rule,
)

MOST_TERMS = 8
"""Terms of a sum that a message lists; of more, those that weigh most."""


class Budget(OfDecks[CardPool]):
    """A figure has a limit. What weighs how much stands in its terms.

    ja: 数値に上限がある。何がどれだけかは、その項に書く。
    """

    figure: Annotated[FigureId, Doc("what is limited", "上限のある数値")]
    limit: Annotated[
        Number | FigureId,
        Doc("the most that it may be, or the figure that says so", "上限。または上限を言う数値"),
    ]

    examples = ("{figure: 点数, limit: 100}", "{figure: 重さ, limit: 積載量}")
    by_skills = True
    sentences = {
        "ja": {
            "budget": (
                "{figure} {found}、上限は{allowed}。内訳: {terms}",
                "{over}減らしてください。",
            ),
        },
        "en": {
            "budget": ("{figure} is {found}, the limit is {allowed}: {terms}", "Save {over}."),
        },
    }

    def looks(self, subject: CardPool, rule: Rule) -> bool:
        return self.figure in subject.totals and self._allowed(subject) is not None

    def faults(self, subject: CardPool, rule: Rule) -> Iterator[Fault]:
        total, allowed = subject.totals.get(self.figure), self._allowed(subject)
        if total is not None and allowed is not None and total.value > allowed:
            labels = {term.label.partition("×")[0] for term in total.terms}
            found = {
                "figure": total.figure.id,
                "found": total.value,
                "allowed": allowed,
                "over": total.value - allowed,
                "terms": _heaviest(total.terms),
            }
            touches = tuple(spot for spot in subject.spots if spot.card.name in labels)
            off = _least(touches, total.terms, total.value - allowed)
            yield Fault(subject.where, "budget", found, touches=touches, off=off)

    def _allowed(self, subject: CardPool) -> int | None:
        """Find the limit, as far as it is known."""
        if isinstance(self.limit, int):
            return self.limit
        total = subject.totals.get(self.limit)
        return total.value if total else None


def _heaviest(terms: Sequence[TermValue]) -> str:
    """Write a sum, or the terms that weigh most and how many others there are."""
    if len(terms) <= MOST_TERMS:
        return terms_text(terms)
    most = sorted(terms, key=lambda term: -term.value)[: MOST_TERMS - 2]
    return f"{terms_text(most)} + … ({len(terms) - len(most)})"


def _least(spots: Sequence[CardSpot], terms: Sequence[TermValue], over: int) -> int:
    """Count how many cards must go at the least to save so much."""
    copies = Counter(spot.card.name for spot in spots)
    each = {term.label.partition("×")[0]: term.value for term in terms}
    weights = sorted(
        (-(-each[name] // count) for name, count in copies.items() for _ in range(count)),
        reverse=True,
    )
    for number, weight in enumerate(weights, 1):
        over -= weight
        if over <= 0:
            return number
    return 1
