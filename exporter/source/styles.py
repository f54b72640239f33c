"""Face styles: what their templates say of themselves, and the values that a game gives them.

A template declares what it takes as YAML in the comments of its first lines, from ``// takes:`` on:
so it is known without running anything, also of a stranger's template.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from exporter.cache import Cache, cache_folder
from exporter.model import Declaration, FaceStyle, Head, Take, WrittenStyle
from exporter.places import template_folders
from exporter.plain import PLAIN_STYLES
from exporter.problems import InvalidSource, Problem, nearest
from exporter.schema.findings import FormFault
from exporter.schema.places import Document, Spot, Table
from exporter.schema.places import Path as KeyPath
from exporter.schema.shape import Record, told_in_both
from exporter.schema.values import Reader
from exporter.source.files import Unreadable
from exporter.source.reading import Reading
from exporter.source.shapes import problem_of, shaped
from exporter.words import asks

_BEGIN = "takes:"
_MOST = 64 * 1024
"""Bytes of a template in which its first comment ends."""
_KEPT = 4
"""Raised when a declaration is kept in another form, so that no cache brings the old one."""


class Styles(Struct):
    """The styles of a game by id, and the values of each as they are spelled."""

    faces: dict[str, FaceStyle]
    spelled: dict[str, Table] = field(default_factory=dict)


def read_styles(reading: Reading, head: Head) -> Styles:
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


def _add(reading: Reading, key: str, style: WrittenStyle, found: Styles) -> None:
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
    reading: Reading, spelled: Table, own: Collection[str], declaration: Declaration
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
    reading: Reading,
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
    from exporter.source.documents import read_document

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
    document = Document(where, value)
    found, wrong, _ = shaped(Declaration, document)
    problems += wrong
    if found is None:
        return None, problems
    says = told_in_both("\n".join(line.strip() for line in comment[:begin]))
    if not wrong:
        each = [(("takes", name), take) for name, take in found.takes.items()]
        problems += (problem_of(fault, document) for fault in _of_no_type(Spot(document), each))
    return replace(found, says=says), problems


def _of_no_type(spot: Spot, each: Iterable[tuple[KeyPath, Take]]) -> Iterator[FormFault]:
    """A fault for each value below a spot that says no type, or several."""
    for path, take in each:
        at = spot.at(*path)
        given = [key for key in _SORTS if getattr(take, key)]
        if len(given) != 1 and given != ["type", "words"]:
            yield FormFault(path=at.path, found=at.spelled(), allowed=_ONE_OF)
        yield from _of_no_type(at, take.within)


_SORTS = ("type", "words", "keys", "list", "map", "row")
_ONE_OF = asks("one-of", words=", ".join(_SORTS))
