"""What holds of any build of Embryo Machine, whatever is mounted where."""

from __future__ import annotations

from functools import cache

import pytest
import shipped
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from exporter.core.problems import SourceLocation
from exporter.model import Build, Game, Pilot
from exporter.model.documents import standing
from exporter.model.mech import Waiver
from exporter.rules.errata import corrected, value_of
from exporter.rules.project import Project
from exporter.rules.report.verdicts import CheckOptions, Verdict, judge
from exporter.rules.rulebook import choose_regulation


@cache
def opened() -> Project:
    return shipped.opened()


@cache
def game() -> Game:
    return corrected(opened().game)


def verdict(entry: Build, regulation: str = "tournament") -> Verdict:
    book = opened().book
    chosen = choose_regulation(book, regulation)
    return judge(game(), book.under(chosen), entry, regulation, CheckOptions())


WEAPONS = sorted(card.id for card in game().cards.values() if card.kind == "weapon")
SKILLS = sorted(card.id for card in game().cards.values() if card.kind == "skill")
ANY = sorted(game().cards)

frames = st.fixed_dictionaries(
    {
        "armour": st.sampled_from("軽中重"),
        "size": st.sampled_from(["SS", "S", "M", "L", "LL"]),
        "seats": st.sampled_from(["単座", "複座"]),
    }
)
pilots = st.lists(
    st.builds(
        lambda name, skills: Pilot(name=name, skills=tuple(skills)),
        st.sampled_from("甲乙丙"),
        st.lists(st.sampled_from(SKILLS + ANY[:3]), max_size=4),
    ),
    max_size=3,
)


def builds(cards: list[str]) -> st.SearchStrategy[Build]:
    mounted = st.fixed_dictionaries(
        {part: st.lists(st.sampled_from(cards), max_size=5).map(tuple) for part in game().parts}
    )
    return st.builds(
        lambda frame, mounted, pilots: Build(
            name="b", frame=frame, mounted=mounted, pilots=tuple(pilots)
        ),
        frames,
        mounted,
        pilots,
    )


def told(found: Verdict) -> list[tuple[str, str]]:
    return sorted((problem.rule, problem.message) for problem in found.problems)


def values(found: Verdict) -> dict[str, int]:
    return {name: total.value for name, total in (found.totals or {}).items()}


@pytest.mark.slow
@given(builds([*ANY, "?", "nothing of this name"]))
@settings(max_examples=150, deadline=None)
def test_any_build_is_judged_without_a_crash(build: Build) -> None:
    for regulation in ("basic", "construct", "tournament", "open"):
        assert verdict(build, regulation).totals is not None


@given(builds(WEAPONS), st.sampled_from([("右腕", "左腕"), ("右脚", "左脚")]))
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_exchanging_both_arms_or_both_legs_changes_no_verdict_and_no_total(
    build: Build, sides: tuple[str, str]
) -> None:
    right, left = sides
    mirror = {right: left, left: right}
    mounted = {part: build.mounted[mirror.get(part, part)] for part in build.mounted}
    swapped = verdict(replace(build, mounted=mounted))
    plain = verdict(build)
    assert [rule for rule, _ in told(plain)] == [rule for rule, _ in told(swapped)]
    # The two sides have equally many slots, so only the names of the sides change places.
    table = {f"スロット_{part}": f"スロット_{mirror.get(part, part)}" for part in game().parts}
    turned = {table.get(name, name): value for name, value in values(swapped).items()}
    assert turned == values(plain)


@given(builds(WEAPONS), st.data())
@settings(max_examples=100, deadline=None)
@pytest.mark.slow
def test_a_waiver_removes_just_the_problems_of_its_rule(build: Build, data: st.DataObject) -> None:
    before = told(verdict(build))
    rules = sorted({rule for rule, _ in before})
    if not rules:
        return
    waived = data.draw(st.sampled_from(rules))
    waiver = Waiver(rule=waived, reason="agreed", spot=standing(SourceLocation("b.yaml", 9)))
    after = verdict(replace(build, waivers=(waiver,)))
    assert told(after) == [fault for fault in before if fault[0] != waived]
    assert {problem.rule for problem, _ in after.waived} == {waived}


def test_printed_and_corrected_cards_differ_only_where_an_erratum_says_so() -> None:
    printed = opened().game
    changed = {
        (card_id, name)
        for card_id, card in printed.cards.items()
        for name, value in card.fields.items()
        if game().cards[card_id].fields[name] != value
    }
    said = {
        (card.id, change.field)
        for erratum in printed.errata
        if erratum.medium == "card"
        for change in erratum.changes
        if not change.deck
        and (card := printed.card(change.card)) is not None
        and (field := printed.kinds[card.kind].fields[change.field])
        and value_of(change, "was", field) != value_of(change, "now", field)
    }
    assert changed == said
