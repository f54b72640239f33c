"""What can still be mounted on a build, part by part, and what speaks against the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.model import Build, Card, Game
from exporter.problems import Severity
from exporter.rules.book import Rulebook
from exporter.rules.judging import Found, faults_of
from exporter.rules.kind import Fault, OfEachCard, Rule, asked
from exporter.rules.kinds.exchange import Exchange
from exporter.rules.kinds.slots import Slots
from exporter.rules.kinds.wrong_kind import WrongKind
from exporter.rules.subjects import Bench, CardSpot, lay_out
from exporter.rules.totals import Worked, work_out

_Key: TypeAlias = tuple[str, str, str]

MOST_TOGETHER = 4
"""Copies of a card that are mounted at once, where fewer are not enough."""


class Place(Struct, frozen=True):
    """A part, the copies of a card that fit there at once, and what speaks against them."""

    part: str
    copies: int
    against: tuple[Found, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether nothing does."""
        return not self.against


class Fit(Struct, frozen=True):
    """A card, and the parts that were looked at for it."""

    card: Card
    places: tuple[Place, ...]

    @property
    def fits(self) -> bool:
        """Whether it fits anywhere."""
        return any(place.fits for place in self.places)

    @property
    def nearest(self) -> Place:
        """Where it fits, or where the least speaks against it."""
        return min(self.places, key=lambda place: len(place.against))


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
    """For each card that can be mounted, what adding it to each of some parts would break.

    What is broken already is not held against it. Cards that are only mounted together are added
    together. Raises ``InvalidSource`` for an unknown frame.
    """
    bench = lay_out(game, build, book.placements, boxes)
    rules = [rule for rule, _kind, _part in asked(bench, book.rules.values())]
    alone = [rule for rule in rules if _of_one_card(rule)]
    others = [rule for rule in rules if not _of_one_card(rule)]
    fields = [rule.kind.field for rule in others if isinstance(rule.kind, Exchange)]
    search = _Fitting(game, bench, alone, others, set(_broken(bench, rules)), fields)
    search.exchanged = any(search.exchanges(spot.card) for spot in bench.spots)
    free = {
        part: bench.slots.get(part, 0) - len(build.mounted.get(part, ())) for part in game.parts
    }
    return [
        Fit(card, tuple(search.place(card, part, free[part]) for part in parts or game.parts))
        for card in cards or mountable(game, book)
    ]


def _broken(bench: Bench, rules: Iterable[Rule]) -> Iterator[_Key]:
    for rule, fault in faults_of(bench, rules)[0]:
        yield _key(rule, fault)


def _key(rule: Rule, fault: Fault) -> _Key:
    return rule.id, fault.text, str(sorted(fault.values.items(), key=lambda pair: pair[0]))


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
    worked: dict[tuple[str, int], Worked] = {}
    full: dict[str, tuple[Found, ...]] = {}

    def place(self, card: Card, part: str, free: int) -> Place:
        """How many copies fit into a part, or why none do; of a full one that it is full."""
        first: Place | None = None
        if free < 1 and part not in self.full:
            self.full[part] = tuple(self._new(self._full(card, part)))
        full = self.full.get(part, ())
        if full:
            return Place(part, 1, full)
        for copies in range(1, MOST_TOGETHER + 1):
            against = tuple(self._against(card, part, copies))
            if not against:
                return Place(part, copies)
            first = first or Place(part, copies, against)
            mended = [fault for _, fault in against if fault.lack and fault.missing is card]
            if copies >= free or not mended:
                break
        assert first is not None
        return first

    def _with(self, card: Card, part: str, copies: int) -> Bench:
        mounted = self.bench.build.mounted
        there = mounted.get(part, ())
        where = self.bench.build.where
        added = (CardSpot(part, len(there) + copy, card, where) for copy in range(copies))
        now = {**mounted, part: (*there, *(card.id,) * copies)}
        build = replace(self.bench.build, mounted=now, places={})
        return replace(self.bench, build=build, spots=(*self.bench.spots, *added))

    def _full(self, card: Card, part: str) -> Iterator[Found]:
        """That a part has no slot left, in a game with such a rule."""
        bench = self._with(card, part, 1)
        for rule in self.others:
            if isinstance(rule.kind, Slots):
                yield from ((rule, fault) for fault in rule.kind.faults(bench, rule))

    def _alone(self, card: Card, bench: Bench) -> Iterator[Found]:
        """What those rules find that look at one card at a time."""
        alone = [spot for spot in bench.spots if spot.card.id == card.id]
        for rule in self.alone:
            assert isinstance(rule.kind, OfEachCard)
            yield from ((rule, fault) for fault in rule.kind.of_copies(bench, alone))

    def _against(self, card: Card, part: str, copies: int) -> Iterator[Found]:
        bench = self._with(card, part, copies)
        exchanges = self.exchanged or self.exchanges(card)
        alone = [] if exchanges else list(self._new(self._alone(card, bench)))
        if alone:
            yield from alone
            return
        worked = self._worked(card, copies, bench.build)
        bench = replace(bench, totals=worked.totals, names=worked.names)
        if exchanges:
            found, _ = faults_of(bench, [*self.alone, *self.others])
        else:
            found = [
                (rule, fault)
                for rule, kind, about in asked(bench, self.others)
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

    def _worked(self, card: Card, copies: int, build: Build) -> Worked:
        """The figures with a card, which are the same in whatever part it is."""
        key = (card.id, copies)
        if key not in self.worked:
            self.worked[key] = work_out(self.game, build)
        return self.worked[key]


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
    """Why a card fits nowhere: by rule, the first fault in the part with the fewest."""
    found: dict[str, Found] = {}
    for one in () if fit.fits else fit.nearest.against:
        found.setdefault(one[0].id, one)
    return found
