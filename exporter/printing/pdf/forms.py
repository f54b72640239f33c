"""Faces as PDF form objects: each distinct face once, however often a sheet places it.

Typst sets many faces of a template as the pages of one document; each page becomes a form object
of the sheet's own file. What Typst or the shelf of fonts objects to becomes problems, as it does
for the pictures of a room.
"""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from exporter.faces import Face
from exporter.paint.cache import Cache
from exporter.paint.faults import (
    page_problems,
    template_problem,
    template_problems,
    warning_problems,
)
from exporter.paint.glyphs import covered, uncovered
from exporter.paint.own import check_picture, read_picture
from exporter.paint.templates import Templates, digest, find_styles
from exporter.paint.typesetting import Fault, Pages, Press, TemplateFault, press
from exporter.problems import InvalidSource, Problem, Where, errors

if TYPE_CHECKING:
    from pikepdf import Pdf

Forms: TypeAlias = Mapping[Face, Any]
"""The form object of each face, in the file that was given."""

CHUNK = 100
"""Faces set at once: each chunk brings its own subsets of the fonts, and takes its own memory."""


@dataclass(frozen=True)
class Sources:
    """Where faces come from: folders of face templates, the game's folder, the cache."""

    templates: Sequence[Path]
    pictures_root: Path | None
    cache: Path | None


def _pictures(
    faces: Sequence[Face], root: Path | None
) -> tuple[dict[str, bytes], list[Problem], set[str]]:
    """The game's own pictures, what is wrong with some, and the names of those."""
    found: dict[str, bytes] = {}
    problems: list[Problem] = []
    bad: set[str] = set()
    for name, where in {name: face.where for face in faces for name in face.pictures}.items():
        data = read_picture(root, name, where)
        faults = [data] if isinstance(data, Problem) else list(check_picture(data, root, name))
        if faults:
            problems += faults
            bad.add(name)
        if isinstance(data, bytes):
            found[name] = data
    return found, problems, bad


def _chunks(faces: Iterable[Face]) -> Iterator[list[Face]]:
    alike: dict[object, list[Face]] = defaultdict(list)
    for face in faces:
        alike[face.template, face.width, face.height, bool(face.pictures)].append(face)
    for group in alike.values():
        for start in range(0, len(group), CHUNK):
            yield group[start : start + CHUNK]


def _set(
    ready: Press, faces: Sequence[Face], unknown: str, failed: list[tuple[Face, Fault]]
) -> Iterator[tuple[Sequence[Face], Pages]]:
    """The faces' pages; where they cannot be set together, those of each that can be alone."""
    try:
        yield faces, ready.set_pages(faces[0].template, faces, unknown=unknown, form="pdf")
    except TemplateFault as error:
        if len(faces) > 1:
            for face in faces:
                yield from _set(ready, [face], unknown, failed)
        else:
            failed += [(faces[0], fault) for fault in error.faults]


def face_forms(
    pdf: Pdf, faces: Iterable[Face], sources: Sources
) -> tuple[dict[Face, Any], tuple[Problem, ...]]:
    """A form object in ``pdf`` for every distinct face, and warnings.

    Raises ``InvalidSource`` with every fault of every face.
    """
    wanted = list(dict.fromkeys(faces))
    if not wanted:
        return {}, ()
    shelf = Templates(tuple(sources.templates))
    styles, problems = find_styles(shelf, wanted)
    pictures, unread, bad = _pictures(wanted, sources.pictures_root)
    problems += unread
    fonts = shelf.fonts()
    known = covered(tuple(fonts.values()), digest(fonts), Cache(sources.cache))
    sound = [f for f in wanted if f.template in styles and not bad & set(f.pictures)]
    files = {name: path for style in styles.values() for name, path in style.files.items()}
    tried = Counter(face.template for face in sound)
    failed: list[tuple[Face, Fault]] = []
    forms: dict[Face, Any] = {}
    with press(files, pictures, tuple(fonts.values())) as ready:
        broken: dict[str, tuple[Fault, ...]] = {}
        for template in tried:
            try:
                ready.set_pages(template, [])
            except TemplateFault as error:
                broken[template] = error.faults
        problems += [template_problem(fault) for found in broken.values() for fault in found]
        for chunk in _chunks(face for face in sound if face.template not in broken):
            unknown = uncovered((face.values for face in chunk), known)
            for some, pages in _set(ready, chunk, unknown, failed):
                where = Where(str(files[some[0].template]))
                problems += [problem for _, problem in page_problems(some, pages, pictures, where)]
                problems += warning_problems(pages.warnings)
                for face, form in zip(some, _forms(pdf, pages.files[0]), strict=False):
                    forms[face] = form
    problems += template_problems(failed, tried)
    if errors(problems):
        raise InvalidSource(problems)
    return forms, tuple(sorted(set(problems)))


def _forms(pdf: Pdf, data: bytes) -> list[Any]:
    """The pages of a document as form objects of another; what they share stays shared."""
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as source:
        return [pdf.copy_foreign(page.as_form_xobject()) for page in source.pages]
