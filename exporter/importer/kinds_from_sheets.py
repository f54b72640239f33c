"""Sheets of cards as kinds of a game: fields, what stands where on a card, colours, sizes."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, zip_longest
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    COMMAND_LINE,
    as_written,
    each_of,
    error_at,
)
from exporter.core.shipped_files import shipped
from exporter.core.source_files import read_bytes
from exporter.faces.card_faces import CARD_ITSELF
from exporter.faces.face_texts import folded
from exporter.faces.icons import colours_of_word, find_icon
from exporter.faces.style_values import PLAIN_STYLES, declarations
from exporter.importer import COLOURS
from exporter.importer.card_sheets import (
    CardSheet,
)
from exporter.importer.column_roles import (
    FRONT,
    SHORT,
    Column,
    are_rows,
    ems,
)
from exporter.importer.starter import (
    Facts,
    fact_values,
    fill_template,
)
from exporter.loader.card_tables import ids_for
from exporter.loader.picture_files import (
    PICTURE_TYPES,
    Matched,
    matched,
)
from exporter.model.fields import number_of_copies
from exporter.render.own_pictures import MAX_BYTES
from exporter.render.pixels import MOST_SCREEN_PIXELS

# Boxes with figures that have room beside one another.
IN_A_ROW = 5

# Boxes with figures on a card: two rows.
_MOST_FIGURES = 2 * IN_A_ROW

# Different words of a column that names decks.
_MOST_DECKS = 12

_FIELDS: Mapping[str, str] = {
    "name": "name", "id": "id", "copies": "copies", "art": "image", "colour": "colour",
    "focus": "focus", "back": "back_image", "icon": "icon",
}  # fmt: skip
_SLOTS = {
    "title": "name", "corner": "cost", "tag": "type", "suit": "suit", "text": "text",
    "big": "power", "flavour": "flavour", "art": "art",
}  # fmt: skip
# Roles that the card's detail does not repeat.
_SILENT = ("name", "copies", "art", "id", "colour", "focus", "back", "icon")

# Millimetres of the usual card.
POKER = PLAIN_STYLES["card"].size

# Millimetres: that, a tarot card, A6.
_SIZES = (POKER, (70.0, 120.0), (105.0, 148.0))

# What sheets of tokens are called, and how many piles of them have room.
_TOKENS = re.compile(
    r"\b(?:token|chip|counter|marker)s?\b|トークン|チップ|マーカー|駒|コマ", re.IGNORECASE
)
_MOST_PILES = 24

# Millimetres of tiles and tokens, and what sheets of either are called.
SMALL_SIZES = ((40.0, 40.0), (63.0, 63.0))
_SMALL = re.compile(rf"\btiles?\b|タイル|{_TOKENS.pattern}", re.IGNORECASE)

# The field of what stands on the backs of tokens.
_TOKEN_BACK = "back"

# What the names of files say besides: versions, copies.
_VERSION = re.compile(
    r"[\s_-]*(?:v[0-9][0-9._-]*|[(（][0-9]+[)）]|[(（]?(?:copy|コピー|final|最終|最新|改訂)版?[)）]?)$",
    re.IGNORECASE,
)
_EMOJI = re.compile(
    "[\u231a\u231b\u23e9-\u23ff\u2600-\u27bf\u2b1b-\u2b55\ufe0f\u200d\U0001f000-\U0001faff]+"
)
# A name all in small Latin letters.
_PLAIN_NAME = re.compile(r"[a-z0-9]+([-_ ][a-z0-9]+)*")
# A number at the end of a heading.
_NUMBER = re.compile(r"[\s_]*[0-9０-９]+$")

# Names that spreadsheets give their sheets themselves.
_UNNAMED = re.compile(r"(?:sheet|シート|工作表|tabelle|feuille|hoja)\s*[0-9]*", re.IGNORECASE)

# Millimetres of a letter that reads well.
_GOOD = 2.9

# Shares of a card's height that a picture takes where the text needs room.
_LOW_ART, _LEAST_ART = 0.32, 0.26


class GuessedLook(Struct, frozen=True):
    """How the cards of a kind look: a size in mm, and the share of the card that art takes.

    Without ``art_height`` a text takes its room from the art card by card, with ``each`` in letters
    as large as it leaves; without ``text_shown`` the text stands in the detail alone.
    """

    size: tuple[float, float] = POKER
    art_height: float = 0
    each: bool = False
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
    look: GuessedLook = GuessedLook()
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
        if self.is_tokens:
            return []
        roles = ("figure",) if self._is_big() else ("power", "figure")
        return [each for each in self.columns if each.role in roles and each.filled][:_MOST_FIGURES]

    @property
    def texts(self) -> list[list[str]]:
        """List heading and field of each text below the first one: `Effect 2` needs no heading."""
        first = self.column("text")
        if first is None or self.is_tokens or not self.look.text_shown:
            return []
        further = (each for each in self.columns if each.role == "further" and each.filled)
        stems = ((_NUMBER.sub("", each.heading), each.field) for each in further)
        same = _NUMBER.sub("", first.heading)
        return [["" if stem == same else _line(stem)[:24], field] for stem, field in stems]

    @property
    def labels(self) -> list[list[str]]:
        """List label and field of each box: headings, cut where they stay different."""
        headings = [_line(each.heading) for each in self.figures]
        if self.back_slots:  # "Front Strength" is told from the back's by where it stands
            headings = [FRONT.sub("", heading) for heading in headings]
        short = [*map(_short, headings)]
        labels = short if len({*short}) == len(short) else [heading[:24] for heading in headings]
        return [[label, each.field] for label, each in zip(labels, self.figures, strict=True)]

    def _is_big(self) -> bool:
        """Tell whether the power is the figure of the whole card."""
        return not self.has_art and not any(map(self.field, ("text", "flavour", "figure", "cost")))

    @property
    def slots(self) -> dict[str, str]:
        """Tell which field stands where on the front."""
        found = {slot: self.field(role) for slot, role in _SLOTS.items()}
        found["art"] = "id" if self.art_by_id else "image" if self.takes_art else ""
        found["text"] = found["text"] if self.look.text_shown else ""
        found["big"] = found["big"] if self._is_big() else ""
        if self.is_tokens:
            said = self.column("text")
            text = found["text"] if said and said.longest <= SHORT else ""
            rest = (self.field(role) for role in ("figure", "cost"))
            signs = (found["big"], self.field("power"), self.field("suit"), text, *rest)
            found = {"title": "name", "art": found["art"], "big": next(filter(None, signs), "")}
        return {slot: field for slot, field in found.items() if field}

    @property
    def takes_art(self) -> bool:
        """Tell whether its cards have pictures, or a column for them."""
        return self.has_art or any(each.role == "art" for each in self.columns)

    @property
    def back_slots(self) -> dict[str, str]:
        """Tell which field stands where on a back that differs by card."""
        if self.is_tokens:
            return {}
        backs = {each.back: each.field for each in self.columns if each.back and each.filled}
        shown = {"big": self._is_big(), "text": self.look.text_shown}
        found = {
            slot: backs[role]
            for slot, role in _SLOTS.items()
            if role in backs and shown.get(slot, True)
        }
        if found and self.has_art:
            found["art"] = "back_image" if self.field("back") else self.slots["art"]
        same = {slot: field for slot, field in self.slots.items() if slot in ("tag", "suit")}
        return {"title": "name", **same, **found} if found or "figure" in backs else {}

    @property
    def back_labels(self) -> list[list[str]]:
        """List label and field of each box on a back that differs by card."""
        shown = self.back_slots.values()
        boxes = (each for each in self.columns if each.back in ("power", "figure") and each.filled)
        found = [
            [_short(_line(each.label)), each.field] for each in boxes if each.field not in shown
        ]
        return found[:_MOST_FIGURES]

    @property
    def back_shown(self) -> list[str]:
        """List the fields that a back that differs by card gets."""
        if self.is_tokens:
            return [each.field for each in self.columns if each.field == _TOKEN_BACK]
        if not self.back_slots:
            return []
        # The id chooses the picture that both sides have.
        found = ["id", *self.back_slots.values(), *(field for _label, field in self.back_labels)]
        found.append(self.coloured_by if self.colours else self.field("colour"))
        return list(dict.fromkeys(filter(None, found)))

    @property
    def without_backs(self) -> list[str]:
        """List the names of cards that say nothing on backs which differ by card."""
        backs = [each.values for each in self.columns if each.back]
        rows = zip(self.names, *backs, strict=True) if self.back_slots else ()
        return [name for name, *cells in rows if not any(cells)]

    @property
    def has_uneven_backs(self) -> bool:
        """Tell whether the texts of backs that differ by card are to have sizes of their own."""
        texts = (cell for each in self.columns if each.back == "text" for cell in each.filled)
        return self.look.each or _are_uneven(texts)

    @property
    def is_series(self) -> bool:
        """Tell whether its cards are numbers in suits or colours, told by these rather than by
        pictures."""
        suit = self.field("suit") or (self.field("power") and self.field("colour"))
        return bool(suit and len(self.figures) < 2 and not self.field("text"))

    @property
    def is_small(self) -> bool:
        """Tell whether the cards are tiles or tokens, by what they are called."""
        return _SMALL.search(f"{self.title} {self.sheet.name} {self.file}") is not None

    @property
    def is_tokens(self) -> bool:
        """Tell whether they are tokens with a name and a word at most, of which each has a pile."""
        says_more = self.field("flavour") != "" or all(map(self.field, ("suit", "power")))
        are_called_so = _are_called_tokens(self.title, self.sheet.name, self.file)
        return are_called_so and not says_more and len(self.names) <= _MOST_PILES

    @property
    def shown(self) -> list[str]:
        """List the fields that the front gets."""
        found = [field for field in self.slots.values() if field not in CARD_ITSELF]
        found += [each.field for each in self.figures]
        found += [field for _heading, field in self.texts]
        found += [self.coloured_by if self.colours else "", self.field("colour")]
        found += [self.field("focus") if self.has_art else "", self.field("icon")]
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
        said = (each for each in self.columns if each.role not in _SILENT)
        return {_line(each.heading).replace("/", "／"): each.field for each in said}  # no sections

    @property
    def ignore(self) -> list[str]:
        """List the headings that are not read; those that say so themselves need no word."""
        return [heading for heading, why, _cell in self.sheet.ignored if why != "hidden"]

    @property
    def coloured_by(self) -> str:
        """Name the field whose words choose colours: the type, or failing that a suit of words."""
        suit = self.column("suit")
        has_words = suit is not None and all(map(str.isalnum, suit.filled))
        return self.field("type") or (self.field("suit") if has_words else "")

    @property
    def colours(self) -> dict[str, str]:
        """Choose a colour for each word of ``coloured_by``, where these are few: what it means, or
        any."""
        column = next((each for each in self.columns if each.field == self.coloured_by), None)
        if column is None or self.field("colour"):
            return {}
        words = list(dict.fromkeys(column.filled))
        if len(words) > len(COLOURS):
            return {}
        found: dict[str, str] = {}
        for word in words:
            fitting = [colour for colour in colours_of_word(word) if colour not in found.values()]
            found |= {word: fitting[0]} if fitting else {}
        free = (colour for colour in COLOURS if colour not in found.values())
        return {word: found.get(word) or next(free) for word in words}

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

    def looks(self) -> Iterator[GuessedLook]:
        """Give looks to try, the best first, until all texts fit."""
        sizes = SMALL_SIZES if self.is_small else _SIZES
        uneven = _are_uneven(self._joined_texts("text", "further")) and not self.is_small
        if uneven:
            yield GuessedLook(each=True)
        for size in sizes:
            art = 0 if uneven else self._art_height(size)
            # A lower picture before a larger card.
            for lower in dict.fromkeys((art, min(art, _LOW_ART), min(art, _LEAST_ART))):
                yield GuessedLook(size, lower, uneven)
        yield GuessedLook(sizes[0], 0.42 if self.has_art else 0, text_shown=False)

    def _joined_texts(self, *roles: str) -> list[str]:
        """List what columns of some roles say together, of each card that has it."""
        columns = [each.values for each in self.columns if each.role in roles]
        cells = zip(*columns, strict=True)
        return [*filter(None, ("\n".join(filter(None, each)) for each in cells))]

    def _free(self, size: tuple[float, float]) -> float:
        """Estimate the millimetres of a card's height that art and text share."""
        unit = size[0] / 63
        rows = math.ceil(len(self.figures) / IN_A_ROW)
        boxes = (rows * 9 + max(0, rows - 1) * 1.4 + (2.8 if rows else 1.4)) * unit
        apart = self._lines(size, 2.9 * unit, "flavour")
        flavour = min(apart * 3.9 * unit + 2.2 * unit, size[1] / 4) if self.field("flavour") else 0
        return size[1] - 15.1 * unit - boxes - flavour

    def _lines(self, size: tuple[float, float], letter: float, *roles: str) -> int:
        """Estimate the lines of the longest text of some roles, a little more rather than less."""
        width = size[0] * 56 / 63
        texts = self._joined_texts(*roles)
        return max((_line_count(text, letter, width) for text in texts), default=0)

    def _art_height(self, size: tuple[float, float]) -> float:
        if not self.has_art:
            return 0
        left = self._free(size) - self._lines(size, _GOOD, "text", "further") * _GOOD * 1.4
        return round(min(max(left / size[1], _LEAST_ART), 0.52), 2)


def _are_uneven(texts: Iterable[str]) -> bool:
    """Tell whether a text is so long that, in one size, all others would be specks."""
    lengths = sorted(map(len, texts))
    return bool(lengths) and lengths[-1] > 3 * lengths[len(lengths) // 2]


def _line_count(text: str, letter: float, width: float) -> int:
    return sum(max(1, math.ceil(ems(part) * letter * 1.06 / width)) for part in text.split("\n"))


def _are_called_tokens(*names: str) -> bool:
    return _TOKENS.search(" ".join(names)) is not None


def _short(heading: str) -> str:
    """Cut a heading of a box that is too long for one behind a word."""
    words = heading[:25].rpartition(" ")[0].rstrip(" :：,-–(（/")
    return heading if len(heading) <= 24 else words or heading[:24]


def _line(heading: str) -> str:
    return heading.replace("\n", " ")


def short_type(column: Column) -> object:
    """Give a field's type as game.yaml has it: a word, or that with bounds or a pattern."""
    return column.type if len(column.type) > 1 else column.type["type"]


def card_kinds(tables: Mapping[str, Sequence[CardSheet]], lone: str = "") -> list[CardKind]:
    """Make a kind of each sheet of some files, or of each deck that a sheet's column names.

    ``lone`` is what the cards of the only sheet are called where that has no name.
    """
    kinds: list[CardKind] = []
    taken: dict[str, None] = {}
    for file, sheet in ((file, sheet) for file, sheets in tables.items() for sheet in sheets):
        called = "" if _UNNAMED.fullmatch(sheet.name) else sheet.name
        stem = plain_title(PurePosixPath(file).stem)
        title = plain_title(called) or lone or stem
        are_tokens = _are_called_tokens(title, sheet.name, file)
        columns = _with_fields(sheet.columns, taken, are_tokens=are_tokens)
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
                    id=_kind_id(word or called or stem, [each.id for each in kinds]),
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
    made = iter(ids_for([*taken, *without], {})[0][len(taken) :])
    return [
        replace(kind, ids=own.values if own else tuple(islice(made, len(kind.names))))
        for kind in kinds
        for own in [kind.column("id")]
    ]


def _with_fields(
    columns: Sequence[Column], taken: Collection[str], *, are_tokens: bool
) -> list[Column]:
    """Name the field of each column, other than what templates take themselves: what stands on the
    backs of tokens is one of these.

    Ids that cards of other sheets have are a note like others; ``taken`` are those.
    """
    found = []
    declared, _problems = declarations([PLAIN_STYLES["card"].template])
    used = {*CARD_ITSELF, *(name for one in declared.values() for name in one.takes)}
    for column in columns:
        if column.role == "id" and any(value in taken for value in column.values):
            column = replace(column, role="note")
        # In a figure's label, `[sword]` stands for an icon; its field has a plain name.
        name = _FIELDS.get(column.role, column.heading.strip("[]{}:") or column.heading)
        if column.back and _TOKEN_BACK not in used and (are_tokens or not column.label):
            name = _TOKEN_BACK
        while column.role not in _FIELDS and name in used:
            name += "_"
        used.add(name)
        found.append(replace(column, field=name))
    return found


def plain_title(stem: str) -> str:
    """Return what the name of a file or sheet says, without versions, copies and emoji, which stand
    on mats and margins, too; `night-market` is a name of two words."""
    title = " ".join(_EMOJI.sub(" ", stem).split())[:60]
    while (shorter := _VERSION.sub("", title)) not in ("", title):
        title = shorter
    if _PLAIN_NAME.fullmatch(title):
        title = " ".join(word[:1].upper() + word[1:] for word in re.split("[-_ ]", title))
    return title


def _kind_id(title: str, taken: Sequence[str]) -> str:
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in title.lower()).split()
    plain = "_".join(words)
    wanted = plain[:40] if plain[:1].isalpha() else "cards"
    others = (f"{wanted}{number}" for number in range(2, len(taken) + 3))
    return next(found for found in (wanted, *others) if found not in taken)


class GameParts(Struct, frozen=True):
    """What a game is made of: its kinds of cards, its table and pictures by their paths in it.

    ``back`` is the name of the picture of all backs, if there is one; ``marks`` tell how signs and
    words in brackets read.
    """

    kinds: tuple[CardKind, ...]
    table: Mapping[str, bytes]
    pictures: Mapping[str, bytes] = {}
    back: str = ""
    marks: Mapping[str, str] = {}


def game_files(facts: Facts, parts: GameParts, language: str) -> dict[str, bytes]:
    """Write all files of a game by their paths in its folder, the table and pictures too."""
    values: dict[str, Any] = fact_values(facts) | {
        "yaml": as_written,
        "files": ", ".join(PurePosixPath(name).name for name in parts.table),
        "kinds": parts.kinds,
        "marks": parts.marks,
        "pictures": parts.pictures,
        "back": PurePosixPath(parts.back).name,
        "supply": _supply(parts.kinds),
        "family": family_of(parts.kinds),
    }
    files = {**parts.table, **parts.pictures}
    if facts.board != "none":
        for name, template in (
            ("boards/board.yaml", f"boards/{facts.board}.yaml"),
            ("sheets/boards.yaml", "game/sheets/boards.yaml"),
        ):
            text = fill_template(template, name, language, **values)
            files[name] = text.partition(b"\n")[2]  # a game from tables has no schemas beside it
    for name in ("game.yaml", "layouts.yaml", "rooms/players.yaml"):
        files[name] = fill_template(f"from/{name}", name, language, **values)
    for kind in parts.kinds:
        id_ = "cards" if len(parts.kinds) == 1 else kind.id
        id_ = "board_cards" if id_ == "boards" else id_
        own = {**values, "id": id_, "kind": kind}
        path = f"sheets/{id_}.yaml"
        files[path] = fill_template("from/sheets/cards.yaml", path, language, **own)
        if kind.ids_file:
            rows = zip(kind.ids, kind.names, strict=True)
            files[kind.ids_file] = table_bytes([("id", "name"), *rows])
    return files


def family_of(kinds: Sequence[CardKind]) -> str:
    """Choose what a game looks like: its cards are numbers in suits, or one of six says a word."""
    if all(kind.is_series for kind in kinds):
        return "playing"
    columns = [(kind.names, sort.values if (sort := kind.column("type")) else ()) for kind in kinds]
    names = [
        " ".join(said).lower() for each in columns for said in zip_longest(*each, fillvalue="")
    ]
    titles = " ".join(f"{kind.title} {kind.sheet.file}" for kind in kinds).lower()
    for family, word in _family_words().items():
        if word.search(titles) or sum(map(bool, map(word.search, names))) * 6 > len(names):
            return family
    return "fantasy"


@cache
def _family_words() -> dict[str, re.Pattern[str]]:
    """Return what finds a word of each family; Latin ones are whole words."""
    path = shipped("templates") / "new" / "from" / "families.yaml"
    found: dict[str, re.Pattern[str]] = {}
    for family, words in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        latin = "|".join(filter(str.isascii, words))
        other = "|".join(word for word in words if not word.isascii())
        found[family] = re.compile(rf"(?<![a-z])(?:{latin})s?(?![a-z])|{other}")
    return found


def _supply(kinds: Sequence[CardKind]) -> dict[str, Any]:
    """Place the stacks beside one another, each at the left of a place where what is drawn from it
    lies too: Udonarium puts that right of it."""
    stacks: list[dict[str, Any]] = []
    zones: dict[str, Any] = {}
    per_row = min(3 if len(kinds) > 4 else 2, len(kinds))
    tall = max(kind.look.size[1] / kind.look.size[0] * 2 for kind in kinds) + 2.4
    piles = (-(-len(kind.names) // 4) for kind in kinds if kind.is_tokens)
    tall = max(tall, 0.5 + 1.5 * max(piles, default=0))
    for number, kind in enumerate(kinds):
        x, y = 0.4 + number % per_row * 6, 0.8 + number // per_row * (tall + 0.3)
        name = kind.title if kind.title not in zones else f"{kind.title} {number + 1}"
        place = [round(x, 2), round(y, 2), 5.8, round(tall, 2)]
        zones[name] = place if kind.is_tokens else {"at": place, "for": "draw"}
        at = [round(x + 0.5, 2), round(y + 0.9, 2)]  # below the name of its place
        stacks.append({"name": name, "kind": kind, "at": at})
    rows = -(-len(kinds) // per_row)
    # Tokens drawn from the last pile of a row lie beside it, and on nobody's hand.
    beside = 1.2 if any(kind.is_tokens for kind in kinds) else 0
    size = [round(0.6 + per_row * 6 + beside, 2), round(1 + rows * (tall + 0.3), 2)]
    scale = math.floor(10 * math.sqrt(MOST_SCREEN_PIXELS / (size[0] * size[1])) / _SQUARE) / 10
    return {"size": size, "zones": zones, "stacks": stacks, "scale": min(2.5, scale)}


# Millimetres of a square of the table.
_SQUARE = 20

_MOST_PICTURES = 1000


def find_pictures(folder: Path) -> dict[str, Path]:
    """Find the pictures of a folder and of those in it, by their paths there.

    Raises ``InvalidSource``.
    """
    if not folder.is_dir():
        raise error_at(COMMAND_LINE, "FROM", "no-folder", path=folder)
    found = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in PICTURE_TYPES
        and not any(part.startswith((".", "~")) for part in path.relative_to(folder).parts)
        and path.is_file()
    }
    if not found:
        raise error_at(
            COMMAND_LINE, "FROM", "no-pictures", path=folder, names=", ".join(PICTURE_TYPES)
        )
    if len(found) > _MOST_PICTURES:
        raise error_at(
            COMMAND_LINE,
            "FROM",
            "many-pictures",
            path=folder,
            count=len(found),
            most=_MOST_PICTURES,
        )
    return found


def read_picture_files(paths: Mapping[str, Path]) -> dict[str, bytes]:
    """Read pictures by the names they get. Raises ``InvalidSource``."""
    each = each_of(lambda path: read_bytes(path, str(path), MAX_BYTES), paths.values())
    return dict(zip(paths, each, strict=True))


# Names of pictures that are the back of all cards.
_BACKS = frozenset(
    map(folded, ("back", "backs", "card back", "ura", "裏", "裏面", "カード裏", "背面"))
)

_TIMES = re.compile(
    r"[\s_]*(?:[x×＊*][\s_]*([0-9]{1,2})|[（(]([0-9]{1,2})(?:枚)?[）)]|([0-9]{1,2})枚)$"
)


def find_back(files: Iterable[str]) -> str:
    """Find the picture that is the back of all cards; empty where there is none."""
    return next((name for name in files if folded(PurePosixPath(name).stem) in _BACKS), "")


def match_pictures(
    kinds: Sequence[CardKind], fronts: Sequence[str]
) -> tuple[list[CardKind], Matched]:
    """Give kinds a window where some of the pictures are theirs; tell which these are.

    They may be called by running numbers of the cards.
    """
    found = []
    used: dict[str, str] = {}
    missing: list[str] = []
    named = [name for kind in kinds if (art := kind.column("art")) for name in art.filled]
    asked = matched(((name, "", "") for name in named), fronts).files
    free = [file for file in fronts if file not in asked]
    for kind in kinds:
        cells = kind.column("art") or next(
            (c for c in kind.columns if c.role == "note" and are_rows(c.values)), None
        )
        own = fronts if cells is not None else free
        best = matched(zip([""] * len(kind.ids), kind.ids, kind.names, strict=True), own)
        is_by_id = True
        if cells is not None:
            by_cell = matched(zip(cells.values, kind.ids, kind.names, strict=True), own)
            is_by_id = len(by_cell.files) < len(best.files)
            best = best if is_by_id else by_cell
        if best.files:
            used |= best.files
            missing += best.missing
            # Where a column for pictures is still empty, a card shows the one of its id too.
            by_id = is_by_id and not any(c.role == "art" and not c.filled for c in kind.columns)
            kind = replace(kind, has_art=True, art_by_id=by_id)
            if cells is not None and not is_by_id:
                art = replace(cells, role="art", field="image", type={"type": "text"})
                rest = (
                    replace(c, role="more", field=c.heading) if c.role == "art" else c
                    for c in kind.columns
                    if c is not cells
                )
                kind = replace(kind, columns=(*rest, art))
        if (backs := kind.column("back")) is not None:
            used |= matched(((cell, "", "") for cell in backs.filled), fronts).files
        found.append(kind)
    others = tuple(file for file in fronts if file not in used)
    return found, Matched(used, tuple(missing), others)


def with_numerals(kinds: Sequence[CardKind]) -> list[CardKind]:
    """Print the running numbers of a tarot's cards, which elsewhere only count rows."""
    if family_of(kinds) != "tarot":
        return list(kinds)
    found = []
    for kind in kinds:
        rows = next((c for c in kind.columns if c.role == "note" and are_rows(c.values)), None)
        columns = (replace(c, role="power") if c is rows else c for c in kind.columns)
        found.append(replace(kind, columns=tuple(columns)))
    return found


def with_icons(kind: CardKind) -> CardKind:
    """Take the column of pictures for icons, where there are no pictures and it names icons."""
    column = kind.column("art")
    if kind.has_art or column is None:
        return kind
    if not (any(":" in name for name in column.filled) or all(map(find_icon, column.filled))):
        return kind
    own = replace(column, role="icon", field="icon")
    return replace(kind, columns=tuple(own if c is column else c for c in kind.columns))


def finished_cards(paths: Mapping[str, Path]) -> tuple[bytes, dict[str, Path], str]:
    """Name the cards of finished faces; tell where each picture is to lie, and which is the back.

    The names stand in a table, with the copies of ``slime x3.png``.
    """
    back = find_back(paths)
    cards = [_counted(PurePosixPath(name).stem) for name in paths if name != back]
    ids, _renamed = ids_for([name for name, _count in cards], {})
    fronts = [path for name, path in paths.items() if name != back]
    files = {
        f"finished/cards/{id_}{path.suffix.lower()}": path
        for id_, path in zip(ids, fronts, strict=True)
    }
    if back:
        files[f"finished/backs/cards{paths[back].suffix.lower()}"] = paths[back]
    return table_bytes([("name", "copies"), *cards]), files, back


def table_bytes(rows: Iterable[Sequence[object]]) -> bytes:
    """Write rows as a table that spreadsheets open."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8-sig")


def _counted(stem: str) -> tuple[str, int]:
    """Return a finished face's name and number, of ``slime x3`` or ``スライム（3枚）``."""
    times = _TIMES.search(stem)
    if times is None:
        return stem.strip(), 1
    count = next(int(each) for each in times.groups() if each)
    return stem[: times.start()].strip(), max(1, count)
