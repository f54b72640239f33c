"""Printing: what there is, which pages an order makes, the files, each page as a picture."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app.games import (
    stationery,
    word_for,
)
from exporter.loader.print_job_files import read_jobs
from exporter.rules.project import Project
from exporter.web.file_jobs import (
    check_mechs,
    made,
)
from exporter.web.page_values import (
    game_values,
    problems_of,
    seated_values,
)
from exporter.web.pages import without_options
from exporter.web.request_bodies import (
    Printed,
    print_command,
    print_order,
)
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    as_form,
    body_of,
    language_of,
    worked,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)

if TYPE_CHECKING:
    from exporter.app.make_files import Outline
    from exporter.model.print_jobs import PrintOrder
    from exporter.printing.print_plans import Plan
    from exporter.printing.sheet_pages import Page

DOTS = {"": 60, "large": 150}
"""Pixels of an inch, by how large a page is wanted."""


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""
    return [
        Route("/api/{game}/sheets", partial(sheets, desk)),
        Route("/api/{game}/plan", partial(plan, desk), methods=["POST"]),
        Route("/api/{game}/print", partial(paper, desk), methods=["POST"]),
        Route("/api/{game}/looks", partial(looks, desk), methods=["POST"]),
        Route("/pages/{folder}/{name}/{number:int}", partial(page, desk)),
    ]


def sheets(desk: Sessions, request: Request) -> Response:
    """Sheets, papers, presets, mechs and boxes of a game."""
    opened = desk.open_game(request.path_params["game"])
    return answer(_choices(opened, language_of(request)))


def _choices(opened: OpenGame, language: str) -> dict[str, Any]:
    project = opened.project
    game, papers = project.corrected, stationery()
    jobs = read_jobs(project.folder, project.without_problems().game, papers)
    kinds = (kind.name.in_language(language) for kind in game.kinds.values())
    return {
        **game_values(opened, language),
        **seated_values(project, language),
        "sheets": [
            {"id": job.id, "name": job.name.in_language(language), "lay": job.lay}
            for job in jobs.values()
        ],
        "papers": [{"id": one.id, "size": list(one.size)} for one in papers.papers.values()],
        "presets": [
            {
                "id": one.id,
                "name": one.name.in_language(language),
                "hint": one.hint.in_language(language),
            }
            for one in papers.presets.values()
        ],
        "words": list(dict.fromkeys((*(row.deck for row in game.decks), *kinds))),
        "problems": problems_of(opened.problems, project, language),
    }


async def _asked(desk: Sessions, request: Request) -> tuple[PrintOrder, Project]:
    body = await body_of(request, dict[str, Any])
    printed = as_form(body, Printed)
    order = print_order(body, printed)
    project = await asyncio.to_thread(desk.project, request.path_params["game"])
    check_mechs(project, printed.mechs)
    return order, project


async def plan(desk: Sessions, request: Request) -> Response:
    """The pages of an order: how many, and which card lies where on them."""
    order, project = await _asked(desk, request)
    language = language_of(request)
    planned = await worked(_planned, project, order)
    return answer(
        {
            "command": print_command(word_for(project.folder), order),
            "problems": problems_of(planned.notices, project, language),
            "said": [without_options(one.in_language(language), language) for one in planned.said],
            "files": [
                {
                    "name": sheet.name,
                    "title": sheet.title,
                    "pages": [
                        {"size": [one.width, one.height], "spots": _spots(one)}
                        for one in sheet.pages  # a list or a note is set when it is made
                    ],
                }
                for _path, sheet in planned.files
            ],
        }
    )


def _planned(project: Project, order: PrintOrder) -> Outline[Plan]:
    from exporter.app.print_files import sheet_files  # brings what writes PDF

    return sheet_files(project.without_problems(), order, Path(), {}, is_optional=False)


def _spots(page: Page) -> list[dict[str, Any]]:
    return [{"box": list(one.trim), "place": str(one.face.where)} for one in page.spots]


async def paper(desk: Sessions, request: Request) -> Response:
    """The PDFs of an order: how far they are, and at last where to fetch them."""
    order, project = await _asked(desk, request)
    return made(desk, project, request, "paper", order)


async def looks(desk: Sessions, request: Request) -> Response:
    """What on the faces of an order is hard to read, or to tell apart."""
    order, project = await _asked(desk, request)
    found, read = await desk.worker.do("looks", project.folder, order)
    return answer({"problems": problems_of(found, project, language_of(request)), "read": read})


async def page(desk: Sessions, request: Request) -> Response:
    """A page of a PDF that was made."""
    path = desk.offered("{folder}/{name}".format_map(request.path_params))
    dots = DOTS.get(request.query_params.get("size", ""), DOTS[""])
    number = min(request.path_params["number"], 1_000_000)
    if path.suffix != ".pdf":
        raise RefusedRequest(404, "gone")
    data = await desk.worker.do("page", path, number, dots)
    if not data:
        raise RefusedRequest(404, "gone")
    return Response(data, 200, FOREVER, "image/png")
