"""Faces of any template and size set together as a PDF: they share their fonts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.faces.card_faces import Face
from exporter.render.batches import (
    TrialSetting,
    alike,
)
from exporter.render.compiler import AnyCompiler
from exporter.render.typeset_faults import (
    page_problems,
    template_problem,
    warning_problems,
)
from exporter.render.typesetter import TemplateFault

TOGETHER = "engine-together.typ"
"""The template that sets faces of all templates."""

FILES = {TOGETHER: Path(__file__).with_name(TOGETHER)}
"""The files that a compiler needs for it."""


class Together(Struct, frozen=True):
    """A PDF with a page for each face, and what is wrong with some; which faces have texts whose
    size is ``sure``, as ``exporter.render.text_sizes`` asks."""

    pdf: bytes
    problems: list[Problem]
    sure: frozenset[Face] = frozenset()


def set_together(
    ready: AnyCompiler, faces: Sequence[Face], pictures: Mapping[str, bytes], unknown: str
) -> Together:
    """Faces of any template, a page for each."""
    sheet = max(face.width for face in faces), max(face.height for face in faces)
    wrapped = [
        Face(face.template, _wrapped(face), *sheet, 1, face.pictures, face.where) for face in faces
    ]
    try:
        pages = ready.set_pages(TOGETHER, wrapped, unknown=unknown, form="pdf")
    except TemplateFault as error:
        reasons = list(_reasons(ready, faces, pictures, unknown))
        return Together(b"", reasons or [template_problem(fault) for fault in error.faults])
    unsure = {finding.face for finding in pages.unsure}
    sure = frozenset(face for number, face in enumerate(faces) if number not in unsure)
    if pages.warnings or page_problems(faces, pages, pictures, SourceLocation()):
        return Together(pages.files[0], list(_reasons(ready, faces, pictures, unknown)), sure)
    return Together(pages.files[0], [], sure)


def _reasons(
    ready: AnyCompiler, faces: Sequence[Face], pictures: Mapping[str, bytes], unknown: str
) -> Iterator[Problem]:
    """What is wrong with faces, each set by its own template, which Typst can then name."""
    trial = TrialSetting(ready, "pdf")
    for group in alike(faces):
        for some, pages in trial.pages(group, unknown):
            where = SourceLocation(str(ready.files[some[0].template]))
            yield from (problem for _, problem in page_problems(some, pages, pictures, where))
            yield from warning_problems(pages.warnings)
    yield from trial.problems(Counter(face.template for face in faces))


def _wrapped(face: Face) -> str:
    values = f'"width":{face.width},"height":{face.height},"values":{face.values}'
    return f'{{"template":{json.dumps("/" + face.template)},{values}}}'
