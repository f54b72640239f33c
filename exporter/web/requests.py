"""What pages ask for, read into values; and what they are answered."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from exporter.core.cancellation import CANCELLED
from exporter.core.messages import (
    ENGLISH,
    LANGUAGES,
    sentence,
)

T = TypeVar("T")


FOREVER = {"cache-control": "private, max-age=31536000, immutable"}
"""For what has another address when it changes."""


class RefusedRequest(Exception):
    """A request that no page of ours makes: its status, and the key of why under ``refused``."""

    def __init__(self, status: int, key: str, /, **values: object) -> None:
        self.status = status
        self.why = sentence("refused", key, **values)
        super().__init__(self.why)


def refusal(refused: RefusedRequest, request: Request, *, close: bool = False) -> Response:
    """The answer to a request that is refused; nothing more is read of one that is to ``close``."""
    headers = {"connection": "close"} if close else {}
    why = refused.why.in_language(spoken_to(request))
    return Response(f"{why}\n", refused.status, headers, "text/plain; charset=utf-8")


def answer(value: Any, status: int = 200) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def body_of(request: Request, form: type[T]) -> T:
    """The body of a request as a value. Raises ``RefusedRequest``."""
    try:
        return msgspec.json.decode(await request.body(), type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedRequest(400, "body", said=str(error)[:200]) from None


def as_form(value: Any, form: type[T]) -> T:
    """A part of a body as a value. Raises ``RefusedRequest``."""
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise RefusedRequest(400, "body", said=str(error)[:200]) from None


async def worked(work: Callable[..., T], *arguments: Any) -> T:
    """The result of a call, in a thread; it ends soon after whoever asked is gone."""
    gone = threading.Event()

    def run() -> T:
        CANCELLED.set(gone)
        return work(*arguments)

    try:
        return await asyncio.to_thread(run)
    finally:
        gone.set()


def language_of(request: Request) -> str:
    """The language of an address, or else the one that the browser likes best."""
    said = request.path_params.get("language") or request.query_params.get("lang")
    if said is not None and said not in LANGUAGES:
        raise RefusedRequest(404, "languages", languages=", ".join(LANGUAGES))
    return spoken_to(request)


def spoken_to(request: Request) -> str:
    """The language in which a request is answered, whatever is wrong with it."""
    for said in (
        request.query_params.get("lang"),
        request.scope["path"].removeprefix("/").split("/")[0],
    ):
        if said in LANGUAGES:
            return str(said)
    return liked(request.headers.get("accept-language", ""))


def liked(header: str) -> str:
    """The one of our languages that an ``Accept-Language`` has first."""
    wishes = []
    for number, part in enumerate(header[:500].split(",")):
        word, _, weight = part.partition(";q=")
        try:
            wishes.append((-float(weight or 1), number, word.strip().lower()[:2]))
        except ValueError:
            continue
    return next((word for _weight, _number, word in sorted(wishes) if word in LANGUAGES), ENGLISH)
