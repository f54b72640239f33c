"""What a template declares that it takes, in YAML in its first comment; and what a style takes of
all there is to show: the rest is no part of its faces.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import Any, Final

from msgspec.structs import replace

from exporter.core.messages import asks
from exporter.core.problems import (
    InvalidSource,
    Problem,
    problem_at,
)
from exporter.core.shipped_files import template_folders
from exporter.faces.face_texts import (
    as_written,
    fill,
    is_icon,
    replaced,
    texts_within,
)
from exporter.faces.icons import with_icons
from exporter.model import (
    Declaration,
    FaceStyle,
    Look,
    Side,
    Take,
)
from exporter.model.documents import Document, Spot, read_document
from exporter.model.documents import Path as KeyPath
from exporter.model.forms import (
    Findings,
    FormFault,
    problem_of,
    shaped,
)
from exporter.model.shape import (
    in_both_languages,
)
from exporter.model.styles import named_fields, values_form

_BEGINS = ("takes:", "like:")


# Bytes of a template in which its first comment ends.
_MOST = 64 * 1024


def declarations(templates: Iterable[str]) -> tuple[dict[str, Declaration], list[Problem]]:
    """Return what each template declares that declares anything, and what is wrong with that."""
    shelf = template_folders("faces")
    return declared_in({name: path for name in templates if (path := _found(name, shelf))})


def _found(template: str, folders: Sequence[Path]) -> str:
    """Return where a template lies: the first folder that has it wins; nowhere is reported when it
    is to draw something."""
    paths = (os.path.join(folder, template) for folder in folders if leads_inside(template))
    return next((path for path in paths if os.path.isfile(path)), "")


def leads_inside(template: str) -> bool:
    """Tell whether a template's name, which may come from a stranger, stays in the folder."""
    path = PurePosixPath(template)
    return not path.is_absolute() and ".." not in path.parts and not set(template) & set("\\:\0")


def declared_in(
    paths: Mapping[str, str | Path],
) -> tuple[dict[str, Declaration], list[Problem]]:
    """Return what the files of templates declare, by the templates' names."""
    declared: dict[str, Declaration] = {}
    problems: list[Problem] = []
    for name, path in paths.items():
        # What cannot be read is reported when it is to be drawn.
        with contextlib.suppress(OSError), open(path, "rb") as file:
            text = file.read(_MOST).decode(errors="replace")
            declaration, wrong = read_declaration(text, str(path))
            problems += wrong
            if declaration is not None and declaration.like:
                known, _ = declarations([declaration.like])
                for base in known.values():
                    takes = {**base.takes, **declaration.takes}
                    declaration = replace(declaration, takes=takes, band=base.band)
            if declaration is not None:
                declared[name] = declaration
    return declared, problems


@lru_cache
def read_declaration(text: str, file: str) -> tuple[Declaration | None, list[Problem]]:
    """Return what the first lines of a template declare, and all that is wrong with it."""
    first = takewhile(lambda line: line.startswith("//"), text.splitlines())
    comment = [line[2:] for line in first]
    begin = next((n for n, line in enumerate(comment) if line.strip().startswith(_BEGINS)), None)
    if begin is None:
        return None, []
    # Blanks in the place of what is left out: so lines and columns are those of the file.
    block = "\n" * begin + "\n".join("  " + line for line in comment[begin:])
    try:
        value, where, problems = read_document(block, file)
    except InvalidSource as error:
        return None, list(error.problems)
    document = Document(where, value)
    found, wrong, _ = shaped(Declaration, document)
    problems += wrong
    says = in_both_languages("\n".join(line.strip() for line in comment[:begin]))
    if not wrong:
        each = [(("takes", name), take) for name, take in found.takes.items()]
        problems += (problem_of(fault, document) for fault in _of_no_type(Spot(document), each))
    return replace(found, says=says), problems


def _of_no_type(spot: Spot, each: Iterable[tuple[KeyPath, Take]]) -> Iterator[FormFault]:
    """Yield a fault for each value below a spot that says no type, or several."""
    for path, take in each:
        at = spot.at(*path)
        given = [key for key in _SORTS if getattr(take, key)]
        if len(given) != 1 and given != ["type", "words"]:
            yield FormFault(path=at.path, found=at.spelled(), allowed=_ONE_OF)
        yield from _of_no_type(at, take.within)


_SORTS = ("type", "words", "keys", "list", "map", "row")


_ONE_OF = asks("one-of", words=", ".join(_SORTS))


# A mark in a text, such as ``[bomb]``.
MARK = re.compile(r"\[([^\[\]\s]{1,20})\]")


def taken(declaration: Declaration | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """Choose of ``values`` those that a template takes, or that its slots name.

    A template that declares nothing gets all of them.
    """
    if declaration is None:
        return dict(values)
    side: Side = values.get("side", "")
    named = {word for _path, _take, word in named_fields(declaration.naming, values, side)}
    found = {}
    for name, value in values.items():
        take = declaration.takes.get(name)
        if take is not None and any(values.get(other) for other in take.unless):
            continue
        if take is not None and not (take.side and side and take.side != side):
            # A column of numbers may hold what is written as a text.
            plain = take.sort == "text" and type(value) is int
            found[name] = str(value) if plain else value
        elif name in named:
            found[name] = value
    return found


def is_measured(style: FaceStyle, name: str) -> bool:
    """Return whether a value is a number, for which an empty cell leaves what the style says."""
    take = style.declaration.takes.get(name) if style.declaration else None
    short = take.keys[take.short] if take and take.short else take
    return short is not None and short.sort in ("number", "measure")


def is_letter(mark: str) -> bool:
    """Return whether a mark is a single letter, which any style draws in a circle."""
    return len(mark) == 1 and mark.isascii() and mark.isalpha()


def is_drawn(style: FaceStyle, mark: str) -> bool:
    """Return whether the style's template draws something for ``[mark]``."""
    return is_letter(mark) or bool(style.declaration and mark in style.declaration.marks)


def words_for_marks(style: FaceStyle, marks: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of ``marks`` for those that the style has no icon for, by ``[mark]``.

    A template that declares nothing may draw any of them.
    """
    if style.declaration is None:
        return {}
    own = style.declaration.marks
    return as_written(
        {
            mark: f"[={word}]" if is_icon(word) else with_icons(word)
            for mark, word in marks.items()
            if mark not in own
        }
    )


def icons_in(text: str, marks: Mapping[str, str]) -> tuple[str, ...]:
    """Return the files of the game's that a finished text shows as icons."""
    words = dict.fromkeys(word for word in marks.values() if is_icon(word))
    return tuple(word for word in words if f"[={word}]" in text)


def replaced_within(value: Any, words: Mapping[str, str]) -> Any:
    """Return a value with the texts of ``words`` in the place of their keys, at any depth."""
    return _each_text(value, lambda text: replaced(text, words))


def replaced_icons(value: Any) -> Any:
    """Return a value with icons in the place of their names in texts, at any depth."""
    return _each_text(value, with_icons)


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _each_text(inner, change) for key, inner in value.items()}
    if isinstance(value, Sequence):
        return [_each_text(inner, change) for inner in value]
    return value


def filled(
    style: FaceStyle,
    values: Mapping[str, Any],
    names: Mapping[str, str],
    spot: Spot,
) -> dict[str, Any]:
    """Return values with every ``${name}`` in their texts replaced, as the style's template takes
    them.

    ``spot`` is that of the thing whose ``values`` they are. Raises ``InvalidSource`` for unknown
    names, and for what the template does not take.
    """
    where = spot.place()
    whole: dict[str, Any] = _each_text(values, lambda text: fill(text, names, where))
    if style.declaration is None or not any("${" in text for text in texts_within(values)):
        return whole
    findings = Findings()
    read = values_form(style.declaration.takes).read(whole, (), findings)
    wrong = [fault for fault in findings.faults if fault.sort != "unknown"]
    if wrong:
        raise InvalidSource(
            problem_at(
                spot.place("values", *fault.path),
                "VALUE",
                "filled-takes",
                name=".".join(map(str, fault.path)),
                found=str(fault.found),
                template=style.template,
                allowed=fault.allowed,
            )
            for fault in wrong
        )
    return {**whole, **read}


def _style(
    name: str,
    template: str,
    size: tuple[float, float],
    scale: float,
    per_unit: float = 0,
    **values: str,
) -> FaceStyle:
    path = f"plain/{template}.typ"
    return FaceStyle(
        id=name, template=path, size=size, scale=scale, values=values, per_unit=per_unit
    )


# The styles that a game has without any of its own, with their default sizes in millimetres.
PLAIN_STYLES: Final[Mapping[str, FaceStyle]] = {
    style.id: style
    for style in (
        _style("card", "card", (63, 88), 6.35),
        _style("card_back", "back", (63, 88), 6.35),
        _style("token", "token", (25, 25), 8),
        _style("sheet", "sheet", (148, 105), 5),
        _style("pawn", "pawn", (30, 45), 8),
        _style("disc", "pawn", (30, 30), 8, pose="flat"),
        _style("die", "die", (25, 25), 8),
        _style("dial", "dial", (60, 60), 6),
        _style("mat", "mat", (180, 120), 2.5, per_unit=20),
        _style("surface", "surface", (400, 300), 0.8),
        _style("board", "board", (30, 30), 4),
        _style("tile", "tile", (30, 30), 4),
        _style("wall", "tile", (30, 15), 4),
    )
}


# The styles that each family has a look of its own for; others are plain, in its colours.
_FAMILY_STYLES: Final = ("card", "card_back", "token", "sheet", "mat", "surface", "board", "pawn")


def styles_of(look: Look | None) -> dict[str, FaceStyle]:
    """Return the styles that a game has without any of its own: plain, or those of a family."""
    if look is None:
        return dict(PLAIN_STYLES)
    found = {}
    for name, style in PLAIN_STYLES.items():
        path = style.template
        if name in _FAMILY_STYLES:
            path = path.replace("plain/", "looks/")
        found[name] = replace(style, template=path, values={**style.values, **look.values})
    return found
