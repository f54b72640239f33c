"""Which version of which regulation holds, by what somebody asks for and on a day."""

from __future__ import annotations

from collections.abc import Iterable

from exporter.core.problems import (
    COMMAND_LINE,
    SourceLocation,
    error_at,
    nearest,
)
from exporter.model import Name
from exporter.model.rule_records import Regulation
from exporter.rules.rulebook import Rulebook


def unreplaced(versions: Iterable[Regulation]) -> list[Regulation]:
    """The versions that no other one calls its predecessor; of sound ones there is one."""
    found = list(versions)
    replaced = {regulation.predecessor for regulation in found}
    return [one for one in found if one.version not in replaced]


def newest(versions: list[Regulation]) -> Regulation:
    """The version that no other one calls its predecessor."""
    return (unreplaced(versions) or versions)[-1]


def choose_regulation(
    book: Rulebook, wish: str, on: str = "", where: SourceLocation = COMMAND_LINE
) -> Regulation:
    """``name`` is the newest version, ``name@3`` one version, ``on`` the one in force that day.

    No name is the game's default; a game without regulations has one that sets nothing.

    Raises ``InvalidSource`` for unknown ones, and where an unknown date leaves the answer open.
    """
    if not wish:
        wish = next((one.id for one in book.regulations if one.default), "")
    if not wish and not book.regulations:
        return Regulation(id="", version="", title=Name(""), date="unknown")
    if not wish:
        listed = ", ".join(dict.fromkeys(one.id for one in book.regulations))
        raise error_at(where, "REGULATION", "none-games-regulations", listed=listed)
    name, _, version = wish.partition("@")
    versions = [one for one in book.regulations if one.id == name]
    if not versions:
        names = dict.fromkeys(one.id for one in book.regulations)
        raise error_at(
            where, "REGULATION", "no-regulation", name=name, nearest=nearest(name, names)
        )
    if version:
        for one in versions:
            if one.version == version:
                return one
        raise error_at(
            where,
            "REGULATION",
            "regulation-no-version",
            name=name,
            version=version,
            nearest=nearest(version, [one.version for one in versions]),
        )
    return _in_force(name, versions, on, where) if on else newest(versions)


def _in_force(name: str, versions: list[Regulation], on: str, where: SourceLocation) -> Regulation:
    """The version in force on a day. Raises ``InvalidSource``."""
    undated = [str(one) for one in versions if one.date == "unknown"]
    if undated:
        raise error_at(
            where,
            "REGULATION",
            "force-unknown-no",
            name=name,
            on=on,
            names=", ".join(undated),
            newest=newest(versions),
        )
    past = sorted((one for one in versions if one.date <= on), key=lambda one: one.date)
    if not past:
        first = min(versions, key=lambda one: one.date)
        raise error_at(
            where,
            "REGULATION",
            "no-version-force",
            name=name,
            on=on,
            first=first,
            date=first.date,
        )
    return past[-1]
