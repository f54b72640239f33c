"""Expressions in data: what they may say, and that nothing hostile costs time or memory."""

from __future__ import annotations

import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporter.core.problems import InvalidSource, Problem, SourceLocation
from exporter.model import Card
from exporter.rules.expressions import Known, difference, evaluate, fault_of, names_in
from exporter.rules.figures import names_about

HERE = SourceLocation("a.yaml", 3, 5)


def outcome(text: str, names: dict[str, Known]) -> tuple[Known | None, tuple[Problem, ...]]:
    try:
        return evaluate(text, names, HERE), ()
    except InvalidSource as error:
        return None, error.problems


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("切上(耐久値 / 4)", 6),
        ("切捨(耐久値 / 4)", 5),
        ("耐久値 / 4", Fraction(21, 4)),
        ("2 <= 耐久値 <= 7", False),
        ("1 if 装甲 == '軽' else -1", -1),
        ("'軽' in ('軽', '重') and not 0", True),
        ("max(0, 耐久値 - 30)", 0),
        ("first(種別)", "射撃"),
        ("first(装甲)", "重"),
    ],
)
def test_numbers_texts_and_truths_over_japanese_names(text: str, value: object) -> None:
    assert evaluate(text, {"耐久値": 21, "装甲": "重", "種別": "射撃/白兵"}, HERE) == value


def test_names_with_wide_letters_are_found_however_they_are_written() -> None:
    for text in ("ＨＰ + 1", "HP + 1"):
        assert evaluate(text, {"ＨＰ": 2}, HERE) == 3
        assert evaluate(text, {"HP": 2}, HERE) == 3
        assert fault_of(text, ["ＨＰ"]) is None
    one = Card(id="a", kind="w", name="a", fields={"ＨＰ": 2, "ﾌﾞｷ": 1}, where=HERE)
    assert evaluate("ＨＰ + ﾌﾞｷ", names_about("ＨＰ + ﾌﾞｷ", one, {}), HERE) == 3


def test_a_misspelled_name_is_told_its_nearest() -> None:
    wrong = fault_of("耐久地", ["耐久値"])
    assert wrong is not None
    assert wrong.both("en") == ("there is no '耐久地' here", "Did you mean '耐久値'?")


HOSTILE = [
    "().__class__.__bases__[0].__subclasses__()",
    "'{0.__class__}'.format(1)",
    "__import__('os').system('id')",
    "open('/etc/passwd')",
    "(lambda: 1)()",
    "[x for x in (1, 2)]",
    "{1: 2}",
    "x[0]",
    "x.real",
    "10 ** 10 ** 10",
    "9" * 390,
    "'a' * 10**9",
    "(1, 2) * 999999999",
    "'%999999999d' % 1",
    "x % 0",
    "-" * 390 + "1",
    "(" * 190 + "1" + ")" * 190,
    "not " * 95 + "1",
    "999999999999" + "*999999999999" * 25,
    "max(" * 60 + "1" + ")" * 60,
    "x" * 500,
    "1 if " * 60,
    "\0",
    "１＋",
    "max(*x)",
    "(y := 1)",
    "yield 1",
    "1 == 1 == 1 == " * 20 + "1",
    "1e999",
    "True.__class__",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_expression_ends_in_a_value_or_one_problem_and_little_memory(text: str) -> None:
    tracemalloc.start()
    value, problems = outcome(text, {"x": 3})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(value, int | Fraction | str) or len(problems) == 1
    assert all(problem.where == HERE and len(str(problem)) < 1000 for problem in problems)
    assert peak < 20_000_000


@given(st.text(max_size=60))
def test_any_text_is_a_value_or_a_problem(text: str) -> None:
    value, problems = outcome(text, {"a": 1, "b": "x"})
    assert isinstance(value, int | Fraction | str) or len(problems) == 1


def test_equal_values_of_different_types_stay_apart() -> None:
    assert evaluate("a", {"a": True}, HERE) is True
    assert evaluate("a", {"a": 1}, HERE) is not True


def test_pages_that_ask_at_once_get_each_their_own_value() -> None:
    def wrong(first: int) -> list[int]:
        asked = range(first, 4000, 8)
        return [n for n in asked if evaluate("切上((a + b) / 2)", {"a": n, "b": n}, HERE) != n]

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pages:
            assert not [n for found in pages.map(wrong, range(8)) for n in found]
    finally:
        sys.setswitchinterval(before)


def test_names_are_found_without_the_functions() -> None:
    assert names_in("切上(a / b) + min(c, 1)") == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("text", "off"),
    [
        ("cards <= 4", 3),
        ("9 <= cards", 2),
        ("2 <= cards <= 5", 2),
        ("cards == 10", 3),
        ("cards * 2 == 13", 1),
        ("cards / 2 < 3", Fraction(1, 2)),
        ("cards < 7", None),  # they are equal, and that is too many
        ("cards != 7", None),
        ("cards in (1, 2)", None),
        ("name == 'x'", None),
        ("cards > 9 and cards > 8", None),
    ],
)
def test_how_far_off_a_condition_is(text: str, off: object) -> None:
    assert difference(text, {"cards": 7, "name": "y"}, SourceLocation("rules.yaml", 3)) == off


@pytest.mark.parametrize("name", ["class", "from", "import", "is", "lambda", "for", "async"])
def test_a_name_may_be_a_word_of_python(name: str) -> None:
    text = f"{name} in ('a {name}', 'b') and ({name} == 'b' or 1 < 2)"
    assert fault_of(text, [name]) is None
    assert names_in(text) == {name}
    assert evaluate(text, {name: f"a {name}"}, SourceLocation()) is True
    assert difference(f"3 <= {name}", {name: 1}, SourceLocation()) == 2
