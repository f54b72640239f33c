"""Printing: what there is, which pages an order makes, the files, each page as a picture."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app.arguments import word_for
from exporter.app.open_project import Held
from exporter.app.print_preview import (
    OnPage,
    printable,
    sheets_of_held,
)
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
from exporter.web.request_bodies import PrintWish
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    body_of,
    language_of,
    worked,
)
from exporter.web.sessions import (
    Sessions,
    Shown,
)

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
    shown, held = desk.held(request.path_params["game"])
    return answer(_choices(shown, held, language_of(request)))


def _choices(shown: Shown, held: Held, language: str) -> dict[str, Any]:
    found, game = printable(held), held.game
    kinds = (kind.name.in_language(language) for kind in game.kinds.values())
    return {
        **game_values(shown, language),
        **seated_values(held, language),
        "sheets": [
            {"id": job.id, "name": job.name.in_language(language), "lay": job.lay}
            for job in found.jobs
        ],
        "papers": [
            {"id": one.id, "size": list(one.size)} for one in found.stationery.papers.values()
        ],
        "presets": [
            {
                "id": one.id,
                "name": one.name.in_language(language),
                "hint": one.hint.in_language(language),
            }
            for one in found.stationery.presets.values()
        ],
        "words": list(dict.fromkeys((*(row.deck for row in game.decks), *kinds))),
        "problems": problems_of(shown.problems, held, language),
    }


async def _asked(desk: Sessions, request: Request) -> tuple[PrintWish, Held]:
    wish = await body_of(request, PrintWish)
    _shown, held = await asyncio.to_thread(desk.held, request.path_params["game"])
    check_mechs(held, wish.mechs)
    return wish, held


async def plan(desk: Sessions, request: Request) -> Response:
    """The pages of an order: how many, and which card lies where on them."""
    wish, held = await _asked(desk, request)
    language = language_of(request)
    planned = await worked(sheets_of_held, held, wish.order)
    return answer(
        {
            "command": wish.command(word_for(held.folder)),
            "problems": problems_of(planned.problems, held, language),
            "said": [without_options(one.in_language(language), language) for one in planned.said],
            "files": [
                {
                    "name": sheet.name,
                    "title": sheet.title,
                    "pages": [
                        {"size": list(size), "spots": _spots(spots)} for size, spots in sheet.pages
                    ],
                }
                for sheet in planned.sheets
            ],
        }
    )


def _spots(spots: Sequence[OnPage]) -> list[dict[str, Any]]:
    return [{"box": list(one.box), "place": str(one.where)} for one in spots]


async def paper(desk: Sessions, request: Request) -> Response:
    """The PDFs of an order: how far they are, and at last where to fetch them."""
    wish, held = await _asked(desk, request)
    return made(desk, held, request, "paper", wish.order)


async def looks(desk: Sessions, request: Request) -> Response:
    """What on the faces of an order is hard to read, or to tell apart."""
    wish, held = await _asked(desk, request)
    found, read = await desk.worker.do("looks", held.folder, wish.order)
    return answer({"problems": problems_of(found, held, language_of(request)), "read": read})


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
