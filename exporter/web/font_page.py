"""Fonts of pages: with the letters of the game alone, kept by browsers until those are others."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app.font_subsets import (
    WEIGHTS,
    font_key,
    letters_of,
)
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
)
from exporter.web.sessions import Sessions

_FACE = """@font-face {{ font-family: "Workbench"; font-weight: {weight}; font-display: swap;
  src: local("BIZ UDPGothic{name}"), url("/fonts/{key}.woff"); }}
"""


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""
    return [
        Route("/fonts/of.css", partial(faces, desk)),
        Route("/fonts/{key}.woff", partial(font, desk)),
    ]


def faces(desk: Sessions, request: Request) -> Response:
    """Where the fonts of pages are: of one game's, or of those about none."""
    name = request.query_params.get("game", "")
    letters = letters_of(desk.open_game(name).readable if name else None)
    sheet = ""
    for weight in WEIGHTS:
        key = font_key(weight, letters)
        desk.fonts[key] = (weight, letters)
        sheet += _FACE.format(weight=weight, name=" Bold" if weight == 700 else "", key=key)
    return Response(sheet, media_type="text/css")


async def font(desk: Sessions, request: Request) -> Response:
    """A font that a page was told of."""
    if request.path_params["key"] not in desk.fonts:
        raise RefusedRequest(404, "no-page")
    data = await desk.worker.do("font", *desk.fonts[request.path_params["key"]])
    return Response(data, 200, FOREVER, "font/woff")
