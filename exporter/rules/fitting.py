"""What can still be mounted on a build, part by part, and what speaks against the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import Severity
from exporter.model import (
    Build,
    Card,
    Game,
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
from exporter.rules.kinds.exchange import Exchange
from exporter.rules.kinds.slots import Slots
from exporter.rules.kinds.wrong_kind import WrongKind
from exporter.rules.placing import spreads
from exporter.rules.rulebook import Rulebook
from exporter.rules.subjects import (
    Bench,
    CardSpot,
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
