"""Who sets faces as pages: Typst in this process or, for templates from elsewhere, in its own.

A template that did not come with the program may run for ever or fill the memory. In a process of
its own it is stopped, and whoever asked for its pages is told. That process is started anew, never
forked, as it has threads, and ends with its press.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, NoReturn, TypeAlias

from msgspec import Struct, msgpack

from exporter.faces import Face
from exporter.installed import is_shipped
from exporter.paint import checks
from exporter.paint.sealing import unsealed
from exporter.paint.typesetting import (
    Fault,
    Pages,
    Press,
    TemplateFault,
    laid_out,
    press_in,
    working_folder,
)
from exporter.problems import InvalidSource, Where, told

_OVER_MEMORY = 71
"""The exit code of a process that took more memory than it may."""

_LOOK_SECONDS = 0.02
"""Between two looks at the memory."""

_START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from exporter.paint.press import serve
serve()
"""


class Limits(Struct, frozen=True):
    """What a template from elsewhere may take for one batch of faces or one board."""

    seconds: float = 10
    megabytes: float = 500


class _Opening(Struct, array_like=True):
    folder: str
    files: dict[str, str]
    fonts: list[str]
    megabytes: float


class _Wish(Struct, array_like=True):
    template: str
    faces: Sequence[Face]
    unknown: str
    form: Literal["png", "pdf"]


class _Answer(Struct, array_like=True):
    pages: Pages | None = None
    faults: tuple[Fault, ...] = ()


class SealedPress(Struct, frozen=True):
    """A press in a process of its own, with limits."""

    process: subprocess.Popen[bytes]
    files: Mapping[str, Path]
    limits: Limits

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

        timer = threading.Timer(self.limits.seconds, stop)
        timer.start()
        try:
            _send(self.process.stdin, _Wish(template, faces, unknown, form))
            answer = msgpack.decode(_received(self.process.stdout), type=_Answer)
        except (EOFError, OSError):
            self._tell(template, faces, is_over_time=over.is_set())
        finally:
            timer.cancel()
        if answer.pages is None:
            raise TemplateFault(answer.faults)
        return answer.pages

    def _tell(self, template: str, faces: Sequence[Face], *, is_over_time: bool) -> NoReturn:
        code = self.process.wait()
        if is_over_time:
            sentence = "{template} takes more than {seconds} s to set {count} faces."
        elif code == _OVER_MEMORY:
            sentence = "{template} takes more than {megabytes} MB to set {count} faces."
        else:
            sentence = "{template} has ended the layout engine, which was to set {count} faces."
        problem = told(
            faces[0].where if len(faces) == 1 else Where(str(self.files[template])),
            checks.COST,
            sentence,
            "Look for a loop or a text that grows without end, or for a value that is too large.",
            template=template,
            count=len(faces),
            seconds=f"{self.limits.seconds:g}",
            megabytes=f"{self.limits.megabytes:g}",
        )
        raise InvalidSource([problem])


AnyPress: TypeAlias = Press | SealedPress


@contextmanager
def press(
    files: Mapping[str, Path],
    pictures: Mapping[str, bytes],
    fonts: Sequence[Path],
    limits: Limits = Limits(),
) -> Iterator[AnyPress]:
    """A press for the templates ``files``, which find each of ``pictures`` at ``/<its path>``.

    Raises ``InvalidSource`` for templates that could reach out of their folder, and where the
    system has no room for temporary files.
    """
    if refused := list(unsealed(files)):
        raise InvalidSource(refused)
    folders = sorted({str(path.parent.resolve()) for path in fonts})
    trusted = all(map(is_shipped, {path.parent for path in (*files.values(), *fonts)}))
    with working_folder(laid_out(files, pictures)) as folder:
        if trusted:
            yield press_in(folder, files, folders)
            return
        named = {name: str(path) for name, path in files.items()}
        with _started(_Opening(str(folder), named, folders, limits.megabytes)) as process:
            yield SealedPress(process, files, limits)


@contextmanager
def _started(opening: _Opening) -> Iterator[subprocess.Popen[bytes]]:
    """The other process. It finds modules where this one does: not in the folder it stands in."""
    paths = json.dumps([path for path in sys.path if path])
    words = [sys.executable, "-I", "-c", _START, paths]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        with contextlib.suppress(EOFError, OSError):  # whoever asks for pages meets its end
            _send(process.stdin, opening)
            _received(process.stdout)  # it has started: from now on time counts
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def serve() -> None:
    """The other process: sets pages as they are wished for, until nobody asks any more."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    opening = msgpack.decode(_received(source), type=_Opening)
    threading.Thread(target=_watch, args=(opening.megabytes,), daemon=True).start()
    files = {name: Path(path) for name, path in opening.files.items()}
    ready = press_in(Path(opening.folder), files, opening.fonts)
    _send(target, "ready")
    with contextlib.suppress(EOFError, OSError):
        while True:
            wish = msgpack.decode(_received(source), type=_Wish)
            try:
                pages = ready.set_pages(
                    wish.template, wish.faces, unknown=wish.unknown, form=wish.form
                )
                answer = _Answer(pages)
            except TemplateFault as error:
                answer = _Answer(faults=error.faults)
            _send(target, answer)


def _watch(megabytes: float) -> None:
    while _megabytes() <= megabytes:
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
