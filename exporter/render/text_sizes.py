"""One size for the texts of all cards of a kind: the largest half point at which each of them fits.

How large each text may be is found by setting its face once, and remembered with everything that it
depends on: who edits a row waits for that row. The longest are asked first; of the others it is
enough to know that they are no smaller, and that is asked of each at one size. Pictures are left
out, as no text stands elsewhere for what a picture shows.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from exporter.core.cache import Cache
from exporter.core.problems import (
    Faults,
    Problem,
    Severity,
    SourceLocation,
    problem_at,
)
from exporter.faces.face import (
    Face,
    Family,
)
from exporter.render.batches import (
    CHUNK,
    alike,
)
from exporter.render.compiler import open_compiler
from exporter.render.face_values import refused
from exporter.render.line_breaks import phrases_digest
from exporter.render.own_pictures import (
    format_of,
    read_picture,
)
from exporter.render.render_keys import keyed
from exporter.render.template_files import Style
from exporter.render.trial_setting import TrialSetting

Sizes: TypeAlias = dict[str, float]
"""By the field of a text, its size in points."""


class Basis(Struct, frozen=True):
    """What the sizes of texts depend on, besides the faces; ``root`` is the game folder."""

    styles: Mapping[str, Style]
    fonts: Sequence[Path]
    fonts_digest: str
    root: Path | None
    cache: Cache


FIRST = 8
"""Faces, the longest, that are asked for their sizes before others are asked to be no smaller."""


class Remembered(Struct):
    """What is known of a family, and of each face by its key: sizes, or what they are at least."""

    faces: dict[str, Sizes] = {}
    sizes: Sizes = {}
    least: dict[str, Sizes] = {}


class _Fits(Struct):
    """The sizes of texts of faces: as they are, or what they are at least."""

    exact: dict[Face, Sizes]
    least: dict[Face, Sizes]

    @property
    def smallest(self) -> Sizes:
        """The sizes at which the texts of all fit, whose sizes are known."""
        return _smallest(self.exact.values())

    def unsure(self, faces: Iterable[Face]) -> list[Face]:
        """Those of which it is not known whether they are any smaller."""
        most = self.smallest
        return [
            face
            for face in faces
            if face not in self.exact
            and not (face in self.least and _all_reach(self.least[face], most))
        ]


def _smallest(many: Iterable[Sizes]) -> Sizes:
    sizes: Sizes = {}
    for each in many:
        for field, size in each.items():
            sizes[field] = min(size, sizes.get(field, size))
    return sizes


def _all_reach(found: Sizes, most: Sizes) -> bool:
    return all(field in most and size >= most[field] for field, size in found.items())


class ProvisionalSizes(Struct, frozen=True):
    """A family whose sizes are those of its longest texts, while faces ``waiting`` are to be set
    with these sizes: each with the face as it was asked for."""

    family: Family
    past: _Past
    fits: _Fits
    sizes: Sizes
    waiting: Mapping[Face, Face]


def sized(
    faces: Iterable[Face], basis: Basis, *, trusting: bool = False
) -> tuple[dict[Face, Face], list[Problem], tuple[ProvisionalSizes, ...]]:
    """For each face of a family the same with the sizes that the family has; and a notice for each
    row by which these are others than the last time.

    If ``trusting``, whoever asks is to set all faces anyway, and says by ``proved`` which fit.
    """
    found: dict[Face, Face] = {}
    problems: list[Problem] = []
    trusted: list[ProvisionalSizes] = []
    for family, asking in _families(faces, basis).items():
        past = _past(family, basis)
        if past.kept is not None:
            found |= _all_with(past.kept.sizes, asking)
            continue
        fits = past.fits
        unsure = fits.unsure(past.keys)
        soon = _to_be_set(unsure, asking, fits) if trusting else []
        waiting = set(soon)
        _ask(fits, [face for face in unsure if face not in waiting], basis, past.icons)
        if not fits.smallest:
            _ask(fits, soon, basis, past.icons)
            soon = []
        own = _all_with(fits.smallest, asking)
        found |= own
        if soon:
            asked_for = {own[face]: face for face in soon}
            trusted.append(ProvisionalSizes(family, past, fits, fits.smallest, asked_for))
        else:
            problems += _settled(family, past, fits, basis)
    return found, problems, tuple(trusted)


def _to_be_set(unsure: Sequence[Face], asking: Iterable[Face], fits: _Fits) -> list[Face]:
    """Those that are asked for anyway, but for the longest, whose sizes are found first."""
    wanted = set(asking)
    if not fits.exact:
        wanted -= set(_longest(unsure)[:FIRST])
    return [face for face in unsure if face in wanted]


def proved(
    trusted: Iterable[ProvisionalSizes], sure: Container[Face], basis: Basis
) -> tuple[bool, list[Problem]]:
    """Whether the sizes hold, of which ``sure`` have been set; what is not among them is asked."""
    hold, problems = True, list[Problem]()
    for each in trusted:
        fits, waiting = each.fits, each.waiting
        fits.least |= {own: each.sizes for face, own in waiting.items() if face in sure}
        others = [own for face, own in waiting.items() if face not in sure]
        _ask(fits, others, basis, each.past.icons)
        hold = hold and fits.smallest == each.sizes
        problems += _settled(each.family, each.past, fits, basis)
    return hold, problems


def assumed(faces: Iterable[Face], basis: Basis) -> tuple[dict[Face, Face], frozenset[Family]]:
    """For each face of a family the same with the sizes that are known, without setting anything;
    and the families that may have others by now: theirs are those of the last time."""
    found: dict[Face, Face] = {}
    unsure = set()
    for family, asking in _families(faces, basis).items():
        past = _past(family, basis)
        if past.kept is None:
            unsure.add(family)
        found |= _all_with((past.kept or past.last).sizes, asking)
    return found, frozenset(unsure)


def _families(faces: Iterable[Face], basis: Basis) -> dict[Family, list[Face]]:
    families: dict[Family, list[Face]] = {}
    for face in faces:
        if face.family is not None and face.template in basis.styles:
            families.setdefault(face.family, []).append(face)
    return families


def _all_with(sizes: Sizes, faces: Iterable[Face]) -> dict[Face, Face]:
    if not sizes:
        return {}
    asked = json.dumps(sizes, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return {face: _with(face, asked) for face in faces}


def _with(face: Face, asked: str) -> Face:
    return replace(face, values=f'{face.values[:-1]},"text_sizes":{asked}}}')


class _Past(Struct):
    """What the cache has of a family: where, its sizes as it is now, and of the last time."""

    keys: dict[Face, str]
    icons: dict[str, bytes]
    whole: str
    latest: str
    kept: Remembered | None
    last: Remembered

    @property
    def fits(self) -> _Fits:
        """What of the faces is known from the last time."""
        exact, least = (
            {face: known[key] for face, key in self.keys.items() if key in known}
            for known in (self.last.faces, self.last.least)
        )
        return _Fits(exact, least)


def _past(family: Family, basis: Basis) -> _Past:
    members = [face for face in family.faces() if face.template in basis.styles]
    icons = _icons(members, basis.root)
    keys = _keys(members, basis, icons)
    whole = "sizes-of-" + _hash(sorted(keys.values()))
    place = str(basis.root and basis.root.resolve())  # the next project may call its folder alike
    latest = f"sizes-last-{_hash([place, family.name])}"
    kept, last = basis.cache.get(whole), basis.cache.get(latest)
    if kept is not None and kept != last:
        basis.cache.put(latest, kept)
    return _Past(
        keys,
        icons,
        whole,
        latest,
        None if kept is None else msgspec.json.decode(kept, type=Remembered),
        msgspec.json.decode(last or b"{}", type=Remembered),
    )


def _settled(family: Family, past: _Past, fits: _Fits, basis: Basis) -> Iterable[Problem]:
    """What is known now is kept; a notice for what is new about it."""
    sizes, keys = fits.smallest, past.keys
    if fits.exact.keys() | fits.least.keys() == keys.keys():
        exact, least = (
            {keys[face]: each for face, each in found.items()} for found in (fits.exact, fits.least)
        )
        now = Remembered(exact, sizes, least)
        for entry in (past.latest, past.whole):
            basis.cache.put(entry, msgspec.json.encode(now))
    return _moved(family, fits, past.last.sizes, sizes)


def _icons(faces: Iterable[Face], root: Path | None) -> dict[str, bytes]:
    """The files of the game that stand in the lines of texts; those that cannot be read are none,
    which painting tells of."""
    names = {name for face in faces for name in face.pictures if f"[={name}]" in face.values}
    found = {name: read_picture(root, name, SourceLocation()) for name in names}
    return {name: data for name, data in found.items() if not isinstance(data, Problem)}


def _keys(faces: Iterable[Face], basis: Basis, icons: Mapping[str, bytes]) -> dict[Face, str]:
    """For each face, everything that the sizes of its texts depend on, as a hash."""
    import typst

    engine = (typst.__version__, phrases_digest())  # type: ignore[attr-defined]
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in icons.items()}

    def like(face: Face) -> Hashable:
        shown = tuple(hashes[name] for name in face.pictures if name in icons)
        return face.template, face.width, face.height, shown

    def digests(face: Face) -> tuple[Any, ...]:
        return engine, (basis.styles[face.template].digest, basis.fonts_digest)

    return keyed(faces, like, digests)


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()


def _longest(faces: Iterable[Face]) -> list[Face]:
    return sorted(faces, key=lambda face: len(face.values), reverse=True)


def _ask(fits: _Fits, faces: Iterable[Face], basis: Basis, icons: Mapping[str, bytes]) -> None:
    """How large the texts may be of faces that are unsure, so that none is any more but those that
    cannot be set, which painting them tells of."""
    waiting = _longest(fits.unsure(faces))
    for face in waiting:
        fits.least.pop(face, None)
    wrong = refused(waiting, basis.styles) if waiting else {}
    waiting = [face for face in waiting if face not in wrong]
    if not waiting:
        return
    pictures = {name: _blank(name) for face in waiting for name in face.pictures}
    pictures.update(icons)
    files = {n: p for face in waiting for n, p in basis.styles[face.template].files.items()}
    with Faults().gathered(), open_compiler(files, pictures, basis.fonts) as ready:
        trial = TrialSetting(ready, "pdf")
        count = CHUNK if fits.exact else FIRST
        while waiting:
            most = fits.smallest
            some, waiting = waiting[:count], waiting[count:]
            count = CHUNK
            found = _found(some, trial, most)
            least = {face: each for face, each in found.items() if _all_reach(each, most)}
            fits.least |= least
            smaller = [face for face in found if face not in least]
            fits.exact |= _found(smaller, trial, {}) if most else {f: found[f] for f in smaller}


def _found(faces: Iterable[Face], trial: TrialSetting, most: Sizes) -> dict[Face, Sizes]:
    """How large the texts of each face may be, up to ``most``; none of those that cannot be set."""
    sought = json.dumps({"sought": most}, ensure_ascii=False)
    asking = {_with(face, sought): face for face in faces}
    found: dict[Face, Sizes] = {}
    for group in alike(asking):
        for some, pages in trial.pages(group, ""):
            found |= {asking[face]: {} for face in some}
            for finding in pages.sizes:
                sizes = found[asking[some[finding.face]]]
                field, size = finding.what["field"], finding.what["size"]
                sizes[field] = min(size, sizes.get(field, size))
    return found


def _blank(name: str) -> bytes:
    from PIL import Image

    if name.lower().endswith(".svg"):
        return b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
    stream = io.BytesIO()
    Image.new("L", (1, 1)).save(stream, format_of(name))
    return stream.getvalue()


def _moved(family: Family, fits: _Fits, before: Sizes, now: Sizes) -> Iterable[Problem]:
    """A notice for each text that has another size than before, at the row that decides it."""
    count = Counter(field for each in (fits.exact | fits.least).values() for field in each)
    for field, size in now.items():
        if before.get(field, size) != size:
            row = next(face for face, each in fits.exact.items() if each.get(field) == size)
            yield problem_at(
                row.where,
                "TEXT-SIZE",
                "moved",
                severity=Severity.NOTICE,
                field=field,
                kind=family.name.partition(" ")[0],
                count=count[field],
                size=f"{size:g}",
                before=f"{before[field]:g}",
            )
