"""Where game folders and templates are looked for, and how files are put down whole."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from exporter.problems import InvalidSource, Problem, Where

_PROGRAM = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    """The copy inside the installed package; in a checkout, the folder beside the program."""
    installed = _PROGRAM / "_data" / name
    return installed if installed.is_dir() else _PROGRAM.parent / name


def source_folders(chosen: Path | None = None) -> tuple[Path, ...]:
    """Folders of games, the first that has a game wins: the chosen one, ``./source_data``, ours."""
    here = Path("source_data")
    folders = [chosen] if chosen else []
    folders += [here] if here.is_dir() else []
    return (*folders, _shipped("source_data"))


def templates_folder() -> Path:
    """The templates: ``./templates`` where it holds faces, otherwise the shipped ones."""
    here = Path("templates")
    return here if (here / "faces").is_dir() else _shipped("templates")


def _explained(error: OSError, path: Path) -> Problem:
    reason = error.strerror or str(error)
    hint = "Nothing there was changed. Choose another folder with --out, or free some room."
    return Problem(Where(str(path)), "WRITE", f"It cannot be written: {reason}.", hint)


@contextlib.contextmanager
def _removed_on_failure(temporary: list[Path]) -> Iterator[None]:
    try:
        yield
    finally:
        for path in temporary:
            path.unlink(missing_ok=True)


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Write all files, each whole or not at all, and none before all found room on the disk.

    Raises ``InvalidSource`` when one cannot be written; what stood there before is untouched.
    """
    temporary: list[Path] = []
    ready: list[tuple[Path, Path]] = []
    with _removed_on_failure(temporary):
        for path, data in files.items():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.is_dir():
                    raise IsADirectoryError(21, "a folder has this name")
                handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
                temporary.append(Path(name))
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                # mkstemp keeps others out; a result is as readable as any new file.
                mask = os.umask(0)
                os.umask(mask)
                Path(name).chmod(0o666 & ~mask)
            except OSError as error:
                raise InvalidSource([_explained(error, path)]) from None
            ready.append((Path(name), path))
        for part, path in ready:
            try:
                part.replace(path)
            except OSError as error:
                raise InvalidSource([_explained(error, path)]) from None
