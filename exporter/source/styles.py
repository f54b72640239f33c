"""Face styles: what their templates say of themselves, and the values that a game gives them.

A template declares what it takes as YAML in the comments of its first lines, from ``// takes:`` on:
so it is known without running anything, also of a stranger's template.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from exporter.cache import Cache, cache_folder
from exporter.model import Declaration, FaceStyle, Take
from exporter.places import template_folders
from exporter.plain import PLAIN_STYLES
from exporter.problems import InvalidSource, Problem, Where, nearest
from exporter.schema import things
from exporter.schema.declarations import DeclarationShape, declaration_of
from exporter.schema.forms import Fault
from exporter.schema.places import Path as Steps
from exporter.schema.places import Table
from exporter.schema.values import Reader
from exporter.source import checks
from exporter.source.documents import read_document
from exporter.source.files import Unreadable
from exporter.source.reading import Reading
from exporter.source.shapes import Shaped, problem_of, shaped

_BEGIN = "takes:"
_MOST = 64 * 1024
"""Bytes of a template in which its first comment ends."""
_KEPT = 2
"""Raised when a declaration is kept in another form, so that no cache brings the old one."""


class Styles(Struct):
    """The styles of a game by id, and the values of each as they are spelled."""

    faces: dict[str, FaceStyle]
    spelled: dict[str, Table] = field(default_factory=dict)


def read_styles(reading: Reading, head: Shaped[things.GameShape]) -> Styles:
    """The game's styles, and the plain ones for what it gives none of its own."""
    found = Styles(dict(PLAIN_STYLES))
    for key in head.shape.faces:
        _add(reading, head, key, found)
    templates = dict.fromkeys(style.template for style in found.faces.values())
    declared, problems = declarations(templates)
    reading.problems += problems
    for key, style in found.faces.items():
        declaration = declared.get(style.template)
        values = style.values
        if declaration is not None and key in found.spelled:
            own = head.shape.faces[key].values
            values = {**values, **_values(reading, found.spelled[key], own, declaration)}
        found.faces[key] = replace(style, declaration=declaration, values=values)
    return found


def plain_styles() -> dict[str, FaceStyle]:
    """The plain styles with what their templates declare. Raises ``InvalidSource``."""
    declared, problems = declarations(style.template for style in PLAIN_STYLES.values())
    if problems:
        raise InvalidSource(problems)
    return {
        key: replace(style, declaration=declared.get(style.template))
        for key, style in PLAIN_STYLES.items()
    }


def _add(reading: Reading, head: Shaped[things.GameShape], key: str, found: Styles) -> None:
    shape = head.shape.faces[key]
    like = found.faces.get(shape.like)
    if shape.like and like is None and head.is_sound("faces"):
        message = f"There is no style {shape.like!r} before this one."
        where = head.at("faces", key, "like")
        reading.fault(where, checks.REF, message, nearest(shape.like, found.faces))
    if like is None:
        for name in ("template", "size", "scale"):
            if not getattr(shape, name) and not shape.like and head.is_sound("faces", key):
                where = head.at("faces", key)
                reading.fault(where, checks.KEY, f"{name}: missing.", "Add it, or `like: card`.")
        like = PLAIN_STYLES["card"]
    own = values_at(head, "faces", key, "values") or Table(head.at("faces", key))
    like_values = found.spelled.get(shape.like)
    found.spelled[key] = like_values.with_keys(own) if like_values else own
    found.faces[key] = FaceStyle(
        id=key,
        template=shape.template or like.template,
        size=shape.size or like.size,
        scale=shape.scale or like.scale,
        values={**(like.values if shape.like else {}), **shape.values},
        per_unit=0 if shape.size else like.per_unit,
        where=head.at("faces", key),
    )


def _values(
    reading: Reading, spelled: Table, own: Collection[str], declaration: Declaration
) -> dict[str, Any]:
    """A style's values as its template takes them; the style that it is like may have others."""
    known = {
        name: value for name, value in spelled.items() if name in own or name in declaration.takes
    }
    reader = Reader()
    read = reader.read(declaration.takes, known)
    reading.problems += [
        problem_of(fault, spelled, spelled.where)
        for fault in reader.faults
        if fault.path[0] in own or fault.sort != "unknown"
    ]
    return read


class OwnValues(Struct, frozen=True):
    """The values of one thing, and the places of texts among them that hold ``${…}``."""

    values: Mapping[str, Any]
    blanks: Mapping[Steps, Where] = field(default_factory=dict)


def read_values(
    reading: Reading,
    thing: Shaped[Any],
    path: Steps,
    guessed: Mapping[str, Any],
    declaration: Declaration | None,
    *,
    within: tuple[float, float] | None = None,
    besides: Mapping[str, Take] = MappingProxyType({}),
) -> OwnValues:
    """The values at ``path`` as a template takes them, or else as ``guessed``.

    ``besides`` are what the thing takes itself; areas lie ``within`` a width and depth.
    """
    spelled = values_at(thing, *path)
    if not spelled:
        return OwnValues(guessed)
    blanks = to_be_filled(spelled, spelled.where)
    if declaration is None:
        return OwnValues(guessed, blanks)
    reader = Reader(within=within, filling=True)
    read = reader.read({**besides, **declaration.takes}, spelled)
    reading.problems += [problem_of(fault, spelled, spelled.where) for fault in reader.faults]
    return OwnValues(read, blanks)


def values_at(thing: Shaped[Any], *path: int | str) -> Table | None:
    """The keys and values at ``path`` as they are spelled; nothing where there are none."""
    value = thing.value
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value if isinstance(value, Table) else None


def to_be_filled(value: Any, where: Where, path: Steps = ()) -> dict[Steps, Where]:
    """Where each text below ``value`` stands that has to be filled with ``${…}``."""
    if isinstance(value, str):
        return {path: where} if "${" in value else {}
    found: dict[Steps, Where] = {}
    if isinstance(value, Table):
        for key, inner in value.items():
            found |= to_be_filled(inner, value.values_at[key], (*path, key))
    elif isinstance(value, list):
        places = getattr(value, "values_at", [where] * len(value))
        for at, inner in enumerate(value):
            found |= to_be_filled(inner, places[at], (*path, at))
    return found


def declarations(
    templates: Iterable[str], folders: Sequence[Path] | None = None
) -> tuple[dict[str, Declaration], list[Problem]]:
    """What each template declares that declares anything, and what is wrong with that.

    ``folders`` are those of face templates, by default the usual ones; the first that has a file
    wins.
    """
    shelf = template_folders("faces") if folders is None else folders
    paths = {name: path for name in templates if (path := _found(name, shelf))}
    return declared_in(paths)


def _found(template: str, folders: Sequence[Path]) -> str:
    """Where a template lies; nowhere is told when it is to draw something."""
    steps = PurePosixPath(template)
    if steps.is_absolute() or ".." in steps.parts or "\0" in template:
        return ""
    paths = (os.path.join(folder, template) for folder in folders)
    return next((path for path in paths if os.path.isfile(path)), "")


def declared_in(
    paths: Mapping[str, str | Path],
) -> tuple[dict[str, Declaration], list[Problem]]:
    """What the files of templates declare, by the templates' names.

    It is kept with the pictures, by its contents: to read YAML takes longer than all else here.
    """
    contents = {name: _beginning(path) for name, path in paths.items()}
    total = hashlib.sha256(str(_KEPT).encode())
    for name, data in sorted(contents.items()):
        total.update(f"{name} {len(data)} ".encode() + data)
    key = "takes-" + total.hexdigest()
    cache = Cache(cache_folder())
    kept = cache.get(key)
    if kept is not None:
        return msgspec.json.decode(kept, type=dict[str, Declaration]), []
    declared: dict[str, Declaration] = {}
    problems: list[Problem] = []
    for name, data in contents.items():
        declaration, wrong = read_declaration(data.decode(errors="replace"), str(paths[name]))
        problems += wrong
        if declaration is not None:
            declared[name] = declaration
    if not problems:
        cache.put(key, msgspec.json.encode(declared))
    return declared, problems


def _beginning(path: str | Path) -> bytes:
    """The first lines of a template; what cannot be read is told when it is to be drawn."""
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read(_MOST)
    return b""


def read_declaration(text: str, file: str) -> tuple[Declaration | None, list[Problem]]:
    """What the first lines of a template declare, and all that is wrong with it."""
    comment = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        comment.append(line[2:])
    begin = next((n for n, line in enumerate(comment) if line.strip().startswith(_BEGIN)), None)
    if begin is None:
        return None, []
    # Blanks in the place of what is left out: so lines and columns are those of the file.
    block = "\n" * begin + "\n".join("  " + line for line in comment[begin:])
    try:
        value, where, problems = read_document(block, file)
    except Unreadable as unreadable:
        return None, [unreadable.problem]
    shape, wrong = shaped(DeclarationShape, value, where)
    problems += wrong
    if shape is None:
        return None, problems
    faults: list[Fault] = []
    says = " ".join(line.strip() for line in comment[:begin]).strip()
    declaration = declaration_of(shape.shape, says, faults)
    return declaration, problems + [problem_of(fault, value, where) for fault in faults]
