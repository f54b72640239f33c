"""Set faces as PDF form objects: each distinct face once, however often a sheet places it.

Typst sets the faces of a sheet, and its lines and small print, as the pages of a document; each
page becomes a form object of the sheet's file. Errors of Typst and missing characters become
problems, as for the pictures of a room.
"""

from __future__ import annotations

import io
import json
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from exporter.core.problems import (
    MARGIN,
    Faults,
    InvalidSource,
    Problem,
    errors,
)
from exporter.faces.card_faces import Face
from exporter.printing.pdf.pdf_contents import POINTS
from exporter.printing.pdf.pdf_images import (
    pack_photographs,
    share_images,
)
from exporter.printing.pdf.text_pages import sheet_template
from exporter.printing.sheet_pages import (
    LEAST_LABEL,
    Page,
)
from exporter.render.batches import parts
from exporter.render.compiler import open_compiler
from exporter.render.glyphs import uncovered
from exporter.render.pdf_batches import (
    FILES,
    set_together,
)
from exporter.render.render_jobs import (
    RenderJob,
    find_render_jobs,
    set_with_sizes,
)

if TYPE_CHECKING:
    from pikepdf import Pdf

Forms: TypeAlias = Mapping[Face, Any]
"""The form object of each face; all belong to one file."""

MARKS = "sheets/marks.typ"
"""The template of lines and small print, which are drawn above a page's faces."""

MOST = 250
"""Faces in one document: they share fonts and pictures and take up to 0.5 MB of memory each."""


class Sources(Struct, frozen=True):
    """Folders of face templates, the game's folder, and the cache.

    ``sheets`` is the folder whose ``sheets/marks.typ`` draws lines and small print.
    """

    templates: Sequence[Path]
    pictures_root: Path | None
    cache: Path | None
    sheets: Path | None = None


def margin_templates(sheets: Path | None) -> dict[str, Path]:
    """Return the path of the template ``MARKS`` by its name; empty without ``sheets``."""
    return {} if sheets is None else {MARKS: sheet_template(sheets, "marks")}


def marks(page: Page) -> list[Face]:
    """Return a page's lines and small print as faces of the page's size; pages may share lines."""
    small_print = {"labels": page.labels, "least": LEAST_LABEL, "lines": (), "rings": ()}
    drawn = {"labels": (), "lines": page.lines, "rings": page.rings}
    return [
        Face(MARKS, json.dumps(values, ensure_ascii=False), page.width, page.height, 1, (), MARGIN)
        for values in (small_print, drawn)
        if any(values[what] for what in ("labels", "lines", "rings"))
    ]


def face_forms(
    faces: Collection[Face], sources: Sources
) -> tuple[Pdf, dict[Face, Any], tuple[Problem, ...]]:
    """Return a file without pages, a form object in it for every distinct face, and warnings.

    Raises ``InvalidSource`` with every problem of every face.
    """
    import pikepdf

    find = partial(
        find_render_jobs,
        faces,
        sources.templates,
        sources.pictures_root,
        sources.cache,
        margin_templates(sources.sheets),
    )
    job, done, notices = set_with_sizes(find, _set)
    forms = dict(done.forms) | {face: done.forms[own] for face, own in job.sized.items()}
    return done.pdf or pikepdf.new(), forms, tuple(sorted({*done.problems, *notices}))


class _Set(Struct, frozen=True):
    """A file, its form objects, problems, and the faces whose texts have confirmed sizes."""

    pdf: Any
    forms: Mapping[Face, Any]
    problems: list[Problem]
    confirmed: frozenset[Face]


def _set(wanted: RenderJob) -> _Set:
    """Set faces in one file. Raises ``InvalidSource`` with every problem of every face."""
    import pikepdf

    drawable, found_wrong = wanted.split(wanted.sound)
    problems = [*wanted.problems, *found_wrong]
    # A document contains each picture once, so faces with equal pictures go into the same one.
    drawable.sort(key=lambda face: face.pictures)
    forms: dict[Face, Any] = {}
    images: dict[bytes, Any] = {}
    pdf: Pdf | None = None
    sure: set[Face] = set()
    faults = Faults()
    files = wanted.files | FILES
    with (
        faults.gathered(),
        open_compiler(files, wanted.pictures, wanted.fonts) as ready,
    ):
        for some in parts(drawable, wanted.pictures, MOST):
            unknown = uncovered((face.values for face in some), wanted.covered)
            found = set_together(ready, some, wanted.pictures, unknown)
            problems += found.problems
            sure |= found.sure
            if found.pdf:
                part = pikepdf.open(io.BytesIO(found.pdf))
                shows_pictures = any(face.pictures for face in some)
                if shows_pictures:
                    pack_photographs(part)
                made = _forms(part, some)
                if pdf is None:
                    pdf = part
                else:
                    made = [pdf.copy_foreign(form) for form in made]
                for form in made if shows_pictures else ():
                    share_images(form, images)
                forms |= zip(some, made, strict=True)
    problems += faults.problems
    if errors(problems):
        raise InvalidSource(problems)
    return _Set(pdf, forms, problems, frozenset(sure))


def _forms(pdf: Pdf, faces: Sequence[Face]) -> list[Any]:
    """Convert the pages of Typst's document to form objects and remove everything else.

    The compressed contents of a page are kept as they are.
    """
    import pikepdf

    forms = []
    for face, page in zip(faces, pdf.pages, strict=True):
        form = page.obj.Contents
        form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        form.BBox = [0, 0, round(face.width * POINTS, 5), round(face.height * POINTS, 5)]
        form.Resources = page.obj.Resources
        if "/Group" in page.obj:
            form.Group = page.obj.Group
        forms.append(form)
    del pdf.pages[:]
    del pdf.docinfo
    for key in ("/Metadata", "/Outlines"):
        if key in pdf.Root:
            del pdf.Root[key]
    return forms
