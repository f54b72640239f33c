"""A zip that somebody has, looked into: what lies on its table, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from exporter.core.problems import (
    InvalidSource,
    Problem,
)
from exporter.model.tabletop import (
    PIECE_ORDER,
    GameTable,
    Room,
    TableMask,
    Terrain,
)

if TYPE_CHECKING:
    from exporter.app.make_files import (
        Result,
        Tell,
    )


class LookedInto(Struct, frozen=True):
    """What a zip holds.

    ``pictures`` are the names of their files by the identifiers that the room has for them;
    ``counts`` says how many of each sort there are, cards in stacks too; ``game`` is the id of the
    game that it was made of, where it says so. What is to be dropped
    into a running room lies on a table of its own. There is no room where none can be read.
    """

    problems: tuple[Problem, ...]
    room: Room[str] | None = None
    pictures: Mapping[str, str] = {}
    counts: Mapping[str, int] = {}
    size: int = 0
    game: str = ""


def open_zip(path: Path, pictures: Path) -> LookedInto:
    """Look into a zip, whoever made it; its pictures are written into the folder ``pictures``.

    Nothing is raised for what the zip holds.
    """
    from exporter.rooms.saved_benches import game_of
    from exporter.udonarium.read import read_zip
    from exporter.udonarium.verify import verify_zip

    data = path.read_bytes()
    problems = verify_zip(data, path.name)
    try:
        found = read_zip(data, path.name)
    except InvalidSource as error:
        return LookedInto(problems or error.problems, size=len(data))
    pictures.mkdir(parents=True)
    names = {}
    for identifier, image in found.images.items():
        names[identifier] = f"{identifier}.{image.extension}"
        (pictures / names[identifier]).write_bytes(image.data)
    room = found.room or _laid(found.loose)
    return LookedInto(problems, room, names, _counts(room, len(names)), len(data), game_of(room))


def _laid(loose: tuple[Any, ...]) -> Room[str]:
    """Loose things on an empty table."""
    blocks = tuple(one for one in loose if isinstance(one, Terrain | TableMask))
    tables = tuple(one for one in loose if isinstance(one, GameTable))
    pieces = tuple(one for one in loose if isinstance(one, PIECE_ORDER))
    return Room(
        tables=tables or (GameTable(name="", selected=True, objects=blocks),),
        pieces=pieces,
    )


def _counts(room: Room[str], pictures: int) -> dict[str, int]:
    blocks = (one for table in room.tables for one in table.objects if isinstance(one, Terrain))
    return {
        "picture": pictures,
        "table": len(room.tables),
        "piece": len(room.pieces),
        "card": len(room.cards),
        "block": sum(1 for _ in blocks),
    }


def zip_pictures(
    folder: Path, out: Path, *, as_png: bool = False, tell: Tell | None = None
) -> Result:
    """``out/<game>_pictures.zip``: what ``save_pictures`` writes, in one file.

    Raises ``InvalidSource``.
    """
    from msgspec.structs import replace

    from exporter.app.make_files import Made
    from exporter.app.room_files import save_pictures
    from exporter.core.file_writer import live_folder
    from exporter.udonarium.archive import pack

    with live_folder() as beside:
        found = save_pictures(str(folder), beside, as_png=as_png, tell=tell)
        names = {made.path.relative_to(beside).as_posix(): made.path for made in found.made}
        data = pack((name, path.read_bytes()) for name, path in names.items())
    path = out / f"{folder.name}_pictures.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    made = Made(path, {path: data}, ((len(names), "picture"),))
    return replace(found, made=(made,))
