"""A whole check: a game's own data and players' builds judged by its rules, as one report.

Pure: values in, values out. Every fault at once, in a stable order, each stamped with its rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import grouped, sum_by_key
from exporter.core.messages import Joined, sentence
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    Severity,
    SourceLocation,
    error_at,
    notice_at,
    problem_at,
    stop_for,
)
from exporter.model import (
    Build,
    Card,
    Game,
    Loadout,
    Name,
    RoomPlan,
    Seat,
)
from exporter.model.documents import standing
from exporter.model.rule_records import (
    Case,
    Regulation,
    RoomOfCase,
)
from exporter.rules.errata import undated
from exporter.rules.kind import (
    Rule,
    RuleStatus,
    fault_problem,
)
from exporter.rules.kinds.deck_kinds import PrintedCopies
from exporter.rules.loadouts import built_loadout, without_rows
from exporter.rules.play_rules import Situation, check_claim
from exporter.rules.project import Project
from exporter.rules.report.verdicts import (
    CheckOptions,
    Verdict,
    judge,
    judge_build,
)
from exporter.rules.rulebook import (
    Found,
    Rulebook,
    apply_rules,
    choose_regulation,
    subjects_of,
)
from exporter.rules.subjects import (
    AllDecks,
    Box,
    FrameChoice,
    OwnCards,
    SeatedRoom,
    Subject,
    lay_out,
    lay_out_brought,
    lay_out_decks,
)


class Report(Struct, frozen=True):
    """What a check says, under the regulations that were used.

    ``problems`` are the game's own, ``not_checked`` the rules that it left to people, and ``idle``
    those that had nothing to look at; ``counts`` tells them apart. ``cases`` counts those that were
    asked for.
    """

    game: Game
    regulations: tuple[Regulation, ...]
    builds: tuple[Verdict, ...]
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...]
    counts: Mapping[RuleStatus, int]
    not_checked: tuple[Rule, ...]
    idle: tuple[Rule, ...]
    clauses: tuple[Name, ...]
    cases: CaseCount
    sound: bool = True

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """Every problem and notice once, sorted."""
        found = {*self.problems, *self.notices}
        for verdict in self.builds:
            found.update(verdict.problems, verdict.reasons, verdict.notices)
        return tuple(sorted(found))

    @property
    def passed(self) -> bool:
        """Whether the game is sound, every build legal and no case left out."""
        found_wrong = self.problems or self.cases.not_run or not self.sound
        return not found_wrong and all(verdict.legal for verdict in self.builds)


def _game_problems(game: Game, book: Rulebook) -> tuple[list[Problem], set[str]]:
    """Find what stands against the game's own decks, rooms and cards, and the rules that looked at
    any of them."""
    faults = Faults()
    looked: set[str] = set()
    with faults.collect():
        for subject in subjects_of(game, book.placements):
            found = apply_rules(subject, book.rules.values())
            faults.problems += [fault_problem(game, fault, rule) for rule, fault in found.faults]
            faults.problems += found.problems
            looked |= found.looked
    return faults.problems, looked


def _decks_that_follow(game: Game) -> Iterator[Problem]:
    """Make a notice for each mech whose deck is written down in part."""
    for mech, missing in without_rows(game):
        if mech.code not in game.printed_decks:  # its loadouts are enough
            continue
        variants = Joined(tuple(variant.name for variant in missing), "・")
        yield notice_at(mech.where, "DECK-ROWS", "no-rows", mech=mech.name, variants=variants)


def _of_the_game(book: Rulebook, options: CheckOptions, *, needed: bool) -> Regulation | None:
    """Find the regulation that was asked for, or the game's own; builds may do without that one.

    Raises ``InvalidSource`` for an unknown one.
    """
    try:
        return choose_regulation(book, options.regulation, options.on)
    except InvalidSource:
        if needed or options.regulation:
            raise
        return None


def check(
    project: Project,
    builds: Sequence[Build] = (),
    options: CheckOptions = CheckOptions(),
    *,
    own_data: bool = True,
    with_cases: bool = False,
) -> Report:
    """Check the game's own data (with ``own_data``), its cases and players' builds by the rules.

    Of a game that is not ``sound`` nothing of its own is judged and no case is run. Raises
    ``InvalidSource`` for an unknown regulation.
    """
    book, sound, game = project.book, project.sound, project.on(options.on)
    regulation = _of_the_game(book, options, needed=(own_data and sound) or not builds)
    in_force = book.under(regulation)
    brought = [judge_build(project, build, options) for build in builds]
    printed: list[Verdict] = []
    problems: list[Problem] = []
    notices = list(project.game.notices) if own_data else []
    used: set[str] = set()
    cases = CaseCount(0, 0, 0)
    if own_data and sound:
        notices += (*_decks_that_follow(game), *game.undated)
        problems, used = _game_problems(game, in_force)
        printed = list(_printed_verdicts(game, in_force, str(regulation), options))
    if own_data and with_cases:
        cases, failed, not_shown = run_cases(project.corrected, book, run=sound)
        problems += failed
        notices += not_shown
    regulations = {one.regulation: one.in_force for one in brought if one.in_force is not None}
    rules: dict[str, Rule] = {}
    for verdict in brought:
        rules = {**verdict.book.rules, **rules}
    if regulation is not None and (own_data or not regulations):
        regulations = {str(regulation): regulation} | regulations
        rules = {**rules, **in_force.rules}
    used = used.union(*(verdict.looked for verdict in (*printed, *brought)))
    if options.on and (always := undated(project.game)):
        ids = ", ".join(one.id for one in always)
        where = SourceLocation(always[0].where.file)
        notices.append(notice_at(where, "UNDATED", "undated", on=options.on, ids=ids))
    return Report(
        game=game,
        regulations=tuple(regulations.values()),
        builds=(*printed, *brought),
        problems=tuple(sorted(set(problems))),
        notices=tuple(notices),
        counts=replace(book, rules=rules).counts(used),
        not_checked=tuple(rule for rule in rules.values() if rule.status != "checked"),
        idle=tuple(r for r in rules.values() if r.status_after(used) == "nothing-to-check"),
        clauses=tuple(clause for one in regulations.values() for clause in one.not_yet),
        cases=cases,
        sound=sound,
    )


def _printed_verdicts(
    game: Game, book: Rulebook, regulation: str, options: CheckOptions
) -> Iterator[Verdict]:
    """Judge every loadout of the game's mechs, with all boxes."""
    everything = replace(options, boxes=())
    for mech in game.mechs.values():
        for variant, loadout in mech.loadouts.items():
            named = replace(loadout, name=f"{mech.title} {game.variants[variant].name}")
            verdict = judge(game, book, named, regulation, everything, mech.printed)
            yield replace(verdict, printed=True)


class CaseCount(Struct, frozen=True):
    """How many cases there are, how many of them held, and how many could not be run."""

    count: int
    held: int
    not_run: int


def _decks(game: Game, book: Rulebook, case: Case) -> Iterator[Subject]:
    """Lay out the printed deck that a case changes, and the loadouts of its mech."""
    mech = game.mechs.get(case.mech)
    if mech is not None:
        mech = replace(mech, printed={**mech.printed, **case.claims})
    changed = {card.id: row for row in case.deck if (card := game.card(row.card)) is not None}
    missing = dict(changed)
    entries = []
    for entry in game.decks:
        if entry.deck == case.mech:
            card = game.card(entry.card)
            new = changed.get(card.id, entry) if card else entry
            missing.pop(card.id if card else "", None)
            mark, copies = new.mark or entry.mark, new.copies or entry.copies
            entries.append(replace(entry, mark=mark, copies=copies))
    for row in missing.values():
        raise error_at(case.where, "CASE", "deck-holds-no", deck=case.mech, card=row.card)
    decks = lay_out_decks(game, case.mech, entries, mech, book.placements, case.boxes)
    yield AllDecks(game, tuple(entries))
    yield from decks
    yield from decks[0].mounted_builds.values()


def _room(case: Case, room: RoomOfCase) -> RoomPlan:
    spot = standing(case.where)
    seats = {
        f"seat{number}": Seat(
            id=f"seat{number}",
            name=f"seat {number}",
            layout="",
            team=seat.team,
            start=seat.start,
            spot=spot,
        )
        for number, seat in enumerate(room.seats, 1)
    }
    return RoomPlan(
        id="case",
        name=Name(case.name),
        players=(len(seats), len(seats)),
        seats_by_id=seats,
        boards=room.boards,
        values=room.values,
        spot=spot,
    )


def _subjects(game: Game, book: Rulebook, case: Case) -> Iterator[Subject]:
    """Find what a case has for rules to look at."""
    if case.build is not None and case.build.decks:
        yield lay_out_brought(game, case.build, case.boxes, case.on or "")
    elif case.build is not None:
        choice = FrameChoice(game, case.build)
        yield choice
        if choice.unknown is None:
            yield lay_out(game, case.build, book.placements, case.boxes, case.claims)
    elif case.mech:
        yield from _decks(game, book, case)
    elif case.room is not None:
        yield SeatedRoom(game, _room(case, case.room))


def _counts_all(book: Rulebook, case: Case) -> bool:
    """Say whether a case is about what the game holds in all, with the cards that it makes up."""
    rules = (book.rules.get(key) for key in (*case.raises, *case.about))
    return any(rule and rule.kind is not None and Box in rule.kind.subjects for rule in rules)


def _found(game: Game, book: Rulebook, case: Case) -> list[Found]:
    found: list[Found] = []
    problems: list[Problem] = []
    subjects: list[Subject] = []
    if case.cards:
        game = replace(game, cards={**game.cards, **{card.id: card for card in case.cards}})
        subjects.append(OwnCards(game, case.cards))
    subjects += _subjects(game, book, case)
    if case.cards and _counts_all(book, case):
        subjects.append(Box(game))
    for subject in subjects:
        judged = apply_rules(subject, book.rules.values())
        found += judged.faults
        problems += judged.problems
    stop_for(problems)
    if case.play:
        rule = book.rules.get(case.play)
        if rule is None:
            raise error_at(case.where, "CASE", "not-hold-under", asked=case.play)
        asked = Situation(game, book.rules, case.given, case.where)
        found += ((rule, fault) for fault in check_claim(asked, rule, case.claim))
    return found


def _unlike(game: Game, book: Rulebook, case: Case) -> list[Problem]:
    """Find rules that a case does not raise but should, or raises and should not.

    Raises ``InvalidSource`` for what keeps it from being run.
    """
    regulation = choose_regulation(book, case.regulation, where=case.where)
    found = _found(game, book.under(regulation).having(case.parameters), case)
    raised = {rule.id for rule, fault in found if fault.severity is Severity.ERROR}
    noticed = {rule.id for rule, fault in found if fault.severity is not Severity.ERROR}
    why = {rule.id: fault_problem(game, fault, rule).sentence for rule, fault in reversed(found)}
    problems = []
    for asked, got, key in ((case.raises, raised, "raised"), (case.notices, noticed, "noticed")):
        wanted = got if asked is None else {*asked}
        problems += [
            problem_at(case.where, "CASE", f"not-{key}", case=case.name, rule_id=rule_id)
            for rule_id in sorted(wanted - got)
        ]
        problems += [
            problem_at(case.where, "CASE", key, case=case.name, rule_id=rule_id, why=why[rule_id])
            for rule_id in sorted(got - wanted)
        ]
    return problems


def run_cases(
    game: Game, book: Rulebook, *, run: bool = True
) -> tuple[CaseCount, list[Problem], list[Problem]]:
    """Find all cases run: their count, what is wrong with them, and notices of what none of them
    shows.

    ``game`` has its errata applied. Where they are not to ``run`` they are counted all the same.
    """
    count = len(book.cases) + book.unread_cases
    held, not_run = 0, book.unread_cases
    problems: list[Problem] = []
    for case in book.cases if run else ():
        try:
            wrong = _unlike(game, book, case)
        except InvalidSource as error:
            problems += error.problems
            not_run += 1
            continue
        problems += wrong
        held += not wrong
    if not run:
        return CaseCount(count, 0, count), [], []
    shown = [] if book.unread_cases else list(not_shown(book))
    return CaseCount(count, held, not_run), problems, shown


def not_shown(book: Rulebook) -> Iterator[Problem]:
    """Find the checked rules that no case breaks, or that no case shows kept."""
    broken = {key for case in book.cases for key in case.broken}
    kept = {key for case in book.cases for key in {*case.about, case.play} - case.broken}
    for rule in book.rules.values():
        if rule.status != "checked" or (rule.kind and rule.kind.subjects == (Box,)):
            continue  # what the game holds in all is an example of itself
        ways = ((broken, "none-breaks", "raises"), (kept, "none-keeps", "about"))
        for shown, key, how in ways:
            if rule.id not in shown:
                yield notice_at(rule.where, "CASE", key, named=rule.id, how=how)


def missing_cards(
    game: Game, book: Rulebook, loadouts: Sequence[Loadout], boxes: Iterable[str] = ()
) -> Iterator[Problem]:
    """Find each card of which all that is played at once takes more than the boxes owned hold.

    How many a box holds is the field of a rule of kind ``printed_copies``; where the game has none,
    a notice says that nobody can tell.
    """
    rules = [rule for rule in book.rules.values() if isinstance(rule.kind, PrintedCopies)]
    if not rules:
        yield notice_at(COMMAND_LINE, "TOGETHER", "nobody-counts", game=game.id)
    needed: list[tuple[str, str, int]] = []
    for loadout in loadouts:
        cards = chain(*(loadout.decks.values() or (loadout.deck,)))
        of_one = sum_by_key((entry.card.id, entry.copies) for entry in cards)
        needed += ((card_id, loadout.name, copies) for card_id, copies in of_one.items())
    owned = frozenset(boxes or game.editions)
    for card_id, by in grouped(needed, lambda one: one[0]).items():
        card = game.cards[card_id]
        for rule in rules:
            assert isinstance(rule.kind, PrintedCopies)
            there = _copies_in(card, rule.kind.field, owned)
            total = sum(copies for _, _, copies in by)
            if there is not None and total > there:
                names = "・".join(f"{name} {copies}" for _, name, copies in by)
                text = sentence(
                    "one-table", "too-few", card=card.name, found=total, owned=there, names=names
                )
                yield Problem(
                    loadouts[0].build.where, rule.id, text, cites=rule.cites, sources=rule.sources
                )


def _copies_in(card: Card, field: str, owned: frozenset[str]) -> int | None:
    """Find the copies of a card in the boxes owned; nothing where nobody says how many there
    are."""
    copies = card.fields.get(field)
    box = card.text("edition")
    if not isinstance(copies, int):
        return None
    return copies if not box or box in owned else 0


def loadouts_of(game: Game, builds: Iterable[Build]) -> list[Loadout]:
    """Find what builds play with; what cannot be worked out is reported elsewhere, and left out."""
    found = []
    for build in builds:
        with suppress(InvalidSource):
            found.append(built_loadout(game, build))
    return found
