"""Sheets of cards as kinds of a game: fields, what stands where on a card, colours, sizes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from exporter.faces.card_faces import CARD_ITSELF
from exporter.importer.sheet_layout import (
    Column,
    Sheet,
    wide,
)
from exporter.model.spelling import (
    MOST,
    MOST_REPEATED,
    number_of_copies,
)

COLOURS = (
    "#b4482f", "#2f6f8f", "#4f7d3a", "#b98620", "#a23b63", "#3d56a6",
    "#2d7a72", "#8a5a3a", "#5b6472", "#6a4f9e", "#8a7a20", "#3b3a36",
)  # fmt: skip

IN_A_ROW = 5
"""Boxes with figures that have room beside one another."""

MOST_FIGURES = 2 * IN_A_ROW
"""Boxes with figures on a card: two rows."""

MOST_COLOURS = len(COLOURS)

_FIELD_OF: Mapping[str, str] = {
    "name": "name", "id": "id", "copies": "copies", "art": "image", "colour": "colour",
    "focus": "focus", "back": "back_image",
}  # fmt: skip
POKER = (63.0, 88.0)
"""Millimetres of the usual card."""

_SIZES = (POKER, (70.0, 120.0), (105.0, 148.0))
"""Millimetres: that, a tarot card, A6."""

_GOOD, _LEAST = 2.9, 2.12
"""Millimetres of a letter that reads well, and of 6 pt."""

_PLAIN = re.compile(r"[A-Za-z_\u3040-\u30ff\u4e00-\u9fff][A-Za-z0-9_\u3040-\u30ff\u4e00-\u9fff]*")
_YAML_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"}


class Look(Struct, frozen=True):
    """How the cards of a kind look: a size in mm, and the share of the card that art takes.

    Without ``text_shown`` the text stands in the detail alone.
    """

    size: tuple[float, float]
    art_height: float = 0
    text_shown: bool = True


class BroughtKind(Struct, frozen=True, kw_only=True):
    """A kind of card as it is to be written: of a sheet, or of some of its rows."""

    id: str
    title: str
    sheet: Sheet
    file: str
    sheet_name: str = ""
    only: tuple[str, str] | None = None
    colour: str = COLOURS[0]
    has_art: bool = False
    art_by_id: bool = False
    art_is_cut_out: bool = False
    rows: tuple[int, ...] = ()
    """Which of the sheet's cards are of this kind."""
    ids: tuple[str, ...] = ()
    linked: bool = False
    address: str = ""
    fields_of: Mapping[str, str] = field(default_factory=dict)
    """Heading → field."""

    def column(self, role: str) -> Column | None:
        """The column of a role, if any of its cards has something there."""
        found = next((each for each in self.sheet.columns if each.role == role), None)
        return found if found is not None and any(self.values(found)) else None

    def values(self, column: Column) -> list[str]:
        """A column's values of the cards of this kind."""
        return [column.values[row] for row in self.rows]

    @property
    def names(self) -> list[str]:
        """The names of its cards."""
        column = next(each for each in self.sheet.columns if each.role == "name")
        return self.values(column)

    @property
    def figures(self) -> list[Column]:
        """The columns that stand in boxes."""
        power = self.column("power")
        first = [power] if power is not None and not self._is_big() else []
        found = [each for each in self.sheet.columns if each.role == "figure"]
        return [*first, *(each for each in found if any(self.values(each)))][:MOST_FIGURES]

    def _is_big(self) -> bool:
        """Whether the power is the figure of the whole card."""
        others = any(self.column(role) for role in ("text", "flavour", "figure", "cost"))
        return not self.has_art and not others

    @property
    def slots(self) -> dict[str, str]:
        """Which field stands where."""
        found = {"title": "name"}
        for slot, role in (("corner", "cost"), ("tag", "type"), ("suit", "suit"), ("text", "text")):
            if (column := self.column(role)) is not None:
                found[slot] = self.fields_of[column.heading]
        if (power := self.column("power")) is not None and self._is_big():
            found["big"] = self.fields_of[power.heading]
        if (said := self.column("flavour")) is not None:
            found["flavour"] = self.fields_of[said.heading]
        if self.has_art:
            found["art"] = "id" if self.art_by_id else "image"
        return found

    @property
    def shown(self) -> list[str]:
        """The fields that the front gets."""
        own = [word for word in self.slots.values() if word not in CARD_ITSELF]
        more = [self.fields_of[each.heading] for each in self.figures]
        colours = ["colour"] if self.column("colour") else []
        focus = ["focus"] if self.column("focus") and self.has_art else []
        return list(dict.fromkeys([*own, *more, *colours, *focus]))

    @property
    def fields(self) -> dict[str, str]:
        """Field → its type as YAML has it."""
        return {
            self.fields_of[each.heading]: written_type(each)
            for each in self.sheet.columns
            if self.fields_of[each.heading] not in CARD_ITSELF
        }

    @property
    def columns(self) -> dict[str, str]:
        """Heading → field, where they differ."""
        return {heading: name for heading, name in self.fields_of.items() if heading != name}

    @property
    def detail(self) -> dict[str, str]:
        """Label → field: every column that says something of a card."""
        silent = ("name", "copies", "art", "id", "colour", "focus", "back")
        return {
            each.heading.replace("\n", " "): self.fields_of[each.heading]
            for each in self.sheet.columns
            if each.role not in silent and any(self.values(each))
        }

    @property
    def ignore(self) -> list[str]:
        """Headings that are not read; those that say so themselves need no word."""
        return [heading for heading, why, _cell in self.sheet.ignored if why != "hidden"]

    @property
    def colours(self) -> dict[str, str]:
        """Word of the type → colour, where there are few."""
        column = self.column("type")
        if column is None or self.column("colour") is not None:
            return {}
        words = list(dict.fromkeys(value for value in self.values(column) if value))
        return dict(zip(words, COLOURS, strict=False)) if len(words) <= MOST_COLOURS else {}

    @property
    def copies(self) -> str:
        """The field of copies, or one of each; also where the table says 0 of all."""
        column = self.column("copies")
        has_some = column is not None and any(map(number_of_copies, self.values(column)))
        return "copies" if has_some else "1"

    def left_out(self) -> list[str]:
        """The names of cards of which there are no copies."""
        column = self.column("copies")
        if column is None or self.copies == "1":
            return []
        pairs = zip(self.names, self.values(column), strict=True)
        return [name for name, copies in pairs if not number_of_copies(copies)]

    def looks(self) -> Iterator[Look]:
        """Looks to try, the best first, until all texts fit."""
        first = next((size for size in _SIZES if self._room(size) >= 0), _SIZES[-1])
        for size in _SIZES[_SIZES.index(first) :]:
            yield Look(size, self._art_height(size))
        yield Look(_SIZES[0], 0.42 if self.has_art else 0, text_shown=False)

    def _free(self, size: tuple[float, float]) -> float:
        """Millimetres of a card's height for art and text."""
        u = size[0] / 63
        rows = math.ceil(len(self.figures) / 5)
        strip = rows * 9 * u + max(0, rows - 1) * 1.4 * u + (2.8 * u if rows else 1.4 * u)
        said = self.column("flavour")
        flavour = 0.0
        if said is not None:
            lines = max(_lines(text, size[0] - 7 * u, 2.9 * u) for text in self.values(said))
            flavour = min(lines * 3.9 * u + 2.2 * u, size[1] * 0.25)
        return size[1] - 12.1 * u - strip - flavour - 3 * u

    def _needed(self, size: tuple[float, float], letter: float) -> float:
        """Millimetres of height that the longest text takes at a size of letters."""
        column = self.column("text")
        if column is None:
            return 0
        width = size[0] - 7 * size[0] / 63
        return max(_lines(text, width, letter) for text in self.values(column)) * letter * 1.4

    def _room(self, size: tuple[float, float]) -> float:
        """How much is left with letters of 6 pt, and a window that shows something."""
        window = size[1] * (0.3 if self.has_art else 0)
        return self._free(size) - self._needed(size, _LEAST * 1.08) - window

    def _art_height(self, size: tuple[float, float]) -> float:
        if not self.has_art:
            return 0
        free = self._free(size)
        wanted = free - self._needed(size, _GOOD)
        return round(min(max(wanted / size[1], 0.26), 0.52), 2)


def _lines(text: str, width: float, letter: float) -> int:
    """How many lines a text takes, a little more rather than less."""
    parts = text.split("\n") if text else []
    return sum(max(1, math.ceil(wide(part) * letter * 1.06 / width)) for part in parts)


def fields_of(sheet: Sheet, taken: Sequence[str]) -> dict[str, str]:
    """Heading → the name of its field; ``taken`` are names that templates use themselves."""
    found: dict[str, str] = {}
    used = {*CARD_ITSELF, *taken}
    for column in sheet.columns:
        name = _FIELD_OF.get(column.role, column.heading)
        if column.role not in _FIELD_OF:
            while name in used:
                name += "_"
        used.add(name)
        found[column.heading] = name
    return found


def written_type(column: Column) -> str:
    """A field's type as game.yaml has it."""
    bounds: dict[str, int] = {}
    if column.role == "copies":
        bounds = {"most": column.most} if column.most > MOST_REPEATED else {}
        return _written("number", bounds)
    if column.type == "number":
        bounds = {"least": column.least} if column.least < 0 else {}
        bounds |= {"most": column.most} if column.most > MOST else {}
        return _written("number", bounds)
    if column.pattern in ("range", "number"):
        return _written("text", {"pattern": column.pattern})
    return "text"


def _written(sort: str, more: Mapping[str, str | int]) -> str:
    return yaml({"type": sort, **more}) if more else sort


def yaml(value: Any) -> str:
    """A value in one line of YAML, with quotation marks only where it needs them."""
    match value:
        case str():
            plain = _PLAIN.fullmatch(value) and value.lower() not in _YAML_WORDS
            return value if plain else json.dumps(value, ensure_ascii=False)
        case Mapping():
            return "{" + ", ".join(f"{yaml(k)}: {yaml(v)}" for k, v in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(yaml, value)) + "]"
    return str(value)
