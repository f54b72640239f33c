"""What reads as if a spreadsheet had written it, or as no card: told, and read all the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from exporter.model.fields import is_date
from exporter.patterns import pattern
from exporter.problems import Problem, Severity, Where, quoted, told
from exporter.schema.spelling import is_remark, is_sum
from exporter.source.tables import Row

_DOUBTFUL = pattern(
    r"[0-9-]{1,4}[-/.年月E ].{0,20}|[A-Za-z]{3,9}[-/ ][0-9]{1,4}|['“„L読].*"
    r"|〃|″|々|同上|(?i:nan|null|undefined)|\[object Object\]"
    r"|.*(?:&#?[a-z0-9]{2,6};|<[Bb][Rr]|_x000).*",
    re.DOTALL,
)
"""What any of these may be, looked for in all cells."""

_SORTS = (
    ("cut-short", pattern(r"-?[0-9](?:\.[0-9]+)?E[+-][0-9]{2,3}")),
    ("apostrophe", pattern(r"'(?:[0-9=+@-].*|.*')")),
    ("open-quote", pattern(r"[“„][^”“]*")),
    ("ditto", pattern(r"〃|″|々|同上")),
    ("nothing", pattern(r"(?i:nan|null|undefined)|\[object Object\]")),
    ("left-over", pattern(r".*(?:&#?[a-z0-9]{2,6};|<[Bb][Rr]\s*/?>|_x000[0-9A-F]_).*", re.DOTALL)),
    ("loading", pattern(r"Loading\.\.\.|読み込んでいます(?:\.\.\.|…)")),
)


_OTHER_LISTS = pattern(r"[^/]*[;；、，,|｜][^/]*")
"""Words that are parted by something else than a list's ``/``."""


def doubts(
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
            elif _DOUBTFUL.fullmatch(cell) is None:
                continue
            else:
                key = "like-a-date" if is_date(cell) else _sort(cell)
            if key and (name, key) not in seen:
                seen.add((name, key))
                yield _notice(row.at(name), key, field=name, found=quoted(cell))
        if is_sum(row["name"]) or is_remark(row["name"], row.cells.values()):
            yield _notice(row.at("name"), "no-card", name=quoted(row["name"]))


def _sort(cell: str) -> str:
    return next((key for key, form in _SORTS if form.fullmatch(cell)), "")


def _notice(where: Where, key: str, **values: object) -> Problem:
    return told(where, "SRC-CELL", key, severity=Severity.NOTICE, **values)
