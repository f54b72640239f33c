"""Rule kinds about where cards are mounted: slots, placement, minimum together.

Where cards are mounted in exchange, placement and minimum are asked of the build as it was before:
of what is mounted now and what is put back (``Bench.before``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from exporter.model import Card
from exporter.problems import Severity, Where
from exporter.rules.bench import Bench, counted
from exporter.rules.book import Placement, Rule
from exporter.rules.faults import Fault, Spot


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


def _sets_fault(
    placement: Placement, spots: Sequence[Spot], both_sets: bool
) -> tuple[str, str] | None:
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
    for spots in bench.before.values():
        yield from placement_of(bench, rule, spots)


def placement_of(bench: Bench, rule: Rule, spots: Sequence[Spot]) -> Iterator[Fault]:
    """What is wrong with where the copies of one card lie."""
    card = spots[0].card
    pattern = bench.placement(card)
    if pattern is None:
        return
    base = {"card": card.name, "pattern": pattern.id}
    if pattern.frame and not bench.fits(card, pattern.frame, pattern.where):
        frame = " ".join(bench.build.frame.values())
        for spot in spots:
            yield Fault(spot.where, "place-frame", {**base, "frame": frame}, touches=(spot,))
        return
    known = [spot for spot in spots if spot.part in bench.game.parts]
    outside = [spot for spot in known if pattern.parts and spot.part not in pattern.parts]
    for spot in outside:
        found = {**base, "part": spot.part, "allowed": "・".join(pattern.parts)}
        yield Fault(spot.where, "place-part", found, touches=(spot,))
    if outside:
        return  # its sets would only say the same again
    where, whole = spots[0].where, (*spots, *bench.substitutes.get(card.id, ()))
    if pattern.sets:
        wording = _sets_fault(pattern, spots, bool(rule.parameters.get("both_sets", True)))
        if wording:
            found = {**base, "found": counted(spots), "allowed": wording[1]}
            yield Fault(where, wording[0], found, touches=whole, missing=card, lack=True)
    if pattern.at_least and not any(spot.part in pattern.at_least for spot in spots):
        found = {**base, "parts": "・".join(pattern.at_least)}
        yield Fault(where, "place-least", found, touches=whole, missing=card, lack=True)
    if pattern.at_most:
        for part, count in Counter(spot.part for spot in spots).items():
            if count > pattern.at_most:
                there = tuple(spot for spot in spots if spot.part == part)
                most = {**base, "part": part, "found": count, "allowed": pattern.at_most}
                yield Fault(there[-1].where, "place-most", most, touches=there)


def _needed(card: Card) -> int:
    value = card.get("min_count")
    return value if isinstance(value, int) else 0


def together(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Of a card with ``min_count`` n, n copies lie in every part that holds one.

    With ``may_split`` they are counted over all parts; so they are where a card of the same part
    has the field named by ``splits``.
    """
    for spots in bench.before.values():
        yield from together_of(bench, rule, spots)


def together_of(bench: Bench, rule: Rule, spots: Sequence[Spot]) -> Iterator[Fault]:
    """Where too few copies of one card lie together."""
    card, needed = spots[0].card, _needed(spots[0].card)
    if needed < 2:
        return
    splits = str(rule.parameters.get("splits", ""))
    loose_parts = {spot.part for spot in bench.spots if splits and spot.card.get(splits)}
    groups: dict[str, list[Spot]] = {}
    if card.get("may_split") or any(spot.part in loose_parts for spot in spots):
        groups[""] = list(spots)
    else:
        for spot in spots:
            groups.setdefault(spot.part, []).append(spot)
    whole = (*spots, *bench.substitutes.get(card.id, ()))
    for part, group in groups.items():
        if len(group) < needed:
            found = {"card": card.name, "needed": needed, "found": len(group), "part": part}
            text = "together-part" if part else "together-all"
            yield Fault(group[0].where, text, found, touches=whole, missing=card, lack=True)


def excludes(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Of the cards that meet ``cards`` only one is mounted, in one part or ``within`` the build."""
    chosen = [
        spot
        for spot in (*bench.spots, *bench.put_back)
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
