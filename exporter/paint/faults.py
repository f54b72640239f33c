"""What the typeset pages report, as problems in the words of whoever wrote the row."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from exporter.faces import Face
from exporter.paint import checks, own
from exporter.paint.typesetting import Fault, Pages
from exporter.places import shipped
from exporter.problems import Problem, Severity, Where, told

MOST_STRETCHED = 1.1
"""How far the shape of a picture may be off a place that it is stretched to fill."""

MOST_CUT = 2.0
"""How far it may be off a place that shows a part of it, or all of it with a margin."""


def page_problems(
    faces: Sequence[Face], pages: Pages, pictures: Mapping[str, bytes], template: Where
) -> list[tuple[Face, Problem]]:
    """Overflow, characters without a glyph, and pictures of a wrong shape, by the face."""
    found = []
    for finding in pages.overflow:
        face = faces[finding.face]
        found.append((face, _overflow(face, finding.what)))
    for finding in pages.glyphs:
        face = faces[finding.face]
        found.append((face, _glyph(face, finding.what, template)))
    for finding in pages.pictures:
        face = faces[finding.face]
        found += [(face, problem) for problem in _shape(face, finding.what, pictures)]
    return found


def _overflow(face: Face, what: Any) -> Problem:
    field = what.get("field", "") if isinstance(what, dict) else ""
    text = json.loads(face.values).get(field)
    subject = f"{field} ({len(text)} characters)" if isinstance(text, str) else field or "A text"
    message = f"{subject} does not fit its place on {face.template}, even at the smallest size."
    return Problem(face.where, checks.OVERFLOW, message, "Shorten it, or enlarge its slot.")


def _glyph(face: Face, character: str, template: Where) -> Problem:
    found = f"{character!r} (U+{ord(character[0]):04X})"
    fault = "is in none of the fonts and would show as an empty box."
    for field, value in json.loads(face.values).items():
        if character in json.dumps(value, ensure_ascii=False):
            message = f"The character {found} in {field} {fault}"
            hint = "Write another character, or a mark in brackets that the template draws."
            return Problem(face.where, checks.GLYPH, message, hint)
    message = f"The character {found}, which {face.template} itself writes, {fault}"
    return Problem(template, checks.GLYPH, message, "Draw it, or write another character.")


def _shape(face: Face, place: Any, pictures: Mapping[str, bytes]) -> Iterator[Problem]:
    name = place["picture"].lstrip("/")
    if name not in face.pictures or not min(place["width"], place["height"]) > 0:
        return
    width, height = own.pixel_size(pictures[name])
    ratio, wanted = width / height, place["width"] / place["height"]
    limit = MOST_STRETCHED if place["fit"] == "stretch" else MOST_CUT
    if max(ratio / wanted, wanted / ratio) > limit:
        message = (
            f"The picture {name} has {width} × {height} pixels, {ratio:.2f} times as wide as high;"
            f" its place on {face.template} is {wanted:.2f} times as wide as high."
        )
        hint = f"Crop it, for instance to {round(height * wanted)} × {height} pixels."
        yield Problem(face.where, checks.PICTURE, message, hint)


def warning_problems(warnings: Sequence[Fault]) -> list[Problem]:
    """What Typst warns of, such as a font that is not shipped."""
    return [
        Problem(fault.where, checks.TEMPLATE, _sentence(fault), fault.hint, Severity.WARNING)
        for fault in warnings
    ]


def template_problems(
    failed: Sequence[tuple[Face, Fault]], tried: Mapping[str, int]
) -> Iterator[Problem]:
    """Faces that could not be drawn. What fails for every face of a template is the template's,
    unless it came with the program: then what these faces have in common is to blame.

    ``tried`` counts the faces of each template that were to be drawn.
    """
    faces: dict[tuple[str, Fault], list[Face]] = defaultdict(list)
    for face, fault in failed:
        faces[face.template, fault].append(face)
    for (template, fault), sufferers in faces.items():
        if len(sufferers) == tried[template] > 1:
            shared = Path(fault.where.file).is_relative_to(shipped("templates"))
            yield _all_fail(sufferers, fault) if shared else template_problem(fault)
            continue
        for face in sufferers:
            message = f"The face cannot be drawn: {_sentence(fault)} ({fault.where})"
            hint = fault.hint or "Mend this row, or the template at that place."
            yield Problem(face.where, checks.TEMPLATE, message, hint)


def _all_fail(faces: Sequence[Face], fault: Fault) -> Problem:
    first = min(faces, key=lambda face: face.where)
    sentence = "None of {count} faces can be drawn, this one among them: {reason} ({place})"
    hint = "Look at the values that are given here, and at those of the style in game.yaml."
    return told(
        first.where,
        checks.TEMPLATE,
        sentence,
        fault.hint or hint,
        count=len(faces),
        reason=_sentence(fault),
        place=fault.where,
    )


def template_problem(fault: Fault) -> Problem:
    """A fault of a template whatever the values."""
    message = f"The template cannot be used: {_sentence(fault)}"
    return Problem(fault.where, checks.TEMPLATE, message, fault.hint)


def _sentence(fault: Fault) -> str:
    return fault.message if fault.message.endswith((".", "!", "?")) else fault.message + "."
