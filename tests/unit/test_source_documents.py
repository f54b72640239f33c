"""YAML keeps its places, and texts their spelling."""

from __future__ import annotations

import pytest

from exporter.core.problems import InvalidSource, Problem, SourceLocation
from exporter.model.documents import MAX_DEPTH, place, read_document, read_documents

F = "a.yaml"


def fault(text: str) -> Problem:
    with pytest.raises(InvalidSource) as caught:
        read_document(text, F)
    return caught.value.problems[0]


def test_each_value_and_each_key_knows_its_line_and_column() -> None:
    value, where, _ = read_document("a: 1\nb:\n  - x\n  - {か: y}\n", F)
    assert place(value, ("a",), where) == SourceLocation(F, 1, 4)
    assert place(value, ("b", 0), where) == SourceLocation(F, 3, 5)
    assert place(value, ("b", 1, "か"), where) == SourceLocation(F, 4, 9)
    assert place(value, ("b", 1, "か"), where, key=True) == SourceLocation(F, 4, 6)


def test_a_path_that_leads_nowhere_ends_at_what_is_around_it() -> None:
    value, where, _ = read_document("a:\n  b: 1\n", F)
    assert place(value, ("a", "c", "d"), where) == SourceLocation(F, 2, 3)


@pytest.mark.parametrize(
    "spelled",
    ["on", "yes", "no", "1:30", "2019-01-02", "007", "1_000", "0x1F", "1e3", "3.10", "null", "="],
)
def test_a_scalar_keeps_its_spelling(spelled: str) -> None:
    value, _, _ = read_document(f"a: {spelled}\n{spelled}: b\n", F)
    assert value == {"a": spelled, spelled: "b"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a:\nb: ~\nc: ''\n", {"a": None, "b": None, "c": ""}),
        ("a: &x [1, 2]\nb: *x\n", {"a": ["1", "2"], "b": ["1", "2"]}),
        ("", None),
        ("# only a remark\n", None),
    ],
)
def test_what_a_file_holds(text: str, value: object) -> None:
    assert read_document(text, F)[0] == value


def test_a_key_given_twice_is_reported_at_the_second_and_the_first_one_counts() -> None:
    value, _, problems = read_document("a: 1\nb: 2\na: 3\n", F)
    assert value == {"a": "1", "b": "2"}
    assert [problem.where for problem in problems] == [SourceLocation(F, 3, 1)]
    assert "the first is in line 1" in problems[0].message


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("a: 1\nb: [1, 2\nc: 3\n", 2, 4, "bracket"),
        ("a: 'x\nb: 2\n", 1, 4, "quotation mark"),
        ("a:\n\tb: 1\n", 2, 1, "tab"),
        ("a: b: c\n", 1, 5, "second ': '"),
        ("a: 1\nbcd\ne: f\n", 2, 1, "there is no ': ' after a key"),
        ("a: *x\n", 1, 4, "refers to nothing"),
        ("a: &x [*x]\n", 1, 8, "refers to nothing"),
        ("a: x\x07y\n", 1, 5, "control characters are not allowed"),
        ("a: 1\n- b\n", 2, 1, "is not indented like"),
        ("- {a: b}\n- {a: \n", 2, 6, "the file ends before this is complete"),
        ("%YAML 3.0\n---\na: 1\n", 1, 1, "incompatible"),
    ],
)
def test_what_is_no_yaml_is_shown_where_it_goes_wrong(
    text: str, line: int, column: int, said: str
) -> None:
    problem = fault(text)
    assert (problem.where.line, problem.where.column) == (line, column)
    assert said in problem.message


def test_a_tag_is_refused_and_builds_nothing() -> None:
    value, _, problems = read_document("a: !!python/object/apply:os.getcwd []\nb: !x 1\n", F)
    assert value == {"a": [], "b": "1"}
    assert [problem.where.line for problem in problems] == [1, 2]


def test_deep_nesting_is_refused_at_its_place() -> None:
    problem = fault("a: " + "[" * 100)
    assert problem.where == SourceLocation(F, 1, 4 + MAX_DEPTH - 1)
    assert str(MAX_DEPTH) in problem.message
    deepest = fault("a: " + "[" * 100_000)
    assert deepest.where.line == 1
    assert deepest.message == problem.message


def test_aliases_that_explode_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    for n in range(1, 30):
        aliases = ", ".join([f"*a{n - 1}"] * 10)
        lines.append(f"a{n}: &a{n} [{aliases}]")
    problem = fault("\n".join(lines))
    assert "counting what aliases repeat" in problem.message
    assert problem.where.line == 5


def test_a_file_of_too_many_values_is_refused() -> None:
    assert "more than 50000 values" in fault("- a\n" * 60_000).message


@pytest.mark.parametrize(
    "text", ["a: b # c\n", "a: 'b #c'\n", "a: b#c\n", "a: 3 #c\n", "#a\nb: |\n  c #d\n"]
)
def test_a_remark_stays_one(text: str) -> None:
    assert read_document(text, F)[2] == []


@pytest.mark.parametrize(
    ("text", "column", "right"),
    [
        ("text: **強い** 攻撃\nb: 1\n", 7, "text: '**強い** 攻撃'"),
        ("text: [木]1枚引く\n", 7, "text: '[木]1枚引く'"),
        ("text: {機雷|きらい}を置く\n", 7, "text: '{機雷|きらい}を置く'"),
        ("text: > 風味\n", 7, "text: '> 風味'"),
        ("- 石\n- [木] 木\n", 3, "- '[木] 木'"),
        ("text: 'それ'だ\n", 7, "text: \"'それ'だ\""),
    ],
)
def test_a_text_that_begins_with_a_sign_of_yaml_is_shown_in_quotes(
    text: str, column: int, right: str
) -> None:
    problem = fault(text)
    assert (problem.where.column, problem.values["right"]) == (column, right)
    lines = text.splitlines()
    lines[problem.where.line - 1] = right
    assert read_document("\n".join(lines), F)


def test_lines_are_counted_as_editors_count_them() -> None:
    assert fault("\x85a: 1\n''")  # of a line more than there is


def test_a_second_document_is_reported_where_one_is_allowed() -> None:
    value, _, problems = read_document("a: 1\n---\nb: 2\n", F)
    assert value == {"a": "1"}
    assert [problem.where.line for problem in problems] == [3]


def test_many_documents_can_be_read_one_after_the_other() -> None:
    found = [(value, where.line) for value, where, _ in read_documents("a: 1\n---\nb: 2\n", F)]
    assert found == [({"a": "1"}, 1), ({"b": "2"}, 3)]


def test_a_key_that_is_a_list_is_reported_and_left_out() -> None:
    value, _, problems = read_document("? [a]\n: b\nc: d\n", F)
    assert value == {"c": "d"}
    assert [problem.where for problem in problems] == [SourceLocation(F, 1, 3)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("- text: |-\n    一\n    　二\n\n  - id: b\ntext: c\n", SourceLocation(F, 5, 3)),
        ("text: |-\n    一\n{   二\n    三、\n    　四\n", SourceLocation(F, 3, 1)),
        ("text: |\n  移動：一\nb: [1\n", SourceLocation(F, 3, 4)),
    ],
)
def test_signs_within_a_text_are_not_blamed_for_what_is_wrong_elsewhere(
    text: str, place: SourceLocation
) -> None:
    found = fault(text)
    assert (found.where, found.sentence.key.startswith("full-width")) == (place, False)


def test_a_wide_space_that_indents_is_told() -> None:
    found = fault("a:\n  - x\n 　- y\n")
    assert (found.where, found.sentence.key) == (SourceLocation(F, 3, 2), "full-width-space")
