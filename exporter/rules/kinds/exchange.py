"""``exchange``: cards mounted in exchange for one card of a weapon, whose place each took.

Such a build is legal when it was legal before the exchange: when to each of these substitutes a
weapon of its own can be found that, put back in the substitute's slot, makes a legal build.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import Annotated, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.messages import (
    Joined,
    Sentence,
    sentence,
)
from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    error_at,
)
from exporter.model import (
    Card,
    Game,
)
from exporter.model.shape import Doc
from exporter.rules.expressions import holds
from exporter.rules.figures import names_about
from exporter.rules.kind import (
    AllowedNames,
    Bench,
    CardSpot,
    Fault,
    FieldId,
    OfEachCard,
    Rule,
    RuleKind,
    fault_problem,
    rules_about,
)
from exporter.rules.subjects import (
    ANY_NUMBER,
    lay_out,
)

MOST_SUBSTITUTES = 60
MOST_STEPS = 4_000
"""Substitutes, and ways to spread them over weapons, that are looked at: some hundredths of a
second. What the boxes hold takes a hundred ways."""

OfEach: TypeAlias = Sequence[tuple[Rule, OfEachCard[Bench]]]
Way: TypeAlias = tuple[tuple[int, ...], ...]
"""By weapon and group of substitutes: how many of the group took that weapon's place."""


class Exchange(RuleKind[Bench]):
    """Every card with a filled field took the place of one card of a weapon that fits it, see
    [below](#cards-in-exchange).

    ja: 欄に値のあるカードは、条件に合う武装の1枚と入れ替えたもの。[下](#入れ替えて積む札)を見る。
    """

    field: Annotated[
        FieldId, Doc("of a card: the condition on that weapon", "カードの欄。入れ替える武装の条件")
    ]
    welcomes: Annotated[
        str,
        Doc(
            "field of a card that takes in, without an exchange, what meets it",
            "入れ替えずに受け入れるカードの欄。条件に合うものを受け入れる",
        ),
    ] = ""
    replaced: Annotated[
        str,
        Doc(
            "a condition that every weapon meets that is replaced at all",
            "入れ替えられる武装すべてに当てはまる条件",
        ),
    ] = ""
    remains: Annotated[
        Literal["same", "fitting"],
        Doc(
            "which is still mounted: one card of the one replaced, or any that fits",
            "まだ積んであるもの：入れ替えたのと同じカード1枚か、条件に合うどれか",
        ),
    ] = "same"

    examples = (
        "{field: takes_place_of, welcomes: welcomes, replaced: not takes_place_of, remains: same}",
    )
    by_moving = True
    sentences = {
        "ja": {
            "exchange": (
                "{card}は、合う武装の1枚と入れ替えて積みます。"
                "{part}では、どの武装とも入れ替わっていません。{why}",
                "合う武装をそろえるか、{card}を移すか、外してください。",
            ),
            "may-replace": ("このうち1枚と入れ替えて積む", ""),
            "welcomed-by": ("これがあれば入れ替えなしで積める", ""),
            "replaced-by": ("これと入れ替えて1枚減らせる", ""),
            "welcomes": ("これを入れ替えなしで積ませる", ""),
            "put-back": "戻すと、{faults}",
            "none-mounted": "合う武装を積んでいません。",
        },
        "en": {
            "exchange": (
                "{card} takes the place of one card of a fitting weapon; "
                "on {part} it has taken none's. {why}",
                "Complete such a weapon, move {card}, or remove it.",
            ),
            "may-replace": ("mounted in exchange for one of", ""),
            "welcomed-by": ("mounted without an exchange beside", ""),
            "replaced-by": ("one card may be exchanged for", ""),
            "welcomes": ("takes in without an exchange", ""),
            "put-back": "Put back: {faults}",
            "none-mounted": "No such weapon is mounted.",
        },
    }

    def looks(self, subject: Bench, rule: Rule) -> bool:
        return any(spot.card.get(self.field) for spot in subject.spots)

    def faults(self, subject: Bench, rule: Rule) -> Iterator[Fault]:
        yield from (fault for rule_id, fault in subject.unexchanged if rule_id == rule.id)

    def expressions(self, names: AllowedNames) -> Iterator[tuple[str, Collection[str] | None]]:
        if self.replaced:
            yield self.replaced, names.of_pool_cards

    def expression_fields(self) -> tuple[str, ...]:
        return (self.field, self.welcomes) if self.welcomes else (self.field,)

    def loosens(self, bench: Bench) -> Collection[str]:
        exchanged = any(spot.card.get(self.field) for spot in bench.spots)
        return ("place", "number") if exchanged else ()

    def weapons_for(self, bench: Bench, substitute: Card, where: SourceLocation) -> list[Card]:
        """The cards whose place a substitute may have taken, wherever it and they lie."""
        condition, cell = str(substitute.get(self.field)), substitute.at(self.field)

        def fitting(cards: Iterable[Card]) -> list[Card]:
            return [
                card
                for card in cards
                if card.kind == substitute.kind
                and card.id != substitute.id
                and bench.fits(card, condition, cell)
                and bench.fits(card, self.replaced, where)
            ]

        mounted = fitting(spots[0].card for spots in bench.by_card.values())
        if self.remains == "same" or not mounted:
            return mounted
        missing = bench.game.editions.keys() - bench.boxes
        return fitting(
            card for card in bench.game.cards.values() if card.text("edition") not in missing
        )

    def welcomed(self, bench: Bench, substitute: Card) -> bool:
        """Whether a mounted card takes this one in whatever its own condition says."""
        name = self.welcomes
        hosts = (spots[0].card for spots in bench.by_card.values())
        return any(
            host.get(name) and bench.fits(substitute, str(host.get(name)), host.at(name))
            for host in hosts
        )

    def relations(self, game: Game, card: Card, rule: Rule) -> Iterator[tuple[str, Sequence[Card]]]:
        others = [one for one in game.cards.values() if one.kind == card.kind and one != card]

        def may_replace(substitute: Card, weapon: Card) -> bool:
            condition = str(substitute.get(self.field))
            return _may_hold(condition, weapon, substitute.at(self.field)) and _may_hold(
                self.replaced, weapon, rule.where
            )

        def may_welcome(weapon: Card, substitute: Card) -> bool:
            condition = str(weapon.get(self.welcomes)) if self.welcomes else ""
            return bool(condition) and _may_hold(condition, substitute, weapon.at(self.welcomes))

        if card.get(self.field):
            yield "may-replace", [one for one in others if may_replace(card, one)]
            yield "welcomed-by", [one for one in others if may_welcome(one, card)]
            return
        substitutes = [one for one in others if one.get(self.field)]
        yield "replaced-by", [one for one in substitutes if may_replace(one, card)]
        yield "welcomes", [one for one in substitutes if may_welcome(card, one)]


def _may_hold(condition: str, card: Card, where: SourceLocation) -> bool:
    """Whether a condition holds of a card; one that asks for a build's figures may."""
    try:
        return holds(condition, names_about(condition, card, {}), where)
    except InvalidSource:
        return True


class _Group(Struct, frozen=True):
    """Substitutes that are alike: in one part, for the same ``weapons`` (card ids), by one rule.

    ``free``: another card welcomes them without an exchange.
    """

    rule: Rule
    part: str
    weapons: tuple[str, ...]
    free: bool
    spots: tuple[CardSpot, ...]


def _groups(bench: Bench, rules: Sequence[Rule]) -> list[_Group]:
    found: dict[tuple[str, str, tuple[str, ...], bool], list[CardSpot]] = {}
    by_id = {rule.id: rule for rule in rules if isinstance(rule.kind, Exchange)}
    for rule in by_id.values():
        assert isinstance(rule.kind, Exchange)
        for spots in bench.by_card.values():
            card = spots[0].card
            if card.get(rule.kind.field):
                fitting = rule.kind.weapons_for(bench, card, rule.where)
                weapons = tuple(weapon.id for weapon in fitting)
                free = rule.kind.welcomed(bench, card)
                for spot in spots:
                    found.setdefault((rule.id, spot.part, weapons, free), []).append(spot)
    return [_Group(by_id[key[0]], *key[1:], tuple(spots)) for key, spots in found.items()]


def before_exchange(bench: Bench, rules: Iterable[Rule], most_slack: int = MOST_STEPS) -> Bench:
    """The bench with the replaced weapons put back, and a fault for each that cannot be.

    A legal build takes no slack; of another less than it takes gives other faults. Where a
    condition is wrong, or there are more ways to exchange than are looked at, that is among its
    problems, and nothing that may be missing is blamed on it.
    """
    if bench.ways:
        return bench
    rules = tuple(rules)
    try:
        groups = _groups(bench, rules)
        return _before(bench, rules, groups, most_slack) if groups else replace(bench, ways=1)
    except InvalidSource as error:
        problems = (*bench.problems, *error.problems)
        return replace(bench, problems=problems, unread=ANY_NUMBER, ways=MOST_STEPS)


def _before(
    bench: Bench, rules: tuple[Rule, ...], groups: Sequence[_Group], most_slack: int
) -> Bench:
    """The bench before the exchange. Raises ``InvalidSource``."""
    substitutes: dict[str, tuple[CardSpot, ...]] = {}
    for group in groups:
        for name in group.weapons:
            substitutes[name] = (*substitutes.get(name, ()), *group.spots)
    bench = replace(bench, substitutes=substitutes)
    weapons = tuple(bench.game.cards[card_id] for card_id in substitutes)
    of_each = [
        (rule, kind) for rule, kind, _ in rules_about(bench, rules) if isinstance(kind, OfEachCard)
    ]
    search = _Search(bench, rules, of_each, groups, weapons)
    count = sum(len(group.spots) for group in groups)
    way = search.way(most_slack) if count <= MOST_SUBSTITUTES else None
    if way is None and search.proved < 0:
        raise error_at(bench.build.where, "EXCHANGE", "weapons-cards-exchange", count=count)
    put_back = search.spots(way or ())
    taken = {(spot.part, spot.slot) for spot in put_back}
    bench = replace(bench, put_back=put_back, ways=max(1, search.steps))
    faults = tuple(
        (group.rule.id, _fault(bench, of_each, group, spot))
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
    of_each: OfEach
    groups: Sequence[_Group]
    weapons: tuple[Card, ...]
    proved: int = -1
    steps: int = 0
    costs: dict[tuple[int, tuple[int, ...]], int | None] = {}

    def way(self, most_slack: int) -> Way | None:
        """The way with the least slack; nothing where the search was cut short."""
        everybody = tuple(len(group.spots) for group in self.groups)
        while self.proved < most_slack:
            found = self._from(0, everybody, self.proved + 1, ())
            if found is not None or self.steps > MOST_STEPS:
                return found
            self.proved += 1
        return None

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
                CardSpot(group.part, -1, self.weapons[index], group.spots[0].where)
                for group, count in zip(self.groups, counts, strict=True)
                for _copy in range(count)
            ]
            faulty = next(_faults_of(self.bench, self.of_each, self.weapons[index], spots), None)
            self.costs[key] = None if faulty and spots else int(faulty is not None)
        return self.costs[key]

    def spots(self, way: Way) -> tuple[CardSpot, ...]:
        """The weapons put back, each in the slot of a substitute."""
        found = []
        for number, group in enumerate(self.groups):
            weapons = [
                weapon
                for weapon, counts in zip(self.weapons, way, strict=False)
                for _copy in range(counts[number])
            ]
            for spot, weapon in zip(group.spots, weapons, strict=False):
                found.append(CardSpot(spot.part, spot.slot, weapon, spot.where))
        return tuple(found)

    def _holds_as_a_whole(self, way: Way) -> bool:
        """Whether the build as it was before is no more broken than it is now."""
        self.steps += 10  # it takes so much longer than one
        before = _as_it_was(self.bench, self.spots(way))
        for rule, kind, _ in rules_about(self.bench, self.rules):
            count = sum(1 for _ in kind.faults(before, rule)) if kind.before_exchange else 0
            if count and count > sum(1 for _ in kind.faults(self.bench, rule)):
                return False
        return True


def _as_it_was(bench: Bench, put_back: tuple[CardSpot, ...]) -> Bench:
    """The bench before the exchange. Only cards that modify figures make it worth working out."""
    if not any(spot.card.get("modifies") for spot in (*put_back, *bench.spots)):
        return replace(bench, put_back=put_back)
    mounted = {part: list(names) for part, names in bench.build.mounted.items()}
    for spot in put_back:
        mounted[spot.part][spot.slot] = spot.card.id
    build = replace(bench.build, mounted={part: tuple(mounted[part]) for part in mounted})
    return lay_out(bench.game, build, bench.placements, bench.boxes)


def _faults_of(
    bench: Bench,
    rules: OfEach,
    weapon: Card,
    more: Sequence[CardSpot],
) -> Iterator[tuple[Rule, Fault]]:
    """What is wrong with a weapon that has ``more`` copies than the bench."""
    spots = [*bench.before.get(weapon.id, ()), *more]
    for rule, kind in rules if spots else ():
        for fault in kind.of_copies(bench, spots):
            yield rule, fault


def _fault(bench: Bench, of_each: OfEach, group: _Group, spot: CardSpot) -> Fault:
    """That a substitute replaced nothing, and what speaks against each weapon that fits."""
    mounted = [name for name in group.weapons if name in bench.by_card]
    faults = []
    for name in mounted:
        weapon = bench.game.cards[name]
        back = CardSpot(spot.part, spot.slot, weapon, spot.where)
        against = list(_faults_of(bench, of_each, weapon, [back]))
        against.sort(key=lambda found: found[1].values.get("part") != spot.part)
        for rule, fault in against[:1]:
            faults.append(fault_problem(fault, rule).sentence)
    why: Sentence | str = ""
    if faults:
        why = sentence("exchange", "put-back", faults=Joined(tuple(faults)))
    elif not mounted:
        why = sentence("exchange", "none-mounted")
    rivals = (other for name in group.weapons for other in bench.substitutes[name])
    touches = (spot, *rivals, *(one for name in mounted for one in bench.by_card[name]))
    found = {"card": spot.card.name, "part": spot.part, "why": why}
    return Fault(spot.where, "exchange", found, touches=touches, lack=True)
