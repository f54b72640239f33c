"""What of all there is to show a style takes: the rest is no part of its faces."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    problem_at,
)
from exporter.faces.face_texts import (
    as_written,
    fill,
    is_icon,
    replaced,
)
from exporter.model import (
    Declaration,
    FaceStyle,
    Side,
)
from exporter.model.document_places import Spot
from exporter.model.forms import Findings
from exporter.model.template_values import named_fields, values_form

MARK = re.compile(r"\[([^\[\]\s]{1,20})\]")
"""A mark in a text, such as ``[bomb]``."""


def words_of_slots(declaration: Declaration | None, values: Mapping[str, Any]) -> frozenset[str]:
    """The fields that the slots of a template name."""
    if declaration is None:
        return frozenset()
    side: Side = values.get("side", "")
    return frozenset(word for _path, _take, word in named_fields(declaration.naming, values, side))


def taken(
    declaration: Declaration | None, values: Mapping[str, Any], named: Container[str] | None = None
) -> dict[str, Any]:
    """Of ``values`` those that a template takes, or that are ``named`` by its slots.

    A template that declares nothing gets all of them.
    """
    if declaration is None:
        return dict(values)
    takes, side = declaration.takes, values.get("side", "")
    if named is None:
        named = words_of_slots(declaration, values)
    found = {}
    for name, value in values.items():
        take = takes.get(name)
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
    """Whether a value is a number, for which an empty cell leaves what the style says."""
    take = style.declaration.takes.get(name) if style.declaration else None
    short = take.keys[take.short] if take and take.short else take
    return short is not None and short.sort in ("number", "measure")


def is_letter(mark: str) -> bool:
    """Whether a mark is a single letter, which any style draws in a circle."""
    return len(mark) == 1 and mark.isascii() and mark.isalpha()


def is_drawn(style: FaceStyle, mark: str) -> bool:
    """Whether the style's template draws something for ``[mark]``."""
    return is_letter(mark) or bool(style.declaration and mark in style.declaration.marks)


def words_for_marks(style: FaceStyle, marks: Mapping[str, str]) -> dict[str, str]:
    """The texts of ``marks`` for those that the style has no icon for, by ``[mark]``.

    A template that declares nothing may draw any of them.
    """
    if style.declaration is None:
        return {}
    own = style.declaration.marks
    return as_written(
        {
            mark: f"[={word}]" if is_icon(word) else word
            for mark, word in marks.items()
            if mark not in own
        }
    )


def icons_in(text: str, marks: Mapping[str, str]) -> tuple[str, ...]:
    """The files of the game's that a finished text shows as icons."""
    words = dict.fromkeys(word for word in marks.values() if is_icon(word))
    return tuple(word for word in words if f"[={word}]" in text)


def replaced_within(value: Any, words: Mapping[str, str]) -> Any:
    """A value with the texts of ``words`` in the place of their keys, at any depth."""
    if isinstance(value, str):
        return replaced(value, words)
    if isinstance(value, Mapping):
        return {key: replaced_within(inner, words) for key, inner in value.items()}
    if isinstance(value, Sequence):
        return [replaced_within(inner, words) for inner in value]
    return value


def filled(
    style: FaceStyle,
    values: Mapping[str, Any],
    names: Mapping[str, str],
    spot: Spot,
    within: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """Values with every ``${name}`` in their texts replaced, as the style's template takes them.

    ``spot`` is that of the thing whose ``values`` they are. Raises ``InvalidSource`` for unknown
    names, and for what the template does not take.
    """
    whole: dict[str, Any] = _filled(values, names, spot.place())
    if style.declaration is None or not _has_blanks(values):
        return whole
    findings = Findings()
    read = values_form(style.declaration.takes, within).read(whole, (), findings)
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


def _has_blanks(value: Any) -> bool:
    """Whether a text in a value is to be filled."""
    if isinstance(value, str):
        return "${" in value
    if isinstance(value, Mapping):
        return any(map(_has_blanks, value.values()))
    return isinstance(value, Sequence) and any(map(_has_blanks, value))


def _filled(value: Any, names: Mapping[str, str], where: SourceLocation) -> Any:
    if isinstance(value, str):
        return fill(value, names, where)
    if isinstance(value, Mapping):
        return {key: _filled(inner, names, where) for key, inner in value.items()}
    if isinstance(value, Sequence):
        return [_filled(inner, names, where) for inner in value]
    return value


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
