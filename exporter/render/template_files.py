"""Find the files behind a face: its style's folder, what all styles share, and the fonts.

``templates/faces/<style>/<name>.typ`` may use its own folder, those that it imports from, and the
files beside the style folders (``lib.typ``): so a change in one style paints no other style anew.

Typst draws a character that no font has as an empty box and says nothing. The fonts' character
maps tell which those are; that one of them is really *drawn* as text, and not shown as an icon
by the template, only the typeset page can tell (see ``engine-pages.typ``).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import typst
from msgspec import Struct

from exporter.core.cache import DiskCache
from exporter.core.problems import (
    Problem,
    SourceLocation,
    error_at,
    nearest,
    problem_at,
)
from exporter.core.reading_limits import MIB
from exporter.core.shipped_files import shipped
from exporter.faces.card_faces import Face
from exporter.faces.icons import icon_fonts
from exporter.faces.style_values import leads_inside
from exporter.render.line_breaks import phrases_version
from exporter.render.typesetter import sandbox_problems, style_name

_VARIATION_SELECTORS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}


@lru_cache(maxsize=4)
def covered(fonts: tuple[Path, ...], digest: str) -> frozenset[int]:
    """Return the code points of all ``fonts`` together, whose contents ``digest`` stands for."""
    from fontTools.ttLib import TTFont

    found: set[int] = set()
    for path in fonts:
        try:
            with TTFont(path, lazy=True, fontNumber=0) as font:
                # The glyphs' names are not needed, and reading them takes half the time.
                font.setGlyphOrder([""] * font["maxp"].numGlyphs)
                found |= set(font.getBestCmap() or ())
        except Exception as error:  # whatever the table's reader stumbles over
            raise error_at(
                SourceLocation(str(path)), "FACE-TEMPLATE", "font-cannot-read", error=error
            ) from None
    return frozenset(found)


def uncovered(texts: Iterable[str], covered: frozenset[int]) -> str:
    """Return the visible characters of ``texts`` that no font has, sorted."""
    characters = set().union(*texts)
    return "".join(
        sorted(
            character
            for character in characters
            if ord(character) not in covered
            and ord(character) not in _VARIATION_SELECTORS
            and unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp")
        )
    )


_FONTS, _FONT_FILES = "fonts", (".ttf", ".otf", ".ttc")

# The folder of another style from which a template imports.
_NEIGHBOUR = re.compile(r'^#import "\.\./([a-z][a-z0-9_-]*)/', re.MULTILINE)

# Of all files of a style, or all fonts: a font of all Chinese characters may have 20 MiB.
MOST_BYTES = 128 * MIB

# Raised when this package paints the same values differently, so that no cache keeps the old.
VERSION = 4


class Style(Struct, frozen=True, dict=True):
    """Everything that decides how the faces of one style look, besides their values."""

    files: Mapping[str, Path]
    digest: str

    @cached_property
    def text(self) -> str:
        """All that the style's Typst files say, for a look at its characters."""
        paths = [path for name, path in self.files.items() if name.endswith(".typ")]
        return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in paths)


class Materials(Struct, frozen=True, dict=True):
    """What faces are set with, besides their values; ``root`` is the game folder."""

    styles: Mapping[str, Style]
    fonts: Sequence[Path]
    fonts_digest: str
    root: Path | None
    cache: DiskCache

    @property
    def files(self) -> dict[str, Path]:
        """The files that a compiler needs to set them."""
        return {name: path for style in self.styles.values() for name, path in style.files.items()}

    @cached_property
    def covered(self) -> frozenset[int]:
        """The characters that the fonts have."""
        return covered(tuple(self.fonts), self.fonts_digest)


def face_keys(
    faces: Iterable[Face], materials: Materials, pictures: Mapping[str, str]
) -> dict[Face, str]:
    """Return for each face everything that its look depends on, as a hash: the cache's key.

    Whatever changes it invalidates the picture. ``pictures`` are hashes of those that faces show,
    by name.
    """
    import PIL

    engine = typst.__version__  # type: ignore[attr-defined]
    painter = (VERSION, engine, PIL.__version__, phrases_version(), materials.fonts_digest)
    keys = {}
    for face in faces:
        style = materials.styles[face.template].digest
        look = (face.template, face.width, face.height, face.scale)
        shown = tuple((name, pictures.get(name)) for name in face.pictures)
        text = f"{painter} {style} {look} {shown}\n{face.values}"
        keys[face] = hashlib.sha256(text.encode()).hexdigest()
    return keys


class Templates(Struct, frozen=True, dict=True):
    """Folders of face templates; where two hold the same file, the first one's counts."""

    folders: tuple[Path, ...]

    def fonts(self) -> dict[str, Path]:
        """Return the font files, the only ones that are used, with those of icons."""
        own = {
            name: path
            for name, path in self._overlaid(_FONTS).items()
            if name.lower().endswith(_FONT_FILES)
        }
        return own | icon_fonts()

    @cached_property
    def fonts_digest(self) -> str:
        """The digest of the fonts as they were when it was first asked for."""
        return digest(self.fonts())

    def style(self, name: str) -> Style:
        """Return the files of a style's folder, of those it imports from, and the shared ones."""
        files, waiting = self._overlaid(""), [name] if name else []
        while waiting:
            own = self._overlaid(waiting.pop())
            paths = [path for path in own.values() if path.suffix == ".typ"]
            files |= own
            texts = (path.read_text(encoding="utf-8", errors="replace") for path in paths)
            others = {other for text in texts for other in _NEIGHBOUR.findall(text)}
            waiting += sorted(f for f in others if not any(n.startswith(f + "/") for n in files))
        return Style(files, digest(files))

    def known(self) -> list[str]:
        """List every template, for a message that names the nearest."""
        files = ((f, p) for f in self.folders for p in f.glob("*/*.typ") if p.is_file())
        return sorted({path.relative_to(folder).as_posix() for folder, path in files})

    def _overlaid(self, name: str) -> dict[str, Path]:
        """Return files below the folder ``name``; of the topmost one only those directly in it."""
        found = {}
        for folder in reversed(self.folders):
            paths = (folder / name).rglob("*") if name else folder.glob("*")
            for path in paths:
                if path.is_file() and not path.name.startswith("."):
                    found[path.relative_to(folder).as_posix()] = path
        return dict(sorted(found.items()))


def digest(files: Mapping[str, Path]) -> str:
    """Hash names and contents. Raises ``InvalidSource`` for a file that cannot be read."""
    total, left = hashlib.sha256(), MOST_BYTES
    for name, path in files.items():
        where = SourceLocation(str(path))
        try:
            left -= path.stat().st_size
            if left < 0:
                most = MOST_BYTES // MIB
                raise error_at(where, "FACE-TEMPLATE", "template-files-large", most=most)
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        except OSError as error:
            key, strerror = "template-file-cannot", error.strerror or error
            raise error_at(where, "FACE-TEMPLATE", key, strerror=strerror) from None
        total.update(f"{name}\n{content}\n".encode())
    return total.hexdigest()


@lru_cache(maxsize=1)
def program_digest() -> str:
    """Hash the program's own modules, its templates of rooms and its words, which stay while it
    runs."""
    modules = Path(__file__).parents[1].rglob("*.py")
    templates = shipped("templates")
    paths = sorted((*modules, *(templates / "udonarium").iterdir(), templates / "words.json"))
    return digest({str(path): path for path in paths})


def find_styles(
    templates: Templates, faces: Iterable[Face]
) -> tuple[dict[str, Style], list[Problem]]:
    """Find the style of each face's template; problems of those that are missing or unsafe."""
    folders: dict[str, tuple[Style, list[Problem]]] = {}
    styles: dict[str, Style] = {}
    problems: list[Problem] = []
    for template, where in {face.template: face.where for face in faces}.items():
        name = style_name(template)
        if name not in folders and leads_inside(template):
            style = templates.style(name)
            folders[name] = style, list(sandbox_problems(style.files))
            problems += folders[name][1]
        if name in folders and template in folders[name][0].files:
            style, reaching = folders[name]
            styles |= {} if reaching else {template: style}
            continue
        near = nearest(template, templates.known())
        problems.append(
            problem_at(where, "FACE-TEMPLATE", "no-face-template", template=template, nearest=near)
        )
    return styles, problems
