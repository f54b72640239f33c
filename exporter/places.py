"""Where game folders and templates are looked for, and how files are put down whole."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from exporter.problems import Faults, InvalidSource, Problem, Where

_PROGRAM = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """The copy inside the installed package; in a checkout, the folder beside the program."""
    installed = _PROGRAM / "_data" / name
    return installed if installed.is_dir() else _PROGRAM.parent / name


def source_folders(chosen: Path | None = None) -> tuple[Path, ...]:
    """Folders of games, the first that has a game wins: the chosen one, ``./source_data``, ours."""
    here = Path("source_data")
    folders = [chosen] if chosen else []
    folders += [here] if here.is_dir() else []
    return (*folders, shipped("source_data"))


def chosen_games(names: Sequence[str], source: Path | None = None) -> list[Path]:
    """The folders of these games, each once; of every game there is, where none is named.

    Raises ``InvalidSource`` with every name that is no game.
    """
    from exporter.source import find_game, game_folders

    sources = source_folders(source)
    if not names:
        return game_folders(sources)
    faults = Faults()
    found: dict[Path, Path] = {}
    for name in names:
        with faults.gathered():
            folder = find_game(name, sources)
            found.setdefault(folder.resolve(), folder)
    faults.stop_if_any()
    return list(found.values())


def template_folders(name: str) -> tuple[Path, ...]:
    """Folders of templates, the first that has a file wins: ``./templates``, then the shipped."""
    here = Path("templates") / name
    return (*([here] if here.is_dir() else []), shipped("templates") / name)


def _unwritable(error: OSError, path: Path) -> Problem:
    """What keeps the system from writing a file: mostly a fault of its folder."""
    hint = "Nothing there was changed. Choose another place, or free some room."
    if isinstance(error, IsADirectoryError):
        message = "There is a folder of this name, where a file is to be written."
        return Problem(Where(str(path)), "WRITE", message, hint)
    message = f"Files cannot be written here: {error.strerror or error}."
    return Problem(Where(str(path.parent)), "WRITE", message, hint)


def _kept(path: Path, error: OSError, done: str) -> Problem:
    """A file that the system does not let go, such as one that another program shows."""
    message = f"The file cannot be replaced: {error.strerror or error}."
    hint = f"It is as it was; {done}. Close it in other programs, then try again."
    return Problem(Where(str(path)), "WRITE", message, hint)


@contextlib.contextmanager
def _removed(temporary: Sequence[Path]) -> Iterator[None]:
    """Whatever is left of the temporary files in the end is removed."""
    try:
        yield
    finally:
        for path in temporary:
            with contextlib.suppress(OSError):
                path.unlink()


def _write_part(path: Path, data: bytes, temporary: list[Path]) -> Path:
    """The data beside ``path``, under another name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    part = Path(name)
    temporary.append(part)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    # mkstemp keeps others out; a result is as readable as any new file.
    mask = os.umask(0)
    os.umask(mask)
    part.chmod(0o666 & ~mask)
    return part


def write_whole(files: Mapping[Path, bytes]) -> None:
    """Write all files, each whole or not at all, and none before all found room on the disk.

    Raises ``InvalidSource`` when some cannot be written; what stood there before is untouched,
    but for what the other files replaced where the system refused to replace one.
    """
    temporary: list[Path] = []
    parts: dict[Path, Path] = {}
    problems: list[Problem] = []
    with _removed(temporary):
        for path, data in files.items():
            try:
                parts[path] = _write_part(path, data, temporary)
            except OSError as error:
                problems.append(_unwritable(error, path))
        if problems:
            raise InvalidSource(problems)
        kept: dict[Path, OSError] = {}
        for path, part in parts.items():
            try:
                part.replace(path)
            except OSError as error:
                kept[path] = error
        if kept:
            done = f"{len(parts) - len(kept)} of {len(parts)} files were written"
            raise InvalidSource(_kept(path, error, done) for path, error in kept.items())
