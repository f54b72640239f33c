"""Find faces with everything that they depend on, before any of them is set or painted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from exporter.core.cache import Cache
from exporter.core.problems import Problem
from exporter.faces.card_faces import Face
from exporter.faces.face import SizeGroup
from exporter.render.own_pictures import (
    Picture,
    load_pictures,
    read_pictures,
)
from exporter.render.template_files import (
    Materials,
    Templates,
    face_keys,
    find_styles,
)
from exporter.render.text_sizes import (
    find_sizes,
    known_sizes,
)
from exporter.render.typeset_faults import refused


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

    def of(self, faces: Iterable[Face]) -> RenderJob:
        """Return a job of some of the faces, with what all depend on."""
        return replace(self, faces=tuple(faces), problems=(), sized={})

    @cached_property
    def sound(self) -> tuple[Face, ...]:
        """The faces of which everything is there."""
        return tuple(
            face
            for face in self.faces
            if face.template in self.styles and self.pictures.keys() >= set(face.pictures)
        )

    def drawable(self, faces: Iterable[Face]) -> tuple[list[Face], dict[str, bytes], list[Problem]]:
        """Separate faces that can be set, and the pictures that they show, from problems of the
        others: their values and pictures."""
        asked = list(faces)
        wrong = refused(asked, self.styles)
        right = [face for face in asked if face not in wrong]
        good, shown, broken = load_pictures(right, self.pictures, self.root)
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
    more: Mapping[str, Path] | None = None,
    *,
    setting: bool = True,
) -> RenderJob:
    """Return the distinct faces with all that they depend on; what is wrong is in ``problems``.

    ``templates`` are folders such as ``templates/faces``, the first that has a file wins; ``root``
    is the game folder; ``more`` are templates that stand elsewhere, by the names that faces use.
    The sizes of texts are found by setting the cards of a kind, which the cache keeps; without
    ``setting`` they are those that it has. Raises ``InvalidSource`` for unreadable templates.
    """
    asked = tuple(dict.fromkeys(faces))
    shelf = Templates(tuple(templates))
    elsewhere = more or {}
    styles, problems = find_styles(shelf, (f for f in asked if f.template not in elsewhere))
    for name, path in elsewhere.items():
        styles[name] = shelf.with_file(name, path)
    kept = Cache(cache)
    pictures, missing = read_pictures(asked, root)
    fonts = tuple(shelf.fonts().values())
    materials = Materials(styles, fonts, shelf.fonts_digest(), root, kept)
    notices: list[Problem] = []
    unsure: frozenset[SizeGroup] = frozenset()
    if setting:
        sizes, notices = find_sizes(asked, materials)
    else:
        sizes, unsure = known_sizes(asked, materials)
    return RenderJob(
        styles,
        fonts,
        materials.fonts_digest,
        root,
        kept,
        faces=tuple(dict.fromkeys(sizes.get(face, face) for face in asked)),
        pictures=pictures,
        problems=(*problems, *missing, *notices),
        sized=sizes,
        unsure=unsure,
    )
