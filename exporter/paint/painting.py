"""Faces → pictures: what the cache does not have is drawn, checked and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from exporter.faces import Face
from exporter.paint.batches import Materials, draw
from exporter.paint.cache import Cache
from exporter.paint.glyphs import covered
from exporter.paint.own import read_pictures, with_good_pictures
from exporter.paint.pixels import check_bytes, check_size, image_file
from exporter.paint.press import Limits
from exporter.paint.templates import Templates, find_styles, lasting_digest
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


def paint(
    faces: Iterable[Face],
    templates: Path | Sequence[Path],
    pictures_root: Path | None,
    cache: Path | None,
    progress: Progress | None = None,
    limits: Limits = Limits(),
) -> Painted:
    """Every distinct face as a picture, the same bytes whatever the cache holds.

    ``templates`` are folders such as ``templates/faces``, the first that has a file wins;
    ``pictures_root`` is the game folder; ``limits`` are those of templates from
    elsewhere. Raises ``InvalidSource`` with every fault of every face.
    """
    wanted = list(dict.fromkeys(faces))
    shelf = Templates((templates,) if isinstance(templates, Path) else tuple(templates))
    styles, problems = find_styles(shelf, wanted)
    pictures, unread = read_pictures(wanted, pictures_root)
    problems += unread
    sizes = {_look(face): list(check_size(face)) for face in reversed(wanted)}
    problems += [problem for found in sizes.values() for problem in found]
    sound = [
        face
        for face in wanted
        if face.template in styles
        and pictures.keys() >= set(face.pictures)
        and not errors(sizes[_look(face)])
    ]
    fonts = shelf.fonts()
    kept = Cache(cache)
    if cache is not None:
        sweep([cache])
    fonts_digest = lasting_digest(fonts, kept)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in pictures.items()}
    keys = {
        face: _key(
            face, styles[face.template].digest, fonts_digest, *map(hashes.get, face.pictures)
        )
        for face in sound
    }
    images = {face: image_file(data) for face in sound if (data := kept.get(keys[face]))}
    new = [face for face in sound if face not in images]
    if new:
        drawable, broken = with_good_pictures(new, pictures, pictures_root)
        problems += broken
        known = covered(tuple(fonts.values()), fonts_digest, kept)
        materials = Materials(styles, tuple(fonts.values()), known, pictures, limits)
        tell = progress or (lambda done, total: None)
        done = 0
        tell(done, len(new))
        for batch in draw(drawable, materials):
            problems += batch.problems
            for face, image in batch.images.items():
                images[face] = image
                if batch.lasting:
                    kept.put(keys[face], image.data)
            done += len(batch.images)
            tell(done, len(new))
        tell(len(new), len(new))
    problems += [problem for face, image in images.items() for problem in check_bytes(face, image)]
    if errors(problems):
        raise InvalidSource(problems)
    return Painted({face: images[face] for face in wanted}, tuple(sorted(set(problems))), len(new))


def _look(face: Face) -> tuple[str, float, float, float]:
    return face.template, face.width, face.height, face.scale


def _key(face: Face, *digests: str | None) -> str:
    """Everything that the bytes of a face's picture depend on, as a hash."""
    import PIL
    import typst

    painter = (VERSION, typst.__version__, PIL.__version__)  # type: ignore[attr-defined]
    everything = (painter, digests, _look(face), face.values, face.pictures)
    return hashlib.sha256(json.dumps(everything).encode()).hexdigest()
