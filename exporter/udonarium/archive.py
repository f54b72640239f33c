"""The zip itself: packed the same way every time, and unpacked without trusting it."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct
from msgspec.structs import replace

from exporter.core import unzip
from exporter.core.problems import InvalidSource, SourceLocation
from exporter.core.reading_limits import (
    BESIDE,
    ROOM,
    LimitExceeded,
    ProblemList,
    ReadingLimits,
)
from exporter.core.source_files import open_plain
from exporter.udonarium import format
from exporter.udonarium.verify_checks import zip_problem

# A zip in a zip in a zip is looked into.
DEEPEST = 3
_ENDLESS = 1 << 60

_DATE = (1980, 1, 1, 0, 0, 0)
_MODE = 0o100644 << 16
_UNIX = 3
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 1
_ZIP = b"PK"
_UNSAFE = re.compile(r"^/|^.:|\\|\0|(?:^|/)\.\.(?:/|$)", re.DOTALL)


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip of ``files`` in the given order; the same files give the same bytes
    everywhere."""
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


class ZipEntry(Struct, frozen=True):
    """A file in the zip. ``data`` is ``None`` where nobody needs it or it cannot be had."""

    name: str
    size: int
    data: bytes | None
    where: SourceLocation

    @property
    def extension(self) -> str:
        """As the client finds it: after the last dot or slash, in lower case."""
        return re.split(r"[./\\]", self.name)[-1].lower()

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

    @property
    def is_foreign(self) -> bool:
        """Whether the client tries it as a zip, not knowing what it is."""
        known = format.AUDIO_EXTENSIONS | format.VIDEO_EXTENSIONS
        return not (self.is_xml or self.is_image or self.extension in known)

    @property
    def most(self) -> int:
        """How many bytes of it matter; the client drops what has more."""
        if self.is_image:
            return format.IMAGE_BYTES
        if self.extension in format.AUDIO_EXTENSIONS:
            return format.AUDIO_BYTES
        return 0 if self.extension in format.VIDEO_EXTENSIONS else _ENDLESS


def refused_zip(check: str, where: SourceLocation, key: str, **values: object) -> InvalidSource:
    """Return the one problem of a zip of which no more can be said, to be raised."""
    return InvalidSource([zip_problem(check, where, key, **values)])


def unpack(source: bytes | Path, name: str, problems: ProblemList) -> Iterator[ZipEntry]:
    """Yield the entries of a zip in the order the client meets them, one at a time.

    What is wrong with single ones is added to ``problems``. Raises ``InvalidSource``, also after
    some entries, where it is no zip, or more than anybody should unpack; nothing else,
    whatever is in the file.
    """
    where = SourceLocation(name)
    try:
        stream: BinaryIO = (
            io.BytesIO(source)
            if isinstance(source, bytes)
            else open_plain(source, name, ROOM["bytes"])
        )
    except InvalidSource as error:
        raise refused_zip("UD-FILE", where, "reason", reason=error.problems[0].sentence) from None
    with stream:
        size = stream.seek(0, io.SEEK_END)
        yield from _Reader(name, size, problems).each(stream, where, 1)


class _Reader:
    """Reads one zip, and those in it, on one budget."""

    def __init__(self, name: str, size: int, problems: ProblemList) -> None:
        self.name, self.problems = name, problems
        self.budget = ReadingLimits({**ROOM, "bytes": DEEPEST * size + BESIDE})

    def say(self, check: str, where: SourceLocation, key: str, **values: object) -> None:
        self.problems.append(zip_problem(check, where, key, **values))

    def each(self, stream: BinaryIO, where: SourceLocation, depth: int) -> Iterator[ZipEntry]:
        """Yield the entries of a zip, and of the zips in it. Raises ``InvalidSource``."""
        if not stream.seek(0, io.SEEK_END):
            raise refused_zip("UD-ZIP-EMPTY", where, "file-empty")
        try:
            with _opened(stream, where) as archive:
                for info in self._listed(archive, where):
                    # The name as it stands in the file; zipfile cuts it at a NUL.
                    place = SourceLocation(f"{where.file}/{info.orig_filename}")
                    if info.orig_filename.endswith("/"):
                        self.say("UD-ENTRY-DIRECTORY", place, "folder-entry")
                        continue
                    entry = self._unpacked(archive, info, place)
                    yield entry
                    if entry.data is not None and entry.is_foreign:
                        yield from self._inside(entry, entry.data, depth)
        except LimitExceeded as spent:
            raise refused_zip("UD-ZIP-BOMB", where, "it-has", found=spent.sentence) from None

    def _listed(self, archive: zipfile.ZipFile, where: SourceLocation) -> list[zipfile.ZipInfo]:
        """Return what the zip says that it holds; every entry has bytes of its own."""
        try:
            infos = unzip.entries(archive, self.budget)
        except unzip.Overlapping:
            raise refused_zip("UD-ZIP-BOMB", where, "entries-lie-over") from None
        if not infos:
            raise refused_zip("UD-ZIP-EMPTY", where, "zip-no-entries")
        if any(info.flag_bits & _ENCRYPTED for info in infos):
            raise refused_zip("UD-ZIP-ENCRYPTED", where, "zip-asks-password")
        seen: set[str] = set()
        for name in (info.orig_filename for info in infos):
            place = SourceLocation(f"{where.file}/{name}")
            if _UNSAFE.search(name):
                self.say("UD-NAME-UNSAFE", place, "name-leads-out", name=name)
            if name in seen:
                self.say("UD-NAME-TWICE", place, "several-entries", name=name)
            seen.add(name)
        return infos

    def _unpacked(
        self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, place: SourceLocation
    ) -> ZipEntry:
        entry = ZipEntry(place.file.removeprefix(f"{self.name}/"), info.file_size, None, place)
        if info.compress_type not in _METHODS:
            self.say("UD-ENTRY-METHOD", place, "packed-another-way")
            return entry
        if not entry.most:
            return entry
        try:
            data = b"".join(self._pieces(archive, info, entry))
        except unzip.BROKEN:
            self.say("UD-ENTRY-DAMAGED", place, "cannot-unpacked")
            return entry
        if len(data) > entry.most:
            return replace(entry, size=max(len(data), entry.size))
        if len(data) != entry.size and not entry.is_foreign:
            self.say("UD-ENTRY-SIZE", place, "says-bytes", says=entry.size, size=len(data))
        return replace(entry, size=len(data), data=data)

    def _pieces(
        self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, entry: ZipEntry
    ) -> Iterator[bytes]:
        """Yield what comes when an entry is unpacked, until it is more than matters."""
        come = 0
        for piece in unzip.unpacked_pieces(archive, info, self.budget):
            if entry.is_xml:
                self.budget.take("bytes of XML", len(piece))
            come += len(piece)
            yield piece
            told_apart = entry.is_foreign and not piece.startswith(_ZIP) and come == len(piece)
            if come > entry.most or told_apart:
                return

    def _inside(self, entry: ZipEntry, data: bytes, depth: int) -> Iterator[ZipEntry]:
        """Yield the entries of what may be a zip."""
        if not data.startswith(_ZIP):
            name = entry.where.file.removeprefix(f"{self.name}/")
            self.say("UD-ENTRY-OTHER", entry.where, "belongs-no-room", name=name)
            return
        self.say("UD-ENTRY-ZIP", entry.where, "zip-inside-zip")
        if depth < DEEPEST:
            yield from self.each(io.BytesIO(data), entry.where, depth + 1)


def _opened(stream: BinaryIO, where: SourceLocation) -> zipfile.ZipFile:
    try:
        return unzip.open_zip(stream)
    except unzip.BROKEN:
        stream.seek(0)
        if stream.read(len(_ZIP)) == _ZIP:
            raise refused_zip("UD-ZIP-TRUNCATED", where, "zip-no-readable") from None
        raise refused_zip("UD-ZIP-NOT", where, "file-not-zip") from None
