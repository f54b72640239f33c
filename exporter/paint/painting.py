"""Faces → pictures: what the cache does not have is drawn, checked and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from exporter.cache import Cache
from exporter.faces import Face
from exporter.paint.batches import Materials, draw
from exporter.paint.glyphs import covered
from exporter.paint.own import read_pictures, with_good_pictures
from exporter.paint.pixels import check_bytes, check_size, image_file
from exporter.paint.press import Limits
from exporter.paint.templates import Style, Templates, find_styles, lasting_digest
from exporter.paint.values import refused
from exporter.problems import InvalidSource, Problem, errors
from exporter.tabletop import ImageFile
from exporter.temporary import sweep

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many pictures are done, of how many that no cache had."""

VERSION = 2
"""Raised when this package paints the same values differently, so that no cache keeps the old."""


class Painted(Struct, frozen=True):
    """A picture for each face; warnings; and how many pictures no cache had."""

    images: Mapping[Face, ImageFile]
    problems: tuple[Problem, ...] = ()
    new: int = 0


class Sought(Struct, frozen=True, dict=True):
    """Faces with all that they depend on, as far as it could be found, looked up in the cache.

    ``keys`` are the cache's, of each face that can be drawn; ``problems`` say why others cannot.
    """

    faces: tuple[Face, ...]
    keys: Mapping[Face, str]
    styles: Mapping[str, Style]
    fonts: tuple[Path, ...]
    fonts_digest: str
    pictures: Mapping[str, bytes]
    root: Path | None
    cache: Cache
    problems: tuple[Problem, ...]
    limits: Limits = Limits()

    @cached_property
    def materials(self) -> Materials:
        """What the faces are drawn from, besides their values."""
        known = covered(self.fonts, self.fonts_digest, self.cache)
        return Materials(self.styles, self.fonts, known, self.pictures, self.limits)

    @cached_property
    def images(self) -> Mapping[Face, ImageFile]:
        """The pictures that the cache has."""
        kept = ((face, self.cache.get(key)) for face, key in self.keys.items())
        return {face: image_file(data) for face, data in kept if data}

    @cached_property
    def new(self) -> tuple[Face, ...]:
        """The faces that have to be painted."""
        return tuple(face for face in self.keys if face not in self.images)


def sought(
    faces: Iterable[Face],
    templates: Sequence[Path],
    root: Path | None,
    cache: Path | None,
    limits: Limits = Limits(),
) -> Sought:
    """Every distinct face with its templates, fonts and own pictures, not yet painted.

    ``templates`` are folders such as ``templates/faces``, the first that has a file wins; ``root``
    is the game folder; ``limits`` are those of templates from elsewhere.
    """
    wanted = tuple(dict.fromkeys(faces))
    shelf = Templates(tuple(templates))
    styles, problems = find_styles(shelf, wanted)
    pictures, unread = read_pictures(wanted, root)
    problems += unread
    sizes = {_look(face): list(check_size(face)) for face in reversed(wanted)}
    problems += [problem for found in sizes.values() for problem in found]
    kept = Cache(cache)
    if cache is not None:
        sweep([cache])
    fonts = shelf.fonts()
    fonts_digest = lasting_digest(fonts, kept)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in pictures.items()}
    keys = {
        face: _key(
            face, styles[face.template].digest, fonts_digest, *map(hashes.get, face.pictures)
        )
        for face in wanted
        if face.template in styles
        and pictures.keys() >= set(face.pictures)
        and not errors(sizes[_look(face)])
    }
    paths = tuple(fonts.values())
    return Sought(
        wanted, keys, styles, paths, fonts_digest, pictures, root, kept, tuple(problems), limits
    )


def paint(
    faces: Iterable[Face],
    templates: Path | Sequence[Path],
    pictures_root: Path | None,
    cache: Path | None,
    progress: Progress | None = None,
    limits: Limits = Limits(),
) -> Painted:
    """Every distinct face as a picture: ``painted`` what is ``sought``."""
    folders = (templates,) if isinstance(templates, Path) else templates
    return painted(sought(faces, folders, pictures_root, cache, limits), progress)


def painted(wanted: Sought, progress: Progress | None = None) -> Painted:
    """Every face as a picture, the same bytes whatever the cache holds.

    Raises ``InvalidSource`` with every fault of every face.
    """
    problems = list(wanted.problems)
    images = dict(wanted.images)
    if wanted.new:
        wrong = refused(wanted.new, wanted.styles)
        problems += wrong.values()
        right = [face for face in wanted.new if face not in wrong]
        drawable, broken = with_good_pictures(right, wanted.pictures, wanted.root)
        problems += broken
        tell = progress or (lambda done, total: None)
        done, total = 0, len(wanted.new)
        tell(done, total)
        for batch in draw(drawable, wanted.materials):
            problems += batch.problems
            for face, image in batch.images.items():
                images[face] = image
                if batch.lasting:
                    wanted.cache.put(wanted.keys[face], image.data)
            done += len(batch.images)
            tell(done, total)
        tell(total, total)
    problems += [problem for face, image in images.items() for problem in check_bytes(face, image)]
    if errors(problems):
        raise InvalidSource(problems)
    found = {face: images[face] for face in wanted.faces}
    return Painted(found, tuple(sorted(set(problems))), len(wanted.new))


def _look(face: Face) -> tuple[str, float, float, float]:
    return face.template, face.width, face.height, face.scale


def _key(face: Face, *digests: str | None) -> str:
    """Everything that the bytes of a face's picture depend on, as a hash."""
    import PIL
    import typst

    painter = (VERSION, typst.__version__, PIL.__version__)  # type: ignore[attr-defined]
    everything = (painter, digests, _look(face), face.values, face.pictures)
    return hashlib.sha256(json.dumps(everything).encode()).hexdigest()
