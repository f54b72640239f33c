"""A process beside the server that paints, zips and looks into zips, and ends when idle.

The layout engine takes memory that a page which lies open all evening has no use for: 100 MB once
it has painted, 30 MB before. The process is started anew, never forked, as it has threads.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from exporter.core.problems import (
    InvalidSource,
    Problem,
)
from exporter.faces.card_faces import Face

IDLE = 60.0
"""Seconds after which a process that has worked ends, to give back what memory it took."""

SOON = 3.0
"""Seconds that a page has to come up before a process is made ready."""

FEW_FACES, MOST_FACES = 4, 24
"""Faces that are painted at once: few at first, that something is soon seen, and then many."""

PAUSE = 0.15
"""Seconds without a wish for a picture, after which other work is begun."""


class Broken(Exception):
    """The process ended in the midst of its work."""


def serve(pipe: Connection, *, gently: bool) -> None:
    """The other process: does jobs as they come, until nobody is left to send any."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it ends it
    if gently and hasattr(os, "nice"):
        os.nice(10)
    from exporter.web.worker_calls import CALLS

    def tell(done: int, total: int) -> None:
        pipe.send(("tell", (done, total)))

    with contextlib.suppress(EOFError, OSError):
        while True:
            name, arguments = pipe.recv()
            try:
                pipe.send(("done", CALLS[name](*arguments, tell)))
            except InvalidSource as error:
                pipe.send(("wrong", error.problems))


class Worker:
    """Does one job at a time; a process is started when there is one to do.

    One that works ``gently`` lets others go first. As long as there is ``work_ahead``, a process
    that has not worked yet stands ready in place of one that ended.
    """

    def __init__(
        self, *, gently: bool = False, work_ahead: Callable[[], bool] = lambda: False
    ) -> None:
        self._gently = gently
        self._work_ahead = work_ahead
        self._is_fresh = False
        self._turn = asyncio.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._ending: asyncio.TimerHandle | None = None
        self._wanted: dict[tuple[Path, Face], asyncio.Future[bytes]] = {}
        self._painting: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None
        self._is_closed = False
        self.tell_problems: Callable[[Path, Face, list[Problem]], None] = lambda *_: None

    async def do(
        self, job: str, *arguments: Any, tell: Callable[[int, int], None] = lambda *_: None
    ) -> Any:
        """The result of a job. Raises ``InvalidSource``, and ``Broken``."""
        async with self._turn:
            if self._is_closed:
                raise Broken(job)
            if self._ending is not None:
                self._ending.cancel()
            try:
                return await self._done(job, arguments, tell)
            except BaseException as error:
                if not isinstance(error, InvalidSource):  # it may be in the midst of something
                    self.end()
                raise
            finally:
                self._idle_after(IDLE)

    def _idle_after(self, seconds: float) -> None:
        if not self._is_closed:
            loop = asyncio.get_running_loop()
            self._ending = loop.call_later(seconds, self._idle)

    def _idle(self) -> None:
        """End what has worked, or is of no use; have a fresh process ready if there is use."""
        is_of_use = self._work_ahead()
        if not (is_of_use and self._is_fresh):
            self.end()
        if is_of_use:
            self.warm()

    def stand_by(self) -> None:
        """There is work ahead: have a process ready soon."""
        if self._process is None and self._ending is None:
            self._idle_after(SOON)

    async def _done(self, job: str, arguments: Any, tell: Callable[[int, int], None]) -> Any:
        pipe = self._started()
        self._is_fresh = self._is_fresh and job == "warm"
        try:
            await asyncio.to_thread(pipe.send, (job, arguments))
            while True:
                kind, value = await asyncio.to_thread(pipe.recv)
                if kind == "done":
                    return value
                if kind == "wrong":
                    raise InvalidSource(value)
                tell(*value)
        except (EOFError, OSError):
            raise Broken(job) from None

    def _started(self) -> Connection:
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self.end()
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(
                target=serve, args=(theirs,), kwargs={"gently": self._gently}, daemon=True
            )
            self._process.start()
            self._is_fresh = True
            theirs.close()
        return self._pipe

    def close(self) -> None:
        """End the process, and do nothing more."""
        self._is_closed = True
        self.end()

    def end(self) -> None:
        """End the process, if there is one."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    async def picture(self, folder: Path, face: Face) -> bytes:
        """A face's picture, empty where it cannot be painted; many that wait are one job."""
        return await asyncio.shield(self.wish(folder, face))

    def wish(self, folder: Path, face: Face) -> asyncio.Future[bytes]:
        """Have a face painted, before all that were wished for earlier; its picture to be."""
        wish = (folder, face)
        waiting = self._wanted.pop(wish, None)
        self._wanted[wish] = waiting or asyncio.get_running_loop().create_future()
        if self._painting is None or self._painting.done():
            self._painting = asyncio.create_task(self._paint())
        return self._wanted[wish]

    async def rest(self) -> None:
        """Wait until no picture has been asked for a moment."""
        painted = None
        while self._painting is not painted:
            painted = self._painting
            if painted is not None:
                await asyncio.wait([painted])
            await asyncio.sleep(PAUSE)

    def warm(self) -> None:
        """Have the process ready soon."""

        async def warmed() -> None:
            with contextlib.suppress(Broken):
                await self.do("warm")

        self._warming = asyncio.create_task(warmed())

    async def _paint(self) -> None:
        await asyncio.sleep(0.01)  # what one page asks for comes together
        most = FEW_FACES
        while self._wanted:
            folder = next(reversed(self._wanted))[0]  # what was asked for last is in sight
            faces = [face for where, face in reversed(self._wanted) if where == folder][:most]
            most = MOST_FACES
            try:
                data, problems = await self.do("paint", folder, faces)
            except Broken:
                data, problems = [b""] * len(faces), []
            except Exception as error:  # who waits learns of it, and waits no longer
                for face in faces:
                    waiting = self._wanted.pop((folder, face))
                    if not waiting.done():
                        waiting.set_exception(error)
                        waiting.exception()  # nobody may have waited
                continue
            places = {face.where for face in faces}
            for face, one in zip(faces, data, strict=True):
                waiting = self._wanted.pop((folder, face))
                if not waiting.done():
                    waiting.set_result(one)
                # A fault elsewhere, as in a template, is of all that it kept from being painted.
                own = [
                    problem
                    for problem in problems
                    if problem.where == face.where or not (one or problem.where in places)
                ]
                self.tell_problems(folder, face, own)
