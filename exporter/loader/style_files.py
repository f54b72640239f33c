"""Face styles: what their templates say of themselves, and the values that a game gives them.

A template declares what it takes as YAML in the comments of its first lines, from ``// takes:`` on:
so it is known without running anything, also of a stranger's template.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    nearest,
)
from exporter.faces.style_values import PLAIN_STYLES
from exporter.faces.template_declarations import declarations
from exporter.loader.load_context import LoadContext
from exporter.model import (
    Declaration,
    FaceStyle,
    Head,
    Take,
    WrittenStyle,
)
from exporter.model.document_places import (
    Document,
    Spot,
    Table,
)
from exporter.model.record_forms import (
    problem_of,
)
from exporter.model.shape import (
    Record,
)
from exporter.model.template_values import Reader


class Styles(Struct):
    """The styles of a game by id, and the values of each as they are spelled."""

    faces: dict[str, FaceStyle]
    spelled: dict[str, Table] = field(default_factory=dict)


def read_styles(reading: LoadContext, head: Head) -> Styles:
    """The game's styles, and the plain ones for what it gives none of its own."""
    found = Styles(dict(PLAIN_STYLES))
    for key, style in head.faces.items():
        _add(reading, key, style, found)
    templates = dict.fromkeys(style.template for style in found.faces.values())
    declared, problems = declarations(templates)
    reading.problems += problems
    for key, style in found.faces.items():
        declaration = declared.get(style.template)
        values = style.values
        if declaration is not None and key in found.spelled:
            own = head.faces[key].values
            values = {**values, **_values(reading, found.spelled[key], own, declaration)}
        found.faces[key] = replace(style, declaration=declaration, values=values)
    return found


def declares_the_same(faces: Mapping[str, FaceStyle]) -> bool:
    """Whether the templates of a game's styles declare what they did when it was read."""
    styles = faces.values()
    was = {one.template: one.declaration for one in styles if one.declaration is not None}
    return declarations(dict.fromkeys(style.template for style in styles)) == (was, [])


def plain_styles() -> dict[str, FaceStyle]:
    """The plain styles with what their templates declare. Raises ``InvalidSource``."""
    declared, problems = declarations(style.template for style in PLAIN_STYLES.values())
    if problems:
        raise InvalidSource(problems)
    return {
        key: replace(style, declaration=declared.get(style.template))
        for key, style in PLAIN_STYLES.items()
    }


def _add(reading: LoadContext, key: str, style: WrittenStyle, found: Styles) -> None:
    """A style with what it has of the one that it is like, which stands before it."""
    like = found.faces.get(style.like)
    whole = Spot(style.spot.document, style.spot.path[:1])
    if style.like and like is None and whole.is_sound():
        reading.fault(
            style.place("like"),
            "SRC-REF",
            "no-style-before",
            like=style.like,
            nearest=nearest(style.like, found.faces),
        )
    if like is None:
        for name in ("template", "size", "scale"):
            if not getattr(style, name) and not style.like and style.is_sound():
                reading.fault(style.where, "SRC-KEY", "missing", name=name)
        like = PLAIN_STYLES["card"]
    own = values_at(style.spot, "values") or Table(style.where)
    like_values = found.spelled.get(style.like)
    found.spelled[key] = like_values.with_keys(own) if like_values else own
    found.faces[key] = FaceStyle(
        id=key,
        template=style.template or like.template,
        size=style.size or like.size,
        scale=style.scale or like.scale,
        values={**(like.values if style.like else {}), **style.values},
        per_unit=0 if style.size else like.per_unit,
        spot=style.spot,
    )


def _values(
    reading: LoadContext, spelled: Table, own: Collection[str], declaration: Declaration
) -> dict[str, Any]:
    """A style's values as its template takes them; the style that it is like may have others."""
    known = {
        name: value for name, value in spelled.items() if name in own or name in declaration.takes
    }
    reader = Reader()
    read = reader.read(declaration.takes, known)
    document = Document(spelled.where, spelled)
    reading.problems += [
        problem_of(fault, document)
        for fault in reader.faults
        if fault.path[0] in own or fault.sort != "unknown"
    ]
    return read


def read_values(
    reading: LoadContext,
    thing: Record,
    guessed: Mapping[str, Any],
    declaration: Declaration | None,
    *,
    within: tuple[float, float] | None = None,
    besides: Mapping[str, Take] = MappingProxyType({}),
) -> Mapping[str, Any]:
    """The ``values`` of a thing as a template takes them, or else as ``guessed``.

    ``besides`` are what the thing takes itself; areas lie ``within`` a width and depth.
    """
    spelled = values_at(thing.spot, "values")
    if not spelled or declaration is None:
        return guessed
    reader = Reader(within=within, filling=True)
    read = reader.read({**besides, **declaration.takes}, spelled)
    reading.problems += [
        problem_of(fault, Document(spelled.where, spelled)) for fault in reader.faults
    ]
    return read


def values_at(spot: Spot, *path: int | str) -> Table | None:
    """The keys and values at ``path`` as they are spelled; nothing where there are none."""
    value = spot.spelled(*path)
    return value if isinstance(value, Table) else None
