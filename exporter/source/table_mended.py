"""A table of builds or decks as it is after changes: rows and cells that stay as they are stay."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from exporter.model import Build, DeckEntry, Game
from exporter.reading_budget import PLAYERS, ReadingBudget
from exporter.rules.rewriting import deck_edits
from exporter.rules.written import card_written
from exporter.source.builds import table_headings
from exporter.source.meant import headed
from exporter.source.tables import Places, text_records

OF_A_CARD = ("card", "copies", "part", "deck", "pilot", "skill")
"""Columns that speak of their row alone; the others may be said in one row for all of a build."""


def mended_table(
    text: str, file: str, game: Game, changes: Iterable[tuple[Build, Build]]
) -> str | None:
    """The text of a table with builds or decks as they are after changes, each with what it was.

    Cards that come stand in rows of their own behind those of their part or deck. Nothing where
    pilots change, or a row of several lines.
    """
    table = _Table(text, file, game)
    if all(table.change(before, after) for before, after in changes):
        return table.text
    return None


class _Table:
    """Lines of a table, some of which are rows by now: each a list of what stands there."""

    def __init__(self, text: str, file: str, game: Game) -> None:
        self.game = game
        self.lines = [[line] for line in io.StringIO(text, newline="")]
        self.ending = "\r\n" if "\r\n" in text else "\n"
        self.ends = text.endswith(("\n", "\r"))
        self.separator, self.columns = ",", dict[str, int]()
        self.rows: dict[str, list[int]] = {}
        self._read(text, file)

    def _read(self, text: str, file: str) -> None:
        records = headed(
            text_records(text, file, ReadingBudget(PLAYERS)), table_headings(self.game)
        )
        owner, name = "build", ""
        for record in records:
            if not isinstance(record, tuple):
                continue
            cells, places = record
            assert isinstance(places, Places), "those of a text"
            if not self.columns:
                self.separator = places.separator
                self.columns = {word: cells.index(word) for word in cells}
                owner = "build" if "build" in self.columns else "name"
                continue
            at = self.columns.get(owner, len(cells))
            name = (cells[at] if at < len(cells) else "") or name
            self.rows.setdefault(name, []).append(places.line - 1)

    @property
    def text(self) -> str:
        """The table as it is now."""
        found = [re.sub(r"\r?\n$|\r$", "", one) for line in self.lines for one in line]
        return self.ending.join(found) + (self.ending if self.ends else "")

    def change(self, before: Build, after: Build) -> bool:
        """Change one build; whether that could be done."""
        rows = self.rows.get(before.name, self.rows.get("", []))
        if before.pilots != after.pilots or not rows:
            return False
        for key, word in after.frame.items():
            if word != before.frame.get(key) and not self._say(rows, key, word):
                return False
        last = self._cells(rows[-1])
        old, new = _by_part(before), _by_part(after)
        edits = deck_edits(old, replace(new, decks={**dict.fromkeys(old.decks, ()), **new.decks}))
        for edit in edits:
            if not self._change_row(rows, edit.row, edit.copies, edit.more):
                return False
        for part, entries in new.decks.items():
            if entries and not old.decks.get(part):
                kind = self.game.deck_kinds.get(part)
                there = {"deck": kind.name.ja} if kind else {"part": part}
                more = {row.card: row.copies for row in entries}
                self.lines[rows[-1]] += self._new(last, more, there)
        return True

    def _say(self, rows: Sequence[int], column: str, word: str) -> bool:
        """Write a word into the cells of a column that say anything."""
        said = [row for row in rows if self._cell(self._cells(row), column)]
        for row in said:
            self.lines[row][0] = self._written(self._cells(row), {column: word})
        return bool(said)

    def _change_row(
        self, rows: Sequence[int], row: DeckEntry, copies: int, more: Mapping[str, int]
    ) -> bool:
        line = row.where.line - 1
        if line not in rows or not self._is_whole(line):
            return False
        cells = self._cells(line)
        new = self._new(cells, more)
        if copies and copies != row.copies:
            own = self._with_copies(cells, copies)
        else:
            own = [self.lines[line][0]] if copies else []
        if not own and not new:
            self._hand_down(cells, [one for one in rows if one > line and self.lines[one]])
        self.lines[line] = [*own, *new, *self.lines[line][1:]]
        return True

    def _hand_down(self, cells: Sequence[str], below: Sequence[int]) -> None:
        """What a row that goes says for all of its build, said by the next."""
        if below:
            there = self._cells(below[0])
            said = {
                column: cells[at]
                for column, at in self.columns.items()
                if column not in OF_A_CARD and at < len(cells) and not self._cell(there, column)
            }
            self.lines[below[0]][0] = self._written(there, said)

    def _with_copies(self, cells: Sequence[str], copies: int) -> list[str]:
        if "copies" not in self.columns:
            return [self._written(cells, {})] * copies
        found = re.sub(r"\d+", str(copies), self._cell(cells, "copies"), count=1)
        return [self._written(cells, {"copies": found or str(copies)})]

    def _new(
        self, cells: Sequence[str], more: Mapping[str, int], there: Mapping[str, str] | None = None
    ) -> list[str]:
        """Rows of cards that come, as those of the same part."""
        found: list[str] = []
        for card, copies in more.items():
            said = {"card": card_written(self.game, card), "pilot": "", "skill": ""}
            said.update(there or {})
            own = self._with_copies(cells, copies)
            found += [self._written(next(self._parsed(one)), said) for one in own]
        return found

    def _is_whole(self, line: int) -> bool:
        return self.lines[line][0].count('"') % 2 == 0

    def _parsed(self, *lines: str) -> Iterator[list[str]]:
        return iter(csv.reader(lines, delimiter=self.separator))

    def _cells(self, line: int) -> list[str]:
        return next(self._parsed(self.lines[line][0]))

    def _cell(self, cells: Sequence[str], column: str) -> str:
        at = self.columns.get(column, len(cells))
        return cells[at] if at < len(cells) else ""

    def _written(self, cells: Sequence[str], said: Mapping[str, str]) -> str:
        """A row with some other cells; what is no column is not said."""
        found = [*cells]
        for column, word in said.items():
            at = self.columns.get(column)
            if at is not None:
                found += [""] * (at + 1 - len(found))
                found[at] = word
        written = io.StringIO()
        csv.writer(written, delimiter=self.separator, lineterminator="").writerow(found)
        return written.getvalue()


def _by_part(build: Build) -> Build:
    """A build whose cards are rows of decks; those of a part stand under its name."""
    if not build.has_parts:
        return build
    rows: dict[str, list[DeckEntry]] = {part: [] for part in build.mounted}
    for part, _slot, card, where in build.cards():
        last = rows[part][-1] if rows[part] else None
        if last is not None and last.card == card and last.where == where:
            rows[part][-1] = replace(last, copies=last.copies + 1)
        else:
            rows[part].append(DeckEntry(deck=part, card=card, mark="", copies=1, where=where))
    return replace(build, decks={part: tuple(found) for part, found in rows.items()})
