"""Faces set together where that goes, otherwise one by one; and what then stands against some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from exporter.core.problems import Problem
from exporter.faces.card_faces import Face
from exporter.render.compiler import AnyCompiler
from exporter.render.typeset_faults import (
    template_problem,
    template_problems,
)
from exporter.render.typesetter import (
    Pages,
    TemplateFault,
    TypstFault,
)


class TrialSetting(Struct):
    """What a open_compiler has refused so far.

    ``failed`` are faces that cannot be set even alone; ``unusable`` is what is wrong with each
    template that a fault was met with: nothing, or what no face is needed for.
    """

    compiler: AnyCompiler
    form: Literal["png", "pdf"] = "png"
    failed: list[tuple[Face, TypstFault]] = field(default_factory=list)
    unusable: dict[str, tuple[TypstFault, ...]] = field(default_factory=dict)

    def pages(self, faces: Sequence[Face], unknown: str) -> Iterator[tuple[Sequence[Face], Pages]]:
        """The pages of faces of one look; where they cannot be set together, of those that can."""
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
        """What is wrong with a template before it is given any values."""
        try:
            self.compiler.set_pages(template, [])
        except TemplateFault as error:
            return error.faults
        return ()

    def problems(self, tried: Mapping[str, int]) -> list[Problem]:
        """All that was refused; ``tried`` counts the faces of each template."""
        always = [template_problem(fault) for found in self.unusable.values() for fault in found]
        return [*always, *template_problems(self.failed, tried)]
