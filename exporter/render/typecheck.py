"""Check faces without painting them: each is set once, as a vector, and what came of it is kept.

What is known already is not set again: a face that was painted, or that was set before, with
everything that it depends on unchanged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from exporter.core.problems import (
    Faults,
    Problem,
    Severity,
    SourceLocation,
    problem_at,
)
from exporter.core.source_files import label
from exporter.faces.card_faces import Face
from exporter.render.compiler import open_compiler
from exporter.render.face_values import refused
from exporter.render.glyphs import uncovered
from exporter.render.own_pictures import (
    check_picture,
    pixel_count,
    stand_in,
)
from exporter.render.painter import (
    paint_job,
    size_problems,
)
from exporter.render.pdf_batches import (
    FILES,
    set_together,
)
from exporter.render.pixels import (
    MOST_PIXELS,
    check_bytes,
    image_file,
    pixel_size,
)
from exporter.render.render_jobs import RenderJob

CHUNK = 32
"""Faces set at once: with more, memory grows past 300 MB and little is gained."""

MOST_READ = 16_000_000
"""Pixels of own pictures that one run reads; of the others it reads the headers."""


class _Pictures(Struct, frozen=True):
    """Own pictures: as they are, or in small where they were not read whole, and what is wrong."""

    shown: Mapping[str, bytes]
    unread: frozenset[str]
    problems: Mapping[str, tuple[Problem, ...]]


class TypesetRun(Struct, frozen=True):
    """What would stop or disturb the painting or printing of faces; and of those that were set now
    the ones whose texts have ``confirmed`` sizes."""

    problems: list[Problem]
    confirmed: frozenset[Face] = frozenset()


def check_faces(job: RenderJob, painted: Collection[Face]) -> TypesetRun:
    """Set all faces of which nothing is known.

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
        return TypesetRun(problems)
    wrong = refused(new, job.styles)
    problems += wrong.values()
    right = [face for face in new if face not in wrong]
    pictures = _looked_at(job, right)
    problems += [problem for found in pictures.problems.values() for problem in found]
    good = [face for face in right if not any(map(pictures.problems.get, face.pictures))]
    heavy = {face: None for face in good if face in pictured and _may_be_heavy(face, pictures)}
    faults = Faults()
    with faults.gathered():
        problems += paint_job(job.of(heavy)).problems if heavy else ()
    problems += faults.problems
    light = [face for face in good if face not in heavy]
    # What looks alike stands together: Typst sets again only what differs.
    light.sort(key=lambda face: (face.pictures, face.template, face.name[-1:], face.values))
    done = _set(job, light, pictures)
    problems += done.problems
    if pictures.unread:
        problems.append(_by_header(job, pictures.unread))
    return TypesetRun(problems, done.confirmed)


def are_known(job: RenderJob, painted: Iterable[Face]) -> bool:
    """Tell whether there is nothing to set and no problem with the faces; see ``check_faces``."""
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


def _set(job: RenderJob, faces: Sequence[Face], pictures: _Pictures) -> TypesetRun:
    """Set faces; what has no problem is kept as known."""
    problems: list[Problem] = []
    confirmed: frozenset[Face] = frozenset()
    if not faces:
        return TypesetRun(problems)
    faults, files = Faults(), job.files | FILES
    with faults.gathered(), open_compiler(files, pictures.shown, job.fonts) as compiler:
        for start in range(0, len(faces), CHUNK):
            some = faces[start : start + CHUNK]
            unknown = uncovered((face.values for face in some), job.covered)
            found = set_together(compiler, some, job.pictures, unknown)
            problems += found.problems
            confirmed |= found.sure
            for face in some if not found.problems else ():
                if pictures.unread.isdisjoint(face.pictures):
                    job.cache.put(_verdict(job, face), b"")
    return TypesetRun([*problems, *faults.problems], confirmed)


def _looked_at(job: RenderJob, faces: Iterable[Face]) -> _Pictures:
    """Check the pictures of faces, reading them whole as far as ``MOST_READ`` goes."""
    shown: dict[str, bytes] = {}
    unread: set[str] = set()
    problems: dict[str, tuple[Problem, ...]] = {}
    left = MOST_READ
    for name in dict.fromkeys(name for face in faces for name in face.pictures):
        data = job.pictures[name]
        count = pixel_count(data)
        larger = name in job.larger
        whole = count <= left and not larger
        left -= count if whole else 0
        found = tuple(check_picture(data, job.root, name, whole=whole, larger=larger))
        if found:
            problems[name] = found
            continue
        shown[name] = data if whole else stand_in(data)
        if not whole:
            unread.add(name)
    return _Pictures(shown, frozenset(unread), problems)


def _may_be_heavy(face: Face, pictures: _Pictures) -> bool:
    """Tell whether only painting shows if a picture has too many bytes: a large photograph."""
    width, height = pixel_size(face)
    is_read = pictures.unread.isdisjoint(face.pictures)
    return bool(face.pictures) and is_read and width * height > MOST_PIXELS


def _by_header(job: RenderJob, names: Collection[str]) -> Problem:
    """Make a notice of pictures of which only headers were read."""
    first = min(names)
    where = SourceLocation(label(job.root, first) if job.root else first)
    key = "large-pictures-only" if len(names) > 1 else "large-picture-only"
    words = {"name": first, "count": len(names) - 1}
    return problem_at(where, "FACE-PICTURE", key, severity=Severity.NOTICE, **words)
