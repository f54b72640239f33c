"""One XML entry as the client sees it: sanitized, parsed safely, with places to point at; and how
the client looks things up in it."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeAlias

from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from exporter.core import first_by
from exporter.core.problems import SourceLocation, quoted
from exporter.core.reading_limits import LimitExceeded, ReadingLimits
from exporter.udonarium.format import (
    DROPPED,
    ELEMENTS,
    decoded,
    json_boolean,
    json_number,
)

Xml: TypeAlias = etree._Element

DEEPEST_ELEMENT = 100

# Elements whose own text means something.
LEAVES = ("data", "chat", "chat-palette")

_BREAKS = frozenset("\n\t\r")
_LITERAL = {"cdata": "<![CDATA[", "comment": "<!--", "instruction": "<?"}
# What does not end reaches to the end of the file: to look there again each time takes for ever.
_NOT_ELEMENTS = r"<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)"
_START = re.compile(f"{_NOT_ELEMENTS}|<(?P<tag>[^\\s<>/!?])", re.DOTALL)
_RAW_ATTRIBUTE = re.compile(r"\s+([^\s=<>/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_BREAK_IN_ATTRIBUTE = re.compile(r"=\s*(?:\"[^\"<]*[\n\r\t]|'[^'<]*[\n\r\t])")
_LINE_END = re.compile(r"\r\n?|\n")
# Of one element: lxml reads them in the square of the time.
_ATTRIBUTES = 200
# Characters of a document that declares entities: they make more of it than there is.
_WITH_ENTITIES = 100_000


class UnreadableXml(Exception):
    """The client ignores this XML. ``check`` says why, ``line`` and ``column`` where."""

    def __init__(
        self, check: str, key: str, line: int = 0, column: int = 0, **values: object
    ) -> None:
        super().__init__(key)
        self.check, self.key, self.values = check, key, values
        self.line, self.column = line, column


class XmlDocument(Struct, frozen=True, dict=True):
    """``text`` is the source as given; the leaves of ``root`` hold the text the client shows."""

    where: SourceLocation
    text: str
    root: Xml
    encoding_faults: bool = False
    # Leaves with ``cdata``, ``comment`` or ``instruction`` in them, which show up literally.
    literal: tuple[tuple[Xml, tuple[str, ...]], ...] = ()

    @cached_property
    def _starts(self) -> dict[Xml, int]:
        """Where each element's start tag begins; empty when an internal DTD makes them disagree."""
        starts = [match.start() for match in _START.finditer(self.text) if match["tag"]]
        elements = list(self.root.iter("*"))
        return dict(zip(elements, starts, strict=True)) if len(elements) == len(starts) else {}

    def broken_attributes(self) -> Iterator[tuple[Xml, str]]:
        """Yield elements with the names of attributes that hold a line break or tab as such."""
        if not _BREAK_IN_ATTRIBUTE.search(self.text):
            return
        for element, start in self._starts.items():
            at = start + 1 + len(tag_of(element))
            while raw := _RAW_ATTRIBUTE.match(self.text, at):
                if not _BREAKS.isdisjoint(raw[2] if raw[2] is not None else raw[3]):
                    yield element, raw[1]
                at = raw.end()

    @cached_property
    def _lines(self) -> Sequence[int]:
        """Where each line but the first begins."""
        return array("I", (end.end() for end in _LINE_END.finditer(self.text)))

    def at(self, offset: int) -> SourceLocation:
        """Return the place of a character of ``text``."""
        number = bisect_right(self._lines, offset)
        begin = self._lines[number - 1] if number else 0
        return replace(self.where, line=number + 1, column=offset - begin + 1)

    def of(self, element: Xml) -> SourceLocation:
        """Return the place of an element's start tag."""
        start = self._starts.get(element)
        if start is None:
            line = element.sourceline
            return SourceLocation(self.where.file, line if isinstance(line, int) else 0)
        return self.at(start)


def _text_of(data: bytes) -> tuple[str, bool]:
    """Return the text as a browser decodes it, and whether some bytes were not text at all."""
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return data.decode(encoding), False
    except UnicodeDecodeError:
        return data.decode(encoding, "replace"), True


def tag_of(element: Xml) -> str:
    """Return the tag as it is written, prefix included."""
    name: str = element.tag
    if name[0] != "{":
        return name
    name = name.partition("}")[2]
    return f"{element.prefix}:{name}" if element.prefix else name


def element_children(element: Xml) -> Iterator[Xml]:
    """Return child elements, without comments and instructions."""
    return element.iterchildren("*")


def is_leaf(element: Xml) -> bool:
    """Return whether its text counts: an element with child elements has none (section 3)."""
    return next(element_children(element), None) is None


def attributes_of(element: Xml) -> dict[str, str]:
    """Return attributes as the client holds them; those of foreign namespaces are left out."""
    return {
        name: decoded(str(value))
        for name, value in element.attrib.items()
        if isinstance(name, str) and not name.startswith("{")
    }


def inner_text(element: Xml) -> str:
    """Return the text of a leaf, markup included as the client shows it."""
    return element.text or ""


def parse(data: bytes, where: SourceLocation, budget: ReadingLimits | None = None) -> XmlDocument:
    """Parse one XML entry. Raises ``UnreadableXml`` for what the client would ignore.

    A ``budget`` is for what is not our own: what it says too much of raises ``LimitExceeded``.
    """
    text, encoding_faults = _text_of(data)
    start = len(text) - len(text.lstrip())
    counted = text.count("<") - text.count("</")
    if budget:
        budget.take("elements", counted)
        budget.take("attributes", text.count("="))
        budget.take("references", text.count("{") + text.count("｛"))
        if "<!ENTITY" in text and len(text) > _WITH_ENTITIES:
            raise LimitExceeded("characters and declares entities", _WITH_ENTITIES)
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities="internal",  # type: ignore[arg-type]  # newer than its stubs
        no_network=True,
        load_dtd=False,
        strip_cdata=False,
        huge_tree=False,
        collect_ids=False,
    )
    try:
        root = etree.fromstring(DROPPED.sub("", text).strip().encode(), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _unreadable(error, text, start, encoding_faults) from None
    if budget:
        budget.take("elements", max(0, sum(1 for _ in root.iter()) - counted))
        if root.xpath(f"boolean(//*[@*[{_ATTRIBUTES + 1}]])"):
            raise LimitExceeded("attributes in one element", _ATTRIBUTES)
    if root.xpath(f"boolean({'/*' * (DEEPEST_ELEMENT + 1)})"):
        raise UnreadableXml("UD-XML-BROKEN", "too-deep", most=DEEPEST_ELEMENT)
    return XmlDocument(where, text, root, encoding_faults, tuple(_make_literal(root, text)))


def _unreadable(error: Exception, text: str, start: int, encoding_faults: bool) -> UnreadableXml:
    line, column = error.position if isinstance(error, etree.XMLSyntaxError) else (0, 0)
    line += text.count("\n", 0, start) if line else 0
    if encoding_faults:
        return UnreadableXml("UD-XML-ENCODING", "neither", line, column)
    message = (str(error) or type(error).__name__).split(", line ")[0]
    check = "UD-XML-ENTITY" if re.search("^Entity '", message) else "UD-XML-BROKEN"
    return UnreadableXml(check, "parser-says", line, column, quote=message)


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


# -- looking things up ----------------------------------------------------------------------------


PLACED = frozenset(tag for tag, element in ELEMENTS.items() if element.placed)


def attribute(xml: Xml, name: str, default: str = "") -> str:
    """Return an attribute as the client holds it."""
    text = xml.get(name)
    return default if text is None else decoded(text)


def number(xml: Xml, name: str, default: float = 0) -> float | None:
    """Return a number attribute; ``None`` when it is not one, which another check reports."""
    try:
        return json_number(attribute(xml, name, str(default)))
    except ValueError:
        return None


def flag(xml: Xml, name: str) -> bool:
    """Return whether a boolean attribute holds; one in a wrong form is another check's matter."""
    try:
        return json_boolean(attribute(xml, name, "false"))
    except ValueError:
        return True


def data_children(xml: Xml) -> list[Xml]:
    """Return the entries of a group."""
    return xml.findall("data")


def data_below(xml: Xml) -> Iterator[Xml]:
    """Yield all entries below, in the order in which look-ups by name meet them."""
    for entry in data_children(xml):
        yield entry
        yield from data_below(entry)


# Each object is asked for the same ones again and again. Who changes a document goes over
# ``data_children`` instead.
@lru_cache(maxsize=128)
def _by_name(xml: Xml, below: Callable[[Xml], Iterable[Xml]]) -> Mapping[str, Xml]:
    """Return the first entry of each name."""
    return first_by(below(xml), lambda entry: attribute(entry, "name"))


def first_named(xml: Xml | None, name: str) -> Xml | None:
    """Return the entry the client finds: depth first, the first of this name."""
    return None if xml is None else _by_name(xml, data_below).get(name)


def child_named(xml: Xml | None, name: str) -> Xml | None:
    """Return the entry that is meant: a direct child of this name."""
    return None if xml is None else _by_name(xml, data_children).get(name)


def group_of(xml: Xml, name: str) -> Xml | None:
    """Return a group of an object's sheet."""
    return child_named(child_named(xml, tag_of(xml)), name)


def label(xml: Xml) -> str:
    """Return how a message calls the object that an element belongs to: ``card '勇者'``."""
    owner: Xml | None = xml
    while owner is not None and tag_of(owner) not in PLACED:
        owner = owner.getparent()
    if owner is None:
        name = attribute(xml, "name")
        return f"{tag_of(xml)} {quoted(name, 40)}" if name else tag_of(xml)
    common = group_of(owner, "common")
    for key in ("name", "title"):
        entry = child_named(common, key)
        if entry is not None and is_leaf(entry) and inner_text(entry):
            return f"{tag_of(owner)} {quoted(inner_text(entry), 40)}"
    return tag_of(owner)


def short(text: str) -> str:
    """Return a text cut to what fits a message."""
    return text if len(text) <= 40 else text[:39] + "…"
