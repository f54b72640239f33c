"""Faces → pictures: what the cache does not have is drawn, checked and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from exporter.core.problems import (
    InvalidSource,
    Problem,
    errors,
)
from exporter.faces.card_faces import Face
from exporter.model.tabletop import ImageFile
from exporter.render.batches import (
    Materials,
    draw,
)
from exporter.render.face_values import refused
from exporter.render.own_pictures import with_good_pictures
from exporter.render.pixels import (
    check_bytes,
    check_size,
    image_file,
)
from exporter.render.render_jobs import (
    Look,
    RenderJob,
    find_render_jobs,
    look,
)

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many pictures are done, of how many that no cache had."""


class Painted(Struct, frozen=True):
    """A picture for each face; warnings; how many pictures no cache had; and of these the faces
    whose texts have a size that is ``sure``."""

    images: Mapping[Face, ImageFile]
    problems: tuple[Problem, ...] = ()
    new: int = 0
    sure: frozenset[Face] = frozenset()


class Painting(Struct, frozen=True, dict=True):
    """Faces that are to become pictures, as far as the cache has them.

    ``drawable`` are those that can be painted; ``problems`` tell of the others.
    """

    sought: RenderJob
    drawable: tuple[Face, ...]
    problems: tuple[Problem, ...]

    @cached_property
    def images(self) -> Mapping[Face, ImageFile]:
        """The pictures that the cache has."""
        kept = ((face, self.sought.cache.get(self.sought.keys[face])) for face in self.drawable)
        return {face: image_file(data) for face, data in kept if data}

    @cached_property
    def new(self) -> tuple[Face, ...]:
        """The faces that no cache has."""
        return tuple(face for face in self.drawable if face not in self.images)

    @property
    def new_keys(self) -> set[str]:
        """What the cache will know them by."""
        return {self.sought.keys[face] for face in self.new}

    @property
    def keys(self) -> set[str]:
        """What the cache knows the pictures by that are to be had."""
        return {self.sought.keys[face] for face in self.drawable}


def begun(wanted: RenderJob) -> Painting:
    """Which of the faces can be painted: what a picture of each would measure is looked at."""
    sizes = size_faults(wanted.faces)
    drawable = tuple(face for face in wanted.sound if not errors(sizes[look(face)]))
    found = [problem for problems in sizes.values() for problem in problems]
    return Painting(wanted, drawable, (*wanted.problems, *found))


def size_faults(faces: Iterable[Face]) -> dict[Look, list[Problem]]:
    """What is wrong with the sizes of pictures of faces, told of the first of each look."""
    firsts: dict[Look, Face] = {}
    for face in faces:
        firsts.setdefault(look(face), face)
    return {key: list(check_size(face)) for key, face in firsts.items()}


def paint(
    faces: Iterable[Face],
    templates: Path | Sequence[Path],
    pictures_root: Path | None,
    cache: Path | None,
    progress: Progress | None = None,
) -> Painted:
    """Every distinct face as a picture, the same bytes whatever the cache holds.

    ``templates`` are folders such as ``templates/faces``, the first that has a file wins;
    ``pictures_root`` is the game folder. Raises ``InvalidSource`` with every fault of every face.
    """
    folders = (templates,) if isinstance(templates, Path) else templates
    return finished(begun(find_render_jobs(faces, folders, pictures_root, cache)), progress)


def finished(painting: Painting, progress: Progress | None = None) -> Painted:
    """What was begun, painted. Raises ``InvalidSource`` with every fault of every face."""
    wanted, new = painting.sought, painting.new
    problems = list(painting.problems)
    images = dict(painting.images)
    sure: set[Face] = set()
    if new:
        wrong = refused(new, wanted.styles)
        right = [face for face in new if face not in wrong]
        drawable, broken = with_good_pictures(right, wanted.pictures, wanted.root)
        problems += [*wrong.values(), *broken]
        materials = Materials(wanted.styles, wanted.fonts, wanted.covered, wanted.pictures)
        tell = progress or (lambda done, total: None)
        done = 0
        tell(done, len(new))
        keys = wanted.keys

        def keep(face: Face, image: ImageFile) -> None:
            wanted.cache.put(keys[face], image.data)

        for batch in draw(drawable, materials, keep):
            problems += batch.problems
            images |= batch.images
            sure |= batch.sure
            done += len(batch.images)
            tell(done, len(new))
        tell(len(new), len(new))
    problems += [problem for face, image in images.items() for problem in check_bytes(face, image)]
    if errors(problems):
        raise InvalidSource(problems)
    found = {face: images[face] for face in wanted.faces}
    found |= {face: found[own] for face, own in wanted.sized.items()}
    return Painted(found, tuple(sorted(set(problems))), len(new), frozenset(sure))
