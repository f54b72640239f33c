"""A deck as plain text: what players paste from chats, blogs and deck builders, line by line.

``4 Name``, ``4x Name``, ``Name x4``, ``Name 4枚``, a name or id alone, each with remarks behind
``#`` or ``//``; lines that say where another deck begins (``Sideboard``, ``#side``), or ``SB:``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from exporter.core.names import normalized
from exporter.core.patterns import pattern
from exporter.model import (
    DeckKind,
    Game,
)
from exporter.model.headings import headings
from exporter.model.spelling import number_of_copies

_DIGITS = "(?:[0-9０-９]{1,4}|[①-⑳])"
_TIMES = "[xX×✕ｘＸ*＊]"
_SHEETS = "(?:枚|まい|マイ)"
_BULLET = pattern(r"[・•●○◆◇]\s*|[*＊–-]\s+")
_REMARK = pattern(r"(?:^|\s)(?:#|＃|//|／／|※|;).*")
_HEAD = pattern(r"([^\s:：]+)\s*[:：]\s*(.+)")
_HEADS = headings(("game", "name", "deck", "regulation"))
_BESIDE = pattern(r"(?:SB|ＳＢ)\s*[:：]\s*", re.IGNORECASE)
_TOTAL = pattern(rf"(?:total(?: cards)?|合計|計)\s*[:：]?\s*({_DIGITS})\s*枚?", re.IGNORECASE)
_COUNTED = (
    pattern(rf"(?P<copies>{_DIGITS})\s*(?:{_SHEETS}|{_TIMES})\s*(?P<name>.+)"),
    pattern(rf"(?P<copies>{_DIGITS})\s+(?P<name>.+)"),
    pattern(rf"(?P<name>.+?)(?:\s+{_TIMES}|\s*[×✕＊])\s*(?P<copies>{_DIGITS})\s*{_SHEETS}?"),
    pattern(rf"(?P<name>.+?)(?:\s*[\t:：…]\s*|\s+)(?P<copies>{_DIGITS})\s*{_SHEETS}?"),
    pattern(rf"(?P<name>.*?[^−－-])(?P<copies>{_DIGITS}){_SHEETS}"),
)
_CLOSE = pattern(rf"(?P<name>.*[^−－-])(?P<copies>{_DIGITS})")
"""A number without anything before it, which a name could end with; one below nothing is none."""

_LAST = pattern(rf"({_DIGITS})[\s:：)）\]】]*$")

_PRINTED = pattern(r"(?P<name>.+?)\s*[(（\[【](?P<id>[^()（）\[\]【】]+)[)）\]】](?:\s+\S{1,8})?")
"""A name with what tells its printing apart, ``Name (SET) 12`` or ``Name [ID]``."""

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
    """The game that a plain list says it is for, if it says so."""
    heads = (_head(line.strip()) for line in text.splitlines())
    return next((head[2] for head, key in filter(None, heads) if key == "game"), "")


def _head(line: str) -> tuple[re.Match[str], str] | None:
    """A line that says something of the list as a whole, and what: its ``game``, its ``name`` …"""
    found = _HEAD.fullmatch(line)
    keys = _HEADS.meant(found[1]) if found else ()
    return (found, keys[0]) if found and keys else None


def first_kind(game: Game) -> str:
    """The deck that a player brings where nobody names one: the only one that is not beside
    another."""
    alone = [kind.id for kind in game.deck_kinds.values() if not kind.beside]
    return alone[0] if len(alone) == 1 else ""


def deck_words(game: Game) -> dict[str, str]:
    """What a deck may be called → the id of its kind, or a printed deck of no kind."""
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


def lines_of(text: str, game: Game, is_card: IsCard) -> Iterator[PastedLine]:
    """What each line says, in order. ``is_card`` tells whether a card goes by a name or id."""
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
            said, key = head
            headed = headed or key == "deck"
            found.append(PastedLine(number, column + said.start(2), head=(key, said[2])))
        elif (total := _TOTAL.fullmatch(line)) and not is_card(line):
            found.append(PastedLine(number, column, total=_number(total[1])))
        elif not _is_group(line, kinds, field_words, is_card):
            own = deck
            if (beside := _BESIDE.match(line)) and side:
                own, headed = side, True
                column, line = column + beside.end(), line[beside.end() :]
            name, start, copies, counted = _card(line, is_card)
            at = column + start
            found.append(PastedLine(number, at, name, copies, own, counted=counted))
    yield from _with_side(found, game, side) if side and not headed else filter(None, found)


def _heading(raw: str, words: Mapping[str, str]) -> str | None:
    """The deck that a line begins: its name, perhaps behind a sign of a remark, with a number."""
    text = re.sub(rf"[\s:：(（\[【]*(?:{_DIGITS}\s*枚?)?[\s:：)）\]】]*$", "", raw)
    text = re.sub(r"^[\s#＃!！/／\[【■□◆◇=＝〈《<-]+|[\]】=＝〉》>\s-]+$", "", text)
    return words.get(normalized(text)) if text else None


def _another(heading: str, line: int, deck: str, ordinals: dict[str, int]) -> list[PastedLine]:
    """A line that a second deck of one sort begins, ``デッキ2`` after ``デッキ1``: it is no more of
    the first. ``ordinals`` are the numbers so far, 1 where there was none."""
    found = _LAST.search(heading)
    ordinal = _number(found[1]) if found else 1
    is_next = ordinal == ordinals.setdefault(deck, ordinal) + 1
    return [PastedLine(line, 1, head=("again", deck))] if is_next else []


def _number(text: str) -> int:
    return number_of_copies(text) or 0


def _kinds(game: Game) -> set[str]:
    """What the kinds of card are called."""
    names = (name for kind in game.kinds.values() for name in (kind.name.ja, kind.name.en))
    return {normalized(name) for name in names if name}


def _field_words(game: Game) -> set[str]:
    """The words of fields of cards, by which people group them."""
    each = (value for card in game.cards.values() for value in card.fields.values())
    lists = (value if isinstance(value, tuple) else (value,) for value in each)
    return {normalized(word) for words in lists for word in words if isinstance(word, str) and word}


def _is_group(line: str, kinds: set[str], field_words: set[str], is_card: IsCard) -> bool:
    """Whether a line is a heading over some cards, with or without how many there are.

    A word of a field is none where its number could be one of copies, ``地 4``.
    """
    if is_card(line):
        return False
    signed = re.sub(r"^[\s\[【■□◆◇=＝〈《<-]+|[\]】=＝〉》>\s-]+$", "", line)
    bare = re.sub(rf"[\s:：(（-]*(?:{_DIGITS}\s*枚?)?[\s:：)）]*$", "", signed)
    own = re.sub(rf"\s*[(（]\s*{_DIGITS}\s*枚?\s*[)）]$|[:：]$", "", signed)
    return not is_card(bare) and (normalized(bare) in kinds or normalized(own) in field_words)


def _card(line: str, is_card: IsCard) -> tuple[str, int, int, bool]:
    """A card's name, where it begins in the line, its copies, and whether the line counts them."""
    readings = [(line, 0, 1, False)]
    for form in _COUNTED:
        if match := form.fullmatch(line):
            copies = _number(match["copies"])
            readings.append((match["name"], match.start("name"), copies, True))
    for reading in readings:
        if is_card(reading[0]):
            return reading
    if (match := _CLOSE.fullmatch(line)) and is_card(match["name"]):
        return match["name"], 0, _number(match["copies"]), True
    for name, start, copies, counted in reversed(readings):
        if (match := _PRINTED.fullmatch(name)) is not None:
            for key in ("id", "name"):
                if is_card(match[key].strip()):
                    return match[key].strip(), start + match.start(key), copies, counted
    return readings[1] if len(readings) > 1 else readings[0]


def _with_side(found: list[PastedLine | None], game: Game, side: str) -> Iterator[PastedLine]:
    """The lines of a list in which nothing but a blank line says where the side deck begins.

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
