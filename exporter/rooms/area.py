"""Where a layout is laid and for whom, with the boards that lie there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct, field

from exporter.core.problems import (
    SourceLocation,
    error_at,
    nearest,
)
from exporter.faces.card_faces import OwnPicture
from exporter.faces.face_texts import (
    fill,
    plain,
    shuffle_words,
)
from exporter.model import (
    Board,
    Card,
    DeckCard,
    Game,
    Item,
    Layout,
    Loadout,
    Seat,
)
from exporter.model.tabletop import (
    UNIT,
)


class Seating(Struct, frozen=True):
    """A seat, if any, with what sits in it; ``other`` is the back of its sheet, ``picture`` its
    pawn's."""

    seat: Seat | None = None
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


class Ground(Struct, frozen=True):
    """A board that lies on the table: its picture's corner in units, and units to a square."""

    board: Board
    corner: tuple[float, float]
    square: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture in units."""
        width, height = self.board.extent
        return width * self.square, height * self.square

    def middle(self, space: str, where: SourceLocation) -> tuple[float, float]:
        """Return the centre of a space in units. Raises ``InvalidSource`` naming the nearest."""
        found = self.board.middle(space)
        if found is None:
            board = self.board
            cells = [f"{cell.column + 1},{cell.row + 1}" for cell in board.cells]
            names = [space.id for space in board.spaces] or cells
            raise error_at(
                where,
                "SPACE",
                "no-space",
                board=board.id,
                space=space,
                nearest=nearest(space, names),
            )
        x, y = found
        return self.corner[0] + x * self.square, self.corner[1] + y * self.square


def laid_out(board: Board, corner: tuple[float, float], square: float) -> Ground:
    """Return a board whose grid begins at ``corner``; tips of hexes stand out of it."""
    across, down = board.overhang
    return Ground(board, (corner[0] - across * square, corner[1] - down * square), square)


class Area(Struct, frozen=True, dict=True):
    """Where a layout is being laid, for whom, and with which cards.

    ``corner`` in units, as if nothing was turned by ``degrees`` around the middle; ``start`` is the
    square of the seat's pawn, ``words`` those of the plan, no ``editions`` are all of them.
    ``used`` collects every card that was laid, ``grounds`` the boards of the whole room by owner.
    """

    game: Game
    layout: Layout = Layout(id="", size=(1, 1))
    corner: tuple[float, float] = (0, 0)
    editions: frozenset[str] = frozenset()
    seating: Seating = Seating()
    start: Start | None = None
    shuffle: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    grounds: dict[tuple[str, str], Ground] = field(default_factory=dict)
    used: dict[tuple[str, str], DeckCard] = field(default_factory=dict)

    @cached_property
    def names(self) -> Mapping[str, str]:
        """What ``${…}`` may stand for here."""
        values = {
            "data": self.game.data_line,
            **shuffle_words(self.game.language, "shuffled" if self.shuffle else "unshuffled"),
            **self.words,
            "game": self.game.named(self.game.name),
        }
        seat, loadout = self.seat, self.loadout
        if seat is None:
            return values
        team = self.game.teams.get(seat.team)
        values |= {
            "seat": seat.name,
            "team_id": seat.team,
            "team": self.game.named(team) if team else "",
            "number": str(seat.number),
        }
        if loadout is not None:
            if not loadout.code:
                named = loadout.build.regulation
                key = "own-build-of" if named else "own-build"
                values["regulation"] = self.game.says(key, regulation=named)
            variant = self.game.named(loadout.variant.name) if loadout.variant else ""
            name = plain(loadout.name, self.game.marks)
            values |= {"mech": name, "code": loadout.code, "variant": variant}
            values |= {name: str(value) for name, value in loadout.figures.items()}
        return values | {name: fill(text, values, seat.where) for name, text in seat.values.items()}

    def fill(self, text: str, where: SourceLocation) -> str:
        """Return a text of the data with ``${…}`` filled in. Raises ``InvalidSource``."""
        return fill(text, self.names, where)

    def needs(self, card: Card, field_name: str) -> bool:
        """Return whether a card that was laid is among those that ``field_name`` of ``card``
        lists."""
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
        return self.seating.seat

    @property
    def loadout(self) -> Loadout | None:
        """What sits in it."""
        return self.seating.loadout

    @property
    def owner(self) -> str:
        """The id of the seat that is being laid; empty for what belongs to all."""
        return self.seat.id if self.seat else ""

    def ground(self, board: str, where: SourceLocation) -> Ground:
        """Return a board that lies here, or that belongs to all. Raises ``InvalidSource``."""
        found = self.grounds.get((self.owner, board)) or self.grounds.get(("", board))
        if found is None:
            names = [name for owner, name in self.grounds if owner in (self.owner, "")]
            raise error_at(where, "ON", "no-board-lies", board=board, nearest=nearest(board, names))
        return found

    @property
    def pawn(self) -> Item | None:
        """What stands for whoever sits here: the pawn of a mech, otherwise the first piece."""
        items = self.layout.items
        return next((item for lay in ("pawn", "piece") for item in items if item.lay == lay), None)

    @property
    def degrees(self) -> float:
        """By how much the seat is turned."""
        return self.seat.rotate if self.seat else 0

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of the layout in pixels."""
        return self.place((self.layout.size[0] / 2, self.layout.size[1] / 2))

    def sides(self, item: Item) -> Iterator[Loadout]:
        """Yield the loadout in the seat, and where the item is for both sides of a sheet, the
        other."""
        if self.loadout is not None:
            yield self.loadout
            if item.cards and item.cards.pilots == "both" and self.seating.other is not None:
                yield self.seating.other

    def each(self, item: Item) -> Iterator[dict[str, str]]:
        """Yield what ``${…}`` stands for in each of the ``count`` things of an item."""
        for index in range(item.count):
            yield {**self.names, "index": str(index + 1)}

    def place(self, at: tuple[float, float]) -> tuple[float, float]:
        """Return a position in the layout as pixels on the table."""
        return (self.corner[0] + at[0]) * UNIT, (self.corner[1] + at[1]) * UNIT


def nth_place(item: Item, at: tuple[float, float], index: int) -> tuple[float, float]:
    """Return the place of the n-th of several things: ``per_row`` beside one another, then
    below."""
    across, down = (index % item.per_row, index // item.per_row) if item.per_row else (index,) * 2
    return at[0] + across * item.step[0], at[1] + down * item.step[1]
