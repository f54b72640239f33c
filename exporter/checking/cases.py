"""Cases run: whether an example raises exactly the rules that it says it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.model import Game, Name, RoomPlan, Seat
from exporter.problems import InvalidSource, Problem, Severity, told
from exporter.rules.bench import lay_out
from exporter.rules.book import Case, Rulebook, choose_regulation
from exporter.rules.faults import said
from exporter.rules.judging import (
    Found,
    build_faults,
    card_faults,
    deck_faults,
    deck_of,
    frame_faults,
    room_faults,
)
from exporter.rules.play import check_claim
from exporter.schema.places import standing


def _with_cards(game: Game, case: Case) -> tuple[Game, list[str]]:
    """The game with the cards that a case makes up, and their ids."""
    made_up = {card.id: card for card in case.cards}
    return (replace(game, cards={**game.cards, **made_up}) if made_up else game), [*made_up]


def _deck_case(game: Game, book: Rulebook, case: Case) -> list[Found]:
    mech = game.mechs.get(case.mech)
    if mech is not None:
        mech = replace(mech, printed={**mech.printed, **case.claims})
    changed = {card.id: row for row in case.deck if (card := game.card(row["card"])) is not None}
    held = {
        card.id
        for entry in game.decks
        if entry.deck == case.mech and (card := game.card(entry.card)) is not None
    }
    for card_id, row in changed.items():
        if card_id not in held:
            sentence = "The deck {deck} holds no {card}, so that the case changes nothing."
            raise InvalidSource(
                [told(case.where, "CASE", sentence, deck=case.mech, card=row["card"])]
            )
    entries = []
    for entry in game.decks:
        card = game.card(entry.card)
        if entry.deck == case.mech:
            row = changed.get(card.id, {}) if card else {}
            new = {key: row[key] for key in ("mark", "copies") if row.get(key)}
            entries.append(replace(entry, **new))
    deck = deck_of(game, case.mech, entries, mech, book.placements)
    found = list(deck_faults([deck], book))
    for bench in deck.benches.values():
        found += build_faults(replace(bench, boxes=frozenset(case.boxes or game.editions)), book)[0]
    return found


def _room(case: Case, room: Mapping[str, Any]) -> RoomPlan:
    spot = standing(case.where)
    seats = {
        f"seat{number}": Seat(
            id=f"seat{number}",
            name=f"seat {number}",
            layout="",
            team=seat["team"],
            start=seat["start"],
            spot=spot,
        )
        for number, seat in enumerate(room["seats"], 1)
    }
    return RoomPlan(
        id="case",
        name=Name(case.name),
        players=(len(seats), len(seats)),
        seats_by_id=seats,
        boards=tuple(room["boards"]),
        spot=spot,
    )


def _found(game: Game, book: Rulebook, case: Case) -> list[Found]:
    game, made_up = _with_cards(game, case)
    found = list(card_faults(game, made_up, book))
    if case.build is not None:
        framed = list(frame_faults(game, book, case.build))
        if framed:
            return found + framed
        bench = lay_out(game, case.build, book.placements, case.boxes, case.claims)
        faults, problems = build_faults(bench, book)
        if problems:
            raise InvalidSource(problems)
        found += faults
    elif case.mech:
        found += _deck_case(game, book, case)
    elif case.room is not None:
        found += room_faults(game, [_room(case, case.room)], book)
    elif case.play:
        rule = book.rules.get(case.play)
        if rule is None:
            sentence = "{asked} does not hold under the regulation of this case."
            raise InvalidSource([told(case.where, "CASE", sentence, asked=case.play)])
        for fault in check_claim(game, book, rule, case.given, case.claim, case.where):
            found.append((rule, fault))
    return found


def _unlike(game: Game, book: Rulebook, case: Case) -> list[Problem]:
    """Rules that a case does not raise but should, or raises and should not.

    Raises ``InvalidSource`` for what keeps it from being run.
    """
    regulation = choose_regulation(book, case.regulation, where=case.where)
    found = _found(game, book.under(regulation).having(case.parameters), case)
    raised = {rule.id for rule, fault in found if fault.severity is Severity.ERROR}
    noticed = {rule.id for rule, fault in found if fault.severity is not Severity.ERROR}
    problems = []
    pairs = [(set(case.raises), raised, "raise")]
    if case.notices is not None:
        pairs.append((set(case.notices), noticed, "give notice of"))
    for wanted, got, verb in pairs:
        for rule_id in sorted(wanted - got):
            message = f"The case {case.name!r} should {verb} {rule_id} and does not."
            problems.append(Problem(case.where, "CASE", message))
        for rule_id in sorted(got - wanted):
            one = next(said(fault, rule, "en") for rule, fault in found if rule.id == rule_id)
            message = f"The case {case.name!r} should not {verb} {rule_id} and does: {one.message}"
            problems.append(Problem(case.where, "CASE", message))
    return problems


def run_case(game: Game, book: Rulebook, case: Case) -> list[Problem]:
    """What is wrong with a case. ``game`` has its errata applied."""
    try:
        return _unlike(game, book, case)
    except InvalidSource as error:
        return list(error.problems)


class CaseCount(Struct, frozen=True):
    """How many cases there are, how many of them held, and how many could not be run."""

    count: int
    held: int
    not_run: int


def run_cases(
    game: Game, book: Rulebook, *, run: bool = True
) -> tuple[CaseCount, list[Problem], list[Problem]]:
    """All cases run: their count, what is wrong with them, and notices of what none of them shows.

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
    """The checked rules that no case breaks, or that no case shows kept."""
    broken = {key for case in book.cases for key in (*case.raises, *(case.notices or ()))}
    kept = {
        key
        for case in book.cases
        for key in {*case.about, case.play} - {*case.raises, *(case.notices or ())}
    }
    for rule in book.rules.values():
        if rule.status != "checked":
            continue
        for shown, verb, how in ((broken, "breaks", "raises"), (kept, "keeps", "about")):
            if rule.id not in shown:
                message = f"No case {verb} the rule {rule.id}."
                hint = f"Add one to cases/, with `{how}: [{rule.id}]`."
                yield Problem(rule.where, "CASE", message, hint, Severity.NOTICE)
