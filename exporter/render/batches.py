"""Set faces together where that goes, otherwise one by one, and say what stands against some."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct, field
from msgspec.structs import asdict

from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.faces.card_faces import Face
from exporter.render.own_pictures import Picture
from exporter.render.typeset_faults import (
    page_problems,
    template_problem,
    template_problems,
    warning_problems,
)
from exporter.render.typesetter import (
    AnyCompiler,
    Form,
    Pages,
    TemplateFault,
    TypstFault,
)

# Faces set at once: with fewer Typst starts anew too often, more fill the memory.
CHUNK = 64

# The template that sets pages of faces of all templates.
SHEET = "engine-sheet.typ"

# The files that a compiler needs for it.
FILES = {SHEET: Path(__file__).with_name(SHEET)}

# Of pictures that faces show which are set at once: each takes some ten bytes meanwhile.
_OWN_PIXELS = 8_000_000


def alike(faces: Iterable[Face]) -> Iterable[list[Face]]:
    """Group faces that can be pages of one document."""
    groups: dict[object, list[Face]] = defaultdict(list)
    for face in faces:
        look = (face.template, face.width, face.height, face.scale, bool(face.pictures))
        groups[look].append(face)
    return groups.values()


_Part = TypeVar("_Part", "Face", "FacePage")


def parts(
    faces: Iterable[_Part], pictures: Mapping[str, Picture], most: int
) -> Iterator[list[_Part]]:
    """Split faces, or pages, in their order: ``most`` at once, no more than pictures allow."""
    part: list[_Part] = []
    shown: dict[str, int] = {}
    for face in faces:
        pixels = {name: pictures[name].pixels for name in face.pictures}
        if part and (len(part) == most or sum((shown | pixels).values()) > _OWN_PIXELS):
            yield part
            part, shown = [], {}
        part.append(face)
        shown |= pixels
    if part:
        yield part


class TrialSetting(Struct):
    """Set faces of one look together, and collect what could not be set.

    ``failed`` are faces that cannot be set even alone; ``unusable`` is what is wrong with each
    template that a fault was met with: nothing, or what no face is needed for.
    """

    compiler: AnyCompiler
    form: Form = "png"
    failed: list[tuple[Face, TypstFault]] = field(default_factory=list)
    unusable: dict[str, tuple[TypstFault, ...]] = field(default_factory=dict)

    def pages(self, faces: Sequence[Face], unknown: str) -> Iterator[tuple[Sequence[Face], Pages]]:
        """Set faces of one look as pages: all together, or else those that can be set alone."""
        template = faces[0].template
        if self.unusable.get(template):
            return
        try:
            yield (
                faces,
                self.compiler.set_pages(template, faces, unknown=unknown, form=self.form),
            )
        except TemplateFault as error:
            if template not in self.unusable:
                self.unusable[template] = self._faults(template)
            if len(faces) > 1:
                for face in faces:
                    yield from self.pages([face], unknown)
            elif not self.unusable[template]:
                self.failed += [(faces[0], fault) for fault in error.faults]

    def _faults(self, template: str) -> tuple[TypstFault, ...]:
        """Find what is wrong with a template before it is given any values."""
        try:
            self.compiler.set_pages(template, [])
        except TemplateFault as error:
            return error.faults
        return ()

    def problems(self, tried: Mapping[str, int]) -> list[Problem]:
        """List all that could not be set; ``tried`` counts the faces of each template."""
        always = [template_problem(fault) for found in self.unusable.values() for fault in found]
        return [*always, *template_problems(self.failed, tried)]


class PlacedFace(Struct, frozen=True):
    """A face on a page: its upper left corner in mm, and how it is stretched, then turned there.

    ``turn`` is in degrees clockwise; ``clip`` is left, top, width and height in mm; ``bare`` leaves
    out the face's texts.
    """

    face: Face
    x: float = 0
    y: float = 0
    across: float = 1
    down: float = 1
    turn: int = 0
    clip: tuple[float, float, float, float] | None = None
    bare: bool = False


class FacePage(Struct, frozen=True):
    """A page of ``width`` and ``height`` mm with its faces, bottom layer first."""

    width: float
    height: float
    placed: tuple[PlacedFace, ...]

    @property
    def faces(self) -> tuple[Face, ...]:
        """Return the distinct faces, in order of appearance."""
        return tuple(dict.fromkeys(each.face for each in self.placed))

    @property
    def pictures(self) -> tuple[str, ...]:
        """Return the pictures that the page's faces show."""
        return tuple(dict.fromkeys(name for face in self.faces for name in face.pictures))


def set_face_pages(
    ready: AnyCompiler,
    pages: Sequence[FacePage],
    pictures: Mapping[str, Picture],
    unknown: str,
    *,
    form: Form = "pdf",
) -> tuple[bytes, list[Problem]]:
    """Set pages of faces of any template: all as large as the largest, each at the lower left.

    Returns a PDF, and what is wrong with some faces.
    """
    sheet = max(page.width for page in pages), max(page.height for page in pages)
    wrapped = [Face(SHEET, _values(page), *sheet, 1, page.pictures) for page in pages]
    faces = tuple(dict.fromkeys(face for page in pages for face in page.faces))
    try:
        done = ready.set_pages(SHEET, wrapped, unknown=unknown, form=form)
    except TemplateFault as error:
        reasons = list(_reasons(ready, faces, pictures, unknown))
        return b"", reasons or [template_problem(fault) for fault in error.faults]
    if done.warnings or any(page_problems(wrapped, done, pictures, SourceLocation())):
        return done.files[0], list(_reasons(ready, faces, pictures, unknown))
    return done.files[0], []


def _reasons(
    ready: AnyCompiler, faces: Sequence[Face], pictures: Mapping[str, Picture], unknown: str
) -> Iterator[Problem]:
    """What is wrong with faces, each set by its own template, which Typst can then name."""
    trial = TrialSetting(ready, "pdf")
    for group in alike(faces):
        for some, pages in trial.pages(group, unknown):
            where = SourceLocation(str(ready.files[some[0].template]))
            yield from (problem for _, problem in page_problems(some, pages, pictures, where))
            yield from warning_problems(pages.warnings)
    yield from trial.problems(Counter(face.template for face in faces))


def _values(page: FacePage) -> str:
    """Return the page's values for its template; those of faces are JSON already."""
    numbers = {face: number for number, face in enumerate(page.faces)}
    faces = ",".join(
        f'{{"template":{json.dumps("/" + face.template)},"width":{face.width},'
        f'"height":{face.height},"values":{face.values}}}'
        for face in numbers
    )
    placed = json.dumps([asdict(each) | {"face": numbers[each.face]} for each in page.placed])
    size = f'"width":{page.width},"height":{page.height}'
    return f'{{{size},"faces":[{faces}],"placed":{placed}}}'
