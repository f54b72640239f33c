"""Pictures that stand where an earlier run wrote them, known without being read.

As version control knows files: by place, size, inode and times, once their bytes were compared.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Container, Mapping
from pathlib import Path
from typing import TypeAlias

from msgspec import DecodeError, Struct, field, msgpack

from exporter.cache import Cache
from exporter.paint.templates import SETTLED

_Mark: TypeAlias = tuple[int, int, int, int, int]


class Stands(Struct, frozen=True, array_like=True):
    """The picture of a face's ``key`` in a file with this ``ending``, known by its ``mark``."""

    key: str
    ending: str
    mark: _Mark

    @property
    def size(self) -> int:
        """Of the file in bytes."""
        return self.mark[0]


class Standing(Struct, frozen=True):
    """Where pictures of their own are to lie: those that are ``found`` there, and those that are
    ``wanted``, by key. Both by their places with the ending that most have."""

    cache: Cache
    found: dict[Path, Stands] = field(default_factory=dict)
    wanted: dict[Path, str] = field(default_factory=dict)
    looked: dict[Path, Stands] = field(default_factory=dict)

    def of(self, keys: Mapping[Path, str]) -> set[str]:
        """Those of the ``keys`` whose pictures stand everywhere where they belong."""
        kept = {folder: self._kept(folder) for folder in {path.parent for path in keys}}
        for path, key in keys.items():
            stands = kept[path.parent].get(path.stem)
            is_this = stands is not None and stands.key == key
            if stands and is_this and _mark(path.with_suffix(stands.ending)) == stands.mark:
                self.found[path] = stands
            else:
                self.found.pop(path, None)  # of a key that was asked for before
                self.wanted[path] = key
        return {stands.key for stands in self.found.values()} - {*self.wanted.values()}

    def look(self, path: Path, ending: str) -> None:
        """Notes what stands in the place of a wanted picture, before its bytes are compared.

        What changed in the last seconds may change again within the clock's tick: it is not noted.
        """
        mark = _mark(path.with_suffix(ending))
        if mark and time.time_ns() - max(mark[2:4]) > SETTLED * 10**9:
            self.looked[path] = Stands(self.wanted[path], ending, mark)

    def keep(self, new: Container[Path]) -> None:
        """Keep for another run what was looked at, and is not ``new``: it had the same bytes."""
        folders: dict[Path, dict[str, Stands]] = {}
        for path, stands in self.looked.items():
            if path.with_suffix(stands.ending) not in new:
                if path.parent not in folders:
                    folders[path.parent] = self._kept(path.parent)
                folders[path.parent][path.stem] = stands
        for folder, known in folders.items():
            self.cache.put(_entry(folder), msgpack.encode(known))

    def _kept(self, folder: Path) -> dict[str, Stands]:
        try:
            return msgpack.decode(self.cache.get(_entry(folder)) or b"\x80", type=dict[str, Stands])
        except DecodeError:
            return {}


def _entry(folder: Path) -> str:
    return f"standing-{hashlib.sha256(os.path.abspath(folder).encode()).hexdigest()}"


def _mark(path: Path) -> _Mark | None:
    """Size, inode, times and device of a file."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_dev
