"""Who may ask what, how much and how slowly: every request passes here before anything reads it.

A page of another site can make a browser send requests to this machine. So the name it was asked
by (``Host``) must be one of ours, whatever changes or costs something must come from our own pages
(``Origin``), and a body must have a bounded size and come at once. Any program on this machine can
say all that; only a browser that was opened by the address we gave has the cookie without which
nothing is written.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Struct, field
from starlette.requests import Request, cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from exporter.core.messages import LANGUAGES
from exporter.web.requests import (
    RefusedRequest,
    refusal,
)

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

BODY = 256 * 1024
"""Bytes of a usual body: a build, an order, the text of a file of builds."""

FILES = 64 * 1024 * 1024
"""Bytes of a file that is looked into."""

IN_FLIGHT = 2 * FILES
"""Bytes of all bodies that are being received or worked on."""

QUERY = 2000
"""Letters of what stands behind the question mark of an address."""

MOST_HEADERS = 100
"""Of a request: a browser sends some twenty."""

SECONDS = 1.5
"""For a body to come; a large one has a second more for each ``A_SECOND`` bytes received."""

A_SECOND = 1_000_000

_OF_FILES = re.compile(r"/api/(?:verify|handed|picture)\Z")
_FOR_GUESTS = re.compile(
    rf"/(?:(?:{'|'.join(LANGUAGES)})(?:/[^/]+/(?:cards|build|deck)|/)?"
    r"|static/.*|fonts/.*|faces/.*|events|pieces/.*"
    r"|api/paint|api/[^/]+/(?:cards|card|head|parts|pool|chances|judge|fits|suggest|read|write|table"
    r"|damage|fill|sheet|drafts))?\Z"
)
_CHANGES_NOTHING = re.compile(r"/api/[^/]+/(?:plan|looks)\Z")
"""What others may not ask for as it takes long, and leaves all as it is."""

_LOOPBACK = ("127.0.0.1", "::1")


def is_guest(scope: Scope) -> bool:
    """Whether another device asks."""
    return (scope.get("client") or ("", 0))[0] not in _LOOPBACK


class Guard(Struct):
    """Lets through what comes by one of our ``hosts``; ``guests`` of other devices may look.

    Who comes by an address with the ``token`` is let write from then on.
    """

    app: ASGIApp
    hosts: frozenset[str]
    token: str
    in_flight: int = 0
    waiting: list[Any] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_ours(message["headers"])
            await send(message)

        try:
            headers = _headers(scope)
            self._check(scope, headers)
            if (there := self._let_write(scope, headers["host"])) is not None:
                await there(scope, receive, guarded)
                return
            size = _most(scope["path"])
            body = b"" if scope["method"] in ("GET", "HEAD") else None
            if body is None:
                body = await self._received(receive, size, headers)
        except RefusedRequest as refused:
            await refusal(refused, Request(scope), close=True)(scope, receive, guarded)
            return
        try:
            await self._answered(scope, body, receive, guarded)
        finally:
            self.in_flight -= len(body)

    async def _answered(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Answer, as long as whoever asked is there."""
        is_whole = False

        async def sent(message: Message) -> None:
            nonlocal is_whole
            is_whole = message["type"] == "http.response.body" and not message.get("more_body")
            await send(message)

        gone = asyncio.create_task(_gone(receive))
        answering = self.app(scope, _replayed(body, gone), sent)
        working: asyncio.Future[None] = asyncio.ensure_future(answering)
        try:
            await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
            if gone.done() and not is_whole:
                working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working
        finally:
            working.cancel()
            gone.cancel()

    def _let_write(self, scope: Scope, host: str) -> Response | None:
        """For an address with the token: the same without it, and the cookie to remember it by."""
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        said = dict(asked).get("token", "")
        if not secrets.compare_digest(said.encode(), self.token.encode()):
            return None
        rest = urlencode([each for each in asked if each[0] != "token"])
        address = quote(scope["path"]) + (f"?{rest}" if rest else "")
        found = RedirectResponse(address, 303)
        found.set_cookie(_cookie(host), self.token, httponly=True, samesite="strict")
        return found

    def _may_write(self, headers: Mapping[str, str]) -> bool:
        kept = cookie_parser(headers.get("cookie", "")).get(_cookie(headers["host"]), "")
        return secrets.compare_digest(kept.encode(), self.token.encode())

    def _check(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Raises ``RefusedRequest``."""
        host = headers.get("host", "")
        if host not in self.hosts:
            raise RefusedRequest(421, "other-name")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise RefusedRequest(405, "method")
        if len(scope["query_string"]) > QUERY:
            raise RefusedRequest(414, "long-address")
        own = f"http://{host}"
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        is_visit = headers.get("sec-fetch-mode") == "navigate" and scope["method"] == "GET"
        if origin is not None and origin != own:
            raise RefusedRequest(403, "other-site")
        if site not in ("same-origin", "none") and not is_visit:
            raise RefusedRequest(403, "other-site")
        if scope["method"] == "POST" and origin is None:
            raise RefusedRequest(403, "no-origin")
        if is_guest(scope) and not _FOR_GUESTS.match(scope["path"]):
            raise RefusedRequest(403, "not-for-guests")
        reads = _FOR_GUESTS.match(scope["path"]) or _CHANGES_NOTHING.match(scope["path"])
        if scope["method"] == "POST" and not reads and not self._may_write(headers):
            raise RefusedRequest(403, "no-token")

    async def _received(self, receive: Receive, most: int, headers: Mapping[str, str]) -> bytes:
        """The whole body, which counts as long as it is worked on.

        Raises ``RefusedRequest`` for one that is too large or too slow.
        """
        said = headers.get("content-length", "")
        if said.isdecimal() and (len(said) > 12 or int(said) > most):
            raise RefusedRequest(413, "too-large", most=most)
        loop = asyncio.get_running_loop()
        start, body = loop.time(), bytearray()
        try:
            while True:
                left = start + SECONDS + len(body) / A_SECOND - loop.time()
                message = await asyncio.wait_for(receive(), max(left, 0.001))
                if message["type"] == "http.disconnect":
                    raise RefusedRequest(400, "ended-early")
                chunk = message.get("body", b"")
                self.in_flight += len(chunk)
                body += chunk
                if len(body) > most:
                    raise RefusedRequest(413, "too-large", most=most)
                if self.in_flight > IN_FLIGHT:
                    raise RefusedRequest(429, "too-much")
                if not message.get("more_body"):
                    return bytes(body)
        except BaseException as error:
            self.in_flight -= len(body)
            if isinstance(error, TimeoutError):
                raise RefusedRequest(408, "too-slow") from None
            raise


def _headers(scope: Scope) -> dict[str, str]:
    """Headers by their names. ``RefusedRequest`` for many, and for one that decides twice."""
    if len(scope["headers"]) > MOST_HEADERS:
        raise RefusedRequest(431, "many-headers", most=MOST_HEADERS)
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1")
        if name in found and name in ("host", "origin", "content-length"):
            raise RefusedRequest(400, "two-headers", name=name)
        found[name] = value.decode("latin-1")
    return found


def _most(path: str) -> int:
    return FILES if _OF_FILES.match(path) else BODY


def _cookie(host: str) -> str:
    """The name of the cookie: browsers keep those of all ports of a machine together."""
    return f"workbench-{host.rpartition(':')[2]}"


async def _gone(receive: Receive) -> Message:
    """Wait until whoever asked is gone."""
    while (message := await receive())["type"] != "http.disconnect":
        pass
    return message


def _replayed(body: bytes, gone: asyncio.Task[Message]) -> Receive:
    """What hands on a body that was received, and then the end."""
    done = False

    async def replay() -> Message:
        nonlocal done
        if done:
            return await asyncio.shield(gone)
        done = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_ours(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    there = {name for name, _value in headers}
    ours = ((name.encode(), value.encode()) for name, value in HEADERS.items())
    return [*headers, *(each for each in ours if each[0] not in there)]
