"""What reads as if a spreadsheet had written it, or as no card: told, and read all the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from exporter.core.patterns import pattern
from exporter.core.problems import (
    Problem,
    Severity,
    SourceLocation,
    problem_at,
    quoted,
)
from exporter.loader.tables import Row
from exporter.model.fields import is_date
from exporter.model.spelling import (
    is_remark,
    is_sum,
)

_CUT_SHORT = pattern(r"-?[0-9](?:\.[0-9]+)?E[+-][0-9]{2,3}")
_OTHER_LISTS = pattern(r"[^/]*[;；、，,|｜][^/]*")
"""Words that are parted by something else than a list's ``/``."""


def lint(
    rows: Sequence[Row], sound: Collection[str], lists: Collection[str] = ()
) -> Iterator[Problem]:
    """What is doubtful in the rows of cards, of each sort once a column; the cells of ``sound``
    columns are judged by themselves, those of ``lists`` are words parted by ``/``."""
    seen: set[tuple[str, str]] = set()
    for row in rows:
        for name, cell in row.cells.items():
            if name in sound or not cell:
                continue
            if name in lists and _OTHER_LISTS.fullmatch(cell):
                key = "parted"
            elif _CUT_SHORT.fullmatch(cell):
                key = "cut-short"
            elif is_date(cell):
                key = "like-a-date"
            else:
                continue
            if (name, key) not in seen:
                seen.add((name, key))
                yield _notice(row.at(name), key, field=name, found=quoted(cell))
        if is_sum(row["name"]) or is_remark(row["name"], row.cells.values()):
            yield _notice(row.at("name"), "no-card", name=quoted(row["name"]))


def _notice(where: SourceLocation, key: str, **values: object) -> Problem:
    return problem_at(where, "SRC-CELL", key, severity=Severity.NOTICE, **values)
