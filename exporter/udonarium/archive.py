"""The zip itself: packed the same way every time, and unpacked without trusting it."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct, field

from exporter.problems import Problem, Where
from exporter.source.files import Unreadable, read_bytes
from exporter.udonarium import format
from exporter.udonarium.checks import found

MOST_ENTRIES = 20_000
MOST_BYTES = 512 * 1024 * 1024
"""All entries unpacked, nested zips included; the largest real rooms stay below 300 MiB."""
LARGE_ENTRY = 32 * 1024 * 1024
LARGE_RATIO = 100
"""An entry larger than ``LARGE_ENTRY`` that shrank more than this is a bomb, not a room."""
DEEPEST = 3

_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    IndexError,
)


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip of ``files`` in the given order; the same files give the same bytes everywhere."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name, _DATE)
            info.create_system = _UNIX
            info.external_attr = _MODE
            packable = name.endswith(".xml")
            info.compress_type = zipfile.ZIP_DEFLATED if packable else zipfile.ZIP_STORED
            archive.writestr(info, data, compresslevel=9 if packable else None)
    return buffer.getvalue()


class Entry(Struct, frozen=True):
    """A file in the zip. ``data`` is ``None`` where nobody needs it or it cannot be had."""

    name: str
    size: int
    data: bytes | None
    where: Where

    @property
    def extension(self) -> str:
        return format.extension_of(self.name)

    @property
    def stem(self) -> str:
        """The file name without folder and extension."""
        return self.name.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]

    @property
    def is_xml(self) -> bool:
        """Whether the client reads it as XML."""
        return self.extension == "xml" or self.extension in format.MARKUP_EXTENSIONS

    @property
    def is_image(self) -> bool:
        return self.extension in format.IMAGE_TYPES


class Unpacked(Struct):
    """All entries in the order the client meets them, and what is wrong with the zip ``name``."""

    name: str
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    total: int = 0
    stopped: bool = False

    def say(self, check: str, where: Where, what: str) -> None:
        self.problems.append(found(check, where, what))

    def stop(self, check: str, where: Where, what: str) -> None:
        """Nothing more can be said about this zip."""
        self.say(check, where, what)
        self.stopped = True


def unpack(source: bytes | Path, name: str) -> Unpacked:
    """Read a zip within the limits above. Never raises for what is *in* the file."""
    result = Unpacked(name)
    where = Where(name)
    try:
        data = source if isinstance(source, bytes) else read_bytes(source, name, MOST_BYTES)
    except Unreadable as error:
        result.stop("UD-FILE", where, error.problem.message)
        return result
    _unpack(data, where, 1, result)
    return result


def _unpack(data: bytes, where: Where, depth: int, result: Unpacked) -> None:
    if not data:
        result.stop("UD-ZIP-EMPTY", where, "The file is empty.")
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        infos = archive.infolist()
    except _BROKEN:
        if data.startswith(b"PK"):
            result.stop("UD-ZIP-TRUNCATED", where, "The zip has no readable list of its entries.")
        else:
            result.stop("UD-ZIP-NOT", where, "The file is not a zip.")
        return
    if not infos:
        result.stop("UD-ZIP-EMPTY", where, "The zip has no entries.")
        return
    with archive:
        if any(info.flag_bits & _ENCRYPTED for info in infos):
            result.stop("UD-ZIP-ENCRYPTED", where, "The zip asks for a password.")
            return
        reason = _bomb(infos, result)
        if reason:
            result.stop("UD-ZIP-BOMB", where, reason)
            return
        seen: set[str] = set()
        for info in infos:
            # The name as it stands in the file; zipfile cuts it at a NUL.
            name = info.orig_filename
            place = Where(f"{where.file}/{name}")
            result.problems += _name_problems(name, seen, place)
            _read_entry(archive, info, name, place, depth, result)
            if result.stopped:
                return


def _bomb(infos: list[zipfile.ZipInfo], result: Unpacked) -> str:
    """Why this zip must not be unpacked, if so."""
    result.total += sum(info.file_size for info in infos)
    if len(infos) + len(result.entries) > MOST_ENTRIES:
        return f"It has {len(infos)} entries; {MOST_ENTRIES} are read."
    if result.total > MOST_BYTES:
        return f"Unpacked it has {result.total} bytes; {MOST_BYTES} are read."
    for info in infos:
        if info.file_size > LARGE_ENTRY and info.file_size > LARGE_RATIO * info.compress_size:
            return f"{info.filename} grows from {info.compress_size} to {info.file_size} bytes."
    return ""


def _name_problems(name: str, seen: set[str], place: Where) -> Iterator[Problem]:
    parts = name.split("/")
    if name.startswith("/") or "\\" in name or ".." in parts or name[1:2] == ":" or "\0" in name:
        yield found("UD-NAME-UNSAFE", place, f"The name {name!r} leads out of its folder.")
    if name in seen:
        yield found("UD-NAME-TWICE", place, f"There are several entries {name!r}.")
    seen.add(name)


def _wanted(extension: str, size: int) -> bool:
    """Whether the content matters: XML, images within the limit, and what may be a zip."""
    if extension in format.IMAGE_TYPES:
        return size <= format.IMAGE_BYTES
    return extension not in format.AUDIO_EXTENSIONS | format.VIDEO_EXTENSIONS


def _read_entry(
    archive: zipfile.ZipFile,
    info: zipfile.ZipInfo,
    name: str,
    place: Where,
    depth: int,
    result: Unpacked,
) -> None:
    if name.endswith("/"):
        result.say("UD-ENTRY-DIRECTORY", place, "It is a folder entry.")
        return
    data = None
    extension = format.extension_of(name)
    if info.compress_type not in _METHODS:
        result.say("UD-ENTRY-METHOD", place, "It is packed in another way than DEFLATE.")
    elif _wanted(extension, info.file_size):
        try:
            data = archive.read(info)
        except _BROKEN:
            result.say("UD-ENTRY-DAMAGED", place, "It cannot be unpacked.")
    inside = place.file.removeprefix(f"{result.name}/")
    entry = Entry(inside, info.file_size, data, place)
    result.entries.append(entry)
    known = format.MARKUP_EXTENSIONS | format.AUDIO_EXTENSIONS | format.VIDEO_EXTENSIONS
    if data is None or entry.is_image or entry.is_xml or extension in known:
        return
    if data.startswith(b"PK"):
        result.say("UD-ENTRY-ZIP", place, "It is a zip inside the zip.")
        if depth < DEEPEST:
            _unpack(data, place, depth + 1, result)
    else:
        result.say("UD-ENTRY-OTHER", place, f"{name!r} belongs to no room.")
