"""A ``Room`` of image identifiers → XML → checked → zip, the same bytes every time.

``templates/udonarium`` has a template for each element, called like its tag. Nothing is written
that does not read back equal: the XML is parsed again, held against ``udonarium.rng`` and compared
with the values it came from. A difference is a bug of this program.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from lxml import etree
from markupsafe import Markup, escape
from msgspec import Struct
from msgspec.structs import astuple

from exporter.core.problems import Problem, SourceLocation, quoted, stop_for
from exporter.core.shipped_files import shipped
from exporter.model.tabletop import (
    PICTURE_FIELDS,
    Attributes,
    ChatTab,
    GameTable,
    ImageFile,
    Inventory,
    Loose,
    Room,
    mapped,
    pictures,
)
from exporter.udonarium import format
from exporter.udonarium.archive import pack
from exporter.udonarium.document import Xml, parse
from exporter.udonarium.format import (
    DROPPED,
    LARGEST_EXACT,
    number_text,
    plain_lines,
    twice_decodable,
)
from exporter.udonarium.marks import marked
from exporter.udonarium.read import read_object, read_room
from exporter.udonarium.verify_checks import zip_problem

# The shipped ones alone: a folder of somebody's own faces must not shadow the client's format.
_FOLDER = shipped("templates") / "udonarium"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPECIAL = re.compile("[&\n\t]")


def write_room(
    room: Room[str], images: Mapping[str, ImageFile], order: str = "", program: str = ""
) -> bytes:
    """Return a room zip with all of ``images``, marked as made to an ``order`` by a ``program``.

    Raises ``InvalidSource`` before anything is written.
    """
    return zipped(room_documents(room, images, order, program), images)


def room_documents(
    room: Room[str], images: Mapping[str, ImageFile], order: str, program: str
) -> dict[str, str]:
    """Return the XML of a room zip, by names of files. Raises ``InvalidSource``."""
    room = as_read(room)
    _refuse([room], images)
    if order:
        room = marked(room, order, program, lambda thing: etree.fromstring(_xml(thing)))
    documents = {"data.xml": _document("room", room)}
    if room.chat is not None:
        documents["chat.xml"] = _document("chat-tab-list", room.chat)
    if room.inventory is not None:
        documents["summary.xml"] = _document("summary-setting", room.inventory)
    _compare(room, read_room([_checked(name, text) for name, text in documents.items()]))
    return documents


def write_loose(
    objects: Sequence[Loose[str] | GameTable[str] | ChatTab[str]],
    images: Mapping[str, ImageFile],
) -> bytes:
    """Return a zip that adds ``objects`` to a running room, one XML entry each, at the mouse
    pointer.

    Raises ``InvalidSource`` before anything is written.
    """
    things = [as_read(thing) for thing in objects]
    _refuse(things, images)
    width = len(str(len(things)))
    documents = {
        f"{index:0{width}}.xml": _document(format.BY_TYPE[type(thing)].tag, thing)
        for index, thing in enumerate(things, 1)
    }
    for thing, (name, text) in zip(things, documents.items(), strict=True):
        _compare(thing, read_object(_checked(name, text)))
    return zipped(documents, images)


def zipped(documents: Mapping[str, str], images: Mapping[str, ImageFile]) -> bytes:
    """Return a zip of documents and pictures."""
    files = [(name, text.encode()) for name, text in documents.items()]
    named_images = sorted(
        (f"{identifier}.{file.extension}", file.data) for identifier, file in images.items()
    )
    return pack([*files, *named_images])


# -- before: what cannot be said in the format -----------------------------------------------


def as_read(value: Any) -> Any:
    """Return the same value in the one form in which it reads back: its line ends are LF.

    A picture that is an empty text counts as none, as it does for the client.
    """

    def change(field: str, leaf: Any) -> Any:
        if field in PICTURE_FIELDS:
            return leaf or None
        return plain_lines(leaf) if isinstance(leaf, str) and "\r" in leaf else leaf

    return mapped(value, change)


_NOWHERE = SourceLocation()


def _refuse(things: Sequence[Any], images: Mapping[str, ImageFile]) -> None:
    problems: list[Problem] = []
    for name, file in images.items():
        if name != file.identifier:
            problems.append(
                zip_problem(
                    "UD-IMAGE-NAME",
                    _NOWHERE,
                    "image-called-bytes",
                    identifier=name,
                    file_identifier=file.identifier,
                )
            )
        if len(file.data) > format.IMAGE_BYTES:
            count = len(file.data)
            problems.append(
                zip_problem("UD-IMAGE-SIZE", _NOWHERE, "bytes", identifier=name, count=count)
            )
    for thing in things:
        problems += inexpressible(thing)
        for identifier in dict.fromkeys(pictures(thing)):
            if format.IDENTIFIER.fullmatch(identifier) and identifier not in images:
                problems.append(
                    zip_problem(
                        "UD-REF-DEAD",
                        _NOWHERE,
                        "no-image",
                        object=_named(thing) or "room",
                        identifier=identifier,
                    )
                )
    stop_for(problems)


def inexpressible(thing: Any) -> list[Problem]:
    """Return texts and numbers of a room, of a part of one, or of several, that the format cannot
    hold."""
    return list(_inexpressible(thing, None, set()))


def _inexpressible(value: Any, owner: Any, met: set[int]) -> Iterator[Problem]:
    """Yield each fault at the object it is in; ``met`` are the objects already looked at."""
    if isinstance(value, (str, int, float)):
        yield from _inexpressible_leaf(value, owner)
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _inexpressible(item, owner, met)
    elif isinstance(value, Struct) and id(value) not in met:
        met.add(id(value))
        for inner in astuple(value):
            if inner:
                yield from _inexpressible(inner, value if _named(value) else owner, met)
        # The client parts the names of columns at spaces.
        for column in value.columns if isinstance(value, Inventory) else ():
            if column.split() != [column]:
                key = "inventory-column-spaces"
                yield zip_problem("UD-SUMMARY-COLUMN", _NOWHERE, key, column=column)


def _inexpressible_leaf(value: str | float, owner: Any) -> Iterator[Problem]:
    if isinstance(value, str):
        if signs := sorted(set(DROPPED.findall(value))):
            codes = ", ".join(f"U+{ord(sign):04X}" for sign in signs)
            yield zip_problem("UD-TEXT-CONTROL", _NOWHERE, "text", owner=_named(owner), codes=codes)
    # JavaScript holds no other numbers.
    elif not (abs(value) <= LARGEST_EXACT if isinstance(value, int) else math.isfinite(value)):
        yield zip_problem(
            "UD-NUMBER",
            _NOWHERE,
            "stands-number",
            owner=_named(owner),
            found=quoted(str(value), 40),
        )


def _named(value: Any) -> str:
    """Return how a message calls an object of a room; empty for what has no name."""
    element = format.BY_TYPE.get(type(value))
    if element is None or element.tag in ("data", "room"):
        return ""
    name = getattr(value, "name", "")
    return f"{element.tag} {name!r}" if name else element.tag


# -- the XML -----------------------------------------------------------------------------------


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_as_text,
        auto_reload=False,
    )
    environment.filters |= {"attribute": _attribute, "attributes": _attributes, "xml": _xml}
    return environment


def _document(tag: str, value: Any) -> str:
    return f"{_DECLARATION}{_fill(tag, value)}\n"


def _fill(tag: str, value: Any) -> Markup:
    return Markup(_templates().get_template(f"{tag}.xml.j2").render(it=value))


@lru_cache(128)  # A pile holds many copies of a card: half of the time.
def _xml(value: Any) -> Markup:
    """Return the element of anything in a room, by the template called like its tag."""
    return _fill(format.BY_TYPE[type(value)].tag, value)


def _as_text(value: Any) -> Any:
    """Return numbers and booleans as the client reads them; no picture is an empty text."""
    if isinstance(value, str):  # nearly always
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, (int, float)) else value


def _attribute(text: str | None) -> str:
    """Return text for an attribute, the one place where it is made safe for being decoded twice."""
    if not text or not _SPECIAL.search(text):  # nearly always
        return text or ""
    escaped = escape(twice_decodable(text))
    return escaped.replace("\n", Markup("&#10;")).replace("\t", Markup("&#9;"))


def _attributes(pairs: Attributes) -> Markup:
    """Return further attributes, as they stand in a tag."""
    return Markup("".join(f' {name}="{escape(_attribute(text))}"' for name, text in pairs))


# -- after: what was written is what was meant ----------------------------------------------------


@cache
def schema() -> etree.RelaxNG:
    """Return what is legal in a room that this program writes."""
    return etree.RelaxNG(etree.parse(_FOLDER / "udonarium.rng"))


def _checked(name: str, text: str) -> Xml:
    root = parse(text.encode(), SourceLocation(name)).root
    if not schema().validate(root):
        raise AssertionError(f"{name} is not what udonarium.rng allows: {schema().error_log}")
    return root


def _compare(written: Any, read: Any) -> None:
    if written == read:
        return
    pairs = [(written, read)]
    if isinstance(written, Room):
        pairs += zip(written.tables + written.pieces, read.tables + read.pieces, strict=False)
    one, other = next(pair for pair in reversed(pairs) if pair[0] != pair[1])
    raise AssertionError(f"{_named(one) or 'It'} reads back as another: {one!r} / {other!r}")
