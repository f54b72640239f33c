"""A build as text: a document of a file of builds, as its author would write it, and one line.

The line fits a chat: ``ab:1.3:f.size.XL:m.body.axe..2:k7``. Only letters, digits, ``:``, ``-`` and
``.``, so that no shell needs quotes. Everything is named by its own id or word, never by a place in
a list: what is added to a game changes no older line. Why it is so:
docs/decisions/0017-builds-in-a-line.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from exporter.core.problems import (
    COMMAND_LINE,
    Problem,
    SourceLocation,
    as_written,
    error_at,
    nearest,
    problem_at,
    quoted,
)
from exporter.model import (
    Build,
    DeckEntry,
    Game,
    Pilot,
    Value,
)
from exporter.model.game_names import resolve_name

# The version of how such a line is written.
FORM = "1"

# Letters of a line: of a mech, and of decks, which chats still take.
MOST_LETTERS = 300
MOST_OF_A_DECK = 1500

# What looks like such a line, in a chat line or as a word of a command.
CODE = re.compile(r"[A-Za-z][A-Za-z0-9-]*:[0-9]+\.[A-Za-z0-9.:-]*[A-Za-z0-9]")

_PLAIN = re.compile(r"[A-Za-z0-9]+")
_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PRIME = 1021  # the largest below 32 * 32: two signs of a check


def is_code(word: str) -> bool:
    """Say whether a word is to be read as such a line."""
    return CODE.fullmatch(word) is not None


def game_of(code: str) -> str:
    """Find the game that a line is for, as games call themselves in such lines."""
    return code.partition(":")[0]


def called_in_codes(game: Game) -> str:
    """Find what a game is called at the beginning of such lines."""
    return game.code or game.id.replace("_", "-")


def _check(text: str) -> str:
    """Work out two signs that no single wrong sign, and no two that changed places, leave as
    they are."""
    value = 0
    for sign in text:
        value = (value * 97 + ord(sign)) % _PRIME
    return _SIGNS[value // 32] + _SIGNS[value % 32]


# Signs of ASCII that no word of a line holds are moved here, out of Punycode's way.
_HIDDEN = 0xE000


def _word(text: str) -> str:
    """Write a text as a word of such a line: as it is or, after a ``-``, in Punycode (RFC 3492)."""
    if _PLAIN.fullmatch(text):
        return text
    hidden = (
        chr(_HIDDEN + ord(sign)) if sign.isascii() and not sign.isalnum() else sign for sign in text
    )
    return f"-{''.join(hidden).encode('punycode').decode('ascii')}"


def _text(word: str) -> str:
    """Read the text of a word. Raises ``ValueError`` for what is none."""
    if not word.startswith("-"):
        return word
    text = word[1:].encode("ascii").decode("punycode")
    return "".join(
        chr(ord(sign) - _HIDDEN) if _HIDDEN <= ord(sign) < _HIDDEN + 128 else sign for sign in text
    )


def _counted(words: Iterable[str]) -> Iterator[str]:
    """Write words in their order, each with how often it follows itself: ``axe``, nothing,
    ``2``."""
    for text, same in groupby(words):
        yield _word(text)
        count = len(list(same))
        if count > 1:
            yield from ("", str(count))


def _uncounted(words: Sequence[str]) -> Iterator[str]:
    """Find the texts of counted words. Raises ``ValueError``."""
    waiting = list(reversed(words))
    while waiting:
        text, count = _text(waiting.pop()), 1
        if waiting and not waiting[-1]:
            waiting.pop()
            count = int(waiting.pop()) if waiting else 0
            if not 2 <= count <= MOST_LETTERS:
                raise ValueError(f"{count} copies")
        yield from [text] * count


def write_line(game: Game, build: Build) -> str:
    """Write a build as one line, ``em:…``, without waivers, and without names where too long.

    Raises ``InvalidSource`` for one that is too long all the same.
    """
    pilots = tuple(replace(pilot, name="") for pilot in build.pilots)
    unnamed = replace(build, name="", pilots=pilots)
    most = MOST_LETTERS if build.has_parts else MOST_OF_A_DECK
    code = _code(game, build)
    if len(code) > most:
        code = _code(game, unnamed)
    if len(code) > most:
        where, name = build.where, build.name
        raise error_at(where, "CODE", "too-long", name=name, found=len(code), most=most)
    return code


def _code(game: Game, build: Build) -> str:
    version = game.version.number if game.version else ""
    sections = [f"{FORM}.{_word(version) if version else '0'}"]
    if build.name:
        sections.append(f"n.{_word(build.name)}")
    if build.frame:
        sections.append(
            ".".join(["f", *map(_word, (w for pair in build.frame.items() for w in pair))])
        )
    for part, cards in build.mounted.items():
        if cards:
            sections.append(".".join(["m", _word(part), *_counted(_ids(game, cards))]))
    for deck, rows in build.decks.items():
        sections += _of_deck(game, deck, rows)
    for pilot in build.pilots:
        sections.append(".".join(["p", _word(pilot.name), *_counted(_ids(game, pilot.skills))]))
    if build.regulation:
        sections.append(f"r.{_word(build.regulation)}")
    text = ":".join([called_in_codes(game), *sections])
    return f"{text}:{_check(text)}"


def _of_deck(game: Game, deck: str, rows: Sequence[DeckEntry]) -> Iterator[str]:
    """Write a deck, and each value that its file says of a card: ``v.main.k7.cost.2``."""
    listed = [row.card for row in rows for _copy in range(row.copies)]
    yield ".".join(["d", _word(deck), *_counted(_ids(game, listed))])
    for row in rows:
        for name, value in row.fields.items():
            text = "/".join(value) if isinstance(value, tuple) else str(value)
            yield ".".join(["v", *map(_word, (deck, *_ids(game, [row.card]), name, text))])


def _ids(game: Game, names: Iterable[str]) -> Iterator[str]:
    for name in names:
        card = game.card(name)
        yield card.id if card is not None else name


def read_line(game: Game, code: str, where: SourceLocation = COMMAND_LINE) -> Build:
    """Read the build of a line: its names are ids, known or not, and what it says of cards texts.

    Raises ``InvalidSource`` for a line that was cut off or mistyped, is in another form, or for
    another game.
    """
    text, _, check = code.rpartition(":")
    name, _, rest = text.partition(":")
    if name != called_in_codes(game):
        raise error_at(where, "CODE", "other-game", found=name, allowed=called_in_codes(game))
    form = rest.partition(".")[0]
    if form != FORM:
        raise error_at(where, "CODE", "other-form", found=form, allowed=FORM)
    broken = error_at(where, "CODE", "broken")
    if check != _check(text):
        raise broken
    try:
        return _entry(rest.split(":")[1:], game, where)
    except ValueError:
        raise broken from None


def _entry(sections: Sequence[str], game: Game, where: SourceLocation) -> Build:
    """Read the sections of a line. Raises ``ValueError`` for what no line holds."""
    frame: dict[str, str] = {}
    mounted: dict[str, tuple[str, ...]] = {}
    decks: dict[str, list[str]] = {}
    fields: dict[tuple[str, str], dict[str, Value]] = {}
    pilots: list[Pilot] = []
    name = regulation = ""
    for section in sections:
        match section.split("."):
            case "n", word:
                name = _text(word)
            case "r", word:
                regulation = _text(word)
            case "f", *words:
                texts = list(map(_text, words))
                frame |= dict(zip(texts[::2], texts[1::2], strict=True))
            case "m", part, *cards:
                mounted[_text(part)] = tuple(_uncounted(cards))
            case "d", deck, *cards:
                decks[_text(deck)] = list(_uncounted(cards))
            case "v", deck, card, field, value:
                fields.setdefault((_text(deck), _text(card)), {})[_text(field)] = _text(value)
            case "p", word, *skills:
                pilots.append(Pilot(name=_text(word), skills=tuple(_uncounted(skills))))
            case _:
                raise ValueError(section)

    def row(deck: str, card: str, copies: int) -> DeckEntry:
        own = fields.get((deck, card), {})
        return DeckEntry(deck=deck, card=card, mark="", copies=copies, fields=own, where=where)

    return Build(
        name=name or str(where),
        frame=frame,
        mounted=mounted,
        pilots=tuple(pilots),
        decks={
            deck: tuple(row(deck, card, len(list(same))) for card, same in groupby(cards))
            for deck, cards in decks.items()
        },
        game=game.id,
        regulation=regulation,
        where=where,
    )


def other_version(game: Game, code: str, where: SourceLocation, missing: Sequence[str]) -> Problem:
    """Find what a line names and the game does not have, and of which data it was made."""
    named = ", ".join(map(quoted, dict.fromkeys(missing)))
    made = _text(code.split(":")[1].partition(".")[2])
    here = game.version.number if game.version else "0"
    if str(made) == str(here):
        return problem_at(where, "CODE", "other-data", here=here, missing=named)
    return problem_at(where, "CODE", "other-version", made=made, here=here, missing=named)


def build_text(game: Game, build: Build) -> str:
    """A YAML document that reads as this build, cards by name where that names one card alone."""
    return "".join(f"{line}\n" for line in _lines(game, build))


def printed_deck(game: Game, deck: str) -> Build:
    """A printed deck as a player would bring it, with the fields that its name does not tell.

    Raises ``InvalidSource`` for a deck that there is not, that nobody brings, or of which a card
    has several looks.
    """
    name = resolve_name(game, "deck", deck)
    rows = [row for row in game.decks if row.deck == name]
    if not rows:
        near = nearest(deck, game.printed_decks)
        raise error_at(COMMAND_LINE, "DECK", "no-printed-deck", name=deck, nearest=near)
    brought_as = game.deck_as_brought(name)
    if not brought_as:
        raise error_at(COMMAND_LINE, "DECK", "no-decks-brought", game=game.id)
    brought: dict[str, DeckEntry] = {}
    for row in rows:
        card = game.card(row.card)
        if card is None:
            continue
        printed = game.printed_values(brought_as, card)
        own = {key: row.fields.get(key, card.get(key)) for key in printed if len(printed[key]) > 1}
        before = brought.get(card.id)
        if before and before.fields != own:
            raise error_at(row.where, "DECK", "several-looks", card=card.name, deck=name)
        copies = row.copies + (before.copies if before else 0)
        brought[card.id] = replace(row, card=card.id, copies=copies, fields=own)
    decks = {brought_as: tuple(brought.values())}
    return Build(name=name, frame={}, mounted={}, decks=decks, game=game.id)


def card_written(game: Game, name: str) -> str:
    """A card's name, or its id where several cards have that name; what is no card as it is."""
    card = game.card(name)
    return name if card is None else game.word(card)


def _lines(game: Game, build: Build) -> Iterator[str]:
    values: dict[str, Any] = {"game": game.id, "name": build.name, "label": build.label}
    for key, value in (values | {"frame": dict(build.frame)}).items():
        if value:
            yield f"{key}: {as_written(value)}"
    decks = {
        deck: {card_written(game, row.card): _row_written(row) for row in rows}
        for deck, rows in build.decks.items()
    }
    if len(decks) > 1:
        yield "decks:"
        yield from (f"  {as_written(deck)}: {as_written(copies)}" for deck, copies in decks.items())
    for deck, copies in decks.items() if len(decks) == 1 else ():
        yield from ([f"deck: {as_written(deck)}"] if deck else [])
        yield f"cards: {as_written(copies)}"
    mounted = {part: cards for part, cards in build.mounted.items() if cards}
    if mounted:
        yield "mounted:"
        for part, cards in mounted.items():
            names = [card_written(game, name) for name in cards]
            yield f"  {as_written(part)}: {as_written(names)}"
    more: dict[str, Any] = {
        "pilots": [
            {"name": one.name, "skills": [card_written(game, name) for name in one.skills]}
            for one in build.pilots
        ],
        "regulation": build.regulation,
        "picture": re.split(r"[\\/]", build.picture)[-1],  # it lies beside the file
        "waivers": [{"rule": one.rule, "reason": one.reason} for one in build.waivers],
    }
    for key, value in more.items():
        if value:
            yield f"{key}: {as_written(value)}"
    if build.note:
        yield "note: |2-"
        yield from (f"  {line}" for line in build.note.split("\n"))


def _row_written(row: DeckEntry) -> Any:
    if not row.fields:
        return row.copies
    values = {name: list(v) if isinstance(v, tuple) else v for name, v in row.fields.items()}
    return {"copies": row.copies, **values}
