"""Set faces as pages by Typst, and read its report of them.

Everything a run needs is laid into one folder of its own, the only one that templates can see.
A process that has used Typst must not fork afterwards: use threads or spawn.

A template that did not come with the program may run for ever or fill the memory. In a process of
its own it is stopped, and whoever asked for its pages gets a problem. Typst also loads packages
from the net and the home directory, runs plug-ins, and knows the clock; names for these can be put
together while a template runs, so whatever could do that is refused.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import re
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal, TypeAlias

import typst
from msgspec import Struct
from msgspec.structs import replace

from exporter.core.file_writer import live_folder, write_below
from exporter.core.messages import sentence
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
    problem_at,
    stop_for,
)
from exporter.core.shipped_files import is_shipped
from exporter.core.worker_process import (
    OVER_MEMORY,
    OVER_TIME,
    WorkerEnded,
    WorkerLimits,
    WorkerProcess,
)
from exporter.faces.card_faces import Face
from exporter.faces.icons import icon_fonts, icon_table
from exporter.render.line_breaks import phrases

_MAIN = Path(__file__).with_name("engine-pages.typ")
_EMPTY = Path(__file__).with_name("engine-empty.typ")

MILLIMETRES_PER_INCH = 25.4


class TypstFault(Struct, frozen=True):
    """Something that Typst objects to, and where in which template file."""

    message: str
    hint: str
    where: SourceLocation


# What is wrong with a face that fills several; all other faults are in the words of Typst.
MORE_PAGES = "more-than-one-page"


class TemplateFault(Exception):
    """A template cannot draw what it was given."""

    def __init__(self, faults: tuple[TypstFault, ...]) -> None:
        self.faults = faults
        super().__init__("; ".join(fault.message for fault in faults))


class Finding(Struct, frozen=True):
    """What a template, or the page around it, reports of the face with this number."""

    face: int
    what: Any


# A draft is a PDF that only its report is read of.
Form: TypeAlias = Literal["png", "pdf", "draft"]


class Pages(Struct, frozen=True):
    """What came of one compilation: a PNG for each face, or one PDF with a page for each.

    ``report`` has texts in ``overflow``, ``glyphs`` that no font has, places of ``pictures``, and
    ``sizes`` of texts whose largest was to be found.
    """

    files: list[bytes]
    report: Mapping[str, list[Finding]]
    warnings: tuple[TypstFault, ...]


class Compiler(Struct, frozen=True):
    """Typst, and the folder it works in."""

    engine: typst.Compiler
    folder: Path
    files: Mapping[str, Path]

    def set_pages(
        self,
        template: str,
        faces: Sequence[Face],
        *,
        unknown: str = "",
        form: Form = "png",
    ) -> Pages:
        """Set faces, all of ``template`` and of one size and scale, as pages in their order.

        A draft leaves out what is drawn by code and can report nothing, which takes most of the
        time. ``unknown`` are characters that no font has: where one of them is set, the pages'
        ``glyphs`` say so. No faces at all try whether the template can be read.
        Raises ``TemplateFault``.
        """
        first = faces[0] if faces else Face(template, "{}", 1, 1, 1)
        inputs = {
            "template": "/" + template,
            "width": repr(float(first.width)),
            "height": repr(float(first.height)),
            "faces": "[" + ",".join(face.values for face in faces) + "]",
            "unknown": _pattern(unknown),
            "phrases": json.dumps(phrases(face.values for face in faces), ensure_ascii=False),
            "pictures": "yes" if any(face.pictures for face in faces) else "",
            "draft": "yes" if form == "draft" else "",
        }
        forget()
        try:
            made, warnings = self.engine.compile_with_warnings(
                format="png" if form == "png" else "pdf",
                ppi=first.scale * MILLIMETRES_PER_INCH,
                sys_inputs=inputs,
                timestamp=0,
                # Faces become parts of other pages: tags would point into the void.
                pdf_tags=False,
            )
            report = json.loads(self.engine.query("<engine-report>", field="value", one=True))
        except typst.TypstError as error:
            raise TemplateFault(self._faults(template, error.diagnostic)) from None
        files = [file for file in (made if isinstance(made, list) else [made]) if file]
        if report["pages"] != max(len(faces), 1):
            fault = TypstFault(MORE_PAGES, "", SourceLocation(str(self.files[template])))
            raise TemplateFault((fault,))
        return Pages(
            files=files,
            report={
                name: [Finding(found["page"] - 1, found["what"]) for found in report[name]]
                for name in ("overflow", "glyphs", "pictures", "sizes")
            },
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
        """Locate a fault at the innermost place in the style's own files, where there is one.

        Typst counts columns from 0.
        """
        message = block.partition("\n")[0].strip()
        hint = " ".join(found.strip() for found in re.findall(r"^\s*= hint: (.*)", block, re.M))
        paths = re.findall(r"┌─ (.+):(\d+):(\d+)", block)
        named = ((self._name_of(path), int(line), int(column) + 1) for path, line, column in paths)
        places = [place for place in named if place[0] in self.files]
        own = [place for place in places if style_name(place[0]) == style_name(template)]
        name, row, column = (own or places or [(template, 0, 0)])[0]
        where = SourceLocation(str(self.files[name]), row, column)
        return TypstFault(self._without_folder(message), self._without_folder(hint), where)

    def _name_of(self, path: str) -> str:
        return path.replace("\\", "/").partition(self.folder.name + "/")[2]

    def _without_folder(self, text: str) -> str:
        return re.sub(r"\S*" + re.escape(self.folder.name) + r"[/\\]", "", text)


def forget() -> None:
    """Have Typst drop what it remembers of documents set before: memory holds one and not eleven.

    It drops what ten compilations in a row did not use; these are empty (0.05 ms each).
    """
    with _FORGETTING:
        for _ in range(11):
            _idle().compile(format="svg")


# A compiler works in one thread at a time.
_FORGETTING = threading.Lock()


@lru_cache(maxsize=1)
def _idle() -> typst.Compiler:
    return typst.Compiler(str(_EMPTY), font_paths=load_fonts(()), ignore_system_fonts=True)


def style_name(template: str) -> str:
    """Return the style folder of a template, e.g. ``plain`` for ``plain/card.typ``."""
    parts = PurePosixPath(template).parts
    return parts[0] if len(parts) > 1 else ""


def _pattern(characters: str) -> str:
    codes = "".join(f"\\x{{{ord(character):x}}}" for character in characters)
    return f"[{codes}]" if codes else ""


def load_fonts(folders: Sequence[str]) -> typst.Fonts:
    """Return the fonts of some folders, and no others of the system."""
    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=list(folders)
    )


def compiler_in(folder: Path, files: Mapping[str, Path], fonts: Sequence[str]) -> Compiler:
    """Return a compiler that works in a ``working_folder``; ``fonts`` are folders of fonts."""
    nowhere = folder / "no-packages"
    compiler = typst.Compiler(
        str(folder / _MAIN.name),
        root=folder,
        font_paths=load_fonts(fonts),
        ignore_system_fonts=True,
        package_path=nowhere,
        package_cache_path=nowhere,
    )
    return Compiler(compiler, folder, files)


def folder_contents(files: Mapping[str, Path], pictures: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return all that a compiler works with, by the path at which templates find it."""
    contents = {**pictures, **{name: path.read_bytes() for name, path in files.items()}}
    if "looks/icons.typ" in files:
        contents["looks/icons.json"] = icon_table()
    return contents | {_MAIN.name: _MAIN.read_bytes()}


@contextmanager
def working_folder(contents: Mapping[str, bytes]) -> Iterator[Path]:
    """Make a folder with these files, the only one that templates see; it is gone afterwards.

    Raises ``InvalidSource`` where there is no room for temporary files.
    """
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(live_folder())
            write_below(folder, contents)
        except OSError as error:
            where = SourceLocation(tempfile.gettempdir() if tempfile.tempdir else "")
            key, strerror = "temporary-files-cannot", error.strerror or error
            raise error_at(where, "FACE-TEMPORARY", key, strerror=strerror) from None
        yield folder


# What the user allows a template from elsewhere for one batch of faces or one board.
ALLOWED: ContextVar[WorkerLimits] = ContextVar("ALLOWED", default=WorkerLimits())

# Compiles templates from elsewhere. It is kept, as it takes longer to start than most pages.
_WORKER = WorkerProcess()

atexit.register(_WORKER.end)

_WORD = re.compile(r"(?<![\w-])(eval|plugin|today|std(?!\.[a-z]))(?![\w-])")
_IMPORT = re.compile(r"(?<![\w-])(import|include)(?![\w-])")
_OWN_FILE = re.compile(r'\s*"(?!@)[^"\\]*\.typ"(?!\s*[.+*])')


class SandboxedCompiler(Struct, frozen=True):
    """Compile in a process of its own, with limits."""

    folder: Path
    files: Mapping[str, Path]
    fonts: Sequence[str]
    limits: WorkerLimits

    def set_pages(
        self,
        template: str,
        faces: Sequence[Face],
        *,
        unknown: str = "",
        form: Form = "png",
    ) -> Pages:
        """Do as ``Compiler.set_pages``. Raises ``InvalidSource`` where a limit is passed."""
        bare = [replace(face, size_group=None) for face in faces]
        where = (str(self.folder), tuple(self.files.items()), tuple(self.fonts))
        function = f"{__name__}:{set_pages_in.__name__}"
        try:
            found: Pages | tuple[TypstFault, ...] = _WORKER.call(
                function, where, template, bare, unknown, form, limits=self.limits
            )
        except WorkerEnded as error:
            raise InvalidSource([self._problem(faces, template, error.code)]) from None
        if isinstance(found, tuple):
            raise TemplateFault(found)
        return found

    def _problem(self, faces: Sequence[Face], template: str, code: int | None) -> Problem:
        """Blame the templates of the faces, and of these none that came with the program."""
        drawn_by = list(dict.fromkeys(face.template for face in faces)) or [template]
        blamed = [one for one in drawn_by if not is_shipped(self.files[one])]
        # A page of several faces is drawn by the program's own template.
        blamed = blamed or [one for one, path in self.files.items() if not is_shipped(path)]
        blamed = blamed or drawn_by
        return problem_at(
            faces[0].where if len(faces) == 1 else SourceLocation(str(self.files[blamed[0]])),
            "FACE-COST",
            {OVER_TIME: "too-long", OVER_MEMORY: "too-much-memory"}.get(code or 0, "ended"),
            template=", ".join(blamed),
            count=len(faces),
            seconds=f"{self.limits.seconds:g}",
            megabytes=f"{self.limits.megabytes:g}",
        )


AnyCompiler: TypeAlias = Compiler | SandboxedCompiler


@contextmanager
def open_compiler(
    files: Mapping[str, Path], pictures: Mapping[str, bytes], fonts: Sequence[Path]
) -> Iterator[AnyCompiler]:
    """Open a compiler for the templates ``files``, which find each picture at ``/<its path>``.

    Raises ``InvalidSource`` for templates that could reach out of their folder, and where there is
    no room for temporary files.
    """
    stop_for(sandbox_problems(files))
    folders = sorted({str(path.parent.resolve()) for path in fonts})
    paths = (*files.values(), *fonts)
    icons = {path.parent for path in icon_fonts().values()}
    parents = {path.parent for path in paths} - icons
    trusted = all(map(is_shipped, parents)) or all(
        is_shipped(path) for path in paths if path.parent not in icons
    )
    with working_folder(folder_contents(files, pictures)) as folder:
        if trusted:
            yield compiler_in(folder, files, folders)
        else:
            yield SandboxedCompiler(folder, files, folders, ALLOWED.get())


_Where: TypeAlias = tuple[str, tuple[tuple[str, Path], ...], tuple[str, ...]]


def set_pages_in(
    where: _Where, template: str, faces: Sequence[Face], unknown: str, form: Form
) -> Pages | tuple[TypstFault, ...]:
    """Set pages in a folder that is laid out; this runs in the other process."""
    try:
        return _compiler(where).set_pages(template, faces, unknown=unknown, form=form)
    except TemplateFault as error:
        return error.faults


@lru_cache(maxsize=1)
def _compiler(where: _Where) -> Compiler:
    folder, files, fonts = where
    return compiler_in(Path(folder), dict(files), fonts)


def sandbox_problems(files: Mapping[str, Path]) -> Iterator[Problem]:
    """Yield a problem for each place that could reach out, in templates from elsewhere."""
    for name, path in files.items():
        if name.endswith(".typ") and not is_shipped(path):
            yield from _problems_in(path, path.read_text(encoding="utf-8", errors="replace"))


def _problems_in(path: Path, text: str) -> Iterator[Problem]:
    for found in _WORD.finditer(text):
        yield problem_at(
            _place(path, text, found.start()),
            "FACE-SEALED",
            "cannot-used-template",
            word=found[1],
            why=sentence("FACE-SEALED", found[1]),
        )
    for found in _IMPORT.finditer(text):
        if not _OWN_FILE.match(text, found.end()):
            yield problem_at(
                _place(path, text, found.start()), "FACE-SEALED", "takes-file-styles", word=found[1]
            )


def _place(path: Path, text: str, offset: int) -> SourceLocation:
    before = text[:offset]
    return SourceLocation(str(path), before.count("\n") + 1, offset - before.rfind("\n"))
