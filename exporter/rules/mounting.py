"""Rule kinds about where cards are mounted: slots, placement, minimum together, exchange."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from exporter.model import Card
from exporter.problems import Severity, Where
from exporter.rules.bench import Bench, counted
from exporter.rules.book import Placement, Rule
from exporter.rules.faults import Fault, Spot

MOST_SEATS = 200
"""Cards in exchange that are looked at: more than any build has room for."""


def slots(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """No part holds more cards than it has slots: three cards on two slots fail."""
    for part, allowed in bench.slots.items():
        held = len(bench.build.mounted.get(part, ()))
        if held > allowed:
            found = {"part": part, "found": held, "allowed": allowed, "over": held - allowed}
            where = bench.build.places.get(part, bench.build.where)
            yield Fault(where, "slots", found, touches=tuple(bench.by_part[part]))


def empty_slots(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Notices slots without a card: legal, but ``figure`` counts them and the deck does not."""
    empty = {
        part: bench.slots.get(part, 0) - len(spots)
        for part, spots in bench.by_part.items()
        if len(spots) < bench.slots.get(part, 0)
    }
    total = bench.totals.get(str(rule.parameters["figure"]))
    if empty and total is not None:
        value = total.value
        found = {
            "parts": "・".join(f"{part}{count}" for part, count in empty.items()),
            "figure": total.figure.id,
            "value": value,
            "deck": value - sum(bench.slots.values()) + len(bench.spots),
        }
        yield Fault(bench.build.where, "empty-slots", found, Severity.NOTICE, lack=True)


def wrong_kind(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Only cards of ``mounted`` kinds are mounted, only those of ``skills`` kinds are skills."""
    things: list[tuple[Card, Where, str, tuple[Spot, ...]]] = [
        (spot.card, spot.where, "mounted", (spot,)) for spot in bench.spots
    ]
    things += [(skill.card, skill.where, "skills", ()) for skill in bench.skills]
    for card, where, key, touches in things:
        allowed = rule.parameters[key]
        if card.kind not in allowed:
            kinds = bench.game.kinds
            found = {
                "card": card.name,
                "found": kinds[card.kind].name,
                "allowed": "・".join(str(kinds[kind].name) for kind in allowed),
            }
            yield Fault(where, "kind", found, touches=touches)


def _set_text(parts: Mapping[str, int]) -> str:
    return "＋".join(f"{part}{count}" for part, count in parts.items())


def _sets_fault(placement: Placement, spots: list[Spot], both_sets: bool) -> tuple[str, str] | None:
    """Which wording a set pattern earns, and the sets that are allowed."""
    counts = Counter(spot.part for spot in spots)
    allowed = " / ".join(_set_text(one) for one in placement.sets)
    used = 0
    for one in placement.sets:
        filled = {counts.get(part, 0) / needed for part, needed in one.items()}
        if len(filled) > 1 or not next(iter(filled)).is_integer():
            return "place-sets", allowed
        used += filled != {0.0}
    return ("place-mixed", allowed) if used > 1 and not both_sets else None


def placement(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Every card lies where its mount pattern lets it.

    ``both_sets``: whether one card may use several alternatives of its pattern at once.
    """
    for spots in bench.by_card.values():
        card = spots[0].card
        pattern = bench.placement(card)
        if pattern is None:
            continue
        all_spots = tuple(spots)
        base = {"card": card.name, "pattern": pattern.id}
        if pattern.frame and not bench.fits(card, pattern.frame, pattern.where):
            frame = " ".join(bench.build.frame.values())
            for spot in spots:
                yield Fault(spot.where, "place-frame", {**base, "frame": frame}, touches=(spot,))
            continue
        outside = [spot for spot in spots if pattern.parts and spot.part not in pattern.parts]
        for spot in outside:
            found = {**base, "part": spot.part, "allowed": "・".join(pattern.parts)}
            yield Fault(spot.where, "place-part", found, touches=(spot,))
        if outside:
            continue  # its sets would only say the same again
        if pattern.sets:
            wording = _sets_fault(pattern, spots, bool(rule.parameters.get("both_sets", True)))
            if wording:
                found = {**base, "found": counted(spots), "allowed": wording[1]}
                where = spots[0].where
                yield Fault(where, wording[0], found, touches=all_spots, missing=card, lack=True)
        if pattern.at_least and not any(spot.part in pattern.at_least for spot in spots):
            found = {**base, "parts": "・".join(pattern.at_least)}
            yield Fault(
                spots[0].where, "place-least", found, touches=all_spots, missing=card, lack=True
            )
        if pattern.at_most:
            for part, count in Counter(spot.part for spot in spots).items():
                if count > pattern.at_most:
                    there = tuple(spot for spot in spots if spot.part == part)
                    most = {**base, "part": part, "found": count, "allowed": pattern.at_most}
                    yield Fault(there[-1].where, "place-most", most, touches=there)


def _needed(card: Card) -> int:
    value = card.get("min_count")
    return value if isinstance(value, int) else 0


def _hosts(bench: Bench, guest: Card, field: str) -> list[Card]:
    """The mounted cards that a card in exchange may stand in for, by the condition it carries."""
    condition = str(guest.get(field))
    return [
        spots[0].card
        for spots in bench.by_card.values()
        if not spots[0].card.get(field) and bench.fits(spots[0].card, condition, guest.at(field))
    ]


def _welcomed(bench: Bench, guest: Card, field: str) -> bool:
    """Whether another mounted card takes this one in whatever its own condition says."""
    return any(
        bench.fits(guest, str(spots[0].card.get(field)), spots[0].card.at(field))
        for spots in bench.by_card.values()
        if spots[0].card.get(field)
    )


def exchange(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """A card that is mounted in exchange for one card of a fitting weapon needs such a weapon.

    ``field`` holds the condition that the weapon must meet (``'missile' in name``), ``welcomes``
    the condition of a card that takes others in anyway. The exchanged card lay in a part where
    the weapon may lie, and one card of the weapon at least is left.
    """
    field, welcomes = str(rule.parameters["field"]), str(rule.parameters["welcomes"])
    for spots in bench.by_card.values():
        guest = spots[0].card
        if not guest.get(field) or _welcomed(bench, guest, welcomes):
            continue
        hosts = _hosts(bench, guest, field)
        for spot in spots:
            if not any(spot.part in bench.parts_for(host) for host in hosts):
                found = {"card": guest.name, "part": spot.part}
                yield Fault(spot.where, "exchange", found, touches=(spot,), lack=True)


def _all_seated(shortages: list[tuple[int, list[int]]]) -> bool:
    """Whether every shortage finds so many guests among its own, each guest used once.

    Each wanted seat takes a guest, and may send the one who has it to another (Kuhn's matching).
    """
    seats = [guests for count, guests in shortages for _ in range(count)]
    taken: dict[int, int] = {}

    def seated(seat: int, asked: set[int]) -> bool:
        for guest in seats[seat]:
            if guest not in asked:
                asked.add(guest)
                if guest not in taken or seated(taken[guest], asked):
                    taken[guest] = seat
                    return True
        return False

    return all(len(seats) <= MOST_SEATS and seated(seat, set()) for seat in range(len(seats)))


def together(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Of a card with ``min_count`` n, n copies lie in every part that holds one.

    With ``may_split`` they are counted over all parts; so they are where a card of the same part
    has the field named by ``splits``. Cards mounted in exchange (``exchange`` names the field)
    stand in for one missing copy of one weapon each.
    """
    splits, field = str(rule.parameters["splits"]), str(rule.parameters["exchange"])
    loose_parts = {spot.part for spot in bench.spots if splits and spot.card.get(splits)}
    guests = [spot for spot in bench.spots if spot.card.get(field)][:MOST_SEATS]
    kinds = {guest.card.id: guest.card for guest in guests}
    hosts = {key: {host.id for host in _hosts(bench, kinds[key], field)} for key in kinds}
    seated: list[tuple[int, list[int]]] = []
    for spots in bench.by_card.values():
        card, needed = spots[0].card, _needed(spots[0].card)
        if needed < 2:
            continue
        loosened = any(spot.part in loose_parts for spot in spots)
        whole = bool(card.get("may_split")) or loosened
        groups = {"": spots} if whole else {}
        if not whole:
            for spot in spots:
                groups.setdefault(spot.part, []).append(spot)
        for part, group in groups.items():
            short = needed - len(group)
            if short <= 0:
                continue
            candidates = [
                index
                for index, guest in enumerate(guests)
                if (guest.part == part if part else guest.part in bench.parts_for(card))
                and card.id in hosts[guest.card.id]
            ]
            if _all_seated([*seated, (short, candidates)]):
                seated.append((short, candidates))
                continue
            found = {"card": card.name, "needed": needed, "found": len(group), "part": part}
            text = "together-part" if part else "together-all"
            yield Fault(group[0].where, text, found, touches=tuple(spots), missing=card, lack=True)


def excludes(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Of the cards that meet ``cards`` only one is mounted, in one part or ``within`` the build."""
    chosen = [
        spot
        for spot in bench.spots
        if bench.fits(spot.card, str(rule.parameters["cards"]), rule.where)
    ]
    by_part = rule.parameters.get("within") == "part"
    groups: dict[str, list[Spot]] = {}
    for spot in chosen:
        groups.setdefault(spot.part if by_part else bench.build.name, []).append(spot)
    for within, spots in groups.items():
        if len(spots) > 1:
            names = "・".join(spot.card.name for spot in spots)
            found = {"cards": names, "within": within}
            yield Fault(spots[-1].where, "excludes", found, touches=tuple(spots))


def requires(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Where a card meets ``cards``, another mounted one meets ``needs``; ``named`` says which."""
    cards, needs = str(rule.parameters["cards"]), str(rule.parameters["needs"])
    helpers = [spot for spot in bench.spots if bench.fits(spot.card, needs, rule.where)]
    for spot in bench.spots:
        if bench.fits(spot.card, cards, rule.where) and helpers in ([], [spot]):
            found = {"card": spot.card.name, "needs": rule.parameters["named"]}
            yield Fault(spot.where, "requires", found, touches=(spot,), lack=True)
