"""Cases run: whether an example raises exactly the rules that it says it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from exporter.model import Game, Name, RoomPlan, Seat
from exporter.problems import InvalidSource, Problem, Severity
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


def _with_cards(game: Game, case: Case) -> tuple[Game, list[str]]:
    """The game with the cards that a case makes up, and their ids."""
    made_up = {card.id: card for card in case.cards}
    return (replace(game, cards={**game.cards, **made_up}) if made_up else game), [*made_up]


def _deck_case(game: Game, book: Rulebook, case: Case) -> list[Found]:
    mech = game.mechs.get(case.mech)
    if mech is not None:
        mech = replace(mech, printed={**mech.printed, **case.claims})
    changed = {card.id: row for row in case.deck if (card := game.card(row["card"])) is not None}
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
    seats = tuple(
        Seat(
            id=f"seat{number}",
            name=f"seat {number}",
            layout="",
            team=seat["team"],
            start=seat["start"],
            where=case.where,
        )
        for number, seat in enumerate(room["seats"], 1)
    )
    return RoomPlan(
        id="case",
        name=Name(case.name),
        players=(len(seats), len(seats)),
        seats=seats,
        boards=tuple(room["boards"]),
        arrange={},
        where=case.where,
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
    elif case.play and case.play in book.rules:
        rule = book.rules[case.play]
        for fault in check_claim(game, book, rule, case.given, case.claim, case.where):
            found.append((rule, fault))
    return found


def run_case(game: Game, book: Rulebook, case: Case) -> list[Problem]:
    """What is wrong with a case: rules it does not raise but should, or raises and should not.

    ``game`` has its errata applied.
    """
    try:
        regulation = choose_regulation(book, case.regulation, where=case.where)
        found = _found(game, book.under(regulation).having(case.parameters), case)
    except InvalidSource as error:
        return list(error.problems)
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
            told = next(said(fault, rule, "en") for rule, fault in found if rule.id == rule_id)
            message = f"The case {case.name!r} should not {verb} {rule_id} and does: {told.message}"
            problems.append(Problem(case.where, "CASE", message))
    return problems


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
