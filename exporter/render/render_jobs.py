"""Faces with everything that they depend on, found before any of them is set or painted."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.cache import Cache
from exporter.core.problems import Problem
from exporter.faces.card_faces import Face
from exporter.faces.face import Family
from exporter.render.glyphs import covered
from exporter.render.line_breaks import phrases_digest
from exporter.render.own_pictures import read_pictures
from exporter.render.render_keys import keyed
from exporter.render.template_files import (
    Style,
    Templates,
    find_styles,
    stable_digest,
)
from exporter.render.text_sizes import (
    Basis,
    ProvisionalSizes,
    assumed,
    proved,
    sized,
)

Look: TypeAlias = tuple[str, float, float, float]
"""Template, width, height and scale of a face."""

VERSION = 3
"""Raised when this package paints the same values differently, so that no cache keeps the old."""


class RenderJob(Struct, frozen=True, dict=True):
    """Faces with their templates, the fonts, the game's own pictures and the cache.

    Those whose family has one size of text are ``sized``: among the ``faces`` they have it.
    ``styles`` are those of the templates that there are, ``pictures`` the bytes of those that could
    be read, ``larger`` those of them that painting scales down; ``problems`` tell of the others.
    The sizes of ``unsure`` families are those of the last time, as nothing was to be set; those of
    ``trusted`` ones may be too large for faces that are to be set, and then ``proved``.
    """

    faces: tuple[Face, ...]
    styles: Mapping[str, Style]
    fonts: tuple[Path, ...]
    fonts_digest: str
    pictures: Mapping[str, bytes]
    larger: frozenset[str]
    root: Path | None
    cache: Cache
    problems: tuple[Problem, ...]
    sized: Mapping[Face, Face] = {}
    unsure: frozenset[Family] = frozenset()
    trusted: tuple[ProvisionalSizes, ...] = ()

    def proved(self, sure: Container[Face]) -> tuple[bool, list[Problem]]:
        """Whether the sizes hold once faces were set, of which texts of ``sure`` have theirs, and
        what is to be told. Where they do not, everything is to be sought and set anew."""
        basis = Basis(self.styles, self.fonts, self.fonts_digest, self.root, self.cache)
        return proved(self.trusted, sure, basis)

    def of(self, faces: Iterable[Face]) -> RenderJob:
        """Some of the faces, with what all depend on."""
        return replace(self, faces=tuple(faces), problems=(), sized={}, trusted=())

    @cached_property
    def sound(self) -> tuple[Face, ...]:
        """The faces of which everything is there."""
        return tuple(
            face
            for face in self.faces
            if face.template in self.styles and self.pictures.keys() >= set(face.pictures)
        )

    @property
    def files(self) -> dict[str, Path]:
        """What a press has to have to set them."""
        return {name: path for style in self.styles.values() for name, path in style.files.items()}

    @cached_property
    def keys(self) -> Mapping[Face, str]:
        """For each sound face, everything that its picture's bytes depend on, as a hash."""
        import PIL
        import typst

        engine = typst.__version__  # type: ignore[attr-defined]
        painter = (VERSION, engine, PIL.__version__, phrases_digest())
        hashes = {name: hashlib.sha256(data).hexdigest() for name, data in self.pictures.items()}

        def digests(face: Face) -> tuple[Any, ...]:
            own = map(hashes.get, face.pictures)
            return painter, (self.styles[face.template].digest, self.fonts_digest, *own)

        return keyed(self.sound, lambda face: (look(face), face.pictures), digests)

    @cached_property
    def covered(self) -> frozenset[int]:
        """The characters that the fonts have."""
        return covered(self.fonts, self.fonts_digest, self.cache)


def look(face: Face) -> Look:
    """What decides how large a picture of a face is, and by what it is drawn."""
    return face.template, face.width, face.height, face.scale


def find_render_jobs(
    faces: Iterable[Face],
    templates: Sequence[Path],
    root: Path | None,
    cache: Path | None,
    more: Mapping[str, Path] | None = None,
    most: float = math.inf,
    *,
    setting: bool = True,
    trusting: bool = False,
) -> RenderJob:
    """Every distinct face with what it depends on.

    ``templates`` are folders such as ``templates/faces``, the first that has a file wins; ``root``
    is the game folder; ``more`` are templates that stand elsewhere, by the names that faces use.
    To scale pictures down, no more than ``most`` pixels are decoded. Without ``setting`` any face,
    the sizes of texts are those that are known; with ``trusting`` they have to be ``proved``.
    """
    asked = tuple(dict.fromkeys(faces))
    shelf = Templates(tuple(templates))
    elsewhere = more or {}
    styles, problems = find_styles(shelf, (f for f in asked if f.template not in elsewhere))
    for name, path in elsewhere.items():
        styles[name] = shelf.with_file(name, path)
    kept = Cache(cache)
    pictures = read_pictures(asked, root, kept, most)
    fonts = shelf.fonts()
    digest = stable_digest(fonts, kept)
    basis = Basis(styles, tuple(fonts.values()), digest, root, kept)
    notices: list[Problem] = []
    unsure: frozenset[Family] = frozenset()
    trusted: tuple[ProvisionalSizes, ...] = ()
    if setting:
        sizes, notices, trusted = sized(asked, basis, trusting=trusting)
    else:
        sizes, unsure = assumed(asked, basis)
    return RenderJob(
        faces=tuple(dict.fromkeys(sizes.get(face, face) for face in asked)),
        styles=styles,
        fonts=tuple(fonts.values()),
        fonts_digest=digest,
        pictures=pictures.files,
        larger=pictures.larger,
        root=root,
        cache=kept,
        problems=(*problems, *pictures.problems, *notices),
        sized=sizes,
        unsure=unsure,
        trusted=trusted,
    )
