"""What people write into fields means the same in a table, in an erratum and in a case."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from made_up_games import write
from source_specimen import FILES, problems, spoilt

from exporter.app.games import open_folder
from exporter.core.problems import Problem, SourceLocation
from exporter.model import Field, FieldType, Value
from exporter.model.fields import read_value
from exporter.rules.errata import corrected

GAME, CARDS, ERRATA, CASES = "game.yaml", "cards/weapons.csv", "errata.yaml", "cases/all.yaml"
AT = SourceLocation("a.csv", 2, 3)


def read(text: str, field: Field) -> Value | Problem:
    return read_value(text, field, AT, "x")


@pytest.mark.parametrize(
    ("text", "sort", "value"),
    [
        ("", "number", 0), ("12", "number", 12), ("+3", "number", 3), ("-0", "number", 0),
        ("2.0", "number", 2), ("2.", "number", 2), ("007", "number", 7),
        ("", "flag", False), ("1", "flag", True), ("TRUE", "flag", True), ("0", "flag", False),
        ("FALSE", "flag", False), ("いいえ", "flag", False), ("はい", "flag", True),
        ("no", "flag", False), ("yes", "flag", True), ("1.0", "flag", True),
        ("a/b", "list", ("a", "b")), ("", "list", ()), ("a / b", "list", ("a", "b")),
        ("yes", "text", "yes"), ("2.0", "text", "2.0"), ("１", "text", "１"),
        ("１２", "number", 12), ("３．０", "number", 3), ("１", "flag", True),
    ],
)  # fmt: skip
def test_a_value_is_read_as_its_field_says(text: str, sort: FieldType, value: Value) -> None:
    found = read(text, Field(type=sort))
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("text", "sort"),
    [("two", "number"), ("1.5", "number"), ("1_000", "number"), ("1e3", "number"),
     ("nan", "number"), ("maybe", "flag"), ("2", "flag"), ("②", "number")],
)  # fmt: skip
def test_a_wrong_value_says_what_is_allowed(text: str, sort: FieldType) -> None:
    problem = read(text, Field(type=sort))
    assert isinstance(problem, Problem)
    assert problem.message.startswith(f"x: found {text!r}; allowed: ")
    assert (problem.where, problem.rule, problem.hint) == (AT, "SRC-VALUE", "")


@pytest.mark.parametrize("text", ["100000", "-1", "9" * 5000])
def test_a_number_out_of_bounds_is_refused_with_the_key_that_widens_them(text: str) -> None:
    problem = read(text, Field(type="number"))
    assert isinstance(problem, Problem)
    assert problem.message.endswith("; allowed: 0 to 99999.")
    assert ("least" if text == "-1" else "most") in problem.hint
    assert len(problem.message) < 150


@pytest.mark.parametrize("sort", ["text", "number", "flag", "list"])
@pytest.mark.parametrize("text", ["0", "/ ", "?", "? ", "1～", "a", "1.", "/?x"])
@pytest.mark.parametrize("pattern", [None, "range"])
def test_a_long_value_is_read_at_once(text: str, sort: FieldType, pattern: Any) -> None:
    """None of the expressions tries a text over and over again: that would take hours."""
    assert read(text * 100_000 + "x", Field(type=sort, pattern=pattern)) is not None


RANGE = Field(pattern="range")


@pytest.mark.parametrize(
    "text",
    ["", "-", "3", "1～3", "0～∞", "①～③", "❺～❻", "②～④/1", "1～3/1～3", "特殊", "X", "2/2", "1-3",
     "1–3", "−1"],
)  # fmt: skip
def test_ranges_are_left_as_they_are(text: str) -> None:
    assert read(text, RANGE) == text


def test_digits_of_a_japanese_keyboard_are_plain_where_a_pattern_asks_for_numbers() -> None:
    assert read("１～３", RANGE) == "1～3"
    assert read("－２．５", Field(pattern="number")) == "-2.5"


@pytest.mark.parametrize(
    "text",
    ["1月3日", "3-Jan", "Jan-03", "03-jan", "2024-01-03", "2024/1/3", "2024年1月3日", "1月",
     "3-Jan-24", "1/3/2024", "2024-01-03 00:00:00"],
)  # fmt: skip
@pytest.mark.parametrize(
    "field", [RANGE, Field(type="number"), Field(type="list", pattern="range")]
)
def test_a_date_in_the_place_of_something_else_says_what_a_spreadsheet_did(
    text: str, field: Field
) -> None:
    problem = read(text, field)
    assert isinstance(problem, Problem)
    assert problem.rule == "SRC-CELL"
    assert "a spreadsheet turned this into the date" in problem.message
    assert problem.hint == "Format the column as text, and enter the value again."


@pytest.mark.parametrize("text", ["1月3日", "2024-01-03", "本当に?", "What?! No?", "A? B", "？"])
def test_a_text_may_be_a_date_or_ask_something(text: str) -> None:
    assert read(text, Field()) == text


@pytest.mark.parametrize("text", ["?", "??", "?～?", "攻撃/?", "1|?;2|3", "\ufffd"])
@pytest.mark.parametrize("field", [Field(), RANGE, Field(type="list")])
def test_a_question_mark_by_itself_is_a_lost_sign(text: str, field: Field) -> None:
    problem = read(text, field)
    assert isinstance(problem, Problem)
    assert problem.rule == "SRC-CELL"
    assert "a character such as ❺ seems to have turned into a ?" in problem.message
    assert "？" in problem.hint


KEPT = {"damage": ("2", "2", "3"), "energy": ("1", "1", "")}
"""What the first card has, what its erratum says it has, what it becomes."""


def spoilt_everywhere(folder: Path, name: str, text: str) -> Path:
    """The tiny game with ``text`` in a card's cell, as what an erratum makes of another card, and
    in a card that a case makes up."""
    cells = {"damage": "", "energy": "", name: text}
    row = f"W2,Sword,strike,{cells['damage']},{cells['energy']},"
    change = f'{{card: Laser, field: {name}, was: "{KEPT[name][0]}", now: "{text}"}}'
    files = {
        **FILES,
        CARDS: f"id,name,kinds,damage,energy,effect\nW1,Laser,shoot,2,1,Burns.\n{row}\n",
        ERRATA: f"- {{id: E1, medium: card, source: book, changes: [{change}]}}\n",
        CASES: f'- name: made up\n  cards: [{{id: X1, kind: weapon, {name}: "{text}"}}]\n',
    }
    return write(folder / "tiny", files)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("damage", "4", 4), ("damage", "４", 4), ("damage", "2.0", 2), ("damage", "", 0),
     ("energy", "FALSE", False), ("energy", "いいえ", False), ("energy", "yes", True),
     ("energy", "0", False)],
)  # fmt: skip
def test_tables_errata_and_cases_read_alike(
    tmp_path: Path, name: str, text: str, value: Value
) -> None:
    opened = open_folder(spoilt_everywhere(tmp_path, name, text), with_cases=True)
    assert not opened.problems
    (made_up,) = opened.book.cases[0].cards
    cards = (opened.game.cards["W2"], corrected(opened.game).cards["W1"], made_up)
    assert [card.fields[name] for card in cards] == [value] * 3


@pytest.mark.parametrize(
    ("name", "text"),
    [("damage", "two"), ("damage", "1.5"), ("damage", "100000"), ("damage", "-1"),
     ("damage", "3-Jan"), ("energy", "maybe")],
)  # fmt: skip
def test_tables_errata_and_cases_refuse_alike(tmp_path: Path, name: str, text: str) -> None:
    found = open_folder(spoilt_everywhere(tmp_path, name, text), with_cases=True).problems
    column = 3 + len(f"W2,Sword,strike,{',' if name == 'energy' else ''}") - 2
    assert [(each.where.file, each.where.line) for each in found] == [
        (f"tiny/{CARDS}", 3), (f"tiny/{CASES}", 2), (f"tiny/{ERRATA}", 1)
    ]  # fmt: skip
    assert found[0].where.column == column
    assert len({(each.rule, each.message, each.hint) for each in found}) == 1
    assert dict(found[0].values)["field"] == name


def test_the_printed_value_may_be_spelled_otherwise(tmp_path: Path) -> None:
    assert not problems(spoilt(tmp_path, (ERRATA, "was: 2", "was: 2.0")))


def test_two_errata_of_one_entry_of_a_deck_both_count(tmp_path: Path) -> None:
    build_of = "- {deck: AA, card: Sword, field: "
    both = f"{build_of}copies, was: 2, now: 3}}\n    {build_of}"
    opened = open_folder(spoilt(tmp_path, (ERRATA, build_of, both)))
    assert not opened.problems
    entry = corrected(opened.game).decks[1]
    assert (entry.copies, entry.mark) == (3, "●◆")


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("{id: X1, kind: wepon}", "There is no kind 'wepon'. Did you mean 'weapon'?"),
        ("{id: X1}", "its kind is missing"),
        ("{kind: weapon}", "its id is missing"),
        ("{id: X1, kind: weapon, damige: 2}", "no field 'damige'. Did you mean 'damage'?"),
    ],
)
def test_a_made_up_card_is_of_a_kind_and_has_its_fields(
    tmp_path: Path, card: str, said: str
) -> None:
    folder = write(spoilt(tmp_path), {CASES: f"- {{name: a, cards: [{card}]}}\n"})
    (problem,) = open_folder(folder, with_cases=True).problems
    assert problem.where.file == f"tiny/{CASES}"
    assert said in str(problem)


def test_a_deck_may_say_otherwise_only_what_the_field_can_hold(tmp_path: Path) -> None:
    """The column is the card's own field, whatever another kind calls by the same name."""
    detail = "    detail: {効果: effect}\n"
    other = "  zone:\n    name: 場\n    file: cards/zones.csv\n    fields: {damage: text}\n"
    deck = "mech,card,mark,copies,damage\nAA,Laser,●◆,1,x\nAA,Sword,●,2,\n"
    folder = spoilt(tmp_path, (GAME, detail, detail + other))
    write(folder, {"cards/zones.csv": "id,name,damage\nZ,Z,much\n", "decks/mechs.csv": deck})
    (found,) = problems(folder)
    assert found.startswith("tiny/decks/mechs.csv:2:15: error SRC-VALUE damage: found 'x'")


def test_a_field_that_is_declared_widely_holds_more(tmp_path: Path) -> None:
    change = (GAME, "damage: number", "damage: {type: number, least: -5, most: 200000}")
    cards = (CARDS, "Sword,strike/ram,3", "Sword,strike/ram,200000")
    assert not problems(spoilt(tmp_path, change, cards))
    (found,) = problems(spoilt(tmp_path / "narrow", cards))
    assert found.startswith("tiny/cards/weapons.csv:3:21: error SRC-VALUE damage: found '200000'")
    assert found.endswith(
        "If it is correct, write `most: 200000` at the field 'damage' in game.yaml."
    )
