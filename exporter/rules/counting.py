"""Rule kinds that count: copies, ban and limit lists, boxes, budgets, names, pilots, figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from exporter.model import Card
from exporter.problems import Where
from exporter.rules.bench import Bench, Skill
from exporter.rules.book import Rule
from exporter.rules.faults import Fault, Spot
from exporter.rules.totals import terms_text


def _over(
    card: Card, spots: Sequence[Spot], allowed: int, skills: Sequence[Skill] = ()
) -> Iterator[Fault]:
    places = [*(spot.where for spot in spots), *(skill.where for skill in skills)]
    if len(places) > allowed:
        found = {
            "card": card.name,
            "found": len(places),
            "allowed": allowed,
            "over": len(places) - allowed,
        }
        yield Fault(places[allowed], "copies", found, touches=tuple(spots))


def copies(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """No card is mounted more often than its ``field`` says, or than the number ``most``."""
    for spots in bench.before.values():
        yield from copies_of(bench, rule, spots)


def copies_of(bench: Bench, rule: Rule, spots: Sequence[Spot]) -> Iterator[Fault]:
    """That there are too many copies of one card."""
    field, most = rule.parameters.get("field", ""), rule.parameters.get("most")
    allowed = most if most is not None else spots[0].card.get(str(field))
    if isinstance(allowed, int):
        yield from _over(spots[0].card, spots, allowed)


def limits(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """A list of cards or skills with how many copies are allowed; 0 bans."""
    for name, allowed in rule.parameters["cards"].items():
        card = bench.game.card(name)
        if card is None:
            continue
        spots = bench.by_card.get(card.id, [])
        owned = [skill for skill in bench.skills if skill.card.id == card.id]
        if allowed:
            yield from _over(card, spots, allowed, owned)
            continue
        for spot in spots:
            yield Fault(spot.where, "limits-ban", {"card": card.name}, touches=(spot,))
        for skill in owned:
            yield Fault(skill.where, "limits-ban", {"card": card.name})


def boxes(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Cards of an edition need its box; so do skills, which all belong to ``skills_in``."""
    editions = bench.game.editions
    owned = "・".join(str(editions[name].name) for name in editions if name in bench.boxes)
    things: list[tuple[Card, Where, str, tuple[Spot, ...]]] = [
        (spot.card, spot.where, str(spot.card.get("edition")), (spot,)) for spot in bench.spots
    ]
    skills_in = str(rule.parameters.get("skills_in", ""))
    things += [(skill.card, skill.where, skills_in, ()) for skill in bench.skills]
    told: set[str] = set()
    for card, where, edition, touches in things:
        if edition in editions and edition not in bench.boxes and card.id not in told:
            told.add(card.id)
            kind = bench.game.kinds[card.kind].name
            found = {"card": card.name, "box": editions[edition].name, "owned": owned, "kind": kind}
            yield Fault(where, "box", found, touches=touches)


def budget(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """``figure`` is ``limit`` at most; what weighs how much stands in the figure's terms."""
    total, limit = bench.totals.get(str(rule.parameters["figure"])), int(rule.parameters["limit"])
    if total is not None and total.value > limit:
        labels = {term.label.partition("×")[0] for term in total.terms}
        found = {
            "figure": total.figure.id,
            "found": total.value,
            "allowed": limit,
            "over": total.value - limit,
            "terms": terms_text(total.terms),
        }
        touches = tuple(spot for spot in bench.spots if spot.card.name in labels)
        yield Fault(bench.build.where, "budget", found, touches=touches)


def pilots(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """There is at most one pilot for each seat; ``seats`` gives their number by frame option."""
    option = str(rule.parameters["option"])
    allowed = int(rule.parameters["seats"].get(bench.build.frame.get(option, ""), 0))
    found = len(bench.build.pilots)
    if found > allowed:
        where = bench.build.pilots[allowed].where
        values = {"found": found, "allowed": allowed, "over": found - allowed}
        yield Fault(where, "pilots", values)


def _by_pilot(bench: Bench) -> Iterator[list[Skill]]:
    for pilot in bench.build.pilots:
        yield [skill for skill in bench.skills if skill.pilot is pilot]


def skills(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """No pilot has more than ``most`` skills."""
    most = int(rule.parameters["most"])
    for owned in _by_pilot(bench):
        if len(owned) > most:
            values = {
                "pilot": owned[0].pilot.name,
                "found": len(owned),
                "allowed": most,
                "over": len(owned) - most,
            }
            yield Fault(owned[most].where, "skills", values)


def _bare(name: str, endings: list[str]) -> str:
    for ending in sorted(endings, key=len, reverse=True):
        if name.endswith(ending):
            return name.removesuffix(ending)
    return name


def same_name(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """Names that differ only in one of ``endings`` count as one, which a pilot has once."""
    endings = list(rule.parameters["endings"])
    for owned in _by_pilot(bench):
        groups: dict[str, list[Skill]] = {}
        for skill in owned:
            groups.setdefault(_bare(skill.card.name, endings), []).append(skill)
        for same in groups.values():
            if len(same) > 1:
                names = "・".join(skill.card.name for skill in same)
                values = {"cards": names, "owner": same[0].pilot.name}
                yield Fault(same[1].where, "same-name", values)


def figure(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """What somebody prints or claims of ``figures`` is what their terms come to."""
    for name in rule.parameters["figures"]:
        claim, total = bench.claims.get(name), bench.totals.get(name)
        if claim is not None and total is not None and claim != total.value:
            values = {"figure": name, "found": claim, "value": total.value, "total": total}
            where = bench.build.places.get(f"printed.{name}", bench.build.where)
            yield Fault(where, "figure", values)


def _difference(found: Mapping[str, int], wanted: Mapping[str, int]) -> str:
    """Two counts against one another: ``＋A×1 −B×2`` is what the first has over the second."""
    parts = []
    for name in sorted({*found, *wanted}):
        over = found.get(name, 0) - wanted.get(name, 0)
        if over:
            parts.append(f"{'＋' if over > 0 else '−'}{name}×{abs(over)}")
    return " ".join(parts)


def printed_only(bench: Bench, rule: Rule) -> Iterator[Fault]:
    """The build has the frame and the mounted cards of one of the printed loadouts."""
    mounted = Counter(spot.card.name for spot in bench.spots)
    closest: tuple[int, str, str] | None = None
    for mech in bench.game.mechs.values():
        for variant, loadout in mech.loadouts.items():
            cards = (bench.game.card(name) for part in loadout.mounted.values() for name in part)
            printed = Counter(card.name for card in cards if card is not None)
            same_frame = dict(loadout.frame) == dict(bench.build.frame)
            if printed == mounted and same_frame:
                return
            gap = sum(((printed - mounted) + (mounted - printed)).values())
            frame = "" if same_frame else " ".join(loadout.frame.values()) + " "
            label = f"{mech.name} {bench.game.variants[variant].name}"
            distance = gap + (0 if same_frame else 5)
            if closest is None or distance < closest[0]:
                closest = (distance, label, frame + _difference(mounted, printed))
    if closest is not None:
        values = {
            "build": bench.build.name,
            "nearest": closest[1],
            "difference": closest[2],
        }
        where = bench.build.where
        yield Fault(where, "printed-only", values, touches=bench.spots, lack=True)
