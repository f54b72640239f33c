"""Set faces together where that goes, otherwise one by one, and say what stands against some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, Protocol, TypeVar

from msgspec import Struct, field

from exporter.core.problems import Problem
from exporter.faces.card_faces import Face
from exporter.render.compiler import AnyCompiler
from exporter.render.own_pictures import pixel_count
from exporter.render.typeset_faults import (
    template_problem,
    template_problems,
)
from exporter.render.typesetter import (
    Pages,
    TemplateFault,
    TypstFault,
)

CHUNK = 64
"""Faces set at once: with fewer Typst starts anew too often, more fill the memory."""

_OWN_PIXELS = 8_000_000
"""Of pictures that faces show which are set at once: each takes some ten bytes meanwhile."""


def alike(faces: Iterable[Face]) -> Iterable[list[Face]]:
    """Group faces that can be pages of one document."""
    groups: dict[object, list[Face]] = defaultdict(list)
    for face in faces:
        look = (face.template, face.width, face.height, face.scale, bool(face.pictures))
        groups[look].append(face)
    return groups.values()


class _ShowsPictures(Protocol):
    @property
    def pictures(self) -> tuple[str, ...]: ...


_Part = TypeVar("_Part", bound=_ShowsPictures)


def parts(
    faces: Iterable[_Part], pictures: Mapping[str, bytes], most: int
) -> Iterator[list[_Part]]:
    """Split faces, or pages, in their order: ``most`` at once, no more than pictures allow."""
    part: list[_Part] = []
    shown: dict[str, int] = {}
    for face in faces:
        pixels = {name: pixel_count(pictures[name]) for name in face.pictures}
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
    form: Literal["png", "pdf"] = "png"
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
