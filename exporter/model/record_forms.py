"""A document's values held against the shape they should have, and the faults in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from exporter.core.messages import (
    Sentence,
    asks,
    sentence,
)
from exporter.core.problems import (
    UNREADABLE,
    Problem,
    listed,
    nearest,
    problem_at,
    quoted,
)
from exporter.model import lookalikes
from exporter.model.document_places import (
    Document,
    Items,
    Reference,
    Spot,
    Table,
)
from exporter.model.forms import Findings, FormFault, fields_of

__all__ = ["MAX_FAULTS", "UNREADABLE", "described", "shaped"]

S = TypeVar("S", bound=Struct)

MAX_FAULTS = 100
"""Faults of one document that are told one by one."""


def shaped(
    shape: type[S], document: Document
) -> tuple[S | None, list[Problem], Sequence[Reference]]:
    """A document in its shape, all that is wrong with it, and what it refers to; nothing where
    too much is wrong."""
    findings = Findings(document)
    read: S = fields_of(shape).read(document.value, (), findings)
    faults = findings.faults
    problems = [problem_of(fault, document) for fault in faults[:MAX_FAULTS]]
    if len(faults) > MAX_FAULTS:
        count, most = len(faults), MAX_FAULTS
        beyond = problem_at(
            document.where, "SRC-VALUE", "faults-first-shown", count=count, max_faults=most
        )
        return None, [beyond, *problems], ()
    meant = {(*fault.path[:-1], fault.meant) for fault in faults if fault.meant}
    document.repaired = frozenset(meant | {fault.path for fault in faults})
    return read, problems, findings.references


def described(value: Any) -> Sentence | str:
    """What was found, short enough for a message."""
    if value is None:
        return sentence("found", "nothing")
    if isinstance(value, Mapping):
        words = listed(value, 4)
        return sentence("found", "keys", words=words) if value else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sentence("found", "list", count=len(value))
    return quoted(str(value))


def problem_of(fault: FormFault, document: Document) -> Problem:
    """What is wrong in a document, as people read it."""
    path, place = fault.path, Spot(document).place
    if fault.sort == "unknown":
        at = place(*path, key=True)
        if problem := lookalikes.in_key(str(path[-1]), at):
            return problem
        return problem_at(
            at,
            "SRC-KEY",
            "key-unknown",
            found=described(path[-1]),
            nearest=nearest(str(path[-1]), fault.words),
        )
    if fault.sort == "missing":
        at = place(*path[:-1])
        return problem_at(at, "SRC-KEY", "missing-key", name=path[-1], example=fault.example)
    names = [step for step in path if isinstance(step, str)]
    at = place(*path, key=fault.sort == "key")
    if problem := lookalikes.in_value(fault, at):
        return problem
    near = nearest(str(fault.found), fault.words) if fault.words else fault.example
    if isinstance(fault.found, Table | Items) and fault.allowed == asks("text"):
        near = sentence("example", "in-quotes")
    return problem_at(
        at,
        "SRC-VALUE",
        "value" if names else "whole-value",
        name=names[-1] if names else "",
        found=described(fault.found),
        allowed=fault.allowed,
        help=near,
    )
