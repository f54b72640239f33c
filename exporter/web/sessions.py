"""What lies on the workbench: the games that are open, their faces, what was made of them.

A game is read when a page first asks for it, and again when one of its files was saved; whoever
shows it is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import shutil
import threading
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from exporter.app import face_pictures
from exporter.app.games import (
    open_again,
    open_game,
)
from exporter.core.problems import (
    InvalidSource,
    Problem,
)
from exporter.core.worker_process import WorkerEnded
from exporter.faces.card_faces import Face
from exporter.rules.project import Project
from exporter.web.requests import RefusedRequest
from exporter.web.uploads import Handed
from exporter.web.worker import Worker

if TYPE_CHECKING:
    from exporter.app.face_pictures import Family

MOST_OPEN = 20
"""Games that are kept open; the one that was not asked for longest is closed."""

MOST_MADE = 12
"""Times that files were made which can still be fetched."""


class OpenGame(Struct, dict=True):
    """A game as pages show it: read or refused, ``stamp`` counts how often it was read anew."""

    name: str
    stamp: int
    readable: Project | None
    problems: tuple[Problem, ...]
    faces: dict[str, Face] = field(default_factory=dict)
    keys: dict[Face, str] = field(default_factory=dict)
    unsure: dict[Face, Family] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    painted: dict[Face | str, list[Problem]] = field(default_factory=dict)

    @property
    def project(self) -> Project:
        """The game. Raises ``InvalidSource`` for one that cannot be read."""
        if self.readable is None:
            raise InvalidSource(self.problems)
        return self.readable

    def addresses(self, faces: Iterable[Face]) -> Mapping[Face, str]:
        """For each face that can be painted, the key under which its picture is served."""
        wanted = dict.fromkeys(faces)
        new = [face for face in wanted if face not in self.keys]
        if new:
            self._address(new)
        return {face: self.keys[face] for face in wanted if face in self.keys}

    def settle(self) -> bool:
        """Look again for the sizes of texts that were not sure; whether a face is another now."""
        before = {face: self.keys[face] for face in tuple(self.unsure)}
        self.settled.update(family.name for family in self.unsure.values())
        self.unsure.clear()
        self._address(before)
        return any(self.keys[face] != key for face, key in before.items())

    def _address(self, faces: Iterable[Face]) -> None:
        found = face_pictures.paintable(self.project.folder, faces)
        self.keys |= {face: one.key for face, one in found.items()}
        self.faces |= {one.key: one.face for one in found.values()}
        self.unsure |= {
            face: one.unsure
            for face, one in found.items()
            if one.unsure is not None and one.unsure.name not in self.settled
        }


class Sessions:
    """The games of some folders, by name."""

    def __init__(self, folders: Iterable[Path], home: Path = Path("source_data")) -> None:
        self.folders: dict[str, Path] = {}
        self.home = home
        self._places_changed = asyncio.Event()
        for folder in folders:
            self.add(folder)
        self.worker = Worker()
        self.worker.tell_problems = self._painted
        self.sizing = Worker(gently=True)
        self._shown: OrderedDict[str, OpenGame] = OrderedDict()
        self._reading = threading.Lock()
        self._stamps: dict[str, int] = {}
        self._listeners: set[asyncio.Queue[dict[str, Any] | None]] = set()
        self._tray = TemporaryDirectory(prefix="workbench-")
        self._made: OrderedDict[str, dict[str, Path]] = OrderedDict()
        self._settling: dict[str, asyncio.Task[None]] = {}
        self.handed = Handed()
        self.fonts: dict[str, tuple[int, str]] = {}
        self.closing = asyncio.Event()

    def add(self, folder: Path) -> str:
        """Show the game in a folder, too; the name it is shown by."""
        folder = folder.resolve()  # a bare name would be looked for among all games
        name, number = folder.name, 1
        while name in self.folders:
            number += 1
            name = f"{folder.name}-{number}"
        self.folders[name] = folder
        self._places_changed.set()
        return name

    def named(self, folder: Path) -> str:
        """The name by which the game in a folder is shown; nothing for one that is not."""
        return next((name for name, one in self.folders.items() if one == folder), "")

    def open_game(self, name: str) -> OpenGame:
        """A game as it is now. Raises ``RefusedRequest`` for a name that is none."""
        if name not in self.folders:
            raise RefusedRequest(404, "no-game")
        with self._reading:
            if name not in self._shown:
                self._shown[name] = self._read(name)
                while len(self._shown) > MOST_OPEN:
                    self._shown.popitem(last=False)
            self._shown.move_to_end(name)
            return self._shown[name]

    def _read(
        self, name: str, before: Project | None = None, *, templates_alone: bool = False
    ) -> OpenGame:
        stamp = self._stamps.setdefault(name, 1)
        try:
            if before is None:
                project = open_game(self.folders[name], with_cases=True)
            else:
                project = open_again(before, templates_alone=templates_alone)
        except InvalidSource as error:
            return OpenGame(name, stamp, None, error.problems)
        return OpenGame(name, stamp, project, project.problems)

    def project(self, name: str) -> Project:
        """A game that could be read. Raises ``InvalidSource`` with what is wrong with others."""
        return self.open_game(name).project

    def face(self, key: str) -> tuple[OpenGame, Path, Face]:
        """The face that was handed out under a key. Raises ``RefusedRequest``."""
        for opened in list(self._shown.values()):
            if key in opened.faces and opened.readable is not None:
                return opened, opened.project.folder, opened.faces[key]
        raise RefusedRequest(404, "no-picture")

    async def want(self, keys: Iterable[str]) -> None:
        """Have pictures painted that a page is about to ask for, the first of them first."""
        unknown = await asyncio.to_thread(
            lambda: [key for key in keys if face_pictures.known_picture(key) is None]
        )
        for key in reversed(unknown):  # what is asked for last is painted first
            opened = next((one for one in self._shown.values() if key in one.faces), None)
            if opened is not None and opened.readable is not None:
                self.worker.request_picture(opened.project.folder, opened.faces[key])

    def settle_soon(self, opened: OpenGame) -> None:
        """Find the sizes of texts that are not sure, as soon as nobody waits for a picture."""
        if opened.unsure and opened.name not in self._settling:
            self._settling[opened.name] = asyncio.create_task(self._settle(opened))

    async def _settle(self, opened: OpenGame) -> None:
        """Tell pages if faces of a game are others, once the sizes of their texts are known."""
        try:
            await self.worker.rest()
            if opened.readable is None or self._shown.get(opened.name) is not opened:
                return
            families = [*{family.name: family for family in opened.unsure.values()}.values()]
            with contextlib.suppress(WorkerEnded, InvalidSource):
                found = await self.sizing.do("size", opened.project.folder, families)
                opened.painted["sizes"] = [*found]
            if self._shown.get(opened.name) is not opened:
                return
            if await asyncio.to_thread(opened.settle) or opened.painted.get("sizes"):
                self.tell({"game": opened.name, "stamp": opened.stamp, "what": "faces"})
        finally:
            del self._settling[opened.name]

    def _painted(self, folder: Path, face: Face, problems: list[Problem]) -> None:
        for opened in self._shown.values():
            if opened.readable is not None and opened.project.folder == folder:
                if problems and opened.painted.get(face) != problems:
                    opened.painted[face] = problems
                    self.tell({"game": opened.name, "stamp": opened.stamp, "what": "problems"})
                elif not problems:
                    opened.painted.pop(face, None)

    def tell(self, event: dict[str, Any]) -> None:
        """Tell every page that listens."""
        for queue in self._listeners:
            queue.put_nowait(event)

    async def events(self) -> AsyncIterator[dict[str, Any] | None]:
        """How often each open game was read (``stamps``), then what happens, as it happens.

        Nothing now and then, to see whether anybody listens.
        """
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield {"stamps": {one.name: one.stamp for one in self._shown.values()}}
            while not self.closing.is_set():
                try:
                    event = await asyncio.wait_for(queue.get(), 20)
                except TimeoutError:
                    event = None
                if not self.closing.is_set():
                    yield event
        finally:
            self._listeners.discard(queue)

    async def watch(self) -> None:
        """Read games anew when their files, or templates beside them, are saved."""
        from watchfiles import awatch

        own = Path("templates")
        while not self.closing.is_set():
            self._places_changed.clear()
            places = [*self.folders.values(), *([own] if own.is_dir() else [])]
            # Runs as soon as the places are watched: nothing that was saved before is missed.
            again = asyncio.create_task(self._renew_open())
            async for changes in awatch(
                *places,
                debounce=150,
                step=40,
                stop_event=self._places_changed,
                rust_timeout=10_000,
            ):
                paths = [Path(path).resolve() for _change, path in changes]
                is_template = any(path.is_relative_to(own.resolve()) for path in paths)
                for name, folder in list(self.folders.items()):
                    is_data = any(path.is_relative_to(folder) for path in paths)
                    if is_data or is_template:
                        await self.renew(name, templates_alone=not is_data)
            await again

    async def _renew_open(self) -> None:
        for name in list(self._shown):
            await self.renew(name, templates_alone=False)

    async def renew(self, name: str, *, templates_alone: bool) -> None:
        """Read a game anew, if anybody has it open."""
        self._stamps[name] = self._stamps.get(name, 0) + 1
        with self._reading:
            before = self._shown.get(name)
        if before is not None:
            self.worker.warm()
            if name in self._settling:  # what it finds is of yesterday
                self.sizing.end()
            opened = await asyncio.to_thread(
                self._read, name, before.readable, templates_alone=templates_alone
            )
            with self._reading:
                self._shown[name] = opened
        self.tell({"game": name, "stamp": self._stamps[name], "what": "data"})

    def tray(self) -> Path:
        """A new folder for what is being made."""
        return Path(self._tray.name) / secrets.token_urlsafe(9)

    def tray_of(self, name: str) -> Path:
        """The folder of that name, into which something was put. Raises ``RefusedRequest``."""
        if name not in self._made:
            raise RefusedRequest(404, "gone")
        return Path(self._tray.name) / name

    def offer(self, path: Path) -> str:
        """A file that was made, to be fetched; the address at which it is."""
        folder = path.relative_to(self._tray.name).parts[0]
        self._made.setdefault(folder, {})[path.name] = path
        while len(self._made) > MOST_MADE:
            old, _files = self._made.popitem(last=False)
            shutil.rmtree(Path(self._tray.name) / old, ignore_errors=True)
        return f"{folder}/{path.name}"

    def offered(self, address: str) -> Path:
        """The file at an address. Raises ``RefusedRequest``."""
        folder, _, name = address.partition("/")
        if name not in self._made.get(folder, {}):
            raise RefusedRequest(404, "gone")
        return self._made[folder][name]

    def close(self) -> None:
        """End whoever listens, watches and works, and throw away what was made."""
        self.closing.set()
        self._places_changed.set()
        for queue in self._listeners:
            queue.put_nowait(None)
        for settling in self._settling.values():
            settling.cancel()
        self.worker.close()
        self.sizing.close()
        self._tray.cleanup()
