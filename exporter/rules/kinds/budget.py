"""``budget``: a figure has a limit."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from exporter.rules.kind import Brought, Fault, FigureId, Number, OfDecks, Rule
from exporter.rules.totals import terms_text


class Budget(OfDecks[Brought]):
    """A figure has a limit. What weighs how much stands in its terms."""

    figure: Annotated[FigureId, Meta(description="what is limited")]
    limit: Annotated[
        Number | FigureId, Meta(description="the most that it may be, or the figure that says so")
    ]

    examples = ("{figure: 点数, limit: 100}", "{figure: 重さ, limit: 積載量}")
    by_skills = True
    sentences = {
        "ja": {
            "budget": ("{figure} {found}、上限は{allowed}。内訳: {terms}", "{over}減らす。"),
        },
        "en": {
            "budget": ("{figure} is {found}, the limit is {allowed}: {terms}", "Save {over}."),
        },
    }

    def looks(self, subject: Brought, rule: Rule) -> bool:
        return self.figure in subject.totals and self._allowed(subject) is not None

    def faults(self, subject: Brought, rule: Rule) -> Iterator[Fault]:
        total, allowed = subject.totals.get(self.figure), self._allowed(subject)
        if total is not None and allowed is not None and total.value > allowed:
            labels = {term.label.partition("×")[0] for term in total.terms}
            found = {
                "figure": total.figure.id,
                "found": total.value,
                "allowed": allowed,
                "over": total.value - allowed,
                "terms": terms_text(total.terms),
            }
            touches = tuple(spot for spot in subject.spots if spot.card.name in labels)
            yield Fault(subject.where, "budget", found, touches=touches)

    def _allowed(self, subject: Brought) -> int | None:
        """The limit, as far as it is known."""
        if isinstance(self.limit, int):
            return self.limit
        total = subject.totals.get(self.limit)
        return total.value if total else None
