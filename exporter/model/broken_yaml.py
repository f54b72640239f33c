"""What is wrong in a file that is no YAML, said as somebody who wrote it can use."""

from __future__ import annotations

import re

import yaml

from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model import lookalikes

_UNFINISHED = {
    "could not find expected ':'": "no-colon",
    "unexpected end of stream": "open-quotation",
    "expected ',' or": "open-bracket",
}
"""What PyYAML says of a thing that is not finished; it is told where the thing begins."""

_CLOSE_COLON = re.compile(r"\s*(?:- +)*[\w.-]+:(?=[^\s/][^:]*$)")
"""A key without a space after its colon."""


def broken(error: yaml.YAMLError, text: str, file: str) -> Problem:
    """The fault at which reading stopped, where it stands."""
    at, said = _stop(error, text)
    begin = _begin(error) or at
    lines = text.split("\n")
    if problem := lookalikes.in_lines(lines, begin[0], at[0], file):
        return problem
    shown = lines[at[0] - 1] if 0 < at[0] <= len(lines) else ""
    last = text.rstrip().split("\n")
    if "\t" in shown[: max(at[1], 1)]:
        at, key = (at[0], shown.index("\t") + 1), "tab"
    elif "mapping values are not allowed" in said:
        at, key = _close_colon(lines, at[0] - 1) or (at, "second-colon")
    else:
        key = next((_UNFINISHED[part] for part in _UNFINISHED if part in said), "unreadable")
        if problem := lookalikes.before_text(lines, at[0], file, is_open=key != "unreadable"):
            return problem
        at = at if key == "unreadable" else begin
        if key == "no-colon":
            at, key = _close_colon(lines, at[0]) or (at, key)
    if at[0] > len(last):
        at, key = (len(last), len(last[-1]) + 1), "ends-early"
    return problem_at(SourceLocation(file, *at), "SRC-YAML", key, said=said)


def _close_colon(lines: list[str], line: int) -> tuple[tuple[int, int], str] | None:
    # The parser also counts lines that end as no others do.
    found = _CLOSE_COLON.match(lines[line - 1]) if 0 < line <= len(lines) else None
    return found and ((line, found.end()), "close-colon")


def _stop(error: yaml.YAMLError, text: str) -> tuple[tuple[int, int], str]:
    """The line and column where reading stopped, and what PyYAML says."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        at = (0, 0) if mark is None else (mark.line + 1, mark.column + 1)
        return at, error.problem or error.context or str(error)
    if isinstance(error, yaml.reader.ReaderError):
        before = text[: error.position if isinstance(error.position, int) else 0]
        return (before.count("\n") + 1, len(before) - before.rfind("\n")), f"{error.reason}"
    return (0, 0), str(error)


def _begin(error: yaml.YAMLError) -> tuple[int, int] | None:
    """Where the thing begins that is never finished."""
    mark = error.context_mark if isinstance(error, yaml.MarkedYAMLError) else None
    return (mark.line + 1, mark.column + 1) if mark is not None else None
