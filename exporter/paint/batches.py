"""Many new faces drawn in chunks: Typst sets one chunk while Pillow makes the last one small."""

from __future__ import annotations

import os
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from exporter.faces import Face
from exporter.paint.faults import (
    page_problems,
    template_problem,
    template_problems,
    warning_problems,
)
from exporter.paint.glyphs import uncovered
from exporter.paint.pixels import load_encoder, pixel_size, smallest
from exporter.paint.templates import Style
from exporter.paint.typesetting import Fault, Pages, Press, TemplateFault, press
from exporter.problems import Problem, Where
from exporter.tabletop import ImageFile

if TYPE_CHECKING:
    from concurrent.futures import Future

CHUNK = 64
"""Faces set at once: with fewer Typst starts anew too often, more fill the memory."""

_CHUNK_PIXELS = CHUNK * 400 * 560


class Materials(Struct, frozen=True):
    """What faces are drawn from, besides their values."""

    styles: Mapping[str, Style]
    fonts: Sequence[Path]
    covered: frozenset[int]
    pictures: Mapping[str, bytes]


class Batch(Struct):
    """Some pictures, and what was wrong with others; ``lasting`` ones may be kept in a cache."""

    images: dict[Face, ImageFile] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    lasting: bool = True


def draw(faces: Sequence[Face], materials: Materials) -> Iterator[Batch]:
    """Pictures of all faces, a batch for each chunk; a face with a fault is in no batch.

    Raises ``InvalidSource`` where the system has no room for temporary files.
    """
    from concurrent.futures import ThreadPoolExecutor

    tried = Counter(face.template for face in faces)
    styles = [materials.styles[template] for template in tried]
    files = {name: path for style in styles for name, path in style.files.items()}
    shown = {name: materials.pictures[name] for face in faces for name in face.pictures}
    failed: list[tuple[Face, Fault]] = []
    unusable: dict[str, tuple[Fault, ...]] = {}
    waiting: deque[tuple[Batch, dict[Face, Future[ImageFile]]]] = deque()
    with press(files, shown, materials.fonts) as ready, ThreadPoolExecutor(os.cpu_count()) as pool:
        pool.submit(load_encoder)  # takes as long as a page: meanwhile Typst sets the first
        for chunk in _chunks(faces):
            if unusable.get(chunk[0].template):
                continue
            for some, pages in _set(ready, chunk, materials, failed, unusable):
                batch, pngs = _sorted_out(some, pages, materials)
                waiting.append((batch, {f: pool.submit(smallest, png) for f, png in pngs.items()}))
            while len(waiting) > 1:
                yield _finished(*waiting.popleft())
        yield from (_finished(*each) for each in waiting)
    always = [template_problem(fault) for faults in unusable.values() for fault in faults]
    yield Batch(problems=[*always, *template_problems(failed, tried)])


def _faults(ready: Press, template: str) -> tuple[Fault, ...]:
    """What is wrong with a template before it is given any values."""
    try:
        ready.set_pages(template, [])
    except TemplateFault as error:
        return error.faults
    return ()


def _chunks(faces: Iterable[Face]) -> Iterator[list[Face]]:
    """Faces that can be pages of one document, a bounded number of pixels at once."""
    alike: dict[object, list[Face]] = defaultdict(list)
    for face in faces:
        look = (face.template, face.width, face.height, face.scale, bool(face.pictures))
        alike[look].append(face)
    for group in alike.values():
        width, height = pixel_size(group[0])
        size = max(1, min(CHUNK, _CHUNK_PIXELS // (width * height)))
        for start in range(0, len(group), size):
            yield group[start : start + size]


def _set(
    ready: Press,
    faces: Sequence[Face],
    materials: Materials,
    failed: list[tuple[Face, Fault]],
    unusable: dict[str, tuple[Fault, ...]],
) -> Iterator[tuple[Sequence[Face], Pages]]:
    """The faces' pages; where they cannot be set together, those of each face that can be alone.

    ``failed`` takes what the others suffer from, ``unusable`` what is wrong with each template
    that a fault was met with: nothing, or what no face is needed for.
    """
    template = faces[0].template
    texts = [materials.styles[template].text, *(face.values for face in faces)]
    unknown = uncovered(texts, materials.covered)
    try:
        yield faces, ready.set_pages(template, faces, unknown=unknown)
    except TemplateFault as error:
        if template not in unusable:
            unusable[template] = _faults(ready, template)
        if unusable[template]:
            return
        if len(faces) > 1:
            for face in faces:
                yield from _set(ready, [face], materials, failed, unusable)
        else:
            failed += [(faces[0], fault) for fault in error.faults]


def _sorted_out(
    faces: Sequence[Face], pages: Pages, materials: Materials
) -> tuple[Batch, dict[Face, bytes]]:
    """The problems of a chunk's pages, and the pages that have none."""
    template = faces[0].template
    where = Where(str(materials.styles[template].files[template]))
    found = page_problems(faces, pages, materials.pictures, where)
    spoilt = {face for face, _ in found}
    warned = warning_problems(pages.warnings)
    batch = Batch(problems=[problem for _, problem in found] + warned, lasting=not warned)
    return batch, {f: png for f, png in zip(faces, pages.files, strict=True) if f not in spoilt}


def _finished(batch: Batch, futures: Mapping[Face, Future[ImageFile]]) -> Batch:
    batch.images |= {face: future.result() for face, future in futures.items()}
    return batch
