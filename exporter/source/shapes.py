"""A document's values held against the shape they should have, and the faults in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from exporter.problems import UNREADABLE, Problem, Where, listed, nearest, quoted, told
from exporter.schema.annotations import fields_of
from exporter.schema.findings import Findings, FormFault
from exporter.schema.places import Document, Reference, Spot, place
from exporter.source import signs
from exporter.words import Sentence, sentence

__all__ = ["MAX_FAULTS", "UNREADABLE", "Shaped", "described", "shaped"]

S = TypeVar("S", bound=Struct)

MAX_FAULTS = 100
"""Faults of one document that are told one by one."""


class Shaped(Struct, Generic[S], frozen=True):
    """A document in its shape, with the value it was made of, which still knows all places."""

    shape: S
    spot: Spot
    references: Sequence[Reference] = ()

    @property
    def value(self) -> Any:
        """The value as it is spelled."""
        return self.spot.document.value

    @property
    def where(self) -> Where:
        """Where it stands."""
        return self.spot.place()

    def at(self, *path: int | str, key: bool = False) -> Where:
        """Where the value at ``path`` stands, or its key."""
        return self.spot.place(*path, key=key)

    def is_sound(self, *path: int | str) -> bool:
        """Whether nothing at, above or below ``path`` had to be repaired."""
        return self.spot.is_sound(*path)


def shaped(
    shape: type[S], value: Any, where: Where, key: str = ""
) -> tuple[Shaped[S] | None, list[Problem]]:
    """``value`` in its shape and all that is wrong with it; nothing where that is too much."""
    document = Document(where, value, key)
    findings = Findings(document)
    read = fields_of(shape).read(value, (), findings)
    faults = findings.faults
    problems = [problem_of(fault, value, where) for fault in faults[:MAX_FAULTS]]
    if len(faults) > MAX_FAULTS:
        problems.insert(
            0,
            told(
                where, "SRC-VALUE", "faults-first-shown", count=len(faults), max_faults=MAX_FAULTS
            ),
        )
        return None, problems
    meant = {(*fault.path[:-1], fault.meant) for fault in faults if fault.meant}
    document.repaired = frozenset(meant | {fault.path for fault in faults})
    return Shaped(read, Spot(document), findings.references), problems


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


def problem_of(fault: FormFault, value: Any, where: Where) -> Problem:
    path = fault.path
    if fault.sort == "unknown":
        at = place(value, path, where, key=True)
        if problem := signs.in_key(str(path[-1]), at):
            return problem
        return told(
            at,
            "SRC-KEY",
            "key-unknown",
            found=described(path[-1]),
            nearest=nearest(str(path[-1]), fault.words),
        )
    if fault.sort == "missing":
        at = place(value, path[:-1], where)
        return told(at, "SRC-KEY", "missing-key", name=path[-1], example=fault.example)
    names = [step for step in path if isinstance(step, str)]
    at = place(value, path, where, key=fault.sort == "key")
    if problem := signs.in_value(fault, at):
        return problem
    near = nearest(str(fault.found), fault.words) if fault.words else fault.example
    return told(
        at,
        "SRC-VALUE",
        "value" if names else "whole-value",
        name=names[-1] if names else "",
        found=described(fault.found),
        allowed=fault.allowed,
        help=near,
    )
