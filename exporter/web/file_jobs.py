"""Files that the worker makes: what is told while it does, and at last where to fetch them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from exporter.app.drafts import Draft
from exporter.core.problems import InvalidSource
from exporter.core.worker_process import WorkerEnded
from exporter.rules.project import Project
from exporter.web.page_values import (
    made_values,
    problems_of,
)
from exporter.web.requests import (
    RefusedRequest,
    language_of,
)
from exporter.web.sessions import Sessions


def check_mechs(project: Project, mechs: Iterable[str | Draft]) -> None:
    """Raises ``RefusedRequest`` for a name that would be looked for among files."""
    known = {word for mech in project.corrected.mechs.values() for word in (mech.code, mech.name)}
    for who in mechs:
        if isinstance(who, str) and who and who.partition(":")[0] not in known:
            raise RefusedRequest(400, "no-mech")


def file_name(name: str, other: str) -> str:
    """What people call a thing, as the name of a file; ``other`` where nothing of it is left."""
    kept = "".join(c if c.isalnum() or c in "-_ " else "_" for c in name).strip()
    return kept[:60] or other


def made(desk: Sessions, project: Project, request: Request, job: str, order: Any) -> Response:
    """A job's answer: how far it is, line by line, and at last where to fetch what was made."""
    lines = _lines(desk, project, job, order, language_of(request))
    return StreamingResponse(lines, media_type="application/x-ndjson")


async def _lines(
    desk: Sessions, project: Project, job: str, order: Any, language: str
) -> AsyncIterator[bytes]:
    """``{"done", "total"}`` as it goes, then ``{"made"}`` or ``{"problems"}``."""
    told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def tell(done: int, total: int) -> None:
        loop.call_soon_threadsafe(told.put_nowait, {"done": done, "total": total})

    async def work() -> None:
        try:
            found = await desk.worker.do(job, project.folder, order, desk.tray(), progress=tell)
            address = desk.offer
            told.put_nowait({"made": made_values(found, address, language)})
        except InvalidSource as error:
            told.put_nowait({"problems": problems_of(error.problems, project, language)})
        except WorkerEnded:
            told.put_nowait({"problems": [], "broken": True})
        finally:
            told.put_nowait(None)

    working = asyncio.create_task(work())
    try:
        while (line := await told.get()) is not None:
            yield msgspec.json.encode(line) + b"\n"
    finally:
        working.cancel()
