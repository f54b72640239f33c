"""The XML of a spreadsheet's file, unpacked within a budget."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator

from lxml import etree

from exporter.core import unzip
from exporter.core.messages import sentence
from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.core.reading_limits import (
    SPREADSHEET,
    ReadingLimits,
)


class NoSpreadsheet(Exception):
    """The file is not of the form that its name says."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.sentence = sentence("SRC-FILE", f"spreadsheet-{key}", **values)

    def problem(self, file: str) -> Problem:
        """The same as a value."""
        return Problem(SourceLocation(file), "SRC-FILE", self.sentence)


_OPEN = b"http://schemas.openxmlformats.org/"
_PLAIN = (
    # "Strict Open XML" of Excel is the same under other names.
    (b"http://purl.oclc.org/ooxml/spreadsheetml/main", _OPEN + b"spreadsheetml/2006/main"),
    (b"http://purl.oclc.org/ooxml/officeDocument/", _OPEN + b"officeDocument/2006/"),
    # What the library passes over in the text of an .ods.
    (b"<text:line-break/>", b"\n"),
    (b"<text:tab/>", b"\t"),
    (b"<text:ruby-base>", b"{"),
    (b"</text:ruby-base>", b"|"),
    (b"<text:ruby-text>", b""),
    (b"</text:ruby-text>", b"}"),
)


def _plain(part: bytes) -> bytes:
    """The XML of a part as the library reads it."""
    for other, usual in _PLAIN:
        part = part.replace(other, usual) if other in part else part
    return part


class Parts:
    """The XML of the file, unpacked. Raises ``NoSpreadsheet``, and ``Spent``."""

    def __init__(self, data: bytes) -> None:
        self.budget = ReadingLimits(SPREADSHEET)
        self._parts: dict[str, bytes] = {}
        try:
            with unzip.opened(io.BytesIO(data)) as archive:
                for info in unzip.listed(archive, self.budget):
                    if info.filename.endswith((".xml", ".rels")) or info.filename == "mimetype":
                        pieces = unzip.pieces(archive, info, self.budget)
                        self._parts[info.filename] = _plain(b"".join(pieces))
        except NotImplementedError:
            raise NoSpreadsheet("packed-oddly") from None
        except unzip.BROKEN:
            raise NoSpreadsheet("of-another-type") from None

    def packed(self) -> bytes:
        """The parts as a file again, in which every size is what it says."""
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
            for name, part in self._parts.items():
                archive.writestr(zipfile.ZipInfo(name), part)
        return stream.getvalue()

    def has(self, name: str) -> bool:
        """Whether there is such a part."""
        return name in self._parts

    def elements(self, name: str, *tags: str) -> Iterator[etree._Element]:
        """The elements of a part with one of these tags, each when it is complete."""
        if name not in self._parts:
            raise NoSpreadsheet("part-missing", name=name)
        part = self._parts[name]
        self.budget.take("elements", part.count(b"<") - part.count(b"</"))
        self.budget.take("attributes", part.count(b"="))
        try:
            for _, element in etree.iterparse(
                io.BytesIO(part),
                tag=tags,
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                huge_tree=True,  # the budget is smaller
            ):
                yield element
        except etree.XMLSyntaxError:
            raise NoSpreadsheet("part-no-xml", name=name) from None
