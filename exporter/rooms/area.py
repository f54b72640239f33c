"""Where a layout is laid, for whom, and which cards its items ask for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    error_at,
    nearest,
    problem_at,
)
from exporter.faces.card_faces import OwnPicture
from exporter.faces.data_version import data_line
from exporter.faces.face_texts import (
    SHUFFLED,
    UNSHUFFLED,
    fill,
    plain,
)
from exporter.model import (
    OWN_DECK,
    Card,
    DeckCard,
    Game,
    Item,
    Layout,
    Loadout,
    Pilot,
    Seat,
    Selection,
)
from exporter.model.fields import whole_number
from exporter.model.tabletop import (
    UNIT,
)
from exporter.rooms.ground import Ground

OWN_BUILD = "自作の構成"
"""What a build of a player's own is called where printed ones name their regulation."""

MOST_CARDS = 1000
"""Cards that one item may lay: more than any box holds, and few enough for a browser."""


class Seating(Struct, frozen=True):
    """A seat with what sits in it; ``other`` is the back of its sheet, ``picture`` its pawn's."""

    seat: Seat
    loadout: Loadout | None = None
    other: Loadout | None = None
    picture: OwnPicture | None = None


class Start(NamedTuple):
    """A start square: corner and height in pixels, the direction it faces, its side in units."""

    x: float
    y: float
    z: float
    rotate: float
    side: float


class Area(Struct, frozen=True, dict=True):
    """Where a layout is being laid, for whom, and with which cards.

    ``corner`` in units, as if nothing was turned by ``degrees`` around the middle of ``size``;
    ``start`` is the square of the seat's pawn, ``words`` those of the plan.
    ``used`` collects every card that was laid, ``grounds`` the boards of the whole room by owner.
    """

    game: Game
    corner: tuple[float, float]
    editions: frozenset[str]
    size: tuple[float, float] = (0, 0)
    degrees: float = 0
    seating: Seating | None = None
    start: Start | None = None
    shuffle: str = ""
    layout: Layout | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    grounds: dict[tuple[str, str], Ground] = field(default_factory=dict)
    used: dict[tuple[str, str], DeckCard] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What ``${…}`` may stand for here."""
        values = {
            "data": data_line(self.game),
            **shuffle_words(self.shuffle),
            **self.words,
            "game": self.game.name.ja,
        }
        seat, loadout = self.seat, self.loadout
        if seat is None:
            return values
        team = self.game.teams.get(seat.team)
        values |= {
            "seat": seat.name,
            "team_id": seat.team,
            "team": team.ja if team else "",
            "number": str(seat.number),
        }
        if loadout is not None and not loadout.code:
            named = loadout.build.regulation
            values["regulation"] = f"{named}（{OWN_BUILD}）" if named else OWN_BUILD
        if loadout is not None:
            variant = loadout.variant.name.ja if loadout.variant else ""
            name = plain(loadout.name, self.game.marks)
            values |= {"mech": name, "code": loadout.code, "variant": variant}
            values |= {name: str(value) for name, value in loadout.figures.items()}
        return values | {name: fill(text, values, seat.where) for name, text in seat.values.items()}

    def needs(self, card: Card, field_name: str) -> bool:
        """Whether a card that was laid is among those that ``field_name`` of ``card`` lists."""
        value = card.get(field_name)
        users = value if isinstance(value, tuple) else (str(value),)
        return any(
            user in (entry.card.id, entry.card.name)
            for user in users
            for entry in self.used.values()
        )

    @property
    def seat(self) -> Seat | None:
        """The seat that is being laid; nothing for what belongs to all."""
        return self.seating.seat if self.seating else None

    @property
    def loadout(self) -> Loadout | None:
        """What sits in it."""
        return self.seating.loadout if self.seating else None

    @property
    def owner(self) -> str:
        """The id of the seat that is being laid; empty for what belongs to all."""
        return self.seat.id if self.seat else ""

    def ground(self, board: str, where: SourceLocation) -> Ground:
        """A board that lies here, or that belongs to all. Raises ``InvalidSource``."""
        found = self.grounds.get((self.owner, board)) or self.grounds.get(("", board))
        if found is None:
            names = [name for owner, name in self.grounds if owner in (self.owner, "")]
            raise error_at(where, "ON", "no-board-lies", board=board, nearest=nearest(board, names))
        return found

    @property
    def pawn(self) -> Item | None:
        """What stands for whoever sits here: the pawn of a mech, otherwise the first piece."""
        items = self.layout.items if self.layout is not None else ()
        return next((item for lay in ("pawn", "piece") for item in items if item.lay == lay), None)

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the layout in pixels."""
        return self.place((self.size[0] / 2, self.size[1] / 2))

    def sides(self, item: Item) -> Iterator[Loadout]:
        """The loadout in the seat, and where the item is for both sides of a sheet, the other."""
        if self.seating is not None and self.seating.loadout is not None:
            yield self.seating.loadout
            if item.cards and item.cards.pilots == "both" and self.seating.other is not None:
                yield self.seating.other

    def each(self, item: Item) -> Iterator[tuple[int, dict[str, str]]]:
        """Each of the ``count`` things of an item from 0, with what ``${…}`` stands for in it."""
        for index in range(item.count):
            yield index, {**self.names, "index": str(index + 1)}

    def place(self, at: tuple[float, float]) -> tuple[float, float]:
        """A position in the layout as pixels on the table."""
        return (self.corner[0] + at[0]) * UNIT, (self.corner[1] + at[1]) * UNIT


def shuffle_words(shuffle: str) -> Mapping[str, str]:
    """What texts say of shuffling in a room whose stacks were shuffled with a seed, or were not."""
    return SHUFFLED if shuffle else UNSHUFFLED


def _number_of_copies(area: Area, selection: Selection, card: Card, where: SourceLocation) -> int:
    copies = fill(selection.copies, area.names, where)
    number = whole_number(copies)
    if number is not None and number >= 0:
        return number
    value = card.get(copies)
    if isinstance(value, int):
        return int(value)
    raise error_at(where, "COPIES", "copies-no-number", copies=copies, card=card.name)


def brought(area: Area, name: str) -> Sequence[DeckCard] | None:
    """What a player brings in the place of a deck of the game; nothing where it is the game's own.

    Beside a deck that is brought, those that belong to it and are not there are empty.
    """
    decks = area.loadout.decks if area.loadout else {}
    if not decks:
        return None
    kind = area.game.kind_of_deck(name)
    if kind is None:
        printed = any(row.deck == name for row in area.game.decks)
        return decks.get(name, decks.get("") if printed else None)
    if kind.id in decks or kind.beside in decks:
        return decks.get(kind.id, ())
    return decks.get(name, decks.get(""))


def _deck(area: Area, selection: Selection, where: SourceLocation) -> Sequence[DeckCard]:
    if selection.deck == OWN_DECK:
        loadout = area.loadout
        if loadout is None:
            return ()
        if selection.marks and loadout.code:
            printed = area.game.deck_cards(loadout.code)
            return [entry for entry in printed if entry.mark in selection.marks]
        return loadout.deck
    name = fill(selection.deck, area.names, where)
    own = brought(area, name)
    if own is not None:
        return own
    decks = {entry.deck for entry in area.game.decks}
    if name in area.game.deck_kinds and name not in decks:
        return ()  # which nobody brings
    if name not in decks:
        raise error_at(where, "DECK", "no-printed-deck", name=name, nearest=nearest(name, decks))
    return area.game.deck_cards(name)


def _listed(area: Area, selection: Selection, where: SourceLocation) -> list[DeckCard]:
    """The cards that a field of a card lists."""
    name, field_name = (fill(word, area.names, where) for word in selection.listed)
    holder = area.game.card(name)
    if holder is None:
        raise error_at(where, "CARD", "no-card", name=name, nearest=nearest(name, area.game.cards))
    words = holder.get(field_name)
    cards = [area.game.card(word) for word in words] if isinstance(words, tuple) else []
    return [DeckCard(card=card) for card in cards if card is not None]


def selected(area: Area, item: Item) -> list[DeckCard]:
    """The cards that an item asks for, in the order of the deck or of the files."""
    selection = item.cards or Selection()
    game, left_out = area.game, area.game.editions.keys() - area.editions
    only, unless = (
        {
            name: tuple(fill(one, area.names, item.where) for one in each)
            for name, each in asked.items()
        }
        for asked in (selection.only, selection.unless)
    )
    filled = replace(selection, only=only, unless=unless)

    def is_chosen(card: Card) -> bool:
        return (
            filled.suits(card)
            and not (left_out and card.text("edition") in left_out)
            and not (selection.used_by and not area.needs(card, selection.used_by))
        )

    found: list[DeckCard] = []
    cards: list[Card] = []
    if selection.deck:
        found = [e for e in _deck(area, selection, item.where) if is_chosen(e.card)]
    elif selection.pilots:
        skills = (card for _pilot, card in pilots_of_all(game, area.sides(item)))
        found = [DeckCard(card=card) for card in skills if is_chosen(card)]
    elif selection.listed:
        found = _listed(area, selection, item.where)
    elif selection.ids:
        ids = [fill(name, area.names, item.where) for name in selection.ids]
        unknown = [name for name in ids if game.card(name) is None]
        if unknown:
            raise InvalidSource(
                problem_at(item.where, "CARD", "no-card-2", n=n, nearest=nearest(n, game.cards))
                for n in unknown
            )
        cards = [card for name in ids if (card := game.card(name)) is not None]
    else:
        cards = [card for card in game.cards.values() if is_chosen(card)]
    found += [
        DeckCard(card=card, copies=_number_of_copies(area, selection, card, item.where))
        for card in cards
    ]
    for entry in found:
        area.used.setdefault((entry.card.id, entry.deck), entry)
    return found


def single_cards(
    area: Area, item: Item, name: str, at: tuple[float, float], entries: Sequence[DeckCard]
) -> list[DeckCard]:
    """Every single card, in the stated order or in the order that a shuffle seed gives.

    Two piles of one room have two orders: the seed goes with ``name`` and with where they lie.
    """
    count = sum(entry.copies for entry in entries)
    if count > MOST_CARDS:
        raise error_at(
            item.where, "COPIES", "cards-lie-allowed", count=count, most_cards=MOST_CARDS
        )
    cards = [entry for entry in entries for _copy in range(entry.copies)]
    if not (area.shuffle and item.face_down):
        return cards
    pile = f"{area.shuffle}/{area.place(at)}/{name}"
    keys = [hashlib.sha256(f"{pile}/{at}".encode()).digest() for at in range(count)]
    return [cards[at] for at in sorted(range(count), key=keys.__getitem__)]


def nth_place(item: Item, at: tuple[float, float], index: int) -> tuple[float, float]:
    """The place of the n-th of several things: ``per_row`` beside one another, then below."""
    across, down = (index % item.per_row, index // item.per_row) if item.per_row else (index,) * 2
    return at[0] + across * item.step[0], at[1] + down * item.step[1]


def pilots_of(game: Game, loadout: Loadout) -> Iterator[tuple[Pilot, Card]]:
    """Each pilot with each of their skills."""
    for pilot in loadout.build.pilots:
        for name in pilot.skills:
            card = game.card(name)
            if card is not None:
                yield pilot, card


def pilots_of_all(game: Game, loadouts: Iterable[Loadout]) -> list[tuple[Pilot, Card]]:
    """The same of several loadouts: who sits in more than one of them is there once."""
    found = [each for loadout in loadouts for each in pilots_of(game, loadout)]
    return list({(pilot.name, card.id): (pilot, card) for pilot, card in found}.values())
