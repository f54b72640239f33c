"""Numbers are read as a spreadsheet shows them; where it shows more, that is told."""

from __future__ import annotations

import pytest

from exporter.loader.spreadsheets import shown_by_format, shown_in_ods


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
        (1500, "#,##0_ ;[Red]\\-#,##0\\ ", "1500"),
        (5, "[$-411]0", "5"),
        (0, '_ * #,##0_ ;_ * -#,##0_ ;_ * "-"_ ', "0"),
        (1e14, "0.00E+00", "100000000000000"),
    ],
)
def test_what_a_format_shows_is_read(value: float, code: str, read: str) -> None:
    assert shown_by_format(value, code) == (read, "")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (3, '0"枚"'),
        (5, 'General"pt"'),
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
def test_of_any_other_format_the_number_is_read_and_that_is_told(value: float, code: str) -> None:
    assert shown_by_format(value, code) == (f"{value}", code)


@pytest.mark.parametrize(
    ("value", "shown", "read", "told"),
    [
        (0.25, "25%", "25%", ""),
        (0.255, "25,5 %", "25.5%", ""),
        (1.5, "1 1/2", "1.5", "1 1/2"),
        (7, "007", "007", ""),
        (1, "+1", "+1", ""),
        (2.33333, "2,3", "2.3", ""),
        (3, "3枚", "3", "3枚"),
        (1200, "￥1,200", "1200", "￥1,200"),
        (1234, "1.234", "1234", ""),
        (1.234, "1.234", "1.234", ""),
        (1234567, "1,234,567", "1234567", ""),
        (1e20, "1E+20", "1e+20", ""),
    ],
)
def test_what_an_ods_says_it_shows_is_read(value: float, shown: str, read: str, told: str) -> None:
    assert shown_in_ods(value, shown) == (read, told)
