"""Rules of play: what comes of a given situation, and by which terms."""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Never, TypeAlias

from msgspec import Struct

from exporter.core.messages import (
    Sentence,
    Sentences,
    sentence,
)
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    as_written,
    error_at,
    nearest,
    problem_at,
)
from exporter.model import (
    Card,
    Game,
)
from exporter.model.shape import (
    Doc,
    Free,
    Shape,
    Word,
)
from exporter.rules.expressions import (
    Known,
    as_in_formulas,
    names_in,
    texts_for,
    whole,
)
from exporter.rules.figures import (
    CARD_NAMES,
    TermValue,
    amounts,
    card_value,
    terms_text,
)
from exporter.rules.kind import (
    AllowedNames,
    Expression,
    Fault,
    Rule,
    RuleKind,
    fault_at,
)

# What a situation may say besides the names that a rule asks for.
OF_CARDS = ("card", "cards", "with")
OF_DISTANCE = ("mode", "distance", "from", "to")

# What a name may stand for in a situation; truths are whole numbers too.
SCALARS = (int, str)


class Situation(Struct, frozen=True):
    """What is given to a rule of play, where a source says so, and the rules in force there.

    What it holds is asked for by what it is to be; whatever else is found there raises
    ``InvalidSource``.
    """

    game: Game
    rules: Mapping[str, Rule]
    given: Mapping[str, Any]
    where: SourceLocation

    def having(self, **more: Any) -> "Situation":
        """Find the same situation with some things otherwise."""
        return self.of({**self.given, **more})

    def of(self, given: Mapping[str, Any]) -> "Situation":
        """Find what is given there alone, in the same place."""
        return Situation(self.game, self.rules, given, self.where)

    def refused(
        self, name: str, allowed: Sentence | str, near: Sentence | str = ""
    ) -> InvalidSource:
        """Say that a thing is not what it should be."""
        found = found_text(self.given.get(name))
        words = {"name": name, "found": found, "allowed": allowed, "nearest": near}
        return error_at(self.where, "CASE", "given", **words)

    def allow(self, names: Collection[str]) -> None:
        """Refuses whatever no rule asks for: it would change nothing, and nobody would know."""
        known = {as_in_formulas(name) for name in names}
        for name in self.given:
            if as_in_formulas(name) not in known:
                raise error_at(
                    self.where,
                    "CASE",
                    "nothing-asks",
                    name=repr(name),
                    nearest=nearest(name, names),
                )

    def scalars(self) -> dict[str, int | str]:
        """Find what names stand for, without those that mean something else."""
        for name, value in self.given.items():
            if name not in (*OF_CARDS, *OF_DISTANCE) and not isinstance(value, SCALARS):
                raise self.refused(name, sentence("allowed", "scalar"))
        return {name: value for name, value in self.given.items() if isinstance(value, SCALARS)}

    def number(self, name: str, otherwise: int) -> int:
        """Read a whole number."""
        value = self.given.get(name, otherwise)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.refused(name, sentence("allowed", "whole-number"))
        return value

    def entries(self, name: str, sort: type = object, each: str = "some-list") -> list[Any]:
        """Read a list, each entry of one sort; nothing where it is not given."""
        value = self.given.get(name, ())
        if not isinstance(value, list | tuple) or not all(isinstance(one, sort) for one in value):
            raise self.refused(name, sentence("allowed", each))
        return list(value)

    def square(self, name: str) -> tuple[int, int]:
        """Read a column and a row."""
        value = self.given.get(name)
        if not isinstance(value, list | tuple) or [type(one) for one in value] != [int, int]:
            raise self.refused(name, sentence("allowed", "square"))
        return value[0], value[1]

    def card(self, name: str = "card") -> Card:
        """Find a card by its id or name."""
        value = self.given.get(name)
        if not isinstance(value, str | int):
            raise self.refused(name, sentence("allowed", "card"))
        return self.named(value)

    def cards(self, name: str) -> list[Card]:
        """Find cards by their ids or names."""
        return [self.named(one) for one in self.entries(name, each="list-of-cards")]

    def named(self, name: object) -> Card:
        """Find a card by its id or name."""
        card = self.game.card(str(name))
        if card is None:
            raise error_at(
                self.where,
                "CASE",
                "no-card",
                name=found_text(name),
                nearest=nearest(str(name), self.game.cards_by_name),
            )
        return card


def found_text(value: object) -> Sentence | str:
    """Find what was found, in a word or two."""
    match value:
        case None:
            return sentence("found", "nothing")
        case str():
            return repr(value if len(value) <= 60 else value[:59] + "…")
        case Mapping():
            return sentence("found", "some-keys")
        case list() | tuple():
            return sentence("found", "list", count=len(value))
    return as_written(value)


Given: TypeAlias = dict[str, Free]


class FormulaTerm(Shape):
    """One part of a sum."""

    label: Annotated[Word, Doc("what people call it", "呼び名")]
    value: Annotated[Expression, Doc("over the situation", "状況についての式")]


class Outcome(Struct, frozen=True):
    """What comes of a situation: a number, a text, a truth or an order; numbers have terms."""

    value: Known | tuple[int, ...]
    terms: tuple[TermValue, ...] = ()


class OfPlay(RuleKind[Never]):
    """A kind that looks at situations of play, which cases alone describe."""

    sentences: ClassVar[Sentences] = {
        "ja": {
            "play": (
                "{title}：例の claim は{found}ですが、規則では{value}になります。{terms}",
                "例か規則を直してください。",
            )
        },
        "en": {
            "play": (
                "{title}: the case claims {found}, but the rule gives {value}. {terms}",
                "Correct the case, or the rule.",
            ),
        },
    }

    @abstractmethod
    def outcome(self, asked: Situation, rule: Rule) -> Outcome:
        """Find what comes of a situation. Raises ``InvalidSource``."""


def names_for(asked: Situation, given: Mapping[str, Any]) -> dict[str, Known]:
    """Find the names that a formula sees: defaults, a card's fields, what is given, cards in
    use."""
    names: dict[str, Known] = dict(given)
    if "card" in asked.given:
        card = asked.card()
        names |= {name: card_value(card, name) for name in (*CARD_NAMES, *card.fields)}
    names |= asked.scalars()
    for card in asked.cards("with"):
        for name, amount in amounts(card, "play").items():
            before = names.get(name, 0)
            names[name] = amount + (before if isinstance(before, int) else 0)
    return names


def words_of_play(rules: Iterable[Rule]) -> dict[str, set[str]]:
    """Find the names that rules of play ask for, each with the texts that they compare it with, or
    that it has by itself."""
    found: dict[str, set[str]] = defaultdict(set)
    for kind in (rule.kind for rule in rules if isinstance(rule.kind, OfPlay)):
        for text, _ in kind.expressions(AllowedNames(frozenset(), {})):
            for name, texts in texts_for(text).items():
                found[name].update(filter(None, texts))
        for name, value in getattr(kind, "given", {}).items():
            found[as_in_formulas(name)].update({value} if isinstance(value, str) else ())
    return found


def names_wanted(given: Mapping[str, Any], texts: Iterable[str]) -> set[str]:
    """Find the names that formulas ask for, and those that have a value by themselves."""
    return {*given}.union(*map(names_in, texts))


def term_values(
    terms: Iterable[FormulaTerm], names: Mapping[str, Known], rule: Rule
) -> Iterator[TermValue]:
    """Work out terms over a situation. Raises ``InvalidSource``."""
    for term in terms:
        yield TermValue(term.label, whole(term.value, names, rule.where), rule.cites)


def given_problems(given: Mapping[str, Any], where: SourceLocation) -> Iterator[Problem]:
    """Find names that stand for what nothing can be worked out with."""
    for name, value in given.items():
        if not isinstance(value, SCALARS) and name != "with":
            allowed = sentence("allowed", "scalar")
            found = found_text(value)
            yield problem_at(
                where, "EXPRESSION", "given-found-allowed", name=name, found=found, allowed=allowed
            )


def outcome_text(value: object) -> str:
    """Write an outcome as people read it."""
    if isinstance(value, bool):
        return "○" if value else "×"
    if isinstance(value, list | tuple):
        return "→".join(map(str, value)) if len(value) != 1 else f"[{value[0]}]"
    return str(value)


def _claimed(value: object) -> Sentence | str:
    """Write an outcome as a case's file does."""
    if isinstance(value, bool):
        return sentence("claim", "yes" if value else "no")
    return outcome_text(value)


def check_claim(asked: Situation, rule: Rule, claim: object) -> Iterator[Fault]:
    """Check that a claim about a situation is what the rule makes of it.

    Raises ``InvalidSource`` where the rule cannot be asked this, or nothing is claimed.
    """
    where, kind = asked.where, rule.kind
    if not isinstance(kind, OfPlay):
        key = "left-to-people" if kind is None else "not-of-play"
        raise error_at(where, "CASE", key, asked=rule.id)
    try:
        outcome = kind.outcome(asked, rule)
    except InvalidSource as error:  # what a rule stumbles over is placed where it was asked
        raise InvalidSource(
            one
            if one.where == where
            else problem_at(where, "CASE", "cannot-be-asked", asked=rule.id, why=one.sentence)
            for one in error.problems
        ) from None
    value = outcome.value
    places = claim if isinstance(claim, list) else []
    if not isinstance(claim, int | float | str | list) or any(
        type(one) is not int for one in places
    ):
        raise error_at(where, "CASE", "claim-found-allowed", found=found_text(claim))
    same = tuple(claim) == value if isinstance(claim, list) else claim == value
    if not same or isinstance(claim, bool) != isinstance(value, bool):
        yield fault_at(
            where,
            "play",
            title=rule.title,
            found=_claimed(claim),
            value=_claimed(value),
            terms=terms_text(outcome.terms),
        )
