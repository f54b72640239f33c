"""A game's table and pictures brought anew: what changed is told, what was edited stays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.file_types import SPREADSHEETS
from exporter.core.messages import (
    Sentence,
    Translated,
    sentence,
)
from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    SourceLocation,
    error_at,
    nearest,
)
from exporter.core.source_files import (
    Unreadable,
    decode,
)
from exporter.core.temporary import live_folder
from exporter.faces.card_faces import picture_called
from exporter.importer.column_changes import with_columns
from exporter.importer.game_files import ids_table
from exporter.importer.game_from_tables import (
    picture_bytes,
    read_pictures,
)
from exporter.importer.import_report import listed
from exporter.loader import read_game
from exporter.loader.picture_matching import matched
from exporter.loader.spreadsheets import sheet_names
from exporter.model import (
    Card,
    Game,
    Kind,
)


class Again(Struct, frozen=True):
    """The files that change, by their paths in the game's folder, and what is to be said.

    How many cards there were, and how many of them are ``gone``.
    """

    files: Mapping[str, bytes]
    said: tuple[Translated, ...]
    cards: int = 0
    gone: int = 0


def brought_again(
    folder: Path, path: Path, data: bytes, pictures: str, templates: Path, sheet: str = ""
) -> Again:
    """A table and pictures for a game that is there; all else in it stays.

    Raises ``InvalidSource``, also where the game could not be read with them, and where no kind of
    its cards reads the ``sheet`` that is asked for.
    """
    before = read_game(folder)
    kinds = _kinds_of(before, path)
    if sheet:
        _refuse_unread(kinds, path, data, sheet)
    named = [name for name in _files(kinds[0]) if _same(name, path)]
    relative = (named or [kinds[0].file])[0]
    if PurePosixPath(relative).suffix.lower() != path.suffix.lower():
        raise error_at(COMMAND_LINE, "FROM", "other-type", name=path.name, file=relative)
    files: dict[str, bytes] = {relative: data}
    head = decode((folder / "game.yaml").read_bytes(), "game.yaml")
    text, said = with_columns(head, kinds, path, data, templates)
    if said:
        files["game.yaml"] = text.encode()
    after = _read_with(folder, files)
    brought = _brought_pictures(after, kinds, pictures)
    if art := _changed(before, brought, folder):
        files |= art
        after = _read_with(folder, files)
    said += _compared(before, after, kinds)
    for kind in kinds:
        if kind.ids:
            cards = [card for card in after.cards.values() if card.kind == kind.id]
            files[kind.ids] = ids_table((card.id, card.name) for card in cards)
    there = {PurePosixPath(name).name for name in before.art.values()} if pictures else set()
    said += _pictures_said(art, sorted(there - set(brought)))
    old = [key for key, card in before.cards.items() if card.kind in {kind.id for kind in kinds}]
    gone = sum(key not in after.cards for key in old)
    return Again(files, tuple(said) or (sentence("again", "nothing"),), len(old), gone)


def _kinds_of(game: Game, path: Path) -> list[Kind]:
    """The kinds that a table is for, or all where there is but one. Raises ``InvalidSource``."""
    kinds = [kind for kind in game.kinds.values() if _is_of(kind, path)]
    tables = sorted({name for kind in game.kinds.values() for name in _files(kind)})
    if not kinds and len(tables) != 1:
        words = {"name": path.name, "names": ", ".join(tables)}
        raise error_at(COMMAND_LINE, "FROM", "which-table", **words)
    return kinds or list(game.kinds.values())


def _refuse_unread(kinds: Sequence[Kind], path: Path, data: bytes, sheet: str) -> None:
    """Raise ``InvalidSource`` for a sheet of a table that no kind reads: it would be ignored."""
    try:
        there = sheet_names(data, path.name) if path.suffix.lower() in SPREADSHEETS else ()
    except Unreadable as error:
        raise InvalidSource([replace(error.problem, where=SourceLocation(str(path)))]) from None
    read = {name for kind in kinds for name in kind.sheet or there[:1]}
    read |= {name.partition("#")[2] for kind in kinds for name in kind.files if "#" in name}
    if sheet not in there:
        told = {"name": path.name, "sheet": sheet, "nearest": nearest(sheet, there)}
        raise error_at(COMMAND_LINE, "FROM", "no-sheet", **told)
    if sheet not in read:
        told = {"sheet": sheet, "kind": kinds[0].id, "names": ", ".join(sorted(read))}
        raise error_at(COMMAND_LINE, "FROM", "unread-sheet", **told)


def _files(kind: Kind) -> list[str]:
    return [kind.file, *(name.partition("#")[0] for name in kind.files)]


def _same(name: str, path: Path) -> bool:
    return PurePosixPath(name).name.casefold() == path.name.casefold()


def _is_of(kind: Kind, path: Path) -> bool:
    return any(_same(name, path) for name in _files(kind))


def _brought_pictures(game: Game, kinds: Sequence[Kind], pictures: str) -> dict[str, Path]:
    """The pictures of a folder that the game has or its cards ask for, by their names in it."""
    if not pictures:
        return {}
    files = {PurePosixPath(name).name: path for name, path in read_pictures(Path(pictures)).items()}
    short = matched(_asked(game, kinds), list(files)).files
    found = {short.get(name, name): path for name, path in files.items()}
    return {name: p for name, p in found.items() if name in short.values() or _has(game, name)}


def _has(game: Game, name: str) -> bool:
    return picture_called(game, name) != ""


def _changed(game: Game, brought: Mapping[str, Path], folder: Path) -> dict[str, bytes]:
    """Those of the pictures that are new or changed, by their paths in the game."""
    data = picture_bytes({f"pictures/{name}": path for name, path in brought.items()})
    changed = {}
    for name, new in data.items():
        old = picture_called(game, PurePosixPath(name).name)
        there = (folder / old).read_bytes() if old else b""
        if new != there:
            changed[old or name] = new
    return changed


def _asked(game: Game, kinds: Sequence[Kind]) -> Iterator[tuple[str, str, str]]:
    """What the windows of cards ask for: the name of a picture, if the table has one, id, name."""
    for kind in kinds:
        fronts, backs = (_window(game, style) for style in (kind.front, kind.back))
        for card in game.cards.values():
            if card.kind == kind.id:
                cell = card.text(fronts) if fronts in kind.fields else ""
                yield cell, card.id, card.name
                if backs in kind.fields and card.text(backs):
                    yield card.text(backs), "", ""


def _window(game: Game, style: str) -> str:
    """What a style's window for art names."""
    slots = game.faces[style].values.get("slots") if style in game.faces else None
    return str(slots.get("art", "")) if isinstance(slots, Mapping) else ""


def _pictures_said(art: Iterable[str], gone: Sequence[str]) -> Iterator[Sentence]:
    if names := [PurePosixPath(name).name for name in art]:
        yield sentence("again", "pictures", names=listed(names))
    if gone:
        yield sentence("again", "pictures-stay", names=listed(gone))


def _read_with(folder: Path, files: Mapping[str, bytes]) -> Game:
    """The game as it will be. Raises ``InvalidSource``, and then nothing was written."""
    with live_folder() as temporary:
        whole = temporary / folder.resolve().name
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and name not in files and not path.is_symlink():
                _put(whole / name, path.read_bytes())
        for name, data in files.items():
            _put(whole / name, data)
        head = whole / "game.yaml"
        text = head.read_text(encoding="utf-8").replace("    linked: true\n", "")
        head.write_text(text, encoding="utf-8")
        return read_game(whole)


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _compared(before: Game, after: Game, kinds: Sequence[Kind]) -> Iterator[Sentence]:
    """Which cards are new, changed, renamed and gone."""
    ids = {kind.id for kind in kinds}
    old = {key: card for key, card in before.cards.items() if card.kind in ids}
    new = {key: card for key, card in after.cards.items() if card.kind in ids}
    renamed = [key for key in new if key in old and new[key].name != old[key].name]
    changed = [
        key
        for key in new
        if key in old and key not in renamed and _said(new[key], old[key]) != _said(old[key])
    ]
    lists = {
        "new": [new[key].name for key in new if key not in old],
        "renamed": [f"{old[key].name} → {new[key].name}" for key in renamed],
        "changed": [
            f"{new[key].name} ({', '.join(_fields(old[key], new[key]))})" for key in changed
        ],
        "gone": [old[key].name for key in old if key not in new],
    }
    for word, names in lists.items():
        if names:
            yield sentence("again", word, count=len(names), names=listed(names))
    for kind in kinds:
        fields = after.kinds[kind.id].fields
        gone = [
            name
            for name in fields
            if any(card.text(name) for card in old.values() if card.kind == kind.id)
            and not any(card.text(name) for card in new.values() if card.kind == kind.id)
        ]
        if gone:
            yield sentence("again", "empty-columns", kind=kind.id, names=listed(gone))


def _said(card: Card, of: Card | None = None) -> dict[str, str]:
    """The fields of a card, or those of them that another has."""
    return {name: card.text(name) for name in (of or card).fields}


def _fields(old: Card, new: Card) -> list[str]:
    return [name for name in old.fields if old.text(name) != new.text(name)]
