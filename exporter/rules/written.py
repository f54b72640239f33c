"""A build as its author would write it: the text of a document of a file of builds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from exporter.model import Game
from exporter.problems import as_written
from exporter.rules.book import Submission


def entry_text(game: Game, entry: Submission) -> str:
    """A YAML document that reads as this build, cards by name where that names one card alone."""
    return "".join(f"{line}\n" for line in _lines(game, entry))


def card_written(game: Game, name: str) -> str:
    """A card's name, or its id where several cards have that name; what is no card as it is."""
    card = game.card(name)
    if card is None:
        return name
    return card.name if game.cards_by_name.get(card.name) is card else card.id


def _lines(game: Game, entry: Submission) -> Iterator[str]:
    build = entry.build
    said: dict[str, Any] = {"game": game.id, "name": build.name, "frame": dict(build.frame)}
    for key, value in said.items():
        if value:
            yield f"{key}: {as_written(value)}"
    decks = {
        deck: {card_written(game, row.card): row.copies for row in rows}
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
    pilots: list[Mapping[str, Any]] = [
        {"name": pilot.name, "skills": [card_written(game, name) for name in pilot.skills]}
        for pilot in build.pilots
    ]
    more: dict[str, Any] = {
        "pilots": pilots,
        "weapons": [card_written(game, name) for name in entry.loose],
        "regulation": entry.regulation,
        "waivers": [{"rule": one.rule, "reason": one.reason} for one in entry.waivers],
    }
    for key, value in more.items():
        if value:
            yield f"{key}: {as_written(value)}"


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
    game: Game,
    before: Submission,
    after: Submission,
    meant: Callable[[str, str], str],
) -> str:
    """A document with the cards and the frame of a build as they are after changes.

    Lines that say what stays as it is are kept, with all remarks; ``meant`` says which ``"key"`` or
    ``"part"`` a word stands for. Where a changed part does not stand in one line, or
    pilots change, all of it is written anew, below the remarks that it begins with.
    """
    lines = document.split("\n")
    changed = _changed(before.build.mounted, after.build.mounted)
    done: set[str] = set()
    last = -1
    for number, line in enumerate(lines):
        found = _LINE.fullmatch(line.rstrip("\r"))
        if found is None:
            continue
        if not found["lead"] and meant("key", found["key"].strip()) == "frame":
            frame = dict(after.build.frame)
            if frame != dict(before.build.frame):
                lines[number] = _with_value(found, as_written(frame))
            done.add("frame")
        elif found["lead"]:
            part = meant("part", found["key"].strip())
            if part in after.build.mounted and found["value"].startswith("["):
                last = number
                done.add(part)
                if part in changed:
                    names = [card_written(game, name) for name in after.build.mounted[part]]
                    lines[number] = _with_value(found, as_written(names))
    missing = [part for part in changed if part not in done and after.build.mounted[part]]
    gone = [part for part in changed if part not in done and before.build.mounted.get(part)]
    frame_changed = dict(before.build.frame) != dict(after.build.frame)
    pilots_changed = before.build.pilots != after.build.pilots
    if gone or pilots_changed or last < 0 or (frame_changed and "frame" not in done):
        return "".join(_remarks(lines)) + entry_text(game, after)
    lead = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
    added = [
        f"{lead}{as_written(part)}: "
        + as_written([card_written(game, name) for name in after.build.mounted[part]])
        for part in missing
    ]
    return "\n".join([*lines[: last + 1], *added, *lines[last + 1 :]])


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
