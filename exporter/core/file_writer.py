"""Results are put down whole: first everything beside its place, then everything in its place.

What stands there already with the same bytes is left alone, its date too. What a run that was
killed left beside the results is removed a day later by whoever writes there.
"""

from __future__ import annotations

import contextlib
import errno
import io
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from exporter.core.problems import (
    Faults,
    Problem,
    SourceLocation,
    problem_at,
    stop_for,
)

# Seconds after which a temporary folder belongs to no run any more.
_DAY = 24 * 60 * 60

# Characters that the names of files do not hold everywhere, as a regular expression has them.
IN_NO_NAME = r'/\\:*?"<>|\x00-\x1f'


@contextmanager
def live_folder(parent: Path | None = None) -> Iterator[Path]:
    """Make a folder, hidden beside results or in the system's place for such; remove it afterwards.

    Raises ``OSError``.
    """
    prefix = f"{'.' if parent else ''}exporter-"
    place = parent.resolve() if parent else None
    with tempfile.TemporaryDirectory(
        prefix=prefix, dir=place, ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def file_bytes(thing: Any, *arguments: Any, **options: Any) -> bytes:
    """Return the bytes of the file that a picture or a PDF is saved as."""
    file = io.BytesIO()
    thing.save(file, *arguments, **options)
    return file.getvalue()


def _remove_old(folder: Path) -> None:
    """Remove the temporary folders that runs which were killed left beside results."""
    for left in folder.glob(".exporter-*"):
        with contextlib.suppress(OSError):
            if time.time() - left.lstat().st_mtime > _DAY:
                shutil.rmtree(left)


# What keeps files from being written, as far as more can be said of it than the system does.
_REASONS = {
    errno.ENOSPC: "disk-full",
    errno.ENOTDIR: "file-in-path",
    errno.EEXIST: "file-in-path",
}


class Written(Struct, frozen=True):
    """Which files are new or changed, and how many were there with the same bytes."""

    new: tuple[Path, ...] = ()
    same: int = 0


def _unwritable(error: OSError, path: Path) -> Problem:
    """Return what keeps the system from writing a file: mostly a fault of its folder."""
    return problem_at(
        SourceLocation(str(path.parent)),
        "WRITE",
        _REASONS.get(error.errno or 0, "files-cannot-written"),
        reason=error.strerror or error,
    )


def write_whole(files: Mapping[Path, bytes]) -> Written:
    """Write all files that are new or changed, each whole, and none before all found room.

    Raises ``InvalidSource`` when some cannot be written; what stood there before is untouched,
    but for what the other files replaced where the system refused to replace one.
    """
    for folder in {path.parent for path in files}:
        _remove_old(folder)
    stop_for(
        problem_at(SourceLocation(str(path)), "WRITE", "no-file-there")
        for path in files
        if path.is_symlink() or (path.exists() and not path.is_file())
    )
    changed = {path: data for path, data in files.items() if not _holds(path, data)}
    with ExitStack() as stack:
        parts = _parts(changed, stack)
        refused: dict[Path, OSError] = {}
        for path, part in parts.items():
            try:
                part.replace(path)
            except OSError as error:  # such as one that another program shows
                refused[path] = error
        stop_for(
            problem_at(
                SourceLocation(str(path)),
                "WRITE",
                "file-cannot-replaced",
                reason=error.strerror or str(error),
                written=len(parts) - len(refused),
                count=len(parts),
            )
            for path, error in refused.items()
        )
    return Written(tuple(changed), len(files) - len(changed))


def write_below(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by their paths below a folder of one's own. Raises ``OSError``."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # it may be a link, and what that leads to stays
        path.write_bytes(data)


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file has these bytes already."""
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _parts(files: Mapping[Path, bytes], stack: ExitStack) -> dict[Path, Path]:
    """Return where the data of each file lie, on its own disk; of the folders that are made for
    files, the ``stack`` removes those that stay empty. Raises ``InvalidSource``."""
    faults = Faults()
    parts: dict[Path, Path] = {}
    folders: dict[Path, Path] = {}
    for number, (path, data) in enumerate(files.items()):
        try:
            if path.parent not in folders:
                for missing in reversed([one for one in path.parents if not one.exists()]):
                    missing.mkdir(exist_ok=True)
                    stack.callback(_remove_empty, missing)
                folders[path.parent] = stack.enter_context(live_folder(path.parent))
            parts[path] = folders[path.parent] / f"{number}.part"
            parts[path].write_bytes(data)
        except OSError as error:
            faults.problems.append(_unwritable(error, path))
    faults.stop_if_any()
    return parts
