"""What can still be mounted on a build, part by part, and what speaks against the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import Severity
from exporter.model import (
    Build,
    Card,
    Game,
)
from exporter.model.rule_records import Placement
from exporter.rules.build_changes import (
    Judge,
    mended_by_moving,
)
from exporter.rules.figures import (
    FigureResults,
    work_out,
)
from exporter.rules.judging import (
    Found,
    faults_of,
)
from exporter.rules.kind import (
    Fault,
    OfEachCard,
    Rule,
    rules_about,
)
from exporter.rules.kinds.build_kinds import Slots, WrongKind
from exporter.rules.kinds.exchange import Exchange
from exporter.rules.repair import (
    Mending,
    RepairStep,
)
from exporter.rules.rulebook import Rulebook
from exporter.rules.subjects import (
    Bench,
    CardSpot,
    FrameChoice,
    lay_out,
)

_Key: TypeAlias = tuple[str, str, str]

MOST_EXCHANGED = 4
"""Copies of a card in exchange that are tried at once: each may take the place of one more."""


class Place(Struct, frozen=True):
    """Copies of a card, by part, mounted at once, and what speaks against that."""

    copies: Mapping[str, int]
    against: tuple[Found, ...] = ()


class Fit(Struct, frozen=True):
    """A card and where it fits: the fewest copies at once that each part asked about can be one
    of. Where it fits nowhere, ``nearest`` is the place that the least speaks against."""

    card: Card
    places: tuple[Place, ...] = ()
    nearest: Place = Place({})

    @property
    def fits(self) -> bool:
        """Whether it fits anywhere."""
        return bool(self.places)


def mountable(game: Game, book: Rulebook) -> list[Card]:
    """The cards of the kinds that are mounted: as a rule says or, without one, as mechs do; all of
    a game that says neither."""
    kinds = {
        name
        for rule in book.rules.values()
        if isinstance(rule.kind, WrongKind)
        for name in rule.kind.mounted
    }
    if not kinds:
        loadouts = (build for mech in game.mechs.values() for build in mech.loadouts.values())
        names = {n for one in loadouts for cards in one.mounted.values() for n in cards}
        kinds = {card.kind for name in names if (card := game.card(name)) is not None}
    return [card for card in game.cards.values() if not kinds or card.kind in kinds]


def fitting(
    game: Game,
    book: Rulebook,
    build: Build,
    parts: Sequence[str] = (),
    boxes: Collection[str] = (),
    cards: Sequence[Card] = (),
) -> list[Fit]:
    """For each card that can be mounted, where it fits on some of the parts, or what mounting it
    there would break. Cards that are only mounted together, be it on several parts, are added
    together.

    What is broken already is not held against it. Raises ``InvalidSource`` for an unknown frame.
    """
    bench = lay_out(game, build, book.placements, boxes)
    rules = [rule for rule, _kind, _part in rules_about(bench, book.rules.values())]
    alone = [rule for rule in rules if _of_one_card(rule)]
    others = [rule for rule in rules if not _of_one_card(rule)]
    fields = [rule.kind.field for rule in others if isinstance(rule.kind, Exchange)]
    search = _Fitting(game, bench, alone, others, set(_broken(bench, rules)), fields)
    search.exchanged = any(search.exchanges(spot.card) for spot in bench.spots)
    return [search.fit(card, parts or game.parts) for card in cards or mountable(game, book)]


def _broken(bench: Bench, rules: Iterable[Rule]) -> Iterator[_Key]:
    for rule, fault in faults_of(bench, rules)[0]:
        yield _key(rule, fault)


def _key(rule: Rule, fault: Fault) -> _Key:
    return rule.id, fault.text, str(sorted(fault.values.items(), key=lambda pair: pair[0]))


def _faults_of_slots(bench: Bench, rules: Iterable[Rule]) -> Iterator[Found]:
    for rule in rules:
        if isinstance(rule.kind, Slots):
            yield from ((rule, fault) for fault in rule.kind.faults(bench, rule))


def _lies_within(some: Mapping[str, int], way: Mapping[str, int]) -> bool:
    return all(way.get(part, 0) >= copies for part, copies in some.items())


def _of_one_card(rule: Rule) -> bool:
    """Whether a rule looks at the copies of each card by themselves."""
    return isinstance(rule.kind, OfEachCard) and type(rule.kind).groups is OfEachCard.groups


class _Fitting(Struct):
    """One look at a build; ``broken`` are its faults before anything is added. Cards that have a
    field of ``exchange`` are in exchange for others, as some that are ``exchanged`` already.

    What looks at one card at a time is asked about that card alone, and first; where cards in
    exchange are about, all rules are asked, as these change what holds for others.
    """

    game: Game
    bench: Bench
    alone: Sequence[Rule]
    others: Sequence[Rule]
    broken: set[_Key]
    exchange: Sequence[str]
    exchanged: bool = False
    worked: dict[tuple[str, int], FigureResults] = {}

    def fit(self, card: Card, parts: Sequence[str]) -> Fit:
        """Where a card fits on some parts, or the place that the least speaks against: one that
        has enough copies, if there is any."""
        pattern = self.bench.parts_for(card)
        wanted = [part for part in parts if part in pattern] or parts
        within = pattern if set(wanted) <= set(pattern) else tuple(wanted)
        found: dict[str, Place] = {}
        hopeless: list[Mapping[str, int]] = []  # with still more copies, too
        nearest: tuple[tuple[bool, int], Place] | None = None
        for copies in range(1, self._most(card) + 1):
            ways = spreads(copies, within, dict.fromkeys(within, copies), 0)
            for way in sorted(ways, key=len):
                new = [part for part in wanted if part in way and part not in found]
                if not new or any(_lies_within(one, way) for one in hopeless):
                    continue
                place = Place(way, tuple(self._against(card, way)))
                if not place.against:
                    found |= dict.fromkeys(new, place)
                    continue
                lack = any(fault.lack for _, fault in place.against)
                rank = lack, len({rule.id for rule, _ in place.against})
                nearest = (rank, place) if nearest is None or rank < nearest[0] else nearest
                if not lack:
                    hopeless.append(way)
        places = {id(found[part]): found[part] for part in wanted if part in found}
        return Fit(card, tuple(places.values()), nearest[1] if nearest else Place({}))

    def _most(self, card: Card) -> int:
        """How many copies are tried at once: as many as a card needs of which none is mounted."""
        fields = {rule.kind.repeats for rule in self.alone if rule.kind and rule.kind.repeats}
        needed = max([1, *(need for name in fields if isinstance(need := card.get(name), int))])
        placement = self.bench.placement(card)
        sets = [sum(one.values()) for one in placement.sets] if placement else []
        most = max([needed, *(-(-needed // one) * one for one in sets)])
        return max(most, MOST_EXCHANGED) if self.exchanges(card) else most

    def _with(self, card: Card, way: Mapping[str, int]) -> Bench:
        mounted, where = self.bench.build.mounted, self.bench.build.where
        added = [
            CardSpot(part, len(mounted.get(part, ())) + copy, card, where)
            for part, copies in way.items()
            for copy in range(copies)
        ]
        now = {part: (*mounted.get(part, ()), *(card.id,) * way[part]) for part in way}
        build = replace(self.bench.build, mounted={**mounted, **now}, places={})
        return replace(self.bench, build=build, spots=(*self.bench.spots, *added))

    def _alone(self, card: Card, bench: Bench) -> Iterator[Found]:
        """What those rules find that look at one card at a time."""
        alone = [spot for spot in bench.spots if spot.card.id == card.id]
        for rule in self.alone:
            assert isinstance(rule.kind, OfEachCard)
            yield from ((rule, fault) for fault in rule.kind.of_copies(bench, alone))

    def _against(self, card: Card, way: Mapping[str, int]) -> Iterator[Found]:
        bench = self._with(card, way)
        exchanges = self.exchanged or self.exchanges(card)
        if card.get("modifies"):
            bench = self._worked_out(card, way, bench)
        alone = [] if exchanges else list(self._new(self._alone(card, bench)))
        full: list[Found] = []
        if all(fault.lack for _, fault in alone):
            full = list(self._new(_faults_of_slots(bench, self.others)))
        if full or alone:
            yield from full or alone
            return
        bench = self._worked_out(card, way, bench)
        if exchanges:
            found, _ = faults_of(bench, [*self.alone, *self.others])
        else:
            found = [
                (rule, fault)
                for rule, kind, about in rules_about(bench, self.others)
                for fault in kind.faults(about, rule)
            ]
        yield from self._new(found)

    def _new(self, found: Iterable[Found]) -> Iterator[Found]:
        for rule, fault in found:
            if fault.severity is not Severity.ERROR:
                continue
            if not self.broken or _key(rule, fault) not in self.broken:
                yield rule, fault

    def exchanges(self, card: Card) -> bool:
        """Whether a card is mounted in exchange for another."""
        return any(card.get(field) for field in self.exchange)

    def _worked_out(self, card: Card, way: Mapping[str, int], bench: Bench) -> Bench:
        """A bench with its figures, which are the same in whatever parts the copies are."""
        key = (card.id, sum(way.values()))
        if key not in self.worked:
            self.worked[key] = work_out(self.game, bench.build)
        worked = self.worked[key]
        return replace(bench, totals=worked.totals, names=worked.names)


def sorted_fits(fits: Sequence[Fit], by: Sequence[str]) -> list[Fit]:
    """What fits before what does not, each by fields of the cards: numbers as such, then texts."""

    def order(fit: Fit) -> tuple[object, ...]:
        values = (fit.card.get(field) for field in by)
        return (
            not fit.fits,
            *((0, one, "") if isinstance(one, int) else (1, 0, str(one)) for one in values),
        )

    return sorted(fits, key=order)


def why_not(fit: Fit) -> Mapping[str, Found]:
    """Why a card fits nowhere: by rule, the first fault at the nearest place."""
    found: dict[str, Found] = {}
    for one in () if fit.fits else fit.nearest.against:
        found.setdefault(one[0].id, one)
    return found


MOST_PLACED = 1500
"""Builds judged before a search for places gives up."""

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
    judge = Judge(game, book, boxes, waived)
    judged = judge.against(replace(build, mounted={**build.mounted, **heap}, places={}))
    bench = judged.subject
    if not all(map(mended_by_moving, judged.faults)):
        return Mending(build, None, 1, searched_all=True)
    room = {part: slots - len(build.mounted.get(part, ())) for part, slots in bench.slots.items()}
    counts = Counter(card.id for name in loose if (card := game.card(name)) is not None)
    already = {card.id for names in build.mounted.values() for n in names if (card := game.card(n))}
    cards = [game.cards[card_id] for card_id in counts]
    cards.sort(key=lambda card: (len(bench.parts_for(card)), -counts[card.id]))
    kinds = (rule.kind for rule in book.rules.values() if rule.kind is not None)
    loosened = frozenset(what for kind in kinds for what in kind.loosens(bench))
    search = _Placing(judge, build, bench, counts, already, loosened)
    found = search.place(cards, room, {}) if sum(room.values()) >= len(loose) else None
    cut_short = search.judged >= MOST_PLACED or search.steps >= MOST_STEPS
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

    judge: Judge
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
            built = replace(self.build, mounted={**self.build.mounted, **added}, places={})
            judged = self.judge.against(built)
            self.steps += (judged.work - 1) * (MOST_STEPS // MOST_PLACED)
            return built if judged.whole and not judged.faults else None
        card, *rest = cards
        placement = self.bench.placement(card)
        most = placement.at_most if placement else 0
        copies = self.counts[card.id]
        for one in spreads(copies, self.bench.parts_for(card), room, most):
            self.steps += 1
            if self.steps >= MOST_STEPS or self.judged >= MOST_PLACED:
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
