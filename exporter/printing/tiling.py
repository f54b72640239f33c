"""Split boards larger than the paper into overlapping tiles, with marks and a map.

Lengths are in millimetres.
"""

from __future__ import annotations

import math

from msgspec import Struct

from exporter.core.problems import (
    SourceLocation,
    error_at,
)
from exporter.faces.card_faces import Face
from exporter.model.print_jobs import PageBox, Paper
from exporter.printing.sheet_pages import LABEL, FaceSpot, Label, Page, PageLine, outline

# Margin around each tile for assembly marks and their texts, in mm.
BAND = 5.0

TICK = 3.0
OFF = 0.7

# Distance in mm from a tick to the text beside it.
ASIDE = 1.0

# Width in mm for the name of a neighbouring tile.
SEAM = 20.0

# Distance in mm of a map's contents from the edge of the printable area.
INDENT = 8.0

# Distance in mm between the lines of text of a map.
GAP = 1.5

# The least height of a map in mm on which tiles can be distinguished.
LEAST_MAP = 15.0


# The most tiles in a row or column: columns are named by letters.
MOST_TILES = 26


class Tile(Struct, frozen=True):
    """A part of a board: column and row from 0, and its window in mm on the board."""

    column: int
    row: int
    window: PageBox

    @property
    def name(self) -> str:
        """Return the column's letter and the row's number, which counts from 1."""
        return f"{chr(ord('A') + self.column)}{self.row + 1}"


def _count(length: float, room: float, overlap: float) -> int:
    """Return how many parts of length ``room``, overlapping by ``overlap``, cover ``length``."""
    return max(1, math.ceil((length - overlap) / (room - overlap) - 1e-9))


def _steps(length: float, room: float, overlap: float) -> list[tuple[float, float]]:
    """Return start and length of the parts that ``length`` is split into, of about equal size."""
    count = _count(length, room, overlap)
    # Rounded to 0.1 mm, so that windows begin at whole pixels of usual resolutions.
    part = math.ceil((length + (count - 1) * overlap) / count * 10) / 10
    starts = [index * (part - overlap) for index in range(count)]
    return [(start, min(part, length - start)) for start in starts]


def _room(paper: Paper) -> tuple[float, float]:
    box = paper.printable
    return box.width - 2 * BAND, box.height - 2 * BAND


def tiles(size: tuple[float, float], paper: Paper, overlap: float) -> list[Tile]:
    """Return the tiles of a board of ``size`` mm on the paper as oriented, row by row."""
    room = _room(paper)
    return [
        Tile(column, row, PageBox(x, y, width, height))
        for row, (y, height) in enumerate(_steps(size[1], room[1], overlap))
        for column, (x, width) in enumerate(_steps(size[0], room[0], overlap))
    ]


def _best(size: tuple[float, float], paper: Paper, overlap: float, where: SourceLocation) -> Paper:
    """Return the paper in the orientation that needs fewer tiles. Raises ``InvalidSource``."""
    fits = [p for p in (paper, paper.turned()) if min(_room(p)) > overlap]
    if not fits:
        raise error_at(where, "TILES", "overlap-mm-margins", overlap=overlap, paper=paper.id)
    counts = {
        paper: [_count(side, room, overlap) for side, room in zip(size, _room(paper), strict=True)]
        for paper in fits
    }
    best = min(fits, key=lambda paper: math.prod(counts[paper]))
    if max(counts[best]) > MOST_TILES:
        across, down = counts[best]
        raise error_at(
            where,
            "TILES",
            "board-mm-takes",
            size=size[0],
            size2=size[1],
            across=across,
            down=down,
            paper=paper.id,
            most_tiles=MOST_TILES,
        )
    return best


def board_pages(
    face: Face, paper: Paper, overlap: float, name: str, *, whole: bool = False
) -> list[Page]:
    """Lay out a board at true scale: on one page where it fits, otherwise as a map and tiles.

    Two tiles need no map: each names the other one, and how to join them.

    Raises ``InvalidSource`` where ``whole`` is set and it does not fit on one page, and where the
    tiles are too many or the map has no room.
    """
    size = (face.width, face.height)
    paper = _best(size, paper, overlap, face.where)
    parts = tiles(size, paper, overlap)
    if whole and len(parts) > 1:
        room = sorted(_room(paper), reverse=size[0] > size[1])  # as the board lies
        raise error_at(
            face.where,
            "POSTER",
            "mm-mm-free",
            name=name,
            size=size[0],
            size2=size[1],
            room=room[0],
            room2=room[1],
            paper=paper.id,
        )
    pages = [_tile_page(face, paper, tile, parts, overlap, name) for tile in parts]
    return pages if len(parts) < 3 else [_map(face, paper, parts, overlap, name), *pages]


def _tile_page(
    face: Face, paper: Paper, tile: Tile, parts: list[Tile], overlap: float, name: str
) -> Page:
    """Return the page of a tile, which lies in its middle."""
    window, room = tile.window, paper.printable
    # Rounded to 0.1 mm as well: a position between two pixels would blur the tile.
    left = math.floor((room.x + (room.width - window.width) / 2) * 10) / 10
    top = math.floor((room.y + (room.height - window.height) / 2) * 10) / 10
    shown = PageBox(left, top, window.width, window.height)
    box = PageBox(left - window.x, top - window.y, face.width, face.height)
    spot = FaceSpot(face=face, box=box, trim=shown, bleed=shown, window=shown)
    heading = name if len(parts) == 1 else f"{name} {tile.name}"
    if len(parts) == 2:
        in_ja = f"：100％で印刷。点線の印まで{overlap:g} mm重ねて貼る。"
        in_en = f": print at 100 %, glue with {overlap:g} mm overlap up to the dotted marks."
        heading += in_en if heading.isascii() else in_ja
    lines = [
        *_above_and_below(shown, shown.x, "mark"),
        *_above_and_below(shown, shown.right, "mark"),
        *_at_both_sides(shown, shown.y, "mark"),
        *_at_both_sides(shown, shown.bottom, "mark"),
    ]
    neighbours = {(other.column, other.row): other for other in parts}
    below = (tile.column, tile.row + 1) in neighbours
    x, y = shown.x + ASIDE, shown.bottom + OFF + TICK - LABEL / 2
    end = shown.x + (shown.width - SEAM) / 2 if below else room.right
    labels = [Label(heading, x, y, end - x, height=room.bottom - y)]
    for across, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        other = neighbours.get((tile.column + across, tile.row + down))
        if other is not None:
            seam_lines, seam_label = _seam(shown, across, down, overlap, other.name)
            lines += seam_lines
            labels.append(seam_label)
    return Page(
        width=paper.width,
        height=paper.height,
        spots=(spot,),
        lines=tuple(lines),
        labels=tuple(labels),
    )


def _above_and_below(box: PageBox, x: float, kind: str) -> list[PageLine]:
    return [
        PageLine(x, box.y - OFF - TICK, x, box.y - OFF, kind),
        PageLine(x, box.bottom + OFF, x, box.bottom + OFF + TICK, kind),
    ]


def _at_both_sides(box: PageBox, y: float, kind: str) -> list[PageLine]:
    return [
        PageLine(box.x - OFF - TICK, y, box.x - OFF, y, kind),
        PageLine(box.right + OFF, y, box.right + OFF + TICK, y, kind),
    ]


def _seam(
    box: PageBox, across: int, down: int, overlap: float, name: str
) -> tuple[list[PageLine], Label]:
    """Return marks at the line up to which a neighbour overlaps this tile, and its name."""
    text = f"{'←' if across < 0 else '→' if across > 0 else '↑' if down < 0 else '↓'} {name}"
    if across:
        x, beside = box.x + overlap, box.x - OFF - LABEL
        if across > 0:
            x, beside = box.right - overlap, box.right + OFF + LABEL
        label = Label(text, beside, box.y + box.height / 2, SEAM, align="centre", turn=90 * across)
        return _above_and_below(box, x, "fold"), label
    y, beside = box.y + overlap, box.y - OFF - LABEL - 0.6
    if down > 0:
        y, beside = box.bottom - overlap, box.bottom + OFF + TICK - LABEL / 2
    label = Label(text, box.x + box.width / 2, beside, SEAM, align="centre")
    return _at_both_sides(box, y, "fold"), label


def _map(face: Face, paper: Paper, parts: list[Tile], overlap: float, name: str) -> Page:
    """Return a page that shows where each tile belongs. Raises ``InvalidSource``."""
    place = paper.printable.grown(-INDENT, -INDENT, -INDENT, -INDENT)
    size = f"{round(face.width, 1):g}×{round(face.height, 1):g} mm"
    words = (
        f"{name}：{len(parts)}枚を貼り合わせる",
        f"実際のサイズ（100％）で印刷。重なりは{overlap:g} mm：点線の印まで重ねて、順に貼る。",
        f"できあがり {size}",
    )
    if name.isascii():
        words = (
            f"{name}: glue {len(parts)} sheets together",
            f"Print at actual size (100 %). Overlap {overlap:g} mm: lay each on to the dots.",
            f"Finished size {size}",
        )
    sizes = zip(words, (5.0, 3.4, 3.4), (8.5, 7.0, 7.0), strict=True)
    labels = []
    top = place.y
    for text, letters, height in sizes:
        labels.append(Label(text, place.x, top, place.width, letters, height))
        top += height + GAP
    if place.bottom - top < LEAST_MAP:
        raise error_at(face.where, "TILES", "no-room-map", paper=paper.id, count=len(parts))
    scale = min(place.width / face.width, (place.bottom - top) / face.height, 0.5)
    left = place.x + (place.width - face.width * scale) / 2
    lines: list[PageLine] = []
    for tile in parts:
        x, y, width, height = (side * scale for side in tile.window)
        box = PageBox(left + x, top + y, width, height)
        lines += outline(box, "mark")
        high = min(8.0, height * 0.6, width * 0.3)
        middle = (box.x + width / 2, box.y + (height - high) / 2)
        labels.append(Label(tile.name, *middle, width, high, align="centre"))
    return Page(width=paper.width, height=paper.height, lines=tuple(lines), labels=tuple(labels))
