"""CSV rows know their places; what is wrong with a table is said once, in its cell."""

from __future__ import annotations

import pytest

from exporter.core.problems import InvalidSource, SourceLocation
from exporter.core.reading_limits import GAME, LimitExceeded, ReadingLimits
from exporter.loader.tables import Rows, rows_of, text_records

F = "a.csv"


def rows(text: str) -> Rows:
    records = text_records(text, F, ReadingLimits(GAME))
    return rows_of(records, F, ("id",), ("id", "name", "text"))


def said(text: str) -> list[tuple[int, int, str]]:
    return [(p.where.line, p.where.column, p.message) for p in rows(text).problems]


def test_each_cell_knows_its_line_and_its_column_in_characters() -> None:
    table = rows("id,name,text\n基01,移動,x\n")
    assert [table.rows[0].at(name) for name in ("id", "name", "text")] == [
        SourceLocation(F, 2, 1), SourceLocation(F, 2, 5), SourceLocation(F, 2, 8)
    ]  # fmt: skip
    assert table.rows[0].where == SourceLocation(F, 2)


def test_a_record_over_several_lines_remembers_its_first() -> None:
    table = rows('id,name,text\na,"b\nc",d\ne,f,g\n')
    first, second = table.rows
    assert (first["name"], first.where.line, first.at("text")) == (
        "b\nc",
        2,
        SourceLocation(F, 3, 4),
    )
    assert second.where.line == 4


def test_commas_and_doubled_quotation_marks_in_a_text_count_as_characters() -> None:
    table = rows('id,name,text\n"a,1","say ""x""",c\n')
    assert table.rows[0]["name"] == 'say "x"'
    assert table.rows[0].at("text") == SourceLocation(F, 2, 19)


def test_rows_after_a_short_one_are_read() -> None:
    table = rows("id,name,text\na,b\nc,d,e\n")
    assert [row["id"] for row in table.rows] == ["a", "c"]
    assert [row.sound for row in table.rows] == [False, True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id\n" + "\n" * 200_001, "more than 200,000 lines"),
        ("id\r" + "\r" * 200_001, "more than 200,000 lines"),
        ("id\n" + "," * 150_001, "more than 150,000 cells"),
    ],
)
def test_blank_lines_and_cells_without_end_are_counted_before_they_are_read(
    text: str, said: str
) -> None:
    with pytest.raises(LimitExceeded, match=said):
        rows(text)


def test_the_tables_of_a_game_share_a_budget() -> None:
    budget = ReadingLimits(GAME)
    for _ in range(2):
        rows_of(text_records("id\n" + "a\n" * 90_000, F, budget), F, ("id",), None)
    with pytest.raises(LimitExceeded):
        rows_of(text_records("id\n" + "a\n" * 90_000, F, budget), F, ("id",), None)


def test_a_cell_that_is_too_long_is_said_to_be() -> None:
    with pytest.raises(InvalidSource, match=r"a\.csv:2:1: .* has more than 131,072 characters"):
        rows("id\n" + "a" * 131_073)
