"""Players' decks: in YAML, in rows of a table, or as plain text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

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
from exporter.loader.player_tables import (
    MOST_ROWS,
    ReadBuild,
    build_of_rows,
    check_game,
    common_value,
    copies_in,
    grouped,
)
from exporter.loader.tables import (
    Record,
    Row,
    rows_of,
)
from exporter.model import (
    Build,
    Card,
    DeckEntry,
    DeckKind,
    Field,
    Game,
    Value,
)
from exporter.model.called import name_index
from exporter.model.fields import read_value
from exporter.model.headings import headings
from exporter.model.player_builds import MOST_OF_A_CARD, CardList, WrittenSubmission
from exporter.model.record_forms import described
from exporter.model.rule_records import Case
from exporter.model.spelling import number_of_copies
from exporter.rules.figures import may_lie

COLUMNS = ("game", "name", "deck", "card", "copies", "regulation")


class Lists(Struct):
    """What decks of a file are read with; ``words`` are what its decks may be called."""

    reading: LoadContext
    game: Game
    words: Mapping[str, str] = {}

    def __post_init__(self) -> None:
        self.words = deck_words(self.game)

    def deck(self, typed: str, where: SourceLocation) -> str:
        """Return the kind of deck that somebody names, or the only one there is."""
        if typed == UNREADABLE:
            return typed
        if not typed:
            alone = [kind for kind in self.game.deck_kinds.values() if not kind.beside]
            if len(alone) <= 1:
                return first_kind(self.game)
            names = ", ".join(f"{kind.id} ({kind.name})" for kind in alone)
            self.reading.fault(where, "SRC-KEY", "which-deck", decks=names)
            return UNREADABLE
        found = self.words.get(normalized(typed))
        if found is None:
            known = dict.fromkeys([*self.game.deck_kinds, *(row.deck for row in self.game.decks)])
            name, near = described(typed), nearest(typed, known)
            self.reading.fault(where, "SRC-REF", "no-deck-called", name=name, nearest=near)
        return found or UNREADABLE

    def entry(self, deck: str, typed: str, copies: int, where: SourceLocation) -> DeckEntry | None:
        """Return so many copies of what somebody typed, for a deck; a name that is no card's
        stays."""
        card = self._card(deck, typed, where)
        if not card or deck == UNREADABLE or not copies:
            return None
        return DeckEntry(deck=deck, card=card, mark="", copies=copies, where=where)

    def _card(self, deck: str, typed: str, where: SourceLocation) -> str:
        """Return the id of a card by what was typed; nothing where that is unknown."""
        if typed == UNREADABLE:
            return ""
        found = cards_called(self.game, typed)
        if not found:
            self.reading.refer("card", typed, where)
            return typed
        if len(found) > 1:
            found = [card for card in found if may_lie(self.game.kind_of_deck(deck), card)] or found
        if len(found) > 1:
            name, ids = described(typed), ", ".join(card.id for card in found)
            self.reading.fault(where, "SRC-REF", "cards-of-one-name", name=name, cards=ids)
            return ""
        return found[0].id

    def written(
        self,
        deck: str,
        typed: str,
        given: Mapping[str, str],
        place: Callable[..., SourceLocation],
        made_up: Collection[str] = (),
    ) -> DeckEntry | None:
        """Return the row of a document: copies of a card, and what else is ``given`` of it; cards
        that are ``made_up`` are not looked for."""
        at, limits = place("copies"), Field(type="number", least=1, most=MOST_OF_A_CARD)
        copies = read_value(given.get("copies", "1"), limits, at, typed)
        if isinstance(copies, Problem):
            self.reading.problems.append(copies)
        count, where = copies if isinstance(copies, int) else 0, place(key=True)
        if typed in made_up:
            return DeckEntry(deck=deck, card=typed, mark="", copies=count, where=where)
        row = self.entry(deck, typed, count, where)
        keys = [name for name in given if name != "copies"]
        return self.with_values(row, {name: (given[name], place(name, key=True)) for name in keys})

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
                near = nearest(name, printed)
                self.reading.fault(where, "SRC-KEY", "no-deck-field", field=name, nearest=near)
                continue
            value = read_value(text, self.game.kinds[card.kind].fields[name], where, name)
            if isinstance(value, Problem):
                self.reading.problems.append(value)
            elif value not in printed[name]:
                words = {"card": card.name, "field": name, "found": text}
                values = " / ".join(map(str, printed[name]))
                self.reading.fault(where, "SRC-VALUE", "not-printed", values=values, **words)
            else:
                fields[name] = value
        return replace(row, fields=fields)


class List(Struct):
    """One list as it is read: its rows by deck."""

    name: str
    where: SourceLocation
    rows: dict[str, list[DeckEntry]] = field(default_factory=dict)
    places: dict[str, SourceLocation] = field(default_factory=dict)

    def add(self, deck: str, entry: DeckEntry | None, where: SourceLocation) -> None:
        """Add a row, or that there is one which could not be read."""
        if deck == UNREADABLE:
            return
        self.places.setdefault(f"deck {deck}", where)
        self.rows.setdefault(deck, []).extend([entry] if entry else [])

    @property
    def decks(self) -> dict[str, tuple[DeckEntry, ...]]:
        """Its rows as a build has them."""
        return {deck: tuple(rows) for deck, rows in self.rows.items()}

    def build(self) -> Build:
        """Return the list as a construction of nothing else."""
        name, where = self.name, self.where
        return Build(
            name=name, frame={}, mounted={}, decks=self.decks, where=where, places=self.places
        )


def decks_of_case(lists: Lists, case: Case) -> Build:
    """Return the decks of a case; the cards that it makes up are not looked for."""
    made, made_up = List(case.name, case.spot.place()), case.new_names
    for typed, cards in case.decks.items():
        path = ("decks", typed)
        at = case.place(*path, key=True)
        deck = lists.deck(typed, at)
        made.add(deck, None, at)
        for name, given in cards.items():
            place = partial(case.place, *path, name)
            made.add(deck, lists.written(deck, name, given, place, made_up), at)
    return made.build()


def decks_of_document(
    lists: Lists, found: WrittenSubmission
) -> tuple[dict[str, tuple[DeckEntry, ...]], dict[str, SourceLocation]]:
    """Return the decks of a document, and where they stand."""
    game, made = lists.game, List("", found.where)
    parts: list[tuple[str, CardList, tuple[str, ...]]] = []
    if found.cards_of_deck:
        where = found.place("deck") if found.deck else found.place("cards", key=True)
        parts.append((lists.deck(found.deck, where), found.cards_of_deck, ("cards",)))
    for typed, each in found.decks.items():
        where = found.place("decks", typed, key=True)
        parts.append((lists.deck(typed, where), each, ("decks", typed)))
    if parts and not game.takes_decks:
        where = found.place("cards" if found.cards_of_deck else "decks", key=True)
        lists.reading.fault(where, "SRC-KEY", "no-decks-brought", game=game.id)
        return {"": ()}, {}
    if found.weapons and not game.parts:
        deck = lists.deck(found.deck, found.place("weapons", key=True))
        for index, typed in enumerate(found.weapons):
            where = found.place("weapons", index)
            made.add(deck, lists.entry(deck, typed, 1, where), where)
    if not (parts or made.rows) and _is_deck(game, found):
        deck = lists.deck(found.deck, found.place("deck")) if found.deck else ""
        made.add(deck or first_kind(game), None, found.place("cards", key=True))
    for deck, cards, path in parts:
        at = found.place(*path, key=True)
        made.add(deck, None, at)
        for typed, given in cards.items():
            place = partial(found.place, *path, typed)
            made.add(deck, lists.written(deck, typed, given, place), at)
    return made.decks, made.places


def _is_deck(game: Game, found: WrittenSubmission) -> bool:
    """Return whether a document without cards is an empty deck, and no frame without weapons."""
    if not game.takes_decks or found.frame or found.mounted or found.pilots:
        return False
    keys = found.spot.spelled() or {}
    return not game.parts or bool({"deck", "cards", "decks"} & set(keys))


def is_list(game: Game, header: Iterable[str]) -> bool:
    """Return whether a table's columns are those of decks, and not of builds with parts."""
    return game.takes_decks and ("build" not in header or not game.parts)


def decks_of_table(
    lists: Lists, records: list[Record | Problem], header: list[str], file: str
) -> list[ReadBuild]:
    """Return the decks of a table: rows of one name are one; a blank name or game is that above.
    Further columns are the fields in which printed decks may differ."""
    reading, game = lists.reading, lists.game
    owner = "build" if "build" in header else "name"
    own = [name for name in game.deck_fields if name not in COLUMNS]
    columns = (*(name for name in COLUMNS if name != "name"), owner, *own)
    table = rows_of(records, file, ("card",), columns, MOST_ROWS)
    reading.problems += table.problems
    unnamed = "" if owner in header else Path(file).stem
    found = []
    for name, rows in grouped(reading, table.rows, owner, "row-no-deck", unnamed).items():
        made = _deck_of_rows(lists, List(name, rows[0].at("name")), rows, own)
        game_name, where = common_value(reading, rows, "game")
        check_game(reading, game, game_name, where)
        regulation, made.places["regulation"] = common_value(reading, rows, "regulation")
        entry = replace(made.build(), game=game_name, regulation=regulation)
        found.append(build_of_rows(entry, rows))
    return found


def _deck_of_rows(lists: Lists, made: List, rows: Sequence[Row], own: Sequence[str]) -> List:
    """Return the deck of the rows that have one name; ``own`` are its further columns."""
    is_unknown = False  # which deck rows are for that name none
    for row in rows:
        at, typed = row.at("card"), row["deck"]
        if not typed and not lists.game.deck_kinds:
            typed = next(iter(made.rows), "")
        if is_unknown and not typed:
            deck = UNREADABLE
        else:
            deck = lists.deck(typed, row.at("deck") if typed else at)
            is_unknown = is_unknown or (not typed and deck == UNREADABLE)
        if not row["card"]:
            lists.reading.fault(at, "SRC-VALUE", "row-no-card")
            continue
        copies = copies_in(lists.reading, row, MOST_OF_A_CARD)
        entry = lists.entry(deck, row["card"], copies, at)
        given = {name: (row[name], row.at(name)) for name in own if row[name]}
        made.add(deck, lists.with_values(entry, given), at)
    return made


def deck_of_text(lists: Lists, text: str, file: str) -> list[ReadBuild]:
    """Return the deck of a plain text; without a `name:` it is called as its file."""
    game, reading = lists.game, lists.reading
    start = SourceLocation(file, 1, 1)
    heads: dict[str, tuple[str, SourceLocation]] = {}
    made = List(Path(file).stem, start)
    base, cards = "", 0
    for line in pasted_lines(text, game, lambda name: bool(cards_called(game, name))):
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
                base = deck if deck == UNREADABLE else base  # so that it is a problem once
            cards += line.copies
            if 1 <= line.copies <= MOST_OF_A_CARD:
                made.add(deck, lists.entry(deck, line.name, line.copies, where), where)
            else:
                words = {"found": line.copies, "most": MOST_OF_A_CARD}
                reading.fault(where, "SRC-VALUE", "copies-of-card", **words)
    made.name, made.where = heads.get("name", (made.name, made.where))
    regulation, made.places["regulation"] = heads.get("regulation", ("", made.where))
    game_name, _ = heads.get("game", ("", start))
    check_game(reading, game, game_name, start)
    if not game.takes_decks:
        reading.fault(start, "SRC-FILE", "no-decks-brought", game=game.id)
    elif not made.rows:
        made.rows[first_kind(game)] = []
    entry = replace(made.build(), game=game_name, regulation=regulation)
    return [ReadBuild(entry, range(text.count("\n") + 2))]


def _may_name_a_deck(lists: Lists, line: PastedLine) -> bool:
    """Return whether a line that is no card's may be the misspelt heading of one of several
    decks."""
    kinds = lists.game.deck_kinds and not first_kind(lists.game)
    return bool(kinds) and not line.counted and not cards_called(lists.game, line.name)


_DIGITS = "(?:[0-9０-９]{1,4}|[①-⑳])"


_TIMES = "[xX×✕ｘＸ*＊]"


_SHEETS = "(?:枚|まい|マイ)"


_BULLET = re.compile(r"[・•●○◆◇]\s*|[*＊–-]\s+")


_REMARK = re.compile(r"(?:^|\s)(?:#|＃|//|／／|※|;).*")


_HEAD = re.compile(r"([^\s:：]+)\s*[:：]\s*(.+)")


_HEADS = headings(("game", "name", "deck", "regulation"))


_BESIDE = re.compile(r"(?:SB|ＳＢ)\s*[:：]\s*", re.IGNORECASE)


_TOTAL = re.compile(rf"(?:total(?: cards)?|合計|計)\s*[:：]?\s*({_DIGITS})\s*枚?", re.IGNORECASE)


_COUNTED = (
    re.compile(rf"(?P<copies>{_DIGITS})\s*(?:{_SHEETS}|{_TIMES})\s*(?P<name>.+)"),
    re.compile(rf"(?P<copies>{_DIGITS})\s+(?P<name>.+)"),
    re.compile(rf"(?P<name>.+?)(?:\s+{_TIMES}|\s*[×✕＊])\s*(?P<copies>{_DIGITS})\s*{_SHEETS}?"),
    re.compile(rf"(?P<name>.+?)(?:\s*[\t:：…]\s*|\s+)(?P<copies>{_DIGITS})\s*{_SHEETS}?"),
    re.compile(rf"(?P<name>.*?[^−－-])(?P<copies>{_DIGITS}){_SHEETS}"),
)


_CLOSE = re.compile(rf"(?P<name>.*[^−－-])(?P<copies>{_DIGITS})")
"""A number without anything before it, which a name could end with; one below nothing is none."""


_LAST = re.compile(rf"({_DIGITS})[\s:：)）\]】]*$")


_PRINTED = re.compile(
    r"(?P<name>.+?)\s*[(（\[【](?P<id>[^()（）\[\]【】]+)[)）\]】](?:\s+\S{1,8})?"
)
"""A name with what its printing is known by, ``Name (SET) 12`` or ``Name [ID]``."""


_MAIN = ("main", "deck", "mainboard", "main deck", "maindeck", "メイン", "デッキ", "メインデッキ")


_SIDE = (
    "side", "sideboard", "side deck", "sidedeck", "sb", "サイド", "サイドボード", "サイドデッキ",
)  # fmt: skip
"""What people call the deck that a game has, and the one beside it, whatever it is named there."""


IsCard = Callable[[str], bool]


class PastedLine(NamedTuple):
    """What a line says: ``copies`` of a card by its ``name``, which begins at a column from 1, in a
    ``deck``; a ``total`` of all cards; or a ``head``, a key and its value, of which ``again`` says
    that another deck of the same sort begins. A line with a number of copies is ``counted``.
    """

    line: int
    column: int
    name: str = ""
    copies: int = 0
    deck: str = ""
    total: int = 0
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
    keys = _HEADS.meant(found[1]) if found else ()
    return (found, keys[0]) if found and keys else None


def first_kind(game: Game) -> str:
    """Return the deck that a player brings where nobody names one: the only one that is not beside
    another."""
    alone = [kind.id for kind in game.deck_kinds.values() if not kind.beside]
    return alone[0] if len(alone) == 1 else ""


def deck_words(game: Game) -> dict[str, str]:
    """Return what a deck may be called → the id of its kind, or a printed deck of no kind."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(row.deck for row in game.decks):
        found[normalized(name)] = game.deck_as_brought(name) or name
    for kind in game.deck_kinds.values():
        for word in (kind.id, kind.name.ja, kind.name.en):
            if word:
                found[normalized(word)] = kind.id
    first = first_kind(game)
    beside = [kind.id for kind in game.deck_kinds.values() if first and kind.beside == first]
    usual = dict.fromkeys(_MAIN, first) if first else {}
    if len(beside) == 1 or "side" in beside:
        usual |= dict.fromkeys(_SIDE, beside[0] if len(beside) == 1 else "side")
    return usual | found


def pasted_lines(text: str, game: Game, is_card: IsCard) -> Iterator[PastedLine]:
    """Yield what each line says, in order. ``is_card`` asks whether a card goes by a name or
    id."""
    words = deck_words(game)
    side = words.get(normalized(_SIDE[0]), "")
    kinds, field_words = _kinds(game), _field_words(game)
    found: list[PastedLine | None] = []  # nothing stands for a blank line
    deck, headed = "", False
    ordinals: dict[str, int] = {}
    for number, raw in enumerate(text.splitlines(), 1):
        heading = _heading(raw, words)
        if heading is not None:
            deck, headed = heading, True
            found += _another(raw, number, deck, ordinals)
            continue
        line = _REMARK.sub("", raw) if not is_card(raw.strip()) else raw
        if not line.strip():
            if not raw.strip():
                found.append(None)
            continue
        column = len(line) - len(line.lstrip()) + 1
        line = line.strip()
        if bullet := _BULLET.match(line):
            column, line = column + bullet.end(), line[bullet.end() :]
        if head := _head(line):
            match, key = head
            headed = headed or key == "deck"
            found.append(PastedLine(number, column + match.start(2), head=(key, match[2])))
        elif (total := _TOTAL.fullmatch(line)) and not is_card(line):
            found.append(PastedLine(number, column, total=number_of_copies(total[1]) or 0))
        elif not _is_group(line, kinds, field_words, is_card):
            own = deck
            if (beside := _BESIDE.match(line)) and side:
                own, headed = side, True
                column, line = column + beside.end(), line[beside.end() :]
            name, start, copies, counted = _card_line(line, is_card)
            at = column + start
            found.append(PastedLine(number, at, name, copies, own, counted=counted))
    yield from _with_side(found, game, side) if side and not headed else filter(None, found)


def _heading(raw: str, words: Mapping[str, str]) -> str | None:
    """Return the deck that a line begins: its name, perhaps behind a sign of a remark, with a
    number."""
    text = re.sub(rf"[\s:：(（\[【]*(?:{_DIGITS}\s*枚?)?[\s:：)）\]】]*$", "", raw)
    text = re.sub(r"^[\s#＃!！/／\[【■□◆◇=＝〈《<-]+|[\]】=＝〉》>\s-]+$", "", text)
    return words.get(normalized(text)) if text else None


def _another(heading: str, line: int, deck: str, ordinals: dict[str, int]) -> list[PastedLine]:
    """Return a line where a second deck of one sort begins, ``デッキ2`` after ``デッキ1``.

    ``ordinals`` are the numbers so far, 1 where there was none.
    """
    found = _LAST.search(heading)
    ordinal = (number_of_copies(found[1]) or 0) if found else 1
    is_next = ordinal == ordinals.setdefault(deck, ordinal) + 1
    return [PastedLine(line, 1, head=("again", deck))] if is_next else []


def _kinds(game: Game) -> set[str]:
    """Return what the kinds of card are called."""
    names = (name for kind in game.kinds.values() for name in (kind.name.ja, kind.name.en))
    return {normalized(name) for name in names if name}


def _field_words(game: Game) -> set[str]:
    """Return the words of fields of cards, by which people group them."""
    each = (value for card in game.cards.values() for value in card.fields.values())
    lists = (value if isinstance(value, tuple) else (value,) for value in each)
    return {normalized(word) for words in lists for word in words if isinstance(word, str) and word}


def _is_group(line: str, kinds: set[str], field_words: set[str], is_card: IsCard) -> bool:
    """Return whether a line is a heading over some cards, with or without how many there are.

    A word of a field is none where its number could be one of copies, ``地 4``.
    """
    if is_card(line):
        return False
    signed = re.sub(r"^[\s\[【■□◆◇=＝〈《<-]+|[\]】=＝〉》>\s-]+$", "", line)
    bare = re.sub(rf"[\s:：(（-]*(?:{_DIGITS}\s*枚?)?[\s:：)）]*$", "", signed)
    own = re.sub(rf"\s*[(（]\s*{_DIGITS}\s*枚?\s*[)）]$|[:：]$", "", signed)
    return not is_card(bare) and (normalized(bare) in kinds or normalized(own) in field_words)


def _card_line(line: str, is_card: IsCard) -> tuple[str, int, int, bool]:
    """Return a card's name, where it begins in the line, its copies, and whether the line counts
    them."""
    readings = [(line, 0, 1, False)]
    for form in _COUNTED:
        if match := form.fullmatch(line):
            copies = number_of_copies(match["copies"]) or 0
            readings.append((match["name"], match.start("name"), copies, True))
    for reading in readings:
        if is_card(reading[0]):
            return reading
    if (match := _CLOSE.fullmatch(line)) and is_card(match["name"]):
        return match["name"], 0, number_of_copies(match["copies"]) or 0, True
    for name, start, copies, counted in reversed(readings):
        if (match := _PRINTED.fullmatch(name)) is not None:
            for key in ("id", "name"):
                if is_card(match[key].strip()):
                    return match[key].strip(), start + match.start(key), copies, counted
    return readings[1] if len(readings) > 1 else readings[0]


def _with_side(found: list[PastedLine | None], game: Game, side: str) -> Iterator[PastedLine]:
    """Yield the lines of a list in which nothing but a blank line says where the side deck begins.

    That it does is believed where the sizes then fit, or where they fit in no way.
    """
    groups: list[list[PastedLine]] = [[]]
    for line in found:
        if line is not None:
            groups[-1].append(line)
        elif any(one.name for one in groups[-1]):
            groups.append([])
    groups = [group for group in groups if group]
    kinds = game.deck_kinds
    sizes = [sum(line.copies for line in group) for group in groups]
    first = kinds[first_kind(game)]
    whole = _fits(first, sum(sizes))
    split = len(groups) > 1 and _fits(first, sum(sizes[:-1])) and _fits(kinds[side], sizes[-1])
    if split or (len(groups) == 2 and not whole):
        groups[-1] = [line._replace(deck=side) for line in groups[-1]]
    for group in groups:
        yield from group


def _fits(kind: DeckKind, cards: int) -> bool:
    return kind.size is None or kind.size[0] <= cards <= kind.size[1]


def cards_called(game: Game, typed: str) -> Sequence[Card]:
    """Return the cards that somebody may mean, in any spelling: the one with this id, or else all
    with this name.

    Of reprints of one card the first stands for all.
    """
    card = game.cards.get(typed)
    if card is not None:
        return (card,)
    found = _by_name(game).get(typed)
    if found:
        return found
    cards = [game.cards[key] for key in name_index(game, "card").meant(typed)]
    return [card for card in cards if card in _by_name(game)[card.name]]


def _by_name(game: Game) -> Mapping[str, Sequence[Card]]:
    def work() -> Mapping[str, Sequence[Card]]:
        found: dict[str, list[Card]] = {}
        for card in game.cards.values():
            named = found.setdefault(card.name, [])
            first = next((one for one in named if one.kind == card.kind), None)
            if first is None or not game.kinds[card.kind].reprints:
                named.append(card)
        return found

    return game.once("cards by name", work)
