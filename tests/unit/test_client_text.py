"""Text and numbers as the client reads them (format section 3)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporter.udonarium.client_text import (
    decoded,
    decodes_by_chance,
    is_json,
    json_boolean,
    json_number,
    loose_number,
    number_text,
    twice_decodable,
)

ENTITY_LIKE = st.text("&;<>\"'ampltguos#x10 ", max_size=20) | st.lists(
    st.sampled_from(["&", "amp;", "lt;", "&lt;", "&amp;", "&apos;", "a"]), max_size=6
).map("".join)


@settings(deadline=None)
@given(ENTITY_LIKE)
def test_any_text_survives_being_decoded_twice(text: str) -> None:
    assert decoded(twice_decodable(text)) == text


@settings(deadline=None)
@given(ENTITY_LIKE)
def test_what_was_escaped_twice_is_never_taken_for_a_mistake(text: str) -> None:
    assert not decodes_by_chance(twice_decodable(text))


@pytest.mark.parametrize("text", ["A & B", "a<b>", "&nbsp;", "&#10;", "100% & more;"])
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert twice_decodable(text) == text


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53))
def test_numbers_survive_as_json_and_in_a_sheet(number: float) -> None:
    assert json_number(number_text(number)) == number
    assert loose_number(number_text(number)) == number


@pytest.mark.parametrize("text", ["", "True", "010", "+5", ".5", "5.", "NaN", "1e999", "１", "0x1"])
def test_what_stops_the_client_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        json_number(text)


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 0), (" ", 0), ("+5", 5), (".5", 0.5), ("5.", 5), ("010", 10), ("0x1f", 31), ("1e2", 100)],
)
def test_a_sheet_reads_numbers_as_javascript_does(text: str, number: float) -> None:
    assert loose_number(text) == number


@pytest.mark.parametrize("text", ["abc", "10px", "１", "NaN", "0x", "1e999"])
def test_what_is_no_number_in_a_sheet(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        loose_number(text)


def test_a_boolean_is_a_word_or_a_number() -> None:
    assert [json_boolean(text) for text in ("true", " false ", "1", "0")] == [
        True,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(("text", "fine"), [("null", True), ("[" * 9000, False), ("NaN", False)])
def test_json_as_the_client_takes_it(text: str, fine: bool) -> None:
    assert is_json(text) is fine
