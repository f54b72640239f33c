"""The pages of rooms, what to choose, the table, the zip; and of zips that somebody drops."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from exporter.app.compare_data import difference_lines
from exporter.app.drafts import Draft, Line, draft_of, draft_text
from exporter.app.games import command_line_name
from exporter.app.room_zips import OpenedZip, Updated
from exporter.core.problems import InvalidSource, SourceLocation
from exporter.faces.board_faces import turns_of
from exporter.model import Build
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    Data,
    DiceSymbol,
    P,
    Placed,
    Room,
    TableCard,
    TableMask,
    Terrain,
    TextNote,
    pictures,
)
from exporter.rooms.opening_view import (
    PERSPECTIVE,
    SHIFT,
    TILT,
    TURN,
    WINDOWS,
    panels,
)
from exporter.rooms.room_orders import RoomOrder, plan_order
from exporter.rooms.saved_benches import assemble_benches
from exporter.rooms.seats import has_pawn
from exporter.rules.project import Project
from exporter.rules.report.verdicts import CheckOptions, judge_build
from exporter.web.answers import (
    builds_of,
    file_job,
    file_name,
    game_route,
    game_values,
    judged_values,
    named_values,
    problems_of,
    seated_values,
)
from exporter.web.requests import (
    FOREVER,
    RefusedRequest,
    answer,
    as_form,
    language_of,
    page,
)
from exporter.web.sessions import (
    OpenGame,
    Sessions,
)

# Where a picture is served; an empty text where there is none.
Address = Callable[[Any], str]

# The client's opening view: pixels and degrees.
CAMERA = {"perspective": PERSPECTIVE, "x": SHIFT, "pitch": TILT, "turn": TURN}

ROOM_FILES = "exporter.app.room_files"

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


class SeatPicture(Struct, frozen=True):
    """A picture that was handed over: the key that it was given, and the name of its file."""

    key: Line
    name: Line


class Seats(Struct, frozen=True, kw_only=True):
    """What of a body an order has in another way: who sits in the seats of one room.

    ``CODE:VARIANT`` or a draft, and pictures that were handed over before.
    """

    room: Line
    mechs: Annotated[Mapping[Line, Line | Draft], Meta(max_length=100)] = {}
    pictures: Annotated[Mapping[Line, SeatPicture], Meta(max_length=100)] = {}


class LooseRequest(Struct, frozen=True):
    """One thing to drop into a running room: a name, or a build of somebody's own."""

    thing: Line | Draft


class ImagesRequest(Struct, frozen=True):
    """All pictures of a game: WebP where that is smaller, or PNG alone."""

    png: bool = False


def routes(sessions: Sessions) -> list[Route]:
    """Give the addresses of what this module does."""
    return [
        game_route(sessions, "rooms", rooms),
        game_route(sessions, "table", partial(send_table, sessions), dict[str, Any]),
        game_route(sessions, "room", partial(room, sessions), dict[str, Any]),
        game_route(sessions, "loose", partial(loose, sessions), LooseRequest),
        game_route(sessions, "images", partial(images, sessions), ImagesRequest),
        Route("/api/picture", partial(picture, sessions), methods=["POST"]),
        Route("/{language}/verify", verify),
        Route("/api/verify", partial(open_zip, sessions), methods=["POST"]),
        Route("/api/update", partial(update_zip, sessions), methods=["POST"]),
        Route("/pieces/{folder}/{name}", partial(piece, sessions)),
    ]


def rooms(opened: OpenGame, language: str) -> dict[str, Any]:
    """Give the rooms, seats, mechs, boards and boxes of a game."""
    project = opened.project
    game = project.corrected
    return {
        **game_values(opened, language),
        **seated_values(project, language),
        "rooms": [
            {
                **named_values(plan, language, "players", "boards"),
                "seats": [
                    {
                        "id": seat.id,
                        "name": game.label(seat.name, language),
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
            {**named_values(board, language), "turns": turns_of(board)}
            for board in game.boards.values()
            if board.kind == "square"
        ],
        "problems": problems_of(opened.problems, project, language),
    }


def _order(sessions: Sessions, project: Project, body: dict[str, Any]) -> tuple[RoomOrder, Seats]:
    """Fill an order with a body. Raises ``RefusedRequest``."""
    seats = as_form(body, Seats)
    mechs = {seat: who for seat, who in seats.mechs.items() if who}
    if _forgotten(sessions, seats):
        raise RefusedRequest(409, "no-handed-picture")
    filled = {
        "rooms": [seats.room],
        "mechs": dict(zip(mechs, builds_of(project, mechs.values()), strict=True)),
        "pictures": {seat: sessions.pictures[it.key] for seat, it in seats.pictures.items()},
    }
    return as_form(body | filled, RoomOrder), seats


def _forgotten(sessions: Sessions, seats: Seats) -> list[str]:
    """Return keys of pictures that are not kept any more: the page hands them over again."""
    return [one.key for one in seats.pictures.values() if one.key not in sessions.pictures]


def _command(game: str, order: RoomOrder, seats: Seats) -> str:
    """Return the command line that makes the zip of an order."""
    words = ["exporter", "build", game, "--room", seats.room]
    for seat, who in order.mechs.items():
        option = "--deck" if isinstance(who, Build) and who.decks else "--mech"
        file = f"{who.name or seat}.yaml" if isinstance(who, Build) else who
        words += [option, f"{seat}={file}"]
    for seat, its in seats.pictures.items():
        words += ["--picture", f"{seat}={its.name}"]
    words += ["--board", "+".join(order.boards).replace("+/", "/")] if order.boards else []
    words += ["--boxes", ",".join(order.boxes)] if order.boxes else []
    words += ["--shuffle", order.shuffle] if order.shuffle else []
    return shlex.join(words)


def send_table(
    sessions: Sessions, opened: OpenGame, body: dict[str, Any], language: str
) -> Response | dict[str, Any]:
    """Give the table as a room's plan has it, and what the rules say of the builds in it."""
    project = opened.project
    if missing := _forgotten(sessions, as_form(body, Seats)):
        return answer({"missing": missing}, 409)
    order, seats = _order(sessions, project, body)
    options = CheckOptions(boxes=order.boxes)
    found = {
        "seats": {
            seat: judged_values(judge_build(project, build, options), project, language)
            for seat, build in order.mechs.items()
            if isinstance(build, Build)
        },
        "command": _command(command_line_name(project.folder), order, seats),
        "stamp": opened.stamp,
    }
    try:
        game = project.without_problems().played
        planned = plan_order(game, order)[seats.room]
    except InvalidSource as error:
        return answer({**found, "problems": problems_of(error.problems, project, language)}, 422)
    keys = opened.addresses(pictures(planned.room))
    return {
        **found,
        **table_values(planned.room, lambda face: keys.get(face, "")),
        "problems": problems_of(planned.problems, project, language),
    }


def room(
    sessions: Sessions, opened: OpenGame, body: dict[str, Any], language: str
) -> StreamingResponse:
    """Make the zip of a room."""
    order, _seats = _order(sessions, opened.project, body)
    job = f"{ROOM_FILES}:save_rooms", str(opened.project.folder), sessions.tray(), order
    return file_job(sessions, opened, language, *job)


def loose(
    sessions: Sessions, opened: OpenGame, asked: LooseRequest, language: str
) -> StreamingResponse:
    """Make the zip of one thing to drop into a running room."""
    project, tray, thing = opened.project, sessions.tray(), asked.thing
    game = project.corrected
    known = {*game.mechs, *game.cards, *game.cards_by_name, *game.printed_decks}
    if isinstance(thing, Draft):
        path = tray / f"{file_name(thing.name, 'build')}.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(draft_text(project, thing), encoding="utf-8")
        thing = str(path)
    elif known.isdisjoint((thing, thing.partition(":")[0])):
        raise RefusedRequest(400, "no-thing")
    job = f"{ROOM_FILES}:save_loose", str(project.folder), (thing,), tray
    return file_job(sessions, opened, language, *job)


def images(
    sessions: Sessions, opened: OpenGame, asked: ImagesRequest, language: str
) -> StreamingResponse:
    """Make a zip of the pictures of all cards and pieces."""
    job = f"{ROOM_FILES}:zip_pictures", opened.project.folder, sessions.tray()
    return file_job(sessions, opened, language, *job, as_png=asked.png)


async def picture(sessions: Sessions, request: Request) -> Response:
    """Take in a picture, the body; give its key. Its ``name`` is what problems call it."""
    called = Path(request.query_params.get("name", ""))
    name = file_name(called.stem, "picture") + called.suffix[:6]
    path = await sessions.upload(request, name)
    if not await request.body():
        raise RefusedRequest(400, "nothing-handed")
    try:
        read, where = "exporter.render.own_pictures:brought_picture", SourceLocation(str(path))
        found = await sessions.worker.do(read, path, where)
    except InvalidSource as error:
        own = (replace(one, where=replace(one.where, file=name)) for one in error.problems)
        raise InvalidSource(tuple(own)) from None
    finally:
        path.unlink()
    return answer({"key": sessions.keep_picture(found), "name": name})


def table_values(room: Room[P], address: Address) -> dict[str, Any]:
    """Give the table that is in view and what lies on it, the lowest first, in client pixels.

    Where a thing's corner is and how it stands up follows the client's own page.
    """
    tables = sorted(room.tables, key=lambda table: not table.selected)
    if not tables:
        return {"table": None, "things": [], "camera": CAMERA}
    table = tables[0]
    lying = (piece for piece in room.pieces if piece.location == "table")
    return {
        "table": {
            "name": table.name,
            "width": table.width * UNIT,
            "height": table.height * UNIT,
            "picture": address(table.picture),
            "background": address(table.background),
        },
        "things": [_thing_values(thing, address) for thing in (*table.objects, *lying)],
        "camera": CAMERA,
        "windows": [
            {"width": one.width, "height": one.height, "panels": panels(one)} for one in WINDOWS
        ],
    }


def _thing_values(thing: Placed[Any], address: Address) -> dict[str, Any]:
    values = {
        "name": thing.name,
        "x": thing.x,
        "y": thing.y,
        "z": thing.z,
        "turn": getattr(thing, "rotate", 0),
        "level": getattr(thing, "zindex", 0),
        "text": [*_texts(thing.detail)],
    }
    match thing:
        case TableCard():
            values |= {
                "kind": "card",
                "width": thing.size * UNIT,
                "picture": address(thing.back if thing.face_down else thing.front),
                "down": thing.face_down,
            }
        case CardStack():
            top = _thing_values(thing.cards[0], address) if thing.cards else {}
            values = top | values | {"kind": "stack", "count": len(thing.cards)}
        case Character():
            values |= {
                "kind": "character",
                "width": thing.size * UNIT,
                "picture": address(thing.picture),
            }
        case DiceSymbol():
            up = [side.picture for side in thing.faces if side.name == thing.face]
            values |= {
                "kind": "die",
                "width": thing.size * UNIT,
                "picture": address(up[0] if up else None),
            }
        case TextNote():
            values |= {
                "kind": "note",
                "title": thing.title,
                "says": thing.text,
                "width": thing.width * UNIT,
                "height": thing.height * UNIT,
                "font": thing.fontsize + 9,
                "picture": address(thing.picture),
            }
        case Terrain():
            values |= {
                "kind": "terrain",
                "width": thing.width * UNIT,
                "depth": thing.depth * UNIT,
                "height": thing.height * UNIT,
                "picture": address(thing.floor) if thing.shows_floor else "",
                "wall": address(thing.wall) if thing.shows_wall else "",
            }
        case TableMask():
            values |= {
                "kind": "mask",
                "width": thing.width * UNIT,
                "depth": thing.height * UNIT,
                "picture": address(thing.picture),
                "opacity": thing.opacity / (thing.opacity_maximum or 1),
            }
    return values


def _texts(entries: tuple[Data[Any], ...]) -> Iterator[list[str]]:
    """Give labels and values of a piece's sheet, as pointing at it shows them."""
    for entry in entries:
        if entry.children:
            yield from _texts(entry.children)
        elif isinstance(entry.value, str) and entry.value:
            value = f"{entry.current}/{entry.value}" if entry.current else entry.value
            yield [entry.name, value]


# -- zips ----------------------------------------------------------------------------------------


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
            "exporter.app.room_zips:open_room_zip", path, pictures
        )
    finally:
        path.unlink()
    for picture in found.pictures.values():
        sessions.offer(pictures / picture)

    def address(identifier: str | None) -> str:
        picture = found.pictures.get(identifier or "", "")
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
    opened = await asyncio.to_thread(sessions.open_game, request.query_params.get("game", ""))
    path = await sessions.upload(request, f"{name}.zip")
    out = path.with_name(f"{name}_updated.zip")
    folder = sessions.folders[opened.name]
    try:
        found: Updated = await sessions.worker.do("exporter.app.room_zips:update", path, folder)
    finally:
        path.unlink()
    if found.changes:
        out.write_bytes(found.data)
    address = sessions.offer(out) if found.changes else ""
    lines = difference_lines(found.changes, language_of(request))
    return answer({"lines": lines, "name": out.name, "address": address})


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
            "draft": draft_of(build),
            **judged_values(judge_build(project, build), project, language),
        }
        for build in assemble_benches(project.game, found.room, name)[0]
    ]
    return {"game": opened.name, "builds": builds}


def piece(sessions: Sessions, request: Request) -> Response:
    """Give a picture of a zip that was looked into."""
    path = sessions.offered(request.path_params)
    kind = PICTURES.get(path.suffix.lower())
    if path.parent.name != "pieces" or kind is None:
        raise RefusedRequest(404, "gone")
    return FileResponse(path, media_type=kind, headers=FOREVER)
