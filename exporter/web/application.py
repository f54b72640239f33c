"""The workbench as an application: which address gives what."""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from exporter.app import face_pictures
from exporter.core.problems import InvalidSource
from exporter.core.shipped_files import shipped
from exporter.core.worker_process import WorkerEnded
from exporter.web import (
    construct_page,
    deck_page,
    editor_links,
    font_page,
    new_game_page,
    print_page,
    room_page,
    zip_page,
)
from exporter.web.guard import (
    Guard,
    is_guest,
)
from exporter.web.page_values import (
    cards_values,
    game_values,
    head_values,
    problems_of,
)
from exporter.web.pages import page
from exporter.web.qr_code import code_values
from exporter.web.request_bodies import FacesRequest
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    body_of,
    language_of,
    liked,
    refusal,
    spoken_to,
)
from exporter.web.sessions import Sessions


def workbench(
    folders: Iterable[Path],
    hosts: Iterable[str],
    token: str,
    phones: str = "",
    home: Path = Path("source_data"),
) -> tuple[Guard, Sessions]:
    """The application over games in some folders, asked by the names ``hosts``.

    It writes for browsers that were opened by an address with the ``token``.
    ``phones`` is the address for other devices, if they may look; new games go into ``home``.
    """
    desk = Sessions(folders, home)

    @contextlib.asynccontextmanager
    async def watched(_app: Starlette) -> AsyncIterator[None]:
        watching = asyncio.create_task(desk.watch())
        yield
        desk.close()
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching

    def of(endpoint: Callable[..., Any]) -> Callable[..., Any]:
        return partial(endpoint, desk)

    routes = [
        Route("/", first),
        Route("/{language}/", of(partial(start, phones=phones))),
        Route("/events", of(events)),
        Route("/faces/{key}", of(face)),
        Route("/api/paint", of(paint), methods=["POST"]),
        Route("/made/{folder}/{name}", of(made)),
        Route("/api/{game}/head", of(head)),
        Route("/api/{game}/cards", of(cards)),
        Route("/api/{game}/card/{card:path}", of(card)),
        *room_page.routes(desk),
        *construct_page.routes(desk),
        *deck_page.routes(desk),
        *editor_links.routes(desk),
        *print_page.routes(desk),
        *zip_page.routes(desk),
        *new_game_page.routes(desk),
        *font_page.routes(desk),
        Route("/{language}/verify", look),
        Mount("/static", StaticFiles(directory=shipped("templates") / "web" / "static")),
        Route("/{language}/{game}/{what}", of(of_game)),
    ]
    app = Starlette(
        routes=routes,
        exception_handlers={
            RefusedRequest: _refused,
            InvalidSource: _wrong,
            WorkerEnded: _broken,
            HTTPException: _http,
        },
        lifespan=watched,
    )
    app.router.redirect_slashes = False
    return Guard(app, frozenset(hosts), token), desk


def _refused(request: Request, refused: Exception) -> Response:
    """Why a request is refused: to a script as text, to a reader as a page with a way back."""
    assert isinstance(refused, RefusedRequest)
    if request.headers.get("sec-fetch-mode") != "navigate":
        return refusal(refused, request)
    answered = page("error", spoken_to(request), "/")
    answered.status_code = refused.status
    return answered


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    key = {404: "no-page", 405: "method"}.get(error.status_code, "other")
    return _refused(request, RefusedRequest(error.status_code, key, said=error.detail))


def _wrong(request: Request, error: Exception) -> Response:
    assert isinstance(error, InvalidSource)
    return answer({"problems": problems_of(error.problems, None, language_of(request))}, 422)


def _broken(request: Request, _error: Exception) -> Response:
    return refusal(RefusedRequest(500, "broken"), request)


async def first(request: Request) -> Response:
    """To the start page in the browser's language."""
    language = liked(request.headers.get("accept-language", ""))
    return RedirectResponse(f"/{language}/", 302, {"vary": "accept-language"})


def start(desk: Sessions, request: Request, phones: str) -> Response:
    """All games, to choose one."""
    guest = is_guest(request.scope)
    return page(
        "start",
        language_of(request),
        "/",
        facts={"games": list(desk.folders), "guest": guest},
        games=desk.folders,
        is_guest=guest,
        phones=code_values(phones),
    )


def look(request: Request) -> Response:
    """A page to drop any room zip on."""
    return page("verify", language_of(request), "/verify")


PAGES = {"cards": "cards", "room": "rooms", "build": "frames", "deck": "decks", "print": "cards"}
"""Pages about a game, with what it has to have for each."""

FOR_GUESTS = ("cards", "build", "deck")

MEANT = {
    "card": "cards",
    "rooms": "room",
    "builds": "build",
    "construct": "build",
    "paper": "print",
    "sheets": "print",
    "decks": "deck",
}
"""Words that people write for pages."""


def of_game(desk: Sessions, request: Request) -> Response:
    """A page about one game."""
    language, what = language_of(request), request.path_params["what"]
    if what in MEANT:
        return RedirectResponse(request.url.path.removesuffix(what) + MEANT[what], 302)
    if what not in PAGES:
        raise RefusedRequest(404, "no-page")
    opened = desk.open_game(request.path_params["game"])
    facts = game_values(opened, language)
    shown_to = FOR_GUESTS if is_guest(request.scope) else PAGES
    has = {**facts.get("has", {}), "cards": True, PAGES[what]: True}
    return page(
        what,
        language,
        f"/{opened.name}/{what}",
        facts={**facts, "guest": is_guest(request.scope)},
        game=facts,
        pages=[one for one in PAGES if has.get(PAGES[one], one == what) and one in shown_to],
    )


async def events(desk: Sessions, _request: Request) -> Response:
    """What happens, as server-sent events."""

    async def lines() -> AsyncIterator[bytes]:
        async for event in desk.events():
            yield b"data: " + msgspec.json.encode(event) + b"\n\n" if event else b": \n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def face(desk: Sessions, request: Request) -> Response:
    """The picture of a face that a page was given the key of."""
    key = request.path_params["key"]
    opened, folder, wanted = desk.face(key)
    data = await asyncio.to_thread(face_pictures.known_picture, key)
    data = data or await desk.worker.picture(folder, wanted)
    desk.settle_soon(opened)
    if not data:
        raise RefusedRequest(404, "no-face")
    kind = "image/webp" if data[:4] == b"RIFF" else "image/png"
    return Response(data, 200, FOREVER, kind)


async def paint(desk: Sessions, request: Request) -> Response:
    """Begin with pictures that a page is about to ask for, a few at a time."""
    await desk.want((await body_of(request, FacesRequest)).keys)
    return Response(status_code=204)


async def made(desk: Sessions, request: Request) -> Response:
    """A file that was made, to be saved."""
    path = desk.offered("{folder}/{name}".format_map(request.path_params))
    kind = mimetypes.guess_type(path.name)[0]
    return FileResponse(path, filename=path.name, media_type=kind)


def head(desk: Sessions, request: Request) -> Response:
    """A game in short, with the faces of some cards."""
    return answer(head_values(desk.open_game(request.path_params["game"]), language_of(request)))


def cards(desk: Sessions, request: Request) -> Response:
    """All cards of a game."""
    opened = desk.open_game(request.path_params["game"])
    return answer(cards_values(opened, language_of(request)))


def card(desk: Sessions, request: Request) -> Response:
    """What there is to say of one card."""
    from exporter.rules.report.explanations import Library, explain

    project = desk.project(request.path_params["game"])
    thing, language = request.path_params["card"], language_of(request)
    return answer(explain(Library(project, language), thing))
