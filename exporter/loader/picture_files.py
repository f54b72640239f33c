"""A game's own pictures: which file shows what, which is missing, which nobody shows."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import PurePosixPath

from msgspec.structs import replace

from exporter.core.problems import (
    Problem,
    SourceLocation,
    listed,
    nearest,
)
from exporter.core.reading_limits import (
    KIB,
    MIB,
    MOST_TOLD,
)
from exporter.core.source_files import (
    Unreadable,
    composed,
    inside,
    names_in,
    open_plain,
)
from exporter.faces.card_faces import CARD_ITSELF, picture_called
from exporter.faces.face_texts import (
    folded,
    is_icon,
)
from exporter.loader.load_context import LoadContext
from exporter.loader.picture_matching import (
    Matched,
    matched,
    stem_of,
)
from exporter.model import (
    Card,
    FaceStyle,
    Game,
    Kind,
)

PICTURE_TYPES = (".png", ".jpg", ".jpeg", ".webp", ".svg")

PICTURES, FINISHED = "pictures", "finished"

_LISTED = 12
"""Names in one notice."""


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
    finished = [f for folder in _folders(reading) for f in _files(reading, folder)]
    _note_contents(reading, finished)
    game = replace(game, finished=_finished(reading, finished))
    files, known = _of_cards(game, finished)
    game = replace(game, finished={**game.finished, **known})
    _notice_unfinished(reading, game, files)
    return game


_BEGINNING = 64 * KIB
"""Bytes by which pictures of one size differ: to read them all would take long."""


def _note_contents(reading: LoadContext, files: Iterable[str]) -> None:
    """Note what pictures show; a drawing is text, whose lines end in either way."""
    for name in files:
        path = inside(reading.root, name)
        with suppress(Unreadable, OSError):  # a problem where it is shown
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
            there = [name for name in names_in(reading.root, "icons") if isinstance(name, str)]
            reading.fault(
                game.place("marks", mark),
                "SRC-FILE",
                "no-icon",
                file=word,
                nearest=nearest(word, there),
            )


def _files(reading: LoadContext, folder: str) -> Iterator[str]:
    """Yield the pictures of a folder; others are problems."""
    for name in names_in(reading.root, folder):
        if isinstance(name, Problem):
            reading.problems.append(name)
            continue
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


def _folders(reading: LoadContext) -> list[str]:
    """Return ``finished`` and the folders in it, and in those of ``decks``."""
    found = [FINISHED]
    for folder in found:
        for name in names_in(reading.root, folder):
            if not isinstance(name, Problem) and (reading.root / name).is_dir():
                found.append(name)
    return found


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
    strangers = []
    known = {composed(name): name for name in (*game.cards, *game.mechs, *game.boards)}
    shown = set(_shown_as_art(reading, game))
    for name in files:
        stem, where = PurePosixPath(name).stem, SourceLocation(reading.label(name))
        thing = known.get(stem, stem)
        if thing in pictures:
            if name not in shown:
                reading.fault(
                    where, "SRC-ID", "picture-already", thing=thing, pictures=pictures[thing]
                )
            continue
        pictures[thing] = name
        if stem not in known and name not in shown:
            strangers.append(name)
    if strangers and not reading.incomplete & {"card", "mech", "board"}:
        on_sheets = set(_on_sheets(reading, game))
        strangers = [name for name in strangers if name not in on_sheets]
        _report_unused(reading, strangers, known, has_art=bool(shown or on_sheets))
    return pictures


def _report_unused(
    reading: LoadContext, strangers: list[str], known: Mapping[str, str], *, has_art: bool
) -> None:
    if has_art and strangers:
        reading.notice(
            SourceLocation(reading.label(PICTURES)),
            "SRC-FILE",
            "pictures-unshown",
            count=len(strangers),
            names=listed(PurePosixPath(name).name for name in strangers),
        )
        return
    for number, name in enumerate(strangers):
        stem = PurePosixPath(name).stem
        near = nearest(stem, known) if number < MOST_TOLD else ""
        where = SourceLocation(reading.label(name))
        reading.fault(where, "SRC-REF", "picture-of-nothing", name=stem, nearest=near)


def _shown_as_art(reading: LoadContext, game: Game) -> Iterator[str]:
    """Yield the pictures that art windows show; a notice of the names that no file has."""
    given = _given(game)
    for style in game.faces.values():
        word = _window(style)
        kinds = [kind for kind in game.kinds.values() if style.id in (kind.front, kind.back)]
        for kind in kinds if word else ():
            yield from _shown_on_cards(reading, game, kind, word)
        if word and not kinds:
            yield from _called(game, given.get(word, [word]))
    for layout in game.layouts.values():
        for item in layout.items:
            slots = item.values.get("slots")
            art = slots.get("art") if isinstance(slots, Mapping) else None
            if art:
                yield from _called(game, given.get(art, [str(item.values.get(art, art))]))


def _shown_on_cards(reading: LoadContext, game: Game, kind: Kind, word: str) -> Iterator[str]:
    """Yield those of a kind's cards: what the field ``word`` names, or the picture of that name."""
    of_cards = word in (*CARD_ITSELF, *kind.fields)
    cards = [card for card in game.cards.values() if card.kind == kind.id]
    names = {_named(card, word): card for card in reversed(cards)} if of_cards else {}
    if not of_cards and cards:
        names = {word: cards[0]}
    if names.pop("", None):
        yield from _called(game, (card.id for card in cards if not _named(card, word)))
    missing: dict[str, Card] = {}
    for name, card in names.items():
        if path := picture_called(game, name):
            yield path
        else:
            missing[name] = card
    _notice_missing(reading, game, missing, word if of_cards else "")


def _on_sheets(reading: LoadContext, game: Game) -> Iterator[str]:
    """Yield the pictures that sheets name; faults of sheets come where they are read."""
    from exporter.model.print_jobs import SheetJob

    for job in LoadContext(reading.root).each(SheetJob, "sheets", "sheet"):
        slots = job.values.get("slots")
        if isinstance(slots, Mapping) and isinstance(art := slots.get("art"), str):
            yield from _called(game, [art])


def _called(game: Game, names: Iterable[str]) -> Iterator[str]:
    return (path for name in names if (path := picture_called(game, name)))


def _given(game: Game) -> dict[str, list[str]]:
    """Return what the program gives templates under names that their windows may take."""
    items = (item for layout in game.layouts.values() for item in layout.items)
    cells = (cell for board in game.boards.values() for cell in board.cells)
    return {
        "value": [side for item in items for side in item.sides],
        "terrain": list({cell.terrain for cell in cells}),
    }


def _named(card: Card, word: str) -> str:
    value = card.get(word)
    return str(value[0] if value else "") if isinstance(value, tuple) else str(value)


def _window(style: FaceStyle) -> str:
    slots = style.values.get("slots")
    word = slots.get("art") if isinstance(slots, Mapping) else None
    takes_art = style.declaration is not None and "art" in style.declaration.takes
    return str(word) if word and takes_art else ""


def _notice_missing(reading: LoadContext, game: Game, missing: dict[str, Card], field: str) -> None:
    """Say once which pictures of a kind are not there, with the nearest to the first."""
    if not missing or "card" in reading.incomplete:
        return
    first = list(missing)[-1]
    stems = list(dict.fromkeys(PurePosixPath(file).stem for file in game.art.values()))
    reading.notice(
        missing[first].at(field),
        "SRC-REF",
        "pictures-missing",
        count=len(missing),
        names=listed(reversed(list(missing)), _LISTED),
        nearest=nearest(first, stems) if stems else "",
    )


def _finished(reading: LoadContext, files: Iterable[str]) -> dict[str, str]:
    """Return finished faces by folded path: those directly in the folder are of cards, sheets,
    boards."""
    found: dict[str, str] = {}
    for file in files:
        path = PurePosixPath(file.removeprefix(f"{FINISHED}/"))
        folders = [str(path.parent)] if str(path.parent) != "." else ["cards", "sheets", "boards"]
        for folder in folders:
            key = folded(f"{folder}/{path.stem}")
            other = found.setdefault(key, file)
            if other != file:
                where = SourceLocation(reading.label(file))
                reading.fault(where, "SRC-ID", "same-finished-face", other=other)
                break
    return found


def _of_cards(game: Game, files: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Return finished cards that are called by the names of their cards, or by more than these:
    which files show nothing even so, and the others by folded path."""
    things = {"cards": game.cards, "sheets": game.mechs, "boards": game.boards}
    own = {folded(f"{folder}/{key}") for folder, known in things.items() for key in known}
    shown = {file for key, file in game.finished.items() if key in own}
    strangers = [f for f in files if f not in shown and f.split("/")[1:-1] in ([], ["cards"])]
    cards = [c for c in game.cards.values() if folded(f"cards/{c.id}") not in game.finished]
    alike = Counter(card.name for card in cards)
    wanted = (("", card.id, card.name if alike[card.name] == 1 else "") for card in cards)
    found = matched(wanted, strangers) if strangers else Matched({}, (), ())
    known = {folded(f"cards/{stem_of(name)}"): file for file, name in found.files.items()}
    return list(found.others), known


def _notice_unfinished(reading: LoadContext, game: Game, strangers: list[str]) -> None:
    """Say which cards have no finished front, where others have, and what shows nothing."""
    if strangers and not reading.incomplete & {"card", "mech", "board"}:
        first = PurePosixPath(strangers[0]).stem
        names = {name: "" for card in game.cards.values() for name in (card.id, card.name)}
        reading.notice(
            SourceLocation(reading.label(FINISHED)),
            "SRC-FILE",
            "finished-of-nothing",
            count=len(strangers),
            names=listed((PurePosixPath(name).name for name in strangers), _LISTED),
            nearest=nearest(first, names),
        )
    shown = [card for card in game.cards.values() if game.kinds[card.kind].front]
    without = [card.id for card in shown if folded(f"cards/{card.id}") not in game.finished]
    if without and len(without) < len(shown):
        reading.notice(
            SourceLocation(reading.label(FINISHED)),
            "SRC-FILE",
            "not-finished",
            count=len(without),
            names=listed(without, _LISTED),
        )
