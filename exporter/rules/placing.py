"""Places for cards without any: a search with a bound on how many builds it judges, not on time, so
that the same question always has the same answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set

from msgspec import Struct

from exporter.model import (
    Build,
    Card,
    Game,
)
from exporter.model.rule_records import Placement
from exporter.rules.repair import (
    MOST_JUDGED,
    Judge,
    Mending,
    RepairStep,
    mended_by_moving,
    with_mounted,
)
from exporter.rules.rulebook import Rulebook
from exporter.rules.subjects import (
    Bench,
    FrameChoice,
)

MOST_STEPS = 60_000
"""Steps of placing cards, which are cheap, before a search gives up."""


def spreads(
    left: int, parts: tuple[str, ...], room: Mapping[str, int], most: int
) -> Iterator[dict[str, int]]:
    """Every way to spread copies over parts, the fullest first part first."""
    if not parts:
        if left == 0:
            yield {}
        return
    first, *rest = parts
    for number in range(min(left, room.get(first, 0), most or left), -1, -1):
        for others in spreads(left - number, tuple(rest), room, most):
            yield ({first: number} if number else {}) | others


def _may_lie(spread: Mapping[str, int], placement: Placement | None) -> bool:
    """Whether a spread of all of a card's copies follows its pattern."""
    if placement is None:
        return True
    if placement.at_least and not any(part in spread for part in placement.at_least):
        return False
    return all(placement.times(one, spread) is not None for one in placement.sets)


def _suffices(card: Card, spread: Mapping[str, int]) -> bool:
    """Whether each part has a card's minimum, where nothing mounted loosens that."""
    needed = card.get("min_count")
    if card.get("may_split") or not isinstance(needed, int):
        return True
    return all(copies >= needed for copies in spread.values())


def place_loose(
    game: Game,
    book: Rulebook,
    build: Build,
    loose: tuple[str, ...],
    boxes: frozenset[str] = frozenset(),
    waived: frozenset[str] = frozenset(),
) -> Mending:
    """Parts for cards that have none, so that the build is legal, if there are any."""
    if not game.parts or FrameChoice(game, build).unknown:
        return Mending(build, None, 0, searched_all=True)
    anywhere = game.parts[0]
    heap = {anywhere: (*build.mounted.get(anywhere, ()), *loose)}
    court = Judge(game, book, boxes, waived)
    judged = court.against(with_mounted(build, heap))
    bench = judged.bench
    if not all(map(mended_by_moving, judged.faults)):
        return Mending(build, None, 1, searched_all=True)
    room = {part: slots - len(build.mounted.get(part, ())) for part, slots in bench.slots.items()}
    counts = Counter(card.id for name in loose if (card := game.card(name)) is not None)
    already = {card.id for names in build.mounted.values() for n in names if (card := game.card(n))}
    cards = [game.cards[card_id] for card_id in counts]
    cards.sort(key=lambda card: (len(bench.parts_for(card)), -counts[card.id]))
    kinds = (rule.kind for rule in book.rules.values() if rule.kind is not None)
    loosened = frozenset(what for kind in kinds for what in kind.loosens(bench))
    search = _Placing(court, build, bench, counts, already, loosened)
    found = search.place(cards, room, {}) if sum(room.values()) >= len(loose) else None
    cut_short = search.judged >= MOST_JUDGED or search.steps >= MOST_STEPS
    if found is None:
        return Mending(build, None, search.judged, searched_all=not cut_short)
    changes = tuple(
        RepairStep("add", name, "", part)
        for part, names in found.mounted.items()
        for name in names[len(build.mounted.get(part, ())) :]
    )
    return Mending(found, changes, search.judged, searched_all=True)


class _Placing(Struct):
    """One search for places: cards with the fewest choices first, room as it is used up.

    ``loosened``: some card changes where others may lie (``place``), or how many they need
    (``number``), so that only a whole build can be judged.
    """

    court: Judge
    build: Build
    bench: Bench
    counts: Mapping[str, int]
    already: set[str]
    loosened: Set[str]
    judged: int = 0
    steps: int = 0

    def place(
        self, cards: list[Card], room: Mapping[str, int], spread: Mapping[str, tuple[str, ...]]
    ) -> Build | None:
        """The first legal build that has all ``cards`` in the ``room`` that is left."""
        if not cards:
            self.judged += 1
            added = {
                part: (*self.build.mounted.get(part, ()), *names) for part, names in spread.items()
            }
            built = with_mounted(self.build, added)
            judged = self.court.against(built)
            self.steps += (judged.work - 1) * (MOST_STEPS // MOST_JUDGED)
            return built if judged.is_legal else None
        card, *rest = cards
        placement = self.bench.placement(card)
        most = placement.at_most if placement else 0
        copies = self.counts[card.id]
        for one in spreads(copies, self.bench.parts_for(card), room, most):
            self.steps += 1
            if self.steps >= MOST_STEPS or self.judged >= MOST_JUDGED:
                return None
            if card.id not in self.already and not (
                ("place" in self.loosened or _may_lie(one, placement))
                and ("number" in self.loosened or _suffices(card, one))
            ):
                continue
            left = {part: free - one.get(part, 0) for part, free in room.items()}
            here = {
                part: (*spread.get(part, ()), *(card.name,) * one.get(part, 0))
                for part in {**spread, **one}
            }
            found = self.place(rest, left, here)
            if found is not None:
                return found
        return None
