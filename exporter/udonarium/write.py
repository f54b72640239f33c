"""A ``Room`` of image identifiers → XML → checked → zip, the same bytes every time.

``templates/udonarium`` has a template for each element, called like its tag. Nothing is written
that does not read back equal: the XML is parsed again, held against ``udonarium.rng`` and compared
with the values it came from. A difference is a bug of this program.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from lxml import etree
from markupsafe import Markup, escape

from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
)
from exporter.core.shipped_files import shipped
from exporter.model.tabletop import (
    PICTURE_FIELDS,
    Attributes,
    ChatTab,
    GameTable,
    ImageFile,
    Loose,
    Room,
    mapped,
    pictures,
)
from exporter.udonarium import format
from exporter.udonarium.archive import pack
from exporter.udonarium.client_text import (
    number_text,
    plain_lines,
    twice_decodable,
)
from exporter.udonarium.document import parse
from exporter.udonarium.read import (
    read_object,
    read_room,
)
from exporter.udonarium.sayable import unsayable
from exporter.udonarium.verify_checks import (
    found,
    named,
)

# The shipped ones alone: a folder of somebody's own faces must not shadow the client's format.
_FOLDER = shipped("templates") / "udonarium"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPECIAL = re.compile("[&\n\t]")


def write_room(room: Room[str], images: Mapping[str, ImageFile]) -> bytes:
    """A room zip with all of ``images``. Raises ``InvalidSource`` before anything is written."""
    room = as_read(room)
    _refuse([room], images)
    documents = {"data.xml": _document("room", room)}
    if room.chat is not None:
        documents["chat.xml"] = _document("chat-tab-list", room.chat)
    if room.inventory is not None:
        documents["summary.xml"] = _document("summary-setting", room.inventory)
    roots = [_checked(name, text) for name, text in documents.items()]
    _compare(room, read_room(roots))
    return _zip(documents, images)


def write_loose(
    objects: Sequence[Loose[str] | GameTable[str] | ChatTab[str]],
    images: Mapping[str, ImageFile],
) -> bytes:
    """A zip that adds ``objects`` to a running room, one XML entry each, at the mouse pointer.

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
    return _zip(documents, images)


def _zip(documents: Mapping[str, str], images: Mapping[str, ImageFile]) -> bytes:
    files = [(name, text.encode()) for name, text in documents.items()]
    named_images = sorted(
        (f"{identifier}.{file.extension}", file.data) for identifier, file in images.items()
    )
    return pack([*files, *named_images])


# -- before: what cannot be said in the format -----------------------------------------------


def as_read(value: Any) -> Any:
    """The same value in the one form in which it reads back: its line ends are LF.

    A picture that is an empty text counts as none, as it does for the client.
    """

    def change(field: str, leaf: Any) -> Any:
        if field in PICTURE_FIELDS:
            return leaf or None
        return plain_lines(leaf) if isinstance(leaf, str) and "\r" in leaf else leaf

    return mapped(value, change)


def _refuse(things: Sequence[Any], images: Mapping[str, ImageFile]) -> None:
    problems: list[Problem] = []
    nowhere = SourceLocation()
    for name, file in images.items():
        if name != file.identifier:
            values = {"identifier": name, "file_identifier": file.identifier}
            problems.append(found("UD-IMAGE-NAME", nowhere, "image-called-bytes", **values))
        if len(file.data) > format.IMAGE_BYTES:
            size = {"identifier": name, "count": len(file.data)}
            problems.append(found("UD-IMAGE-SIZE", nowhere, "bytes", **size))
    for thing in things:
        problems += unsayable(thing)
        for identifier in dict.fromkeys(pictures(thing)):
            if format.IDENTIFIER.fullmatch(identifier) and identifier not in images:
                problems.append(found("UD-REF-DEAD", nowhere, "no-image", identifier=identifier))
    if problems:
        raise InvalidSource(problems)


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
    environment.filters |= {
        "attribute": _attribute,
        "attributes": _attributes,
        "by_path": _by_path,
        "xml": _xml,
    }
    return environment


def _document(tag: str, value: Any) -> str:
    return f"{_DECLARATION}{_fill(tag, value)}\n"


def _fill(tag: str, value: Any) -> Markup:
    return Markup(_templates().get_template(f"{tag}.xml.j2").render(it=value))


@lru_cache(128)  # A pile holds many copies of a card: half of the time.
def _xml(value: Any) -> Markup:
    """The element of anything in a room, by the template called like its tag."""
    return _fill(format.BY_TYPE[type(value)].tag, value)


def _as_text(value: Any) -> Any:
    """Numbers and booleans as the client reads them; no picture is an empty text."""
    if isinstance(value, str):  # nearly always
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, (int, float)) else value


def _attribute(text: str | None) -> str:
    """Text for an attribute, the one place where it is made safe for being decoded twice."""
    if not text or not _SPECIAL.search(text):  # nearly always
        return text or ""
    escaped = escape(twice_decodable(text))
    return escaped.replace("\n", Markup("&#10;")).replace("\t", Markup("&#9;"))


def _attributes(pairs: Attributes) -> Markup:
    """Attributes of other programs, as they stand in a tag."""
    return Markup("".join(f' {name}="{escape(_attribute(text))}"' for name, text in pairs))


def _by_path(entries: Iterable[tuple[str, Attributes]]) -> Mapping[str, Markup]:
    """Attributes that other programs gave to entries: ``extra["common/size"]``, mostly none."""
    return defaultdict(Markup, {path: _attributes(pairs) for path, pairs in entries})


# -- after: what was written is what was meant ----------------------------------------------------


@cache
def schema() -> etree.RelaxNG:
    """What is legal in a room that this program writes."""
    return etree.RelaxNG(etree.parse(_FOLDER / "udonarium.rng"))


def _checked(name: str, text: str) -> Any:
    root = parse(text.encode(), SourceLocation(name)).root
    if not schema().validate(root):
        raise AssertionError(f"{name} is not what udonarium.rng allows: {schema().error_log}")
    return root


def _compare(meant: Any, read: Any) -> None:
    if meant == read:
        return
    pairs = [(meant, read)]
    if isinstance(meant, Room):
        pairs = [*zip(meant.tables, read.tables, strict=False)]
        pairs += zip(meant.pieces, read.pieces, strict=False)
    for one, other in pairs:
        if one != other:
            raise AssertionError(f"{named(one) or 'It'} reads back as another: {one!r} / {other!r}")
    raise AssertionError(f"What was written reads back as another: {meant!r} / {read!r}")
