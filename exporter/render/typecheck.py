"""Faces tried without painting them: each is set once, as a vector, and what came of it is kept.

What is known already is not tried again: a face that was painted, or that was tried before, with
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
    begun,
    finished,
    size_faults,
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
    """What would stop or disturb the painting or printing of faces; those that were set now, and
    have texts whose size is ``sure``."""

    problems: list[Problem]
    sure: frozenset[Face] = frozenset()


def tried(wanted: RenderJob, pictures_of: Collection[Face]) -> TypesetRun:
    """All faces, tried.

    ``pictures_of`` are those among them that are to become pictures, and have to be fit for it.
    """
    problems = list(wanted.problems)
    problems += [fault for faults in size_faults(pictures_of).values() for fault in faults]
    new = []
    painted = frozenset(pictures_of)
    for face in wanted.sound:
        known, found = _known(wanted, face)
        problems += found if face in painted else []
        if not known:
            new.append(face)
    if not new:
        return TypesetRun(problems)
    wrong = refused(new, wanted.styles)
    problems += wrong.values()
    right = [face for face in new if face not in wrong]
    pictures = _looked_at(wanted, right)
    problems += [problem for found in pictures.problems.values() for problem in found]
    good = [face for face in right if not any(map(pictures.problems.get, face.pictures))]
    heavy = {face: None for face in good if face in painted and _may_be_heavy(face, pictures)}
    problems += _painted(wanted, tuple(heavy))
    light = [face for face in good if face not in heavy]
    # What looks alike stands together: Typst sets again only what differs.
    light.sort(key=lambda face: (face.pictures, face.template, face.name[-1:], face.values))
    done = _set(wanted, light, pictures)
    problems += done.problems
    if pictures.unread:
        problems.append(_by_header(wanted, pictures.unread))
    return TypesetRun(problems, done.sure)


def are_known(wanted: RenderJob, pictures_of: Iterable[Face]) -> bool:
    """Whether there is nothing to try and nothing to tell of the faces; see ``tried``."""
    if wanted.problems or any(size_faults(pictures_of).values()):
        return False
    return all(_known(wanted, face) == (True, []) for face in wanted.faces)


def _verdict(wanted: RenderJob, face: Face) -> str:
    return wanted.keys[face] + "-set"


def _known(wanted: RenderJob, face: Face) -> tuple[bool, list[Problem]]:
    """Whether a face is known to be drawn well, and what is wrong with its picture."""
    cache = wanted.cache
    if cache.get(_verdict(wanted, face)) is not None:
        return True, []
    data = cache.get(wanted.keys[face])
    if data is None:
        return False, []
    found = list(check_bytes(face, image_file(data)))
    if not found:
        cache.put(_verdict(wanted, face), b"")
    return True, found


def _set(wanted: RenderJob, faces: Sequence[Face], pictures: _Pictures) -> TypesetRun:
    """The faces are set; what goes without a word of Typst's is kept as known."""
    problems: list[Problem] = []
    sure: frozenset[Face] = frozenset()
    if not faces:
        return TypesetRun(problems)
    faults, files = Faults(), wanted.files | FILES
    with faults.gathered(), open_compiler(files, pictures.shown, wanted.fonts) as ready:
        for start in range(0, len(faces), CHUNK):
            some = faces[start : start + CHUNK]
            unknown = uncovered((face.values for face in some), wanted.covered)
            found = set_together(ready, some, wanted.pictures, unknown)
            problems += found.problems
            sure |= found.sure
            for face in some if not found.problems else ():
                if pictures.unread.isdisjoint(face.pictures):
                    wanted.cache.put(_verdict(wanted, face), b"")
    return TypesetRun([*problems, *faults.problems], sure)


def _looked_at(wanted: RenderJob, faces: Iterable[Face]) -> _Pictures:
    """The pictures of faces, read whole as far as ``MOST_READ`` goes."""
    shown: dict[str, bytes] = {}
    unread: set[str] = set()
    problems: dict[str, tuple[Problem, ...]] = {}
    left = MOST_READ
    for name in dict.fromkeys(name for face in faces for name in face.pictures):
        data = wanted.pictures[name]
        count = pixel_count(data)
        larger = name in wanted.larger
        whole = count <= left and not larger
        left -= count if whole else 0
        found = tuple(check_picture(data, wanted.root, name, whole=whole, larger=larger))
        if found:
            problems[name] = found
            continue
        shown[name] = data if whole else stand_in(data)
        if not whole:
            unread.add(name)
    return _Pictures(shown, frozenset(unread), problems)


def _may_be_heavy(face: Face, pictures: _Pictures) -> bool:
    """Whether only the picture itself can tell if it has too many bytes: a large photograph."""
    width, height = pixel_size(face)
    is_read = pictures.unread.isdisjoint(face.pictures)
    return bool(face.pictures) and is_read and width * height > MOST_PIXELS


def _painted(wanted: RenderJob, faces: Sequence[Face]) -> Iterable[Problem]:
    if not faces:
        return ()
    faults = Faults()
    with faults.gathered():
        return finished(begun(wanted.of(faces))).problems
    return faults.problems


def _by_header(wanted: RenderJob, names: Collection[str]) -> Problem:
    """Nobody shall take a look at headers for more than it is."""
    first = min(names)
    where = SourceLocation(label(wanted.root, first) if wanted.root else first)
    key = "large-pictures-only" if len(names) > 1 else "large-picture-only"
    words = {"name": first, "count": len(names) - 1}
    return problem_at(where, "FACE-PICTURE", key, severity=Severity.NOTICE, **words)
