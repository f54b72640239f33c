"""A build as its author would write it: the text of a document of a file of builds, and such a
file as it is after changes, in which what stays as it is keeps its lines and remarks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import COMMAND_LINE, as_written, error_at, nearest
from exporter.model import Build, DeckEntry, Game, Pilot
from exporter.model.game_names import resolve_name


def entry_text(game: Game, build: Build) -> str:
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
        near = nearest(deck, {row.deck for row in game.decks})
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
    said: dict[str, Any] = {"game": game.id, "name": build.name, "label": build.label}
    for key, value in (said | {"frame": dict(build.frame)}).items():
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
        "pilots": pilots_written(game, build),
        "weapons": [card_written(game, name) for name in build.loose],
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
    said = {name: list(v) if isinstance(v, tuple) else v for name, v in row.fields.items()}
    return {"copies": row.copies, **said}


def pilots_written(game: Game, build: Build) -> list[Mapping[str, Any]]:
    """The pilots of a build with their skills."""
    return [
        {"name": pilot.name, "skills": [card_written(game, name) for name in pilot.skills]}
        for pilot in build.pilots
    ]


Meant = Callable[[str, str], str]
"""Which ``"key"`` or ``"part"`` a word stands for."""

_LINE = re.compile(
    r"(?P<lead>\s*)(?P<key>[^\s:#][^:]*?):(?P<gap>[ ]+)"
    r"(?P<value>\[.*\]|\{.*\})(?P<rest>[ ]*(?:#.*)?)"
)
"""A key with a list or a mapping in one line, and a remark behind it."""

_SPLIT = re.compile(r"^---.*$", re.MULTILINE)


def documents(text: str) -> list[str]:
    """The documents of a YAML text, each with the line that parts it from the one before.

    What holds remarks alone belongs to the one that follows.
    """
    starts = [0, *(found.start() for found in _SPLIT.finditer(text)), len(text)]
    found: list[str] = []
    begun = ""
    for start, end in pairwise(starts):
        begun += text[start:end]
        if any(line and not line.startswith(("#", "---")) for line in begun.split("\n")):
            found.append(begun)
            begun = ""
    return [*found[:-1], found[-1] + begun] if found else []


def rewritten(
    document: str,
    first: int,
    game: Game,
    before: Build,
    after: Build,
    meant: Meant,
) -> str:
    """A document, whose ``first`` line this is in its file, with a build as it is after changes.

    Lines that say what stays as it is are kept, with all remarks. What changes and stands in such a
    way that it cannot be found in single lines makes all of it be written anew, below the remarks
    that it begins with.
    """
    lines: list[str] | None = document.split("\n")
    if before.decks != after.decks:
        lines = _with_decks(lines or [], first, game, before, after)
    if lines is not None and before.pilots != after.pilots:
        lines = _with_pilots(lines, game, before, after, meant)
    if lines is not None and before.has_parts:
        lines = _with_mounted(lines, game, before, after, meant)
    if lines is None:
        return "".join(_remarks(document.split("\n"))) + entry_text(game, after)
    return "\n".join(lines)


def _with_mounted(
    lines: list[str], game: Game, before: Build, after: Build, meant: Meant
) -> list[str] | None:
    """The lines with what is mounted and the frame; nothing where they do not stand in lines."""
    changed = _changed(before.mounted, after.mounted)
    frame = dict(after.frame) if dict(after.frame) != dict(before.frame) else None
    last, done = -1, set()
    for number, line in enumerate(lines):
        found = _LINE.fullmatch(line.rstrip("\r"))
        if found is None:
            continue
        if frame and not found["lead"] and meant("key", found["key"].strip()) == "frame":
            lines[number] = _with_value(found, as_written(frame))
            frame = None
        part = meant("part", found["key"].strip()) if found["lead"] else ""
        if part in after.mounted and found["value"].startswith("["):
            last = number
            done.add(part)
            if part in changed:
                names = [card_written(game, name) for name in after.mounted[part]]
                lines[number] = _with_value(found, as_written(names))
    if not changed and frame is None:
        return lines
    gone = [part for part in changed if part not in done and before.mounted.get(part)]
    if gone or last < 0 or frame:
        return None
    lead = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
    added = [
        f"{lead}{as_written(part)}: "
        + as_written([card_written(game, name) for name in after.mounted[part]])
        for part in changed
        if part not in done and after.mounted[part]
    ]
    return [*lines[: last + 1], *added, *lines[last + 1 :]]


def _with_pilots(
    lines: list[str], game: Game, before: Build, after: Build, meant: Meant
) -> list[str] | None:
    """The lines with the pilots, in one line or in lines of one each."""
    listed = pilots_written(game, after)
    for number, line in enumerate(lines):
        key = line.partition(":")[0]
        if line[:1].isspace() or meant("key", key.strip()) not in ("pilot", "pilots"):
            continue
        found = _LINE.fullmatch(line.rstrip("\r"))
        if found is not None:
            lines[number] = _with_value(found, as_written(listed))
            return lines
        items = _items(lines, number + 1)
        if len(items) != len(before.pilots):
            return None
        left = list(after.pilots)
        for pilot, (start, end) in zip(before.pilots, items, strict=True):
            kept = bool(left) and left[0].name == pilot.name and _has_skills_of(pilot, left[0])
            if kept and left.pop(0).skills != pilot.skills:
                return None
            if not kept:
                lines[start:end] = [""] * (end - start)
        gone = {n for start, end in items for n in range(start, end) if not lines[n]}
        return [line for n, line in enumerate(lines) if n not in gone]
    return None


def _has_skills_of(before: Pilot, after: Pilot) -> bool:
    return not Counter(after.skills) - Counter(before.skills)


def _items(lines: Sequence[str], first: int) -> list[tuple[int, int]]:
    """The entries of a list that begins in a line: each begins with a dash."""
    found: list[tuple[int, int]] = []
    for number in range(first, len(lines)):
        line = lines[number].strip()
        if line.startswith("- "):
            found.append((number, number + 1))
        elif lines[number][:1].isspace() and found and line:
            found[-1] = (found[-1][0], number + 1)
        elif line and not line.startswith("#"):
            break
    return found


_COPIES = re.compile(
    r"""(?P<key>"[^"]*"|'[^']*'|[^:,{}#]+?)(?P<gap>\s*:\s*)(?P<copies>[^,}\s#]+)(?P<rest>,?\s*)"""
)
"""A card and its copies, where they stand in a mapping."""


def _with_decks(
    lines: list[str], first: int, game: Game, before: Build, after: Build
) -> list[str] | None:
    """The lines with other copies of cards: each row of a deck knows where it stands."""
    if any(rows and not before.decks.get(deck) for deck, rows in after.decks.items()):
        return None
    for edit in deck_edits(before, after):
        row = edit.row
        index, at = row.where.line - first, row.where.column - 1
        found = _COPIES.match(lines[index], at) if 0 <= index < len(lines) else None
        if found is None or found["copies"].startswith("{"):
            return None
        more = [f"{as_written(card_written(game, card))}: {n}" for card, n in edit.more.items()]
        _change_row(lines, index, found, row.copies != edit.copies, edit.copies, more)
    return lines


class DeckEdit(Struct, frozen=True):
    """A row of somebody's deck with the ``copies`` that it is to have; behind it come ``more``
    cards, by id."""

    row: DeckEntry
    copies: int
    more: Mapping[str, int] = {}


def deck_edits(before: Build, after: Build) -> list[DeckEdit]:
    """What becomes of each row of a player's decks, the last row of the file first.

    What comes into a deck stands behind its last row; a deck without rows has no place for it.
    """
    edits: list[DeckEdit] = []
    for deck, rows in before.decks.items():
        held = Counter({row.card: row.copies for row in after.decks.get(deck, ())})
        own = Counter(row.card for row in rows)
        for number, row in enumerate(rows, 1):
            own[row.card] -= 1
            copies = min(row.copies, held[row.card]) if own[row.card] else held[row.card]
            held[row.card] -= copies
            more = {card: n for card, n in held.items() if n} if number == len(rows) else {}
            edits.append(DeckEdit(row, copies, more))
    edits.sort(key=lambda edit: (edit.row.where.line, edit.row.where.column), reverse=True)
    return edits


def _change_row(
    lines: list[str],
    index: int,
    found: re.Match[str],
    is_changed: bool,
    copies: int,
    more: Sequence[str],
) -> None:
    """Writes the copies of a card into its line, and further cards behind it."""
    line = lines[index]
    before, after = line[: found.start()], line[found.end() :]
    alone = not before.strip() and not found["rest"].startswith(",")
    if alone:
        lines[index + 1 : index + 1] = [f"{before}{one}" for one in more]
        if not copies:
            del lines[index]
        elif is_changed:
            lines[index] = f"{before}{found['key']}{found['gap']}{copies}{found['rest']}{after}"
        return
    number = str(copies) if is_changed else found["copies"]
    own = [f"{found['key']}{found['gap']}{number}"] if copies else []
    text = ", ".join([*own, *more])
    if not text and not found["rest"].startswith(","):
        before = re.sub(r",\s*$", "", before)
    lines[index] = f"{before}{text}{found['rest'] if text else ''}{after}"


def _changed(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> list[str]:
    return [part for part in after if tuple(before.get(part, ())) != tuple(after[part])]


def _with_value(found: re.Match[str], value: str) -> str:
    return f"{found['lead']}{found['key']}:{found['gap']}{value}{found['rest']}"


def _remarks(lines: Sequence[str]) -> Iterator[str]:
    """The lines that a document begins with before it says anything."""
    for line in lines:
        if line.strip() and not line.startswith(("#", "---")):
            return
        yield f"{line}\n"
