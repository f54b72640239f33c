"""Cards mounted in exchange for one card of a weapon: which weapon each took the place of.

Such a build is legal when it was legal before the exchange: when to each of these substitutes a
weapon of its own can be found that, put back in the substitute's slot, makes a legal build.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.model import Card, Name
from exporter.problems import InvalidSource, told
from exporter.rules.bench import Bench, lay_out
from exporter.rules.book import Rule
from exporter.rules.counting import copies_of
from exporter.rules.faults import Fault, Spot, said
from exporter.rules.mounting import excludes, placement_of, slots, together_of

MOST_SUBSTITUTES = 60
MOST_STEPS = 4_000
"""Substitutes, and ways to spread them over weapons, that are looked at: some hundredths of a
second. What the boxes hold takes a hundred ways."""

BY_CARD: Mapping[str, Callable[[Bench, Rule, Sequence[Spot]], Iterator[Fault]]] = {
    "placement": placement_of,
    "together": together_of,
    "copies": copies_of,
}
"""What the weapons put back are held to, one kind of card at a time."""

AS_A_WHOLE: Mapping[str, Callable[[Bench, Rule], Iterator[Fault]]] = {
    "slots": slots,
    "excludes": excludes,
}
"""What the build as it was before is held to, no more broken than it is now."""

Way: TypeAlias = tuple[tuple[int, ...], ...]
"""By weapon and group of substitutes: how many of the group took that weapon's place."""


def exchange(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Every card whose ``field`` is filled took the place of one card of a weapon that fits it.

    The field holds the condition on the weapon (``'missile' in name``), ``replaced`` one that
    every weapon meets that is replaced at all. A card whose ``welcomes`` holds of a substitute
    takes it in without an exchange. What remains of the weapon: with ``same`` one card of the
    one replaced is still mounted, with ``fitting`` one of any weapon that fits.
    """
    for rule_id, fault in bench.unexchanged:
        if rule_id == rule.id:
            yield fault


class _Group(Struct, frozen=True):
    """Substitutes that are alike: in one part, for the same ``weapons`` (card ids), by one rule.

    ``free``: another card welcomes them without an exchange.
    """

    rule: Rule
    part: str
    weapons: tuple[str, ...]
    free: bool
    spots: tuple[Spot, ...]


def weapons_for(bench: Bench, rule: Rule, substitute: Card) -> list[Card]:
    """The cards whose place a substitute may have taken, wherever it and they lie."""
    condition = str(substitute.get(str(rule.parameters["field"])))
    where = substitute.at(str(rule.parameters["field"]))
    replaced = str(rule.parameters.get("replaced", ""))

    def fitting(cards: Iterable[Card]) -> list[Card]:
        return [
            card
            for card in cards
            if card.kind == substitute.kind
            and card.id != substitute.id
            and bench.fits(card, condition, where)
            and bench.fits(card, replaced, rule.where)
        ]

    mounted = fitting(spots[0].card for spots in bench.by_card.values())
    if rule.parameters.get("remains", "same") == "same" or not mounted:
        return mounted
    missing = bench.game.editions.keys() - bench.boxes
    return fitting(
        card for card in bench.game.cards.values() if card.text("edition") not in missing
    )


def _welcomed(bench: Bench, rule: Rule, substitute: Card) -> bool:
    """Whether a mounted card takes this one in whatever its own condition says."""
    field = str(rule.parameters.get("welcomes", ""))
    hosts = (spots[0].card for spots in bench.by_card.values())
    return any(
        host.get(field) and bench.fits(substitute, str(host.get(field)), host.at(field))
        for host in hosts
    )


def _groups(bench: Bench, rules: Sequence[Rule]) -> list[_Group]:
    found: dict[tuple[str, str, tuple[str, ...], bool], list[Spot]] = {}
    by_id = {rule.id: rule for rule in rules if rule.kind == "exchange"}
    for rule in by_id.values():
        for spots in bench.by_card.values():
            card = spots[0].card
            if card.get(str(rule.parameters["field"])):
                weapons = tuple(weapon.id for weapon in weapons_for(bench, rule, card))
                free = _welcomed(bench, rule, card)
                for spot in spots:
                    found.setdefault((rule.id, spot.part, weapons, free), []).append(spot)
    return [_Group(by_id[key[0]], *key[1:], tuple(spots)) for key, spots in found.items()]


def before_exchange(bench: Bench, rules: Iterable[Rule]) -> Bench:
    """The bench with the replaced weapons put back, and a fault for each that cannot be.

    Where a condition is wrong, or there are more ways to exchange than are looked at, that is
    among its problems, and nothing that may be missing is blamed on it.
    """
    rules = tuple(rules)
    try:
        groups = [] if bench.ways else _groups(bench, rules)
        return _before(bench, rules, groups) if groups else bench
    except InvalidSource as error:
        problems = (*bench.problems, *error.problems)
        return replace(bench, problems=problems, unread=True, ways=MOST_STEPS)


def _before(bench: Bench, rules: tuple[Rule, ...], groups: Sequence[_Group]) -> Bench:
    """The bench before the exchange. Raises ``InvalidSource``."""
    substitutes: dict[str, tuple[Spot, ...]] = {}
    for group in groups:
        for name in group.weapons:
            substitutes[name] = (*substitutes.get(name, ()), *group.spots)
    bench = replace(bench, substitutes=substitutes)
    weapons = tuple(bench.game.cards[card_id] for card_id in substitutes)
    search = _Search(bench, rules, groups, weapons)
    count = sum(len(group.spots) for group in groups)
    way = search.way() if count <= MOST_SUBSTITUTES else None
    if way is None and search.proved < 0:
        sentence = "Which weapons the {count} cards in exchange replaced has too many answers."
        hint = "Mount fewer of them, or judge by hand."
        raise InvalidSource([told(bench.build.where, "EXCHANGE", sentence, hint, count=count)])
    put_back = search.spots(way or ())
    taken = {(spot.part, spot.slot) for spot in put_back}
    bench = replace(bench, put_back=put_back, ways=max(1, search.steps))
    faults = tuple(
        (group.rule.id, _fault(bench, rules, group, spot))
        for group in groups
        for spot in group.spots
        if not group.free and (spot.part, spot.slot) not in taken
    )
    return replace(bench, unexchanged=faults)


class _Search(Struct):
    """One search for the weapons that were replaced, weapon by weapon.

    ``slack`` is how many substitutes may have replaced nothing, and how many mounted weapons may
    be short of copies: a legal build needs none, of another the least is told. ``proved``: the
    most slack of which it is certain that it does not suffice.
    """

    bench: Bench
    rules: tuple[Rule, ...]
    groups: Sequence[_Group]
    weapons: tuple[Card, ...]
    proved: int = -1
    steps: int = 0
    costs: dict[tuple[int, tuple[int, ...]], int | None] = {}

    def way(self) -> Way | None:
        """The way with the least slack; nothing where the search was cut short."""
        everybody = tuple(len(group.spots) for group in self.groups)
        while True:
            found = self._from(0, everybody, self.proved + 1, ())
            if found is not None or self.steps > MOST_STEPS:
                return found
            self.proved += 1

    def _from(self, index: int, left: tuple[int, ...], slack: int, taken: Way) -> Way | None:
        """A way for the weapons from ``index`` on; ``left`` are the substitutes of each group."""
        waiting = zip(left, self.groups, strict=True)
        rest = {weapon.id for weapon in self.weapons[index:]}
        lost = sum(n for n, group in waiting if not group.free and rest.isdisjoint(group.weapons))
        if lost > slack:
            return None
        if index == len(self.weapons):
            return taken if self._holds_as_a_whole(taken) else None
        weapon = self.weapons[index].id
        choices = [
            range(n + 1 if weapon in group.weapons else 1)
            for n, group in zip(left, self.groups, strict=True)
        ]
        for counts in product(*choices):
            self.steps += 1
            if self.steps > MOST_STEPS:
                return None
            cost = self._cost(index, counts)
            if cost is None or cost > slack:
                continue
            remaining = tuple(n - count for n, count in zip(left, counts, strict=True))
            found = self._from(index + 1, remaining, slack - cost, (*taken, counts))
            if found is not None:
                return found
        return None

    def _cost(self, index: int, counts: tuple[int, ...]) -> int | None:
        """0 where a weapon is complete with so many put back, 1 where it is short without any."""
        key = (index, counts)
        if key not in self.costs:
            self.steps += len(self.bench.by_card.get(self.weapons[index].id, ()))
            spots = [
                Spot(group.part, -1, self.weapons[index], group.spots[0].where)
                for group, count in zip(self.groups, counts, strict=True)
                for _copy in range(count)
            ]
            faulty = next(_faults_of(self.bench, self.rules, self.weapons[index], spots), None)
            self.costs[key] = None if faulty and spots else int(faulty is not None)
        return self.costs[key]

    def spots(self, way: Way) -> tuple[Spot, ...]:
        """The weapons put back, each in the slot of a substitute."""
        found = []
        for number, group in enumerate(self.groups):
            weapons = [
                weapon
                for weapon, counts in zip(self.weapons, way, strict=False)
                for _copy in range(counts[number])
            ]
            for spot, weapon in zip(group.spots, weapons, strict=False):
                found.append(Spot(spot.part, spot.slot, weapon, spot.where))
        return tuple(found)

    def _holds_as_a_whole(self, way: Way) -> bool:
        """Whether the build as it was before is no more broken than it is now."""
        self.steps += 10  # it takes so much longer than one
        before = _as_it_was(self.bench, self.spots(way))
        return all(
            len(list(kind(before, rule))) <= len(list(kind(self.bench, rule)))
            for rule in self.rules
            if (kind := AS_A_WHOLE.get(rule.kind))
        )


def _as_it_was(bench: Bench, put_back: tuple[Spot, ...]) -> Bench:
    """The bench before the exchange. Only cards that modify figures make it worth working out."""
    if not any(spot.card.get("modifies") for spot in (*put_back, *bench.spots)):
        return replace(bench, put_back=put_back)
    mounted = {part: list(names) for part, names in bench.build.mounted.items()}
    for spot in put_back:
        mounted[spot.part][spot.slot] = spot.card.id
    build = replace(bench.build, mounted={part: tuple(mounted[part]) for part in mounted})
    return lay_out(bench.game, build, bench.placements, bench.boxes)


def _faults_of(
    bench: Bench, rules: Iterable[Rule], weapon: Card, more: Sequence[Spot]
) -> Iterator[tuple[Rule, Fault]]:
    """What is wrong with a weapon that has ``more`` copies than the bench."""
    spots = [*bench.before.get(weapon.id, ()), *more]
    for rule in rules if spots else ():
        if rule.kind in BY_CARD:
            for fault in BY_CARD[rule.kind](bench, rule, spots):
                yield rule, fault


def _fault(bench: Bench, rules: Iterable[Rule], group: _Group, spot: Spot) -> Fault:
    """That a substitute replaced nothing, and what speaks against each weapon that fits."""
    mounted = [name for name in group.weapons if name in bench.by_card]
    ja, en = [], []
    for name in mounted:
        weapon = bench.game.cards[name]
        back = Spot(spot.part, spot.slot, weapon, spot.where)
        against = list(_faults_of(bench, rules, weapon, [back]))
        against.sort(key=lambda found: found[1].values.get("part") != spot.part)
        for rule, fault in against[:1]:
            ja.append(said(fault, rule, "ja").message)
            en.append(said(fault, rule, "en").message)
    why = Name("戻すと、" + "".join(ja), "Put back: " + " ".join(en)) if ja else Name("")
    if not mounted:
        why = Name("合う武装を積んでいない。", "No such weapon is mounted.")
    rivals = (other for name in group.weapons for other in bench.substitutes[name])
    touches = (spot, *rivals, *(one for name in mounted for one in bench.by_card[name]))
    found = {"card": spot.card.name, "part": spot.part, "why": why}
    return Fault(spot.where, "exchange", found, touches=touches, lack=True)
