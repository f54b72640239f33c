"""Every number that somebody may write has a least and a most, and nothing is sized by another;
what comes from outside is counted, and of very many problems fifty are told.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import click
import pytest
from made_up_games import write
from msgspec import Meta
from source_specimen import FILES, problems, spoilt

from exporter.app.games import open_folder
from exporter.cli.console import BoundedNumber as NumberOption
from exporter.cli.main import exporter
from exporter.core.problems import (
    InvalidSource,
    Problem,
    Severity,
    SourceLocation,
    counts,
    problem_at,
)
from exporter.core.reading_limits import ProblemList
from exporter.loader.game_reader import read_game
from exporter.model import Card
from exporter.model.forms import (
    form_of,
)
from exporter.rules.figures import all_figures, amounts
from exporter.rules.loadouts import built_loadout

GAME, CARDS, LAYOUTS, DECK = "game.yaml", "cards/weapons.csv", "layouts.yaml", "decks/mechs.csv"


AT_LEAST, AT_MOST = Annotated[int, Meta(ge=0)], Annotated[int, Meta(le=9)]


@pytest.mark.parametrize("annotation", [int, float, list[int], dict[str, float], AT_LEAST, AT_MOST])
def test_a_shape_cannot_hold_a_number_without_bounds(annotation: object) -> None:
    with pytest.raises(TypeError, match="has a least and a most"):
        form_of(annotation)


def test_every_number_of_an_option_has_a_least_and_a_most_and_is_no_nan() -> None:
    options = [
        (f"{name} {parameter.opts[0]}", parameter.type)
        for name, command in exporter.commands.items()
        for parameter in command.params
        if isinstance(parameter.type, click.types.FloatParamType | click.types.IntParamType)
    ]
    assert len(options) >= 5
    for name, sort in options:
        assert isinstance(sort, click.IntRange | NumberOption), name
        assert sort.min is not None, name
        assert sort.max is not None, name


def counting(copies: str, card: str = "W1,Laser,shoot,2,1,Burns.") -> dict[str, str]:
    """The tiny game with a layout that lays each card as often as one of its fields says."""
    cards = f"id,name,kinds,damage,energy,effect\n{card}\nW2,Sword,strike/ram,3,,Cuts.\n"
    layout = FILES[LAYOUTS].replace("deck: true, only: {kinds: [shoot]}", f"copies: {copies}")
    return {**FILES, CARDS: cards, LAYOUTS: layout, "errata.yaml": ""}


BIG = "W1,Laser,shoot,100,1,Burns."


def told(folder: Path, files: dict[str, str]) -> list[str]:
    return problems(write(folder / "tiny", files))


def test_a_number_that_is_only_shown_may_be_larger(tmp_path: Path) -> None:
    assert not told(tmp_path, counting("'1'", BIG))


def test_what_a_layout_repeats_by_is_told_at_the_cell(tmp_path: Path) -> None:
    assert told(tmp_path, counting("damage", BIG)) == [
        "tiny/cards/weapons.csv:2:16: error SRC-VALUE damage: found 100; allowed: at most 99. "
        "A layout or rule repeats something as often as this field says. If it is "
        "correct, write `most: 100` at the field 'damage' in "
        "game.yaml."
    ]


def test_a_game_may_widen_it_as_far_as_anything_is_repeated(tmp_path: Path) -> None:
    for most, card, wrong in ((100, BIG, 0), (99999, BIG.replace("100", "1000"), 1)):
        files = counting("damage", card)
        number = f"damage: {{type: number, most: {most}}}"
        files[GAME] = files[GAME].replace("damage: number", number)
        assert len(told(tmp_path / str(most), files)) == wrong


def test_an_erratum_and_a_deck_do_not_come_round_it(tmp_path: Path) -> None:
    files = counting("damage")
    change = "{card: Sword, field: damage, was: 3, now: 100}"
    files["errata.yaml"] = f"- {{id: E1, medium: card, source: book, changes: [{change}]}}\n"
    files[DECK] = "mech,card,mark,copies,damage\nAA,Laser,●◆,1,200\nAA,Sword,●,2,\n"
    assert [text.split(" If")[0] for text in told(tmp_path, files)] == [
        "tiny/decks/mechs.csv:2: error SRC-VALUE damage: found 200; allowed: at most 99. "
        "A layout or rule repeats something as often as this field says.",
        "tiny/errata.yaml:1:92: error SRC-VALUE damage: found 100; allowed: at most 99. "
        "A layout or rule repeats something as often as this field says.",
    ]


def test_what_a_rule_repeats_by_is_told_at_the_cell_and_in_cases(tmp_path: Path) -> None:
    rule = "{id: T1, title: a, status: checked, kind: together}"
    made_up = "{id: X, kind: weapon, min_count: 99999}"
    files = {
        "game.yaml": FILES[GAME].replace("damage: number", "damage: number, min_count: number"),
        CARDS: "id,name,kinds,damage,energy,effect,min_count\n"
        "W1,Laser,shoot,2,1,Burns.,99999\nW2,Sword,strike,3,,Cuts.,2\n",
        "rules.yaml": f"rules: [{rule}]\n",
        "cases/all.yaml": f"- {{name: a, cards: [{made_up}]}}\n",
    }
    folder = write(tmp_path / "tiny", {**FILES, **files})
    found = open_folder(folder, with_cases=True).problems
    assert [(each.where.file, each.where.line) for each in found] == [
        (f"tiny/{CARDS}", 2), ("tiny/cases/all.yaml", 1)
    ]  # fmt: skip
    for each in found:
        assert each.message == (
            "min_count: found 99999; allowed: at most 99. A layout or rule repeats something as "
            "often as this field says."
        )
    write(folder, {"rules.yaml": "rules: []\n"})
    assert not open_folder(folder, with_cases=True).problems  # nobody repeats anything by it


def test_a_deck_of_a_kind_with_a_wider_field_holds_more(tmp_path: Path) -> None:
    wider = "energy: flag, copies: {type: number, most: 200}"
    deck = (DECK, "●◆,1,", "●◆,200,")
    assert not problems(spoilt(tmp_path, (GAME, "energy: flag", wider), deck))


@pytest.mark.parametrize(
    ("text", "found"),
    [("a=+1;b=-2", {"a": 1, "b": -2}), ("a=2.0", {"a": 2}), ("a=２", {"a": 2}), ("", {})],
)
def test_what_a_card_adds_to_figures_is_whole(text: str, found: dict[str, int]) -> None:
    card = Card(
        id="A", kind="k", name="A", fields={"modifies": text}, where=SourceLocation("a.csv", 2)
    )
    assert amounts(card, "modifies") == found


@pytest.mark.parametrize("text", ["a", "a=", "a=1.5", "a=1_0", "a=100000", f"a={'9' * 5000}"])
def test_what_a_card_adds_to_figures_is_bounded(text: str) -> None:
    card = Card(
        id="A", kind="k", name="A", fields={"modifies": text}, where=SourceLocation("a.csv", 2)
    )
    with pytest.raises(InvalidSource, match="a whole number of at most 99999"):
        amounts(card, "modifies")


def test_a_part_has_a_bounded_number_of_slots_whatever_its_terms_say(tmp_path: Path) -> None:
    figure = "- name: Arms\n  part: arm\n  terms: [{label: frame, value: 90 + Speed * 2}]\n"
    folder = spoilt(tmp_path, ("figures.yaml", "- name: Pace", f"{figure}- name: Pace"))
    game = read_game(folder)
    with pytest.raises(InvalidSource) as caught:
        all_figures(game, game.mechs["AA"].loadouts["basic"])
    assert [str(problem) for problem in caught.value.problems] == [
        "tiny/figures.yaml:1:3: error SLOTS The figure 'Arms' says how many slots 'arm' has, "
        "and comes to 100; the limit is 99. Correct its `terms`, "
        "or the values that they are made of."
    ]


def test_a_built_deck_holds_a_bounded_number_of_each_card(tmp_path: Path) -> None:
    cards = "W1,Laser,shoot,2,1,100\nW2,Sword,strike/ram,3,,0\n"
    files = {
        GAME: FILES[GAME].replace("    front: card", "    deck_copies: effect\n    front: card"),
        CARDS: f"id,name,kinds,damage,energy,effect\n{cards}",
    }
    game = read_game(write(tmp_path / "tiny", {**FILES, **files}))
    with pytest.raises(InvalidSource) as caught:
        built_loadout(game, game.mechs["AA"].loadouts["basic"])
    assert [str(problem) for problem in caught.value.problems] == [
        "tiny/cards/weapons.csv:2:20: error COPIES The formula in the field `effect` of 'Laser' "
        "gives 100 copies; a deck may hold at most 99 of one card. "
        "Correct the formula, or the figures that it uses."
    ]


# ---- what comes from outside is counted as it comes


def problem(line: int, rule: str = "SRC-REF", file: str = "small/a.csv") -> Problem:
    return problem_at(
        SourceLocation(file, line),
        rule,
        "no-space",
        severity=Severity.WARNING,
        name=line,
        nearest="",
    )


def test_of_a_kind_fifty_are_told_and_the_others_counted_after_them() -> None:
    found = ProblemList()
    for line in range(1, 1062):
        found.append(problem(line))
    found.append(problem(1, "SRC-ID"))
    found.append(problem(1, file="small/b.csv"))
    problems = sorted(found)
    assert len(problems) == 50 + 1 + 2
    assert str(problems[51]) == "small/a.csv:50: warning SRC-REF … and 1,011 more like this."
    assert counts(problems) == {"error": 0, "warning": 1063, "notice": 0}
    assert len(found) == 1063


def test_the_files_of_a_folder_share_the_fifty() -> None:
    found = ProblemList()
    for number in range(60):
        found.append(problem(1, file=f"small/notes/n{number}.yaml"))
    assert [one.times for one in found if one.times > 1] == [10]


def test_a_column_that_is_wrong_from_end_to_end_is_one_problem() -> None:
    found = ProblemList()
    for line in range(2, 3002):
        values: dict[str, Any] = {"field": "armour", "found": "'x'", "allowed": "a whole number"}
        found.append(
            problem_at(SourceLocation("a.csv", line, 9), "SRC-VALUE", "cell", **values), "armour"
        )
        values |= {"field": "name", "allowed": "a name"}
        if line < 52:
            found.append(
                problem_at(SourceLocation("a.csv", line, 1), "SRC-VALUE", "cell", **values), "name"
            )
    whole, *single = found
    assert str(whole) == (
        "a.csv:2:9: error SRC-VALUE 3,000 rows have this problem; the first is here."
        " armour: found 'x'; allowed: a whole number."
    )
    assert whole.times == 3000
    assert [one.where.line for one in single] == list(range(2, 52))
