"""What a situation of play says: each thing in it looked at before a rule reckons with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from exporter.core.messages import (
    Sentence,
    sentence,
)
from exporter.core.problems import (
    InvalidSource,
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
from exporter.rules.expressions import as_asked

if TYPE_CHECKING:
    from exporter.rules.kind import Rule

OF_CARDS = ("card", "cards", "with")
OF_DISTANCE = ("mode", "distance", "from", "to")
"""What a situation may say besides the names that a rule asks for."""

SCALARS = (int, str)
"""What a name may stand for in a situation; truths are whole numbers too."""


class Situation(Struct, frozen=True):
    """What is given to a rule of play, where a source says so, and the rules in force there.

    What it holds is asked for by what it is to be; whatever else is found there raises
    ``InvalidSource``.
    """

    game: Game
    rules: Mapping[str, Rule]
    given: Mapping[str, Any]
    where: SourceLocation

    def having(self, **more: Any) -> Situation:
        """The same situation with some things otherwise."""
        return self.of({**self.given, **more})

    def of(self, given: Mapping[str, Any]) -> Situation:
        """What is given there alone, in the same place."""
        return Situation(self.game, self.rules, given, self.where)

    def refused(
        self, name: str, allowed: Sentence | str, near: Sentence | str = ""
    ) -> InvalidSource:
        """That a thing is not what it should be."""
        problem = problem_at(
            self.where,
            "CASE",
            "given",
            name=name,
            found=found_text(self.given.get(name)),
            allowed=allowed,
            nearest=near,
        )
        return InvalidSource([problem])

    def allow(self, names: Collection[str]) -> None:
        """Refuses whatever no rule asks for: it would change nothing, and nobody would know."""
        known = {as_asked(name) for name in names}
        for name in self.given:
            if as_asked(name) not in known:
                raise error_at(
                    self.where,
                    "CASE",
                    "nothing-asks",
                    name=repr(name),
                    nearest=nearest(name, names),
                )

    def scalars(self) -> dict[str, int | str]:
        """What names stand for, without those that mean something else."""
        for name, value in self.given.items():
            if name not in (*OF_CARDS, *OF_DISTANCE) and not isinstance(value, SCALARS):
                raise self.refused(name, sentence("allowed", "scalar"))
        return {name: value for name, value in self.given.items() if isinstance(value, SCALARS)}

    def number(self, name: str, otherwise: int) -> int:
        """A whole number."""
        value = self.given.get(name, otherwise)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.refused(name, sentence("allowed", "whole-number"))
        return value

    def entries(self, name: str, sort: type = object, each: str = "some-list") -> list[Any]:
        """A list, each entry of one sort; nothing where it is not given."""
        value = self.given.get(name, ())
        if not isinstance(value, list | tuple) or not all(isinstance(one, sort) for one in value):
            raise self.refused(name, sentence("allowed", each))
        return list(value)

    def square(self, name: str) -> tuple[int, int]:
        """A column and a row."""
        value = self.given.get(name)
        if not isinstance(value, list | tuple) or [type(one) for one in value] != [int, int]:
            raise self.refused(name, sentence("allowed", "square"))
        return value[0], value[1]

    def card(self, name: str = "card") -> Card:
        """A card by its id or name."""
        value = self.given.get(name)
        if value is None:
            raise self.refused(name, sentence("allowed", "card"))
        return self.named(value)

    def cards(self, name: str) -> list[Card]:
        """Cards by their ids or names."""
        return [self.named(one) for one in self.entries(name, each="list-of-cards")]

    def named(self, name: object) -> Card:
        """A card by its id or name."""
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
    """What was found, in a word or two."""
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
