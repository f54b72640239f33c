"""One XML entry as the client sees it: sanitized, parsed safely, with places to point at."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from exporter.problems import Problem, Where
from exporter.udonarium.checks import found
from exporter.udonarium.texts import DROPPED, decoded, sanitized

Xml: TypeAlias = etree._Element

DEEPEST_ELEMENT = 100

LEAVES = ("data", "chat", "chat-palette")
"""Elements whose own text means something."""

_LITERAL = {"cdata": "<![CDATA[", "comment": "<!--", "instruction": "<?"}
# What does not end reaches to the end of the file: to look there again each time takes for ever.
_MARKUP = re.compile(
    r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
    r"|<(?P<tag>[^\s<>/!?]+)(?P<attributes>(?:\s+[^\s=<>]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/?>",
    re.DOTALL,
)
_RAW_ATTRIBUTE = re.compile(r"([^\s=<>]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


class Unreadable(Exception):
    """The client ignores this XML. ``check`` says why, ``line`` and ``column`` where."""

    def __init__(self, check: str, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.check, self.line, self.column = check, line, column

    def problem(self, where: Where) -> Problem:
        """The same as a value, for the entry at ``where``."""
        return found(self.check, replace(where, line=self.line, column=self.column), str(self))


class StartTag(Struct, frozen=True):
    """A start tag in the source, with its attributes as they are written."""

    offset: int
    attributes: tuple[tuple[str, str], ...]


class Document(Struct, frozen=True, dict=True):
    """``text`` is the source as given; the leaves of ``root`` hold the text the client shows."""

    where: Where
    text: str
    root: Xml
    encoding_faults: bool = False
    literal: tuple[tuple[Xml, tuple[str, ...]], ...] = ()
    """Leaves with ``cdata``, ``comment`` or ``instruction`` in them, which show up literally."""

    @cached_property
    def start_tags(self) -> dict[Xml, StartTag]:
        """Each element's start tag; empty when an internal DTD makes the two disagree."""
        tags = [
            StartTag(match.start(), _raw_attributes(match["attributes"]))
            for match in _MARKUP.finditer(self.text)
            if match["tag"] is not None
        ]
        elements = list(self.root.iter("*"))
        return dict(zip(elements, tags, strict=True)) if len(elements) == len(tags) else {}

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", self.text))]

    def at(self, offset: int) -> Where:
        """The place of a character of ``text``."""
        line = bisect.bisect_right(self._line_starts, offset)
        return replace(self.where, line=line, column=offset - self._line_starts[line - 1] + 1)

    def of(self, element: Xml) -> Where:
        """The place of an element's start tag."""
        tag = self.start_tags.get(element)
        if tag is None:
            line = element.sourceline
            return Where(self.where.file, line if isinstance(line, int) else 0)
        return self.at(tag.offset)

    def dropped_characters(self) -> Iterator[tuple[str, Where]]:
        """Characters that the client removes before reading."""
        for match in DROPPED.finditer(self.text):
            yield match[0], self.at(match.start())


def _raw_attributes(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((m[1], m[2] if m[2] is not None else m[3]) for m in _RAW_ATTRIBUTE.finditer(text))


def _text_of(data: bytes) -> tuple[str, bool]:
    """The text as a browser decodes it, and whether some bytes were not text at all."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding), False
    except UnicodeDecodeError:
        return data.decode(encoding, "replace"), True


def tag_of(element: Xml) -> str:
    """The tag as it is written, prefix included."""
    name = str(element.tag)
    if not name.startswith("{"):
        return name
    name = name.partition("}")[2]
    return f"{element.prefix}:{name}" if element.prefix else name


def own(element: Xml) -> Iterator[Xml]:
    """Child elements, without comments and instructions."""
    return element.iterchildren("*")


def is_leaf(element: Xml) -> bool:
    """Whether its text counts: an element with child elements has none (section 3)."""
    return next(own(element), None) is None


def attributes_of(element: Xml) -> dict[str, str]:
    """Attributes as the client holds them; those of foreign namespaces are left out."""
    values = {}
    for name, value in element.attrib.items():
        if isinstance(name, str) and not name.startswith("{"):
            values[name] = decoded(str(value))
    return values


def inner_text(element: Xml) -> str:
    """The text of a leaf, markup included as the client shows it."""
    return element.text or ""


def parse(data: bytes, where: Where) -> Document:
    """Parse one XML entry. Raises ``Unreadable`` for what the client would ignore."""
    text, encoding_faults = _text_of(data)
    start = len(text) - len(text.lstrip())
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities="internal",  # type: ignore[arg-type]  # newer than its stubs
        no_network=True,
        load_dtd=False,
        strip_cdata=False,
        huge_tree=False,
    )
    try:
        root = etree.fromstring(sanitized(text).strip().encode(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _unreadable(error, text, start, encoding_faults) from None
    if _too_deep(root):
        message = f"Elements are nested more than {DEEPEST_ELEMENT} deep."
        raise Unreadable("UD-XML-BROKEN", message)
    literal = tuple(_make_literal(root, text))
    return Document(where, text, root, encoding_faults, literal)


def _unreadable(error: Exception, text: str, start: int, encoding_faults: bool) -> Unreadable:
    line, column = error.position if isinstance(error, etree.XMLSyntaxError) else (0, 0)
    line += text.count("\n", 0, start) if line else 0
    if encoding_faults:
        return Unreadable("UD-XML-ENCODING", "It is not UTF-8, and not well-formed.", line, column)
    message = (str(error) or "it is not XML").split(", line ")[0]
    check = "UD-XML-ENTITY" if re.search("^Entity '", message) else "UD-XML-BROKEN"
    return Unreadable(check, f"The XML parser says: {message}.", line, column)


def _too_deep(root: Xml) -> bool:
    level = [root]
    for _ in range(DEEPEST_ELEMENT):
        level = [child for element in level for child in element]
        if not level:
            return False
    return True


def _make_literal(root: Xml, text: str) -> Iterator[tuple[Xml, tuple[str, ...]]]:
    """Give leaves with CDATA, comments or instructions the literal text the client shows."""
    if "<![CDATA[" not in text and "<!--" not in text and text.count("<?") < 2:
        return
    for element in list(root.iter(*LEAVES)):
        if not is_leaf(element):
            continue
        source = etree.tostring(element, encoding="unicode", with_tail=False)
        inner = source[source.index(">") + 1 : source.rfind("</")] if "</" in source else ""
        kinds = tuple(kind for kind, mark in _LITERAL.items() if mark in inner)
        if kinds:
            for node in list(element):
                element.remove(node)
            element.text = decoded(inner)
            yield element, kinds
