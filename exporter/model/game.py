"""The whole of a game folder."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cached_property
from typing import Annotated, Any

from msgspec import Struct, field

from exporter.model.amendments import Erratum, Ruling
from exporter.model.boards import Board
from exporter.model.cards import Card, DeckCard, DeckEntry, Edition, Kind, Source
from exporter.model.mechs import Figure, Frame, Mech, Variant
from exporter.model.rooms import Layout, Note, RoomPlan
from exporter.model.styles import FaceStyle
from exporter.problems import Where
from exporter.schema.shape import Day, Doc, Name, Record, Word


class Version(Record, frozen=True, kw_only=True):
    """Which data these are."""

    number: Annotated[Word, Doc("of the data, in any form", "1")]
    day: Annotated[Day, Doc("of their last change; chat messages have it")]


class Game(Struct, frozen=True, kw_only=True, dict=True):
    """A whole game folder. Mappings keep the order of the files.

    ``frame_names`` leads from a key or figure of a frame to its name in expressions;
    ``frame_options`` holds what a build chooses beside its frame, such as the number of seats.
    """

    id: str
    name: Name
    players: tuple[int, int]
    version: Version | None = None
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

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """What was worked out of this game and is asked for often: it never changes."""
        return {}

    def card(self, name: str) -> Card | None:
        """The card with this id or, failing that, with this name."""
        return self.cards.get(name) or self.cards_by_name.get(name)

    def deck_cards(self, deck: str) -> tuple[DeckCard, ...]:
        """The cards of a printed deck, in the order of its rows: the same values each time."""
        key = ("deck", deck)
        if key not in self.kept:
            found = ((row, self.card(row.card)) for row in self.decks if row.deck == deck)
            self.kept[key] = tuple(row.of(card) for row, card in found if card is not None)
        entries: tuple[DeckCard, ...] = self.kept[key]
        return entries

    @cached_property
    def cards_by_name(self) -> Mapping[str, Card]:
        """Cards by their names; of several alike, the first."""
        names: dict[str, Card] = {}
        for card in self.cards.values():
            names.setdefault(card.name, card)
        return names

    def errata_of(self, card: Card, deck: str = "") -> tuple[Erratum, ...]:
        """The errata that bear on a card itself, or on its entry in one deck."""
        names = (card.id, card.name)
        return tuple(
            erratum
            for erratum in self.errata
            if any(
                change.card in names and (change.deck or deck) == deck for change in erratum.changes
            )
        )

    def rulings_of(self, card: Card) -> tuple[Ruling, ...]:
        """The rulings that bear on a card."""
        names = (card.id, card.name)
        return tuple(ruling for ruling in self.rulings if any(n in ruling.cards for n in names))
