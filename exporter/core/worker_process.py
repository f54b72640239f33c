"""Run functions in a process of their own, within limits, one at a time.

The process is started anew and never forked: who starts it has threads, and may have used the
layout engine. Calls and results go through its pipes. It ends with whoever started it.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from exporter.core.problems import InvalidSource

# Called with how much of the work is done, and of how much.
Progress: TypeAlias = Callable[[int, int], None]

# Exit codes of a process that took more than it may.
OVER_MEMORY, OVER_TIME = 71, 72

# How many times longer than its own time a call may wait for a busy machine.
_PATIENCE = 3

# Between two looks at what a call has taken.
_LOOK_SECONDS = 0.02

_START = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from exporter.core.worker_process import serve_calls
serve_calls()
"""


class WorkerLimits(Struct, frozen=True):
    """What a call may take. ``seconds`` are the processor's: a busy machine stops no call."""

    seconds: float = 10
    megabytes: float = 500


class WorkerEnded(Exception):
    """The process ended during a call; ``code`` is its exit code."""

    def __init__(self, code: int | None) -> None:
        self.code = code
        super().__init__(code)


class WorkerProcess:
    """Call functions in another process, which the first call starts.

    A call that takes more than its ``limits`` ends the process.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        # The memory that the process had after the last call.
        self.megabytes = 0.0

    def call(
        self,
        function: str,
        *arguments: Any,
        limits: WorkerLimits | None = None,
        progress: Progress = lambda *_: None,
    ) -> Any:
        """Return the result of ``function``, a module and a name in it, joined by a colon.

        Raises ``InvalidSource`` as the function does, and ``WorkerEnded``.
        """
        call = pickle.dumps((function, arguments, limits))
        with self._turn:
            if limits is not None and self.megabytes > limits.megabytes / 2:
                self.end()  # its memory would count as this call's
            return self._answer(call, progress, quiet=limits is not None)

    def _answer(self, call: bytes, progress: Progress, *, quiet: bool) -> Any:
        process = self.start(quiet=quiet)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(call)
            process.stdin.flush()
            while True:
                kind, value = pickle.load(process.stdout)
                if kind != "progress":
                    break
                progress(*value)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            code = process.wait()
            self._end(process)
            raise WorkerEnded(code) from None
        except BaseException:  # it may be in the midst of something that nobody waits for
            self._end(process)
            raise
        result, self.megabytes = value
        if kind == "problems":
            raise InvalidSource(result)
        return result

    def start(self, *, quiet: bool = False) -> subprocess.Popen[bytes]:
        """Start the process unless it runs; what a ``quiet`` one writes is dropped."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.end()
        # It finds modules where this process does: not in the folder that it stands in.
        paths = json.dumps([path for path in sys.path if path])
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, paths],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
        )
        return self._process

    def end(self) -> None:
        """End the process, if there is one; a call that waits for it raises ``WorkerEnded``."""
        if self._process is not None:
            self._end(self._process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        if self._process is process:
            self._process = None
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()


def send_progress(done: int, total: int) -> None:
    """Tell whoever called the function that runs here how far it is."""
    _send("progress", (done, total))


def serve_calls() -> None:
    """Be the other process: run functions as they come, until nobody is left to call any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    parent = os.getppid()
    calls = sys.stdin.buffer
    with contextlib.suppress(EOFError, OSError):
        while True:
            name, arguments, limits = pickle.load(calls)
            module, _, function = name.partition(":")
            with _watched(parent, limits):
                try:
                    kind, found = "done", getattr(import_module(module), function)(*arguments)
                except InvalidSource as error:
                    kind, found = "problems", error.problems
            _send(kind, (found, _megabytes()))


def _send(kind: str, value: Any) -> None:
    pickle.dump((kind, value), sys.stdout.buffer)
    sys.stdout.buffer.flush()


@contextmanager
def _watched(parent: int, limits: WorkerLimits | None) -> Iterator[None]:
    """End this process when a call takes more than it may, or nobody is left who waits for it."""
    done = threading.Event()
    threading.Thread(target=_watch, args=(done, parent, limits), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _watch(done: threading.Event, parent: int, limits: WorkerLimits | None) -> None:
    begun, clock = time.process_time(), time.monotonic()
    while not done.wait(_LOOK_SECONDS):
        if os.getppid() != parent:
            os._exit(0)
        if limits is None:
            continue
        if _megabytes() > limits.megabytes:
            os._exit(OVER_MEMORY)
        taken = max(time.process_time() - begun, (time.monotonic() - clock) / _PATIENCE)
        if taken > limits.seconds and not done.is_set():
            os._exit(OVER_TIME)


def _megabytes() -> float:
    """Return the memory that this process has; Windows does not say, so that there time alone
    counts."""
    if sys.platform == "linux":
        # Not the peak that ``resource`` knows: that one begins with the peak of who started it.
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 / 1024
