"""Sheets of cards as somebody keeps them: where the headings stand, and which rows are cards."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import shorten
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    Severity,
    SourceLocation,
    error_at,
)
from exporter.core.reading_limits import (
    GAME,
    LimitExceeded,
    ReadingLimits,
)
from exporter.core.source_files import (
    MAX_BYTES,
    SPREADSHEETS,
    TABLES,
    read_bytes,
)
from exporter.faces.face_texts import folded
from exporter.importer.column_roles import (
    CODE,
    DECIMAL,
    FILE,
    SHORT,
    CellType,
    Column,
    Headings,
    assign_roles,
    cell_type,
    ems,
)
from exporter.loader.card_tables import table_records
from exporter.loader.spreadsheets import Parts, sheets_of
from exporter.loader.tables import column_letters
from exporter.model.fields import (
    DASHES,
    is_hidden,
    is_remark,
    is_sum,
    number_of_copies,
    repeats,
    with_dittos,
)

# Rows in which the headings are looked for.
_SEARCHED = 12

# Roles of columns whose words together name a card, the likeliest first.
_NAMING = ("suit", "power", "type", "cost", "colour", "more", "copies")

# Roles of columns that sort cards, of which the first row of a group alone may have the word.
SORTS = ("type", "suit", "deck", "colour")

# Why a column is not read.
Unread: TypeAlias = Literal[
    "no-heading", "twice", "hidden", "flawed", "empty", "dates", "own", "out-of-sight"
]

# What the names of rows that sum others up begin with; these hold figures alone.
_TOTAL = re.compile(r"(?:(?:grand |sub)?totals?|sum of|average)\b|合計|小計|総計", re.IGNORECASE)

# A line's number and its cells.
Row: TypeAlias = tuple[int, tuple[str, ...]]


class SheetCells(Struct, frozen=True):
    """A sheet's rows; ``days`` are month and day of cells, by line and index, that are dates.

    ``flawed`` are cells that cannot be read, with what they are called: ``Sheet1!C12``; ``merged``
    are merged cells, of which each row has the value; ``hidden`` is the whole sheet,
    ``out_of_sight`` are hidden columns.
    """

    file: str
    sheet: str
    rows: Sequence[Row]
    days: Mapping[tuple[int, int], str] = {}
    flawed: Mapping[tuple[int, int], str] = {}
    merged: frozenset[tuple[int, int]] = frozenset()
    hidden: bool = False
    out_of_sight: frozenset[int] = frozenset()


class CardSheet(Struct, frozen=True):
    """A sheet that holds cards: the line of its headings, its columns, and what is no card.

    ``ignored`` are headings with the reason and, where it is one, the cell; ``no_cards`` the names
    of rows that are no cards, and ``nameless`` the lines and words of those without; ``named_by``
    the columns that name cards which have no names. In a column of ``repeats`` a blank cell says
    what stands above it; so it is in ``merged`` ones. ``bare`` are the lines and names of cards of
    which the sheet has nothing else; below two rows of headings ``one_row`` is a heading that
    stands there twice.
    """

    file: str
    name: str
    heading: int
    columns: tuple[Column, ...]
    ignored: tuple[tuple[str, Unread, str], ...] = ()
    no_cards: tuple[str, ...] = ()
    nameless: tuple[tuple[int, str], ...] = ()
    named_by: tuple[str, ...] = ()
    repeats: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    bare: tuple[tuple[int, str], ...] = ()
    one_row: str = ""

    def column(self, role: str) -> Column | None:
        """Find the column of a role."""
        return next((each for each in self.columns if each.role == role), None)

    @property
    def names(self) -> tuple[str, ...]:
        """List the names of its cards."""
        return next(each.values for each in self.columns if each.role == "name")


def read_table_bytes(path: Path) -> bytes:
    """Read a table's bytes. Raises ``InvalidSource``."""
    if path.name.startswith("~$"):
        raise error_at(COMMAND_LINE, "FROM", "is-lock", name=path.name, open=path.name[2:])
    ending = path.suffix.lower()
    if ending not in TABLES:
        raise error_at(COMMAND_LINE, "FROM", "no-table", path=path, names=", ".join(TABLES))
    return read_bytes(path, str(path), MAX_BYTES[ending])


def read_sheets(path: Path, data: bytes, sheet: str = "") -> list[SheetCells]:
    """Read the sheets of a table, or the named one. Raises ``InvalidSource``."""
    where = SourceLocation(str(path))
    if sheet and path.suffix.lower() not in SPREADSHEETS:
        raise error_at(where, "FROM", "no-sheet", name=path.name, sheet=sheet)
    try:
        return list(_sheets(path.name, data, sheet))
    except InvalidSource as error:
        raise InvalidSource([replace(one, where=where) for one in error.problems]) from None
    except LimitExceeded as limit:
        raise error_at(where, "FROM", "too-much", found=limit) from None


def _sheets(name: str, data: bytes, sheet: str) -> Iterator[SheetCells]:
    budget = ReadingLimits(GAME)
    is_one = sheet or not name.lower().endswith(SPREADSHEETS)
    for each, hidden in ({sheet: False} if is_one else sheets_of(Parts(data, name))).items():
        read = table_records(data, name, budget, each)
        at = {(line, column - 1): flaw for (line, column), flaw in read.flaws.items()}
        yield SheetCells(
            name,
            each,
            [(places[0].line, tuple(cells)) for cells, places in read.records],
            {place: flaw.day for place, flaw in at.items() if flaw.day},
            {
                p: f.problem.where.cell
                for p, f in at.items()
                if not f.day and f.problem.severity == Severity.ERROR
            },
            frozenset(p for p, f in at.items() if f.problem.sentence.key == "merged"),
            hidden,
            frozenset(column - 1 for column in read.hidden),
        )


def card_sheets(
    path: Path, data: bytes, sheet: str, words: Headings
) -> tuple[list[CardSheet], list[SheetCells]]:
    """Find the sheets that hold cards, and the others: also those that are hidden.

    Where some have a heading for names, only these do. Raises ``InvalidSource``.
    """
    where = SourceLocation(str(path))
    cells = read_sheets(path, data, sheet)
    own = [e for e in cells if e.hidden or (words.plain_role(e.sheet) == "own" and not sheet)]
    found = [
        each for some in cells if some not in own and (each := card_sheet(some, words)) is not None
    ]
    named = [each for each in found if not each.named_by]
    kept = [each for each in named if _has_names(each, words)] or named[:1] or found[:1]
    if not kept:
        raise error_at(where, "FROM", "no-cards" if len(cells) > 1 else "no-cards-here")
    for each in kept:
        place = replace(where, cell=each.name)
        (heading,) = (column.heading for column in each.columns if column.role == "name")
        if (heading, "twice", "") in each.ignored:
            raise error_at(place, "FROM", "name-twice", heading=heading)
        if _lies_on_its_side(each, words):
            raise error_at(place, "FROM", "on-its-side", names=", ".join(each.names[:4]))
        rows = next(one.rows for one in cells if one.sheet == each.name)
        if other := _other_headings(rows, each, heading, words):
            lines = ", ".join(map(str, sorted((each.heading, other))))
            raise error_at(place, "FROM", "two-tables", lines=lines)
    names = {each.name for each in kept}
    return kept, [each for each in cells if each.sheet not in names]


def _has_names(sheet: CardSheet, words: Headings) -> bool:
    """Check that a heading says names, or that the first column holds some, such as `Event`.

    A column of numbers alone beside it makes a list of rates, not cards.
    """
    before = ("id", "copies", "note", "type")
    first = next((each for each in sheet.columns if each.role not in before), None)
    (name,) = (each for each in sheet.columns if each.role == "name")
    says_more = any(each.role not in ("name", "figure") for each in sheet.columns)
    says_name = words.of_sheet(sheet.name).role_of(name.heading) == "name"
    return says_name or (first is name and says_more)


def _other_headings(rows: Sequence[Row], sheet: CardSheet, name: str, words: Headings) -> int:
    """Return the line of further headings, as of a table below another; 0 where there are none.

    They stand beyond a card, with the same heading of names and one that is another.
    """
    own = {name, *(column.heading for column in sheet.columns)}
    for line, row in rows:
        texts = {*filter(None, row)}
        known = sum(words.role_of(text) is not None for text in texts)
        is_far = abs(line - sheet.heading) > 2
        if is_far and name in texts and known > 1 and not texts <= own:
            return line
    return 0


def _lies_on_its_side(sheet: CardSheet, words: Headings) -> bool:
    """Tell whether headings stand below one another, and cards side by side."""
    roles = [words.role_of(name) for name in sheet.names]
    beside = [words.role_of(column.heading) for column in sheet.columns if column.role != "name"]
    return len({*roles}) > 1 and all(roles) and len(beside) > 1 and not any(beside)


def card_sheet(cells: SheetCells, words: Headings) -> CardSheet | None:
    """Find the cards of a sheet, if it holds some."""
    words = words.of_sheet(cells.sheet)
    line, head = _heading_row(cells.rows, words)
    below = [(at, row) for at, row in cells.rows if at > line and not repeats(row, head)]
    width = max([len(head), *(len(row) for _line, row in below)])
    headings = [*head, *[""] * (width - len(head))]
    rows = [(at, (*row, *[""] * (width - len(row)))) for at, row in below]
    seen = ["" if at in cells.out_of_sight else one for at, one in enumerate(headings)]
    name = _name_column(seen, [row for _line, row in rows], words)
    naming: list[int] = []
    if name is None:
        naming = _naming_columns(seen, [row for _line, row in rows], words)
        rows = [(at, (*row, " ".join(row[i] for i in naming))) for at, row in rows]
        name, headings = width, [*headings, "name"]
    end = _legend(rows, name, [*map(words.role_of, headings), "copies"].index("copies"))
    real = {row[name] for _line, row in rows[:end]}
    sections = _sections([row for _line, row in rows], name)
    none = dict.fromkeys(
        _called(row, name)
        for index, (_line, row) in enumerate(rows)
        if _is_no_card(row, row[name])
        or row[name] in sections
        or (index >= end and row[name] not in real)
    )
    cards = [(at, row) for at, row in rows if _called(row, name) not in none]
    if not cards:
        return None
    above = next((row for at, row in cells.rows if at == line - 1), ())
    both = [h for over, h in zip(above, head, strict=False) if over and head.count(h) > 1]
    bare = tuple((at, row[name]) for at, row in cards if sum(map(bool, row)) == 1)
    roles = {at: words.role_of(one) for at, one in enumerate(headings) if one and at != name}
    # What nobody knows is a group where it stands before the names: after them, it is a remark,
    # but where each word has two rows or more.
    sorts = {at for at, role in roles.items() if role in SORTS}
    unknown = {at for at, role in roles.items() if role is None}
    unsaid = [with_dittos(row, [""] * len(row)) for _, row in cards]
    words_of = {at: [row[at] for row in unsaid] for at in sorts | unknown}
    may = {
        at: values
        for at, values in words_of.items()
        if at in sorts or at < name or not any(a and b for a, b in pairwise([*values, "end"]))
    }
    groups = _groups(may, {at for at in may if at in sorts or at < name})
    cards = _filled_down(cards, groups)
    below_head = {at for row, at in cells.merged if row > line}
    merged = [at for at in sorted(below_head) if at < width and headings[at]]
    columns, ignored = _columns(cells, line, headings, cards, name, words, {*groups, *merged})
    # What tells 赤 1 from 赤 2 counts no copies.
    number = [headings[at] for at in naming if words.role_of(headings[at]) == "copies"]
    columns = tuple(
        replace(c, role="power", type=cell_type(c.values)) if c.heading in number else c
        for c in columns
    )
    no_cards = tuple(sorted(none, key=lambda word: not word))
    return CardSheet(
        *(cells.file, cells.sheet, line, columns, ignored, no_cards),
        nameless=tuple(
            (at, shorten(" ".join(filter(None, row)), 2 * SHORT, placeholder=" …"))
            for at, row in rows
            if any(row) and not row[name] and not any(map(is_sum, row))
        ),
        named_by=tuple(headings[at] for at in naming),
        repeats=tuple(headings[at] for at in groups),
        merged=tuple(headings[at] for at in merged),
        bare=bare if len(bare) < len(cards) else (),
        one_row=both[0] if both and sum(map(bool, above)) > 1 else "",
    )


def _called(row: Sequence[str], name: int) -> str:
    """Return what a row is called: by the word of a sum in any column, or by its name."""
    return next((cell for cell in row if is_sum(cell)), row[name])


def _groups(columns: Mapping[int, Sequence[str]], sorts: Collection[int]) -> list[int]:
    """Find the columns in which only the first row of each run of cards names a group.

    In a column that ``sorts`` cards, or stands before their names, a word may come again after
    another one, or where runs of another column begin as well.
    """
    starts = {
        at: {row for row, value in enumerate(values) if value}
        for at, values in columns.items()
        if values[0] and all(map(_names_group, filter(None, values)))
    }
    rare = {at: some for at, some in starts.items() if 1 < len(some) <= len(columns[at]) / 2}
    words = {at: [*filter(None, columns[at])] for at in rare}
    whole = {
        at: some
        for at, some in rare.items()
        if len({*words[at]}) == len(some)
        or (at in sorts and all(a != b for a, b in pairwise(words[at])))
    }
    return [
        at
        for at, some in rare.items()
        if at in whole or (at in sorts and any(some >= each for each in whole.values()))
    ]


def _names_group(word: str) -> bool:
    return ems(word) <= SHORT and not DECIMAL.fullmatch(word) and not FILE.fullmatch(word)


def _filled_down(cards: Sequence[Row], columns: Sequence[int]) -> list[Row]:
    """Give each blank cell of some columns what stands above it, and each ``〃``."""
    above: dict[int, str] = {}
    found: list[Row] = []
    for line, cells in cards:
        row = with_dittos(cells, found[-1][1] if found else ())
        above |= {at: "" if row[at] in DASHES else row[at] for at in columns if row[at]}
        found.append((line, tuple(above.get(at, cell) for at, cell in enumerate(row))))
    return found


def _sections(rows: Sequence[Sequence[str]], name: int) -> list[str]:
    """List the names that stand alone in a row and head those below: the first row does so."""
    heads = [
        row[name]
        for row, below in pairwise(rows)
        if sum(map(bool, row)) == 1 and sum(map(bool, below)) > 2
    ]
    return heads if heads[:1] == [row[name] for row in rows[:1]] else []


def _legend(rows: Sequence[Row], name: int, copies: int) -> int:
    """Find where rows begin that explain those above: below a blank row, with a colon behind the
    first name, none with copies, which most above have, or nothing else in the rows, of which most
    above have more; ``copies`` is that column, if any."""
    filled = [sum(map(bool, row)) for _line, row in rows]
    cells = (next(iter(row[copies : copies + 1]), "") for _line, row in rows)
    counted = [number_of_copies(cell) is not None for cell in cells]
    for at in range(1, len(rows)):
        line, above = rows[at - 1]
        is_apart = rows[at][0] > line + 1 + sum(cell.count("\n") for cell in above)
        if is_apart and (
            rows[at][1][name].endswith((":", "："))
            or (2 * sum(counted[:at]) > at and not any(counted[at:]))
            or (max(filled[at:]) == 1 and 2 * filled[:at].count(1) < at)
        ):
            return at
    return len(rows)


def _is_range(day: str) -> bool:
    """Tell whether month and day of a date may have been a range: 1-3, not 3-1."""
    month, _, of_month = day.partition("-")
    return int(month) <= int(of_month) <= 12


def _is_no_card(row: Sequence[str], name: str) -> bool:
    """Tell whether a row sums others up, holds a remark or a line across, or has no name."""
    is_line = any(len(cell) > 2 and not cell.strip("-=_─━―–—－＝ー*~") for cell in row)
    figures = all(cell == name or DECIMAL.fullmatch(cell) for cell in row if cell)
    is_total = is_sum(name) or (_TOTAL.match(name) and "" in row and figures)
    is_total = is_total or (any(map(is_sum, row)) and max(map(len, row)) <= SHORT)
    return bool(is_total or is_remark(name, row) or is_line or (not name and any(row)))


def _heading_row(rows: Sequence[Row], words: Headings) -> tuple[int, tuple[str, ...]]:
    """Find the row that names the columns: of the first ones, the one that most looks like it.

    Words that nobody knows may be headings in the first row alone, and numbers never are.
    """
    best: tuple[float, int, tuple[str, ...]] = (-math.inf, 0, ())
    first: tuple[int, tuple[str, ...]] | None = None
    for index, (line, row) in enumerate(rows[:_SEARCHED]):
        texts = [cell for cell in row if cell]
        next_one = rows[index + 1][1] if index < len(rows) - 1 else ()
        is_above = not row[0] and 2 * len(texts) < sum(map(bool, next_one))
        if not texts or not next_one or is_above:
            continue
        known = sum(words.role_of(cell) is not None for cell in texts)
        plain = sum(len(cell) <= 30 and not DECIMAL.fullmatch(cell) for cell in texts)
        is_distinct = len(set(texts)) == len(texts)
        score = 3 * known + plain - len(texts) / 2 + 2 * is_distinct - 0.4 * index
        if known and score > best[0]:
            best = score, line, row
        if first is None and len(texts) > 1:
            first = line, row if plain == len(texts) and is_distinct else ()
    line, head = best[1:] if best[2] else first or (0, ())
    for below, row in rows[:_SEARCHED]:
        # Of two rows, of which most cells are merged, the lower one says all.
        alike = sum(cell == above != "" for cell, above in zip(row, head, strict=False))
        if below == line + 1 and row != head and 2 * alike > len([*filter(None, head)]):
            return below, row
    return line, head


def _name_column(
    headings: Sequence[str], rows: Sequence[Sequence[str]], words: Headings
) -> int | None:
    """Find the column of names: by its heading, or the first of short texts that mostly differ;
    a column of ids only where there is no other, and a title where none stands before it."""
    roles = [words.role_of(heading) for heading in headings]
    cells = [[row[index] for row in rows if row[index]] for index in range(len(headings))]
    own = [len(set(values)) >= 0.8 * len(values) for values in cells]
    named = [
        index
        for index, role in enumerate(roles)
        if role == "name" and not all(map(DECIMAL.fullmatch, cells[index]))
    ]
    are_codes = [all(map(CODE.fullmatch, values)) for values in cells]
    named.sort(key=lambda at: (not own[at], are_codes[at], folded(headings[at]) == "title"))
    others = [
        index
        for index in sorted(range(len(headings)), key=lambda index: roles[index] == "id")
        if headings[index]
        and not is_hidden(headings[index])
        and roles[index] in (None, "id")
        and len(cells[index]) >= 0.7 * len(rows)
        and own[index]
        and not any(map(DECIMAL.fullmatch, cells[index]))
        and max(map(len, cells[index]), default=0) <= 60
    ]
    titles = [index for index in named[:1] if folded(headings[index]) == "title"]
    before = [index for index in others if roles[index] is None and index < max(titles, default=0)]
    return next(iter([*before, *named, *others]), None)


def _naming_columns(
    headings: Sequence[str], rows: Sequence[Sequence[str]], words: Headings
) -> list[int]:
    """Find up to three short columns that together name cards without names: suit and number."""
    roles = {i: words.role_of(heading) or "more" for i, heading in enumerate(headings) if heading}
    short = [
        index
        for index, role in roles.items()
        if role in _NAMING and not is_hidden(headings[index])
        if all(0 < len(row[index]) <= SHORT for row in rows)
    ]
    short.sort(key=lambda index: _NAMING.index(roles[index]))
    if not {*roles.values()} & {*_NAMING[:-2]}:
        return []
    for count in range(1, 3):
        if len({tuple(row[i] for i in short[:count]) for row in rows}) == len(rows):
            return short[:count]
    return short[:3]


def _columns(
    cells: SheetCells,
    line: int,
    headings: Sequence[str],
    cards: Sequence[Row],
    name: int,
    words: Headings,
    groups: Collection[int],
) -> tuple[tuple[Column, ...], tuple[tuple[str, Unread, str], ...]]:
    """Find what each column holds, and which headings are not read."""
    lines = [at for at, _row in cards]
    times = Counter(headings)
    found: list[tuple[str, CellType, tuple[str, ...]]] = []
    ignored: dict[tuple[str, Unread, str], None] = {}
    names = 0
    arts = [at for at, heading in enumerate(headings) if words.role_of(heading) == "art"]
    # Pictures often come later than the table: a column for them is kept while it is empty.
    is_kept = not any(row[at] for at in arts for _line, row in cards)
    later = next((at for at in arts if is_kept and "icon" not in folded(headings[at])), None)
    for index, heading in enumerate(headings):
        values = tuple(row[index] or cells.days.get((at, index), "") for at, row in cards)
        flawed = [cells.flawed[at, index] for at in lines if (at, index) in cells.flawed]
        days = [cells.days[at, index] for at in lines if (at, index) in cells.days]
        below = (row[index : index + 1] for at, row in cells.rows if at > line)
        reasons: tuple[tuple[Unread, bool], ...] = (
            ("no-heading", not heading),
            ("twice", times[heading] > 1),
            ("hidden", is_hidden(heading)),
            ("flawed", index != name and bool(flawed)),
            ("empty", index not in (name, later) and not any(values)),
            ("out-of-sight", index in cells.out_of_sight),
            ("dates", len(days) == sum(map(bool, values)) and not all(map(_is_range, days))),
        )
        unread = next((why for why, is_so in reasons if is_so), None)
        if unread is not None and (heading or any(map(any, below))):
            cells_of = {"flawed": flawed[:1], "no-heading": [column_letters(index + 1)]}
            ignored[heading, unread, "".join(cells_of.get(unread, ()))] = None
        if index == name:
            names = len(found)
        if index == name or (heading and unread is None):
            found.append((heading, cell_type(values), values))
    columns = assign_roles(found, names, words, {headings[at] for at in groups})
    ignored |= {(each.heading, "own", ""): None for each in columns if each.role == "own"}
    return tuple(each for each in columns if each.role != "own"), tuple(ignored)
