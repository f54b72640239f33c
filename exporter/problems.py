"""How anything says what is wrong, where, and how to mend it.

Readers, rules, faces and the zip checker all *yield* problems; nobody prints or logs.
``InvalidSource`` is the only exception that crosses a module's door, and it carries them all.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from msgspec import Struct


def shown(text: str) -> str:
    """A text as one line that steers no terminal: what has no shape of its own is an escape."""
    if text.isprintable():
        return text
    wide = "\u3000\xa0"
    return "".join(c if c.isprintable() or c in wide else ascii(c)[1:-1] for c in text)


def quoted(text: str, most: int = 60) -> str:
    """What somebody wrote, in quotes and short enough for a message."""
    return repr(text if len(text) <= most else text[: most - 1] + "…")


class Where(Struct, frozen=True, order=True, gc=False):
    """A place in a source file. Lines and columns count from 1; 0 means unknown.

    In a spreadsheet they are row and column of the ``cell``, which is named ``Sheet1!C12``.
    """

    file: str = ""
    line: int = 0
    column: int = 0
    cell: str = ""

    def __str__(self) -> str:
        if self.cell:
            return shown(f"{self.file}:{self.cell}")
        parts = [self.file] + [str(number) for number in (self.line, self.column) if number]
        return shown(":".join(parts))


UNREADABLE = "0-unreadable"
"""Stands for a text that could not be read; nobody is blamed for naming it."""

COMMAND_LINE = Where("command line")
"""The place of a wish that nobody can fulfil."""


class Severity(StrEnum):
    """How much a problem weighs: only an error stops the work."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


class Problem(Struct, frozen=True, order=True):
    """One fault: what was found and what is allowed (``message``), and what to do (``hint``).

    ``rule`` is the permanent id of the rule or check that spoke; ``cites`` are keys of
    ``sources.yaml``; ``values`` are what the message and the hint were filled with, by name;
    ``times`` is how many faults it stands for.
    """

    where: Where
    rule: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR
    cites: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    times: int = 1

    def __str__(self) -> str:
        text = f"{self.where}: " if self.where.file else ""
        text += f"{self.severity} {self.rule} {self.message}"
        if self.hint:
            text += self.hint if text.endswith("。") else f" {self.hint}"
        if self.cites:
            text += f" [{', '.join(self.cites)}]"
        return shown(text)


def told(
    where: Where,
    rule: str,
    sentence: str,
    hint: str = "",
    severity: Severity = Severity.ERROR,
    **values: object,
) -> Problem:
    """A problem whose ``sentence`` and ``hint`` have named blanks, ``{found}``, for ``values``."""
    words = {name: str(value) for name, value in values.items()}
    message, remedy = sentence.format_map(words), hint.format_map(words)
    return Problem(where, rule, message, remedy, severity, values=tuple(words.items()))


class InvalidSource(Exception):
    """The data cannot be used. ``problems`` holds every independent fault, sorted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Faults:
    """Gathers problems of steps that do not depend on each other, to raise them all at once."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """What a step inside raises is kept, and the step left; the next steps still run."""
        try:
            yield
        except InvalidSource as error:
            self.problems += error.problems

    def stop_if_any(self) -> None:
        """Raise ``InvalidSource`` with everything gathered, if there is anything."""
        if self.problems:
            raise InvalidSource(self.problems)


def errors(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems that stop the work, without warnings and notices."""
    return tuple(problem for problem in problems if problem.severity is Severity.ERROR)


def counts(problems: Iterable[Problem]) -> dict[str, int]:
    """How many faults there are of each severity."""
    found = {str(severity): 0 for severity in Severity}
    for problem in problems:
        found[str(problem.severity)] += problem.times
    return found


def problem_values(problem: Problem) -> dict[str, Any]:
    """A problem as the JSON reports have it; lines and columns count from 1."""
    where = problem.where
    return {
        "severity": str(problem.severity),
        "rule": problem.rule,
        "file": where.file,
        "line": where.line or None,
        "column": where.column or None,
        **({"cell": where.cell} if where.cell else {}),
        "message": problem.message,
        "hint": problem.hint,
        "cites": list(problem.cites),
        "values": dict(problem.values),
        **({"times": problem.times} if problem.times > 1 else {}),
    }


MOST_COMPARED = 500_000
"""Letters that are held against letters to find the nearest word: a tenth of a second."""


def nearest(word: str, allowed: Iterable[str]) -> str:
    """A hint that names the most similar allowed word, or lists them when none is near.

    Where there are very many words, none is looked for.
    """
    words = sorted(allowed)
    comparable = len(word) * sum(map(len, words)) <= MOST_COMPARED
    close = difflib.get_close_matches(word, words, n=1, cutoff=0.5) if comparable else ()
    if close:
        return f"Did you mean {close[0]!r}?"
    shown = ", ".join(words[:12]) + (" …" if len(words) > 12 else "")
    return f"Allowed: {shown}." if words else ""


_AMBIGUOUS = re.compile(r"[][{},#:&*!|>'\"%@`?]|^\s|\s$|^-\s|^(true|false|[0-9.+-]*)$")
"""Texts that YAML would read as something else without quotation marks."""


def as_written(value: object, *, quoted: bool = False) -> str:
    """A value as people write it in a line of YAML; with ``quoted`` every text is in quotes."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case str() if quoted or _AMBIGUOUS.search(value):
            return "'" + value.replace("'", "''") + "'"
        case Mapping():
            inner = (f"{as_written(key)}: {as_written(one)}" for key, one in value.items())
            return f"{{{', '.join(inner)}}}"
        case list() | tuple():
            return f"[{', '.join(map(as_written, value))}]"
    return str(value)
