"""The page of zips: what is wrong with one that somebody drops, its table drawn, what it holds."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import to_builtins
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from exporter.app.compare_data import difference_lines
from exporter.app.drafts import draft_of
from exporter.app.room_zips import OpenedZip
from exporter.rooms.saved_benches import put_together
from exporter.rules.report.verdicts import judge_build
from exporter.web.answers import (
    file_name,
    judged_values,
    problems_of,
)
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    language_of,
    page,
)
from exporter.web.room_page import table_values
from exporter.web.sessions import Sessions

# What is shown of a stranger's zip, as what: no browser takes it for anything else.
PICTURES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".bmp": "image/bmp",
    ".svg": "image/svg+xml",
}


def routes(sessions: Sessions) -> list[Route]:
    """Give the addresses of what this module does."""
    return [
        Route("/{language}/verify", verify),
        Route("/api/verify", partial(open_zip, sessions), methods=["POST"]),
        Route("/api/update", partial(update_zip, sessions), methods=["POST"]),
        Route("/pieces/{folder}/{name}", partial(piece, sessions)),
    ]


def verify(request: Request) -> Response:
    """Show a page to drop any room zip on."""
    return page("verify", language_of(request), "/verify")


async def open_zip(sessions: Sessions, request: Request) -> Response:
    """Say what a zip holds. It is the body; ``name`` is what problems call it."""
    name = f"{file_name(Path(request.query_params.get('name', '')).stem, 'room')}.zip"
    language, path = language_of(request), await sessions.upload(request, name)
    pictures = path.parent / "pieces"
    try:
        found: OpenedZip = await sessions.worker.do(
            "exporter.app.room_zips:open_zip", path, pictures
        )
    finally:
        path.unlink()
    for picture in found.pictures.values():
        sessions.offer(pictures / picture)

    def address(identifier: str) -> str:
        picture = found.pictures.get(identifier, "")
        return f"/pieces/{path.parent.name}/{picture}" if picture else ""

    return answer(
        {
            "name": name,
            "size": found.size,
            "counts": found.counts,
            **(table_values(found.room, address) if found.room is not None else {}),
            "problems": problems_of(found.problems, None, language),
            **await asyncio.to_thread(_builds, sessions, found, name, language),
        }
    )


async def update_zip(sessions: Sessions, request: Request) -> Response:
    """Say what today's data of a ``game`` change in a saved room, and offer it so."""
    name = file_name(Path(request.query_params.get("name", "")).stem, "room")
    asked = request.query_params.get("game", "")
    opened = await asyncio.to_thread(sessions.open_game, asked)
    path = await sessions.upload(request, f"{name}.zip")
    out = path.with_name(f"{name}_updated.zip")
    folder = sessions.folders[opened.name]
    function = "exporter.app.room_zips:update_file"
    try:
        changes = await sessions.worker.do(function, path, folder, out)
    finally:
        path.unlink()
    lines = difference_lines(changes, language_of(request))
    return answer(
        {"lines": lines, "name": out.name, "address": sessions.offer(out) if changes else ""}
    )


def _builds(sessions: Sessions, found: OpenedZip, name: str, language: str) -> dict[str, Any]:
    """Give what was put together on the benches of a saved room, if its game is here."""
    if found.room is None or found.game not in sessions.folders:
        return {}
    opened = sessions.open_game(found.game)
    if opened.readable is None:
        return {}
    project = opened.project
    builds = [
        {
            "bench": build.where.file.partition("#")[2],
            "draft": to_builtins(draft_of(build)),
            **judged_values(judge_build(project, build), project, language),
        }
        for build in put_together(project.game, found.room, name)[0]
    ]
    return {"game": opened.name, "builds": builds}


def piece(sessions: Sessions, request: Request) -> Response:
    """Give a picture of a zip that was looked into."""
    path = sessions.offered(request.path_params)
    kind = PICTURES.get(path.suffix.lower())
    if path.parent.name != "pieces" or kind is None:
        raise RefusedRequest(404, "gone")
    return FileResponse(path, media_type=kind, headers=FOREVER)
