"""``budget``: a figure has a limit."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from exporter.rules.kind import Brought, Fault, FigureId, Number, Rule, RuleKind
from exporter.rules.totals import terms_text


class Budget(RuleKind[Brought]):
    """A figure has a limit. What weighs how much stands in its terms."""

    figure: Annotated[FigureId, Meta(description="what is limited")]
    limit: Annotated[Number, Meta(description="the most that it may be")]

    examples = ("{figure: 点数, limit: 100}",)
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
        return self.figure in subject.totals

    def faults(self, subject: Brought, rule: Rule) -> Iterator[Fault]:
        total = subject.totals.get(self.figure)
        if total is not None and total.value > self.limit:
            labels = {term.label.partition("×")[0] for term in total.terms}
            found = {
                "figure": total.figure.id,
                "found": total.value,
                "allowed": self.limit,
                "over": total.value - self.limit,
                "terms": terms_text(total.terms),
            }
            touches = tuple(spot for spot in subject.spots if spot.card.name in labels)
            yield Fault(subject.where, "budget", found, touches=touches)
