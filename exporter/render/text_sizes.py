"""Find how far the texts of a kind's cards shrink: to the largest half point at which each fits.

All cards of a kind have one size a field. A text alone shrinks in ``fitted`` of
``templates/faces/lib.typ``, which is asked for sizes here too.

What fits on a face is found by setting it once, and kept with everything that it depends on: who
edits a row waits for that row. Pictures are left out, as no text stands elsewhere for what a
picture shows.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from exporter.core import grouped
from exporter.core.problems import (
    Faults,
    Problem,
    SourceLocation,
    notice_at,
)
from exporter.faces.card_faces import (
    Face,
    SizeGroup,
    canonical,
)
from exporter.render.batches import (
    CHUNK,
    TrialSetting,
    alike,
)
from exporter.render.own_pictures import (
    blank,
    read_picture,
)
from exporter.render.template_files import (
    Materials,
    face_keys,
)
from exporter.render.typeset_faults import refused_faces
from exporter.render.typesetter import open_compiler

# By the field of a text, its size in points.
Sizes: TypeAlias = dict[str, float]


class GroupSizes(Struct):
    """What is known of a group: of each member, by its key, what fits; and its ``last`` sizes.

    ``icons`` are the files that stand in its texts or give them their places.
    """

    group: SizeGroup
    materials: Materials
    icons: Mapping[str, bytes]
    keys: Mapping[Face, str]
    fits: dict[Face, Sizes]
    entry: str
    last: Sizes

    @property
    def sizes(self) -> Sizes:
        """The sizes at which the texts of all fit that are known."""
        return _smallest(self.fits.values())

    @property
    def unsure(self) -> list[Face]:
        """The members of which it is not known what fits on them."""
        return [face for face in self.keys if face not in self.fits]

    def keep(self, found: Mapping[Face, Sizes]) -> None:
        """Remember what fits, also for another time."""
        self.fits |= found
        for face, sizes in found.items():
            self.materials.cache.put(_entry(self.keys[face]), msgspec.json.encode(sizes))

    def keep_last(self) -> None:
        """Remember the sizes, for a notice when they change."""
        if self.sizes != self.last and not self.unsure:
            self.materials.cache.put(self.entry, msgspec.json.encode(self.sizes))

    def changes(self) -> Iterable[Problem]:
        """Yield a notice for each text whose size is another than the last time."""
        sizes = self.sizes
        count = Counter(field for fit in self.fits.values() for field in fit)
        for field, size in sizes.items():
            if self.last.get(field, size) != size:
                row = next(face for face, fit in self.fits.items() if fit.get(field) == size)
                yield notice_at(
                    row.where,
                    "TEXT-SIZE",
                    "moved",
                    field=field,
                    kind=self.group.name.partition(" ")[0],
                    count=count[field],
                    size=f"{size:g}",
                    before=f"{self.last[field]:g}",
                )


def _smallest(many: Iterable[Sizes]) -> Sizes:
    sizes: Sizes = {}
    for each in many:
        for field, size in each.items():
            sizes[field] = min(size, sizes.get(field, size))
    return sizes


def find_sizes(
    faces: Iterable[Face], materials: Materials, *, setting: bool
) -> tuple[dict[Face, Face], list[Problem], frozenset[SizeGroup]]:
    """Map each face of a group to the same with the sizes that the group has.

    Returns a notice for each size that is another than the last time, too. Without ``setting``
    nothing is set to find them, and groups are returned that may have other sizes by now: theirs
    are those of the last time.
    """
    found: dict[Face, Face] = {}
    problems: list[Problem] = []
    provisional = set()
    for group, members in _size_groups(faces, materials).items():
        own = _known_sizes(group, materials)
        unsure, sizes = own.unsure, own.sizes
        if unsure and setting:
            _ask(own, unsure)
            sizes = own.sizes
            problems += own.changes()
        elif unsure:
            sizes = own.last
            provisional.add(group)
        own.keep_last()
        found |= _all_with(sizes, members)
    return found, problems, frozenset(provisional)


def _size_groups(faces: Iterable[Face], materials: Materials) -> dict[SizeGroup, list[Face]]:
    groups = grouped(
        (face for face in faces if face.template in materials.styles), lambda face: face.size_group
    )
    return {group: alike for group, alike in groups.items() if group is not None}


def _all_with(sizes: Sizes, faces: Iterable[Face]) -> dict[Face, Face]:
    if not sizes:
        return {}
    text = canonical(sizes)
    return {face: _with(face, text) for face in faces}


def _with(face: Face, sizes: str) -> Face:
    return replace(face, values=f'{face.values[:-1]},"text_sizes":{sizes}}}')


def _entry(key: str) -> str:
    return f"{key}-fits"


def _known_sizes(group: SizeGroup, materials: Materials) -> GroupSizes:
    members = [face for face in group.faces() if face.template in materials.styles]
    icons = _icons(members, materials)
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in icons.items()}
    keys = face_keys(members, materials, hashes)
    kept = ((face, materials.cache.get(_entry(key))) for face, key in keys.items())
    fits = {face: msgspec.json.decode(data, type=Sizes) for face, data in kept if data is not None}
    root = materials.root and materials.root.resolve()  # the next project may call its folder alike
    place = json.dumps([str(root), group.name])
    entry = f"last-sizes-{hashlib.sha256(place.encode()).hexdigest()}"
    last = msgspec.json.decode(materials.cache.get(entry) or b"{}", type=Sizes)
    return GroupSizes(group, materials, icons, keys, fits, entry, last)


def _icons(faces: Iterable[Face], materials: Materials) -> dict[str, bytes]:
    """Read the files that texts are as large as: in their lines, and frames with places for them.
    Painting reports those it cannot read."""
    names = {
        name
        for face in faces
        for name in face.pictures
        if f"[={name}]" in face.values or f'"frame":"{name}"' in face.values
    }
    found = {name: read_picture(materials.root, name, SourceLocation()) for name in names}
    return {name: data for name, data in found.items() if not isinstance(data, Problem)}


def _ask(own: GroupSizes, faces: Sequence[Face]) -> None:
    """Find out how large the texts of some members may be.

    Nothing is found of faces that cannot be set, which painting them reports.
    """
    styles, wrong = own.materials.styles, refused_faces(faces, own.materials.styles)
    asked = [face for face in faces if face not in wrong]
    pictures = {**{name: blank(name) for face in asked for name in face.pictures}, **own.icons}
    files = {n: p for face in asked for n, p in styles[face.template].files.items()}
    with Faults().collect(), open_compiler(files, pictures, own.materials.fonts) as compiler:
        trial = TrialSetting(compiler, "draft")
        for start in range(0, len(asked), CHUNK):
            own.keep(_found(asked[start : start + CHUNK], trial))


def _found(faces: Sequence[Face], trial: TrialSetting) -> dict[Face, Sizes]:
    """Find how large the texts of each face may be, if it can be set."""
    asking = {_with(face, '"largest"'): face for face in faces}
    found: dict[Face, Sizes] = {}
    for group in alike(asking):
        for some, pages in trial.pages(group, ""):
            found |= {asking[face]: {} for face in some}
            for finding in pages.report["sizes"]:
                sizes = found[asking[some[finding.face]]]
                field, size = finding.what["field"], finding.what["size"]
                sizes[field] = min(size, sizes.get(field, size))
    return found
