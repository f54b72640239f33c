"""What pages are answered about a game: its head, problems, verdicts, files as they are made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from exporter.app.drafts import Draft, build_of
from exporter.core.problems import (
    InvalidSource,
    Problem,
    errors,
    problem_values,
)
from exporter.core.worker_process import WorkerEnded
from exporter.model import Build
from exporter.rules.project import Project
from exporter.rules.report.verdicts import Verdict
from exporter.web.requests import (
    RefusedRequest,
    answer,
    body_of,
    language_of,
    without_options,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)
from exporter.web.worker import WORKER


def game_route(sessions: Sessions, name: str, work: Callable[..., Any], form: Any = None) -> Route:
    """Give the address of a question about a game.

    ``work`` gets the open game, the body as a ``form``, if there is one, and the language; it
    runs in a thread, and returns a value for JSON or a whole response.
    """

    async def endpoint(request: Request) -> Response:
        asked = [await body_of(request, form)] if form else []
        language = language_of(request)

        def answered() -> Response:
            game = sessions.open_game(request.path_params["game"])
            try:
                found = work(game, *asked, language)
            except InvalidSource as error:
                problems = problems_of(error.problems, game.readable, language)
                return answer({"problems": problems}, 422)
            known = "" if form else request.headers.get("if-none-match", "")
            return found if isinstance(found, Response) else answer(found, known=known)

        return await asyncio.to_thread(answered)

    return Route(f"/api/{{game}}/{name}", endpoint, methods=["POST" if form else "GET"])


def problems_of(
    problems: Iterable[Problem], project: Project | None, language: str
) -> list[dict[str, Any]]:
    """Give problems with their place in words, and their sources by title, in words of pages."""
    rules = project.book.rules if project is not None else {}
    found = []
    for problem in problems:
        rule, values = rules.get(problem.rule), problem_values(problem, language)
        found.append(
            {
                **values,
                "message": without_options(values["message"], language),
                "hint": without_options(values["hint"], language),
                "place": str(problem.where) if problem.where.file else "",
                "title": rule.title.in_language(language) if rule else "",
                "sources": titles(project, problem.cites, language),
            }
        )
    return found


def titles(project: Project | None, cites: Iterable[str], language: str) -> list[str]:
    """Give sources by their titles, as far as the game has them."""
    sources = project.game.sources if project is not None else {}
    return [sources[cite].in_language(language) if cite in sources else cite for cite in cites]


def judged_values(verdict: Verdict, project: Project, language: str) -> dict[str, Any]:
    """Say whether a build is legal, and what stands against it."""
    found = (*verdict.reasons, *verdict.problems)
    return {"legal": verdict.legal, "problems": problems_of(found, project, language)}


def named_values(thing: Any, language: str, *fields: str) -> dict[str, Any]:
    """Give a thing by its id and name, with some of its ``fields`` as they are."""
    named = {"id": thing.id, "name": thing.name.in_language(language)}
    return named | {field: getattr(thing, field) for field in fields}


def game_values(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give a game's head: what the pages about it need to know first."""
    project = opened.readable
    if project is None:
        return {
            "game": opened.name,
            "name": opened.name,
            "stamp": opened.stamp,
            "problems": problems_of(opened.problems, None, language),
            "wrong": len(errors(opened.problems)),
        }
    game = project.corrected
    return {
        "game": opened.name,
        **named_values(game, language, "players"),
        "notice": game.notice.in_language(language),
        "stamp": opened.stamp,
        "cards": len(game.cards),
        "rooms": len(game.rooms),
        "mechs": len(game.mechs),
        "has": {
            "cards": any(kind.front for kind in game.kinds.values()),
            "rooms": bool(game.rooms),
            "frames": bool(game.frames),
            "decks": bool(game.deck_kinds),
        },
        "wrong": len(errors(opened.problems)),
    }


def seated_values(project: Project, language: str) -> dict[str, Any]:
    """Give the printed mechs that can be seated or printed, and the boxes somebody may own."""
    game = project.corrected
    return {
        "mechs": [
            {
                "code": mech.code,
                "name": mech.name,
                "box": mech.edition,
                "variants": [named_values(game.variants[name], language) for name in mech.loadouts],
            }
            for mech in game.mechs.values()
            if mech.loadouts
        ],
        "boxes": [named_values(box, language, "requires") for box in game.editions.values()],
        "frames": bool(game.frames),
    }


def regulations_values(project: Project, language: str) -> dict[str, Any]:
    """Give the regulations under which something can be judged."""
    return {
        "regulations": [
            {"id": one.id, "title": one.title.in_language(language), "default": one.default}
            for one in project.book.regulations
        ]
    }


def made_values(made: Mapping[str, Any], address: Any, language: str) -> dict[str, Any]:
    """Give files that were made, with where they are fetched."""
    return {
        "painted": made["painted"],
        "remarks": [
            without_options(one.in_language(language), language) for one in made["remarks"]
        ],
        "problems": problems_of(made["problems"], None, language),
        "files": [
            {
                "name": one["path"].name,
                "address": address(one["path"]),
                "size": one["size"],
                "counts": one["counts"],
                "verified": problems_of(one["verified"], None, language),
            }
            for one in made["files"]
        ],
    }


def builds_of(project: Project, mechs: Iterable[str | Draft]) -> list[str | Build]:
    """Return what an order has for mechs by name and drafts.

    Raises ``RefusedRequest`` for a name that would be looked for among files.
    """
    known = {word for mech in project.corrected.mechs.values() for word in (mech.code, mech.name)}
    found: list[str | Build] = []
    for who in mechs:
        if isinstance(who, str) and who and who.partition(":")[0] not in known:
            raise RefusedRequest(400, "no-mech")
        found.append(build_of(who) if isinstance(who, Draft) else who)
    return found


def file_name(name: str, other: str) -> str:
    """Return what people call a thing as the name of a file; ``other`` if nothing of it is left."""
    kept = "".join(c if c.isalnum() or c in "-_ " else "_" for c in name).strip()
    return kept[:60] or other


def file_job(
    sessions: Sessions,
    opened: OpenGame,
    language: str,
    function: str,
    *arguments: Any,
    **options: Any,
) -> StreamingResponse:
    """Answer with the progress of ``module:function`` and the files that it makes.

    A line is ``{"done", "total"}`` while it works, then ``{"made"}`` or ``{"problems"}``.
    """
    lines: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    async def work() -> None:
        loop = asyncio.get_running_loop()

        def progress(done: int, total: int) -> None:
            loop.call_soon_threadsafe(lines.put_nowait, {"done": done, "total": total})

        job = (f"{WORKER}:make_files", function, arguments, options)
        try:
            found = await sessions.worker.do(*job, progress=progress)
            lines.put_nowait({"made": made_values(found, sessions.offer, language)})
        except InvalidSource as error:
            lines.put_nowait({"problems": problems_of(error.problems, opened.readable, language)})
        except WorkerEnded:
            lines.put_nowait({"problems": [], "broken": True})
        finally:
            lines.put_nowait(None)

    async def streamed() -> AsyncIterator[bytes]:
        working = asyncio.create_task(work())
        try:
            while (line := await lines.get()) is not None:
                yield msgspec.json.encode(line) + b"\n"
        finally:
            working.cancel()

    return StreamingResponse(streamed(), media_type="application/x-ndjson")
