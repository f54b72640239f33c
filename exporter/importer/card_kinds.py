"""Sheets of cards as kinds of a game: fields, what stands where on a card, colours, sizes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from exporter.faces.card_faces import CARD_ITSELF
from exporter.importer import COLOURS
from exporter.importer.card_sheets import CardSheet
from exporter.importer.column_roles import (
    Column,
    ems,
)
from exporter.loader.card_tables import ids_for
from exporter.loader.style_files import plain_styles
from exporter.model.spelling import number_of_copies

IN_A_ROW = 5
"""Boxes with figures that have room beside one another."""

_MOST_FIGURES = 2 * IN_A_ROW
"""Boxes with figures on a card: two rows."""

_MOST_DECKS = 12
"""Different words of a column that names decks."""

_FIELDS: Mapping[str, str] = {
    "name": "name", "id": "id", "copies": "copies", "art": "image", "colour": "colour",
    "focus": "focus", "back": "back_image",
}  # fmt: skip
_SLOTS = {
    "title": "name", "corner": "cost", "tag": "type", "suit": "suit", "text": "text",
    "big": "power", "flavour": "flavour", "art": "art",
}  # fmt: skip
_SILENT = ("name", "copies", "art", "id", "colour", "focus", "back")
"""Roles that the card's detail does not repeat."""

POKER = (63.0, 88.0)
"""Millimetres of the usual card."""

_SIZES = (POKER, (70.0, 120.0), (105.0, 148.0))
"""Millimetres: that, a tarot card, A6."""

_GOOD, _LEAST = 2.9, 2.12
"""Millimetres of a letter that reads well, and of 6 pt."""


class Look(Struct, frozen=True):
    """How the cards of a kind look: a size in mm, and the share of the card that art takes.

    Without ``text_shown`` the text stands in the detail alone.
    """

    size: tuple[float, float] = POKER
    art_height: float = 0
    text_shown: bool = True


class CardKind(Struct, frozen=True, kw_only=True):
    """A kind of card as game.yaml will have it: of a sheet, or of those rows that ``only`` names.

    ``columns`` hold the cells of its own cards.
    """

    id: str
    title: str
    sheet: CardSheet
    file: str
    columns: tuple[Column, ...]
    colour: str
    only: Mapping[str, str] = {}
    ids: tuple[str, ...] = ()
    look: Look = Look()
    has_art: bool = False
    art_by_id: bool = False
    art_is_cut_out: bool = False

    def column(self, role: str) -> Column | None:
        """Find the column of a role in which something stands."""
        return next((each for each in self.columns if each.role == role and each.filled), None)

    def field(self, role: str) -> str:
        """Name the field of a role; empty where nothing stands there."""
        column = self.column(role)
        return column.field if column is not None else ""

    @property
    def names(self) -> tuple[str, ...]:
        """List the names of its cards."""
        return next(each.values for each in self.columns if each.role == "name")

    @property
    def ids_file(self) -> str:
        """Name the file that keeps the ids which were made from names, if they were."""
        return "" if self.field("id") else f"cards/{self.id}.ids.csv"

    @property
    def figures(self) -> list[Column]:
        """List the columns that stand in boxes."""
        power = self.column("power")
        first = [] if power is None or self._is_big() else [power]
        more = [each for each in self.columns if each.role == "figure" and each.filled]
        return [*first, *more][:_MOST_FIGURES]

    @property
    def labels(self) -> list[list[str]]:
        """List label and field of each box: headings, cut where they stay different."""
        headings = [_line(each.heading) for each in self.figures]
        short = [heading[:12] for heading in headings]
        labels = short if len({*short}) == len(short) else [heading[:24] for heading in headings]
        return [[label, each.field] for label, each in zip(labels, self.figures, strict=True)]

    def _is_big(self) -> bool:
        """Tell whether the power is the figure of the whole card."""
        return not self.has_art and not any(map(self.field, ("text", "flavour", "figure", "cost")))

    @property
    def slots(self) -> dict[str, str]:
        """Tell which field stands where on the front."""
        found = {slot: self.field(role) for slot, role in _SLOTS.items()}
        found["art"] = "" if not self.has_art else "id" if self.art_by_id else "image"
        found["text"] = found["text"] if self.look.text_shown else ""
        found["big"] = found["big"] if self._is_big() else ""
        return {slot: field for slot, field in found.items() if field}

    @property
    def shown(self) -> list[str]:
        """List the fields that the front gets."""
        found = [field for field in self.slots.values() if field not in CARD_ITSELF]
        found += [each.field for each in self.figures]
        found += [self.field("colour"), self.field("focus") if self.has_art else ""]
        return [field for field in dict.fromkeys(found) if field]

    @property
    def fields(self) -> dict[str, object]:
        """Tell the type of each field, as game.yaml has it."""
        return {
            each.field: short_type(each) for each in self.columns if each.field not in CARD_ITSELF
        }

    @property
    def renamed(self) -> dict[str, str]:
        """Tell which field each heading is that says another word."""
        return {each.heading: each.field for each in self.columns if each.heading != each.field}

    @property
    def detail(self) -> dict[str, str]:
        """Tell label and field of every column that says something of a card."""
        said = (each for each in self.columns if each.role not in _SILENT and each.filled)
        return {_line(each.heading): each.field for each in said}

    @property
    def ignore(self) -> list[str]:
        """List the headings that are not read; those that say so themselves need no word."""
        return [heading for heading, why, _cell in self.sheet.ignored if why != "hidden"]

    @property
    def colours(self) -> dict[str, str]:
        """Choose a colour for each word of the type, where these are few."""
        column = self.column("type")
        if column is None or self.field("colour"):
            return {}
        words = list(dict.fromkeys(column.filled))
        return dict(zip(words, COLOURS, strict=False)) if len(words) <= len(COLOURS) else {}

    @property
    def copies(self) -> str:
        """Name the field of copies, or one of each."""
        return self.field("copies") or "1"

    @property
    def without_copies(self) -> list[str]:
        """List the names of cards of which there are none."""
        column = self.column("copies")
        pairs = zip(self.names, column.values, strict=True) if column else ()
        return [name for name, copies in pairs if not number_of_copies(copies)]

    def looks(self) -> Iterator[Look]:
        """Give looks to try, the best first, until all texts fit."""
        first = next((n for n, size in enumerate(_SIZES) if self._room(size) >= 0), -1)
        for size in _SIZES[first:]:
            yield Look(size, self._art_height(size))
        yield Look(POKER, 0.42 if self.has_art else 0, text_shown=False)

    def _free(self, size: tuple[float, float]) -> float:
        """Estimate the millimetres of a card's height that art and text share."""
        unit = size[0] / 63
        rows = math.ceil(len(self.figures) / IN_A_ROW)
        boxes = (rows * 9 + max(0, rows - 1) * 1.4 + (2.8 if rows else 1.4)) * unit
        apart = self._lines("flavour", size, 2.9 * unit)
        flavour = min(apart * 3.9 * unit + 2.2 * unit, size[1] / 4) if self.field("flavour") else 0
        return size[1] - 15.1 * unit - boxes - flavour

    def _lines(self, role: str, size: tuple[float, float], letter: float) -> int:
        """Estimate the lines of the longest text of a role, a little more rather than less."""
        column = self.column(role)
        width = size[0] * 56 / 63
        texts = column.filled if column else ()
        return max((_line_count(text, letter, width) for text in texts), default=0)

    def _room(self, size: tuple[float, float]) -> float:
        """Estimate what is left with letters of 6 pt, and a window that shows something."""
        window = size[1] * (0.3 if self.has_art else 0)
        least = _LEAST * 1.08
        return self._free(size) - self._lines("text", size, least) * least * 1.4 - window

    def _art_height(self, size: tuple[float, float]) -> float:
        if not self.has_art:
            return 0
        left = self._free(size) - self._lines("text", size, _GOOD) * _GOOD * 1.4
        return round(min(max(left / size[1], 0.26), 0.52), 2)


def _line_count(text: str, letter: float, width: float) -> int:
    parts = text.split("\n")
    return sum(max(1, math.ceil(ems(part) * letter * 1.06 / width)) for part in parts)


def _line(heading: str) -> str:
    return heading.replace("\n", " ")


def short_type(column: Column) -> object:
    """Give a field's type as game.yaml has it: a word, or that with bounds or a pattern."""
    return column.type if len(column.type) > 1 else column.type["type"]


def card_kinds(sheets: Sequence[CardSheet], file: str) -> list[CardKind]:
    """Make a kind of each sheet, or of each deck that a sheet's column names."""
    kinds: list[CardKind] = []
    taken: dict[str, None] = {}
    for sheet in sheets:
        is_plain = sheet.name.lower().startswith(("sheet", "シート")) or len(sheets) == 1
        title = PurePosixPath(file).stem if is_plain or not sheet.name else sheet.name
        columns = _with_fields(sheet.columns, taken)
        deck = sheet.column("deck")
        of = deck.values if deck else ()
        words = list(dict.fromkeys(of))
        has_decks = 1 < len(words) <= _MOST_DECKS and all(words)
        for word in words if has_decks else [""]:
            only = {deck.heading: word} if deck and word else {}
            rows = [at for at in range(len(sheet.names)) if not only or of[at] == word]
            own = [replace(c, values=tuple(c.values[at] for at in rows)) for c in columns]
            kinds.append(
                CardKind(
                    id=_kind_id(word or title, [each.id for each in kinds]),
                    title=(word or title)[:60],
                    sheet=sheet,
                    file=file,
                    columns=tuple(own),
                    colour=COLOURS[len(kinds) % len(COLOURS)],
                    only=only,
                )
            )
        if (ids := sheet.column("id")) is not None:
            taken |= dict.fromkeys(ids.values)
    without = [name for kind in kinds if kind.ids_file for name in kind.names]
    made = iter(ids_for([*taken, *without], [])[0][len(taken) :])
    return [
        replace(kind, ids=own.values if own else tuple(islice(made, len(kind.names))))
        for kind in kinds
        for own in [kind.column("id")]
    ]


def _with_fields(columns: Sequence[Column], taken: Collection[str]) -> list[Column]:
    """Name the field of each column, other than what templates take themselves.

    Ids that cards of other sheets have are a figure like others; ``taken`` are those.
    """
    found = []
    declaration = plain_styles()["card"].declaration
    used = {*CARD_ITSELF, *(declaration.takes if declaration else ())}
    for column in columns:
        if column.role == "id" and any(value in taken for value in column.values):
            column = replace(column, role="figure")
        name = _FIELDS.get(column.role, column.heading)
        while column.role not in _FIELDS and name in used:
            name += "_"
        used.add(name)
        found.append(replace(column, field=name))
    return found


def _kind_id(title: str, taken: Sequence[str]) -> str:
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in title.lower()).split()
    plain = "_".join(words)
    wanted = plain[:40] if plain[:1].isalpha() else "cards"
    others = (f"{wanted}{number}" for number in range(2, len(taken) + 3))
    return next(found for found in (wanted, *others) if found not in taken)
