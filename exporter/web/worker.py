"""Paint, zip and look into zips in a process beside the server, which ends when idle.

The layout engine takes memory that a page which lies open all evening has no use for: 100 MB once
it has painted.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from exporter.core.problems import (
    Problem,
)
from exporter.core.worker_process import (
    WorkerEnded,
    WorkerProcess,
)
from exporter.faces.card_faces import Face

IDLE = 60.0
"""Seconds after which a process that has worked ends, to give back what memory it took."""

FEW_FACES, MOST_FACES = 4, 24
"""Faces that are painted at once: few at first, that something is soon seen, and then many."""

PAUSE = 0.15
"""Seconds without a request for a picture, after which other work is begun."""

_CALLS = "exporter.web.worker_calls"


class Worker:
    """Do one job at a time in another process. One that works ``gently`` lets others go first."""

    def __init__(self, *, gently: bool = False) -> None:
        self._process = WorkerProcess(gently=gently)
        self._turn = asyncio.Lock()
        self._ending: asyncio.TimerHandle | None = None
        self._wanted: dict[tuple[Path, Face], asyncio.Future[bytes]] = {}
        self._painting: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None
        self._is_closed = False
        self.tell_problems: Callable[[Path, Face, list[Problem]], None] = lambda *_: None

    async def do(
        self, job: str, *arguments: Any, progress: Callable[[int, int], None] = lambda *_: None
    ) -> Any:
        """Return the result of a function of ``worker_calls``; ``progress`` runs in a thread.

        The process ends with whoever waits for it. Raises ``InvalidSource`` and ``WorkerEnded``.
        """
        async with self._turn:
            if self._is_closed:
                raise WorkerEnded(None)
            if self._ending is not None:
                self._ending.cancel()
            self._process.start()  # not in the thread, that ``end`` finds it in any case
            try:
                return await asyncio.to_thread(
                    self._process.call, f"{_CALLS}:{job}", *arguments, progress=progress
                )
            except asyncio.CancelledError:
                self.end()
                raise
            finally:
                if not self._is_closed:
                    loop = asyncio.get_running_loop()
                    self._ending = loop.call_later(IDLE, self.end)

    def close(self) -> None:
        """End the process, and do nothing more."""
        self._is_closed = True
        self.end()

    def end(self) -> None:
        """End the process, if there is one."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        self._process.end()

    async def picture(self, folder: Path, face: Face) -> bytes:
        """Return a face's picture, empty where it cannot be painted; many that wait are one job."""
        return await asyncio.shield(self.request_picture(folder, face))

    def request_picture(self, folder: Path, face: Face) -> asyncio.Future[bytes]:
        """Have a face painted, before all that were requested earlier; return its future."""
        waiting = self._wanted.pop((folder, face), None)
        future = waiting or asyncio.get_running_loop().create_future()
        self._wanted[folder, face] = future
        if self._painting is None or self._painting.done():
            self._painting = asyncio.create_task(self._paint())
        return future

    async def rest(self) -> None:
        """Wait until no picture has been requested for a moment."""
        painted = None
        while self._painting is not painted:
            painted = self._painting
            if painted is not None:
                await asyncio.wait([painted])
            await asyncio.sleep(PAUSE)

    def warm(self) -> None:
        """Have the process ready soon."""

        async def warmed() -> None:
            with contextlib.suppress(WorkerEnded):
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
            except WorkerEnded:
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
