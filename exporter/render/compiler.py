"""Who sets faces as pages: Typst in this process or, for templates from elsewhere, in its own.

A template that did not come with the program may run for ever or fill the memory. In a process of
its own it is stopped, and whoever asked for its pages is told. That process is started anew, never
forked, as it has threads; starting takes longer than most pages, so one is kept for the next press.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

from msgspec import Struct, msgpack
from msgspec.structs import replace

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    problem_at,
)
from exporter.core.shipped_files import is_shipped
from exporter.faces.face import Face
from exporter.render.sandbox import unsealed
from exporter.render.typesetter import (
    Pages,
    Press,
    TemplateFault,
    TypstFault,
    laid_out,
    press_in,
    working_folder,
)

if TYPE_CHECKING:
    import subprocess

_OVER_MEMORY = 71
"""The exit code of a process that took more memory than it may."""

_OVER_TIME = 72
"""That of one that took more of the processor's time."""

_LOOK_SECONDS = 0.02
"""Between two looks at what the process has taken."""

_LOOK_FOR_PARENT = 2
"""Seconds between two looks for who started it, while nothing is set."""

_PATIENCE = 3
"""How many times longer than its own time a process may wait for a busy machine."""

_START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from exporter.render.compiler import serve
serve()
"""


class WorkerLimits(Struct, frozen=True):
    """What a template from elsewhere may take for one batch of faces or one board.

    ``seconds`` are the processor's: what else the machine does stops nobody's template.
    """

    seconds: float = 10
    megabytes: float = 500


ALLOWED: ContextVar[WorkerLimits] = ContextVar("ALLOWED", default=WorkerLimits())
"""What the user of a command allows."""


class _Opening(Struct, array_like=True, tag="opening"):
    folder: str
    files: dict[str, str]
    fonts: list[str]
    limits: WorkerLimits


class _Wish(Struct, array_like=True, tag="wish"):
    template: str
    faces: Sequence[Face]
    unknown: str
    form: Literal["png", "pdf"]


class _Answer(Struct, array_like=True):
    pages: Pages | None = None
    faults: tuple[TypstFault, ...] = ()


class SandboxedCompiler(Struct, frozen=True):
    """A press in a process of its own, with limits."""

    process: subprocess.Popen[bytes]
    files: Mapping[str, Path]
    limits: WorkerLimits

    def set_pages(
        self,
        template: str,
        faces: Sequence[Face],
        *,
        unknown: str = "",
        form: Literal["png", "pdf"] = "png",
    ) -> Pages:
        """As ``Press.set_pages`` does. Raises ``InvalidSource`` where a limit is passed."""
        over = threading.Event()

        def stop() -> None:
            over.set()
            self.process.kill()

        timer = threading.Timer(self.limits.seconds * _PATIENCE, stop)
        timer.start()
        try:
            bare = [replace(face, family=None) for face in faces]
            _send(self.process.stdin, _Wish(template, bare, unknown, form))
            answer = msgpack.decode(_received(self.process.stdout), type=_Answer)
        except (EOFError, OSError):
            self._tell(faces, template, is_over_time=over.is_set())
        finally:
            timer.cancel()
        if answer.pages is None:
            raise TemplateFault(answer.faults)
        return answer.pages

    def _tell(self, faces: Sequence[Face], template: str, *, is_over_time: bool) -> NoReturn:
        """Blames the templates of the faces, and of these none that came with the program."""
        code = self.process.wait()
        drawn_by = list(dict.fromkeys(face.template for face in faces)) or [template]
        blamed = [one for one in drawn_by if not is_shipped(self.files[one])] or drawn_by
        key = "too-much-memory" if code == _OVER_MEMORY else "ended"
        problem = problem_at(
            faces[0].where if len(faces) == 1 else SourceLocation(str(self.files[blamed[0]])),
            "FACE-COST",
            "too-long" if is_over_time or code == _OVER_TIME else key,
            template=", ".join(blamed),
            count=len(faces),
            seconds=f"{self.limits.seconds:g}",
            megabytes=f"{self.limits.megabytes:g}",
        )
        raise InvalidSource([problem])


AnyPress: TypeAlias = Press | SandboxedCompiler


@contextmanager
def press(
    files: Mapping[str, Path], pictures: Mapping[str, bytes], fonts: Sequence[Path]
) -> Iterator[AnyPress]:
    """A press for the templates ``files``, which find each of ``pictures`` at ``/<its path>``.

    Raises ``InvalidSource`` for templates that could reach out of their folder, and where there is
    no room for temporary files.
    """
    limits = ALLOWED.get()
    if refused := list(unsealed(files)):
        raise InvalidSource(refused)
    folders = sorted({str(path.parent.resolve()) for path in fonts})
    paths = (*files.values(), *fonts)
    trusted = all(map(is_shipped, {path.parent for path in paths})) or all(map(is_shipped, paths))
    with working_folder(laid_out(files, pictures)) as folder:
        if trusted:
            yield press_in(folder, files, folders)
            return
        named = {name: str(path) for name, path in files.items()}
        process = _opened(_Opening(str(folder), named, folders, limits))
        try:
            yield SandboxedCompiler(process, files, limits)
        except BaseException:  # it may be in the midst of a page that nobody waits for
            _end(process)
            raise
        if _idle or process.poll() is not None:
            _end(process)
        else:
            _idle.append(process)


_idle: list[subprocess.Popen[bytes]] = []
"""The process that waits for the next press, if any does."""


@atexit.register
def _end_idle() -> None:
    while _idle:
        _end(_idle.pop())


def _opened(opening: _Opening) -> subprocess.Popen[bytes]:
    """A process that has the files at hand: from now on time counts.

    One that has become large is not used again, as its memory would count as the next template's.
    """
    while _idle:
        process = _idle.pop()
        with contextlib.suppress(EOFError, OSError):
            _send(process.stdin, opening)
            if msgpack.decode(_received(process.stdout), type=float) < opening.limits.megabytes / 2:
                return process
        _end(process)
    process = _begun()
    with contextlib.suppress(EOFError, OSError):  # whoever asks for pages meets its end
        _send(process.stdin, opening)
        _received(process.stdout)
    return process


def begin_ahead() -> None:
    """Have a process wait for the next press that takes one."""
    if not _idle:
        _idle.append(_begun())


def _begun() -> subprocess.Popen[bytes]:
    import subprocess

    # It finds modules where this process does: not in the folder that it stands in.
    paths = json.dumps([path for path in sys.path if path])
    words = [sys.executable, "-I", "-c", _START, paths]
    # Its end is told as a problem: what the engine itself says of it is of use to nobody.
    return subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


def serve() -> None:
    """The other process: sets pages as they are wished for, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    source, target = sys.stdin.buffer, sys.stdout.buffer
    watch = _Watch()
    with contextlib.suppress(EOFError, OSError):
        while True:
            asked = msgpack.decode(_received(source), type=_Opening | _Wish)
            if isinstance(asked, _Opening):
                watch.limits = asked.limits
                files = {name: Path(path) for name, path in asked.files.items()}
                ready = press_in(Path(asked.folder), files, asked.fonts)
                _send(target, float(_megabytes()))
                continue
            watch.begin()
            try:
                pages = ready.set_pages(
                    asked.template, asked.faces, unknown=asked.unknown, form=asked.form
                )
                answer = _Answer(pages)
            except TemplateFault as error:
                answer = _Answer(faults=error.faults)
            watch.rest()
            _send(target, answer)


class _Watch(threading.Thread):
    """Ends the process when it takes more than it may, or nobody is left to stop it."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.limits = WorkerLimits(megabytes=float("inf"))
        self._begun = 0.0
        self._is_on = threading.Event()
        self.start()

    def begin(self) -> None:
        """From now on time counts."""
        self._begun = time.process_time()
        self._is_on.set()

    def rest(self) -> None:
        """Nothing is set, so that there is nothing to look for."""
        self._is_on.clear()

    def run(self) -> None:
        parent = os.getppid()
        while os.getppid() == parent:
            if not self._is_on.wait(_LOOK_FOR_PARENT):
                continue
            if _megabytes() > self.limits.megabytes:
                os._exit(_OVER_MEMORY)
            if self._is_on.is_set() and time.process_time() - self._begun > self.limits.seconds:
                os._exit(_OVER_TIME)
            time.sleep(_LOOK_SECONDS)
        os._exit(_OVER_MEMORY)


def _megabytes() -> float:
    """The memory that this process has; Windows does not say, so that there time alone counts."""
    if sys.platform == "linux":
        # Not the peak that ``resource`` knows: that one begins with the peak of who started it.
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024


def _send(pipe: IO[bytes] | None, value: Any) -> None:
    assert pipe is not None
    data = msgpack.encode(value)
    pipe.write(struct.pack(">Q", len(data)) + data)
    pipe.flush()


def _received(pipe: IO[bytes] | None) -> bytes:
    assert pipe is not None
    (size,) = struct.unpack(">Q", _exactly(pipe, 8))
    return _exactly(pipe, size)


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data
