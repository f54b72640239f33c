"""A game's own pictures: which file shows what, which is missing, which nobody shows."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    listed,
    nearest,
    word_of,
)
from exporter.core.reading_limits import (
    KIB,
    MIB,
    MOST_LISTED,
)
from exporter.core.source_files import (
    composed,
    inside,
    open_plain,
)
from exporter.faces.card_faces import CARD_ITSELF, CLIENT, picture_called
from exporter.faces.face_texts import (
    folded,
    is_icon,
)
from exporter.loader.load_context import LoadContext
from exporter.model import (
    Card,
    Game,
    Kind,
)
from exporter.model.print_jobs import SheetJob

PICTURE_TYPES = (".png", ".jpg", ".jpeg", ".webp", ".svg")

PICTURES, FINISHED = "pictures", "finished"


def with_pictures(reading: LoadContext, game: Game) -> Game:
    """Return a game with its pictures: by what they show, by their names, and those that are
    finished."""
    _check_icons(reading, game)
    files = list(_files(reading, PICTURES))
    _note_contents(reading, [*filter(is_icon, game.marks.values()), *files])
    game = replace(game, art=_by_name(files))
    game = replace(game, pictures=_by_id(reading, game, files))
    if not os.path.isdir(reading.root / FINISHED):
        return game
    folders = [FINISHED]  # and those in it, and in those of ``decks``
    for folder in folders:
        names = reading.names_in(folder, "picture")
        folders += [name for name in names if (reading.root / name).is_dir()]
    finished = [file for folder in folders for file in _files(reading, folder)]
    _note_contents(reading, finished)
    return replace(game, finished=_finished(reading, game, finished))


def _finished(reading: LoadContext, game: Game, files: Sequence[str]) -> dict[str, str]:
    """Return finished faces by folded path: those directly in the folder are of cards, sheets,
    boards; those of cards may be called by their names, or by more than these."""
    found: dict[str, str] = {}
    for file in files:
        path = PurePosixPath(file.removeprefix(f"{FINISHED}/"))
        inner = [str(path.parent)] if str(path.parent) != "." else ["cards", "sheets", "boards"]
        others = {found.setdefault(folded(f"{one}/{path.stem}"), file) for one in inner} - {file}
        for other in sorted(others)[:1]:
            where = SourceLocation(reading.label(file))
            reading.fault(where, "SRC-ID", "same-finished-face", other=other)
    things = {"cards": game.cards, "sheets": game.mechs, "boards": game.boards}
    own = {folded(f"{folder}/{key}") for folder, known in things.items() for key in known}
    shown = {file for key, file in found.items() if key in own}
    rest = [f for f in files if f not in shown and f.split("/")[1:-1] in ([], ["cards"])]
    cards = [card for card in game.cards.values() if folded(f"cards/{card.id}") not in found]
    alike = Counter(card.name for card in cards)
    wanted = (("", card.id, card.name if alike[card.name] == 1 else "") for card in cards)
    by_name = matched(wanted, rest) if rest else Matched({}, (), ())
    found |= {
        folded(f"cards/{PurePosixPath(name).stem}"): file for file, name in by_name.files.items()
    }
    where, are_known = SourceLocation(reading.label(FINISHED)), not reading.incomplete & _SHOWN
    if by_name.others and are_known:
        names = [PurePosixPath(name) for name in by_name.others]
        known = {name: "" for card in game.cards.values() for name in (card.id, card.name)}
        reading.notice(
            where,
            "SRC-FILE",
            "finished-of-nothing",
            nearest=nearest(names[0].stem, known),
            count=len(names),
            names=listed(one.name for one in names),
        )
    fronts = [card for card in game.cards.values() if game.kinds[card.kind].front]
    without = [card.name for card in fronts if folded(f"cards/{card.id}") not in found]
    if without and len(without) < len(fronts):
        reading.notice(where, "SRC-FILE", "not-finished", count=len(without), names=listed(without))
    return found


# The sorts of what pictures show by their ids.
_SHOWN = {"card", "mech", "board"}


# Bytes by which pictures of one size differ: to read them all would take long.
_BEGINNING = 64 * KIB


def _note_contents(reading: LoadContext, files: Iterable[str]) -> None:
    """Note what pictures show; a drawing is text, whose lines end in either way."""
    for name in files:
        path = inside(reading.root, name)
        with suppress(InvalidSource, OSError):  # a problem where it is shown
            if path is not None:
                with open_plain(path, name, sys.maxsize) as file:
                    is_text = name.lower().endswith(".svg")
                    size = 0 if is_text else os.fstat(file.fileno()).st_size
                    begins = file.read(MIB if is_text else _BEGINNING).splitlines()
                    reading.note_content(name, (size, begins))


def _check_icons(reading: LoadContext, game: Game) -> None:
    """Note each mark whose drawing is not there."""
    for mark, word in game.marks.items():
        path = inside(reading.root, word) if is_icon(word) else None
        if is_icon(word) and (path is None or not path.is_file()):
            there = reading.names_in("icons", "icon")
            reading.fault(
                game.place("marks", mark),
                "SRC-FILE",
                "no-icon",
                file=word,
                nearest=nearest(word, there),
            )


def _files(reading: LoadContext, folder: str) -> Iterator[str]:
    """Yield the pictures of a folder; others are problems."""
    for name in reading.names_in(folder, "picture"):
        path, where = PurePosixPath(name), SourceLocation(reading.label(name))
        if folder.startswith(FINISHED) and (reading.root / name).is_dir():
            continue
        if path.suffix.lower() not in PICTURE_TYPES:
            reading.fault(
                where,
                "SRC-FILE",
                "found-picture-type",
                suffix=path.suffix or "(none)",
                names=", ".join(PICTURE_TYPES),
            )
        elif inside(reading.root, name) is None:
            reading.fault(where, "SRC-FILE", "picture-link-leads")
        else:
            yield name


def _by_name(files: Iterable[str]) -> dict[str, str]:
    """Return files by their names, with and without ending, as they are and folded where that is
    clear."""
    exact: dict[str, str] = {}
    loose: dict[str, set[str]] = {}
    for file in files:
        name = file.removeprefix(f"{PICTURES}/")
        stem = name.removesuffix(PurePosixPath(name).suffix)
        for word in (name, stem):
            exact.setdefault(word, file)
            loose.setdefault(folded(word), set()).add(file)
    clear = {word: min(found) for word, found in loose.items() if len(found) == 1}
    return {**clear, **exact}


def _by_id(reading: LoadContext, game: Game, files: Iterable[str]) -> dict[str, str]:
    """Return the pictures by the id of the card, mech or board that they show."""
    pictures: dict[str, str] = {}
    unshown = []
    known = {composed(name): name for name in (*game.cards, *game.mechs, *game.boards)}
    shown = set(_shown_as_art(reading, game))
    for name in files:
        stem, where = PurePosixPath(name).stem, SourceLocation(reading.label(name))
        thing = known.get(stem, stem)
        first = pictures.setdefault(thing, name)
        if first != name and name not in shown:
            reading.fault(where, "SRC-ID", "picture-already", thing=thing, pictures=first)
        elif first == name and stem not in known and name not in shown:
            unshown.append(name)
    if unshown and not reading.incomplete & _SHOWN:
        for job in LoadContext(reading.root).each(SheetJob, "sheets", "sheet"):
            art = _art(job.values)  # faults of sheets come where they are read
            shown.add(picture_called(game, art) or "" if art else "")
        unshown = [name for name in unshown if name not in shown]
        if shown - {""} and unshown:
            reading.notice(
                SourceLocation(reading.label(PICTURES)),
                "SRC-FILE",
                "pictures-unshown",
                count=len(unshown),
                names=listed(name.rpartition("/")[2] for name in unshown),
            )
            return pictures
        for number, name in enumerate(unshown):
            stem = PurePosixPath(name).stem
            near = nearest(stem, known) if number < MOST_LISTED else ""
            reading.fault(
                SourceLocation(reading.label(name)),
                "SRC-REF",
                "picture-of-nothing",
                name=stem,
                nearest=near,
            )
    return pictures


def _art(values: Mapping[str, Any]) -> str:
    """Return what a window of art is to show, by the values of a style or a thing."""
    slots = values.get("slots")
    word = slots.get("art") if isinstance(slots, Mapping) else ""
    return word if isinstance(word, str) else ""


def _shown_as_art(reading: LoadContext, game: Game) -> Iterator[str]:
    """Yield the pictures that art windows show; a notice of the names that no file has."""
    items = [item for layout in game.layouts.values() for item in layout.items]
    cells = (cell for board in game.boards.values() for cell in board.cells)
    # What the program gives templates under names that their windows may take.
    given = {
        "value": [side for item in items for side in item.sides],
        "terrain": list({cell.terrain for cell in cells}),
    }
    names: list[str] = []
    for style in game.faces.values():
        takes_art = style.declaration is not None and "art" in style.declaration.takes
        word = _art(style.values) if takes_art else ""
        kinds = [kind for kind in game.kinds.values() if style.id in (kind.front, kind.back)]
        for kind in kinds if word else ():
            yield from _shown_on_cards(reading, game, kind, word)
        names += given.get(word, [word]) if word and not kinds else []
    for item in items:
        if word := _art(item.values):
            names += given.get(word, [str(item.values.get(word, word))])
        names += item.shown
    for plan in game.rooms.values():
        names += (name for table in plan.tables.values() for name in table.shown)
    yield from filter(None, (picture_called(game, name) for name in names))


def _shown_on_cards(reading: LoadContext, game: Game, kind: Kind, word: str) -> Iterator[str]:
    """Yield those of a kind's cards: what the field ``word`` names, or the picture of that name."""
    of_cards = word in (*CARD_ITSELF, *kind.fields)
    names: dict[str, Card] = {}
    for card in game.cards_of(kind.id):
        value = card.get(word) if of_cards else word
        name = (value[0] if value else "") if isinstance(value, tuple) else value
        names.setdefault(str(name) or card.id, card)
    missing = {name: card for name, card in names.items() if not picture_called(game, name)}
    yield from filter(None, (picture_called(game, name) for name in names))
    missing = {
        name: card
        for name, card in missing.items()
        if (name != card.id or word == "id") and not name.startswith(CLIENT)
    }
    if missing and "card" not in reading.incomplete:
        named = [card.name if word == "id" else name for name, card in missing.items()]
        stems = list(dict.fromkeys(PurePosixPath(file).stem for file in game.art.values()))
        near = nearest(named[0], stems) if len(missing) == 1 else ""
        reading.notice(
            next(iter(missing.values())).at(word if of_cards else ""),
            "SRC-REF",
            "pictures-missing",
            nearest=near if word_of(near) else "",
            count=len(missing),
            names=listed(named),
            example=PurePosixPath(named[0]).stem[:20],
        )


_PARTS = re.compile(r"[\s_\-.()（）【】［］\[\]]+")

# What systems add to the name of a file that is there already.
_AGAIN = re.compile(r"\s*[(（][0-9]+[)）]\s*$|\s*-\s*(?:copy|コピー)\s*$", re.IGNORECASE)


class Matched(Struct, frozen=True):
    """File → name it gets in the game; the names that no file has; files that show no card."""

    files: Mapping[str, str]
    missing: tuple[str, ...]
    others: tuple[str, ...]


def matched(cards: Iterable[tuple[str, str, str]], files: Sequence[str]) -> Matched:
    """Return the pictures of cards, each by what its table names, or else by its id or its name.

    A picture of a card's id or name may say more (``猫又_完成.png``, ``art_猫又.png``). It gets the
    id, so that a card which is renamed keeps it.
    """
    wanted = list(dict.fromkeys(cards))
    has_column = any(cell for cell, _id, _name in wanted)
    stems = {file: PurePosixPath(file).stem for file in files}
    words = [word for cell, *own in wanted for word in ([cell] if cell else own) if word]
    found = _direct(words, stems)
    parts = _by_parts({file: stem for file, stem in stems.items() if file not in found.values()})
    named: dict[str, str] = {}
    missing = []
    for cell, key, name in wanted:
        own = [cell] if cell else [key, name]
        known = [found[word] for word in own if word in found]
        known += [parts[word] for word in map(folded, own) if word in parts]
        if not known and (cell or not has_column):
            missing.append(cell or name)
        for file in known[:1]:
            is_called_so = file in found.values() and (cell or folded(stems[file]) == folded(key))
            stem = stems[file] if is_called_so else PurePosixPath(cell).stem if cell else key
            named.setdefault(file, f"{stem}.{file.rpartition('.')[2].lower()}")
    others = tuple(file for file in files if file not in named)
    return Matched(named, tuple(dict.fromkeys(missing)), others)


def _by_parts(stems: Mapping[str, str]) -> dict[str, str]:
    """Return part of a name, or all but the first one, folded → the one file that has it."""
    found: dict[str, set[str]] = {}
    for file, whole in stems.items():
        stem = _AGAIN.sub("", whole)
        for part in (*_PARTS.split(stem), _PARTS.sub(" ", stem, count=1).partition(" ")[2]):
            if part:
                found.setdefault(folded(part), set()).add(file)
    return {part: min(files) for part, files in found.items() if len(files) == 1}


def _direct(names: Iterable[str], stems: Mapping[str, str]) -> dict[str, str]:
    """Return name → file, where the two are the same but for width, case, kana and what parts
    words."""
    files = {folded(stem): file for file, stem in reversed(list(stems.items()))}
    found = {}
    for name in names:
        last = name.replace("\\", "/").rpartition("/")[2]
        for word in (folded(last), folded(PurePosixPath(last).stem)):
            if word in files:
                found[name] = files[word]
                break
    return found
