"""Many new faces drawn in chunks: Typst sets one chunk while Pillow makes the last one small."""

from __future__ import annotations

import os
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field

from exporter.core.problems import (
    Problem,
    SourceLocation,
)
from exporter.faces.card_faces import Face
from exporter.model.tabletop import ImageFile
from exporter.render.compiler import open_compiler
from exporter.render.glyphs import uncovered
from exporter.render.own_pictures import pixel_count
from exporter.render.pixels import (
    is_drawing,
    load_encoder,
    pixel_size,
    smallest,
)
from exporter.render.template_files import Style
from exporter.render.trial_setting import TrialSetting
from exporter.render.typeset_faults import (
    page_problems,
    warning_problems,
)
from exporter.render.typesetter import Pages

if TYPE_CHECKING:
    from concurrent.futures import Future

CHUNK = 64
"""Faces set at once: with fewer Typst starts anew too often, more fill the memory."""

_CHUNK_PIXELS = CHUNK * 400 * 560

_OWN_PIXELS = 8_000_000
"""Of pictures that faces show which are set at once: each takes some ten bytes meanwhile."""

FIRST = 8
"""Faces set at first, so that there soon is something to make small."""

Keep: TypeAlias = Callable[[Face, ImageFile], None]
"""Told of each picture that may be kept for another time, from several threads."""


class Materials(Struct, frozen=True):
    """What faces are drawn from, besides their values."""

    styles: Mapping[str, Style]
    fonts: Sequence[Path]
    covered: frozenset[int]
    pictures: Mapping[str, bytes]


class Batch(Struct):
    """Some pictures, and what was wrong with others; the faces whose texts have a size that is
    ``sure``, as ``exporter.render.text_sizes`` asks."""

    images: dict[Face, ImageFile] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    sure: frozenset[Face] = frozenset()


def draw(faces: Sequence[Face], materials: Materials, keep: Keep) -> Iterator[Batch]:
    """Pictures of all faces, a batch for each chunk; a face with a fault is in no batch.

    Raises ``InvalidSource`` where the system has no room for temporary files.
    """
    from concurrent.futures import ThreadPoolExecutor

    tried = Counter(face.template for face in faces)
    styles = [materials.styles[template] for template in tried]
    files = {name: path for style in styles for name, path in style.files.items()}
    shown = {name: materials.pictures[name] for face in faces for name in face.pictures}
    waiting: deque[tuple[Batch, dict[Face, Future[ImageFile]]]] = deque()
    with (
        open_compiler(files, shown, materials.fonts) as ready,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        pool.submit(load_encoder)  # takes as long as a page: meanwhile Typst sets the first
        trial = TrialSetting(ready)
        for chunk in _chunks(faces, shown):
            texts = [materials.styles[chunk[0].template].text, *(face.values for face in chunk)]
            for some, pages in trial.pages(chunk, uncovered(texts, materials.covered)):
                batch, pngs = _sorted_out(some, pages, materials)
                # What came with a warning is drawn again the next time, to be warned of again.
                keeping = keep if not pages.warnings else None
                made = {f: pool.submit(_made, f, png, keeping) for f, png in pngs.items()}
                waiting.append((batch, made))
            while len(waiting) > 1:
                yield _finished(*waiting.popleft())
        yield from (_finished(*each) for each in waiting)
    yield Batch(problems=trial.problems(tried))


def alike(faces: Iterable[Face]) -> Iterable[list[Face]]:
    """Faces that can be pages of one document."""
    groups: dict[object, list[Face]] = defaultdict(list)
    for face in faces:
        look = (face.template, face.width, face.height, face.scale, bool(face.pictures))
        groups[look].append(face)
    return groups.values()


def parts(faces: Iterable[Face], pictures: Mapping[str, bytes], most: int) -> Iterator[list[Face]]:
    """Faces in their order, ``most`` at once, and no more than their pictures allow."""
    part: list[Face] = []
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


def _chunks(faces: Iterable[Face], pictures: Mapping[str, bytes]) -> Iterator[list[Face]]:
    """Faces that are set at once: alike, and of a bounded number of pixels; the least comes first.

    While it is made small the next is set, and in the end nobody waits for a last page.
    """
    chunks: list[tuple[int, list[Face]]] = []
    for group in alike(faces):
        width, height = pixel_size(group[0])
        most = max(1, min(CHUNK, _CHUNK_PIXELS // (width * height)))
        for some in parts(group, pictures, most):
            chunks.append((len(some) * width * height, some))
    for number, (_pixels, chunk) in enumerate(sorted(chunks, key=lambda each: each[0])):
        yield from (chunk[:FIRST], chunk[FIRST:]) if number == 0 and chunk[FIRST:] else (chunk,)


def _made(face: Face, png: bytes, keep: Keep | None) -> ImageFile:
    image = smallest(png, shows_pictures=not all(map(is_drawing, face.pictures)))
    if keep is not None:
        keep(face, image)
    return image


def _sorted_out(
    faces: Sequence[Face], pages: Pages, materials: Materials
) -> tuple[Batch, dict[Face, bytes]]:
    """The problems of a chunk's pages, and the pages that have none."""
    template = faces[0].template
    where = SourceLocation(str(materials.styles[template].files[template]))
    found = page_problems(faces, pages, materials.pictures, where)
    spoilt = {face for face, _ in found}
    warned = warning_problems(pages.warnings)
    unsure = {faces[finding.face] for finding in pages.unsure}
    batch = Batch(
        problems=[problem for _, problem in found] + warned,
        sure=frozenset(face for face in faces if face not in unsure),
    )
    return batch, {f: png for f, png in zip(faces, pages.files, strict=True) if f not in spoilt}


def _finished(batch: Batch, futures: Mapping[Face, Future[ImageFile]]) -> Batch:
    batch.images |= {face: future.result() for face, future in futures.items()}
    return batch
