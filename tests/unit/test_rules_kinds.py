"""Rule kinds by values: a tiny game without files, so that each kind is seen alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
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


def broken(
    kind: str, cards: list[Card], mounted: Mapping[str, tuple[str, ...]], /, **parameters: Any
) -> list[str]:
    """The messages that one rule alone has for a build."""
    return broken_by({kind: parameters}, cards, mounted)


def broken_by(
    rules: Mapping[str, Mapping[str, Any]],
    cards: list[Card],
    mounted: Mapping[str, tuple[str, ...]],
) -> list[str]:
    """The messages that rules of some kinds, with their parameters, have for a build."""
    game = tiny(*cards)
    build = Build(name="b", frame={"size": "S"}, mounted=mounted, where=SourceLocation("b.yaml", 1))
    mounted_build = lay_out(game, build, PLACEMENTS)
    faults, problems, _ = apply_rules(mounted_build, [rule_of(*rule) for rule in rules.items()])
    assert problems == []
    return [fault_problem(game, fault, rule).message for rule, fault in faults]


def test_a_part_holds_as_many_cards_as_it_has_slots() -> None:
    assert broken("slots", [card("a")], {"arm": ("a", "a")}) == []
    assert broken("slots", [card("a")], {"arm": ("a", "a", "a")}) == [
        "'arm' holds 3 cards but has 2 slots."
    ]


def test_a_name_that_cannot_be_read_still_fills_its_slot() -> None:
    assert broken("slots", [card("a")], {"arm": ("a", "?", "a")}) != []


@pytest.mark.parametrize(
    ("mount", "mounted", "legal"),
    [
        ("arms", {"arm": ("a",)}, True),
        ("arms", {"head": ("a",)}, False),
        ("pair", {"arm": ("a",), "leg": ("a",)}, True),
        ("pair", {"arm": ("a", "a")}, False),
        ("either", {"head": ("a", "a")}, True),
        ("either", {"head": ("a",)}, False),
        ("either", {"head": ("a", "a"), "arm": ("a",), "leg": ("a",)}, True),
        ("one here", {"head": ("a",), "leg": ("a",)}, True),
        ("one here", {"leg": ("a",)}, False),
        ("one a part", {"arm": ("a",), "leg": ("a",)}, True),
        ("one a part", {"arm": ("a", "a")}, False),
        ("big only", {"arm": ("a",)}, False),
    ],
)
def test_placements(mount: str, mounted: dict[str, tuple[str, ...]], legal: bool) -> None:
    assert (broken("placement", [card("a", mount=mount)], mounted) == []) is legal


def test_alternatives_of_a_placement_exclude_each_other_where_a_rule_says_so() -> None:
    mounted = {"head": ("a", "a"), "arm": ("a",), "leg": ("a",)}
    cards = [card("a", mount="either")]
    assert broken("placement", cards, mounted, both_sets=False) != []
    assert broken("placement", cards, {"head": ("a", "a")}, both_sets=False) == []


def test_a_card_in_the_wrong_part_is_not_blamed_for_its_sets_as_well() -> None:
    mounted = {"head": ("a",), "arm": ("a",)}
    assert len(broken("placement", [card("a", mount="pair")], mounted)) == 1


@pytest.mark.parametrize(
    ("fields", "mounted", "legal"),
    [
        ({"min_count": 2}, {"arm": ("a", "a")}, True),
        ({"min_count": 2}, {"arm": ("a",), "leg": ("a",)}, False),
        ({"min_count": 2, "may_split": True}, {"arm": ("a",), "leg": ("a",)}, True),
        ({"min_count": 2, "may_split": True}, {"arm": ("a",)}, False),
        ({"min_count": 2}, {"arm": ("a", "tube"), "leg": ("a",)}, True),
        ({"min_count": 1}, {"arm": ("a",)}, True),
    ],
)
def test_minimum_together(
    fields: dict[str, Any], mounted: dict[str, tuple[str, ...]], legal: bool
) -> None:
    cards = [card("a", **fields), card("tube", loosens=True)]
    assert (broken("together", cards, mounted, splits="loosens") == []) is legal


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


@pytest.mark.parametrize(
    ("weapon", "mounted", "legal"),
    [
        ({"min_count": 2}, {"arm": ("a", "ammo")}, True),  # the second one was replaced
        ({"min_count": 2}, {"arm": ("a",), "leg": ("ammo",)}, False),  # it would lie alone
        ({"min_count": 2, "may_split": True}, {"arm": ("a",), "leg": ("ammo",)}, True),
        ({"min_count": 2}, {"arm": ("a", "a"), "leg": ("ammo",)}, False),
        ({"min_count": 3}, {"arm": ("a", "ammo")}, False),  # it would still be short
        ({"mount": "arms"}, {"arm": ("a", "ammo")}, True),
        ({"mount": "arms"}, {"arm": ("a",), "leg": ("ammo",)}, False),  # it cannot lie there
        ({"mount": "pair"}, {"arm": ("a",), "leg": ("ammo",)}, True),  # its pair was replaced
        ({"mount": "one here"}, {"leg": ("a",), "head": ("ammo",)}, True),
        ({"mount": "one a part"}, {"arm": ("a", "ammo")}, False),
        ({"box": 2}, {"arm": ("a", "ammo")}, True),
        ({"box": 1}, {"arm": ("a", "ammo")}, False),  # there is no second one to be replaced
        ({"family": "x"}, {"arm": ("a", "ammo")}, False),  # two of its family in one part
        ({}, {"arm": ("ammo",)}, False),  # no weapon is left
        ({}, {"arm": ("b", "ammo")}, False),  # nor one that fits
        ({}, {"arm": ("ammo",), "leg": ("blade",)}, True),  # the blade takes it in
        ({"box": 2}, {"arm": ("a", "ammo"), "leg": ("ammo",)}, False),  # two for one
    ],
)
def test_a_card_in_exchange_took_the_place_of_one_card_of_a_weapon(
    weapon: dict[str, Any], mounted: dict[str, tuple[str, ...]], legal: bool
) -> None:
    cards = [
        gun("a", **weapon),
        gun("b"),
        gun("ammo", host="name == 'a'", bombs=1),
        gun("blade", welcomes="bombs > 0"),
    ]
    assert (broken_by(EXCHANGE, cards, mounted) == []) is legal


def test_one_card_in_exchange_serves_one_weapon_only() -> None:
    cards = [gun(name, min_count=2) for name in "ab"] + [gun("ammo", host="name in ('a', 'b')")]
    found = broken_by(EXCHANGE, cards, {"arm": ("a", "ammo"), "leg": ("b",)})
    assert found == ["'b' needs 2 copies on one part, but 'leg' has 1."]


def test_a_card_in_exchange_that_replaced_nothing_is_told_why() -> None:
    cards = [gun("a", box=2), gun("b", min_count=3), gun("ammo", host="name in ('a', 'b')")]
    assert broken_by(EXCHANGE, cards, {"head": ("a", "a"), "arm": ("ammo",)}) == [
        "'ammo' on 'arm' must be mounted in exchange for one card of a weapon that fits it. "
        "Put back, that card would break another rule: 'a': 3 copies; the limit is 2."
    ]
    assert broken_by(EXCHANGE, cards, {"arm": ("ammo",)}) == [
        "'ammo' on 'arm' must be mounted in exchange for one card of a weapon that fits it. "
        "No such weapon is mounted."
    ]
    cards = [gun("a", family="x"), gun("ammo", host="name == 'a'")]
    assert broken_by(EXCHANGE, cards, {"arm": ("a", "ammo")}) == [
        "'ammo' on 'arm' must be mounted in exchange for one card of a weapon that fits it. "
        "Put back, that card would break another rule: "
        "'arm' has 2 copies of 'a'."
    ]


def test_what_remains_of_a_replaced_weapon_is_a_parameter() -> None:
    """The weapon b, of which one card is in the box, was replaced, and a is left to fire it."""
    cards = [gun("a", box=1), gun("b", box=1), gun("ammo", host="name in ('a', 'b')")]
    fitting = {**EXCHANGE, "exchange": {**EXCHANGE["exchange"], "remains": "fitting"}}
    assert broken_by(EXCHANGE, cards, {"arm": ("a", "ammo")}) != []
    assert broken_by(fitting, cards, {"arm": ("a", "ammo")}) == []
    assert broken_by(fitting, cards, {"arm": ("ammo",)}) != []


def test_a_rule_about_decks_alone_speaks_against_no_weapon_put_back() -> None:
    cards = [gun("a", box=1), gun("ammo", host="name == 'a'")]
    mounted = {"arm": ("a", "ammo")}
    assert broken_by(EXCHANGE, cards, mounted) != []
    of_decks = {**EXCHANGE, "copies": {"field": "box", "decks": ["main"]}}
    assert broken_by(of_decks, cards, mounted) == []


def test_which_cards_can_be_replaced_is_a_parameter() -> None:
    cards = [gun("ammo", host="name == 'a'"), gun("round", host="name == 'ammo'"), gun("a")]
    given = {key: one for key, one in EXCHANGE["exchange"].items() if key != "replaced"}
    loose = {**EXCHANGE, "exchange": given}
    mounted = {"arm": ("ammo", "round"), "leg": ("a",)}
    assert len(broken_by(EXCHANGE, cards, mounted)) == 1
    assert broken_by(loose, cards, mounted) == []


def test_slots_that_a_replaced_weapon_takes_away_count() -> None:
    """With a second heavy a the arm had no slot for it."""
    cards = [gun("a", modifies="slots arm=-1"), gun("ammo", host="name == 'a'")]
    assert broken_by(EXCHANGE, cards, {"leg": ("a",), "arm": ("ammo",)}) != []
    assert broken_by(EXCHANGE, cards, {"leg": ("a", "ammo")}) == []


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


def test_requires_and_excludes() -> None:
    cards = [card("a", family="x"), card("b", family="x"), card("c", family="y")]
    needs = {"cards": "name == 'a'", "needs": "family == 'y'", "named": "a y"}
    assert broken("requires", cards, {"arm": ("a",)}, **needs) == ["'a' requires a y."]
    assert broken("requires", cards, {"arm": ("a", "c")}, **needs) == []
    one = {"cards": "family == 'x'"}
    assert broken("excludes", cards, {"arm": ("a",), "leg": ("b",)}, **one, within="part") == []
    assert broken("excludes", cards, {"arm": ("a", "b")}, **one, within="part") != []
    assert broken("excludes", cards, {"arm": ("a",), "leg": ("b",)}, **one, within="build") != []


def test_copies_by_field_by_number_and_by_list() -> None:
    cards = [card("a", box=1)]
    mounted = {"arm": ("a", "a")}
    assert broken("copies", cards, mounted, field="box") == ["'a': 2 copies; the limit is 1."]
    assert broken("copies", cards, mounted, most=2) == []
    assert broken("limits", cards, mounted, cards={"a": 1}) == ["'a': 2 copies; the limit is 1."]
    assert broken("limits", cards, mounted, cards={"a": 0}) == ["'a' is banned here."] * 2
    assert broken("limits", cards, mounted, cards={"unknown": 0}) == []


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
