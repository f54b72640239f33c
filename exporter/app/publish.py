"""A page as publishers put up: rooms, sheets and pictures to take, and what one must know of them.

Without scripts or addresses of its own, so that it works from a file and on any host.
"""

from __future__ import annotations

import io
from functools import cache, partial
from pathlib import Path
from typing import Any

from msgspec import Struct
from PIL import Image

from exporter.app.games import NameOrPath, Several, folders_of, open_folder, stationery
from exporter.app.make_files import Made, Result
from exporter.app.print_files import print_sheets
from exporter.app.room_files import save_pictures, save_rooms
from exporter.core.file_writer import file_bytes, live_folder, write_whole
from exporter.core.messages import words
from exporter.core.problems import Faults
from exporter.core.worker_process import Progress
from exporter.loader.print_job_files import read_jobs
from exporter.model import Game
from exporter.model.shape import Name
from exporter.model.tabletop import (
    UNIT,
    CardStack,
    Character,
    DiceSymbol,
    GameTable,
    TableCard,
    TableMask,
    Terrain,
)
from exporter.rules.report.report_formats import filled_template
from exporter.udonarium.read import RoomFile, read_zip

# The page in each language; hosts open the first of them.
PAGES = {"ja": "index.html", "en": "en.html"}

# Pixels that the picture of a room has at most.
VIEW = 960, 640

_FELT = "#39443d"


class FileLink(Struct, frozen=True):
    """A file to take, and what the page says of it."""

    path: str
    name: Name
    size: int
    view: str = ""
    view_size: tuple[int, int] = VIEW
    players: tuple[int, int] = (0, 0)


class GamePage(Struct, frozen=True):
    """What the page of a game says; its files by their paths beside the page."""

    game: Game
    version: str
    rooms: list[FileLink]
    sheets: list[FileLink]
    pictures: list[FileLink]
    files: dict[str, bytes]


def publish(
    games: Several,
    out: NameOrPath,
    *,
    source: NameOrPath | None = None,
    with_index: bool = False,
    progress: Progress | None = None,
) -> Result:
    """Write ``out/<game>/index.html``, ``en.html``, and the files that these lead to.

    ``with_index`` also writes ``out/index.html`` and ``en.html``, which lead to all of them.
    All of it is written, or nothing. Raises ``InvalidSource``.
    """
    folders, out, faults = folders_of(games, source), Path(out), Faults()
    found: dict[str, Result] = {}
    with live_folder() as work:
        for sort, save in (
            ("rooms", partial(save_rooms, progress=progress)),
            ("sheets", partial(print_sheets, is_optional=True)),
            ("pictures", partial(save_pictures, progress=progress)),
        ):
            with faults.collect():
                found[sort] = save(folders, work / sort)
        faults.problems = sorted(set(faults.problems))
        faults.stop_if_any()
        pages = [_page(folder, work, found, with_index) for folder in folders]
    made = []
    for page in pages:
        files = {out / page.game.id / path: data for path, data in page.files.items()}
        counts = (len(page.rooms), "room"), (len(page.sheets), "sheet")
        pictures = (len(page.pictures), "picture")
        made.append(Made(out / page.game.id / PAGES["ja"], files, (*counts, pictures)))
    if with_index:
        index = {out / PAGES[one]: _html(one, games=pages) for one in PAGES}
        made.append(Made(out / PAGES["ja"], index, ()))
    written = write_whole({path: data for one in made for path, data in one.files.items()})
    problems = sorted({problem for one in found.values() for problem in one.problems})
    return Result(tuple(made), tuple(problems), written=written)


def _page(folder: Path, work: Path, found: dict[str, Result], with_index: bool) -> GamePage:
    """Gather what was made of the game in a folder."""
    game = open_folder(folder).corrected
    files: dict[str, bytes] = {}
    paths: dict[str, list[str]] = {}
    for sort, result in found.items():
        own = work / sort / game.id
        each = [file for made in result.made for file in made.files.items()]
        some = {path: data for path, data in each if path.is_relative_to(own)}
        paths[sort] = [f"{sort}/{path.relative_to(own).as_posix()}" for path in some]
        files |= dict(zip(paths[sort], some.values(), strict=True))
    jobs = read_jobs(folder, game, stationery())

    def link(path: str, name: Name | None = None, **more: Any) -> FileLink:
        return FileLink(path, name or Name(Path(path).stem), len(files[path]), **more)

    rooms = []
    for path in paths["rooms"]:
        plan, view = game.rooms[Path(path).stem], f"views/{Path(path).stem}.webp"
        files[view], size = room_view(read_zip(files[path]))
        more = {"view": view, "view_size": size, "players": plan.players}
        rooms.append(link(path, plan.name, **more))
    sheets = [
        link(path, job.name if (job := jobs.get(Path(path).stem)) else None)
        for path in paths["sheets"]
    ]
    pictures = [link(path) for path in paths["pictures"]]
    page = GamePage(game, game.version_text, rooms, sheets, pictures, files)
    files |= {PAGES[one]: _html(one, page=page, has_index=with_index) for one in PAGES}
    return page


def _html(language: str, **values: Any) -> bytes:
    known = {"page": None, "games": (), "has_index": False} | values
    other = next(one for one in PAGES if one != language)
    more = {"other": other, "other_words": words("publish", other), "pages": PAGES}
    known |= {"language": language, "words": words("publish", language)}
    return filled_template("reports", "publish.html.j2", **more, **known).encode()


# -- the picture of a room -----------------------------------------------------------------------


def room_view(file: RoomFile) -> tuple[bytes, tuple[int, int]]:
    """Draw the table that a room opens with from above, as WebP, and say its size in pixels.

    Notes, which stand upright, are left out.
    """
    assert file.room is not None, "a room that this program made"
    tables = sorted(file.room.tables, key=lambda table: not table.selected)
    table = tables[0] if tables else GameTable[str](name="")
    faces = cache(
        lambda one: Image.open(io.BytesIO(file.images[one].data), formats=["WEBP", "PNG", "JPEG"])
    )
    drawn = {one for one, image in file.images.items() if image.extension != "svg"}
    on_table = [piece for piece in file.room.pieces if piece.location == "table"]
    on_table.sort(key=lambda piece: (piece.z, getattr(piece, "zindex", 0)))
    placed = []
    for thing in (*table.objects, *on_table):
        picture, width, depth, turn = _seen_from_above(thing)
        if picture in drawn:
            image = faces(picture)
            high = width * image.height / image.width
            stands = (depth or high) - high if isinstance(thing, Character) else 0
            y = thing.y + stands * UNIT
            depth = high if isinstance(thing, Character) else depth or high
            placed.append((image, thing.x, y, width * UNIT, depth * UNIT, turn))
    ends = [(x, y, x + width, y + depth) for _image, x, y, width, depth, _turn in placed]
    if not ends:
        ends = [(0, 0, table.width * UNIT, table.height * UNIT)]
    left, top = (min(end[i] for end in ends) - UNIT for i in (0, 1))
    wide, high = max(end[2] for end in ends) + UNIT - left, max(end[3] for end in ends) + UNIT - top
    scale = min(1, VIEW[0] / wide, VIEW[1] / high)
    canvas = Image.new("RGB", (round(wide * scale), round(high * scale)), _FELT)
    if table.picture in drawn:
        surface = faces(table.picture), 0.0, 0.0, table.width * UNIT, table.height * UNIT, 0.0
        placed.insert(0, surface)
    for image, x, y, width, depth, turn in placed:
        size = max(1, round(width * scale)), max(1, round(depth * scale))
        small = image.convert("RGBA").resize(size, Image.Resampling.LANCZOS, reducing_gap=2)
        if turn % 360:
            small = small.rotate(-turn, Image.Resampling.BICUBIC, expand=True)
        middle = (x + width / 2 - left) * scale, (y + depth / 2 - top) * scale
        corner = round(middle[0] - small.width / 2), round(middle[1] - small.height / 2)
        canvas.paste(small, corner, small)
    return file_bytes(canvas, "WEBP", quality=85, method=4), canvas.size


def _seen_from_above(thing: Any) -> tuple[str | None, float, float, float]:
    """Return what a thing shows to who looks from above: picture, width, depth (0: as the picture),
    turn.

    Cards in hands are seen from behind.
    """
    match thing:
        case TableMask():
            return thing.picture, thing.width, thing.height, 0
        case Terrain():
            floor = thing.floor if thing.shows_floor else None
            return floor, thing.width, thing.depth, thing.rotate
        case CardStack() if thing.cards:
            picture, width, depth, turn = _seen_from_above(thing.cards[0])
            return picture, width, depth, thing.rotate + turn
        case TableCard():
            hidden = thing.face_down or thing.owner
            return thing.back if hidden else thing.front, thing.size, 0, thing.rotate
        case Character():
            return thing.picture, thing.size, thing.size, 0
        case DiceSymbol():
            up = next((face.picture for face in thing.faces if face.name == thing.face), None)
            return up, thing.size, thing.size, thing.rotate
    return None, 0, 0, 0
