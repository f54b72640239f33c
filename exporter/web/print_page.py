"""The page of printing: what there is, which pages an order makes, the files, their pictures."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from exporter.app.drafts import Draft, Line
from exporter.app.games import stationery
from exporter.loader.print_job_files import read_jobs
from exporter.model.print_jobs import PrintOrder
from exporter.rules.project import Project
from exporter.web.answers import (
    builds_of,
    file_job,
    game_route,
    game_values,
    named_values,
    problems_of,
    seated_values,
)
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    as_form,
    body_of,
    language_of,
    without_options,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)

PRINT_FILES = "exporter.app.print_files"

# Pixels of an inch, by how large a page is wanted.
DOTS = {"": 60, "large": 150}


class Printed(Struct, frozen=True, kw_only=True):
    """What of a body an order has in another way: ``CODE:VARIANT`` or drafts, and one gap."""

    mechs: Annotated[tuple[Line | Draft, ...], Meta(max_length=100)] = ()
    gap: float | None = None


def routes(sessions: Sessions) -> list[Route]:
    """Give the addresses of what this module does."""
    return [
        game_route(sessions, "sheets", sheets),
        game_route(sessions, "plan", plan, dict[str, Any]),
        game_route(sessions, "print", partial(paper, sessions), dict[str, Any]),
        Route("/api/{game}/looks", partial(looks, sessions), methods=["POST"]),
        Route("/pages/{folder}/{name}/{number:int}", partial(page, sessions)),
    ]


def sheets(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give the sheets, papers, presets, mechs and boxes of a game."""
    project = opened.project
    game, papers = project.corrected, stationery()
    jobs = read_jobs(project.folder, project.without_problems().game, papers)
    kinds = (kind.name.in_language(language) for kind in game.kinds.values())
    return {
        **game_values(opened, language),
        **seated_values(project, language),
        "sheets": [named_values(job, language, "lay") for job in jobs.values()],
        "papers": [{"id": one.id, "size": one.size} for one in papers.papers.values()],
        "presets": [
            {**named_values(one, language), "hint": one.hint.in_language(language)}
            for one in papers.presets.values()
        ],
        "words": list(dict.fromkeys((*game.printed_decks, *kinds))),
        "problems": problems_of(opened.problems, project, language),
    }


def _order(project: Project, body: dict[str, Any]) -> PrintOrder:
    """Fill an order with a body, in which what is empty is as jobs have it."""
    printed = as_form(body, Printed)
    filled = {name: value for name, value in body.items() if value not in ("", None)}
    filled["builds"] = builds_of(project, printed.mechs)
    if printed.gap is not None:
        filled["gap"] = [printed.gap, printed.gap]
    return as_form(filled, PrintOrder)


def plan(opened: OpenGame, body: dict[str, Any], language: str) -> dict[str, Any]:
    """Plan the pages of an order: how many, and which card lies where on them."""
    from exporter.app.print_files import sheet_files  # brings what writes PDF

    project = opened.project.without_problems()
    order = _order(project, body)
    planned = sheet_files(project, {}, order=order, out=Path(), is_optional=False)
    return {
        "problems": problems_of(planned.notices, project, language),
        "remarks": [
            without_options(one.in_language(language), language) for one in planned.remarks
        ],
        "files": [
            {
                "name": sheet.name,
                "title": sheet.title,
                "pages": [
                    {
                        "size": [one.width, one.height],
                        "spots": [
                            {"box": spot.trim, "place": str(spot.face.where)} for spot in one.spots
                        ],
                    }
                    for one in sheet.pages  # a list or a note is set when it is made
                ],
            }
            for _path, sheet in planned.files
        ],
    }


def paper(
    sessions: Sessions, opened: OpenGame, body: dict[str, Any], language: str
) -> StreamingResponse:
    """Make the PDFs of an order."""
    project = opened.project
    job = f"{PRINT_FILES}:print_sheets", str(project.folder), sessions.tray()
    return file_job(sessions, opened, language, *job, _order(project, body))


async def looks(sessions: Sessions, request: Request) -> Response:
    """Say what on the faces of an order is hard to read, or to tell apart."""
    body = await body_of(request, dict[str, Any])
    project = await asyncio.to_thread(sessions.project, request.path_params["game"])
    look, order = f"{PRINT_FILES}:look_at_sheets", _order(project, body)
    found = await sessions.worker.do(look, str(project.folder), order)
    problems = problems_of(found.problems, project, language_of(request))
    return answer({"problems": problems, "read": found.read})


async def page(sessions: Sessions, request: Request) -> Response:
    """Give a page of a PDF that was made."""
    path = sessions.offered(request.path_params)
    dots = DOTS.get(request.query_params.get("size", ""), DOTS[""])
    number = min(request.path_params["number"], 1_000_000)
    if path.suffix != ".pdf":
        raise RefusedRequest(404, "gone")
    picture = "exporter.printing.pdf_sheets:png_page"
    data = await sessions.worker.do(picture, path.read_bytes(), number, dots)
    if not data:
        raise RefusedRequest(404, "gone")
    return Response(data, 200, FOREVER, "image/png")
