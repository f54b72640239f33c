"""Turn what typeset pages report into problems in the words of whoever wrote the row."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from exporter.core.messages import (
    ENGLISH,
    Sentence,
    sentence,
)
from exporter.core.problems import (
    Problem,
    SourceLocation,
    as_written,
    problem_at,
    some,
    warning_at,
)
from exporter.core.shipped_files import is_shipped
from exporter.faces.card_faces import Face, whole_file
from exporter.faces.face_texts import is_word
from exporter.faces.style_values import declared_in
from exporter.model.forms import Findings, FormFault, described
from exporter.model.styles import take_form
from exporter.render.own_pictures import Picture
from exporter.render.template_files import Style
from exporter.render.typesetter import (
    MORE_PAGES,
    Pages,
    TypstFault,
)

# How far the shape of a picture may be off a place that it is stretched to fill.
MOST_STRETCHED = 1.1

# How far it may be off a place that shows a part of it, or all of it with a margin.
MOST_CUT = 2.0

# How Typst begins to say that it knows no font of a name.
_NO_TYPEFACE = "unknown font family: "


def page_problems(
    faces: Sequence[Face], pages: Pages, pictures: Mapping[str, Picture], template: SourceLocation
) -> Iterator[tuple[Face, Problem]]:
    """Pair faces with overflow, characters without a glyph, and pictures of a wrong shape."""
    for finding in pages.report["overflow"]:
        yield faces[finding.face], _overflow(faces[finding.face], finding.what)
    for finding in pages.report["glyphs"]:
        yield faces[finding.face], _glyph(faces[finding.face], finding.what, template)
    for finding in pages.report["pictures"]:
        for problem in _shape(faces[finding.face], finding.what, pictures):
            yield faces[finding.face], problem


def _overflow(face: Face, what: Any) -> Problem:
    field = what.get("field", "") if isinstance(what, dict) else ""
    values = json.loads(face.values)
    text = values.get(field)
    key = "field-too-large" if field else "some-text-too-long"
    # What of its style makes or takes room; the size of a face every style has.
    size = f"{face.width:g} × {face.height:g} mm"
    given = {name: values[name] for name in ("art_height", "text_size") if values.get(name)}
    at = given.get("text_size")
    if isinstance(at, dict) and (at := at.get("at")):
        given["text_size"] = at
    helps = [
        sentence("overflow", name, found=as_written(one).removesuffix(".0"))
        for name, one in given.items()
    ]
    return problem_at(
        face.where,
        "FACE-OVERFLOW",
        "text-too-long" if isinstance(text, str) else key,
        field=field,
        count=len(text) if isinstance(text, str) else 0,
        template=face.template,
        even="" if at else sentence("overflow", "even"),
        is_card=face.name[:1] == ("cards",),
        helps=reduce(_either, (*helps, sentence("overflow", "size", found=size))),
    )


def _either(one: Sentence, other: Sentence) -> Sentence:
    return sentence("overflow", "either", one=one, other=other)


def merge_overflows(problems: Iterable[Problem]) -> list[Problem]:
    """Make one problem of the same text that is too long on many cards, at the first of them.

    What is reported of a card as it is without a deck is not reported again of it in a deck.
    """
    found: dict[object, list[Problem]] = defaultdict(list)
    of_cards_last = sorted(problems, key=lambda one: bool(dict(one.sentence.values).get("is_card")))
    for problem in {str(one): one for one in of_cards_last}.values():
        values = dict(problem.sentence.values)
        sheet = (problem.where.file, problem.where.cell.partition("!")[0])
        alike = (values.get("field"), values.get("template"), *sheet)
        of_cards = problem.rule == "FACE-OVERFLOW" and values.get("is_card")
        found[alike if of_cards else problem].append(problem)
    return [_merged(sorted(each)) if len(each) > 1 else each[0] for each in found.values()]


def _merged(each: Sequence[Problem]) -> Problem:
    cells = [one.where.cell.rpartition("!")[2] for one in each]
    rows: Sentence | str = some(cells, 4)
    if not all(cells):
        lines = some([str(one.where.line) for one in each], 4)
        rows = sentence("overflow", "lines", rows=lines)
    values = {**dict(each[0].sentence.values), "number": len(each), "rows": rows}
    text = sentence("FACE-OVERFLOW", "on-many-cards", **values)
    return replace(each[0], sentence=text, times=len(each))


def _glyph(face: Face, character: str, template: SourceLocation) -> Problem:
    found = f"{character!r} (U+{ord(character[0]):04X})"
    for field, value in json.loads(face.values).items():
        if character in json.dumps(value, ensure_ascii=False):
            key = "in-field" if is_word(character) else "sign-in-field"
            words: dict[str, Any] = {"found": found, "field": field, "character": character}
            return problem_at(face.where, "FACE-GLYPH", key, **words)
    return problem_at(template, "FACE-GLYPH", "in-template", found=found, template=face.template)


def _shape(face: Face, place: Any, pictures: Mapping[str, Picture]) -> Iterator[Problem]:
    name = place["picture"].lstrip("/")
    if name not in face.pictures or not min(place["width"], place["height"]) > 0:
        return
    if name in face.brought or whole_file(face):  # a player's own, or as it is: of any shape
        return
    width, height = pictures[name].size
    ratio, wanted = width / height, place["width"] / place["height"]
    limit = MOST_STRETCHED if place["fit"] == "stretch" else MOST_CUT
    if max(ratio / wanted, wanted / ratio) > limit:
        yield problem_at(
            face.where,
            "FACE-PICTURE",
            "picture-pixels-times",
            name=name,
            width=width,
            height=height,
            ratio=ratio,
            template=face.template,
            wanted=wanted,
            round=round(height * wanted),
        )


def warning_problems(warnings: Sequence[TypstFault]) -> list[Problem]:
    """List what Typst warns of, such as a font that is not shipped."""
    # A shipped template names the typeface that a look asks for.
    return [
        warning_at(
            SourceLocation() if _is_shipped(fault) else fault.where,
            "FACE-TEMPLATE",
            "warning",
            quote=_fault_sentence(fault),
        )
        for fault in warnings
    ]


def _is_shipped(fault: TypstFault) -> bool:
    return is_shipped(Path(fault.where.file))


def template_problems(
    failed: Sequence[tuple[Face, TypstFault]], tried: Mapping[str, int]
) -> Iterator[Problem]:
    """Yield problems of faces that could not be drawn.

    What fails for all faces of a template is the template's fault, unless it came with the program:
    then what these faces have in common is to blame.

    ``tried`` counts the faces of each template that were to be drawn.
    """
    faces: dict[tuple[str, TypstFault], list[Face]] = defaultdict(list)
    for face, fault in failed:
        faces[face.template, fault].append(face)
    for (template, fault), sufferers in faces.items():
        if len(sufferers) == tried[template] > 1:
            yield _all_fail(sufferers, fault) if _is_shipped(fault) else template_problem(fault)
            continue
        text = _fault_sentence(fault)
        for face in sufferers:
            yield problem_at(
                face.where,
                "FACE-TEMPLATE",
                "hinted-cannot-be-drawn" if text.both(ENGLISH)[1] else "cannot-be-drawn",
                quote=text,
                place=fault.where,
            )


def _all_fail(faces: Sequence[Face], fault: TypstFault) -> Problem:
    return problem_at(
        min(faces, key=lambda face: face.where).where,
        "FACE-TEMPLATE",
        "hinted-none-can-be-drawn" if fault.hint else "none-can-be-drawn",
        count=len(faces),
        quote=_fault_sentence(fault),
        place=fault.where,
    )


def template_problem(fault: TypstFault) -> Problem:
    """Make a problem of a template's fault that no values cause."""
    return problem_at(fault.where, "FACE-TEMPLATE", "cannot-be-used", quote=_fault_sentence(fault))


def _fault_sentence(fault: TypstFault) -> Sentence:
    """Say what is wrong with a template, in our words or those of Typst."""
    if fault.message.startswith(_NO_TYPEFACE):
        name = fault.message.removeprefix(_NO_TYPEFACE)
        return sentence("FACE-TEMPLATE", "no-typeface", name=name)
    if fault.message == MORE_PAGES:
        return sentence("FACE-TEMPLATE", MORE_PAGES)
    text = fault.message if fault.message.endswith((".", "!", "?")) else fault.message + "."
    key = "hinted" if fault.hint else "quote"
    return sentence("FACE-TEMPLATE", key, quote=text, help=fault.hint)


def refused_faces(faces: Iterable[Face], styles: Mapping[str, Style]) -> dict[Face, Problem]:
    """Find faces with a value that their template does not take, each with its first fault.

    Such a value is reported before it is drawn: large numbers make smears, or take all memory.
    """
    wanted = list(faces)
    used = {face.template for face in wanted} & styles.keys()
    paths = {template: styles[template].files[template] for template in used}
    declared, _told_when_read = declared_in(paths)
    problems: dict[Face, Problem] = {}
    for face in wanted:
        takes = declared[face.template].takes if face.template in declared else {}
        for name, value in json.loads(face.values).items() if takes else ():
            if name not in takes:
                continue
            findings = Findings()
            take_form(takes[name]).read(value, (name,), findings)
            faults = [fault for fault in findings.faults if fault.sort != "unknown"]
            if faults:
                problems.setdefault(face, _refusal(face, faults[0]))
    return problems


def _refusal(face: Face, fault: FormFault) -> Problem:
    plain = isinstance(fault.found, str | int | float)
    return problem_at(
        face.where,
        "FACE-VALUE",
        "found-takes",
        name=".".join(map(str, fault.path)),
        found=repr(fault.found) if plain else described(fault.found),
        template=face.template,
        allowed=fault.allowed,
    )
