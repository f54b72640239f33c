"""Paint, zip and look into zips in a process beside the server, which ends when idle.

The layout engine takes memory that a page which lies open all evening has no use for: 100 MB once
it has painted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.core.problems import Problem
from exporter.core.worker_process import (
    WorkerEnded,
    WorkerProcess,
    send_progress,
)
from exporter.faces.card_faces import Face

if TYPE_CHECKING:
    from exporter.importer.starter import NewGame

# Modules with functions for the other process.
WORKER, FACES = "exporter.web.worker", "exporter.app.face_pictures"

# Seconds after which a process that has worked ends, to give back what memory it took.
IDLE = 60.0

# Faces that are painted at once: few at first, that something is soon seen, and then many.
FEW_FACES, MOST_FACES = 4, 24


class Worker:
    """Do one job at a time in another process."""

    def __init__(self) -> None:
        self._process = WorkerProcess()
        self._turn = asyncio.Lock()
        self._ending: asyncio.TimerHandle | None = None
        self._wanted: dict[tuple[Path, Face], asyncio.Future[bytes]] = {}
        self._painting: asyncio.Task[None] | None = None
        self._is_closed = False
        self.tell_problems: Callable[[Path, Face, list[Problem]], None] = lambda *_: None

    async def do(
        self, function: str, *arguments: Any, progress: Callable[[int, int], None] = lambda *_: None
    ) -> Any:
        """Return the result of ``module:function``; ``progress`` runs in a thread.

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
                    self._process.call, function, *arguments, progress=progress
                )
            except asyncio.CancelledError:
                self.end()
                raise
            finally:
                if not self._is_closed:
                    self._ending = asyncio.get_running_loop().call_later(IDLE, self.end)

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

    async def _paint(self) -> None:
        await asyncio.sleep(0.01)  # what one page asks for comes together
        most = FEW_FACES
        while self._wanted:
            folder = next(reversed(self._wanted))[0]  # what was asked for last is in sight
            faces = [face for where, face in reversed(self._wanted) if where == folder][:most]
            most = MOST_FACES
            try:
                done = await self.do(f"{FACES}:paint_faces", folder, faces)
                images, problems = done.images, done.problems
            except WorkerEnded:
                images, problems = {}, ()
            except Exception as error:  # who waits learns of it, and waits no longer
                for face in faces:
                    waiting = self._wanted.pop((folder, face))
                    if not waiting.done():
                        waiting.set_exception(error)
                        waiting.exception()  # nobody may have waited
                continue
            places = {face.where for face in faces}
            for face in faces:
                waiting, data = self._wanted.pop((folder, face)), images.get(face, b"")
                if not waiting.done():
                    waiting.set_result(data)
                # A fault elsewhere, as in a template, is of all that it kept from being painted.
                own = [
                    problem
                    for problem in problems
                    if problem.where == face.where or not (data or problem.where in places)
                ]
                self.tell_problems(folder, face, own)


def make_files(
    function: str, arguments: Sequence[Any], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Write files as ``module:function`` does, in the other process, and verify zips of rooms.

    Returns plain values: the result has the bytes of all files, which would go through the pipe.
    """
    from exporter.udonarium.verify import verify_zip

    module, _, name = function.partition(":")
    result = getattr(import_module(module), name)(*arguments, **options, progress=send_progress)
    is_room = name in ("save_rooms", "save_loose")
    return {
        "files": [
            {
                "path": made.path,
                "size": made.size,
                "counts": {noun: count for count, noun in made.counts},
                "verified": verify_zip(made.path, made.path.name) if is_room else (),
            }
            for made in result.made
        ],
        "problems": result.problems,
        "painted": result.painted,
        "remarks": result.remarks,
    }


def make_game(name: str, what: Sequence[str], out: str, facts: Mapping[str, Any]) -> NewGame:
    """Write a new game's folder: from a table or pictures, like another game, or a small one."""
    from exporter.importer.starter import new_game
    from exporter.importer.wizard import game_from

    return game_from(name, what, out, **facts) if what else new_game(name, out, **facts)
