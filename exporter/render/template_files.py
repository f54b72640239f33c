"""The files behind a face: its style's folder, what all styles share, and the fonts.

``templates/faces/<style>/<name>.typ`` may use its own folder and the files beside the style
folders (``lib.typ``), nothing else: so a change in one style paints no other style anew.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath

from msgspec import Struct

from exporter.core.cache import Cache
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    nearest,
    problem_at,
)
from exporter.core.reading_limits import MIB
from exporter.faces.card_faces import Face
from exporter.render.sandbox import unsealed
from exporter.render.typesetter import style_name

_FONTS = "fonts"

MOST_BYTES = 128 * MIB
"""Of all files of a style, or all fonts: a font of all Chinese characters may have 20 MiB."""

SETTLED = 3
"""Seconds, more than any file system's clock is coarse."""


class Style(Struct, frozen=True, dict=True):
    """Everything that decides how the faces of one style look, besides their values."""

    files: Mapping[str, Path]
    digest: str

    @cached_property
    def text(self) -> str:
        """All that the style's Typst files say, for a look at its characters."""
        paths = [path for name, path in self.files.items() if name.endswith(".typ")]
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in paths)


class Templates(Struct, frozen=True):
    """Folders of face templates; where two hold the same file, the first one's counts."""

    folders: tuple[Path, ...]

    def fonts(self) -> dict[str, Path]:
        """The font files, the only ones that are used."""
        return {name: path for name, path in self._overlaid(_FONTS).items() if _is_font(name)}

    def style(self, name: str) -> Style:
        """The files of a style's folder and those that all styles share."""
        files = self._overlaid("") | (self._overlaid(name) if name else {})
        return Style(files, digest(files))

    def with_file(self, name: str, path: Path) -> Style:
        """The files that all styles share, and one that stands elsewhere."""
        files = self._overlaid("") | {name: path}
        return Style(files, digest(files))

    def known(self) -> list[str]:
        """Every template, for a message that names the nearest."""
        files = ((f, p) for f in self.folders for p in f.glob("*/*.typ") if p.is_file())
        return sorted({path.relative_to(folder).as_posix() for folder, path in files})

    def _overlaid(self, name: str) -> dict[str, Path]:
        """Files below the folder ``name``; of the topmost folder only those directly in it."""
        found = {}
        for folder in reversed(self.folders):
            paths = (folder / name).rglob("*") if name else folder.glob("*")
            for path in paths:
                if path.is_file() and not path.name.startswith("."):
                    found[path.relative_to(folder).as_posix()] = path
        return dict(sorted(found.items()))


def digest(files: Mapping[str, Path]) -> str:
    """A hash of names and contents. Raises ``InvalidSource`` for a file that cannot be read."""
    total, left = hashlib.sha256(), MOST_BYTES
    for name, path in files.items():
        where = SourceLocation(str(path))
        try:
            left -= path.stat().st_size
            if left < 0:
                most = MOST_BYTES // MIB
                problem = problem_at(where, "FACE-TEMPLATE", "template-files-large", most=most)
                raise InvalidSource([problem])
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            strerror = error.strerror or error
            problem = problem_at(where, "FACE-TEMPLATE", "template-file-cannot", strerror=strerror)
            raise InvalidSource([problem]) from None
        total.update(f"{name}\n{content}\n".encode())
    return total.hexdigest()


def stable_digest(files: Mapping[str, Path | str], cache: Cache) -> str:
    """The ``digest`` of files that are large and hardly ever change, such as fonts.

    They are read once; then they are known by place, size and times, as version control knows
    files. What changed in the last seconds may change again within the clock's tick, and is read.
    """
    try:
        stats = [os.stat(path) for path in files.values()]
    except OSError:
        return digest(_paths(files.items()))
    if any(time.time() - max(s.st_mtime, s.st_ctime) <= SETTLED for s in stats):
        return digest(_paths(files.items()))
    marks = tuple((s.st_dev, s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for s in stats)
    places = tuple((name, str(path)) for name, path in files.items())
    key = "files-" + hashlib.sha256(repr((places, marks)).encode()).hexdigest()
    kept = cache.get(key)
    if kept is not None:
        return kept.decode()
    found = _settled_digest(places, marks)
    cache.put(key, found.encode())
    return found


@lru_cache(maxsize=8)
def _settled_digest(places: tuple[tuple[str, str], ...], marks: Hashable) -> str:
    """The ``digest`` of files at their places, which have these sizes and times."""
    return digest(_paths(places))


def _paths(files: Iterable[tuple[str, Path | str]]) -> dict[str, Path]:
    return {name: Path(path) for name, path in files}


def find_styles(
    templates: Templates, faces: Iterable[Face]
) -> tuple[dict[str, Style], list[Problem]]:
    """The style of each face's template; what is wrong with those that are missing or unsafe."""
    folders: dict[str, Style] = {}
    reaching: dict[str, list[Problem]] = {}
    styles: dict[str, Style] = {}
    problems: list[Problem] = []
    for template, where in {face.template: face.where for face in faces}.items():
        name = style_name(template)
        if name not in folders and leads_inside(template):
            folders[name] = templates.style(name)
            reaching[name] = list(unsealed(folders[name].files))
            problems += reaching[name]
        if name in folders and template in folders[name].files:
            if not reaching[name]:
                styles[template] = folders[name]
        else:
            problems.append(
                problem_at(
                    where,
                    "FACE-TEMPLATE",
                    "no-face-template",
                    template=template,
                    nearest=nearest(template, templates.known()),
                )
            )
    return styles, problems


def leads_inside(template: str) -> bool:
    """A game's data name templates, and may come from a stranger."""
    path = PurePosixPath(template)
    return not path.is_absolute() and ".." not in path.parts and not set(template) & set("\\:\0")


def _is_font(name: str) -> bool:
    return name.lower().endswith((".ttf", ".otf", ".ttc"))
