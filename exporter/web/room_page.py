"""Putting a room together: what there is to choose, the table as it would be, the zip."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app.drafts import draft_text
from exporter.app.games import word_for
from exporter.core.problems import InvalidSource
from exporter.faces.board_codes import turns_of
from exporter.model import Build
from exporter.model.tabletop import pictures
from exporter.rooms.room_orders import (
    has_pawn,
    rooms_with_problems,
)
from exporter.rules.report.check_report import judge_build
from exporter.rules.report.verdicts import CheckOptions
from exporter.web.file_jobs import (
    check_mechs,
    file_name,
    made,
)
from exporter.web.page_values import (
    game_values,
    judged_values,
    problems_of,
    seated_values,
)
from exporter.web.request_bodies import (
    ImagesRequest,
    LooseRequest,
    Seats,
    room_command,
    room_order,
)
from exporter.web.requests import (
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
from exporter.web.table_drawing import drawn

if TYPE_CHECKING:
    from exporter.app.face_pictures import OwnPicture


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""
    return [
        Route("/api/{game}/rooms", partial(rooms, desk)),
        Route("/api/{game}/table", partial(table, desk), methods=["POST"]),
        Route("/api/{game}/room", partial(room, desk), methods=["POST"]),
        Route("/api/{game}/loose", partial(loose, desk), methods=["POST"]),
        Route("/api/{game}/images", partial(images, desk), methods=["POST"]),
        Route("/api/picture", partial(picture, desk), methods=["POST"]),
    ]


def rooms(desk: Sessions, request: Request) -> Response:
    """Rooms, seats, mechs, boards and boxes of a game."""
    opened = desk.open_game(request.path_params["game"])
    return answer(_choices(opened, language_of(request)))


def _choices(opened: OpenGame, language: str) -> dict[str, Any]:
    project = opened.project
    game = project.corrected
    return {
        **game_values(opened, language),
        **seated_values(project, language),
        "rooms": [
            {
                "id": plan.id,
                "name": plan.name.in_language(language),
                "players": list(plan.players),
                "boards": list(plan.boards),
                "seats": [
                    {
                        "id": seat.id,
                        "name": seat.name,
                        "team": seat.team,
                        "pawn": has_pawn(game, seat),
                        "mech": f"{seat.mech}:{seat.variant}" if seat.mech else "",
                    }
                    for seat in plan.numbered_seats
                ],
            }
            for plan in game.rooms.values()
        ],
        "boards": [
            {
                "id": board.id,
                "name": board.name.in_language(language),
                "turns": list(turns_of(board)),
            }
            for board in game.boards.values()
            if board.kind == "square"
        ],
        "problems": problems_of(opened.problems, project, language),
    }


async def table(desk: Sessions, request: Request) -> Response:
    """The table as a room's plan has it, with what the rules say of the builds in it."""
    name, body = request.path_params["game"], await body_of(request, dict[str, Any])
    return await worked(_table, desk, name, body, language_of(request))


def _table(desk: Sessions, name: str, body: dict[str, Any], language: str) -> Response:
    opened = desk.open_game(name)
    project, seats = opened.project, as_form(body, Seats)
    check_mechs(project, seats.mechs.values())
    if missing := desk.handed.missing(one.key for one in seats.pictures.values()):
        return answer({"missing": missing}, 409)
    order = room_order(body, seats, desk.handed.pictures)
    options = CheckOptions(boxes=order.boxes)
    said = {
        "seats": {
            seat: judged_values(judge_build(project, build, options), project, language)
            for seat, build in order.mechs.items()
            if isinstance(build, Build)
        },
        "command": room_command(word_for(project.folder), order, seats),
        "stamp": opened.stamp,
    }
    try:
        game = project.without_problems().played
        planned = rooms_with_problems(game, order)[seats.room]
    except InvalidSource as error:
        return answer({**said, "problems": problems_of(error.problems, project, language)}, 422)
    keys = opened.addresses(pictures(planned.room))
    table = drawn(planned.room, lambda face: keys.get(face, ""))
    return answer({**said, **table, "problems": problems_of(planned.problems, project, language)})


async def room(desk: Sessions, request: Request) -> Response:
    """The zip of a room: how far it is, line by line, and at last where to fetch it."""
    body = await body_of(request, dict[str, Any])
    seats = as_form(body, Seats)
    project = await asyncio.to_thread(desk.project, request.path_params["game"])
    check_mechs(project, seats.mechs.values())
    if desk.handed.missing(one.key for one in seats.pictures.values()):
        raise RefusedRequest(409, "no-handed-picture")
    order = room_order(body, seats, desk.handed.pictures)
    return made(desk, project, request, "room", order)


async def loose(desk: Sessions, request: Request) -> Response:
    """The zip of one thing to drop into a running room, in the same way."""
    asked = await body_of(request, LooseRequest)
    project = desk.project(request.path_params["game"])
    if isinstance(asked.thing, str):
        game = project.corrected
        known = {*game.mechs, *game.cards, *game.cards_by_name, *(row.deck for row in game.decks)}
        if asked.thing not in known and asked.thing.partition(":")[0] not in game.mechs:
            raise RefusedRequest(400, "no-thing")
        return made(desk, project, request, "loose", (asked.thing,))
    path = desk.tray() / f"{file_name(asked.thing.name, 'build')}.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(draft_text(project, asked.thing), encoding="utf-8")
    return made(desk, project, request, "loose", (str(path),))


async def images(desk: Sessions, request: Request) -> Response:
    """A zip of the pictures of all cards and pieces, in the same way."""
    asked = await body_of(request, ImagesRequest)
    project = await asyncio.to_thread(desk.project, request.path_params["game"])
    return made(desk, project, request, "images", asked.png)


async def picture(desk: Sessions, request: Request) -> Response:
    """Take in a picture, the body; its key. Its ``name`` is what problems call it."""
    said = Path(request.query_params.get("name", ""))
    name = file_name(said.stem, "picture") + said.suffix[:6]
    path = desk.tray() / name
    data = await request.body()
    if not data:
        raise RefusedRequest(400, "nothing-handed")

    def write() -> None:
        path.parent.mkdir(parents=True)
        path.write_bytes(data)

    def forget() -> None:
        path.unlink()
        path.parent.rmdir()

    await asyncio.to_thread(write)
    try:
        found: OwnPicture = await desk.worker.do("own", path)
    except InvalidSource as error:
        told = (replace(one, where=replace(one.where, file=name)) for one in error.problems)
        raise InvalidSource(tuple(told)) from None
    finally:
        await asyncio.to_thread(forget)
    return answer({"key": desk.handed.keep(found), "name": name})
