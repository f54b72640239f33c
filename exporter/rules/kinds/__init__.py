"""The kinds of rules: what ``kind:`` in rules.yaml may say, each in a file of that name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from exporter.rules.kind import RuleKind

_FILES = (
    "frame",
    "slots",
    "empty_slots",
    "placement",
    "together",
    "exchange",
    "requires",
    "excludes",
    "wrong_kind",
    "only",
    "copies",
    "limits",
    "boxes",
    "budget",
    "pilots",
    "skills",
    "same_name",
    "figure",
    "printed_only",
    "expression",
    "deck_size",
    "sets",
    "deck_basics",
    "deck_loadout",
    "printed_copies",
    "stock",
    "board",
    "laid",
    "mechs",
    "players",
    "setup",
    "starts",
    "formula",
    "range",
    "damage_terms",
    "order",
    "line_of_sight",
)
"""In the order of the docs."""


def _kind_in(file: str) -> type[RuleKind[Any]]:
    """The one kind that a file defines."""
    module = import_module(f"{__name__}.{file}")
    (kind,) = (
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, RuleKind) and one.__module__ == module.__name__
    )
    return kind


KINDS: Final[Mapping[str, type[RuleKind[Any]]]] = {file: _kind_in(file) for file in _FILES}
