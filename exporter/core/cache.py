"""Bytes that were expensive to make, kept on disk by a key that says everything they depend on.

The folder may be deleted at any time and shared by several runs. Where it cannot be read or
written, or an entry is damaged, things are simply made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from pathlib import Path

from msgspec import Struct


def cache_folder() -> Path | None:
    """Return where this user's programs keep what can be made anew; nothing for a user without a
    home."""
    chosen = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if chosen and Path(chosen).is_absolute():  # the XDG specification ignores relative paths
        return Path(chosen) / "exporter"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    usual = {"darwin": "Library/Caches", "win32": "AppData/Local"}
    return home / usual.get(sys.platform, ".cache") / "exporter"


class DiskCache(Struct, frozen=True):
    """A folder of entries; without a folder it keeps nothing."""

    folder: Path | None

    def _path(self, key: str) -> str | None:
        return os.path.join(self.folder, key[:2], key) if self.folder else None

    def get(self, key: str) -> bytes | None:
        """Return what was kept under ``key``; nothing where it is missing, unreadable or
        damaged."""
        path = self._path(key)
        if path is None:
            return None
        try:
            # A pipe in an entry's place would keep whoever opens it waiting.
            if not stat.S_ISREG(os.lstat(path).st_mode):
                return None
            with open(path, "rb", buffering=0) as file:
                sealed = file.read()
        except OSError:
            return None
        data = sealed[_SEAL:]
        return data if sealed[:_SEAL] == _seal(key, data) else None

    def put(self, key: str, data: bytes) -> None:
        """Keep ``data``, whole or not at all; a folder that takes nothing is no fault."""
        path = self._path(key)
        if path is None or self.folder is None:
            return
        with contextlib.suppress(OSError):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)  # what stands there may be a pipe, or a link
            # Half an entry, of a run that was killed, has no right seal: it is made anew.
            with open(path, "xb") as file:
                file.write(_seal(key, data) + data)


# Bytes before those that are kept.
_SEAL = 65


def _seal(key: str, data: bytes) -> bytes:
    """Says that these bytes were kept under this very key."""
    return hashlib.sha256(key.encode() + b"\n" + data).hexdigest().encode() + b"\n"
