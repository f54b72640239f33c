"""The page of new games: files are uploaded one by one, then a folder is made of them."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.app.drafts import Line
from exporter.app.games import game_folder_at
from exporter.core.problems import (
    InvalidSource,
    Problem,
    SourceLocation,
    error_at,
)
from exporter.importer import BOARDS
from exporter.web.requests import (
    RefusedRequest,
    answer,
    body_of,
    language_of,
    page,
    without_options,
)
from exporter.web.sessions import Sessions
from exporter.web.worker import WORKER

if TYPE_CHECKING:
    from exporter.importer.starter import NewGame

# Files that are uploaded for one game.
_MOST_FILES = 1100

# Of all of them.
_MOST_BYTES = 512 * 1024 * 1024

Players = Annotated[int, Meta(ge=1, le=12)]


class NewGameRequest(Struct, frozen=True, kw_only=True):
    """A new game: its id, and what it is made of.

    What was ``handed`` over is in a tray of that name. An empty ``place`` is the usual one.
    """

    id: Line
    name: Line = ""
    of: Literal["table", "pictures", "game", "empty"]
    handed: Line = ""
    like: Line = ""
    players: tuple[Players, Players] | None = None
    board: Literal["square", "hex", "graph", "ring", "track", "none"] = "none"
    place: Annotated[str, Meta(max_length=1000)] = ""


class FolderRequest(Struct, frozen=True):
    """A folder of this machine, with a game in it."""

    path: Annotated[str, Meta(max_length=1000)]


def routes(sessions: Sessions) -> list[Route]:
    """Give the addresses of what this module does."""
    return [
        Route("/{language}/new", partial(new, sessions)),
        Route("/api/handed", partial(upload, sessions), methods=["POST"]),
        Route("/api/begin", partial(make, sessions), methods=["POST"]),
        Route("/api/folder", partial(folder, sessions), methods=["POST"]),
    ]


def new(sessions: Sessions, request: Request) -> Response:
    """Show a page to make a new game on."""
    place = str(sessions.home.resolve())
    own = [each.name for each in tuple(sessions.folders.values()) if str(each.parent) == place]
    facts = {"games": list(sessions.folders), "own": own, "place": place, "boards": BOARDS}
    return page("new", language_of(request), "/new", facts=facts)


async def upload(sessions: Sessions, request: Request) -> Response:
    """Keep a file for a while: the body. It goes ``to`` a tray, a new one where none is named."""
    words = request.query_params
    folder = "table" if words.get("sort") == "table" else "pictures"
    parts = [_safe(part) for part in PurePosixPath(words.get("name", "")).parts[-3:]]
    if not parts:
        raise RefusedRequest(400, "no-name")
    tray = sessions.tray_of(words["to"]) if words.get("to") else sessions.tray()
    there = [one for one in tray.rglob("*") if one.is_file()] if tray.exists() else []
    if len(there) >= _MOST_FILES or sum(one.stat().st_size for one in there) > _MOST_BYTES:
        raise RefusedRequest(413, "too-much")
    sessions.offer(await sessions.upload(request, "/".join((folder, *parts)), tray))
    return answer({"to": tray.name})


def _safe(part: str) -> str:
    """Make a part of a name one that leads nowhere else, and takes 240 bytes at most."""
    kept = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in part)[-60:]
    return kept if kept.strip(". ") else "_"


async def make(sessions: Sessions, request: Request) -> Response:
    """Write a new game's folder where it was asked for, and show it from now on.

    A table for a game that is shown already replaces the one it was made of.
    """
    from exporter.importer.starter import check_new  # takes a while, and few make games

    asked, language = await body_of(request, NewGameRequest), language_of(request)
    place = _folder_named(asked.place) if asked.place else sessions.home
    is_newer = asked.of == "table" and (place / asked.id).resolve() in sessions.folders.values()
    if not is_newer:
        check_new(place / asked.id, asked.id, (asked.name,))
    titles = {"ja": asked.name, "en": asked.name}
    facts: dict[str, Any] = {**titles, "players": asked.players, "language": language}
    what: list[str] = []
    if asked.of == "game":
        facts |= {"like": str((await asyncio.to_thread(sessions.project, asked.like)).folder)}
    else:
        facts |= {"board": asked.board}
    if asked.of in ("table", "pictures"):
        what, facts["pictures"] = _uploaded(sessions.tray_of(asked.handed), asked.of)
    try:
        made: NewGame = await sessions.worker.do(
            f"{WORKER}:make_game", asked.id, what, str(place), facts
        )
    except InvalidSource as error:
        raise InvalidSource([_as_uploaded(problem, what) for problem in error.problems]) from None
    return answer(
        {
            "game": sessions.add(made.folder),
            "folder": str(made.folder.resolve()),
            "files": made.files,
            "replaced": is_newer,
            "report": [
                without_options(line.in_language(language), language) for line in made.report
            ],
        }
    )


def _folder_named(name: str) -> Path:
    """Find a folder of this machine as somebody writes it. Raises ``RefusedRequest``."""
    with contextlib.suppress(RuntimeError):  # nobody has such a home
        if "\0" not in name:
            return Path(name).expanduser()
    raise RefusedRequest(400, "no-place", place=name[:80])


async def folder(sessions: Sessions, request: Request) -> Response:
    """Show the game in a folder that somebody names, from now on."""
    asked = await body_of(request, FolderRequest)
    name = asked.path.strip().strip('"')
    there = await asyncio.to_thread(game_folder_at, name)
    if there is None:
        raise error_at(SourceLocation(name), "SRC-FILE", "no-game-folder", folder=name)
    return answer({"game": sessions.add(there)})


def _as_uploaded(problem: Problem, what: list[str]) -> Problem:
    """Call a problem's file as it was called when it was uploaded."""
    where = problem.where
    if not what or not where.file.startswith(str(Path(what[0]).parent)):
        return problem
    return replace(problem, where=replace(where, file=Path(where.file).name))


def _uploaded(tray: Path, of: str) -> tuple[list[str], str]:
    """Find what was uploaded: the tables or the folder of finished faces, and a folder of art."""
    pictures = tray / "pictures"
    art = str(pictures) if pictures.is_dir() else ""
    if of == "pictures" and art:
        return [art], ""
    tables = sorted((tray / "table").glob("*")) if (tray / "table").is_dir() else []
    if not tables:
        raise RefusedRequest(400, "nothing-handed")
    return [str(path) for path in tables], art
