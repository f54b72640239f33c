"""A build laid out for the rules: cards by part, skills, figures, and what must not echo."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from exporter.model import Build, Card, Game, Pilot
from exporter.problems import Problem, Where
from exporter.rules.book import Placement
from exporter.rules.expressions import Known, holds
from exporter.rules.faults import Fault, Spot
from exporter.rules.totals import (
    Total,
    names_about,
    names_of,
    slots_by_part,
    work_out,
)


class Skill(Struct, frozen=True):
    """A skill of a pilot, and where the source says so."""

    pilot: Pilot
    card: Card
    where: Where


class Bench(Struct, frozen=True, dict=True):
    """What rules about builds look at. ``boxes`` are the editions owned.

    ``unread``: it could not be read whole, some name in it is no card or part, or what some took
    the place of could not be found. ``problems``: faults of figures, and of that search.
    ``substitutes`` are, by weapon (card id), the cards that may be mounted in exchange for it,
    ``put_back`` the weapons whose place they took, each in its substitute's slot; ``unexchanged``,
    by rule, the faults of those that took none's. ``ways`` were looked at for that.
    """

    game: Game
    build: Build
    placements: Mapping[str, Placement]
    boxes: frozenset[str]
    spots: tuple[Spot, ...]
    skills: tuple[Skill, ...]
    totals: Mapping[str, Total]
    names: Mapping[str, Known]
    claims: Mapping[str, int]
    unread: bool
    problems: tuple[Problem, ...]
    substitutes: Mapping[str, tuple[Spot, ...]] = {}
    put_back: tuple[Spot, ...] = ()
    unexchanged: tuple[tuple[str, Fault], ...] = ()
    ways: int = 0

    @cached_property
    def slots(self) -> Mapping[str, int]:
        """The number of slots by part."""
        return slots_by_part(self.totals)

    @cached_property
    def by_part(self) -> Mapping[str, list[Spot]]:
        """Mounted cards by part."""
        found: dict[str, list[Spot]] = {part: [] for part in self.game.parts}
        for spot in self.spots:
            found.setdefault(spot.part, []).append(spot)
        return found

    @cached_property
    def by_card(self) -> Mapping[str, list[Spot]]:
        """Mounted cards by their id, in the order in which they first appear."""
        found: dict[str, list[Spot]] = {}
        for spot in self.spots:
            found.setdefault(spot.card.id, []).append(spot)
        return found

    @cached_property
    def before(self) -> Mapping[str, list[Spot]]:
        """Cards by their id, those mounted now and those put back."""
        found = {card_id: list(spots) for card_id, spots in self.by_card.items()}
        for spot in self.put_back:
            found.setdefault(spot.card.id, []).append(spot)
        return found

    def placement(self, card: Card) -> Placement | None:
        """The mount pattern of a card, if it has one."""
        return self.placements.get(str(card.get("mount")))

    def parts_for(self, card: Card) -> tuple[str, ...]:
        """The parts that a card's pattern leaves open to it."""
        placement = self.placement(card)
        return (placement.parts if placement else ()) or self.game.parts

    def fits(self, card: Card, condition: str, where: Where) -> bool:
        """Whether a condition over a card's fields holds; the figures can be asked for too."""
        return holds(condition, names_about(condition, card, self.names), where)


def lay_out(
    game: Game,
    build: Build,
    placements: Mapping[str, Placement],
    boxes: Iterable[str] = (),
    claims: Mapping[str, int] | None = None,
) -> Bench:
    """A build as rules look at it. Raises ``InvalidSource`` for an unknown frame."""
    spots = []
    for part, cards in build.mounted.items():
        for slot, name in enumerate(cards):
            card = game.card(name)
            if card is not None:
                where = build.places.get(f"{part}.{slot + 1}") or build.places.get(part)
                spots.append(Spot(part, slot, card, where or build.where))
    skills = []
    for number, pilot in enumerate(build.pilots, 1):
        for index, name in enumerate(pilot.skills, 1):
            card = game.card(name)
            if card is not None:
                where = build.places.get(f"pilots.{number}.{index}") or pilot.where
                skills.append(Skill(pilot, card, where))
    results, problems = work_out(game, build)
    written = sum(len(cards) for cards in build.mounted.values())
    written += sum(len(pilot.skills) for pilot in build.pilots)
    return Bench(
        game=game,
        build=build,
        placements=placements,
        boxes=frozenset(boxes or game.editions),
        spots=tuple(spots),
        skills=tuple(skills),
        totals=results,
        names=names_of(game, build, results),
        claims=claims or {},
        unread=written > len(spots) + len(skills) or not build.mounted.keys() <= set(game.parts),
        problems=tuple(problems),
    )


def counted(spots: Sequence[Spot]) -> str:
    """Spots as people say it: ``a2・b1``."""
    counts = Counter(spot.part for spot in spots)
    return "・".join(f"{part}{count}" for part, count in counts.items())
