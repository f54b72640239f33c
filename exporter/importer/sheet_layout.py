"""A sheet as somebody keeps it: where its headings stand, which rows are cards, what cells hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.importer.column_roles import (
    Headings,
    Role,
)
from exporter.importer.column_types import (
    DECIMAL,
    is_numeric,
    sort_of,
)
from exporter.model.spelling import (
    MOST_REPEATED,
    is_remark,
    is_sum,
    number_of_copies,
    repeats,
)

_SEARCHED = 12
"""Rows in which the headings are looked for."""

_LONG, _SHORT = 24, 14
"""Characters of a text that reads as a sentence; of a short one."""

_SAME = 8
"""Cards that a column tells nothing about which says the same of all of them."""

_NARROW = 8
"""Ems of what a box of a figure holds."""

_MOST_CARDS = 1000
"""Cards that lie in one stack: numbers that make more are no copies."""

_FILE = re.compile(r".+\.(png|jpe?g|webp|svg|gif|bmp|tiff?)", re.IGNORECASE)
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


Unread: TypeAlias = Literal["no-heading", "twice", "hidden", "flawed", "empty"]
"""Why a column is not read."""


class Cells(Struct, frozen=True):
    """A sheet's rows, each with its number; ``days`` are cells of which a date was made.

    ``flawed`` are cells that cannot be read, ``Sheet1!C12`` by row and column from 0.
    """

    file: str
    sheet: str
    rows: Sequence[tuple[int, tuple[str, ...]]]
    days: frozenset[tuple[int, int]] = frozenset()
    flawed: Mapping[tuple[int, int], str] = {}


class Column(Struct, frozen=True):
    """A column: its heading and what it was taken for; ``values`` are those of the cards."""

    heading: str
    role: Role
    type: str
    pattern: str
    values: tuple[str, ...]
    least: int = 0
    most: int = 0

    @property
    def longest(self) -> int:
        """Characters of its longest value."""
        return max(map(len, self.values), default=0)

    @property
    def filled(self) -> int:
        """How many of its cells hold something."""
        return sum(map(bool, self.values))


class Sheet(Struct, frozen=True):
    """A sheet that holds cards: the row of its headings, its columns, what is none of these.

    ``ignored`` are headings with the reason and, where it is one, the cell; ``no_cards`` the names
    of rows that are no cards.
    """

    cells: Cells
    heading: int
    columns: tuple[Column, ...]
    ignored: tuple[tuple[str, Unread, str], ...] = ()
    no_cards: tuple[str, ...] = ()
    named_by: tuple[str, ...] = ()
    """Headings whose words together are the names of cards that have none."""

    def column(self, role: Role) -> Column | None:
        """The column of a role, if there is one."""
        return next((each for each in self.columns if each.role == role), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its cards."""
        found = self.column("name")
        return found.values if found is not None else ()

    @property
    def count(self) -> int:
        """How many cards it has."""
        return len(self.columns[0].values) if self.columns else 0


def wide(text: str) -> float:
    """About how many ems a text takes."""
    return sum(0.56 if ord(letter) < 0x2000 else 1.0 for letter in text)


def is_hidden(heading: str) -> bool:
    """Whether a heading says itself that its column is not to be read: ``#idea``."""
    return heading.startswith("#") and bool(heading[1:2].strip())


def looked_at(cells: Cells, words: Headings) -> Sheet | None:
    """A sheet as cards, or nothing where it holds none."""
    found = _headings(cells, words)
    if found is None:
        return None
    number, headings = found
    below = [
        (line, row) for line, row in cells.rows if line > number and not repeats(row, headings)
    ]
    width = max([len(headings), *(len(row) for _line, row in below)])
    wide = [(line, (*row, *[""] * (width - len(row)))) for line, row in below]
    headings = [*headings, *[""] * (width - len(headings))]
    name = _name_column(headings, [row for _line, row in wide], words)
    if name is None:
        return _nameless(cells, number, headings, wide, words)
    sums = [row[name] for _line, row in wide if is_sum(row[name]) or is_remark(row[name], row)]
    nameless = any(not row[name] and any(row) for _line, row in wide)
    no_cards = (*dict.fromkeys(sums), *([""] if nameless else []))
    cards = [(line, row) for line, row in wide if row[name] not in no_cards]
    if not cards:
        return None
    return _with_columns(cells, number, headings, cards, name, no_cards, words)


def lies_on_its_side(sheet: Sheet, words: Headings) -> bool:
    """Whether headings stand below one another, and cards side by side."""
    roles = [words.role_of(name) for name in sheet.names]
    beside = [words.role_of(column.heading) for column in sheet.columns if column.role != "name"]
    return len({*roles}) > 1 and all(roles) and len(beside) > 1 and not any(beside)


def _nameless(
    cells: Cells,
    number: int,
    headings: list[str],
    rows: Sequence[tuple[int, tuple[str, ...]]],
    words: Headings,
) -> Sheet | None:
    """Cards without names, such as suits and numbers: a few short columns together name them."""
    known = ("suit", "power", "type", "cost", "colour", "more")
    roles = {i: words.role_of(heading) or "more" for i, heading in enumerate(headings) if heading}
    if not any(role in known[:-1] for role in roles.values()):
        return None
    cards = [(line, row) for line, row in rows if any(row)]
    short = [
        index
        for role in known
        for index, found in roles.items()
        if found == role
        and all(0 < len(row[index]) <= _SHORT for _line, row in cards)
        and not is_hidden(headings[index])
    ]
    if not cards or not short:
        return None
    by: list[int] = []
    for index in short[:3]:
        by.append(index)
        if len({tuple(row[i] for i in by) for _line, row in cards}) == len(cards):
            break
    wide = [(line, (*row, " ".join(row[i] for i in by))) for line, row in cards]
    sheet = _with_columns(cells, number, [*headings, "name"], wide, len(headings), (), words)
    return replace(sheet, named_by=tuple(headings[index] for index in by))


def _headings(cells: Cells, words: Headings) -> tuple[int, list[str]] | None:
    """The row that names the columns: the one that most looks like it, of the first ones."""
    best: tuple[float, int, list[str]] | None = None
    first: tuple[int, list[str]] | None = None
    for index, (line, row) in enumerate(cells.rows[:_SEARCHED]):
        texts = [cell for cell in row if cell]
        if not texts or index == len(cells.rows) - 1:
            continue
        known = sum(words.role_of(cell) is not None for cell in texts)
        plain = sum(len(cell) <= 30 and not DECIMAL.fullmatch(cell) for cell in texts)
        distinct = len(set(texts)) == len(texts)
        score = 3 * known + (plain - (len(texts) - plain)) * 0.5 + 2 * distinct - 0.4 * index
        if known and (best is None or score > best[0]):
            best = score, line, list(row)
        if first is None and len(texts) > 1:
            first = line, list(row) if plain == len(texts) and distinct else []
    if best is not None:
        return best[1], best[2]
    # Words that nobody knows may be headings in the first row alone, and numbers never are.
    return first if first is not None and first[1] else None


def _name_column(
    headings: Sequence[str], rows: Sequence[Sequence[str]], words: Headings
) -> int | None:
    """The column of names: by its heading, or the first of short texts that mostly differ."""
    named = [i for i, heading in enumerate(headings) if words.role_of(heading) == "name"]
    for index in named:
        if any(row[index] for row in rows):
            return index
    for index, heading in enumerate(headings):
        if not heading or words.role_of(heading) not in (None, "id"):
            continue
        values = [row[index] for row in rows if row[index]]
        plain = [value for value in values if not DECIMAL.fullmatch(value)]
        if (
            len(values) >= 0.7 * len(rows)
            and len(plain) == len(values)
            and len(set(values)) >= 0.8 * len(values)
            and max(map(len, values), default=0) <= 60
        ):
            return index
    return None


def _with_columns(
    cells: Cells,
    number: int,
    headings: Sequence[str],
    cards: Sequence[tuple[int, tuple[str, ...]]],
    name: int,
    no_cards: tuple[str, ...],
    words: Headings,
) -> Sheet:
    columns: list[Column] = []
    ignored: list[tuple[str, Unread, str]] = []
    taken: set[str] = set()
    seen: set[str] = set()
    plain = {
        words.plainly(heading): index
        for index, heading in reversed(list(enumerate(headings)))
        if any(row[index] for _line, row in cards)
    }
    for index, heading in enumerate(headings):
        values = tuple(row[index] for _line, row in cards)
        lines = [line for line, _row in cards]
        if not heading:
            is_between = any(headings[index:])
            holds = any(line > number and any(row[index : index + 1]) for line, row in cells.rows)
            if (is_between or holds) and ("", "no-heading", "") not in ignored:
                ignored.append(("", "no-heading", ""))
            continue
        if heading in seen:
            ignored += [(heading, "twice", "")] if (heading, "twice", "") not in ignored else []
            continue
        seen.add(heading)
        if is_hidden(heading):
            ignored.append((heading, "hidden", ""))
            continue
        flawed = [cells.flawed[line, index] for line in lines if (line, index) in cells.flawed]
        if flawed:
            ignored.append((heading, "flawed", flawed[0]))
            continue
        days = any((line, index) in cells.days for line in lines)
        if index != name and not any(values) and not days:
            ignored.append((heading, "empty", ""))
            continue
        role = "name" if index == name else words.role_of(heading)
        if index != name and words.plainly(heading) is None and role in plain:
            role = None
        columns.append(_column(heading, values, role, days=days, taken=taken))
    doubled = {heading for heading, why, _cell in ignored if why == "twice"}
    columns = [each for each in columns if each.heading not in doubled or each.role == "name"]
    return Sheet(cells, number, tuple(_settled(columns)), tuple(ignored), no_cards)


def _column(
    heading: str, values: tuple[str, ...], role: Role | None, *, days: bool, taken: set[str]
) -> Column:
    sort, pattern, least, most = sort_of(values, days=days)
    column = Column(heading, role or "more", sort, pattern, values, least, most)
    filled = [value for value in values if value]
    if role == "note" and _reads_as_text(filled, values) and "text" not in taken:
        role = "text"
    if role is not None and (role in taken or not _could_be(role, column, filled)):
        role = None
    if role is None and "art" not in taken and filled and all(map(_FILE.fullmatch, filled)):
        role = "art"
    says_the_same = len(values) >= _SAME and len({*values}) == 1
    role = role or ("more" if says_the_same else _by_cells(filled, pattern))
    taken.add(role)
    if role == "copies":
        sort, pattern = "number", ""
    if role in ("name", "id", "art", "text", "flavour"):
        sort, pattern = "text", ""
    return replace(column, role=role, type=sort, pattern=pattern)


def _could_be(role: Role, column: Column, filled: Sequence[str]) -> bool:
    """Whether its cells hold what the heading of a column says."""
    match role:
        case "copies":
            counts = [number_of_copies(value) for value in filled]
            known = [count for count in counts if count is not None]
            is_number = len(known) == len(filled) > 0
            is_some = is_number and min(known) >= 0 and max(known) <= MOST_REPEATED
            return is_some and sum(known) <= _MOST_CARDS
        case "id":
            return len(set(filled)) == len(column.values) and column.longest <= 64
        case "cost":
            return max(map(wide, filled), default=0) <= _NARROW
        case "colour":
            return all(_COLOUR.fullmatch(value) or len(value) <= _SHORT for value in filled)
        case "text":
            return not column.pattern
        case "type":
            return column.type != "number"  # that of another table's row, as a class by its number
        case "art":
            return column.longest <= 80
    return True


def _reads_as_text(filled: Sequence[str], values: Sequence[str]) -> bool:
    """Whether what is called notes is what most cards say."""
    return len(filled) >= 0.3 * len(values) and max(map(len, filled), default=0) >= _LONG


def _by_cells(filled: Sequence[str], pattern: str) -> Role:
    """What a column is for whose heading says nothing known."""
    longest = max(map(len, filled), default=0)
    if any(value.endswith("。") for value in filled):
        return "text"
    if pattern or max(map(wide, filled), default=0) <= _NARROW:
        return "figure"
    return "more" if longest < _LONG else "text" if longest >= 2 * _LONG else "more"


def _settled(columns: Sequence[Column]) -> list[Column]:
    """Columns with their roles, where a sheet without a text, or with several, decides anew."""
    found = list(columns)
    roles = Counter(column.role for column in found)
    if not roles["text"]:
        long = [
            c
            for c in found
            if c.role in ("more", "note")
            and c.longest >= _LONG
            and sum(map(len, c.values)) >= _SHORT * c.filled
        ]
        if long:
            best = max(long, key=lambda column: sum(map(len, column.values)))
            found[found.index(best)] = replace(best, role="text", type="text", pattern="")
    if not roles["type"]:
        for index, column in enumerate(found):
            words = {value for value in column.values if value}
            few = 1 < len(words) <= max(2, len(column.values) // 4) and len(words) <= 12
            are_words = column.longest <= _LONG and not any(map(is_numeric, words))
            if column.role in ("figure", "more") and not column.pattern and few and are_words:
                found[index] = replace(column, role="type")
                break
    return found
