"""The server: where it listens, how it begins and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from exporter.web.application import workbench
from exporter.web.sessions import Sessions

PORT = 8765
"""The usual port. A browser keeps drafts by address: another port is another place for them."""

HERE = "127.0.0.1"

HEAD_SECONDS = 1.5
"""For the head of a request to come, once it has begun."""

MOST_CONNECTIONS = 256
"""At once; for one more another is closed that asks for nothing, or else the oldest."""


class Promptly(H11Protocol):
    """HTTP whose requests have to come at once."""

    _late: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._since = self.loop.time()
        others = [
            one
            for one in self.connections
            if isinstance(one, Promptly) and one is not self and not one.transport.is_closing()
        ]
        if len(others) >= MOST_CONNECTIONS:
            min(others, key=lambda one: (one._is_asking(), one._since)).transport.close()

    def _is_asking(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._on_time()
        super().connection_lost(exc)

    def _look(self) -> None:
        """See whether a head has begun that is not whole yet."""
        if self._is_amid_a_head():
            self._late = self._late or self.loop.call_later(HEAD_SECONDS, self._too_late)
        else:
            self._on_time()

    def _is_amid_a_head(self) -> bool:
        between = self.cycle is None or self.cycle.response_complete
        return between and bool(self.conn.trailing_data[0])

    def _on_time(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _too_late(self) -> None:
        self._late = None
        if self._is_amid_a_head() and not self.transport.is_closing():
            self.transport.write(
                b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
            )
            self.transport.close()


class Server(uvicorn.Server):
    """A server that ends at once, and quietly, when it is told to."""

    def __init__(
        self,
        config: uvicorn.Config,
        desk: Sessions,
        began: Callable[[], None],
        ended: threading.Event,
    ) -> None:
        super().__init__(config)
        self.desk = desk
        self.began = began
        self.ended = ended

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self.ended.is_set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            asyncio.get_running_loop().run_in_executor(None, self.began)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # what is cut off is no fault
        self.desk.close()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """An end that somebody asks for is no fault."""

        def end(_number: int, _frame: FrameType | None) -> None:
            self.should_exit = True

        if threading.current_thread() is not threading.main_thread():
            yield
            return
        names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        before = {number: signal.signal(number, end) for number in numbers}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def listening(port: int | None, *, lan: bool = False) -> socket.socket:
    """A socket at a port; without one at the usual port, or at a free one where that is taken.

    Raises ``OSError`` for a port that is taken.
    """
    # With the protocol said: asyncio sends at once (TCP_NODELAY) on such sockets alone.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where REUSEADDR shares the port
        found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    host = "0.0.0.0" if lan else HERE  # only where it was asked for
    try:
        found.bind((host, PORT if port is None else port))
    except OSError:
        if port is not None:
            found.close()
            raise
        found.bind((host, 0))
    found.listen(128)
    found.set_inheritable(False)
    return found


def own_address() -> str:
    """The address of this machine in its network; nothing where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out
        except OSError:
            return ""
        found = str(probe.getsockname()[0])
    return "" if found.startswith(("127.", "0.")) else found


def serve(
    folders: Sequence[Path],
    sock: socket.socket,
    token: str,
    *,
    home: Path = Path("source_data"),
    lan: str = "",
    began: Callable[[], None] = lambda: None,
    ended: threading.Event | None = None,
) -> None:
    """Serve games until a signal or ``ended`` says so; other devices may look at ``lan``.

    Who opens an address with the ``token`` may write. New games go into ``home``.
    """
    port = sock.getsockname()[1]
    hosts: Iterable[str] = [f"{name}:{port}" for name in (HERE, "localhost", lan) if name]
    phones = f"http://{lan}:{port}/" if lan else ""
    app, desk = workbench(folders, hosts, token, phones, home)
    config = uvicorn.Config(
        app,
        http=Promptly,
        ws="none",
        loop="asyncio",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )
    try:
        Server(config, desk, began, ended or threading.Event()).run(sockets=[sock])
    finally:
        desk.close()
