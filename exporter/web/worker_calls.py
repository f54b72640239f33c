"""Run what takes the layout engine, Pillow or lxml: these functions run in the worker process.

Each is a call of ``exporter.app``: plain values in, plain values out, as both go through a pipe.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exporter.app import face_pictures
from exporter.app.font_subsets import font_of
from exporter.app.zip_report import (
    LookedInto,
    open_zip,
    zip_pictures,
)
from exporter.core.worker_process import send_progress
from exporter.importer.starter import (
    NewGame,
    new_game,
)
from exporter.importer.wizard import game_from
from exporter.udonarium.verify import verify_zip

if TYPE_CHECKING:
    from exporter.app.face_pictures import (
        Family,
        OwnPicture,
    )
    from exporter.core.problems import Problem
    from exporter.faces.card_faces import Face
    from exporter.model.print_jobs import PrintOrder
    from exporter.rooms.room_orders import RoomOrder


def paint(folder: Path, faces: Sequence[Face]) -> tuple[list[bytes], list[Problem]]:
    """The pictures of faces in their order, nothing for those that cannot be painted."""
    done = face_pictures.paint_faces(folder, faces)
    return [done.images.get(face, b"") for face in faces], list(done.problems)


def size(folder: Path, families: Sequence[Family]) -> tuple[Problem, ...]:
    """Set the texts of kinds whose sizes are not sure."""
    return face_pictures.size_texts(folder, families)


def warm() -> None:
    """Have at hand what painting takes, while the server still reads what was saved."""
    face_pictures.prepare()


def room(folder: Path, order: RoomOrder, out: Path) -> dict[str, Any]:
    """A room's zip, written, and what ``verify`` says of it."""
    from exporter.app.room_files import save_rooms

    return _made(save_rooms(str(folder), out, order, tell=send_progress), rooms=True)


def loose(folder: Path, things: Sequence[str], out: Path) -> dict[str, Any]:
    """Zips to drop into a running room, written, and what ``verify`` says of them."""
    from exporter.app.room_files import save_loose

    return _made(save_loose(str(folder), things, out, tell=send_progress), rooms=True)


def paper(folder: Path, order: PrintOrder, out: Path) -> dict[str, Any]:
    """Sheets as PDF, written."""
    from exporter.app.print_files import print_sheets

    return _made(print_sheets(str(folder), out, order, tell=send_progress))


def images(folder: Path, as_png: bool, out: Path) -> dict[str, Any]:
    """A zip with the pictures of all cards, boards and pieces."""
    return _made(zip_pictures(folder, out, as_png=as_png, tell=send_progress))


def looks(folder: Path, order: PrintOrder) -> tuple[list[Problem], int]:
    """What on the faces of sheets is hard to read or to tell apart, and how many there are."""
    from exporter.app.print_files import look_at_sheets

    found = look_at_sheets(str(folder), order)
    return list(found.problems), found.read


def own(path: Path) -> OwnPicture:
    """The picture that a player brings for a pawn."""
    return face_pictures.own_picture(path)


def page(path: Path, number: int, dpi: int) -> bytes:
    """A page of a PDF as a picture; nothing where it has no such page."""
    from exporter.printing.pdf.page_pictures import png_page

    return png_page(path.read_bytes(), number, dpi)


def font(weight: int, letters: str) -> bytes:
    """A font of pages with some letters."""
    return font_of(weight, letters)


def zipped(path: Path, pictures: Path) -> LookedInto:
    """What a zip holds and what is wrong with it; its pictures are written into a folder."""
    return open_zip(path, pictures)


def make_game(name: str, what: str, out: str, facts: dict[str, Any]) -> NewGame:
    """Write a new game's folder: of a table or pictures, of another game, or a small one."""
    return game_from(name, what, out, **facts) if what else new_game(name, out, **facts)


def _made(result: Any, *, rooms: bool = False) -> dict[str, Any]:
    return {
        "files": [
            {
                "path": made.path,
                "size": made.size,
                "counts": {noun: count for count, noun in made.counts},
                "verified": verify_zip(made.path, made.path.name) if rooms else (),
            }
            for made in result.made
        ],
        "problems": result.problems,
        "painted": result.painted,
        "said": result.said,
    }
