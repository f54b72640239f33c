"""What was said after printing: errata as changes of printed values, and rulings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from exporter.problems import Where


@dataclass(frozen=True, kw_only=True)
class Change:
    """What an erratum changes: one field of a card, of a deck's entry, of a mech, list or page.

    ``places`` are those of ``field``, ``was`` and ``now``.
    """

    medium: str
    target: Mapping[str, str]
    field: str
    was: str
    now: str
    where: Where = Where()
    places: Mapping[str, Where] = dataclasses.field(default_factory=dict, compare=False)


@dataclass(frozen=True, kw_only=True)
class Erratum:
    """A published correction, kept beside the printed value. ``date`` may be ``unknown``."""

    id: str
    edition: str
    medium: str
    changes: tuple[Change, ...]
    source: str
    date: str = "unknown"
    note: str = ""
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Ruling:
    """A question answered by the publisher, in the project's own words."""

    id: str
    topic: str
    ruling: str
    cards: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    source: str = ""
    where: Where = Where()
