"""Read requests of pages into values, and answer them: with a page, JSON, or a refusal."""

from __future__ import annotations

import hashlib
import re
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from exporter.core.messages import (
    ENGLISH,
    LANGUAGES,
    sentence,
    words,
)
from exporter.rules.report.report_formats import filled_template

T = TypeVar("T")

# For what has another address when it changes.
FOREVER = {"cache-control": "private, max-age=31536000, immutable"}

# Options of commands, with the word of a page that stands where the same is chosen there.
FIELDS = {
    "backs": "print_backs",
    "bleed": "print_bleed",
    "board": "boards",
    "boxes": "boxes",
    "cut": "print_cut",
    "deck": "page_deck",
    "gap": "print_gap",
    "hand": "odds_hand",
    "mech": "print_mechs",
    "only": "print_only",
    "paper": "print_paper",
    "preset": "print_preset",
    "regulation": "regulation",
    "saving": "print_saving",
    "sheet": "sheets",
    "turn": "odds_turn",
}

_OPTION = re.compile(r"\s*[(（]--[^()（）]*[)）]|--([a-z]+)( ?)")


class RefusedRequest(Exception):
    """A request that no page of ours makes: its status, and the key of why under ``refused``."""

    def __init__(self, status: int, key: str, /, **values: object) -> None:
        self.status = status
        self.why = sentence("refused", key, **values)
        super().__init__(self.why)


def refusal(refused: RefusedRequest, request: Request, *, close: bool = False) -> Response:
    """Answer a request that is refused; nothing more is read of one that is to ``close``."""
    headers = {"connection": "close"} if close else {}
    why = refused.why.in_language(browser_language(request))
    return Response(f"{why}\n", refused.status, headers, "text/plain; charset=utf-8")


def answer(value: Any, status: int = 200, known: str = "") -> Response:
    """Answer with a value as JSON; with nothing to who has it, whose tag of it is ``known``."""
    body = msgspec.json.encode(value)
    tag = {"etag": f'"{hashlib.sha256(body).hexdigest()[:16]}"'}
    if known == tag["etag"]:
        return Response(None, 304, tag)
    return Response(body, status, tag, "application/json")


def page(name: str, language: str, path: str, *, status: int = 200, **values: Any) -> Response:
    """Answer with a page; ``path`` is its address behind the language.

    Its script finds ``facts``, and asks for what the page shows.
    """
    known = words("workbench", language)
    facts = {"language": language, "words": known, **values.pop("facts", {})}
    return HTMLResponse(
        filled_template(
            "web",
            f"{name}.html.j2",
            page=name,
            language=language,
            other="en" if language == "ja" else "ja",
            path=path,
            words=known,
            facts=msgspec.json.encode(facts).decode(),
            **values,
        ),
        status,
    )


def without_options(text: str, language: str) -> str:
    """Name options of commands in a sentence as pages do; drop those that it adds in brackets."""
    known, (opening, closing) = words("workbench", language), "「」" if language == "ja" else "“”"

    def named(found: re.Match[str]) -> str:
        if found[1] in FIELDS:
            space = "" if language == "ja" else found[2]
            return f"{opening}{known[FIELDS[found[1]]]}{closing}{space}"
        return found[0] if found[1] else ""

    return _OPTION.sub(named, text)


async def body_of(request: Request, form: type[T]) -> T:
    """Return the body of a request as a value. Raises ``RefusedRequest``."""
    try:
        return msgspec.json.decode(await request.body(), type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise RefusedRequest(400, "body", quote=str(error)[:200]) from None


def as_form(value: Any, form: type[T]) -> T:
    """Return a part of a body as a value. Raises ``RefusedRequest``."""
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise RefusedRequest(400, "body", quote=str(error)[:200]) from None


def language_of(request: Request) -> str:
    """Return the language of an address, or the browser's. Raises ``RefusedRequest``."""
    named = request.path_params.get("language") or request.query_params.get("lang")
    if named is not None and named not in LANGUAGES:
        raise RefusedRequest(404, "languages", languages=", ".join(LANGUAGES))
    return browser_language(request)


def browser_language(request: Request) -> str:
    """Return the language in which a request is answered, whatever is wrong with it."""
    path = request.scope["path"].removeprefix("/").split("/")[0]
    liked = re.findall(r"\b(ja|en)\b", request.headers.get("accept-language", "")[:500].lower())
    asked = (request.query_params.get("lang"), path, *liked)
    return next((one for one in asked if one in LANGUAGES), ENGLISH)
