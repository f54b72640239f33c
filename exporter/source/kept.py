"""What was read of a game without a word, kept for as long as all that its reading looks at stays.

That is every file of its folder, or every file but tables, what its templates declare, and the
program itself. There is one entry for each folder, so that a game that is edited all day takes no
more room than any other.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, Struct, msgpack

from exporter.cache import Cache
from exporter.model import Declaration, FaceStyle, Game
from exporter.paint.templates import lasting_digest
from exporter.reading_budget import MIB
from exporter.source.endings import TABLES
from exporter.source.files import label
from exporter.source.packed import Unpackable, packed, unpacked
from exporter.source.pictures import PICTURE_TYPES
from exporter.source.styles import declarations

_PROGRAM = Path(__file__).parent.parent
_MOST_FILES, _MOST_BYTES = 5000, 32 * MIB
"""A folder that holds more is read each time."""


@lru_cache(maxsize=4)
def program_digest(cache: Cache) -> str:
    """A hash of the program's own modules, which do not change while it runs."""
    modules = (
        os.path.join(folder, name)
        for folder, _folders, names in os.walk(_PROGRAM)
        for name in names
        if name.endswith(".py")
    )
    return lasting_digest({path: path for path in sorted(modules)}, cache)


class Kept(Struct, frozen=True):
    """Where what was read of a folder is kept, and ``seen``: a hash of all that reading it sees.

    Nothing is ``seen`` of a folder that is too large, or has links or what cannot be read.
    """

    cache: Cache
    name: str
    seen: str

    def get(self) -> Any:
        """What was kept; nothing where anything has changed, what templates declare aside."""
        data = self.cache.get(self.name) if self.seen else None
        if data is None or not data.startswith(self.seen.encode()):
            return None
        try:
            return unpacked(data[len(self.seen) :])
        except Unpackable:
            return None

    def put(self, found: Any) -> None:
        """Keep what was read of which there is nothing to tell."""
        if not self.seen:
            return
        try:
            data = packed(found)
        except (Unpackable, MsgspecError):
            return
        self.cache.put(self.name, self.seen.encode() + data)

    def known(self, game: Game) -> str:
        """A hash of all that made the game what it is; nothing where that is not known."""
        if not self.seen or any(kind.linked for kind in game.kinds.values()):
            return ""
        declared = msgpack.encode(sorted(_declared(game.faces).items()))
        return hashlib.sha256(self.seen.encode() + declared).hexdigest()


def kept(folder: Path, what: str, cache: Cache, *, tables: bool = True) -> Kept:
    """Where to look for ``what`` was read of a folder; of its ``tables``, or of all but these."""
    place = hashlib.sha256(f"{what}\n{os.path.abspath(folder)}".encode()).hexdigest()
    return Kept(cache, f"game-{place}", _seen(folder, cache, tables=tables))


def declares_the_same(faces: Mapping[str, FaceStyle]) -> bool:
    """Whether the templates of a game's styles declare what they did when it was read."""
    now = declarations(dict.fromkeys(style.template for style in faces.values()))
    return now == (_declared(faces), [])


def _declared(faces: Mapping[str, FaceStyle]) -> Mapping[str, Declaration]:
    styles = faces.values()
    return {one.template: one.declaration for one in styles if one.declaration is not None}


def _seen(folder: Path, cache: Cache, *, tables: bool) -> str:
    found = hashlib.sha256(f"{program_digest(cache)}\n{label(folder)}\n".encode())
    left, named = _MOST_BYTES, PICTURE_TYPES if tables else (*PICTURE_TYPES, *TABLES)
    try:
        for number, (name, path) in enumerate(_entries(str(folder), "", named)):
            found.update(f"{name}\n".encode("utf-8", "surrogateescape"))
            if path:
                data = _content(path, left)
                left -= len(data)
                found.update(f"{len(data)}\n".encode() + data)
            if number > _MOST_FILES:
                return ""
    except (OSError, ValueError):
        return ""
    return found.hexdigest()


def _entries(folder: str, name: str, named: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """All that is below a folder, by name, with the paths of the files that are read: not of those
    whose endings are ``named``."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        inner = f"{name}/{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield f"{inner}/", ""
            yield from _entries(entry.path, inner, named)
        else:
            is_named = entry.name.lower().endswith(named)
            yield inner, "" if is_named and not entry.is_symlink() else entry.path


def _content(path: str, most: int) -> bytes:
    """A plain file of at most so many bytes. Raises ``ValueError`` for anything else."""
    found = os.lstat(path)
    if not stat.S_ISREG(found.st_mode) or found.st_size > most:
        raise ValueError(path)
    with open(path, "rb", buffering=0) as file:
        return file.read()
