"""What still fits on a build: where cards may go, and what speaks against other places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import first_by
from exporter.core.messages import sentence
from exporter.core.problems import COMMAND_LINE, Problem, problem_values, stop_for
from exporter.model import Build, Card, Game
from exporter.model.game_names import resolve_name, unknown
from exporter.rules.build_changes import BuildRepairs
from exporter.rules.figures import mounted_cards, skills_of
from exporter.rules.kind import OfEachCard, fault_problem
from exporter.rules.kinds.build_kinds import Slots, WrongKind
from exporter.rules.kinds.exchange import Exchange
from exporter.rules.project import Project
from exporter.rules.repair import RepairStep
from exporter.rules.report.verdicts import CheckOptions, refuse_unknown_frame, rules_for
from exporter.rules.rulebook import Found, Rulebook
from exporter.rules.subjects import FrameChoice, MountedBuild
from exporter.rules.written_builds import card_written

_Key: TypeAlias = tuple[str, object, str, str]

# Copies of a card in exchange that are tried at once: each may take the place of one more.
MOST_EXCHANGED = 4

# What cards are usually sorted by, where they have it.
BY = ("rank", "kinds", "range")


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

    @property
    def why_not(self) -> Mapping[str, Found]:
        """Why it fits nowhere: by rule, the first fault at the nearest place."""
        return first_by(() if self.places else self.nearest.against, lambda found: found[0].id)


class OneMore(Struct, frozen=True):
    """What one more copy of a card in a part would break, and what it would ask for besides.

    It fits where nothing is ``against`` it; what it ``wants`` are further copies or other cards.
    """

    against: tuple[Problem, ...] = ()
    wants: tuple[Problem, ...] = ()


class Fits(Struct, frozen=True):
    """What fits on a ``build`` into some ``parts``, and what does not: the cards in order."""

    game: Game
    build: Build
    parts: tuple[str, ...]
    fits: tuple[Fit, ...]


def mountable(game: Game, book: Rulebook) -> list[Card]:
    """The cards of the kinds that are mounted: as a rule says or, without one, as mechs do; all of
    a game that says neither."""
    rules = [rule.kind for rule in book.rules.values() if isinstance(rule.kind, WrongKind)]
    kinds = {name for rule in rules for name in rule.mounted}
    if not kinds:
        builds = [build for mech in game.mechs.values() for build in mech.loadouts.values()]
        kinds = {card.kind for one in builds for card in mounted_cards(game, one)}
    return [card for card in game.cards.values() if not kinds or card.kind in kinds]


def skill_cards(game: Game) -> list[Card]:
    """The cards that pilots may have: those of kinds that a mech's pilots have."""
    builds = [build for mech in game.mechs.values() for build in mech.loadouts.values()]
    kinds = {card.kind for build in builds for _pilot, card in skills_of(game, build)}
    return [card for card in game.cards.values() if card.kind in kinds]


def all_fits(
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
    trial = _trial(game, book, build, boxes)
    each = cards or mountable(game, book)
    return [_fit(trial, card, parts or game.parts) for card in each]


class _Trial(Struct, frozen=True):
    """A build on which more cards are tried; ``broken`` is what is wrong with it already."""

    repairs: BuildRepairs
    mounted_build: MountedBuild
    broken: Set[_Key]

    def new_faults(self, card: Card, copies: Mapping[str, int]) -> list[Found]:
        """What speaks against so many more copies of a card, by part."""
        build = self.repairs.build
        mounted = build.mounted
        more = {part: (*mounted.get(part, ()), *(card.id,) * n) for part, n in copies.items()}
        changed = replace(build, mounted={**mounted, **more}, places={})
        found = [one for one in self.repairs.judge(changed).faults if _key(one) not in self.broken]
        return [one for one in found if not self._was_broken(one, card)]

    def _was_broken(self, found: Found, card: Card) -> bool:
        """Whether the same rule spoke against the same card, which is not the one added."""
        named = found[1].values.get("card")
        return named != card.name and any((found[0].id, named) == key[:2] for key in self.broken)


def _trial(game: Game, book: Rulebook, build: Build, boxes: Collection[str]) -> _Trial:
    """Make one on a build; what its author waives is held against nothing."""
    waived = frozenset(waiver.rule for waiver in build.waivers)
    repairs = BuildRepairs(game, book, build, frozenset(boxes), waived)
    judged = repairs.judge(build)
    return _Trial(repairs, judged.subject, set(map(_key, judged.faults)))


def _key(found: Found) -> _Key:
    rule, fault = found
    return (
        rule.id,
        fault.values.get("card", ""),
        fault.text,
        str(sorted(fault.values.items(), key=lambda pair: pair[0])),
    )


def _fit(trial: _Trial, card: Card, parts: Sequence[str]) -> Fit:
    """Where a card fits on some parts, or the place that the least speaks against: one that
    has enough copies, if there is any."""
    pattern = trial.mounted_build.parts_for(card)
    wanted = [part for part in parts if part in pattern] or parts
    within = pattern if set(wanted) <= set(pattern) else tuple(wanted)
    found: dict[str, Place] = {}
    hopeless: list[Counter[str]] = []  # with still more copies, too
    nearest: tuple[tuple[bool, int], Place] | None = None
    for copies in range(1, _most(trial, card) + 1):
        ways = _spreads(copies, tuple(within))
        for way in sorted(ways, key=len):
            new = [part for part in wanted if part in way and part not in found]
            if not new or any(one <= Counter(way) for one in hopeless):
                continue
            place = Place(way, _most_telling(trial, card, trial.new_faults(card, way)))
            if not place.against:
                found |= dict.fromkeys(new, place)
                continue
            lack = any(fault.lack for _, fault in place.against)
            rank = lack, len({rule.id for rule, _ in place.against})
            nearest = (rank, place) if nearest is None or rank < nearest[0] else nearest
            if not lack:
                hopeless.append(Counter(way))
    places = {id(found[part]): found[part] for part in wanted if part in found}
    return Fit(card, tuple(places.values()), nearest[1] if nearest else Place({}))


def _spreads(left: int, parts: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """Every way to spread copies over parts, the fullest first part first."""
    if not parts:
        if left == 0:
            yield {}
        return
    first, *rest = parts
    for number in range(left, -1, -1):
        for others in _spreads(left - number, tuple(rest)):
            yield ({first: number} if number else {}) | others


def _most(trial: _Trial, card: Card) -> int:
    """How many copies are tried at once: as many as a card needs of which none is mounted."""
    kinds = [rule.kind for rule in trial.repairs.book.rules.values() if rule.kind is not None]
    needs = [card.get(kind.repeats) for kind in kinds if kind.repeats]
    needed = max([1, *(need for need in needs if isinstance(need, int))])
    placement = trial.mounted_build.placement(card)
    sets = [sum(one.values()) for one in placement.sets] if placement else []
    most = max([needed, *(-(-needed // one) * one for one in sets)])
    exchanged = any(isinstance(kind, Exchange) and card.get(kind.field) for kind in kinds)
    return max(most, MOST_EXCHANGED) if exchanged else most


def _most_telling(trial: _Trial, card: Card, faults: list[Found]) -> tuple[Found, ...]:
    """Of several faults those of slots, or of how the card itself may lie, where these alone keep
    it away."""
    kinds = [(one, one[0].kind) for one in faults]
    alone = [one for one, kind in kinds if isinstance(kind, OfEachCard) and kind.by_moving]
    full = [one for one, kind in kinds if isinstance(kind, Slots)]
    if all(fault.lack for _, fault in alone):
        return tuple(full or alone or faults)
    return tuple(alone)


def fit_order(fit: Fit, by: Sequence[str]) -> tuple[object, ...]:
    """What fits before what does not, each by fields of the cards: numbers as such, then texts."""
    values = (fit.card.get(field) for field in by)
    each = ((0, one, "") if isinstance(one, int) else (1, 0, str(one)) for one in values)
    return (not fit.fits, *each)


def fits_of(
    project: Project,
    build: Build,
    parts: Sequence[str],
    by: Sequence[str],
    options: CheckOptions,
) -> Fits:
    """Try every card that can be mounted; those that fit come first.

    Raises ``InvalidSource`` for parts, fields, regulations and frames that there are not.
    """
    game = project.on(options.on)
    known = [resolve_name(game, "part", part) for part in parts]
    odd = [part for part in known if part not in game.parts]
    wrong = [unknown(game, "part", part, COMMAND_LINE, "FITS") for part in odd]
    _regulation, book, unclear = rules_for(project.book, build, options)
    stop_for([*wrong, *unclear])
    refuse_unknown_frame(game, project.book, build)
    found = all_fits(game, book, build, known, options.boxes)
    return Fits(game, build, tuple(known), tuple(sorted(found, key=lambda fit: fit_order(fit, by))))


def one_more(
    project: Project, build: Build, cards: Iterable[str], options: CheckOptions
) -> Mapping[str, Mapping[str, OneMore]]:
    """By each of ``cards`` (ids) and by part, what would come of one more copy there.

    Empty for a frame that there is not: nothing fits it.
    """
    game = project.corrected
    if FrameChoice(game, build).unknown:
        return {}
    trial = _trial_under(project, build, options)
    known = [game.cards[card] for card in cards if card in game.cards]
    return {card.id: {part: _one_more(trial, card, part) for part in game.parts} for card in known}


def _trial_under(project: Project, build: Build, options: CheckOptions) -> _Trial:
    _regulation, book, _unclear = rules_for(project.book, build, options)
    return _trial(project.corrected, book, build, options.boxes)


def _one_more(trial: _Trial, card: Card, part: str) -> OneMore:
    found: dict[bool, list[Problem]] = {False: [], True: []}
    for rule, fault in trial.new_faults(card, {part: 1}):
        found[fault.lack].append(fault_problem(trial.repairs.game, fault, rule))
    return OneMore(against=tuple(found[False]), wants=tuple(found[True]))


def fill_slots(
    project: Project, build: Build, options: CheckOptions
) -> tuple[Build, tuple[RepairStep, ...]]:
    """A build with a card in every free slot, as far as cards fit, and the steps to it.

    More of what is mounted goes first, then cards in their order.
    """
    game = project.corrected
    steps: list[RepairStep] = []
    already = Counter(card.id for card in mounted_cards(game, build))
    order = sorted(mountable(game, project.book), key=lambda card: -already[card.id])
    while True:
        trial = _trial_under(project, build, options)
        slots, mounted = trial.mounted_build.slots, build.mounted
        free = [part for part in game.parts if len(mounted.get(part, ())) < slots.get(part, 0)]
        places = ((card, part) for part in free for card in order)
        found = next((one for one in places if not trial.new_faults(one[0], {one[1]: 1})), None)
        if found is None:
            return build, tuple(steps)
        card, part = found
        steps.append(RepairStep("add", card.name, target=part))
        cards = (*mounted.get(part, ()), card_written(game, card.id))
        build = replace(build, mounted={**mounted, part: cards})


def _shown(card: Card) -> str:
    return "\t".join([card.id, card.name, *(card.text(field) or "—" for field in BY)])


def _place_shown(place: Place) -> str:
    return "＋".join(part if n == 1 else f"{part}×{n}" for part, n in place.copies.items())


def fits_lines(found: Fits, language: str) -> Iterator[str]:
    """What fits, with the parts where it does, then what does not, and why; columns by tabs."""
    count, every = sum(fit.fits for fit in found.fits), len(found.fits)
    head = sentence("fits", "count", name=found.build.name, count=count, all=every)
    yield head.in_language(language)
    for fit in found.fits:
        if fit.fits:
            line = f"  {_shown(fit.card)}\t{'・'.join(map(_place_shown, fit.places))}"
            yield found.game.label(line, language)
    for fit in found.fits:
        each = (fault_problem(found.game, fault, rule) for rule, fault in fit.why_not.values())
        if reasons := [problem.sentence.in_language(language) for problem in each]:
            yield found.game.label(f"  {_shown(fit.card)}\t× {' '.join(reasons)}", language)


def fits_values(found: Fits, language: str) -> dict[str, Any]:
    """Give the same as plain values."""
    return {
        "name": found.build.name,
        "cards": [
            {
                "id": fit.card.id,
                "name": fit.card.name,
                "fits": fit.fits,
                "places": [dict(place.copies) for place in fit.places],
                "against": [
                    problem_values(fault_problem(found.game, fault, rule), language)
                    for rule, fault in fit.why_not.values()
                ],
            }
            for fit in found.fits
        ],
    }
