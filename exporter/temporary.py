"""Temporary folders and files that outlive no program for longer than until the next run.

Whoever makes one holds a lock as long as it is in use; the system lets go of the lock however a
program ends. So what nobody holds was left behind by a kill or a crash, and is swept away.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from exporter.patterns import pattern

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_NAME = pattern(r"\.?exporter-[a-z0-9_]{8}")
_LOCK = "lock"
_UNLOCKED_SECONDS = 600
"""A folder without a lock is just being made, unless it is older than this."""

SHARED_MEMORY = "/dev/shm"


def _held(handle: int) -> bool:
    """Whether this program now holds the lock of an open file; false where another does."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def usual_places() -> tuple[Path, ...]:
    """Where temporary folders of this program may lie, besides beside its results."""
    return (Path(SHARED_MEMORY), Path(tempfile.gettempdir()))


@contextmanager
def live_folder(parent: Path | None = None) -> Iterator[Path]:
    """A new folder, hidden beside results or in the system's place for such; gone afterwards.

    What runs that were killed left in the same place is removed first. Raises ``OSError``.
    """
    sweep([parent] if parent else usual_places())
    prefix = ".exporter-" if parent else "exporter-"
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent)).resolve()
    handle = -1
    try:
        # Locked under another name, so that nobody meets it unlocked; Windows renames no open
        # file, and lets nobody remove one either.
        first = folder / (_LOCK if sys.platform == "win32" else "locking")
        handle = os.open(first, os.O_CREAT | os.O_RDWR, 0o600)
        _held(handle)
        first.rename(folder / _LOCK)
        yield folder
    finally:
        if handle >= 0:
            os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def live_file(folder: Path) -> Iterator[IO[bytes]]:
    """A new hidden file to be closed and renamed; gone afterwards if it was not.

    Another run may sweep it away between the two: only for what can be made anew.
    """
    handle, name = tempfile.mkstemp(prefix=".exporter-", dir=folder)
    try:
        os.close(handle)
        with open(name, "wb") as file:
            _held(file.fileno())
            yield file
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name)


def sweep(places: Iterable[Path]) -> None:
    """Remove what ended programs of this user left in some places, temporary folders and files."""
    for place in places:
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                if _NAME.fullmatch(entry.name):
                    _remove_dead(Path(entry.path))


def _remove_dead(path: Path) -> None:
    with contextlib.suppress(OSError):
        found, lock = path.lstat(), path / _LOCK
        if not _is_own(found):
            return
        if stat.S_ISREG(found.st_mode):
            if _is_unheld(path):
                path.unlink()
        elif stat.S_ISDIR(found.st_mode):
            age = time.time() - found.st_mtime
            if _is_unheld(lock) if lock.exists() else age > _UNLOCKED_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _is_own(found: os.stat_result) -> bool:
    return sys.platform == "win32" or found.st_uid == os.getuid()


def _is_unheld(lock: Path) -> bool:
    handle = os.open(lock, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        return _held(handle)
    finally:
        os.close(handle)
