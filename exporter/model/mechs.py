"""Mechs: frames, figures, builds and what somebody plays with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from exporter.model.cards import DeckCard, Name
from exporter.problems import Where


class Variant(Struct, frozen=True, kw_only=True):
    """One of a mech's alternative loadouts, and the mark its cards carry."""

    id: str
    name: Name
    mark: str
    where: Where = Where()


class Frame(Struct, frozen=True, kw_only=True):
    """A chassis: its key (armour, size …), its figures and its slots by part."""

    key: Mapping[str, str]
    figures: Mapping[str, int]
    slots: Mapping[str, int]
    where: Where


class Term(Struct, frozen=True, kw_only=True):
    """One summand of a figure: a label, an expression over named values, its sources.

    With ``each``, a kind of card: one summand for each different card of the build, ``value`` over
    its fields and ``copies``, labelled with its name.
    """

    label: str
    value: str
    each: str = ""
    cites: tuple[str, ...] = ()
    where: Where = Where()


class Figure(Struct, frozen=True, kw_only=True):
    """A derived figure of a build as a list of terms; ``minimum`` bounds the sum from below.

    ``part`` is set where the figure is the number of slots of that part. ``unit`` is what it
    counts, for people.
    """

    id: str
    name: Name
    terms: tuple[Term, ...]
    unit: str = ""
    minimum: int | None = None
    part: str = ""
    where: Where = Where()


class Pilot(Struct, frozen=True, kw_only=True):
    """Who sits in a seat, and the ids or names of their skills."""

    name: str
    skills: tuple[str, ...] = ()
    where: Where = Where()


class Build(Struct, frozen=True, kw_only=True):
    """A finished construction: a frame, and card ids or names by part, in slot order."""

    name: str
    frame: Mapping[str, str]
    mounted: Mapping[str, tuple[str, ...]]
    pilots: tuple[Pilot, ...] = ()
    regulation: str = ""
    certainty: str = "stated"
    where: Where = Where()
    places: Mapping[str, Where] = field(default_factory=dict)


class Mech(Struct, frozen=True, kw_only=True):
    """A printed mech: its loadouts by variant, its printed figures.

    ``unknown`` names the fields that nobody published: such a mech makes no room, and says why;
    ``known`` holds what else is public of it, in whatever form.
    """

    code: str
    name: str
    frame: Mapping[str, str]
    loadouts: Mapping[str, Build]
    printed: Mapping[str, int]
    edition: str = ""
    silhouette: str = ""
    unknown: tuple[str, ...] = ()
    known: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    sources: tuple[str, ...] = ()
    where: Where = Where()


class Loadout(Struct, frozen=True, kw_only=True):
    """What somebody plays with, printed or built: figures, weapons by part, and the deck.

    ``code`` is empty for a build of a player's own. ``figures`` hold whole numbers by figure id;
    ``slots`` the number of slots by part.
    """

    name: str
    code: str
    variant: Variant | None
    build: Build
    figures: Mapping[str, int]
    slots: Mapping[str, int]
    deck: tuple[DeckCard, ...]
    silhouette: str = ""
