"""Players' decks: in YAML, in rows of a table, or as plain text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.names import normalized
from exporter.core.problems import (
    UNREADABLE,
    Problem,
    SourceLocation,
    nearest,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.pasted_lists import (
    PastedLine,
    deck_words,
    first_kind,
    lines_of,
)
from exporter.loader.player_tables import (
    MOST_ROWS,
    ReadBuild,
    check_game,
    copies_in,
    grouped,
    once,
    read_of_rows,
)
from exporter.loader.tables import (
    Record,
    Row,
    rows_of,
)
from exporter.loader.typed_names import cards_called
from exporter.model import (
    Build,
    DeckEntry,
    Field,
    Game,
    Value,
)
from exporter.model.fields import read_value
from exporter.model.player_builds import (
    MOST_OF_A_CARD,
    CardList,
    Submission,
    WrittenSubmission,
)
from exporter.model.record_forms import described
from exporter.model.rule_records import Case
from exporter.rules.figures import may_lie

COLUMNS = ("game", "name", "deck", "card", "copies", "regulation")


class Lists(Struct):
    """What the lists of a file are read with; ``known``, ``named`` and ``counts`` are the ids,
    decks and numbers of copies that were found so far, by what was typed."""

    reading: LoadContext
    game: Game
    words: Mapping[str, str] = {}
    known: dict[tuple[str, str], str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = deck_words(self.game)

    def deck(self, typed: str, where: SourceLocation) -> str:
        """The kind of deck that somebody names, or the only one there is."""
        if not typed:
            alone = [kind for kind in self.game.deck_kinds.values() if not kind.beside]
            if len(alone) > 1:
                names = ", ".join(f"{kind.id} ({kind.name})" for kind in alone)
                self.reading.fault(where, "SRC-KEY", "which-deck", decks=names)
                return UNREADABLE
            return first_kind(self.game)
        if typed == UNREADABLE:
            return typed
        found = self.words.get(normalized(typed))
        if found is None:
            known = dict.fromkeys([*self.game.deck_kinds, *(row.deck for row in self.game.decks)])
            near = nearest(typed, known)
            self.reading.fault(
                where, "SRC-REF", "no-deck-called", name=described(typed), nearest=near
            )
            return UNREADABLE
        return found

    def entry(self, deck: str, typed: str, copies: int, where: SourceLocation) -> DeckEntry | None:
        """So many copies of what somebody typed, for a deck; a name that is no card's is kept."""
        key = deck, typed
        card = self.known.get(key)
        if card is None:
            card = self._card(deck, typed, where)  # which tells of each place
            if card in self.game.cards:
                self.known[key] = card
        if not card or deck == UNREADABLE or not copies:
            return None
        return DeckEntry(deck=deck, card=card, mark="", copies=copies, where=where)

    def written(
        self,
        deck: str,
        typed: str,
        said: Mapping[str, str],
        place: Callable[..., SourceLocation],
        made_up: Collection[str] = (),
    ) -> DeckEntry | None:
        """The row of a document: copies of a card, and what is ``said`` of it beside these; cards
        that are ``made_up`` are not looked for."""
        at, limits = place("copies"), Field(type="number", least=1, most=MOST_OF_A_CARD)
        copies = read_value(said.get("copies", "1"), limits, at, typed)
        if isinstance(copies, Problem):
            self.reading.problems.append(copies)
        count, where = copies if isinstance(copies, int) else 0, place(key=True)
        if typed in made_up:
            return DeckEntry(deck=deck, card=typed, mark="", copies=count, where=where)
        row = self.entry(deck, typed, count, where)
        more = {
            name: (text, place(name, key=True)) for name, text in said.items() if name != "copies"
        }
        return self.with_values(row, more) if row else row

    def with_values(
        self, row: DeckEntry, said: Mapping[str, tuple[str, SourceLocation]]
    ) -> DeckEntry:
        """A row with what is said of fields in which printed decks differ: one of their values."""
        card = self.game.card(row.card)
        if card is None or not said:
            return row
        printed = self.game.printed_values(row.deck, card)
        fields: dict[str, Value] = {}
        for name, (text, where) in said.items():
            if name not in printed:
                near = nearest(name, printed)
                self.reading.fault(where, "SRC-KEY", "no-deck-field", field=name, nearest=near)
                continue
            value = read_value(text, self.game.kinds[card.kind].fields[name], where, name)
            if isinstance(value, Problem):
                self.reading.problems.append(value)
            elif value not in printed[name]:
                values = " / ".join(map(str, printed[name]))
                said_of = {"card": card.name, "field": name, "found": text, "values": values}
                self.reading.fault(where, "SRC-VALUE", "not-printed", **said_of)
            else:
                fields[name] = value
        return replace(row, fields=fields)

    def _card(self, deck: str, typed: str, where: SourceLocation) -> str:
        """The id of what is meant; nothing where that is unknown."""
        if typed == UNREADABLE:
            return ""
        found = cards_called(self.game, typed)
        if not found:
            self.reading.refer("card", typed, where)
            return typed
        if len(found) > 1:
            found = [card for card in found if may_lie(self.game.kind_of_deck(deck), card)] or found
        if len(found) > 1:
            ids = ", ".join(card.id for card in found)
            self.reading.fault(
                where, "SRC-REF", "cards-of-one-name", name=described(typed), cards=ids
            )
            return ""
        return found[0].id


class List(Struct):
    """One list as it is read: its rows by deck.

    ``is_nowhere``: which deck cards without a word of it are for is unknown, and was told.
    """

    name: str
    where: SourceLocation
    is_nowhere: bool = False
    rows: dict[str, list[DeckEntry]] = field(default_factory=dict)
    places: dict[str, SourceLocation] = field(default_factory=dict)

    def add(self, deck: str, entry: DeckEntry | None, where: SourceLocation) -> None:
        """A row, or that there is one which could not be read."""
        if deck == UNREADABLE:
            return
        if deck not in self.rows:
            self.places[f"deck {deck}"] = where
            self.rows[deck] = []
        if entry is not None:
            self.rows[deck].append(entry)

    def build(self) -> Build:
        """The list as a construction of nothing else."""
        return Build(
            name=self.name,
            frame={},
            mounted={},
            decks={deck: tuple(rows) for deck, rows in self.rows.items()},
            where=self.where,
            places=self.places,
        )


def decks_of_case(lists: Lists, case: Case) -> Build:
    """The decks of a case; the cards that it makes up are not looked for."""
    made, made_up = List(case.name, case.spot.place()), case.new_names
    for typed, cards in case.decks.items():
        path = ("decks", typed)
        at = case.place(*path, key=True)
        deck = lists.deck(typed, at)
        made.add(deck, None, at)
        for name, said in cards.items():
            place = partial(case.place, *path, name)
            made.add(deck, lists.written(deck, name, said, place, made_up), place(key=True))
    return made.build()


def of_document(
    lists: Lists, found: WrittenSubmission
) -> tuple[dict[str, tuple[DeckEntry, ...]], dict[str, SourceLocation]]:
    """The decks of a document, and where they stand."""
    made = List("", found.where)
    parts: list[tuple[str, CardList, tuple[str, ...]]] = []
    if found.cards_of_deck:
        where = found.place("deck") if found.deck else found.place("cards", key=True)
        parts.append((lists.deck(found.deck, where), found.cards_of_deck, ("cards",)))
    for typed, each in found.decks.items():
        where = found.place("decks", typed, key=True)
        parts.append((lists.deck(typed, where), each, ("decks", typed)))
    key = "cards" if found.cards_of_deck else "decks"
    if parts and not lists.game.takes_decks:
        where = found.place(key, key=True)
        lists.reading.fault(where, "SRC-KEY", "no-decks-brought", game=lists.game.id)
        return {"": ()}, {}
    if found.weapons and not lists.game.parts:
        deck = lists.deck(found.deck, found.place("weapons", key=True))
        for index, typed in enumerate(found.weapons):
            where = found.place("weapons", index)
            made.add(deck, lists.entry(deck, typed, 1, where), where)
    if not (parts or made.rows) and _is_deck(lists.game, found):
        deck = lists.deck(found.deck, found.place("deck")) if found.deck else ""
        made.add(deck or first_kind(lists.game), None, found.place("cards", key=True))
    for deck, cards, path in parts:
        made.add(deck, None, found.place(*path, key=True))
        for typed, said in cards.items():
            place = partial(found.place, *path, typed)
            made.add(deck, lists.written(deck, typed, said, place), place(key=True))
    return {deck: tuple(rows) for deck, rows in made.rows.items()}, made.places


def _is_deck(game: Game, found: WrittenSubmission) -> bool:
    """Whether a document without cards is an empty deck, and no frame without weapons."""
    if not game.takes_decks or found.frame or found.mounted or found.pilots:
        return False
    keys = found.spot.spelled() or {}
    return not game.parts or bool({"deck", "cards", "decks"} & set(keys))


def is_list(lists: Lists, header: Iterable[str]) -> bool:
    """Whether a table's columns are those of lists, and not of builds with parts."""
    return lists.game.takes_decks and ("build" not in header or not lists.game.parts)


def own_columns(game: Game) -> tuple[str, ...]:
    """The further columns of a table of decks: the fields in which printed decks may differ."""
    return tuple(name for name in game.deck_fields if name not in COLUMNS)


def _of_rows(lists: Lists, name: str, rows: Sequence[Row]) -> List:
    """The deck of the rows that have one name."""
    made, own = List(name, rows[0].at("name")), own_columns(lists.game)
    for row in rows:
        cells = row.cells
        at, typed = row.at("card"), cells.get("deck", "")
        if not typed and not lists.game.deck_kinds:
            typed = next(iter(made.rows), "")
        deck = lists.named.get(typed)
        if deck is None and not typed and made.is_nowhere:
            deck = UNREADABLE
        elif deck is None:
            deck = lists.deck(typed, row.at("deck") if typed else at)
            made.is_nowhere = not typed and deck == UNREADABLE
        if deck != UNREADABLE:
            lists.named[typed] = deck
        if not (card := row["card"]):
            lists.reading.fault(at, "SRC-VALUE", "row-no-card")
            continue
        text = cells.get("copies", "")
        copies = lists.counts.get(text)
        if copies is None:
            copies = copies_in(lists.reading, row, MOST_OF_A_CARD)
            lists.counts |= {text: copies} if copies else {}
        entry = lists.entry(deck, card, copies, at)
        more = {name: (cells[name], row.at(name)) for name in own if cells.get(name)}
        made.add(deck, lists.with_values(entry, more) if entry else entry, at)
    return made


def of_text(lists: Lists, text: str, file: str) -> list[ReadBuild]:
    """The deck of a plain text."""
    entry = _entry_of(lists, text, file)
    check_game(lists.reading, lists.game, entry.game, SourceLocation(file, 1, 1))
    if not lists.game.takes_decks:
        where = SourceLocation(file, 1, 1)
        lists.reading.fault(where, "SRC-FILE", "no-decks-brought", game=lists.game.id)
    elif not entry.build.decks:
        empty = {first_kind(lists.game): ()}
        entry = replace(entry, build=replace(entry.build, decks=empty))
    return [ReadBuild(entry, range(text.count("\n") + 2))]


def _may_name_a_deck(lists: Lists, line: PastedLine) -> bool:
    """Whether a line that is no card's may be the misspelt heading of one of several decks."""
    kinds = lists.game.deck_kinds and not first_kind(lists.game)
    return bool(kinds) and not line.counted and not cards_called(lists.game, line.name)


def _entry_of(lists: Lists, text: str, file: str) -> Submission:
    """The deck of a plain text; without a `name:` it is called as its file."""
    game, reading = lists.game, lists.reading
    heads: dict[str, tuple[str, SourceLocation]] = {}
    made = List(Path(file).stem, SourceLocation(file, 1, 1))
    base, cards = "", 0
    for line in lines_of(text, game, lambda name: bool(cards_called(game, name))):
        where = SourceLocation(file, line.line, line.column)
        if line.head is not None and line.head[0] == "again":
            reading.fault(where, "SRC-VALUE", "second-deck")
        elif line.head is not None:
            heads[line.head[0]] = line.head[1], where
            base = lists.deck(line.head[1], where) if line.head[0] == "deck" else base
        elif line.total:
            if line.total != cards:
                reading.fault(where, "SRC-VALUE", "wrong-total", total=line.total, found=cards)
        else:
            deck = line.deck or base
            if not deck:
                deck = UNREADABLE if _may_name_a_deck(lists, line) else lists.deck("", where)
                base = deck if deck == UNREADABLE else base  # which is told once
            cards += line.copies
            if not 1 <= line.copies <= MOST_OF_A_CARD:
                most = MOST_OF_A_CARD
                reading.fault(where, "SRC-VALUE", "copies-of-card", found=line.copies, most=most)
                continue
            made.add(deck, lists.entry(deck, line.name, line.copies, where), where)
    if "name" in heads:
        made.name, made.where = heads["name"]
    regulation, made.places["regulation"] = heads.get("regulation", ("", made.where))
    said, _ = heads.get("game", ("", made.where))
    return Submission(build=made.build(), game=said, regulation=regulation)


def of_table(
    lists: Lists, records: list[Record | Problem], header: list[str], file: str
) -> list[ReadBuild]:
    """The decks of a table: rows of one name are one; a blank name or game is that above."""
    reading = lists.reading
    owner = "build" if "build" in header else "name"
    columns = (*(name for name in COLUMNS if name != "name"), owner, *own_columns(lists.game))
    table = rows_of(records, file, ("card",), columns, MOST_ROWS)
    reading.problems += table.problems
    name = "" if owner in header else Path(file).stem
    groups = grouped(reading, table.rows, owner, "row-no-deck", name)
    found = []
    for name, rows in groups.items():
        made = _of_rows(lists, name, rows)
        said, where = once(reading, rows, "game")
        check_game(reading, lists.game, said, where)
        regulation, made.places["regulation"] = once(reading, rows, "regulation")
        entry = Submission(build=made.build(), game=said, regulation=regulation)
        found.append(read_of_rows(entry, rows))
    return found
