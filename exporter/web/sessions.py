"""Hold what lies on the workbench: open games, their faces, files that were handed over or made.

A game is read when a page first asks for it, and again when one of its files was saved; whoever
shows it learns of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct, field
from starlette.requests import Request

from exporter.app import face_pictures
from exporter.app.games import (
    open_folder,
)
from exporter.core.problems import (
    InvalidSource,
    Problem,
)
from exporter.core.worker_process import WorkerEnded
from exporter.faces.card_faces import Face, OwnPicture, SizeGroup
from exporter.rules.project import Project
from exporter.web.requests import RefusedRequest
from exporter.web.worker import FACES, Worker

# Times that files were made, and pictures of players, that are kept; then the oldest goes.
MOST_MADE, MOST_PICTURES = 12, 60


# Milliseconds between two looks for new games.
LOOK_AROUND = 1000


class OpenGame(Struct):
    """A game as pages show it: read or refused, ``stamp`` counts how often it was read.

    ``faces`` are those that pages were given the ``keys`` of, ``painted`` what was wrong with them.
    """

    name: str
    stamp: int
    readable: Project | None
    problems: tuple[Problem, ...]
    size_texts: Callable[[Path, Sequence[SizeGroup]], Sequence[Problem]]
    faces: dict[str, Face] = field(default_factory=dict)
    keys: dict[Face, str] = field(default_factory=dict)
    painted: dict[Face | str, list[Problem]] = field(default_factory=dict)

    @property
    def project(self) -> Project:
        """Return the game. Raises ``InvalidSource`` for one that cannot be read."""
        if self.readable is None:
            raise InvalidSource(self.problems)
        return self.readable

    def addresses(self, faces: Iterable[Face], *, quickly: bool = False) -> Mapping[Face, str]:
        """Return the key under which each face's picture is served, if it can be painted.

        What a save may have changed in the sizes of texts is found first, if not ``quickly``.
        """
        wanted, folder = dict.fromkeys(faces), self.project.folder
        new = [face for face in wanted if face not in self.keys]
        found, unsure = face_pictures.paintable(folder, new) if new else ({}, ())
        if unsure and not quickly:
            self.painted.setdefault("sizes", []).extend(self.size_texts(folder, unsure))
            found, _ = face_pictures.paintable(folder, new)
        self.faces |= {one.key: one.face for one in found.values()}
        keys = {face: one.key for face, one in found.items()}
        if not (unsure and quickly):
            self.keys |= keys
        known = self.keys | keys
        return {face: known[face] for face in wanted if face in known}


class Sessions:
    """The games in the folders that ``find`` returns now and later; new ones go into ``home``."""

    def __init__(self, find: Callable[[], Iterable[Path]], home: Path) -> None:
        self.folders: dict[str, Path] = {}
        self.find = find
        self.home = home
        self.closing = asyncio.Event()
        self.pictures: dict[str, OwnPicture] = {}
        self.worker = Worker()
        self.worker.tell_problems = self._painted
        self.loop: asyncio.AbstractEventLoop | None = None
        self._places_changed = asyncio.Event()
        self._open: dict[str, OpenGame] = {}
        self._reading = threading.Lock()
        self._listeners: set[asyncio.Queue[dict[str, Any] | None]] = set()
        self._tray = TemporaryDirectory(prefix="workbench-")
        self._made: dict[str, dict[str, Path]] = {}
        for folder in find():
            self.add(folder)

    def add(self, folder: Path) -> str:
        """Show the game in a folder, too; return the name it is shown by."""
        folder = folder.resolve()  # a bare name would be looked for among all games
        name, number = folder.name, 1
        while self.folders.get(name, folder) != folder:
            number += 1
            name = f"{folder.name}-{number}"
        if name not in self.folders:
            self.folders[name] = folder
            self._places_changed.set()
        return name

    def open_game(self, name: str, *, anew: bool = False) -> OpenGame:
        """Return a game as it was read, or read it ``anew``.

        Raises ``RefusedRequest`` for a name that is none.
        """
        if name not in self.folders:
            raise RefusedRequest(404, "no-game")
        with self._reading:
            if anew or name not in self._open:
                self._open[name] = self._read(name)
            return self._open[name]

    def _read(self, name: str) -> OpenGame:
        before = self._open.get(name)
        stamp = before.stamp + 1 if before else 1
        try:
            project = open_folder(self.folders[name], with_cases=True)
        except InvalidSource as error:
            return OpenGame(name, stamp, None, error.problems, self._size_texts)
        return OpenGame(name, stamp, project, project.problems, self._size_texts)

    def _size_texts(self, folder: Path, groups: Sequence[SizeGroup]) -> Sequence[Problem]:
        """Find the sizes of texts in the other process, while this thread waits."""
        assert self.loop is not None, "whoever asks does so while the server runs"
        sizing = self.worker.do(f"{FACES}:size_texts", folder, groups)
        try:
            found: Sequence[Problem] = asyncio.run_coroutine_threadsafe(sizing, self.loop).result()
        except (WorkerEnded, InvalidSource):  # which painting the faces reports
            return ()
        return found

    def project(self, name: str) -> Project:
        """Return a game that could be read. Raises ``InvalidSource``, ``RefusedRequest``."""
        return self.open_game(name).project

    def face(self, key: str) -> tuple[OpenGame, Face]:
        """Return the face that was handed out under a key. Raises ``RefusedRequest``."""
        for opened in list(self._open.values()):
            if key in opened.faces:
                return opened, opened.faces[key]
        raise RefusedRequest(404, "no-picture")

    async def paint_soon(self, keys: Iterable[str]) -> None:
        """Have pictures painted that a page is about to ask for, the first of them first."""
        offered = {key for opened in tuple(self._open.values()) for key in opened.faces}
        unknown = await asyncio.to_thread(
            lambda: [k for k in keys if k in offered and face_pictures.cached_picture(k) is None]
        )
        for key in reversed(unknown):  # what is asked for last is painted first
            with contextlib.suppress(RefusedRequest):
                opened, face = self.face(key)
                self.worker.request_picture(opened.project.folder, face)

    def _painted(self, folder: Path, face: Face, problems: list[Problem]) -> None:
        for opened in tuple(self._open.values()):
            if opened.readable is not None and opened.project.folder == folder:
                before = opened.painted.pop(face, [])
                if problems:
                    opened.painted[face] = problems
                    if problems != before:
                        self._tell(opened.name, opened.stamp, "problems")

    def _tell(self, name: str, stamp: int, what: str) -> None:
        for queue in self._listeners:
            queue.put_nowait({"game": name, "stamp": stamp, "what": what})

    async def events(self) -> AsyncIterator[dict[str, Any] | None]:
        """Yield how often each open game was read (``stamps``), then what happens, as it happens.

        Nothing now and then, to see whether anybody listens.
        """
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield {"stamps": {one.name: one.stamp for one in tuple(self._open.values())}}
            while not self.closing.is_set():
                try:
                    yield await asyncio.wait_for(queue.get(), 20)
                except TimeoutError:
                    yield None
        finally:
            self._listeners.discard(queue)

    async def watch(self) -> None:
        """Read games anew when their files, or templates beside them, are saved; find new games."""
        from watchfiles import awatch

        self.loop = asyncio.get_running_loop()
        templates = Path("templates")
        while not self.closing.is_set():
            self._places_changed.clear()
            places = [path for path in (*self.folders.values(), templates) if path.is_dir()]
            # Runs as soon as the places are watched: nothing that was saved before is missed.
            again = asyncio.create_task(self._renew_all(self.folders))
            async for changes in awatch(
                *places,
                debounce=150,
                step=40,
                stop_event=self._places_changed,
                rust_timeout=LOOK_AROUND,
                yield_on_timeout=True,
            ):
                paths = [Path(path).resolve() for _change, path in changes]
                of_all = any(path.is_relative_to(templates.resolve()) for path in paths)
                saved = [
                    name
                    for name, folder in self.folders.items()
                    if of_all or any(path.is_relative_to(folder) for path in paths)
                ]
                await self._renew_all(saved)
                await self._look_around()
                if templates.is_dir() != (templates in places):
                    break
            await again

    async def _look_around(self) -> None:
        """Show games that are there since a moment ago."""
        for folder in await asyncio.to_thread(self.find):
            known = len(self.folders)
            name = self.add(folder)
            if len(self.folders) > known:
                self._tell(name, 0, "games")

    async def _renew_all(self, names: Iterable[str]) -> None:
        for name in [name for name in names if name in self._open]:
            opened = await asyncio.to_thread(self.open_game, name, anew=True)
            self._tell(name, opened.stamp, "data")

    def tray(self) -> Path:
        """Return a new folder for what is being made."""
        return Path(self._tray.name) / secrets.token_urlsafe(9)

    async def upload(self, request: Request, name: str, tray: Path | None = None) -> Path:
        """Write the body of a request to a file in a tray, by default a new one."""
        data = await request.body()
        path = (tray or self.tray()) / name

        def write() -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

        await asyncio.to_thread(write)
        return path

    def tray_of(self, name: str) -> Path:
        """Return the folder of that name, which was offered from. Raises ``RefusedRequest``."""
        if name not in self._made:
            raise RefusedRequest(404, "gone")
        return Path(self._tray.name) / name

    def offer(self, path: Path) -> str:
        """Let a file that was made be fetched; return the address at which it is."""
        folder = path.relative_to(self._tray.name).parts[0]
        self._made.setdefault(folder, {})[path.name] = path
        while len(self._made) > MOST_MADE:
            old = next(iter(self._made))
            del self._made[old]
            shutil.rmtree(Path(self._tray.name) / old, ignore_errors=True)
        return f"{folder}/{path.name}"

    def offered(self, parts: Mapping[str, str]) -> Path:
        """Return the file of a ``folder`` and a ``name``. Raises ``RefusedRequest``."""
        if parts["name"] not in self._made.get(parts["folder"], {}):
            raise RefusedRequest(404, "gone")
        return self._made[parts["folder"]][parts["name"]]

    def keep_picture(self, picture: OwnPicture) -> str:
        """Keep a picture that a player brings; return its key, which says what is in it."""
        key = Path(picture.name).name
        self.pictures[key] = picture
        while len(self.pictures) > MOST_PICTURES:
            del self.pictures[next(iter(self.pictures))]
        return key

    def close(self) -> None:
        """End whoever listens, watches and works, and throw away what was made."""
        self.closing.set()
        self._places_changed.set()
        for queue in self._listeners:
            queue.put_nowait(None)
        self.worker.close()
        self._tray.cleanup()
