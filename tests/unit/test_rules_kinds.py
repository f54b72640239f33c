"""Rule kinds by values: a tiny game without files, so that each kind is seen alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace

from exporter.core.messages import Text
from exporter.core.problems import InvalidSource, SourceLocation
from exporter.model import Build, Card, Edition, Figure, Frame, Game, Kind, Name, Pilot, Term
from exporter.model.documents import Document, standing
from exporter.model.forms import shaped
from exporter.model.rule_records import Placement
from exporter.model.shape import Wording
from exporter.rules.build_changes import BuildRepairs
from exporter.rules.kind import Fault, Rule, RuleKind, fault_problem
from exporter.rules.kinds import KINDS
from exporter.rules.kinds.card_kinds import Limit
from exporter.rules.loadouts import built_loadout
from exporter.rules.play_rules import OfPlay, Situation
from exporter.rules.repair import mend
from exporter.rules.rulebook import Rulebook, apply_rules
from exporter.rules.subjects import lay_out

PARTS = ("head", "arm", "leg")
PLACEMENTS = {
    "arms": Placement(id="arms", parts=("arm",)),
    "pair": Placement(id="pair", parts=("arm", "leg"), sets=({"arm": 1, "leg": 1},)),
    "either": Placement(
        id="either", parts=("head", "arm", "leg"), sets=({"head": 2}, {"arm": 1, "leg": 1})
    ),
    "one here": Placement(id="one here", at_least=("head",)),
    "one a part": Placement(id="one a part", at_most=1),
    "big only": Placement(id="big only", frame="size == 'L'"),
}


def card(name: str, **fields: Any) -> Card:
    return Card(id=name, kind="weapon", name=name, fields=fields, where=SourceLocation("w.csv", 2))


def tiny(*cards: Card) -> Game:
    figures = tuple(
        Figure(id=f"slots {part}", part=part, terms=(Term(label="f", value=part),))
        for part in PARTS
    )
    names = ("marks", "teams", "sources", "faces", "editions", "variants", "mechs", "boards")
    empty: dict[str, Any] = {name: {} for name in (*names, "notes", "layouts", "rooms")}
    frame = Frame(
        key={"size": "S"}, figures={}, slots=dict.fromkeys(PARTS, 2), where=SourceLocation()
    )
    kind = Kind(id="weapon", name=Name("weapon"), file="w.csv", fields={})
    return Game(
        id="tiny", name=Name("tiny"), players=(1, 2), notice=Wording(), credits=(), parts=PARTS,
        kinds={"weapon": kind},
        cards={one.id: one for one in cards},
        frames=(frame,),
        figures=figures, decks=(), errata=(), rulings=(), **empty,
    )  # fmt: skip


def kind_of(kind: str, parameters: Mapping[str, Any]) -> RuleKind[Any]:
    """A kind with parameters as data have them."""
    found, problems, _ = shaped(KINDS[kind], Document(value=parameters))
    assert found is not None
    assert problems == []
    return found


def rule_of(kind: str, parameters: Mapping[str, Any], rule_id: str = "T1") -> Rule:
    return Rule(id=rule_id, title=Name("rule"), status="checked", kind=kind_of(kind, parameters))


EXCHANGE: Mapping[str, Mapping[str, Any]] = {
    "slots": {},
    "placement": {},
    "together": {},
    "copies": {"field": "box"},
    "excludes": {"cards": "family == 'x'", "within": "part"},
    "exchange": {"field": "host", "welcomes": "welcomes", "replaced": "not host"},
}


def gun(name: str, **fields: Any) -> Card:
    return card(name, **{"host": "", "family": ""} | fields)


TABLE = yaml.safe_load((Path(__file__).parent / "mounted_cards.yaml").read_text(encoding="utf-8"))
IN_EXCHANGE = [
    ({kind: {**given, **changed.get(kind, {})} for kind, given in EXCHANGE.items()}, *row)
    for changed, *row in TABLE["in_exchange"]
]


@pytest.mark.parametrize(("rules", "cards", "mounted", "said"), [*TABLE["alone"], *IN_EXCHANGE])
def test_what_rules_say_of_mounted_cards(
    rules: Mapping[str, Mapping[str, Any]],
    cards: Mapping[str, Mapping[str, Any]],
    mounted: Mapping[str, list[str]],
    said: int | list[str],
) -> None:
    game = tiny(*(gun(name, **fields) for name, fields in cards.items()))
    parts = {part: tuple(names) for part, names in mounted.items()}
    build = Build(name="b", frame={"size": "S"}, mounted=parts, where=SourceLocation("b.yaml", 1))
    mounted_build = lay_out(game, build, PLACEMENTS)
    faults, problems, _ = apply_rules(mounted_build, [rule_of(*rule) for rule in rules.items()])
    assert problems == []
    messages = [fault_problem(game, fault, rule).message for rule, fault in faults]
    assert said in (messages, len(messages))


def test_more_exchanges_than_can_be_looked_at_are_told_and_not_called_legal() -> None:
    weapons = [*"abcdefghij"]
    cards = [*map(gun, weapons), gun("short", min_count=30, may_split=True)]
    cards += [gun(f"ammo {name}", host=f"name != '{name}'") for name in weapons]
    game = tiny(*cards)
    rules = {
        kind: rule_of(kind, parameters, kind)
        for kind, parameters in EXCHANGE.items()
        if kind != "slots"
    }
    for copies in (1, 200):
        ammunition = tuple(f"ammo {name}" for name in weapons) * copies
        mounted = {"head": (*weapons, "short"), "arm": ammunition}
        build = Build(name="b", frame={"size": "S"}, mounted=mounted)
        book = Rulebook(rules=rules)
        faults, problems, _ = apply_rules(lay_out(game, build, {}), rules.values())
        assert [problem.rule for problem in problems] == ["EXCHANGE"]
        assert faults == []  # whether anything is missing is not known either
    mending = mend(BuildRepairs(game, book, build))[0]
    assert (mending.changes, mending.searched_all) == (None, False)


def test_a_limit_counts_skills_too() -> None:
    game = tiny(card("s"))
    rule = rule_of("limits", {"cards": {"s": 1}})
    owner = Pilot(name="p", skills=("s", "s"))
    for pilots, wrong in (((owner,), 1), ((replace(owner, skills=("s",)),), 0)):
        build = Build(name="b", frame={"size": "S"}, mounted={}, pilots=pilots)
        faults, *_ = apply_rules(lay_out(game, build, {}), [rule])
        assert len(faults) == wrong


def test_cards_in_use_and_the_weapon_itself_both_bear_on_its_damage() -> None:
    fields = {"kinds": "shot", "range": "1", "range_class": "x", "damage": "3", "play": "more=1"}
    game = tiny(card("gun", **fields), card("scope", play="more=2"))
    labels = {"damage": "d", "distance": "n"}
    ruler = {"classes": {"x": "none"}, "labels": labels, "miss": "-", "result": {"ja": "d"}}
    more = {"given": {"more": "0"}, "terms": [{"label": "m", "value": "more"}]}
    rules = {"T1": rule_of("range", ruler), "T2": rule_of("damage_terms", more, "T2")}
    given = {"card": "gun", "distance": 1, "with": ["scope"]}
    for rule in rules.values():
        assert isinstance(rule.kind, OfPlay)
        assert rule.kind.outcome(Situation(game, rules, given, SourceLocation()), rule).value == 6


def test_who_acts_first_goes_by_words_in_their_order_and_by_numbers_the_highest_first() -> None:
    ranks = {"by": ["timing", "speed"], "ranks": {"timing": ["move", "shoot"]}}
    rule = rule_of("order", ranks)
    assert isinstance(rule.kind, OfPlay)
    mechs = [{"timing": "shoot", "speed": 9}, {"timing": "move"}, {"timing": "shoot", "speed": 10}]
    asked = Situation(tiny(), {}, {"mechs": mechs}, SourceLocation("a.yaml", 4))
    assert rule.kind.outcome(asked, rule).value == (2, 3, 1)
    with pytest.raises(InvalidSource) as caught:
        rule.kind.outcome(asked.of({"mechs": [{"timing": "mov"}]}), rule)
    (problem,) = caught.value.problems
    assert (problem.where.line, problem.hint) == (4, "Did you mean 'move'?")


def test_basic_cards_may_ask_for_the_frame_in_a_check_and_in_a_room() -> None:
    game = tiny(card("a", copies="arm + 1"))
    kinds = {"weapon": replace(game.kinds["weapon"], deck_copies="copies")}
    build = Build(name="b", frame={"size": "S"}, mounted={})
    (dealt,) = built_loadout(replace(game, kinds=kinds), build).deck
    assert dealt.copies == 3


def test_a_wrong_expression_in_a_rule_is_a_problem_and_stops_no_other_rule() -> None:
    game = tiny(card("a"))
    wrong = replace(
        rule_of("expression", {"holds": "nonsense > 1"}),
        spot=standing(SourceLocation("rules.yaml", 7)),
    )
    build = Build(name="b", frame={"size": "S"}, mounted={"arm": ("a", "a", "a")})
    faults, problems, _ = apply_rules(lay_out(game, build, {}), [wrong, rule_of("slots", {}, "T2")])
    assert [rule.id for rule, _ in faults] == ["T2"]
    assert [problem.where for problem in problems] == [SourceLocation("rules.yaml", 7)]


def test_every_message_is_worded_in_both_languages_with_the_same_blanks() -> None:
    import string

    def blanks(texts: Text) -> set[str | None]:
        both = (texts,) if isinstance(texts, str) else texts
        return {name for text in both for _, name, _, _ in string.Formatter().parse(text)}

    for name, kind in KINDS.items():
        assert set(kind.sentences) == {"ja", "en"}, name
        ja, en = kind.sentences["ja"], kind.sentences["en"]
        assert set(ja) == set(en), name
        for key in en:
            assert blanks(en[key]) - {None} <= blanks(ja[key]), (name, key)


@pytest.mark.parametrize(
    ("day", "holds"),
    [("2026-03-31", False), ("2026-04-01", True), ("2026-04-30", True), ("2026-05-01", False)],
)
def test_a_limit_holds_from_its_first_day_to_its_last(day: str, holds: bool) -> None:
    limit = Limit(copies=0, since="2026-04-01", until="2026-04-30")
    assert limit.holds_on(day) is holds


def test_where_no_day_is_asked_about_what_ends_does_not_hold() -> None:
    assert Limit(copies=0, since="2026-04-01").holds_on("")
    assert not Limit(copies=0, until="2026-04-30").holds_on("")


def over_budget(weights: list[int], limit: int, name: str = "") -> Fault:
    """What is against cards that weigh so much together, each its number in ``weights``."""
    cards = [card(f"t{number}", weight=weight) for number, weight in enumerate(weights)]
    game = tiny(*(replace(one, name=name or one.name) for one in cards))
    points = Figure(id="points", terms=(Term(label="", value="weight * copies", each="weapon"),))
    mounted = {"arm": tuple(card_id for card_id in game.cards for _copy in range(2))}
    build = Build(name="b", frame={"size": "S"}, mounted=mounted)
    mounted_build = lay_out(replace(game, figures=(points,)), build, {})
    ((_, fault),), *_ = apply_rules(
        mounted_build, [rule_of("budget", {"figure": "points", "limit": limit})]
    )
    return fault


@pytest.mark.parametrize(("over", "least"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_a_budget_says_how_few_cards_save_enough(over: int, least: int) -> None:
    assert over_budget([2], 4 - over).off == least


@pytest.mark.parametrize("name", ["Laser", "Laser×9"])
def test_a_budget_knows_reprints_of_one_name_apart(name: str) -> None:
    fault = over_budget([1, 5], 7, name)
    assert (len(fault.touches), fault.off) == (4, 1)


@pytest.mark.parametrize(("number", "listed"), [(8, 8), (9, 6)])
def test_of_many_terms_a_budget_lists_the_heaviest(number: int, listed: int) -> None:
    text = str(over_budget([*range(1, number + 1)], 1).values["terms"])
    assert text.count("t") == listed
    assert text.startswith("t0×2 2" if listed == number else f"t{number - 1}×2 {2 * number}")
    assert text.endswith("(3)") is (listed < number)


def test_a_card_of_a_box_that_is_not_owned_is_told_once() -> None:
    game = replace(
        tiny(card("a", edition="far"), card("b", edition="own")),
        editions={name: Edition(id=name, name=Name(name)) for name in ("own", "far")},
    )
    build = Build(name="b", frame={"size": "S"}, mounted={"arm": ("a", "a"), "leg": ("b",)})
    faults, *_ = apply_rules(lay_out(game, build, {}, ("own",)), [rule_of("boxes", {})])
    assert [fault_problem(game, fault, rule).message for rule, fault in faults] == [
        "'a' comes in the box 'far'; you own: own."
    ]
