"""One size for the texts of all cards of a kind: the largest half point at which each of them fits.

How large each text may be is found by setting its face once, and remembered with everything that it
depends on: who edits a row waits for that row. Pictures are left out, as no text stands elsewhere
for what a picture shows.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from exporter.cache import Cache
from exporter.face import Face, Family
from exporter.paint.batches import CHUNK, alike
from exporter.paint.keys import keyed
from exporter.paint.own import read_picture
from exporter.paint.phrases import phrases_digest
from exporter.paint.press import press
from exporter.paint.templates import Style
from exporter.paint.trial import Trial
from exporter.paint.values import refused
from exporter.problems import Faults, Problem, Severity, Where, told

Sizes: TypeAlias = dict[str, float]
"""By the field of a text, its size in points."""


class Basis(Struct, frozen=True):
    """What the sizes of texts depend on, besides the faces; ``root`` is the game folder."""

    styles: Mapping[str, Style]
    fonts: Sequence[Path]
    fonts_digest: str
    root: Path | None
    cache: Cache


class Remembered(Struct):
    """What is known of a family: of each face by its key, and of all."""

    faces: dict[str, Sizes] = {}
    sizes: Sizes = {}


def sized(faces: Iterable[Face], basis: Basis) -> tuple[dict[Face, Face], list[Problem]]:
    """For each face of a family the same with the sizes that the family has; and a notice for each
    row by which these are others than the last time."""
    found: dict[Face, Face] = {}
    problems: list[Problem] = []
    for family, asking in _families(faces, basis).items():
        sizes, notices = _sizes_of(family, basis)
        problems += notices
        found |= _all_with(sizes, asking)
    return found, problems


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


def _past(family: Family, basis: Basis) -> _Past:
    members = [face for face in family.faces() if face.template in basis.styles]
    icons = _icons(members, basis.root)
    keys = _keys(members, basis, icons)
    whole = "sizes-of-" + _hash(sorted(keys.values()))
    latest = f"sizes-last-{_hash([str(basis.root), family.name])}"
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


def _sizes_of(family: Family, basis: Basis) -> tuple[Sizes, list[Problem]]:
    past = _past(family, basis)
    if past.kept is not None:
        return past.kept.sizes, []
    known, keys = past.last, past.keys
    fits = {face: known.faces[key] for face, key in keys.items() if key in known.faces}
    fits |= _found([face for face in keys if face not in fits], basis, past.icons)
    sizes: Sizes = {}
    for each in fits.values():
        for field, size in each.items():
            sizes[field] = min(size, sizes.get(field, size))
    if len(fits) == len(keys):
        now = Remembered({keys[face]: each for face, each in fits.items()}, sizes)
        for entry in (past.latest, past.whole):
            basis.cache.put(entry, msgspec.json.encode(now))
    return sizes, list(_moved(family, fits, known.sizes, sizes))


def _icons(faces: Iterable[Face], root: Path | None) -> dict[str, bytes]:
    """The files of the game that stand in the lines of texts; those that cannot be read are none,
    which painting tells of."""
    names = {name for face in faces for name in face.pictures if f"[={name}]" in face.values}
    found = {name: read_picture(root, name, Where()) for name in names}
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


def _found(faces: Sequence[Face], basis: Basis, icons: Mapping[str, bytes]) -> dict[Face, Sizes]:
    """How large the texts of each face may be; nothing of those that cannot be set, which painting
    them tells of."""
    wrong = refused(faces, basis.styles) if faces else {}
    asking = {_with(face, '"find"'): face for face in faces if face not in wrong}
    if not asking:
        return {}
    found: dict[Face, Sizes] = {}
    pictures = {name: _blank(name) for face in asking for name in face.pictures}
    pictures.update(icons)
    files = {n: p for face in asking for n, p in basis.styles[face.template].files.items()}
    with Faults().gathered(), press(files, pictures, basis.fonts) as ready:
        trial = Trial(ready, "pdf")
        for group in alike(asking):
            for start in range(0, len(group), CHUNK):
                for some, pages in trial.pages(group[start : start + CHUNK], ""):
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
    form = {"jpg": "JPEG", "jpeg": "JPEG", "webp": "WEBP"}.get(name.rpartition(".")[2].lower())
    Image.new("L", (1, 1)).save(stream, form or "PNG")
    return stream.getvalue()


def _moved(
    family: Family, fits: Mapping[Face, Sizes], before: Sizes, now: Sizes
) -> Iterable[Problem]:
    """A notice for each text that has another size than before, at the row that decides it."""
    count = Counter(field for each in fits.values() for field in each)
    for field, size in now.items():
        if before.get(field, size) != size:
            row = next(face for face, each in fits.items() if each.get(field) == size)
            yield told(
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
