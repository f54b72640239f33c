"""A zip that somebody drops: what is wrong with it, its table drawn, what it holds."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from exporter.app.drafts import draft_of
from exporter.app.zip_report import LookedInto
from exporter.rooms.saved_benches import put_together
from exporter.rules.report.check_report import judge_build
from exporter.web.file_jobs import file_name
from exporter.web.page_values import (
    judged_values,
    problems_of,
)
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    language_of,
)
from exporter.web.sessions import Sessions
from exporter.web.table_drawing import drawn

PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
}
"""What is shown of a stranger's zip, as what: no browser takes it for anything else."""


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""
    return [
        Route("/api/verify", partial(looked_into, desk), methods=["POST"]),
        Route("/pieces/{folder}/{name}", partial(piece, desk)),
    ]


async def looked_into(desk: Sessions, request: Request) -> Response:
    """What a zip holds. It is the body; ``name`` is what problems call it."""
    name = f"{file_name(Path(request.query_params.get('name', '')).stem, 'room')}.zip"
    tray, language = desk.tray(), language_of(request)
    path = tray / name
    data = await request.body()

    def write() -> None:
        tray.mkdir(parents=True)
        path.write_bytes(data)

    await asyncio.to_thread(write)
    pictures = tray / "pieces"
    found: LookedInto = await desk.worker.do("zipped", path, pictures)
    path.unlink()
    for picture in found.pictures.values():
        desk.offer(pictures / picture)

    def address(identifier: str) -> str:
        picture = found.pictures.get(identifier, "")
        return f"/pieces/{tray.name}/{picture}" if picture else ""

    shown = drawn(found.room, address) if found.room is not None else {}
    return answer(
        {
            "name": name,
            "size": found.size,
            "counts": found.counts,
            **shown,
            "problems": problems_of(found.problems, None, language),
            **await asyncio.to_thread(_builds, desk, found, name, language),
        }
    )


def _builds(desk: Sessions, found: LookedInto, name: str, language: str) -> dict[str, Any]:
    """What was put together on the benches of a saved room, if its game is here."""
    if found.room is None or found.game not in desk.folders:
        return {}
    shown = desk.open_game(found.game)
    if shown.readable is None:
        return {}
    project, builds = shown.project, []
    for entry in put_together(project.game, found.room, name)[0]:
        builds.append(
            {
                "bench": entry.where.file.partition("#")[2],
                "draft": to_builtins(draft_of(entry)),
                **judged_values(judge_build(project, entry), project, language),
            }
        )
    return {"game": shown.name, "builds": builds}


def piece(desk: Sessions, request: Request) -> Response:
    """A picture of a zip that was looked into."""
    path = desk.offered("{folder}/{name}".format_map(request.path_params))
    kind = PICTURES.get(path.suffix.lower())
    if path.parent.name != "pieces" or kind is None:
        raise RefusedRequest(404, "gone")
    return FileResponse(path, media_type=kind, headers=FOREVER)
