"""Lay out what is put together of paper: boards in tiles, standing pawns, dials, boxes for decks.

Lengths are in millimetres. A board larger than the paper is split into overlapping tiles, with
marks and a map.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    SourceLocation,
    error_at,
)
from exporter.faces.card_faces import Face
from exporter.model.print_jobs import PageBox, Paper
from exporter.printing.imposition import packed, shared_sheet
from exporter.printing.sheet_pages import (
    LABEL,
    Label,
    Page,
    PageLine,
    Ring,
    cut_out,
    page_outline,
    spot_at,
)

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


# Start and length of each part that a side of a board is split into.
_Steps: TypeAlias = list[tuple[float, float]]


def _steps(length: float, room: float, overlap: float) -> _Steps:
    """Split ``length`` into overlapping parts of about equal size that ``room`` has place for."""
    count = max(1, math.ceil((length - overlap) / (room - overlap) - 1e-9))
    # Rounded to 0.1 mm, so that windows begin at whole pixels of usual resolutions.
    part = math.ceil((length + (count - 1) * overlap) / count * 10) / 10
    starts = [index * (part - overlap) for index in range(count)]
    return [(start, min(part, length - start)) for start in starts]


def _room(paper: Paper) -> tuple[float, float]:
    box = paper.printable
    return box.width - 2 * BAND, box.height - 2 * BAND


def _columns_and_rows(
    size: tuple[float, float], paper: Paper, overlap: float
) -> tuple[_Steps, _Steps]:
    """Return the parts of the sides of a board of ``size`` mm on the paper as oriented."""
    room = _room(paper)
    return _steps(size[0], room[0], overlap), _steps(size[1], room[1], overlap)


def tiles(size: tuple[float, float], paper: Paper, overlap: float) -> list[Tile]:
    """Return the tiles of a board of ``size`` mm on the paper as oriented, row by row."""
    columns, rows = _columns_and_rows(size, paper, overlap)
    return [
        Tile(column, row, PageBox(x, y, width, height))
        for row, (y, height) in enumerate(rows)
        for column, (x, width) in enumerate(columns)
    ]


def _best(size: tuple[float, float], paper: Paper, overlap: float, where: SourceLocation) -> Paper:
    """Return the paper in the orientation that needs fewer tiles. Raises ``InvalidSource``."""
    fits = [p for p in (paper, paper.turned()) if min(_room(p)) > overlap]
    if not fits:
        raise error_at(where, "TILES", "overlap-mm-margins", overlap=overlap, paper=paper.id)
    counts = [tuple(map(len, _columns_and_rows(size, each, overlap))) for each in fits]
    (across, down), best = min(zip(counts, fits, strict=True), key=lambda each: math.prod(each[0]))
    if max(across, down) > MOST_TILES:
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
    spot = cut_out(left, top, face, window)
    shown = spot.trim
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
    neighbours = {(other.column - tile.column, other.row - tile.row): other for other in parts}
    x, y = shown.x + ASIDE, shown.bottom + OFF + TICK - LABEL / 2
    end = shown.x + (shown.width - SEAM) / 2 if (0, 1) in neighbours else room.right
    labels = [Label(heading, x, y, end - x, height=room.bottom - y)]
    for across, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if other := neighbours.get((across, down)):
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
        lines += page_outline(box, "mark")
        high = min(8.0, height * 0.6, width * 0.3)
        middle = (box.x + width / 2, box.y + (height - high) / 2)
        labels.append(Label(tile.name, *middle, width, high, align="centre"))
    return Page(width=paper.width, height=paper.height, lines=tuple(lines), labels=tuple(labels))


# -- pawns, dials and boxes ----------------------------------------------------------------------

# Depth of a pawn's foot, folded outwards on both sides, in mm.
FOOT = 10.0

# Width of a box's glue flap in mm.
GLUE = 8.0

# Clearance in a box beside, above and in front of the cards, in mm.
PLAY = 1.0


# Distance in mm between a dial's discs; half of it is above and below them. For labels.
BETWEEN = 20.0


def pawn_pages(faces: Sequence[Face], paper: Paper, title: str) -> list[Page]:
    """Lay out standing pawns: each face twice, head to head, with a foot at both ends.

    Fold lines are at the head and at the feet. Raises ``InvalidSource`` for a pawn that is larger
    than the paper.
    """
    room = paper.printable
    alone = []
    for face in faces:
        width, height = face.width, 2 * (face.height + FOOT)
        if width > room.width or height > room.height - 2 * LABEL:
            raise error_at(
                face.where,
                "PAPER",
                "pawn-mm-unfolded",
                width=width,
                height=height,
                paper=paper.id,
            )
        x, y = room.x, room.y
        folds = (y + FOOT, y + FOOT + face.height, y + FOOT + 2 * face.height)
        lines = (
            *page_outline(PageBox(x, y, width, height)),
            *(PageLine(x, fold, x + width, fold, "fold") for fold in folds),
        )
        spots = (spot_at(x, folds[0], face, turn=180), spot_at(x, folds[1], face))
        alone.append((Page(width=paper.width, height=paper.height, spots=spots, lines=lines),))
    top, right, bottom, left = paper.margin
    above_text = replace(paper, margin=(top, right, bottom + 2 * LABEL, left))
    pages = []
    for number, blocks in enumerate(packed(alone, above_text), 1):
        page = shared_sheet(blocks, "long")[0]
        text = f"{title} {number}：実線を切り、点線を折る"
        below = max(line.y2 for line in page.lines) + LABEL / 2
        pages.append(replace(page, labels=(Label(text, room.x, below, room.width),)))
    return pages


def dial_page(
    face: Face, paper: Paper, chambers: int, at: float, hole: float, texts: tuple[str, str]
) -> Page:
    """Lay out a dial of two discs: the face, and a cover with one window.

    ``at`` and ``hole`` are a chamber's distance from the centre and its radius, as shares of the
    face's width. ``texts`` label the upper and the lower disc. The pivot hole is 3 mm wide.
    Raises ``InvalidSource`` where two discs do not fit on the paper.
    """
    room = paper.printable
    size = face.width
    if 2 * (size + BETWEEN) > room.height or size > room.width:
        raise error_at(face.where, "PAPER", "two-discs-mm", size=size, paper=paper.id)
    left = room.x + (room.width - size) / 2
    top = room.y + (room.height - 2 * size - BETWEEN) / 2
    below = top + size + BETWEEN
    middle, low, high = left + size / 2, top + size / 2, below + size / 2
    rings = (
        Ring(middle, low, size / 2),
        Ring(middle, low, 1.5),
        Ring(middle, high, size / 2),
        Ring(middle, high, 1.5),
        Ring(middle, high - at * size, hole * size),
    )
    inner, outer = size / 2 - 3, size / 2 - 0.5
    angles = [2 * math.pi * (index + 0.5) / chambers for index in range(chambers)]
    ticks = [
        PageLine(
            middle + inner * math.sin(angle),
            high - inner * math.cos(angle),
            middle + outer * math.sin(angle),
            high - outer * math.cos(angle),
            "guide",
        )
        for angle in angles
    ]
    labels = tuple(
        Label(text, middle, y, room.width, 3, align="centre")
        for text, y in zip(texts, (below + size + 3, top + size + 3), strict=True)
    )
    return Page(
        width=paper.width,
        height=paper.height,
        spots=(spot_at(left, top, face),),
        lines=tuple(ticks),
        rings=rings,
        labels=labels,
    )


def box_page(
    cards: int,
    size: tuple[float, float],
    thickness: float,
    name: str,
    paper: Paper,
    where: SourceLocation,
    cover: Face | None = None,
) -> Page:
    """Lay out the net of a box for ``cards`` cards of ``size`` and ``thickness`` in mm.

    From left to right: glue flap, front, side, back, side; lids above, bottoms below. The front
    shows ``cover``, or ``name`` as the back does. Raises ``InvalidSource`` where the net fits on
    the paper in neither orientation.
    """
    width, height = size[0] + 2 * PLAY, size[1] + PLAY
    depth = max(6.0, math.ceil((cards * thickness + 2 * PLAY) * 2) / 2)
    tuck = min(depth, 12.0)
    across = GLUE + 2 * (width + depth)
    down = height + 2 * (depth + tuck)
    rooms = ((each, each.printable) for each in (paper, paper.turned()))
    fits = [each for each, room in rooms if across <= room.width and down <= room.height]
    if not fits:
        raise error_at(
            where,
            "PAPER",
            "box-cards-unfolded",
            cards=cards,
            across=across,
            down=down,
            paper=paper.id,
        )
    paper = fits[0]
    left, top = (paper.width - across) / 2, (paper.height - down) / 2
    head = top + tuck + depth
    foot = head + height
    edges = [left + GLUE]
    for part in (width, depth, width, depth):
        edges.append(edges[-1] + part)
    front, side, back, other, end = edges
    folds = [PageLine(x, head, x, foot, "fold") for x in (front, side, back, other)]
    # The glue flap, narrower at its ends.
    flap = ((front, head), (left, head + 4), (left, foot - 4), (front, foot))
    lines = [*_cut_along(*flap), *_cut_along((end, head), (end, foot))]
    for y, out in ((head, -1.0), (foot, 1.0)):
        edge, tip, dust = (y + out * far for far in (depth, depth + tuck, min(depth, 15)))
        # A lid with a tongue, and beside it dust flaps.
        tongue = ((back + 3, tip), (other - 3, tip))
        lines += _cut_along((back, y), (back, edge), *tongue, (other, edge), (other, y))
        folds += [PageLine(back, at, other, at, "fold") for at in (y, edge)]
        for a, b in ((side, back), (other, end)):
            lines += _cut_along((a + 0.5, y), (a + 2, dust), (b - 2, dust), (b - 0.5, y))
            folds.append(PageLine(a, y, b, y, "fold"))
        lines.append(PageLine(front, y, side, y, "cut"))
    panels = (back,) if cover else (front, back)
    middle, spine = head + height * 0.4, min(6.0, depth * 0.6)
    labels = (
        *(Label(name, x + width / 2, middle, width - 8, 9, align="centre") for x in panels),
        *(
            Label(f"{cards}枚", x + width / 2, middle + 13, width, 4, align="centre")
            for x in panels
        ),
        Label(
            name,
            side + (depth + spine) / 2,
            head + height / 2,
            height - 16,
            spine,
            align="centre",
            turn=90,
        ),
        Label(name, back + width / 2, head - depth / 2 - 2, width - 4, 4, align="centre"),
    )
    spots = [spot_at(front + PLAY, head + PLAY / 2, cover)] if cover else []
    return Page(
        width=paper.width,
        height=paper.height,
        spots=tuple(spots),
        lines=tuple(lines + folds),
        labels=labels,
    )


def _cut_along(*points: tuple[float, float]) -> list[PageLine]:
    """Return the cut lines from each point to the next."""
    return [PageLine(*one, *other, "cut") for one, other in pairwise(points)]
