"""``exchange``: cards mounted in exchange for one card of a weapon, whose place each took.

Such a build is judged as it was before the exchange: with a weapon back in the slot of each of
these substitutes, in the way that leaves the least wrong.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
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
)
from exporter.model.shape import Doc
from exporter.rules.kind import (
    CardSpot,
    Expression,
    Fault,
    FieldId,
    MountedBuild,
    OfEachCard,
    Rule,
    RuleKind,
    fault_at,
    fault_problem,
    rules_about,
)
from exporter.rules.subjects import (
    ANY_NUMBER,
    lay_out,
)

# Substitutes, and ways to spread them over weapons, that are looked at: some hundredths of a
# second. What the boxes hold takes a hundred ways.
MOST_SUBSTITUTES = 60
MOST_STEPS = 4_000

# By weapon and group of substitutes: how many of the group took that weapon's place.
Way: TypeAlias = tuple[tuple[int, ...], ...]


class Exchange(RuleKind[MountedBuild]):
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
        Expression | None,
        Doc(
            "a condition that every weapon meets that is replaced at all",
            "入れ替えられる武装すべてに当てはまる条件",
        ),
    ] = None
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
                "「{card}」（{part}）は、条件に合う武装の1枚と入れ替えて積むものです。{why}",
                "{why_remedy}",
            ),
            "put-back": (
                "入れ替えた武装を元に戻すと、別の規則に違反します：{faults}",
                "その規則に合うように直すか、「{card}」を移すか、外してください。",
            ),
            "none-mounted": (
                "条件に合う武装を積んでいません。",
                "その武装も積むか、「{card}」を外してください。",
            ),
        },
        "en": {
            "exchange": (
                "{card!r} on {part!r} must be mounted in exchange for one card of a weapon that "
                "fits it. {why}",
                "{why_remedy}",
            ),
            "put-back": (
                "Put back, that card would break another rule: {faults}",
                "Correct that, move {card!r}, or remove it.",
            ),
            "none-mounted": (
                "No such weapon is mounted.",
                "Mount one, too, or remove {card!r}.",
            ),
        },
    }

    def applies(self, subject: MountedBuild, rule: Rule) -> bool:
        return any(spot.card.get(self.field) for spot in subject.spots)

    def faults(self, subject: MountedBuild, rule: Rule) -> Iterator[Fault]:
        yield from (fault for rule_id, fault in subject.unexchanged if rule_id == rule.id)

    def expression_fields(self) -> tuple[str, ...]:
        return (self.field, self.welcomes) if self.welcomes else (self.field,)

    def weapons_for(
        self, mounted_build: MountedBuild, substitute: Card, where: SourceLocation
    ) -> list[Card]:
        """List the cards whose place a substitute may have taken, wherever it and they lie."""
        condition, cell = str(substitute.get(self.field)), substitute.at(self.field)

        def fitting(cards: Iterable[Card]) -> list[Card]:
            alike = (c for c in cards if c.kind == substitute.kind and c.id != substitute.id)
            fit = (card for card in alike if mounted_build.fits(card, condition, cell))
            return [
                card
                for card in fit
                if not self.replaced or mounted_build.fits(card, self.replaced, where)
            ]

        mounted = fitting(spots[0].card for spots in mounted_build.by_card.values())
        if self.remains == "same" or not mounted:
            return mounted
        missing = mounted_build.game.editions.keys() - mounted_build.boxes
        each = mounted_build.game.cards.values()
        return fitting(card for card in each if card.text("edition") not in missing)

    def welcomed(self, mounted_build: MountedBuild, substitute: Card) -> bool:
        """Say whether a mounted card takes this one in whatever its own condition says."""
        name = self.welcomes
        hosts = (spots[0].card for spots in mounted_build.by_card.values())
        return any(
            host.get(name) and mounted_build.fits(substitute, str(host.get(name)), host.at(name))
            for host in hosts
        )


class _ExchangeGroup(Struct, frozen=True):
    """Substitutes that are alike: in one part, for the same ``weapons`` (card ids), by one rule.

    ``free``: another card welcomes them without an exchange.
    """

    rule: Rule
    part: str
    weapons: tuple[str, ...]
    free: bool
    spots: tuple[CardSpot, ...]


def _groups(mounted_build: MountedBuild, rules: Sequence[Rule]) -> list[_ExchangeGroup]:
    found: dict[Hashable, _ExchangeGroup] = {}
    for rule in rules:
        kind = rule.kind
        for spots in mounted_build.by_card.values() if isinstance(kind, Exchange) else ():
            card = spots[0].card
            if not isinstance(kind, Exchange) or not card.get(kind.field):
                continue
            weapons = tuple(one.id for one in kind.weapons_for(mounted_build, card, rule.where))
            free = kind.welcomed(mounted_build, card)
            for spot in spots:
                key = rule.id, spot.part, weapons, free
                before = found[key].spots if key in found else ()
                found[key] = _ExchangeGroup(rule, spot.part, weapons, free, (*before, spot))
    return list(found.values())


def before_exchange(mounted_build: MountedBuild, rules: Iterable[Rule]) -> MountedBuild:
    """Put the replaced weapons back, with a fault for each substitute that replaced none.

    Where a condition is wrong, or there are more ways to exchange than are looked at, that is among
    its problems, and nothing that may be missing is blamed on it.
    """
    rules = tuple(rules)
    try:
        groups = _groups(mounted_build, rules)
        return (
            _ExchangeSearch.of(mounted_build, rules, groups).exchanged()
            if groups
            else mounted_build
        )
    except InvalidSource as error:
        return replace(
            mounted_build, problems=(*mounted_build.problems, *error.problems), unread=ANY_NUMBER
        )


class _ExchangeSearch(Struct):
    """A search for the weapons that were replaced, weapon by weapon."""

    mounted_build: MountedBuild
    rules: Sequence[Rule]
    of_each: Sequence[tuple[Rule, OfEachCard[MountedBuild]]]
    groups: Sequence[_ExchangeGroup]
    weapons: Sequence[Card]
    steps: int = 0
    complete: dict[tuple[int, tuple[int, ...]], bool] = {}

    @staticmethod
    def of(
        mounted_build: MountedBuild, rules: Sequence[Rule], groups: Sequence[_ExchangeGroup]
    ) -> "_ExchangeSearch":
        """Prepare a search for the weapons whose place some groups may have taken."""
        substitutes: dict[str, tuple[CardSpot, ...]] = {}
        for group in groups:
            for name in group.weapons:
                substitutes[name] = (*substitutes.get(name, ()), *group.spots)
        mounted_build = replace(mounted_build, substitutes=substitutes)
        about = rules_about(mounted_build, rules)
        of_each = [(rule, kind) for rule, kind, _ in about if isinstance(kind, OfEachCard)]
        weapons = [mounted_build.game.cards[name] for name in substitutes]
        return _ExchangeSearch(mounted_build, rules, of_each, groups, weapons)

    def exchanged(self) -> MountedBuild:
        """Put weapons back in the way that leaves the least wrong. Raises ``InvalidSource``."""
        counts = tuple(len(group.spots) for group in self.groups)
        if sum(counts) > MOST_SUBSTITUTES:
            raise self._too_many()
        ways = sorted(self._ways(0, counts), key=self._cost)
        each_way = map(self._spots, ways)
        put_back = next(spots for spots in each_way if not any(self._objections(spots)))
        self.mounted_build = replace(self.mounted_build, put_back=put_back)
        taken = {(spot.part, spot.slot) for spot in put_back}
        each = ((g, spot) for g in self.groups for spot in g.spots if not g.free)
        idle = [(g, spot) for g, spot in each if (spot.part, spot.slot) not in taken]
        faults = tuple((group.rule.id, self._fault(group, spot)) for group, spot in idle)
        return replace(self.mounted_build, unexchanged=faults)

    def _too_many(self) -> InvalidSource:
        count = sum(len(group.spots) for group in self.groups)
        return error_at(
            self.mounted_build.build.where, "EXCHANGE", "weapons-cards-exchange", count=count
        )

    def _ways(self, index: int, left: tuple[int, ...]) -> Iterator[Way]:
        """List the ways for the weapons from ``index`` on; ``left`` are the substitutes of each
        group. A weapon that is put back is complete. Raises ``InvalidSource`` for too many."""
        if index == len(self.weapons):
            yield ()
            return
        weapon, each = self.weapons[index].id, zip(left, self.groups, strict=True)
        for counts in product(*(range(n + 1 if weapon in g.weapons else 1) for n, g in each)):
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise self._too_many()
            if any(counts) and not self._is_complete(index, counts):
                continue
            remaining = tuple(n - count for n, count in zip(left, counts, strict=True))
            yield from ((counts, *rest) for rest in self._ways(index + 1, remaining))

    def _cost(self, way: Way) -> int:
        """Count the substitutes that replaced nothing, and the weapons that are short of copies."""
        replaced: list[int] = [sum(counts) for counts in zip(*way, strict=True)]
        replaced = replaced or [0] * len(self.groups)
        idle = (
            len(group.spots) - count
            for group, count in zip(self.groups, replaced, strict=True)
            if not group.free
        )
        bare = (index for index, counts in enumerate(way) if not any(counts))
        return sum(idle) + sum(not self._is_complete(index, way[index]) for index in bare)

    def _is_complete(self, index: int, counts: tuple[int, ...]) -> bool:
        """Say whether nothing is wrong with a weapon of which so many are put back."""
        key, weapon = (index, counts), self.weapons[index]
        if key not in self.complete:
            groups = zip(self.groups, counts, strict=True)
            spots = [replace(group.spots[0], card=weapon) for group, n in groups for _ in range(n)]
            self.complete[key] = not any(True for _ in self._faults_of(weapon, spots))
        return self.complete[key]

    def _faults_of(self, weapon: Card, more: Sequence[CardSpot]) -> Iterator[tuple[Rule, Fault]]:
        """Find what is wrong with a weapon that has ``more`` copies than the mounted_build."""
        spots = [*self.mounted_build.before.by_card.get(weapon.id, ()), *more]
        for rule, kind in self.of_each if spots else ():
            yield from ((rule, fault) for fault in kind.of_copies(self.mounted_build, spots))

    def _spots(self, way: Way) -> tuple[CardSpot, ...]:
        """Find the weapons put back, each in the slot of a substitute."""
        found = list[CardSpot]()
        for number, group in enumerate(self.groups):
            each = zip(self.weapons, way, strict=True)
            weapons = [weapon for weapon, counts in each for _ in range(counts[number])]
            pairs = zip(group.spots, weapons, strict=False)
            found += [replace(spot, card=weapon) for spot, weapon in pairs]
        return tuple(found)

    def _objections(self, put_back: Sequence[CardSpot]) -> Iterator[tuple[Rule, Fault]]:
        """Find what would be more broken in the build as it was before than it is now."""
        mounted_build = self.mounted_build
        if not put_back:
            return
        mounted = {part: list(names) for part, names in mounted_build.build.mounted.items()}
        for spot in put_back:
            mounted[spot.part][spot.slot] = spot.card.id
        build = replace(
            mounted_build.build, mounted={part: tuple(mounted[part]) for part in mounted}
        )
        before = lay_out(mounted_build.game, build, mounted_build.placements, mounted_build.boxes)
        for rule, kind, now in rules_about(mounted_build, self.rules):
            if kind.by_moving and not isinstance(kind, OfEachCard):
                faults = list(kind.faults(before, rule))
                if faults and len(faults) > sum(1 for _ in kind.faults(now, rule)):
                    yield rule, faults[-1]

    def _fault(self, group: _ExchangeGroup, spot: CardSpot) -> Fault:
        """Say that a substitute replaced nothing, and what speaks against each weapon that fits."""
        mounted_build, found = self.mounted_build, list[Sentence]()
        mounted = [name for name in group.weapons if name in mounted_build.by_card]
        for weapon in [mounted_build.game.cards[name] for name in mounted]:
            more = [replace(spot, card=weapon)]
            against = list(self._faults_of(weapon, more))
            against = against or list(self._objections([*mounted_build.put_back, *more]))
            against.sort(key=lambda one: one[1].values.get("part") != spot.part)
            found += [
                fault_problem(mounted_build.game, fault, rule).sentence
                for rule, fault in against[:1]
            ]
        key, faults = "put-back" if mounted else "none-mounted", Joined(tuple(found))
        why = sentence("exchange", key, card=spot.card.name, faults=faults)
        rivals = (other for name in group.weapons for other in mounted_build.substitutes[name])
        touches = (spot, *rivals, *(one for name in mounted for one in mounted_build.by_card[name]))
        return fault_at(
            spot.where,
            "exchange",
            card=spot.card.name,
            part=spot.part,
            why=why,
            touches=touches,
            lack=True,
        )
