"""Have files made by the worker: progress line by line, and at last where to fetch them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from exporter.app.drafts import Draft, entry_of
from exporter.core.problems import InvalidSource
from exporter.core.worker_process import WorkerEnded
from exporter.model import Build
from exporter.rules.project import Project
from exporter.web.answers import (
    made_values,
    problems_of,
)
from exporter.web.requests import (
    RefusedRequest,
    language_of,
)
from exporter.web.sessions import Sessions
from exporter.web.worker import WORKER


def builds_of(project: Project, mechs: Iterable[str | Draft]) -> list[str | Build]:
    """Return what an order has for mechs by name and drafts.

    Raises ``RefusedRequest`` for a name that would be looked for among files.
    """
    known = {word for mech in project.corrected.mechs.values() for word in (mech.code, mech.name)}
    found: list[str | Build] = []
    for who in mechs:
        if isinstance(who, str) and who and who.partition(":")[0] not in known:
            raise RefusedRequest(400, "no-mech")
        found.append(entry_of(who) if isinstance(who, Draft) else who)
    return found


def build_option(who: str | Build, other: str) -> tuple[str, str]:
    """Return the option for a build and the file it is in; ``other`` for one without a name."""
    if isinstance(who, str):
        return "--mech", who
    return "--deck" if who.decks else "--mech", f"{who.name or other}.yaml"


def file_name(name: str, other: str) -> str:
    """Return what people call a thing as the name of a file; ``other`` if nothing of it is left."""
    kept = "".join(c if c.isalnum() or c in "-_ " else "_" for c in name).strip()
    return kept[:60] or other


def file_job(
    sessions: Sessions, request: Request, function: str, *arguments: Any, **options: Any
) -> Response:
    """Answer with the progress of ``module:function`` and the files that it makes.

    A line is ``{"done", "total"}`` while it works, then ``{"made"}`` or ``{"problems"}``.
    """
    language = language_of(request)
    lines: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def progress(done: int, total: int) -> None:
        loop.call_soon_threadsafe(lines.put_nowait, {"done": done, "total": total})

    async def work() -> None:
        job = (f"{WORKER}:make_files", function, arguments, options)
        try:
            found = await sessions.worker.do(*job, progress=progress)
            lines.put_nowait({"made": made_values(found, sessions.offer, language)})
        except InvalidSource as error:
            project = sessions.open_game(request.path_params["game"]).readable
            lines.put_nowait({"problems": problems_of(error.problems, project, language)})
        except WorkerEnded:
            lines.put_nowait({"problems": [], "broken": True})
        finally:
            lines.put_nowait(None)

    async def told() -> AsyncIterator[bytes]:
        working = asyncio.create_task(work())
        try:
            while (line := await lines.get()) is not None:
                yield msgspec.json.encode(line) + b"\n"
        finally:
            working.cancel()

    return StreamingResponse(told(), media_type="application/x-ndjson")
