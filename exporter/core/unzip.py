"""Zips from outside, opened without believing what they say of themselves."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from exporter.core.reading_limits import (
    KIB,
    MIB,
    LimitExceeded,
    ReadingLimits,
)

# What zipfile may raise for a zip that is damaged, or unusual.
BROKEN = (
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

_LIST = 4 * MIB
_PIECE = 64 * KIB
_ENDLESS = 1 << 60
_HEADER = 30


class Overlapping(zipfile.BadZipFile):
    """Two entries share bytes, so that a small zip unpacks to very much."""


class _InPortions:
    """A file that gives only so much at once; zipfile reads the list of entries in one piece."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable

    def read(self, size: int = -1) -> bytes:
        if size > _LIST:
            raise LimitExceeded("bytes in its list of entries", _LIST)
        return self._stream.read(size if size >= 0 else _LIST)


def open_zip(stream: BinaryIO) -> zipfile.ZipFile:
    """Open a zip. Raises one of ``BROKEN``, or ``LimitExceeded`` for too many entries."""
    return zipfile.ZipFile(_InPortions(stream))


def entries(archive: zipfile.ZipFile, budget: ReadingLimits) -> list[zipfile.ZipInfo]:
    """Return what the zip says that it holds. Raises ``LimitExceeded`` and ``Overlapping``."""
    infos = archive.infolist()
    budget.take("entries", len(infos))
    end = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise Overlapping
        end = info.header_offset + _HEADER + info.compress_size
    return infos


def unpacked_pieces(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: ReadingLimits
) -> Iterator[bytes]:
    """Yield the bytes of an unpacked entry. Raises ``LimitExceeded`` and one of ``BROKEN``."""
    info.file_size = _ENDLESS  # else zipfile stops where the entry says that it ends
    with archive.open(info) as stream:
        while piece := stream.read(_PIECE):
            budget.take("bytes", len(piece))
            yield piece
