"""A game in its own words: what a folder of data says, once it has been read and found sound.

Frozen values without behaviour of their own beyond looking things up. Each remembers the place
it was read from, so that whatever is later found wrong can be shown there. The words are those of
``docs/vocabulary.md``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from exporter.problems import Where

Value: TypeAlias = str | int | bool | tuple[str, ...]
"""What a field of a card holds: a text, a whole number, a yes or no, or a list of words."""

FieldType: TypeAlias = Literal["text", "number", "flag", "list"]


@dataclass(frozen=True)
class Name:
    """A name for people, in Japanese and, where there is one, in English."""

    ja: str
    en: str = ""

    def __str__(self) -> str:
        return self.ja

    def in_language(self, language: str) -> str:
        """The name in ``ja`` or ``en``; Japanese where no English one was given."""
        return self.en if language == "en" and self.en else self.ja


@dataclass(frozen=True, kw_only=True)
class Source:
    """An entry of the bibliography; rules, figures and errata cite its key."""

    key: str
    title: str
    kind: str = ""
    edition: str = ""
    date: str = ""
    address: str = ""
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class FaceStyle:
    """How one sort of face looks: its template and its size in millimetres.

    ``scale`` is pixels of the screen picture to a millimetre. ``values`` go to the template as they
    are; of what a mech has to show it gets what ``takes`` names, or all.
    """

    id: str
    template: str
    size: tuple[float, float]
    scale: float
    values: Mapping[str, Any] = field(default_factory=dict)
    takes: tuple[str, ...] = ()
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of card: the fields its rows have, and its two faces.

    ``front`` and ``back`` name face styles (empty: the kind is never laid on a table), the
    ``…_fields`` what each of them shows, and ``listed_fields`` what a mech sheet shows of it. ``size`` is the width in units on the table; ``detail``
    lists label → field for the sheet that the client shows beside a card. ``deck_copies`` names
    the field that holds, as an expression over figures, how many copies every built deck gets.
    """

    id: str
    name: Name
    file: str
    fields: Mapping[str, FieldType]
    front: str = ""
    front_fields: tuple[str, ...] = ()
    back: str = ""
    back_fields: tuple[str, ...] = ()
    listed_fields: tuple[str, ...] = ()
    size: float = 2
    detail: Mapping[str, str] = field(default_factory=dict)
    deck_copies: str = ""
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Card:
    """One row: what every copy of a card shares. ``fields`` hold the *printed* values."""

    id: str
    kind: str
    name: str
    fields: Mapping[str, Value]
    where: Where
    cells: Mapping[str, Where] = field(default_factory=dict, compare=False)

    def get(self, name: str) -> Value:
        """The value of a field, or an empty text where the kind has no such field."""
        if name in ("id", "name", "kind"):
            return str(getattr(self, name))
        return self.fields.get(name, "")

    def text(self, name: str) -> str:
        """A field as people read it: lists joined by ``/``, flags as ``1`` or nothing."""
        value = self.get(name)
        if isinstance(value, tuple):
            return "/".join(value)
        if isinstance(value, bool):
            return "1" if value else ""
        return str(value)

    def at(self, name: str) -> Where:
        """The cell that a problem with field ``name`` is to be shown at."""
        return self.cells.get(name, self.where)


@dataclass(frozen=True, kw_only=True)
class Edition:
    """A box: a set of cards that is owned or not; ``requires`` names the boxes it needs."""

    id: str
    name: Name
    requires: tuple[str, ...] = ()
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Variant:
    """One of a mech's alternative loadouts, and the mark its cards carry."""

    id: str
    name: Name
    mark: str
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A chassis: its key (armour, size …), its figures and its slots by part."""

    key: Mapping[str, str]
    figures: Mapping[str, int]
    slots: Mapping[str, int]
    where: Where


@dataclass(frozen=True, kw_only=True)
class Term:
    """One summand of a figure: a label, an expression over named values, its sources.

    With ``each``, a kind of card: one summand for each different card of the build, ``value`` over
    its fields and ``copies``, labelled with its name.
    """

    label: str
    value: str
    each: str = ""
    cites: tuple[str, ...] = ()
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Figure:
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


@dataclass(frozen=True, kw_only=True)
class Pilot:
    """Who sits in a seat, and the ids or names of their skills."""

    name: str
    skills: tuple[str, ...] = ()
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Build:
    """A finished construction: a frame, and card ids or names by part, in slot order."""

    name: str
    frame: Mapping[str, str]
    mounted: Mapping[str, tuple[str, ...]]
    pilots: tuple[Pilot, ...] = ()
    certainty: str = "stated"
    where: Where = Where()
    places: Mapping[str, Where] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, kw_only=True)
class Mech:
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


@dataclass(frozen=True, kw_only=True)
class DeckEntry:
    """A row of a printed deck: so many copies of a card, with the mark on their corner."""

    deck: str
    card: str
    mark: str
    copies: int
    note: str = ""
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class DeckCard:
    """One or more equal cards of somebody's deck, with what is printed in their corner."""

    card: Card
    copies: int
    deck: str = ""
    mark: str = ""


@dataclass(frozen=True, kw_only=True)
class Loadout:
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


@dataclass(frozen=True, kw_only=True)
class Cell:
    """A square of a board; ``terrain`` of ``none`` is a hole."""

    column: int
    row: int
    terrain: str
    elevation: int = 0


@dataclass(frozen=True, kw_only=True)
class Board:
    """A map board or a joint part. ``cells`` hold what exists; columns and rows count from 0.

    ``starts`` are the start squares by side, ``notches`` the squares missing at ``left`` and
    ``right`` which a joint may fill. ``square_mm`` is the true size of a square on paper.
    """

    id: str
    name: Name
    columns: int
    rows: int
    cells: tuple[Cell, ...]
    starts: Mapping[str, tuple[tuple[int, int], ...]]
    notches: Mapping[str, tuple[tuple[int, int], ...]]
    joint: bool = False
    square_mm: float = 30
    certainty: str = "stated"
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Note:
    """A page of text for the table, such as a part of the quick start."""

    id: str
    title: str
    text: str
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which cards: of the seat's own deck, by kind and field values, or one by one.

    ``copies`` is a number, or the name of the field that holds it. ``used_by`` names a field that
    lists other cards: only cards are laid that one of the room's own cards has need of.
    """

    deck: bool = False
    kind: str = ""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    copies: str = "1"
    used_by: str = ""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One thing that a layout lays; positions and sizes in units from the layout's corner.

    ``lay`` says what: ``mat`` ``stack`` ``stacks`` ``cards`` ``sheet`` ``pawn`` ``piece`` ``note``
    ``notes`` ``rulings``. The other fields hold what that needs (``docs/data.md``).
    """

    lay: str
    at: tuple[float, float] | str
    name: str = ""
    size: tuple[float, float] | None = None
    face: str = ""
    back: str = ""
    face_down: bool = False
    cards: Selection | None = None
    by: tuple[str, ...] = ()
    step: tuple[float, float] = (0, 0)
    per_row: int = 0
    sliders: Mapping[str, str] = field(default_factory=dict)
    shows: Mapping[str, str] = field(default_factory=dict)
    palette: str = ""
    card_lines: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    title: str = ""
    text: str = ""
    fontsize: float = 5
    rotate: float = 0
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Things that lie together, on an area of ``size`` units; seats and supplies are layouts."""

    id: str
    size: tuple[float, float]
    items: tuple[Item, ...]
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A player's place: the layout laid there, and the mech that sits in it by default."""

    id: str
    name: str
    layout: str
    team: str = ""
    mech: str = ""
    variant: str = ""
    start: tuple[str, int] | None = None
    number: int = 0
    rotate: float = 0
    where: Where = Where()
    places: Mapping[str, Where] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, kw_only=True)
class Tab:
    """A chat tab with its opening messages."""

    name: str
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RoomPlan:
    """What a room holds. ``arrange`` puts seats, layouts and ``board`` at the sides of the centre.

    Blocks at ``left`` and ``right`` stand under one another, those at ``top``, ``centre`` and
    ``bottom`` side by side, ``gap`` units apart; the table is as large as they need.
    """

    id: str
    name: Name
    players: tuple[int, int]
    seats: tuple[Seat, ...]
    boards: tuple[str, ...]
    arrange: Mapping[str, tuple[str, ...]]
    gap: float = 1
    square: float = 2
    level: float = 0.5
    table: str = ""
    chat: tuple[Tab, ...] = ()
    inventory: tuple[str, ...] = ()
    certainty: str = "stated"
    where: Where = Where()


@dataclass(frozen=True, kw_only=True)
class Game:
    """A whole game folder. Mappings keep the order of the files.

    ``frame_names`` leads from a key or figure of a frame to its name in expressions;
    ``frame_options`` holds what a build chooses beside its frame, such as the number of seats.
    """

    id: str
    name: Name
    players: tuple[int, int]
    notice: Name
    credits: tuple[str, ...]
    marks: Mapping[str, str]
    parts: tuple[str, ...]
    frame_names: Mapping[str, str]
    frame_options: Mapping[str, tuple[str, ...]]
    teams: Mapping[str, Name]
    sources: Mapping[str, Source]
    faces: Mapping[str, FaceStyle]
    kinds: Mapping[str, Kind]
    editions: Mapping[str, Edition]
    variants: Mapping[str, Variant]
    cards: Mapping[str, Card]
    frames: tuple[Frame, ...]
    figures: tuple[Figure, ...]
    mechs: Mapping[str, Mech]
    decks: tuple[DeckEntry, ...]
    boards: Mapping[str, Board]
    notes: Mapping[str, Note]
    layouts: Mapping[str, Layout]
    rooms: Mapping[str, RoomPlan]
    errata: tuple[Erratum, ...]
    rulings: tuple[Ruling, ...]
    pictures: Mapping[str, str] = field(default_factory=dict)
    where: Where = Where()

    def card(self, name: str) -> Card | None:
        """The card with this id or, failing that, with this name."""
        return self.cards.get(name) or self.cards_by_name.get(name)

    @property
    def cards_by_name(self) -> Mapping[str, Card]:
        """Cards by their names; of several alike, the first."""
        if "_by_name" not in self.__dict__:
            names: dict[str, Card] = {}
            for card in self.cards.values():
                names.setdefault(card.name, card)
            object.__setattr__(self, "_by_name", names)
        by_name: Mapping[str, Card] = self.__dict__["_by_name"]
        return by_name

    def errata_of(self, card: Card, deck: str = "") -> tuple[Erratum, ...]:
        """The errata that bear on a card itself, or on its entry in one deck."""
        names = (card.id, card.name)
        return tuple(
            erratum
            for erratum in self.errata
            if any(
                change.target.get("card") in names and change.target.get("deck", deck) == deck
                for change in erratum.changes
            )
        )

    def rulings_of(self, card: Card) -> tuple[Ruling, ...]:
        """The rulings that bear on a card."""
        names = (card.id, card.name)
        return tuple(ruling for ruling in self.rulings if any(n in ruling.cards for n in names))
