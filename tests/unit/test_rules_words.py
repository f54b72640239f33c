"""What is asked wrongly is answered in words for people: no message shows what Python said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run
from made_up_games import write
from small_game import change

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.rules.expressions import Known, evaluate, whole

PYTHON = re.compile(
    r"[A-Z]\w*(?:Error|Exception)\b|\b(?:NoneType|None|True|False|Ellipsis|object|dict|tuple|int|str"
    r"|bool|float|Fraction|operand|iterable|positional|unsupported|Traceback|ast|node)\b"
    r"|<class|[{\[]'|\{\w+!r\}"
)
"""Words and signs that people meet where a program shows its own."""

NAMES: dict[str, Known] = {"a": 1, "b": 2, "text": "x", "truth": True}

EXPRESSIONS = dict(
    line.split("  # ")
    for line in (Path(__file__).parent / "wrong_expressions.txt").read_text("utf-8").splitlines()
)
"""Each with a part of the answer as its remark."""


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_a_wrong_expression_is_answered_in_words(text: str) -> None:
    with pytest.raises(InvalidSource) as caught:
        evaluate(text, NAMES, SourceLocation("rules.yaml", 3))
    (problem,) = caught.value.problems
    assert EXPRESSIONS[text] in problem.message
    said = problem.message.replace(repr(text), "").replace(text or "\0", "")
    assert not PYTHON.search(said + problem.hint), problem


@pytest.mark.parametrize(
    ("text", "said"),
    [("text", "gives 'x'"), ("a / b", "gives 1/2, but must give a whole"), ("'3'", "gives '3'")],
)
def test_what_is_no_whole_number_is_answered_in_words(text: str, said: str) -> None:
    with pytest.raises(InvalidSource) as caught:
        whole(text, NAMES, SourceLocation("rules.yaml", 3))
    (problem,) = caught.value.problems
    assert said in problem.message
    assert not PYTHON.search(f"{problem.message} {problem.hint}")


@pytest.mark.parametrize("value", [None, 1.5, [1], {"b": 1}, ("x",)])
def test_a_name_that_stands_for_no_number_or_text_is_answered_in_words(value: object) -> None:
    with pytest.raises(InvalidSource) as caught:
        evaluate("a + 1", {"a": value}, SourceLocation("rules.yaml", 3))  # type: ignore[dict-item]
    assert "not a whole number, text or true/false" in caught.value.problems[0].message
    assert not PYTHON.search(caught.value.problems[0].message)


RULES = """\
rules:
- {id: R-1, title: 式, status: checked, kind: formula,
   parameters: {given: {a: 0, t: x}, value: a + 1}}
- {id: R-2, title: 数, status: checked, kind: formula, parameters: {counts: {n: copies}, value: n}}
- {id: R-3, title: 人, status: by-hand, reason: 卓で見る}
- {id: R-4, title: 枚, status: checked, kind: copies, parameters: {most: 4}}
- {id: R-5, title: 順, status: checked, kind: order, parameters: {by: [早さ]}}
- {id: R-6, title: 射線, status: checked, kind: line_of_sight}
- id: R-7
  title: 射程
  status: checked
  kind: range
  parameters: {classes: {有効: none, 最適: 1}, labels: {damage: 基本, distance: 距離}, miss: 外れ,
    result: {ja: ダメージ}}
- {id: R-8, title: 照準, status: checked, kind: damage_terms,
   parameters: {given: {照準: 0}, terms: [{label: 照準, value: 照準}]}}
- {id: R-10, title: 順, status: checked, kind: order, parameters: {by: [順], ranks: {順: [先, 後]}}}
- {id: R-9, title: 文, status: checked, kind: formula, parameters: {given: {a: 0}, value: a < 1}}
"""

CASES = (Path(__file__).parent / "wrong_cases.yaml").read_text(encoding="utf-8")
"""Cases with one thing wrong, each with a part of the answer as its remark."""


WEAPONS = """\
id,name,copies,edition,kinds,range,range_class,damage
W1,Laser,2,base,射撃,1-3,有効,2
W2,Sword,1,base,,,,
W3,Net,1,more,,,,
"""


@pytest.fixture
def folder(small: Path) -> Path:
    """The small game with a rule of play of each kind."""
    more = "edition: text, kinds: text, range: text, range_class: text, damage: text, play: text}"
    change(small / "game.yaml", "edition: text}", more)
    (small / "cases").mkdir()
    return write(small, {"cards/weapons.csv": WEAPONS, "rules.yaml": RULES})


def test_a_wrong_case_is_answered_in_words_at_its_place(folder: Path) -> None:
    (folder / "cases" / "odd.yaml").write_text(CASES, encoding="utf-8")
    found = run("check", folder, "--cases", "--lang", "en").stderr.splitlines()
    errors = [line for line in found if " error " in line]
    for number, case in enumerate(CASES.splitlines(), 1):
        (here,) = (line for line in errors if f"/odd.yaml:{number}:" in line)
        assert case.partition("  # ")[2] in here
        assert not PYTHON.search(here), here
    assert len(errors) == number


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("given: {a: 0, t: x}", "given: {a: [1]}", "given a: found a list of 1; allowed: a whole"),
        ("given: {a: 0, t: x}", "given: {a: 1.5}", "given a: found 1.5; allowed: a whole number"),
        (
            "given: {a: 0, t: x}, value: a + 1",
            "given: {a: 0}",
            "formula without any of `value`, `terms` checks nothing",
        ),
        ("value: a + 1", "value: a.b", "'a.b': a.b is not allowed."),
        ("value: a + 1", "value: [1]", "value: found a list of 1; allowed: a text"),
        ("by: [早さ]", "by: 早さ", "by: found '早さ'; allowed: a list"),
        ("most: 4", "most: four", "most: found 'four'; allowed: a whole number"),
    ],
)
def test_a_wrong_rule_is_answered_in_words_at_its_place(
    folder: Path, old: str, new: str, said: str
) -> None:
    change(folder / "rules.yaml", old, new)
    found = run("check", folder).stderr
    assert said in found
    assert re.search(r"small/rules\.yaml:\d+:\d+: error", found)
    assert not PYTHON.search(found)


def test_parameters_are_explained_as_they_are_written(folder: Path) -> None:
    change(folder / "rules.yaml", "most: 4}}", "most: 4}, assumed: [most]}")
    said = run("explain", folder, "R-1", "--lang", "en").stdout
    assert "  given: {a: 0, t: x}\n  value: a + 1\n" in said
    assert "  most: 4 (assumed)\n" in run("explain", folder, "R-4", "--lang", "en").stdout
    said = run("explain", folder, "R-8", "--lang", "en").stdout
    assert "  given: {照準: 0}\n  terms:\n    - {label: 照準, value: 照準}\n" in said
    said = run("explain", folder, "R-7", "--lang", "en").stdout
    assert "  classes: {有効: none, 最適: 1}\n" in said
    assert not PYTHON.search(said)


def test_a_condition_that_fails_shows_its_values_as_they_are_written(folder: Path) -> None:
    holds = "kind: expression, parameters: {each: weapon, holds: copies > 1 == (text == '')}"
    change(folder / "rules.yaml", "kind: copies, parameters: {most: 4}", holds)
    found = run("check", folder, "--lang", "en").stderr
    assert "copies=1 効果=''" in found  # as the sheet beside a card calls it
