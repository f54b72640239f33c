"""The files of a game folder as text: inside the folder, of a sane size, in a known encoding.

A folder may come from a stranger, so a path in its data never leads out of it.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import stat
import unicodedata
from codecs import BOM_UTF8
from functools import lru_cache, reduce
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from exporter.core.messages import (
    Sentence,
    sentence,
)
from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    error_at,
    quoted,
)
from exporter.core.reading_limits import (
    KIB,
    MIB,
)

DOCUMENTS = (".yaml", ".yml")
SPREADSHEETS = (".xlsx", ".ods")
TABLES = (".csv", ".tsv", *SPREADSHEETS)

# Plain lists.
PASTED = (".txt", ".dek", ".dec", ".ydk")

# Files of builds and decks.
PLAYERS_FILES = (*DOCUMENTS, *TABLES, *PASTED)

# A room that the client saved; behind a ``#`` may stand one of its benches.
SAVED_ROOM = ".zip"


_TABLE = 8 * MIB
# A table of 8 MiB holds some 50,000 cards; YAML is dearer to read and written by hand.
MAX_BYTES = {".yaml": 512 * KIB} | dict.fromkeys((".csv", ".tsv", ".xlsx", ".ods"), _TABLE)

# Of a table that players hand in: 10,000 decks.
MAX_PLAYERS = 32 * MIB

# Files in one folder of a game.
MAX_FILES = 1000

# Files that a system puts into any folder; others it leaves begin with a dot.
_LEFT_BY_SYSTEMS = ("thumbs.db", "desktop.ini")

# What Python makes of the bytes 80, A0 and FD to FF, which are no cp932.
_UNUSED = re.compile("[\x80\xa0\uf8f0-\uf8f3]")

_JAPANESE = re.compile("[ぁ-ヶー、。「」]")
# What cp932 makes of other encodings, where it finds no kana in all of a text: ﾖl of Öl.
_OTHER = re.compile("[｡-ﾟ\ue000-\uf8ff]|[a-z][\u4e00-\u9fff]")

# Characters that no text holds and no room or sheet can show; U+FFFD stands for a lost one.
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffd-\uffff]")


def character_name(character: str) -> Sentence:
    """Return how a message calls a character that cannot be shown."""
    if character == "\0":
        return sentence("character", "nul")
    return sentence("character", "other", code=f"{ord(character):04X}")


@lru_cache(maxsize=16)
def _resolved(root: str) -> Path:
    """Return a game's folder, named from the root of all files, without links."""
    return Path(root).resolve()


def label(root: Path, relative: str = "") -> str:
    """Return how problems name a file: from the game folder's own name on."""
    name = _resolved(os.path.abspath(root)).name or str(root)
    return f"{name}/{relative}" if relative else name


def composed(name: str) -> str:
    """Return a name in the one spelling that is compared: a Mac takes the marks off ガ and é
    (NFD)."""
    return unicodedata.normalize("NFC", name)


def _entry(folder: Path, name: str) -> Path:
    """Return an entry of a folder, however its name is composed there."""
    path = folder / name
    if name.isascii() or os.path.lexists(path):
        return path
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError:
        return path
    return folder / next((n for n in names if composed(n) == composed(name)), name)


def inside(root: Path, relative: str) -> Path | None:
    """Return the path of a file of the folder, or nothing where it would lead out of it."""
    parts = PurePosixPath(relative)
    if not relative or "\0" in relative or "\\" in relative or parts.is_absolute():
        return None
    if ".." in parts.parts or ":" in relative:
        return None
    path = reduce(_entry, parts.parts, root)
    try:
        return path if path.resolve().is_relative_to(_resolved(os.path.abspath(root))) else None
    except (OSError, RuntimeError):  # a symbolic link that leads to itself
        return None


def _fault(
    key: str, file: str, where: SourceLocation | None = None, **values: object
) -> InvalidSource:
    """Return why a file cannot be had; ``where`` is who named it."""
    return error_at(where or SourceLocation(file), "SRC-FILE", key, file=file, **values)


def open_plain(path: Path, file: str, limit: int, where: SourceLocation | None = None) -> BinaryIO:
    """Return a plain file of at most ``limit`` bytes; ``where`` is who named it. Raises
    ``InvalidSource``."""
    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise _fault("is-a-folder", file, where, nearest=None)
        if not stat.S_ISREG(found.st_mode):
            raise _fault("no-plain-file", file, where, nearest=None)
        if found.st_size > limit:
            raise too_large(file, limit, where)
        return path.open("rb")
    except FileNotFoundError:
        names: list[str] = []
        with contextlib.suppress(OSError):
            names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
        close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.6)
        near = sentence("nearest", "one", word=close[0]) if close else None
        raise _fault("misspelt" if near else "missing", file, where, nearest=near) from None
    except PermissionError:
        raise _fault("may-not-be-read", file, where, nearest=None) from None
    except OSError as error:
        raise _unread(error, file, where) from None


def too_large(file: str, limit: int, where: SourceLocation | None = None) -> InvalidSource:
    """Say that a file has more than ``limit`` bytes."""
    size = f"{limit // MIB} MiB" if limit >= MIB else f"{limit // KIB} KiB"
    return _fault("larger", file, where, size=size)


def _unread(error: OSError, file: str, where: SourceLocation | None = None) -> InvalidSource:
    """Say that the system does not give a file."""
    strerror = error.strerror or type(error).__name__
    return _fault("cannot-read", file, where, strerror=strerror)


def read_bytes(path: Path, file: str, limit: int, where: SourceLocation | None = None) -> bytes:
    """Return the bytes, at most ``limit``, of a plain file; ``where`` is who named it. Raises
    ``InvalidSource``."""
    with open_plain(path, file, limit, where) as stream:
        try:
            data = stream.read(limit + 1)
        except OSError as error:
            raise _unread(error, file, where) from None
    if len(data) > limit:  # some files have no size until they are read
        raise too_large(file, limit, where)
    return data


# What files begin with that are no text, whatever their names end with.
_NO_TEXT = (
    (b"PK\x03\x04", "spreadsheet"),
    (b"\xd0\xcf\x11\xe0", "spreadsheet"),
    (b"\x89PNG", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"%PDF-", "picture"),
)


def _decode_shift_jis(data: bytes, file: str, utf8_end: int) -> str:
    """Return text in cp932. Raises ``InvalidSource``, also where it looks like another encoding.

    As UTF-8 it can be read up to the byte ``utf8_end``.
    """
    try:
        text = data.decode("cp932")
    except UnicodeDecodeError as error:
        end = max(utf8_end, error.start)
        where = SourceLocation(file, data.count(b"\n", 0, end) + 1)
        raise error_at(where, "SRC-TEXT", "byte-x-neither", data=data[end]) from None
    sign = _UNUSED.search(text) or (not _JAPANESE.search(text) and _OTHER.search(text))
    if sign:
        line = text.count("\n", 0, sign.start()) + 1
        found = quoted(text[max(sign.start() - 8, 0) : sign.end() + 8])
        raise error_at(SourceLocation(file, line), "SRC-TEXT", "other-encoding", found=found)
    return text


def decode(data: bytes, file: str) -> str:
    """Return the text of a file in UTF-8, with or without mark, or in cp932. Raises
    ``InvalidSource``."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise error_at(SourceLocation(file, 1, 1), "SRC-TEXT", "utf-allowed-utf")
    other = next((sort for begin, sort in _NO_TEXT if data.startswith(begin)), None)
    if other is not None:
        raise error_at(SourceLocation(file, 1, 1), "SRC-TEXT", f"is-{other}")
    data = data.removeprefix(BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        text = _decode_shift_jis(data, file, error.start)
    wrong = UNPRINTABLE.search(text)
    if wrong is not None:
        before = text[: wrong.start()]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise error_at(
            SourceLocation(file, line, column),
            "SRC-TEXT",
            "no-plain-text",
            control=character_name(wrong[0]),
        )
    return text


def read_data(root: Path, relative: str, where: SourceLocation | None = None) -> bytes:
    """Return a file of the game; ``where`` is who named it. Raises ``InvalidSource``."""
    file = label(root, relative)
    path = inside(root, relative)
    if path is None:
        raise error_at(
            where or SourceLocation(file), "SRC-FILE", "not-lie-games", relative=relative
        )
    limit = MAX_BYTES.get(path.suffix.lower(), max(MAX_BYTES.values()))
    return read_bytes(path, file, limit, where)


def read_text(root: Path, relative: str) -> str:
    """Return the text of a file of the game. Raises ``InvalidSource``."""
    return decode(read_data(root, relative), label(root, relative))


def list_names(root: Path, folder: str) -> list[str]:
    """Return the paths of a sub-folder's entries by name, composed; none if it is missing.

    What is hidden, and what systems leave behind, is not among them. Raises ``InvalidSource``.
    """
    path, file = root / folder, label(root, folder)
    try:
        if not os.path.lexists(path):
            return []
        if not os.path.isdir(path):
            raise _fault("no-folder", file)
        if inside(root, folder) is None:
            raise _fault("leads-out-games", file)
        names = sorted(composed(entry.name) for entry in path.iterdir())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise _fault("cannot-listed", file, reason=reason) from None
    names = [n for n in names if not n.startswith(".") and n.lower() not in _LEFT_BY_SYSTEMS]
    if len(names) > MAX_FILES:
        raise _fault("holds-files-most", file, count=len(names), max_files=MAX_FILES)
    return [f"{folder}/{name}" for name in names]
