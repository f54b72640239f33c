"""Who may ask what, and how much: every request passes here before anything reads it.

A page of another site can make a browser send requests to this machine. So the name it was asked
by (``Host``) must be one of ours, whatever changes or costs something must come from our own pages
(``Origin``), and a body has a bounded size. Any program on this machine can say all that; only a
browser that was opened by the address we gave has the cookie without which nothing is written.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, urlencode

from msgspec import Struct
from starlette.datastructures import Headers
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
    "cache-control": "no-cache",
}

# Bytes of a usual body: a build, an order, the text of a file of builds.
BODY = 256 * 1024

# Bytes of a file that is looked into.
FILES = 64 * 1024 * 1024

# Letters of what stands behind the question mark of an address.
QUERY = 2000

_OF_FILES = re.compile(r"/api/(?:verify|update|handed|picture)\Z")
_FOR_GUESTS = re.compile(
    rf"/(?:(?:{'|'.join(LANGUAGES)})(?:/[^/]+/(?:cards|build|deck)|/)?"
    r"|static/.*|fonts/.*|faces/.*|events|pieces/.*"
    r"|api/paint|api/[^/]+/(?:cards|card|head|parts|pool|chances|judge|fits|suggest|read|write|table"
    r"|damage|fill|sheet|drafts))?\Z"
)
# What others may not ask for as it takes long, and leaves all as it is.
_CHANGES_NOTHING = re.compile(r"/api/[^/]+/(?:plan|looks)\Z")


def is_guest(scope: Scope) -> bool:
    """Whether another device asks."""
    return (scope.get("client") or ("", 0))[0] not in ("127.0.0.1", "::1")


class Guard(Struct):
    """Let through what comes by one of our ``hosts``; guests of other devices may look.

    Who comes by an address with the ``token`` may write from then on.
    """

    app: ASGIApp
    hosts: frozenset[str]
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, as ASGI has it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = Headers(raw=message["headers"])
                ours = [(a.encode(), b.encode()) for a, b in HEADERS.items() if a not in there]
                message["headers"] = [*message["headers"], *ours]
            await send(message)

        headers = Headers(scope=scope)
        try:
            self._check(scope, headers)
            entrance = self._entrance(scope, headers)
            body = b"" if entrance else await _body(scope, receive, headers)
        except RefusedRequest as refused:
            await refusal(refused, Request(scope), close=True)(scope, receive, guarded)
            return
        coming: list[Message] = [{"type": "http.request", "body": body}]

        async def received() -> Message:
            return coming.pop() if coming else await receive()

        await (entrance or self.app)(scope, received, guarded)

    def _entrance(self, scope: Scope, headers: Mapping[str, str]) -> Response | None:
        """Redirect from an address with the token to the same without it, with a cookie."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if not self._is_token(dict(query).get("token", "")):
            return None
        rest = urlencode([each for each in query if each[0] != "token"])
        found = RedirectResponse(quote(scope["path"]) + (f"?{rest}" if rest else ""), 303)
        found.set_cookie(_cookie(headers), self.token, httponly=True, samesite="strict")
        return found

    def _is_token(self, word: str) -> bool:
        return secrets.compare_digest(word.encode(), self.token.encode())

    def _check(self, scope: Scope, headers: Mapping[str, str]) -> None:
        """Raises ``RefusedRequest``."""
        host, method, path = headers.get("host", ""), scope["method"], scope["path"]
        if host not in self.hosts:
            raise RefusedRequest(421, "other-name")
        if method not in ("GET", "HEAD", "POST"):
            raise RefusedRequest(405, "method")
        if len(scope["query_string"]) > QUERY:
            raise RefusedRequest(414, "long-address")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        is_visit = headers.get("sec-fetch-mode") == "navigate" and method == "GET"
        is_ours = site in ("same-origin", "none") or is_visit
        if not is_ours or origin not in (None, f"http://{host}"):
            raise RefusedRequest(403, "other-site")
        if method == "POST" and origin is None:
            raise RefusedRequest(403, "no-origin")
        for_guests = _FOR_GUESTS.match(path)
        if is_guest(scope) and not for_guests:
            raise RefusedRequest(403, "not-for-guests")
        token = cookie_parser(headers.get("cookie", "")).get(_cookie(headers), "")
        reads = method != "POST" or for_guests or _CHANGES_NOTHING.match(path)
        if not reads and not self._is_token(token):
            raise RefusedRequest(403, "no-token")


async def _body(scope: Scope, receive: Receive, headers: Mapping[str, str]) -> bytes:
    """Receive a whole body. Raises ``RefusedRequest`` for one that is too large, at once."""
    if scope["method"] != "POST":
        return b""
    most = FILES if _OF_FILES.match(scope["path"]) else BODY
    size, body = int(headers.get("content-length", "0")), bytearray()
    while size <= most:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RefusedRequest(400, "ended-early")
        body += message.get("body", b"")
        size = len(body)
        if not message.get("more_body") and size <= most:
            return bytes(body)
    raise RefusedRequest(413, "too-large", most=most)


def _cookie(headers: Mapping[str, str]) -> str:
    """Name the cookie by the port: browsers keep those of all ports of a machine together."""
    return f"workbench-{headers['host'].rpartition(':')[2]}"
