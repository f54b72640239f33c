"""Decks as plain text: what each line of a pasted list says, and what its words stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from exporter.core.names import normalized
from exporter.model import Card, Game
from exporter.model.cell_texts import SUMS, number_of_copies
from exporter.model.game_names import headings, name_index
from exporter.model.mech import MOST_OF_A_CARD

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
    found: dict[str, str] = {}
    for name in game.printed_decks:
        found[normalized(name)] = game.deck_as_brought(name) or name
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


def counted_card(text: str, game: Game) -> tuple[str, int]:
    """Return the card and the number of copies that ``剣×2`` or ``2枚 axe`` says; any other
    text as one."""
    name, _start, copies, _counted = _card_line(text, game)
    return (name, copies) if cards_called(game, name) else (text, 1)


def _card_line(line: str, game: Game) -> tuple[str, int, int, bool]:
    """Return a card's name, where it begins in the line, its copies, and whether the line counts
    them."""
    readings = [(line, 0, 1, False)]
    for form in _COUNTED:
        if match := form.fullmatch(line):
            copies = number_of_copies(match["copies"]) or 0
            readings.append((match["name"], match.start("name"), copies, True))
    for reading in readings:
        if cards_called(game, reading[0]):
            return reading
    for form in _CLOSE:
        if (match := form.fullmatch(line)) and cards_called(game, match["name"]):
            copies = number_of_copies(match["copies"]) or 0
            return match["name"], match.start("name"), copies, True
    for name, start, copies, counted in reversed(readings):
        match = _PRINTED.fullmatch(name)
        for key in ("id", "name") if match else ():
            if match and cards_called(game, match[key].strip()):
                return match[key].strip(), start + match.start(key), copies, counted
    return readings[1] if len(readings) > 1 else readings[0]


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
    names = name_index(game, "card")
    cards = [game.cards[key] for key in names.matches(typed)]
    return [card for card in cards if card in by_name[card.name]]


def _by_name(game: Game) -> Mapping[str, Sequence[Card]]:
    found: dict[str, list[Card]] = {}
    for card in game.cards.values():
        named = found.setdefault(card.name, [])
        first = next((one for one in named if one.kind == card.kind), None)
        if first is None or not game.kinds[card.kind].reprints:
            named.append(card)
    return found
