"""Numbers are read as a spreadsheet shows them."""

from __future__ import annotations

import pytest

from exporter.loader.number_formats import Seen, of_format, of_text, of_words


@pytest.mark.parametrize(
    ("value", "code", "read"),
    [
        (0.25, "0%", "25%"),
        (0.255, "0.0%", "25.5%"),
        (-0.1, "0%", "-10%"),
        (7, "000", "007"),
        (1, "+0;-0;0", "+1"),
        (-1, "+0;-0;0", "-1"),
        (2.5, "0", "3"),
        (2.3333333, "0.0", "2.3"),
        (2.5, "0.00", "2.5"),
        (1234, "#,##0", "1234"),
        (-5, "#,##0_);(#,##0)", "-5"),
        (2, "0;[Red]-0", "2"),
        (1500, "#,##0_ ;[Red]\\-#,##0\\ ", "1500"),
        (0.5, "0%;[Red]-0%", "50%"),
        (5, "[$-411]0", "5"),
    ],
)
def test_what_a_format_shows_is_read(value: float, code: str, read: str) -> None:
    assert of_format(value, code) == Seen(read)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (3, '0"枚"'),
        (3, '"x"0'),
        (3, '"a;b"0'),
        (5, 'General"pt"'),
        (-3, '0"点"'),
        (1200, "[$¥-411]#,##0"),
        (12000, '0.0,"k"'),
        (0, "0;-0;;@"),
        (-5, "0;0"),
        (0.5, "# ?/?"),
        (1, '[=1]"one";0'),
        (3, "[DBNum1]General"),
        (1234, "00-00"),
        (3, "0" * 40 + "." + "0" * 40),
        (3, "%" * 200 + "0"),
    ],
)
def test_of_a_format_that_shows_something_else_the_number_is_read_and_that_is_told(
    value: float, code: str
) -> None:
    assert of_format(value, code) == Seen(f"{value}", code)


@pytest.mark.parametrize("code", ["0.00E+00", "@", "General", '_ * #,##0_ ;_ * -#,##0_ ;_ * "-"_ '])
def test_of_formats_that_show_the_number_it_is_read(code: str) -> None:
    for value in (1e14, 0.0):
        assert of_format(value, code) in (None, Seen(f"{value:.15g}"))


@pytest.mark.parametrize(
    ("code", "is_told"),
    [("0", False), ("0;-0;;@", False), (";;;", True), ('@"枚"', True), ('"No."@', True)],
)
def test_a_format_that_hides_or_adds_to_a_text_is_told(code: str, is_told: bool) -> None:
    assert of_words("三", code) == (Seen("三", code) if is_told else None)


@pytest.mark.parametrize(
    ("value", "shown", "seen"),
    [
        (0.25, "25%", Seen("25%")),
        (0.255, "25,5 %", Seen("25.5%")),
        (1.5, "1 1/2", Seen("1.5", "1 1/2")),
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
