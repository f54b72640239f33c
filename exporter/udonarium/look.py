"""How the client looks things up in a room's XML, and how the checks say what they found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from exporter.core.reading_limits import ProblemList
from exporter.udonarium.client_text import (
    decoded,
    json_boolean,
    json_number,
)
from exporter.udonarium.document import (
    Xml,
    XmlDocument,
    inner_text,
    is_leaf,
    own,
    tag_of,
)
from exporter.udonarium.format import ELEMENTS
from exporter.udonarium.verify_checks import found

PLACED = frozenset(tag for tag, element in ELEMENTS.items() if element.placed)


def attribute(xml: Xml, name: str, default: str = "") -> str:
    """An attribute as the client holds it."""
    text = xml.get(name)
    return default if text is None else decoded(text)


def number(xml: Xml, name: str, default: float = 0) -> float | None:
    """A number attribute; ``None`` when it is not one, which another check reports."""
    try:
        return json_number(attribute(xml, name, str(default)))
    except ValueError:
        return None


def flag(xml: Xml, name: str) -> bool:
    """Whether a boolean attribute holds; one in a wrong form is another check's matter."""
    try:
        return json_boolean(attribute(xml, name, "false"))
    except ValueError:
        return True


def data_children(xml: Xml) -> list[Xml]:
    return [child for child in own(xml) if tag_of(child) == "data"]


def data_below(xml: Xml) -> Iterator[Xml]:
    """All entries below, in the order in which look-ups by name meet them."""
    waiting = data_children(xml)[::-1]
    while waiting:
        entry = waiting.pop()
        yield entry
        if len(entry):
            waiting += data_children(entry)[::-1]


# Each object is asked for the same ones again and again, and a parsed document does not change.
@lru_cache(maxsize=128)
def _by_name(xml: Xml, below: Callable[[Xml], Iterable[Xml]]) -> Mapping[str, Xml]:
    """The first entry of each name."""
    named: dict[str, Xml] = {}
    for entry in below(xml):
        named.setdefault(attribute(entry, "name"), entry)
    return named


def first_named(xml: Xml | None, name: str) -> Xml | None:
    """The entry the client finds: depth first, the first of this name."""
    return None if xml is None else _by_name(xml, data_below).get(name)


def child_named(xml: Xml | None, name: str) -> Xml | None:
    """The entry that is meant: a direct child of this name."""
    return None if xml is None else _by_name(xml, data_children).get(name)


def sheet_of(xml: Xml) -> Xml | None:
    """An object's root group."""
    return child_named(xml, tag_of(xml))


def group_of(xml: Xml, name: str) -> Xml | None:
    return child_named(sheet_of(xml), name)


def owner_of(xml: Xml) -> Xml | None:
    """The nearest thing on the table that an element belongs to, itself included."""
    found: Xml | None = xml
    while found is not None and tag_of(found) not in PLACED:
        found = found.getparent()
    return found


def label(xml: Xml) -> str:
    """How a message calls the object that an element belongs to: ``card '勇者'``."""
    owner = owner_of(xml)
    if owner is None:
        name = attribute(xml, "name")
        return f"{tag_of(xml)} {quoted(name)}" if name else tag_of(xml)
    common = group_of(owner, "common")
    for key in ("name", "title"):
        entry = child_named(common, key)
        if entry is not None and is_leaf(entry) and inner_text(entry):
            return f"{tag_of(owner)} {quoted(inner_text(entry))}"
    return tag_of(owner)


def quoted(text: str) -> str:
    """A text from a file, cut to what fits a message."""
    return repr(short(text))


def short(text: str) -> str:
    """A text cut to what fits a message."""
    return text if len(text) <= 40 else text[:39] + "…"


class Find(Struct, frozen=True):
    """Something wrong: the check, the element to point at, and what was found.

    The sentence of the ``key`` has blanks for ``values``, in which an element stands for what it is
    called. Nothing is worded before somebody wants to read it: there may be very many.
    """

    check: str
    at: Xml
    key: str
    values: Mapping[str, str | int | Xml]


Finds: TypeAlias = Iterator[Find]


def find(check: str, at: Xml, key: str, **values: str | int | Xml) -> Find:
    """The sentence speaks of the ``object`` that ``at`` belongs to, unless another is given."""
    return Find(check, at, key, {"object": at, **values})


def tell(told: ProblemList, finds: Iterable[tuple[XmlDocument, Find]]) -> None:
    """Words what was found, and where, as far as it is told."""
    for document, one in finds:
        if told.wants(one.check):
            words = {name: _word(value) for name, value in one.values.items()}
            where = document.of(one.at)
            told.keep(one.check, found(one.check, where, one.key, **words))


def _word(value: str | int | Xml) -> str | int:
    if isinstance(value, str):
        return short(value)
    return value if isinstance(value, int) else label(value)
