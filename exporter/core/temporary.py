"""Temporary folders that outlive no program for longer than until the next run.

Each has a lock file beside it, held while it is in use; the system releases the lock however a
program ends. A folder whose lock nobody holds was left behind by a kill or a crash.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = re.compile(r"(\.?exporter-[0-9a-f]{16})(\.lock)?")


@contextmanager
def live_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder, hidden beside results or in the system's place for such; remove it afterwards.

    What runs that were killed left in the same place is removed first. Raises ``OSError``.
    """
    sweep([parent or Path(tempfile.gettempdir())])
    place = (parent or Path(tempfile.gettempdir())).resolve()
    folder = place / f"{'.' if parent else ''}exporter-{os.urandom(8).hex()}"
    with _locked(folder):
        folder.mkdir(0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def sweep(places: Iterable[Path]) -> None:
    """Remove the temporary folders that ended programs of this user left in some places."""
    for place in places:
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                found = _NAME.fullmatch(entry.name)
                if found and (
                    sys.platform == "win32"
                    or entry.stat(follow_symlinks=False).st_uid == os.getuid()
                ):
                    with contextlib.suppress(OSError), _locked(Path(place, found[1]), timeout=0):
                        shutil.rmtree(Path(place, found[1]), ignore_errors=True)


@contextmanager
def _locked(folder: Path, timeout: float = -1) -> Iterator[None]:
    """Hold a folder's lock; raises ``OSError`` where another program holds it."""
    from filelock import FileLock  # takes a while, and is not needed to find nothing

    path = folder.with_name(f"{folder.name}.lock")
    # One thread may end what another began.
    lock = FileLock(path, timeout=timeout, thread_local=False)
    lock.acquire()
    try:
        yield
    finally:
        lock.release()
        with contextlib.suppress(OSError):
            path.unlink()
