"""Faces as PDF form objects: each distinct face once, however often a sheet places it.

Typst sets the faces of a sheet, and what is drawn over them, as the pages of one document; each
page becomes a form object of the sheet's own file. What Typst or the shelf of fonts objects to
becomes problems, as it does for the pictures of a room.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from exporter.cache import Cache
from exporter.faces import Face
from exporter.paint.batches import alike
from exporter.paint.faults import page_problems, template_problem, warning_problems
from exporter.paint.glyphs import covered, uncovered
from exporter.paint.own import read_pictures, with_good_pictures
from exporter.paint.press import AnyPress, Limits, press
from exporter.paint.templates import Templates, find_styles, lasting_digest
from exporter.paint.trial import Trial
from exporter.paint.typesetting import TemplateFault
from exporter.paint.values import refused
from exporter.printing.paper import LEAST_LABEL, Page
from exporter.printing.pdf.texts import sheet_template
from exporter.problems import Faults, InvalidSource, Problem, Where, errors

if TYPE_CHECKING:
    from pikepdf import Pdf

Forms: TypeAlias = Mapping[Face, Any]
"""The form object of each face, in one file."""

POINTS = 72 / 25.4
"""Points in a millimetre."""

TOGETHER = "together.typ"
"""The template that sets faces of all templates."""

MARKS = "sheets/marks.typ"
"""The template of what is drawn over the faces of a page."""

MARGIN = Where("margin of a sheet")
"""Where a fault of the small print stands: its words come from several files."""

MOST = 250
"""Faces set at once: they share their fonts and pictures, and take up to half a megabyte each."""


class Sources(Struct, frozen=True):
    """Where faces come from: folders of face templates, the game's folder, the cache.

    ``sheets`` is the folder whose ``sheets/marks.typ`` draws lines and small print.
    """

    templates: Sequence[Path]
    pictures_root: Path | None
    cache: Path | None
    sheets: Path | None = None
    limits: Limits = Limits()


def marks(page: Page) -> list[Face]:
    """Small print and lines of a page, as faces as large as it; many pages share their lines."""
    small_print = {"labels": page.labels, "least": LEAST_LABEL, "lines": (), "rings": ()}
    drawn = {"labels": (), "lines": page.lines, "rings": page.rings}
    return [
        Face(MARKS, json.dumps(values, ensure_ascii=False), page.width, page.height, 1, (), MARGIN)
        for values in (small_print, drawn)
        if any(values[what] for what in ("labels", "lines", "rings"))
    ]


def _reasons(
    ready: AnyPress, faces: Sequence[Face], pictures: Mapping[str, bytes], unknown: str
) -> Iterator[Problem]:
    """What is wrong with faces, each set by its own template, which Typst can then name."""
    trial = Trial(ready, "pdf")
    for group in alike(faces):
        for some, pages in trial.pages(group, unknown):
            where = Where(str(ready.files[some[0].template]))
            yield from (problem for _, problem in page_problems(some, pages, pictures, where))
            yield from warning_problems(pages.warnings)
    yield from trial.problems(Counter(face.template for face in faces))


def _together(
    ready: AnyPress, faces: Sequence[Face], pictures: Mapping[str, bytes], unknown: str
) -> tuple[bytes, list[Problem]]:
    """A PDF with a page for each face, and what is wrong with some."""
    sheet = max(face.width for face in faces), max(face.height for face in faces)
    wrapped = [
        Face(TOGETHER, _wrapped(face), *sheet, 1, face.pictures, face.where) for face in faces
    ]
    try:
        pages = ready.set_pages(TOGETHER, wrapped, unknown=unknown, form="pdf")
    except TemplateFault as error:
        reasons = list(_reasons(ready, faces, pictures, unknown))
        return b"", reasons or [template_problem(fault) for fault in error.faults]
    if pages.warnings or page_problems(faces, pages, pictures, Where()):
        return pages.files[0], list(_reasons(ready, faces, pictures, unknown))
    return pages.files[0], []


def _wrapped(face: Face) -> str:
    values = f'"width":{face.width},"height":{face.height},"values":{face.values}'
    return f'{{"template":{json.dumps("/" + face.template)},{values}}}'


def face_forms(
    faces: Iterable[Face], sources: Sources
) -> tuple[Pdf, dict[Face, Any], tuple[Problem, ...]]:
    """A file without pages that holds a form object for every distinct face, and warnings.

    Raises ``InvalidSource`` with every fault of every face.
    """
    import pikepdf

    wanted = list(dict.fromkeys(faces))
    shelf = Templates(tuple(sources.templates))
    styles, problems = find_styles(shelf, (face for face in wanted if face.template != MARKS))
    pictures, unread = read_pictures(wanted, sources.pictures_root)
    wrong = refused(wanted, styles)
    readable = [
        face for face in wanted if pictures.keys() >= set(face.pictures) and face not in wrong
    ]
    drawable, broken = with_good_pictures(readable, pictures, sources.pictures_root)
    problems += [*unread, *wrong.values(), *broken]
    fonts = shelf.fonts()
    kept = Cache(sources.cache)
    known = covered(tuple(fonts.values()), lasting_digest(fonts, kept), kept)
    files = dict(shelf.style("").files)
    files |= {name: path for style in styles.values() for name, path in style.files.items()}
    files[TOGETHER] = Path(__file__).with_name(TOGETHER)
    if sources.sheets is not None:
        files[MARKS] = sheet_template(sources.sheets, "marks")
    sound = [face for face in drawable if face.template in files]
    # What is set in one part has its pictures once: those that show the same ones come together.
    sound.sort(key=lambda face: face.pictures)
    forms: dict[Face, Any] = {}
    pdf: Pdf | None = None
    faults = Faults()
    shown = tuple(fonts.values())
    with faults.gathered(), press(files, pictures, shown, sources.limits) as ready:
        for start in range(0, len(sound), MOST):
            some = sound[start : start + MOST]
            unknown = uncovered((face.values for face in some), known)
            data, found = _together(ready, some, pictures, unknown)
            problems += found
            if data:
                part = pikepdf.open(io.BytesIO(data))
                made = _forms(part, some)
                if pdf is None:
                    pdf = part
                else:
                    made = [pdf.copy_foreign(form) for form in made]
                forms |= zip(some, made, strict=True)
    problems += faults.problems
    if errors(problems):
        raise InvalidSource(problems)
    return pdf or pikepdf.new(), forms, tuple(sorted(set(problems)))


def _forms(pdf: Pdf, faces: Sequence[Face]) -> list[Any]:
    """The pages of what Typst has set, made into form objects where they are; nothing else stays.

    A page's contents are taken as they are: neither unpacked nor packed again.
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
