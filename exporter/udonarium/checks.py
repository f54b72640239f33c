"""Everything that can be wrong with a room zip: what it is, what people would see, how to mend it.

The tables are the documentation; ``verify`` and its neighbours find, and never word a check twice.
Error: the client breaks, drops or hides something. Warning: hardly wanted. Notice: good to know.
Facts: ``docs/udonarium-format.md``.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from exporter.problems import Problem, Where, told
from exporter.udonarium import checks_files, checks_objects
from exporter.udonarium.check import Check
from exporter.udonarium.format import BY_TYPE

CHECKS: dict[str, Check] = {**checks_files.CHECKS, **checks_objects.CHECKS}
"""Id → check, in the order of the format's description. Ids are permanent."""


def found(check: str, where: Where, sentence: str, **values: object) -> Problem:
    """The problem that ``sentence`` tells, with effect and remedy from the table.

    With ``values`` it has blanks for them, such as ``{name!r}``.
    """
    row = CHECKS[check]
    if not values:
        return Problem(where, check, f"{sentence} {row.effect}", row.remedy, row.severity)
    problem = told(where, check, sentence, "", row.severity, **values)
    return replace(problem, message=f"{problem.message} {row.effect}", hint=row.remedy)


def named(value: Any) -> str:
    """How a message calls an object of a room; empty for what has no name."""
    element = BY_TYPE.get(type(value))
    if element is None or element.tag in ("data", "room"):
        return ""
    name = getattr(value, "name", "")
    return f"{element.tag} {name!r}" if name else element.tag
