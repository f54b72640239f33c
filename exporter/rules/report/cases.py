"""Cases run: whether an example raises exactly the rules that it says it does."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    Problem,
    Severity,
    error_at,
    problem_at,
)
from exporter.model import (
    Card,
    Game,
    Name,
    RoomPlan,
    Seat,
)
from exporter.model.document_places import standing
from exporter.model.rule_records import (
    Case,
    RoomOfCase,
)
from exporter.rules.deck_subjects import lay_out_brought
from exporter.rules.judging import (
    Found,
    faults_of,
    lay_out_decks,
)
from exporter.rules.kind import fault_problem
from exporter.rules.play_rules import Situation, check_claim
from exporter.rules.rulebook import Rulebook, choose_regulation
from exporter.rules.subjects import (
    AllDecks,
    Box,
    FrameChoice,
    OwnCards,
    SeatedRoom,
    Subject,
    lay_out,
)


class CaseCount(Struct, frozen=True):
    """How many cases there are, how many of them held, and how many could not be run."""

    count: int
    held: int
    not_run: int


def _with_cards(game: Game, case: Case) -> tuple[Game, list[Card]]:
    """Find the game with the cards that a case makes up, and those."""
    made_up = {card.id: card for card in case.cards}
    cards = list(made_up.values())
    return (replace(game, cards={**game.cards, **made_up}) if made_up else game), cards


def _decks(game: Game, book: Rulebook, case: Case) -> Iterator[Subject]:
    """Lay out the printed deck that a case changes, and the loadouts of its mech."""
    mech = game.mechs.get(case.mech)
    if mech is not None:
        mech = replace(mech, printed={**mech.printed, **case.claims})
    changed = {card.id: row for row in case.deck if (card := game.card(row.card)) is not None}
    in_deck = {
        card.id
        for entry in game.decks
        if entry.deck == case.mech and (card := game.card(entry.card)) is not None
    }
    for card_id, row in changed.items():
        if card_id not in in_deck:
            raise error_at(case.where, "CASE", "deck-holds-no", deck=case.mech, card=row.card)
    entries = []
    for entry in game.decks:
        card = game.card(entry.card)
        if entry.deck == case.mech:
            new = changed.get(card.id) if card else None
            mark, copies = (new.mark, new.copies) if new else ("", None)
            entries.append(replace(entry, mark=mark or entry.mark, copies=copies or entry.copies))
    decks = lay_out_decks(game, case.mech, entries, mech, book.placements, case.boxes)
    yield AllDecks(game, tuple(entries))
    yield from decks
    yield from decks[0].benches.values()


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
    game, made_up = _with_cards(game, case)
    found: list[Found] = []
    problems: list[Problem] = []
    subjects = [*([OwnCards(game, made_up)] if made_up else []), *_subjects(game, book, case)]
    if made_up and _counts_all(book, case):
        subjects.append(Box(game))
    for subject in subjects:
        faults, wrong = faults_of(subject, book.rules.values())
        found += faults
        problems += wrong
    if problems:
        raise InvalidSource(problems)
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
    problems = []
    pairs = [(set(case.raises), raised, "raised")]
    if case.notices is not None:
        pairs.append((set(case.notices), noticed, "noticed"))
    for wanted, got, key in pairs:
        for rule_id in sorted(wanted - got):
            problems.append(
                problem_at(case.where, "CASE", f"not-{key}", case=case.name, rule_id=rule_id)
            )
        for rule_id in sorted(got - wanted):
            one = next(fault_problem(fault, rule) for rule, fault in found if rule.id == rule_id)
            why = one.sentence
            problems.append(
                problem_at(case.where, "CASE", key, case=case.name, rule_id=rule_id, why=why)
            )
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
                notice = Severity.NOTICE
                yield problem_at(rule.where, "CASE", key, severity=notice, named=rule.id, how=how)
