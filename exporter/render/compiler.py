"""Compile templates: Typst in this process or, for templates from elsewhere, in one of its own.

A template that did not come with the program may run for ever or fill the memory. In a process of
its own it is stopped, and whoever asked for its pages gets a problem. Typst also loads packages
from the net and the home directory, runs plug-ins, and knows the clock; names for these can be put
together while a template runs, so whatever could do that is refused.
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.messages import sentence
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.core.shipped_files import is_shipped
from exporter.core.worker_process import (
    OVER_MEMORY,
    OVER_TIME,
    WorkerEnded,
    WorkerLimits,
    WorkerProcess,
)
from exporter.faces.face import Face
from exporter.faces.icons import icon_fonts
from exporter.render.typesetter import (
    Compiler,
    Form,
    Pages,
    TemplateFault,
    TypstFault,
    compiler_in,
    folder_contents,
    working_folder,
)

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
    if refused := list(sandbox_problems(files)):
        raise InvalidSource(refused)
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
