"""The server: where it listens, how it begins and how it ends."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterable
from pathlib import Path

import uvicorn

from exporter.web.application import workbench
from exporter.web.sessions import Sessions

# The usual port. A browser keeps drafts by address: another port is another place for them.
PORT = 8765

HERE = "127.0.0.1"

# Ports that are tried, from the first one on.
_MOST_PORTS = 20


class Server(uvicorn.Server):
    """A server that ends at once and quietly."""

    sessions: Sessions

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let go of pages that listen, and end."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # what is cut off is no fault
        self.sessions.close()
        await super().shutdown(sockets)


def listening(port: int, *, lan: bool = False) -> socket.socket:
    """Return a socket at a port, or at the next one that is free. Raises ``OSError``."""
    # With a protocol: asyncio sends at once (TCP_NODELAY) on such sockets alone.
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where REUSEADDR shares the port
        found.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    host = "0.0.0.0" if lan else HERE  # only where it was asked for
    last = min(port + _MOST_PORTS, 65535)
    for number in range(port, last + 1):
        try:
            found.bind((host, number))
            break
        except OSError:
            if number == last:
                found.close()
                raise
    found.listen(128)
    found.set_inheritable(False)
    return found


def own_address() -> str:
    """Return the address of this machine in its network; nothing where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses the way out
        except OSError:
            return ""
        found = str(probe.getsockname()[0])
    return "" if found.startswith(("127.", "0.")) else found


def server(
    find: Callable[[], Iterable[Path]],
    sock: socket.socket,
    token: str,
    *,
    home: Path = Path("source_data"),
    lan: str = "",
) -> Server:
    """Return a server of the games that ``find`` returns, to ``run`` on the socket.

    Other devices may look at ``lan``.
    Who opens an address with the ``token`` may write. New games go into ``home``.
    """
    port = sock.getsockname()[1]
    hosts = [f"{name}:{port}" for name in (HERE, "localhost", lan) if name]
    phones = f"http://{lan}:{port}/" if lan else ""
    app, sessions = workbench(find, hosts, token, phones, home)
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        loop="asyncio",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=1,
    )
    found = Server(config)
    found.sessions = sessions
    return found
