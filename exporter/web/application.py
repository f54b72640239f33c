"""The workbench as an application: which address gives what; and its server, which listens."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import mimetypes
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import segno
import uvicorn
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from exporter.app import face_pictures
from exporter.app.drafts import Line
from exporter.core.problems import InvalidSource
from exporter.core.shipped_files import shipped
from exporter.core.worker_process import WorkerEnded
from exporter.faces.icons import find_icon, icon_folders, search_icons
from exporter.web import (
    cards_page,
    construct_page,
    new_game_page,
    print_page,
    room_page,
)
from exporter.web.answers import (
    game_values,
    problems_of,
)
from exporter.web.guard import (
    Guard,
    is_guest,
)
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    body_of,
    browser_language,
    language_of,
    page,
    refusal,
)
from exporter.web.sessions import Sessions

# Pages about a game, with what it has to have for each.
PAGES = {"cards": "cards", "room": "rooms", "build": "frames", "deck": "decks", "print": "cards"}

FOR_GUESTS = ("cards", "build", "deck")

_MOST_ICONS = 300


def workbench(
    find: Callable[[], Iterable[Path]],
    hosts: Iterable[str],
    token: str,
    phones: str = "",
    home: Path = Path("source_data"),
) -> tuple[Guard, Sessions]:
    """Return the application over the games that ``find`` returns, asked by the names ``hosts``.

    It writes for browsers that were opened by an address with the ``token``.
    ``phones`` is the address for other devices, if they may look; new games go into ``home``.
    """
    sessions = Sessions(find, home)

    @contextlib.asynccontextmanager
    async def watched(_app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(sessions.watch())
        yield
        sessions.close()
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching

    def of(endpoint: Callable[..., Any]) -> Callable[..., Any]:
        return partial(endpoint, sessions)

    routes = [
        Route("/", first),
        Route("/{language}/", of(partial(start, phones=phones))),
        Route("/{language}/icons", icons),
        Route("/events", of(events)),
        Route("/faces/{key}", of(face)),
        Route("/api/paint", of(paint), methods=["POST"]),
        Route("/made/{folder}/{name}", of(made)),
        *cards_page.routes(sessions),
        *room_page.routes(sessions),
        *construct_page.routes(sessions),
        *print_page.routes(sessions),
        *new_game_page.routes(sessions),
        Mount("/fonts", StaticFiles(directory=shipped("templates") / "faces" / "fonts")),
        *(
            Mount(f"/icons/{key}", StaticFiles(directory=folder / "fonts"))
            for key, folder in icon_folders().items()
        ),
        Mount("/static", StaticFiles(directory=shipped("templates") / "web" / "static")),
        Route("/{language}/{game}/{what}", of(of_game)),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers=dict.fromkeys(
            (RefusedRequest, HTTPException, InvalidSource, WorkerEnded), _answer_error
        ),
        middleware=[Middleware(GZipMiddleware, compresslevel=5)],
        lifespan=watched,
    )
    app.router.redirect_slashes = False
    return Guard(app, frozenset(hosts), token), sessions


def _answer_error(request: Request, error: Exception) -> Response:
    """Say why a request is refused: to a script as text, to a reader as a page with a way back."""
    match error:
        case InvalidSource():
            problems = problems_of(error.problems, None, language_of(request))
            return answer({"problems": problems}, 422)
        case RefusedRequest():
            refused = error
        case HTTPException():
            key = {404: "no-page", 405: "method"}.get(error.status_code, "other")
            refused = RefusedRequest(error.status_code, key, quote=error.detail)
        case _:
            return refusal(RefusedRequest(500, "broken"), request)
    if request.headers.get("sec-fetch-mode") != "navigate":
        return refusal(refused, request)
    return page("error", browser_language(request), "/", status=refused.status)


def first(request: Request) -> Response:
    """Lead to the start page in the browser's language."""
    return RedirectResponse(f"/{browser_language(request)}/", 302, {"vary": "accept-language"})


def start(sessions: Sessions, request: Request, phones: str) -> Response:
    """Show all games, to choose one."""
    guest = is_guest(request.scope)
    code = segno.make(phones, micro=False).svg_inline(omitsize=True, light="#fff") if phones else ""
    return page(
        "start",
        language_of(request),
        "/",
        facts={"games": list(sessions.folders), "guest": guest},
        games=sessions.folders,
        is_guest=guest,
        phones=phones,
        code=code,
    )


def icons(request: Request) -> Response:
    """Show the icons that a word of the address finds."""
    word = request.query_params.get("word", "")[:100].strip()
    found = {name: find_icon(name) for name in search_icons(word)[:_MOST_ICONS]} if word else {}
    return page("icons", language_of(request), "/icons", word=word, found=found)


def of_game(sessions: Sessions, request: Request) -> Response:
    """Show a page about one game."""
    language, what = language_of(request), request.path_params["what"]
    if what not in PAGES:
        raise RefusedRequest(404, "no-page")
    opened, guest = sessions.open_game(request.path_params["game"]), is_guest(request.scope)
    facts = game_values(opened, language)
    has = {**facts.get("has", {}), "cards": True, PAGES[what]: True}
    return page(
        what,
        language,
        f"/{opened.name}/{what}",
        facts={**facts, "guest": guest},
        game=facts,
        pages=[one for one in (FOR_GUESTS if guest else PAGES) if has.get(PAGES[one], one == what)],
    )


async def events(sessions: Sessions, _request: Request) -> Response:
    """Tell what happens, as server-sent events."""

    async def lines() -> AsyncIterator[bytes]:
        async for event in sessions.events():
            yield b"data: " + msgspec.json.encode(event) + b"\n\n" if event else b": \n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def face(sessions: Sessions, request: Request) -> Response:
    """Give the picture of a face that a page was given the key of."""
    key = request.path_params["key"]
    opened, wanted = sessions.face(key)
    data = await asyncio.to_thread(face_pictures.cached_picture, key)
    data = data or await sessions.worker.picture(opened.project.folder, wanted)
    if not data:
        raise RefusedRequest(404, "no-face")
    return Response(data, 200, FOREVER, "image/webp" if data[:4] == b"RIFF" else "image/png")


class FacesRequest(Struct, frozen=True):
    """Faces that a page will show next, the first first."""

    keys: Annotated[tuple[Line, ...], Meta(max_length=100)]


async def paint(sessions: Sessions, request: Request) -> Response:
    """Begin with pictures that a page is about to ask for, a few at a time."""
    await sessions.paint_soon((await body_of(request, FacesRequest)).keys)
    return Response(status_code=204)


def made(sessions: Sessions, request: Request) -> Response:
    """Give a file that was made, to be saved."""
    path = sessions.offered(request.path_params)
    return FileResponse(path, filename=path.name, media_type=mimetypes.guess_type(path.name)[0])


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
    host = "0.0.0.0" if lan else HERE  # only where it was asked for
    last = min(port + _MOST_PORTS, 65535)
    while True:
        try:
            found = socket.create_server((host, port), backlog=128)
        except OSError:
            if port == last:
                raise
            port += 1
        else:
            # With a protocol: asyncio sends at once (TCP_NODELAY) on such sockets alone.
            own = socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
            return socket.socket(*own, fileno=found.detach())


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
