"""Decks that players bring, out of documents, rows of tables, plain lists and lines.

A deck may be called by its kind or a printed deck, a card by any of its names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.names import normalized
from exporter.core.problems import UNREADABLE, Problem, SourceLocation, nearest
from exporter.loader.load_context import LoadContext
from exporter.loader.tables import Row
from exporter.model import Build, Card, DeckEntry, Field, Game, Value
from exporter.model.fields import SUMS, number_of_copies, read_value
from exporter.model.forms import described
from exporter.model.game_names import headings, name_index
from exporter.model.mech import MOST_OF_A_CARD, CardList, WrittenSubmission
from exporter.model.rule_records import Case
from exporter.rules.figures import may_lie


class DeckRows(Struct):
    """The decks of one build as they are read: their rows, and where they stand."""

    name: str
    where: SourceLocation
    rows: dict[str, list[DeckEntry]] = field(default_factory=dict)
    places: dict[str, SourceLocation] = field(default_factory=dict)

    def add(self, deck: str, entry: DeckEntry | None, where: SourceLocation) -> None:
        """Add a row, or that there is one which could not be read."""
        if deck != UNREADABLE:
            self.places.setdefault(f"deck {deck}", where)
            self.rows.setdefault(deck, []).extend([entry] if entry else [])

    @property
    def decks(self) -> dict[str, tuple[DeckEntry, ...]]:
        """Its rows as a build has them."""
        return {deck: tuple(rows) for deck, rows in self.rows.items()}

    def build(self) -> Build:
        """Return them as a construction of nothing else."""
        return Build(
            name=self.name,
            frame={},
            mounted={},
            decks=self.decks,
            where=self.where,
            places=self.places,
        )


class DeckReader(Struct):
    """Reads the decks of one file."""

    reading: LoadContext
    game: Game

    def deck(self, typed: str, where: SourceLocation) -> str:
        """Return the kind of deck that somebody names, or the only one there is."""
        if typed == UNREADABLE:
            return typed
        if not typed:
            alone = [kind for kind in self.game.deck_kinds.values() if not kind.beside]
            if len(alone) <= 1:
                return first_kind(self.game)
            self.reading.fault(
                where,
                "SRC-KEY",
                "which-deck",
                decks=", ".join(f"{kind.id} ({kind.name})" for kind in alone),
            )
            return UNREADABLE
        words = self.game.cached("deck words", partial(deck_words, self.game))
        found = words.get(normalized(typed))
        if found is None:
            known = {*self.game.deck_kinds, *self.game.printed_decks}
            name, near = described(typed), nearest(typed, known)
            self.reading.fault(where, "SRC-REF", "no-deck-called", name=name, nearest=near)
        return found or UNREADABLE

    def entry(self, deck: str, typed: str, copies: int, where: SourceLocation) -> DeckEntry | None:
        """Return so many copies of what somebody typed, for a deck; a name that is no card's
        stays."""
        found = cards_called(self.game, typed)
        card = typed
        if not found:
            self.reading.refer("card", typed, where)
        if len(found) > 1:
            found = [one for one in found if may_lie(self.game.kind_of_deck(deck), one)] or found
        if len(found) > 1:
            name, ids = described(typed), ", ".join(one.id for one in found)
            self.reading.fault(where, "SRC-REF", "cards-of-one-name", name=name, cards=ids)
        elif found:
            card = found[0].id
        if typed == UNREADABLE or len(found) > 1 or deck == UNREADABLE or not copies:
            return None
        return DeckEntry(deck=deck, card=card, mark="", copies=copies, where=where)

    def with_values(
        self, row: DeckEntry | None, given: Mapping[str, tuple[str, SourceLocation]]
    ) -> DeckEntry | None:
        """Return a row with its fields in which printed decks differ: one of their values."""
        card = self.game.card(row.card) if row else None
        if row is None or card is None or not given:
            return row
        printed = self.game.printed_values(row.deck, card)
        fields: dict[str, Value] = {}
        for name, (text, where) in given.items():
            if name not in printed:
                self.reading.fault(
                    where,
                    "SRC-KEY",
                    "no-deck-field",
                    card=card.name,
                    field=name,
                    nearest=nearest(name, printed),
                )
                continue
            value = read_value(text, self.game.kinds[card.kind].fields[name], where, name)
            if isinstance(value, Problem):
                self.reading.problems.append(value)
            elif value not in printed[name]:
                self.reading.fault(
                    where,
                    "SRC-VALUE",
                    "not-printed",
                    values=" / ".join(map(str, printed[name])),
                    card=card.name,
                    field=name,
                    found=text,
                )
            else:
                fields[name] = value
        return replace(row, fields=fields)

    def copies(
        self, text: str, where: SourceLocation, name: str = "copies", most: int = MOST_OF_A_CARD
    ) -> int:
        """Return a number of copies; 0, and a problem, where it is unknown."""
        value = read_value(text, Field(type="number", least=1, most=most), where, name)
        if isinstance(value, Problem):
            self.reading.problems.append(value)
        return value if isinstance(value, int) else 0

    def _add_cards(
        self,
        made: DeckRows,
        deck: str,
        cards: CardList,
        of: Callable[..., SourceLocation],
        made_up: Collection[str] = (),
    ) -> None:
        """Add the cards of a document's deck, with what it says of each."""
        at = of(key=True)
        made.add(deck, None, at)
        for typed, given in cards.items():
            copies = self.copies(given.get("copies", "1"), of(typed, "copies"), typed)
            where = of(typed, key=True)
            if typed in made_up:
                row: DeckEntry | None = DeckEntry(
                    deck=deck, card=typed, mark="", copies=copies, where=where
                )
            else:
                row = self.entry(deck, typed, copies, where)
                keys = [name for name in given if name != "copies"]
                own = {name: (given[name], of(typed, name, key=True)) for name in keys}
                row = self.with_values(row, own)
            made.add(deck, row, at)

    def of_line(self, build: Build, where: SourceLocation) -> dict[str, tuple[DeckEntry, ...]]:
        """Return the decks of a line, what it says of their cards checked."""
        made = DeckRows("", where)
        for deck, rows in build.decks.items():
            made.add(deck, None, where)
            for row in rows:
                given = {name: (str(text), where) for name, text in row.fields.items()}
                made.add(deck, self.with_values(row, given), where)
        return made.decks

    def of_document(
        self, found: WrittenSubmission
    ) -> tuple[dict[str, tuple[DeckEntry, ...]], dict[str, SourceLocation]]:
        """Return the decks of a document, and where they stand."""
        game, made = self.game, DeckRows("", found.where)
        parts: list[tuple[str, CardList, tuple[str, ...]]] = []
        if found.cards_of_deck:
            where = found.place("deck") if found.deck else found.place("cards", key=True)
            parts.append((self.deck(found.deck, where), found.cards_of_deck, ("cards",)))
        for typed, each in found.decks.items():
            where = found.place("decks", typed, key=True)
            parts.append((self.deck(typed, where), each, ("decks", typed)))
        if parts and not game.takes_decks:
            self.reading.fault(
                found.place("cards" if found.cards_of_deck else "decks", key=True),
                "SRC-KEY",
                "no-decks-brought",
                game=game.id,
            )
            return {"": ()}, {}
        keys = set(found.spot.spelled() or {})
        is_deck = not game.parts or bool({"deck", "cards", "decks"} & keys)
        is_mech = found.frame or found.mounted or found.pilots
        if game.takes_decks and is_deck and not (parts or is_mech):
            deck = self.deck(found.deck, found.place("deck")) if found.deck else ""
            made.add(deck or first_kind(game), None, found.place("cards", key=True))
        for deck, cards, path in parts:
            self._add_cards(made, deck, cards, partial(found.place, *path))
        return made.decks, made.places

    def of_case(self, case: Case) -> Build:
        """Return the decks of a case; the cards that it makes up are not looked for."""
        made = DeckRows(case.name, case.spot.place())
        for typed, cards in case.decks.items():
            of = partial(case.place, "decks", typed)
            self._add_cards(made, self.deck(typed, of(key=True)), cards, of, case.made_up)
        return made.build()

    def of_rows(self, name: str, rows: Sequence[Row], own: Sequence[str]) -> Build:
        """Return the deck of the rows that have one name; ``own`` are its further columns."""
        made = DeckRows(name, rows[0].at("name"))
        is_unknown = False  # which deck rows are for that name none
        for row in rows:
            at, typed = row.at("card"), row["deck"]
            if not typed and not self.game.deck_kinds:
                typed = next(iter(made.rows), "")
            if is_unknown and not typed:
                deck = UNREADABLE
            else:
                deck = self.deck(typed, row.at("deck") if typed else at)
                is_unknown = is_unknown or (not typed and deck == UNREADABLE)
            if not row["card"]:
                self.reading.fault(at, "SRC-VALUE", "row-no-card")
                continue
            copies = self.copies(row["copies"] or "1", row.at("copies"))
            entry = self.entry(deck, row["card"], copies, at)
            given = {name: (row[name], row.at(name)) for name in own if row[name]}
            made.add(deck, self.with_values(entry, given), at)
        return made.build()

    def of_text(self, text: str, file: str) -> Build:
        """Return the decks of a plain text; without a `name:` they are called as its file."""
        game, reading = self.game, self.reading
        start = SourceLocation(file, 1, 1)
        heads: dict[str, tuple[str, SourceLocation]] = {}
        made = DeckRows(Path(file).stem, start)
        base = ""
        several = bool(game.deck_kinds) and not first_kind(game)
        for line in pasted_lines(text, game):
            where = SourceLocation(file, line.line, line.column)
            if line.head is not None:
                heads[line.head[0]] = line.head[1], where
                base = self.deck(line.head[1], where) if line.head[0] == "deck" else base
                continue
            deck = line.deck or base
            if not deck and several and not line.counted and not cards_called(game, line.name):
                deck = base = UNREADABLE  # perhaps the misspelt heading of one of several decks
            elif not deck:
                deck = self.deck("", where)
                base = deck if deck == UNREADABLE else base  # so that it is a problem once
            if 1 <= line.copies <= MOST_OF_A_CARD:
                made.add(deck, self.entry(deck, line.name, line.copies, where), where)
            else:
                reading.fault(
                    where, "SRC-VALUE", "copies-of-card", found=line.copies, most=MOST_OF_A_CARD
                )
        made.name, made.where = heads.get("name", (made.name, made.where))
        regulation, made.places["regulation"] = heads.get("regulation", ("", made.where))
        game_name, _ = heads.get("game", ("", start))
        if not game.takes_decks:
            reading.fault(start, "SRC-FILE", "no-decks-brought", game=game.id)
        elif not made.rows:
            made.rows[first_kind(game)] = []
        return replace(made.build(), game=game_name, regulation=regulation)


# -- decks as plain text: what each line of a pasted list says -------------------------------------

_DIGITS = "(?:[0-9０-９]{1,4}|[①-⑳])"
_TIMES = "[xX×✕ｘＸ*＊]"
_SHEETS = "(?:枚|まい|マイ)"
_COUNT = rf"[\s:：(（\[【-]*(?:{_DIGITS}\s*枚?)?[\s:：)）\]】]*$"
_BULLET = re.compile(r"[・•●○◆◇]\s*|[*＊–-]\s+")
_REMARK = re.compile(r"(?:^|\s)(?:#|＃|//|／／|※|;).*")
_HEAD = re.compile(r"([^\s:：]+)\s*[:：]\s*(.+)")
_HEADS = headings(("game", "name", "deck", "regulation"))

_COUNTED = (
    re.compile(rf"(?P<copies>{_DIGITS})\s*(?:{_SHEETS}|{_TIMES})\s*(?P<name>.+)"),
    re.compile(rf"(?P<copies>{_DIGITS})\s+(?P<name>.+)"),
    re.compile(rf"(?P<name>.+?)(?:\s+{_TIMES}|\s*[×✕＊])\s*(?P<copies>{_DIGITS})\s*{_SHEETS}?"),
    re.compile(rf"(?P<name>.+?)(?:\s*[\t:：…]\s*|\s+)(?P<copies>{_DIGITS})\s*{_SHEETS}?"),
    re.compile(rf"(?P<name>.*?[^−－-])(?P<copies>{_DIGITS}){_SHEETS}"),
)

# A number with nothing between it and a name, or an x, which either could be part of; one below
# nothing is none.
_CLOSE = (
    re.compile(rf"(?P<name>.*[^−－-])(?P<copies>{_DIGITS})"),
    re.compile(rf"(?P<name>.+){_TIMES}\s*(?P<copies>{_DIGITS})\s*{_SHEETS}?"),
    re.compile(rf"(?P<copies>{_DIGITS})(?P<name>.+)"),
)

# A name with what its printing is known by, ``Name (SET) 12`` or ``Name [ID]``.
_PRINTED = re.compile(
    r"(?P<name>.+?)\s*[(（\[【](?P<id>[^()（）\[\]【】]+)[)）\]】](?:\s+\S{1,8})?"
)

_MAIN = ("main", "deck", "mainboard", "main deck", "maindeck", "メイン", "デッキ", "メインデッキ")

# What people call the deck that a game has, and the one beside it, whatever it is named there.
_SIDE = (
    "side", "sideboard", "side deck", "sidedeck", "sb", "サイド", "サイドボード", "サイドデッキ",
)  # fmt: skip


class PastedLine(NamedTuple):
    """What a line says: ``copies`` of a card by its ``name``, which begins at a column from 1, in a
    ``deck``; or a ``head``, a key and its value. A line with a number of copies is ``counted``.
    """

    line: int
    column: int
    name: str = ""
    copies: int = 0
    deck: str = ""
    head: tuple[str, str] | None = None
    counted: bool = False


def game_of_text(text: str) -> str:
    """Return the game that a plain list says it is for, if it says so."""
    heads = (_head(line.strip()) for line in text.splitlines())
    return next((head[2] for head, key in filter(None, heads) if key == "game"), "")


def _head(line: str) -> tuple[re.Match[str], str] | None:
    """Return a line that says something of the list as a whole, and what: its ``game``, its
    ``name`` …"""
    found = _HEAD.fullmatch(line)
    keys = _HEADS.matches(found[1]) if found else ()
    return (found, keys[0]) if found and keys else None


def first_kind(game: Game) -> str:
    """Return the deck that a player brings where nobody names one: the only one that is not beside
    another."""
    alone = [kind.id for kind in game.deck_kinds.values() if not kind.beside]
    return alone[0] if len(alone) == 1 else ""


def deck_words(game: Game) -> dict[str, str]:
    """Return what a deck may be called → the id of its kind, or a printed deck of no kind."""
    found = {normalized(name): game.deck_as_brought(name) or name for name in game.printed_decks}
    for kind in game.deck_kinds.values():
        words = (kind.id, kind.name.ja, kind.name.en)
        found |= {normalized(word): kind.id for word in words if word}
    first = first_kind(game)
    beside = [kind.id for kind in game.deck_kinds.values() if first and kind.beside == first]
    usual = dict.fromkeys(_MAIN, first) if first else {}
    if len(beside) == 1 or "side" in beside:
        usual |= dict.fromkeys(_SIDE, beside[0] if len(beside) == 1 else "side")
    return {normalized(word): deck for word, deck in usual.items()} | found


def pasted_lines(text: str, game: Game) -> Iterator[PastedLine]:
    """Yield what each line says, in order; remarks, totals and headings over groups of cards say
    nothing."""
    words = deck_words(game)
    kinds = (name for kind in game.kinds.values() for name in (kind.name.ja, kind.name.en))
    groups = {normalized(word) for word in (*kinds, *SUMS, "total cards") if word}
    values = (value for card in game.cards.values() for value in card.fields.values())
    lists = (value if isinstance(value, tuple) else (value,) for value in values)
    fields = {normalized(one) for each in lists for one in each if isinstance(one, str) and one}
    deck = ""
    for number, raw in enumerate(text.splitlines(), 1):
        signless = re.sub(r"^[\s#＃!！/／\[【■□◆◇=＝〈《<-]+|[\]】=＝〉》>\s-]+$", "", raw)
        bare = normalized(re.sub(_COUNT, "", signless))
        if bare in words:
            deck = words[bare]
            continue
        line = raw if cards_called(game, raw.strip()) else _REMARK.sub("", raw)
        column = len(line) - len(line.lstrip()) + 1
        line = line.strip()
        if bullet := _BULLET.match(line):
            column, line = column + bullet.end(), line[bullet.end() :]
        # A word of a field is no heading where its number could be one of copies, ``地 4``.
        own = normalized(re.sub(rf"\s*[(（]\s*{_DIGITS}\s*枚?\s*[)）]$|[:：]$", "", signless))
        if head := _head(line):
            match, key = head
            yield PastedLine(number, column + match.start(2), head=(key, match[2]))
        elif line and (cards_called(game, line) or not (bare in groups or own in fields)):
            name, start, copies, counted = _card_line(line, game)
            start = start if 1 <= copies <= MOST_OF_A_CARD else 0  # the number is what is wrong
            yield PastedLine(number, column + start, name, copies, deck, counted=counted)


def _card_line(line: str, game: Game) -> tuple[str, int, int, bool]:
    """Return a card's name, where it begins in the line, its copies, and whether the line counts
    them."""
    readings = [(line, 0, 1, False), *_counts(line, _COUNTED)]
    for reading in (*readings, *_counts(line, _CLOSE)):
        if cards_called(game, reading[0]):
            return reading
    for name, start, copies, counted in reversed(readings):
        match = _PRINTED.fullmatch(name)
        for key in ("id", "name") if match else ():
            if match and cards_called(game, match[key].strip()):
                return match[key].strip(), start + match.start(key), copies, counted
    return readings[1] if len(readings) > 1 else readings[0]


def _counts(line: str, forms: Iterable[re.Pattern[str]]) -> Iterator[tuple[str, int, int, bool]]:
    """Yield what a line says in each of some forms that count copies."""
    for match in filter(None, (form.fullmatch(line) for form in forms)):
        yield match["name"], match.start("name"), number_of_copies(match["copies"]) or 0, True


def cards_called(game: Game, typed: str) -> Sequence[Card]:
    """Return the cards that somebody may mean, in any spelling: the one with this id, or else all
    with this name.

    Of reprints of one card the first stands for all.
    """
    if card := game.cards.get(typed):
        return (card,)
    by_name = game.cached("cards by name", lambda: _by_name(game))
    if found := by_name.get(typed):
        return found
    cards = [game.cards[key] for key in name_index(game, "card").matches(typed)]
    return [card for card in cards if card in by_name[card.name]]


def _by_name(game: Game) -> Mapping[str, Sequence[Card]]:
    found: dict[str, list[Card]] = {}
    for card in game.cards.values():
        named = found.setdefault(card.name, [])
        first = next((one for one in named if one.kind == card.kind), None)
        if first is None or not game.kinds[card.kind].reprints:
            named.append(card)
    return found
