"""Faces set as pages by Typst, and what Typst says of them in the words of its report.

Everything a run needs is laid into one folder of its own, the only one that templates can see.
A process that has used Typst must not fork afterwards: use threads or spawn.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    problem_at,
)
from exporter.core.temporary import (
    SHARED_MEMORY,
    live_folder,
)
from exporter.faces.face import Face
from exporter.render.line_breaks import phrases

if TYPE_CHECKING:
    from typst import Compiler, Fonts

_MAIN = Path(__file__).with_name("engine-pages.typ")
_EMPTY = Path(__file__).with_name("engine-empty.typ")

_SMALL = 4 * 1024 * 1024

MILLIMETRES_PER_INCH = 25.4


class TypstFault(Struct, frozen=True):
    """Something that Typst objects to, and where in which template file."""

    message: str
    hint: str
    where: SourceLocation


MORE_PAGES = "more-than-one-page"
"""What is wrong with a face that fills several; all other faults are in the words of Typst."""


class TemplateFault(Exception):
    """A template cannot draw what it was given."""

    def __init__(self, faults: tuple[TypstFault, ...]) -> None:
        self.faults = faults
        super().__init__("; ".join(fault.message for fault in faults))


class Finding(Struct, frozen=True):
    """What a template, or the page around it, reports of the face with this number."""

    face: int
    what: Any


class Pages(Struct, frozen=True):
    """What came of one compilation: a PNG for each face, or one PDF with a page for each.

    ``sizes`` are those of texts whose largest was to be found, ``unsure`` texts of a given size
    that may be found to have a smaller one.
    """

    files: list[bytes]
    overflow: list[Finding]
    glyphs: list[Finding]
    pictures: list[Finding]
    sizes: list[Finding]
    unsure: list[Finding]
    warnings: tuple[TypstFault, ...]


class Press(Struct, frozen=True):
    """A compiler, and the folder it works in."""

    compiler: Compiler
    folder: Path
    files: Mapping[str, Path]

    def set_pages(
        self,
        template: str,
        faces: Sequence[Face],
        *,
        unknown: str = "",
        form: Literal["png", "pdf"] = "png",
    ) -> Pages:
        """The faces, all of ``template`` and of one size and scale, as pages in their order.

        ``unknown`` are characters that no font has: where one of them is set, the pages'
        ``glyphs`` say so. No faces at all try whether the template can be read.
        Raises ``TemplateFault``.
        """
        import typst

        first = faces[0] if faces else Face(template, "{}", 1, 1, 1)
        inputs = {
            "template": "/" + template,
            "width": repr(float(first.width)),
            "height": repr(float(first.height)),
            "faces": "[" + ",".join(face.values for face in faces) + "]",
            "unknown": _pattern(unknown),
            "phrases": json.dumps(phrases(face.values for face in faces), ensure_ascii=False),
            "pictures": "yes" if any(face.pictures for face in faces) else "",
        }
        forget()
        try:
            made, warnings = self.compiler.compile_with_warnings(
                format=form,
                ppi=first.scale * MILLIMETRES_PER_INCH,
                sys_inputs=inputs,
                timestamp=0,
                # Faces become parts of other pages: tags would point into the void.
                pdf_tags=False,
            )
            report = json.loads(self.compiler.query("<engine-report>", field="value", one=True))
        except typst.TypstError as error:
            raise TemplateFault(self._faults(template, error.diagnostic)) from None
        files = [file for file in (made if isinstance(made, list) else [made]) if file]
        if report["pages"] != max(len(faces), 1):
            where = SourceLocation(str(self.files[template]))
            fault = TypstFault(MORE_PAGES, "", where)
            raise TemplateFault((fault,))
        return Pages(
            files=files,
            overflow=_findings(report["overflow"]),
            glyphs=_findings(report["glyphs"]),
            pictures=_findings(report["pictures"]),
            sizes=_findings(report["sizes"]),
            unsure=_findings(report["unsure"]),
            warnings=tuple(
                fault
                for warning in warnings
                for fault in self._faults(template, warning.diagnostic)
            ),
        )

    def _faults(self, template: str, diagnostic: str) -> tuple[TypstFault, ...]:
        blocks = re.split(r"^(?:error|warning): ", diagnostic, flags=re.MULTILINE)[1:]
        return tuple(self._fault(template, block) for block in blocks)

    def _fault(self, template: str, block: str) -> TypstFault:
        """The innermost place in the style's own files counts, where there is one.

        Typst counts columns from 0.
        """
        message = block.partition("\n")[0].strip()
        hint = " ".join(found.strip() for found in re.findall(r"^\s*= hint: (.*)", block, re.M))
        places = []
        for path, line, column in re.findall(r"┌─ (.+):(\d+):(\d+)", block):
            name = path.replace("\\", "/").partition(self.folder.name + "/")[2]
            if name in self.files:
                places.append(
                    (name, SourceLocation(str(self.files[name]), int(line), int(column) + 1))
                )
        own = [where for name, where in places if style_name(name) == style_name(template)]
        anywhere = [where for _, where in places]
        fallback = SourceLocation(str(self.files[template]))
        where = (own or anywhere or [fallback])[0]
        return TypstFault(self._without_folder(message), self._without_folder(hint), where)

    def _without_folder(self, text: str) -> str:
        return re.sub(r"\S*" + re.escape(self.folder.name) + r"[/\\]", "", text)


def forget() -> None:
    """Have Typst drop what it remembers of documents set before: memory holds one and not eleven.

    It drops what ten compilations in a row did not use; these are empty (0.05 ms each).
    """
    for _ in range(11):
        _idle().compile(format="svg")


@lru_cache(maxsize=1)
def _idle() -> Compiler:
    import typst

    none = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False)
    return typst.Compiler(str(_EMPTY), font_paths=none, ignore_system_fonts=True)


def style_name(template: str) -> str:
    """The style folder of a template, e.g. ``plain`` for ``plain/card.typ``."""
    parts = PurePosixPath(template).parts
    return parts[0] if len(parts) > 1 else ""


def _pattern(characters: str) -> str:
    codes = "".join(f"\\x{{{ord(character):x}}}" for character in characters)
    return f"[{codes}]" if codes else ""


def _findings(report: list[dict[str, Any]]) -> list[Finding]:
    return [Finding(found["page"] - 1, found["what"]) for found in report]


_Marked: TypeAlias = tuple[tuple[str, tuple[tuple[str, int, int], ...]], ...]
"""Folders, each with the place, size and time of every file in it."""


def _marked(folders: Sequence[str]) -> _Marked:
    return tuple((folder, tuple(sorted(_files(Path(folder))))) for folder in folders)


def _files(folder: Path) -> Iterator[tuple[str, int, int]]:
    for path in filter(Path.is_file, folder.rglob("*")):
        found = path.stat()
        yield str(path), found.st_size, found.st_mtime_ns


def fonts_of(folders: Sequence[str]) -> Fonts:
    """The fonts of folders: who asks after the first of a process need not read them again."""
    return _fonts(_marked(folders))


@lru_cache(maxsize=2)
def _fonts(folders: _Marked) -> Fonts:
    import typst

    return typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=[folder for folder, _files in folders],
    )


def press_in(folder: Path, files: Mapping[str, Path], fonts: Sequence[str]) -> Press:
    """A press that works in a folder of what is ``laid_out``; ``fonts`` are folders of fonts."""
    import typst

    shipped = fonts_of(fonts)
    nowhere = folder / "no-packages"
    compiler = typst.Compiler(
        str(folder / _MAIN.name),
        root=folder,
        font_paths=shipped,
        ignore_system_fonts=True,
        package_path=nowhere,
        package_cache_path=nowhere,
    )
    return Press(compiler, folder, files)


def _memory(contents: Mapping[str, bytes]) -> str | None:
    """A place that is no disk for some small files; none where the system or TMPDIR has another.

    Sixty files made and removed take some 20 ms on a disk, 3 ms in memory.
    """
    small = sum(map(len, contents.values())) < _SMALL
    return (
        SHARED_MEMORY
        if small and os.access(SHARED_MEMORY, os.W_OK) and "TMPDIR" not in os.environ
        else None
    )


def laid_out(files: Mapping[str, Path], pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """What a press works with, by the path at which templates find it."""
    contents = {**pictures, **{name: path.read_bytes() for name, path in files.items()}}
    return contents | {_MAIN.name: _MAIN.read_bytes()}


@contextmanager
def working_folder(contents: Mapping[str, bytes]) -> Iterator[Path]:
    """A folder of its own with these files, gone afterwards; on the disk where memory is full."""
    with contextlib.ExitStack() as stack:
        try:
            try:
                folder = stack.enter_context(_filled(contents, _memory(contents)))
            except OSError:
                folder = stack.enter_context(_filled(contents, None))
        except OSError as error:
            where = SourceLocation(tempfile.gettempdir() if tempfile.tempdir else "")
            problem = problem_at(
                where, "FACE-TEMPORARY", "temporary-files-cannot", strerror=error.strerror or error
            )
            raise InvalidSource([problem]) from None
        yield folder


@contextmanager
def _filled(contents: Mapping[str, bytes], place: str | None) -> Iterator[Path]:
    with live_folder(Path(place) if place else None) as folder:
        for parent in {(folder / relative).parent for relative in contents}:
            parent.mkdir(parents=True, exist_ok=True)
        for relative, data in contents.items():
            (folder / relative).write_bytes(data)
        yield folder
