"""What a column of cards is for: by its heading first, and else by its cells."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Literal, TypeAlias, get_args

import yaml
from msgspec import Struct
from msgspec.structs import replace

from exporter.core.shipped_files import shipped
from exporter.faces.face_texts import folded
from exporter.faces.icons import is_colour
from exporter.model.fields import number_of_copies, whole_number
from exporter.model.shape import MOST, MOST_REPEATED

# What a column is for; ``figure``, ``more`` and ``further``, a second text, follow from its cells.
Role: TypeAlias = Literal[
    "id", "name", "copies", "deck", "type", "cost", "power", "suit", "text", "flavour", "art",
    "icon", "focus", "back", "colour", "note", "own", "figure", "more", "further",
]  # fmt: skip

# The type of a field as game.yaml has it, with its pattern or bounds.
CellType: TypeAlias = Mapping[str, str | int]

# Signs that head a column of copies.
_SIGNS = ("#", "×", "x", "X", "＃")

# Roles that the last word of a heading may tell, as in ``Card Text``, ``effectText``, 調整メモ.
_AT_END: tuple[Role, ...] = ("text", "art", "flavour", "cost", "name", "type", "note", "own")

# The first letter of Japanese and Chinese, which have no blanks between words.
_UNPARTED = 0x3040

# Between the words of a heading, also of ``effectText``.
_BETWEEN = re.compile(r"[\s_-]+|(?<=[a-z])(?=[A-Z])")

# Words of a column that says of each card whether something is done or so.
_TICKS = re.compile(r"y|n|yes|no|x|✓|✔|○|×|済|未|done|todo|ok|true|false", re.IGNORECASE)

# Characters of a text that reads as a sentence; of a short one.
_LONG, SHORT = 24, 14

# Cards that a column tells nothing about which says the same of all of them.
_SAME = 8

# Ems of what a box of a figure holds.
_NARROW = 8

# Cards that lie in one stack: numbers that make more are no copies.
_MOST_CARDS = 1000

# Different words of a column that sorts cards.
_MOST_TYPES = 12

# What names a card for its designer, such as `Q77`.
CODE = re.compile(r"[A-Za-z]{1,3}[-_ ]?[0-9]{1,4}")

FILE = re.compile(r".+\.(png|jpe?g|webp|svg|gif|bmp|tiff?)", re.IGNORECASE)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
# What a card costs to make, not to play.
_MONEY = re.compile(r"\D{0,2}[0-9]+\.[0-9]{2}\D{0,2}")
_ROMAN = re.compile(r"0|[IVXL]+")
_RANGE = re.compile(r"[+−-]?[0-9]{1,5} ?[～〜~–−-] ?[+−-]?[0-9]{1,5}")
FRONT = re.compile(r"^(?:front[\s_-]+|表面?の?)(?=.)|\s*[(（](?:front|表面?)[)）]$", re.IGNORECASE)
BACK = re.compile(
    r"^(?:(?:back|reverse|(?:back|flip|other) side)[\s:_-]+|裏面?の?)(?=.)"
    r"|\s*[(（](?:back|裏面?)[)）]$",
    re.IGNORECASE,
)
DECIMAL = re.compile(r"[+−-]?[0-9]{1,9}(?:\.[0-9]{1,6})?")

_TEXT: CellType = {"type": "text"}


class Column(Struct, frozen=True):
    """A column: its heading, what it is for, what its cells hold, and those of the cards.

    ``field`` is the name that game.yaml gives it; ``back`` is its role on the back of a card, and
    ``label`` what its heading says besides that it is the back's.
    """

    heading: str
    role: Role
    type: CellType
    values: tuple[str, ...]
    field: str = ""
    back: Role | None = None
    label: str = ""

    @property
    def longest(self) -> int:
        """Count the characters of its longest value."""
        return max(map(len, self.values), default=0)

    @property
    def filled(self) -> list[str]:
        """List the cells that hold something."""
        return [value for value in self.values if value]


class Headings(Struct, frozen=True):
    """The role of each known heading, folded."""

    roles: Mapping[str, Role]

    def of_sheet(self, sheet: str) -> Headings:
        """Know words of the sheet's own name, also without s, as headings of names: `Item`."""
        own = [folded(word) for word in (sheet, *_BETWEEN.split(sheet)) if word]
        names = dict[str, Role](
            {word.removesuffix(end): "name" for word in own for end in ("", "s", "es")}
        )
        return Headings({**names, **self.roles})

    def plain_role(self, heading: str) -> Role | None:
        """Look up what a heading itself, or what stands before its brackets, is known to mean."""
        plain = FRONT.sub("", heading.strip()).rstrip("?？")
        if plain in _SIGNS:
            return "copies"
        plain = plain.lstrip("#＃").strip()
        parts = (plain, *(plain.partition(sign)[0] for sign in "(（:：/[【" if sign in plain))
        return next((self.roles[word] for word in map(folded, parts) if word in self.roles), None)

    def is_of_back(self, heading: str) -> bool:
        """Tell whether a heading says that its column is of the back: `Back Move`, 裏の効果."""
        return BACK.search(heading) is not None and folded(heading) not in self.roles

    def role_of(self, heading: str) -> Role | None:
        """Look up what a heading, or else the last of its words, is known to mean."""
        if self.is_of_back(heading):
            return None
        if (role := self.plain_role(heading)) is not None:
            return role
        plain = heading.strip()
        ends = [plain[at:] for at in range(1, len(plain) - 1) if ord(plain[at]) >= _UNPARTED]
        ends += _BETWEEN.split(plain)[1:][-1:]
        found = (self.roles.get(folded(end)) for end in ends)
        return next((role for role in found if role in _AT_END), None)


@cache
def known_headings() -> Headings:
    """Read the words by which headings are known, in several languages."""
    path = shipped("templates") / "new" / "from" / "headings.yaml"
    words = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    return Headings({folded(word): role for role in get_args(Role) for word in words.get(role, ())})


def ems(text: str) -> float:
    """Estimate how wide a text is, in ems."""
    return sum(0.56 if ord(letter) < 0x2000 else 1.0 for letter in text)


def cell_type(values: Sequence[str]) -> CellType:
    """Find what the cells of a column hold."""
    filled = [value for value in values if value]
    if any(map(_RANGE.fullmatch, filled)) and all(map(_may_be_range, filled)):
        return {"type": "text", "pattern": "range"}
    numbers = [number for value in filled if (number := whole_number(value)) is not None]
    is_whole = 0 < len(numbers) == len(filled) and max(map(abs, numbers)) < 10**8
    is_whole = is_whole and not any(value[0] in "+＋" for value in filled)  # whose sign is shown
    if is_whole and len(filled) == len(values):
        least, most = min(numbers), max(numbers)
        bounds = {"least": least} if least < 0 else {}
        return {"type": "number", **bounds, **({"most": most} if most > MOST else {})}
    if is_whole or (filled and all(map(DECIMAL.fullmatch, filled))):
        return {"type": "text", "pattern": "number"}
    return _TEXT


def _may_be_range(value: str) -> bool:
    is_plain = value.isalnum() or value in "∞-–—" or DECIMAL.fullmatch(value)
    return len(value) <= 12 and bool(is_plain or _RANGE.fullmatch(value))


def assign_roles(
    columns: Sequence[tuple[str, CellType, tuple[str, ...]]],
    name: int,
    words: Headings,
    groups: Collection[str] = (),
) -> list[Column]:
    """Decide what each of the columns of cards is for; ``name`` is the index of their names.

    ``groups`` are headings of columns in which a word stands for a run of cards. A role that a
    heading tells belongs to one column at most.
    """
    plain = {words.plain_role(heading) for heading, _type, values in columns if any(values)}
    said_so = (Column(each[0], "copies", *each[1:]) for each in columns)
    counts = {
        each.heading: sum(map(bool, each.values))
        for each in said_so
        if words.plain_role(each.heading) == "copies" and _can_be("copies", each)
    }
    # Beside 枚数 a 数 is another number.
    fullest = max(counts, key=lambda heading: (counts[heading], len(heading)), default="")
    found: list[Column] = []
    for index, (heading, type_, values) in enumerate(columns):
        is_back = index != name and words.is_of_back(heading)
        label = BACK.sub("", heading) if is_back else ""
        role = None if label else words.role_of(heading)
        if role == "name" and index != name and all(map(CODE.fullmatch, values)):
            role = "id"
        if role == "colour" and not any(map(is_colour, values)):
            role = "suit"  # 月, 花, 鳥
        column = Column(heading, "more", type_, values, label=label)
        if label:
            back = _back_role(column, words.plain_role(label), {each.back for each in found})
            found.append(replace(column, back=back))
            continue
        if role == "back" and not all(map(FILE.fullmatch, filter(None, values))):
            found.append(replace(column, back="text" if column.longest >= _LONG else "name"))
            continue
        is_plain = words.plain_role(heading) is not None or role in ("note", "own")
        if (role in plain and not is_plain) or (
            role == "copies" and heading in counts and heading != fullest
        ):
            role = None
        column = replace(column, role=role or "more")
        taken = {"name", *(each.role for each in found)} - {"note", "own"}
        if role == "own" and "text" in plain:
            taken.add("text")
        role = "name" if index == name else _role_by_cells(column, role, taken)
        if role == "copies":
            type_ = {"type": "number"}
        elif role in ("name", "id", "art", "text", "flavour"):
            type_ = _TEXT
        found.append(replace(column, role=role, type=type_))
    return _with_type(_with_further(_with_text(found)), groups)


def _back_role(column: Column, role: Role | None, taken: Collection[Role | None]) -> Role:
    """Find what a column of the back is there: by its heading, else a figure or the text."""
    if role == "colour":
        return "more"  # a back has the colour of the front
    if role is not None and _can_be(role, column):
        return role
    if column.type != _TEXT or max(map(ems, column.filled), default=0) <= _NARROW:
        return "figure"
    return "text" if column.longest >= _LONG and "text" not in taken else "more"


def _role_by_cells(column: Column, role: Role | None, taken: set[Role]) -> Role:
    """Keep the role that a heading tells where the cells can be that, or find one by the cells."""
    filled = column.filled
    many = len(filled) >= 0.3 * len(column.values)
    if role == "own" and many and column.longest >= _LONG and "text" not in taken:
        role = "text"  # what is called notes is what most cards say
    if role == "cost" and filled and all(map(_MONEY.fullmatch, filled)):
        return "own"  # what it costs to make
    if role == "id" and filled and all(map(_ROMAN.fullmatch, filled)):
        role = "power"  # the numbers of a tarot are printed
    if role is not None and role not in taken and _can_be(role, column):
        return role
    if filled and all(map(FILE.fullmatch, filled)) and "art" not in taken:
        return "art"
    if len(column.values) >= _SAME and len({*column.values}) == 1:
        return "more"
    if role in ("id", "copies"):
        return "note"  # a running number
    if any(value.endswith("。") for value in filled):
        return "text"
    if column.type != _TEXT or max(map(ems, filled), default=0) <= _NARROW:
        return "figure"
    return "text" if column.longest >= 2 * _LONG else "more"


def _can_be(role: Role, column: Column) -> bool:
    """Tell whether the cells of a column hold what its heading says."""
    filled = column.filled
    match role:
        case "copies":
            counts = [number_of_copies(value) for value in filled]
            known = [count for count in counts if count is not None and count <= MOST_REPEATED]
            are_most = len(known) == len(filled) or 2 <= len(known) == len(filled) - 1
            is_number = known != [] and are_most and min(known) >= 0
            counts_up = len(known) > 2 and known == [*range(known[0], known[0] + len(known))]
            return is_number and sum(known) <= _MOST_CARDS and not counts_up
        case "id":
            is_own = len({*filled}) == len(column.values) and column.longest <= 64
            return is_own and ("id" in folded(column.heading) or not are_rows(filled))
        case "cost" | "power":
            return max(map(ems, filled), default=0) <= _NARROW
        case "colour":
            return all(_COLOUR.fullmatch(value) or len(value) <= SHORT for value in filled)
        case "text":
            return column.type == _TEXT and not all(map(FILE.fullmatch, filled))
        case "type":
            return column.type["type"] != "number"  # a row of another table, as a class by number
        case "art":
            return column.longest <= 80
        case "back":
            return not filled or all(map(FILE.fullmatch, filled))
    return True


def are_rows(numbers: Sequence[str]) -> bool:
    """Tell whether numbers only count the rows, from 0 or 1."""
    counted = [*map(whole_number, numbers)]
    return any(counted == [*range(first, first + len(counted))] for first in (0, 1))


def _with_text(columns: list[Column]) -> list[Column]:
    """Take the column with most to say for the text, where no other is."""
    long = [
        each
        for each in columns
        if each.role in ("more", "note") and not each.back and _is_long(each)
    ]
    if not long or any(each.role == "text" for each in columns):
        return columns
    best = max(long, key=lambda each: sum(map(len, each.values)))
    return [replace(c, role="text", type=_TEXT) if c is best else c for c in columns]


def _with_further(columns: list[Column]) -> list[Column]:
    """Take what else reads as sentences for more text below the first, where there is one."""
    texts = [each for each in columns if each.role == "text"]
    more = [c for c in columns if c.role == "more" and c.type == _TEXT and not c.back]
    long = [each for each in more if texts and _is_long(each) and len({*each.filled}) > 1]
    further = [*texts[1:], *long]
    return [replace(c, role="further", type=_TEXT) if c in further else c for c in columns]


def _is_long(column: Column) -> bool:
    """Tell whether what most cells of a column hold is long enough for a text."""
    return sum(map(len, column.values)) >= SHORT * len(column.filled) and column.longest >= _LONG


def _with_type(columns: list[Column], groups: Collection[str]) -> list[Column]:
    """Take the first column of groups, or of few words, for the type, where no other is."""
    if not any(each.role == "type" for each in columns):
        words = [each for each in columns if each.role in ("figure", "more") and not each.back]
        of_groups = [each for each in words if each.heading in groups and each.type == _TEXT]
        first = next(iter([*of_groups, *filter(_sorts, columns)]), None)
        return [replace(c, role="type") if c is first else c for c in columns]
    return columns


def _sorts(column: Column) -> bool:
    words = set[str]() if column.back else {*column.filled}
    is_few = 1 < len(words) <= min(_MOST_TYPES, max(2, len(column.values) // 2))
    are_words = column.longest <= _LONG and not any(map(_is_numeric, words))
    are_words = are_words and not all(map(_TICKS.fullmatch, words))
    return column.role in ("figure", "more") and column.type == _TEXT and is_few and are_words


def _is_numeric(word: str) -> bool:
    """Tell whether a word is digits with a letter at most, such as ½, 3+ and d6."""
    letters = sum(letter.isalpha() and not letter.isnumeric() for letter in word)
    return letters < 2 and any(map(str.isnumeric, word))
