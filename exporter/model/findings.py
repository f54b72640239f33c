"""What comes to light while a document is read: what is wrong in it, and what it refers to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, field

from exporter.core.messages import (
    Sentence,
    asks,
)
from exporter.model.document_places import (
    NOWHERE,
    Document,
    Path,
    Reference,
    Spot,
)


class FormFault(Struct, kw_only=True):
    """Something wrong at ``path`` below the value that is read.

    A ``missing`` or ``unknown`` key is the last step of its path, a wrong ``key`` of a mapping too;
    ``words`` are those that may stand there, ``meant`` is the one that somebody will have meant.
    """

    path: Path
    sort: Literal["value", "key", "missing", "unknown"] = "value"
    found: Any = None
    allowed: Sentence = field(default_factory=lambda: asks("anything"))
    words: Sequence[str] = ()
    meant: str = ""
    example: Sentence | str = ""


class Findings(Struct):
    """What comes to light while a document is read: its faults, and what it refers to.

    With ``of_keys`` it is keys that refer.
    """

    document: Document = field(default_factory=lambda: NOWHERE)
    faults: list[FormFault] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    of_keys: bool = False

    def aside(self, *, of_keys: bool = False) -> Findings:
        """Findings in the same document that do not count yet."""
        return Findings(self.document, of_keys=of_keys)

    def refer(self, sort: str, name: str, path: Path) -> None:
        """Notes that something is named at ``path``."""
        where = Spot(self.document).place(*path, key=self.of_keys)
        self.references.append(Reference(sort, name, where))

    def add(self, others: Findings) -> None:
        """Lets the findings of a part count."""
        self.faults += others.faults
        self.references += others.references
