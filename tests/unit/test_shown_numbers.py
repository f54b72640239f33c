"""Numbers are read as a spreadsheet shows them."""

from __future__ import annotations

import pytest

from exporter.source.shown_numbers import Seen, of_format, of_text


@pytest.mark.parametrize(
    ("value", "code", "read"),
    [
        (0.25, "0%", "25%"),
        (0.255, "0.0%", "25.5%"),
        (-0.1, "0%", "-10%"),
        (0.5, "# ?/?", "1/2"),
        (1.5, "# ?/?", "1 1/2"),
        (0.5, "# ?/8", "4/8"),
        (7, "000", "007"),
        (1, "+0;-0;0", "+1"),
        (-1, "+0;-0;0", "-1"),
        (2.5, "0", "3"),
        (2.3333333, "0.0", "2.3"),
        (2.5, "0.00", "2.5"),
        (1234, "#,##0", "1234"),
        (-5, "#,##0_);(#,##0)", "-5"),
        (2, "0;[Red]-0", "2"),
    ],
)
def test_what_a_format_shows_is_read(value: float, code: str, read: str) -> None:
    assert of_format(value, code) == Seen(read)


@pytest.mark.parametrize(
    ("value", "code", "whole"),
    [
        (3, '0"枚"', "3枚"),
        (3, '"x"0', "x3"),
        (5, 'General"pt"', "5pt"),
        (-3, '0"点"', "-3点"),
        (1200, "[$¥-411]#,##0", "¥1,200"),
        (12000, '0.0,"k"', "12.0k"),
        (0, "0;-0;;@", '""'),
    ],
)
def test_words_beside_a_number_are_left_out_and_told(value: float, code: str, whole: str) -> None:
    assert of_format(value, code) == Seen(f"{value}", whole)


@pytest.mark.parametrize("code", ["0.00E+00", "@", "0" * 40 + "." + "0" * 40, "%" * 200 + "0"])
def test_of_other_formats_the_number_is_read(code: str) -> None:
    assert of_format(1e14, code) is None


@pytest.mark.parametrize(
    ("value", "shown", "seen"),
    [
        (0.25, "25%", Seen("25%")),
        (0.255, "25,5 %", Seen("25.5%")),
        (1.5, "1 1/2", Seen("1 1/2")),
        (7, "007", Seen("007")),
        (1, "+1", Seen("+1")),
        (2.33333, "2,3", Seen("2.3")),
        (3, "3枚", Seen("3", "3枚")),
        (1200, "￥1,200", Seen("1200", "￥1,200")),
        (1234, "1.234", None),
        (1.234, "1.234", None),
        (1234567, "1,234,567", None),
        (1e20, "1E+20", None),
    ],
)
def test_what_an_ods_says_it_shows_is_read(value: float, shown: str, seen: Seen | None) -> None:
    assert of_text(value, shown) == seen
