"""What was said after printing: errata as changes of printed values, and rulings."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from exporter.problems import Where


class Change(Struct, frozen=True, kw_only=True):
    """What an erratum changes: one field of a card, of a deck's entry, of a mech, list or page.

    ``places`` are those of ``field``, ``was`` and ``now``.
    """

    medium: str
    target: Mapping[str, str]
    field: str
    was: str
    now: str
    where: Where = Where()
    places: Mapping[str, Where] = msgspec.field(default_factory=dict)


class Erratum(Struct, frozen=True, kw_only=True):
    """A published correction, kept beside the printed value. ``date`` may be ``unknown``."""

    id: str
    edition: str
    medium: str
    changes: tuple[Change, ...]
    source: str
    date: str = "unknown"
    note: str = ""
    where: Where = Where()


class Ruling(Struct, frozen=True, kw_only=True):
    """A question answered by the publisher, in the project's own words."""

    id: str
    topic: str
    ruling: str
    cards: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    source: str = ""
    where: Where = Where()
