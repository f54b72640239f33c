"""Paint faces, or check them without painting; find first everything that they depend on.

What is known already is neither drawn nor set again: a face that was painted, or that was set
before, with everything that it depends on unchanged (``face_keys`` of ``template_files``).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict, replace

from exporter.core import first_by
from exporter.core.cache import DiskCache
from exporter.core.problems import (
    Faults,
    Problem,
    SourceLocation,
    errors,
    stop_for_errors,
)
from exporter.core.worker_process import Progress
from exporter.faces.card_faces import Face, SizeGroup, whole_file
from exporter.model.tabletop import ImageFile
from exporter.render.batches import (
    CHUNK,
    FILES,
    FacePage,
    PlacedFace,
    TrialSetting,
    alike,
    parts,
    set_face_pages,
)
from exporter.render.own_pictures import (
    Picture,
    check_picture,
    load_pictures,
    read_pictures,
)
from exporter.render.pixels import (
    MOST_SCREEN_PIXELS,
    check_bytes,
    check_size,
    image_file,
    screen_size,
    smallest,
)
from exporter.render.template_files import (
    Materials,
    Templates,
    face_keys,
    find_styles,
    uncovered,
)
from exporter.render.text_sizes import find_sizes
from exporter.render.typeset_faults import (
    merge_overflows,
    page_problems,
    refused_faces,
    warning_problems,
)
from exporter.render.typesetter import open_compiler


class RenderJob(Materials, frozen=True, dict=True, kw_only=True):
    """Faces with their templates, the fonts, the game's own pictures and the cache.

    Those whose group has one size of text are ``sized``: among the ``faces`` they have it.
    ``styles`` are those of the templates that there are, ``pictures`` those that could be read;
    ``problems`` tell of the others.
    The sizes of ``unsure`` groups are those of the last time, as nothing was to be set.
    """

    faces: tuple[Face, ...]
    pictures: Mapping[str, Picture]
    problems: tuple[Problem, ...]
    sized: Mapping[Face, Face] = {}
    unsure: frozenset[SizeGroup] = frozenset()

    @cached_property
    def sound(self) -> tuple[Face, ...]:
        """The faces of which everything is there."""
        return tuple(
            face
            for face in self.faces
            if face.template in self.styles and self.pictures.keys() >= set(face.pictures)
        )

    def drawable(
        self, faces: Iterable[Face], *, small: bool = False
    ) -> tuple[list[Face], dict[str, bytes], list[Problem]]:
        """Separate faces that can be set, and the pictures that they show, ``small`` or to be
        painted, from problems of the others: their values and pictures."""
        asked = list(faces)
        wrong = refused_faces(asked, self.styles)
        right = [face for face in asked if face not in wrong]
        good, shown, broken = load_pictures(right, self.pictures, self.root, small=small)
        return good, shown, [*wrong.values(), *broken]

    @cached_property
    def keys(self) -> Mapping[Face, str]:
        """For each sound face, everything that its picture's bytes depend on, as a hash."""
        return face_keys(
            self.sound, self, {name: picture.key for name, picture in self.pictures.items()}
        )


def prepare_render_job(
    faces: Iterable[Face],
    templates: Sequence[Path],
    root: Path | None,
    cache: Path | None,
    *,
    setting: bool = True,
) -> RenderJob:
    """Return the distinct faces with all that they depend on; what is wrong is in ``problems``.

    ``templates`` are folders such as ``templates/faces``, the first that has a file wins; ``root``
    is the game folder. The sizes of texts are found by setting the cards of a kind, which the cache
    keeps; without ``setting`` they are those that it has. Raises ``InvalidSource`` for unreadable
    templates.
    """
    asked = tuple(dict.fromkeys(faces))
    shelf = Templates(tuple(templates))
    styles, problems = find_styles(shelf, asked)
    pictures, missing = read_pictures(asked, root)
    fonts = tuple(shelf.fonts().values())
    materials = Materials(styles, fonts, shelf.fonts_digest, root, DiskCache(cache))
    sizes, notices, unsure = find_sizes(asked, materials, setting=setting)
    return RenderJob(
        **asdict(materials),
        faces=tuple(dict.fromkeys(sizes.get(face, face) for face in asked)),
        pictures=pictures,
        problems=(*problems, *missing, *notices),
        sized=sizes,
        unsure=unsure,
    )


_CHUNK_PIXELS = CHUNK * 400 * 560

# Faces of any template set at once: with more, memory grows past 300 MB and little is gained.
CHECKED_AT_ONCE = 32


class Painted(Struct, frozen=True):
    """A picture for each face; warnings; how many pictures no cache had."""

    images: Mapping[Face, ImageFile]
    problems: tuple[Problem, ...] = ()
    new: int = 0


def paint(
    faces: Iterable[Face],
    templates: Path | Sequence[Path],
    pictures_root: Path | None,
    cache: Path | None,
    progress: Progress | None = None,
) -> Painted:
    """Paint every distinct face: the same bytes whatever the cache holds.

    ``templates`` are folders such as ``templates/faces``, the first that has a file wins;
    ``pictures_root`` is the game folder; ``progress`` counts the pictures that no cache had.
    Raises ``InvalidSource`` with every fault of every face.
    """
    folders = (templates,) if isinstance(templates, Path) else templates
    job = prepare_render_job(faces, folders, pictures_root, cache)
    done = paint_job(job, progress)
    return replace(
        done, images={**done.images, **{f: done.images[own] for f, own in job.sized.items()}}
    )


def paint_job(job: RenderJob, progress: Progress | None = None) -> Painted:
    """Paint the faces of a job. Raises ``InvalidSource`` with every fault of every face."""
    problems = [*job.problems, *size_problems(job.faces)]
    drawable = [face for face in job.sound if not errors(check_size(face))]
    kept = ((face, job.cache.get(job.keys[face])) for face in drawable)
    images = {face: image_file(data) for face, data in kept if data}
    images |= {face: file for face in drawable if (file := _as_it_is(job, face))}
    new = [face for face in drawable if face not in images]
    good, pictures, found = job.drawable(new)
    problems += found
    tell = progress or (lambda done, total: None)
    if new:
        tell(0, len(new))
    for painted, found in _draw(job, good, pictures) if good else ():
        problems += found
        images |= painted
        tell(len(images) - len(drawable) + len(new), len(new))
    if new:
        tell(len(new), len(new))
    problems += [problem for face, image in images.items() for problem in check_bytes(face, image)]
    problems = merge_overflows(problems)
    stop_for_errors(problems)
    return Painted(images, tuple(sorted(set(problems))), len({job.keys[face] for face in new}))


def _as_it_is(job: RenderJob, face: Face) -> ImageFile | None:
    """Return the file of a picture that is all of a face, unless something is wrong with it."""
    name = whole_file(face)
    if not name:
        return None
    data = job.pictures[name].read()
    if any(check_picture(data, job.root, name, whole=False)):
        return None
    return ImageFile(data, name.rpartition(".")[2].lower())


def size_problems(faces: Iterable[Face]) -> list[Problem]:
    """List what is wrong with the sizes of pictures, at the first face of each size."""
    firsts = first_by(faces, lambda face: (face.template, face.width, face.height, face.scale))
    return [problem for face in firsts.values() for problem in check_size(face)]


def _draw(
    job: RenderJob, faces: Sequence[Face], pictures: Mapping[str, bytes]
) -> Iterator[tuple[dict[Face, ImageFile], list[Problem]]]:
    """Yield the pictures of some faces, chunk by chunk, and what is wrong with others.

    While a chunk is made small the next is set.
    """
    files = {n: p for face in faces for n, p in job.styles[face.template].files.items()}
    made: Iterator[tuple[Face, ImageFile]] = iter(())
    with (
        open_compiler(files, pictures, job.fonts) as compiler,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        trial = TrialSetting(compiler)
        for chunk in _chunks(faces, job.pictures):
            style = job.styles[chunk[0].template]
            unknown = uncovered((style.text, *(face.values for face in chunk)), job.covered)
            for some, pages in trial.pages(chunk, unknown):
                where = SourceLocation(str(style.files[some[0].template]))
                found = list(page_problems(some, pages, job.pictures, where))
                faulty = {face for face, _problem in found}
                files_of = zip(some, pages.files, strict=True)
                sound = [(face, png) for face, png in files_of if face not in faulty]
                # What came with a warning is drawn again the next time, to be warned of again.
                make = partial(_made, job, keep=not pages.warnings)
                before, made = made, pool.map(make, sound)
                problems = [problem for _face, problem in found]
                yield dict(before), [*problems, *warning_problems(pages.warnings)]
        yield dict(made), trial.problems(Counter(face.template for face in faces))


def _chunks(faces: Iterable[Face], pictures: Mapping[str, Picture]) -> Iterator[list[Face]]:
    """Split faces into those that are set at once: alike, and of a bounded number of pixels."""
    for group in alike(faces):
        width, height = screen_size(group[0])
        yield from parts(group, pictures, max(1, min(CHUNK, _CHUNK_PIXELS // (width * height))))


def _made(job: RenderJob, page: tuple[Face, bytes], *, keep: bool) -> tuple[Face, ImageFile]:
    face, png = page
    image = smallest(png)
    if keep:
        job.cache.put(job.keys[face], image.data)
    return face, image


def face_problems(job: RenderJob, painted: Collection[Face]) -> list[Problem]:
    """List what would stop or disturb painting or printing faces: those not known yet are set.

    ``painted`` are those among them that are to become pictures, and have to be fit for it.
    """
    problems = [*job.problems, *size_problems(painted)]
    new = []
    pictured = frozenset(painted)
    for face in job.sound:
        known, found = _known(job, face)
        problems += found if face in pictured else []
        if not known:
            new.append(face)
    if not new:
        return problems
    good, shown, found = job.drawable(new, small=True)
    problems += found
    heavy = {face: None for face in good if face in pictured and _may_be_heavy(face)}
    faults = Faults()
    with faults.collect():
        only = replace(job, faces=tuple(heavy), problems=(), sized={})
        problems += paint_job(only).problems if heavy else ()
    problems += faults.problems
    light = [face for face in good if face not in heavy]
    # What looks alike stands together: Typst sets again only what differs.
    light.sort(key=lambda face: (face.pictures, face.template, face.name[-1:], face.values))
    return merge_overflows([*problems, *_set(job, light, shown)])


def are_known(job: RenderJob, painted: Iterable[Face]) -> bool:
    """Tell whether there is nothing to set and no problem with the faces; see ``face_problems``."""
    if job.problems or size_problems(painted):
        return False
    return all(_known(job, face) == (True, []) for face in job.faces)


def _verdict(job: RenderJob, face: Face) -> str:
    return job.keys[face] + "-set"


def _known(job: RenderJob, face: Face) -> tuple[bool, list[Problem]]:
    """Tell whether a face is known to be set well, and what is wrong with its picture."""
    if job.cache.get(_verdict(job, face)) is not None:
        return True, []
    data = job.cache.get(job.keys[face])
    return data is not None, list(check_bytes(face, image_file(data))) if data else []


def _set(job: RenderJob, faces: Sequence[Face], pictures: Mapping[str, bytes]) -> list[Problem]:
    """Set faces; what has no problem is kept as known."""
    problems: list[Problem] = []
    if not faces:
        return problems
    faults, files = Faults(), job.files | FILES
    with faults.collect(), open_compiler(files, pictures, job.fonts) as compiler:
        for start in range(0, len(faces), CHECKED_AT_ONCE):
            some = faces[start : start + CHECKED_AT_ONCE]
            unknown = uncovered((face.values for face in some), job.covered)
            pages = [FacePage(face.width, face.height, (PlacedFace(face),)) for face in some]
            _draft, found = set_face_pages(compiler, pages, job.pictures, unknown, form="draft")
            problems += found
            for face in some if not found else ():
                job.cache.put(_verdict(job, face), b"")
    return [*problems, *faults.problems]


def _may_be_heavy(face: Face) -> bool:
    """Tell whether only painting shows if a picture has too many bytes: a large photograph."""
    width, height = screen_size(face)
    return bool(face.pictures) and width * height > MOST_SCREEN_PIXELS
