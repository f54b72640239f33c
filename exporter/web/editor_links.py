"""A row of a game's data, opened in the editor of whoever sits at this machine."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import Annotated

import click
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from exporter.web.requests import (
    RefusedRequest,
    answer,
    body_of,
)
from exporter.web.sessions import Sessions

DATA = (".csv", ".tsv", ".yaml", ".xlsx", ".ods", ".typ", ".png", ".jpg", ".webp")
"""What is opened: no system runs a file with such a name."""

EDITORS = ("code", "codium", "cursor")
"""Editors that go to a line by ``--goto FILE:LINE``."""


class FilePlace(Struct, frozen=True):
    """A place in a file, as problems tell it."""

    file: Annotated[str, Meta(max_length=1000)]
    line: Annotated[int, Meta(ge=0)] = 0


def routes(desk: Sessions) -> list[Route]:
    """The addresses of what this module does."""
    return [Route("/api/{game}/open", partial(open_place, desk), methods=["POST"])]


async def open_place(desk: Sessions, request: Request) -> Response:
    """Open a file of a game: in an editor that goes to the line, or as the system does."""
    place = await body_of(request, FilePlace)
    project = desk.project(request.path_params["game"])
    path = _data_at(project.folder.resolve(), place.file)
    if path is None:
        raise RefusedRequest(404, "no-data")
    return answer({"opened": await asyncio.to_thread(_opened, path, place.line)})


def _data_at(root: Path, file: str) -> Path | None:
    """The file of a game's data of that name, if there is one."""
    with contextlib.suppress(OSError, ValueError):  # no file can be called so
        for path in (Path(file).resolve(), (root / file).resolve()):
            if path.is_relative_to(root) and path.is_file() and path.suffix.lower() in DATA:
                return path
    return None


def _opened(path: Path, line: int) -> bool:
    for name in EDITORS:
        if program := shutil.which(name):
            subprocess.Popen([program, "--goto", f"{path}:{max(1, line)}"])
            return True
    return click.launch(str(path)) == 0
