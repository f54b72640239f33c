"""Lay out folded and layered paper: standing pawns, two-layer dials, boxes for decks.

Lengths are in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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
    FaceSpot,
    Label,
    Page,
    PageLine,
    Ring,
    outline,
    spot_at,
)

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
            *outline(PageBox(x, y, width, height)),
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
    box = PageBox(left, top, size, size)
    below = top + size + BETWEEN
    middle, low, high = left + size / 2, top + size / 2, below + size / 2
    rings = [
        Ring(middle, low, size / 2),
        Ring(middle, low, 1.5),
        Ring(middle, high, size / 2),
        Ring(middle, high, 1.5),
        Ring(middle, high - at * size, hole * size),
    ]
    ticks = []
    for index in range(chambers):
        angle = 2 * math.pi * (index + 0.5) / chambers
        inner, outer = size / 2 - 3, size / 2 - 0.5
        ticks.append(
            PageLine(
                middle + inner * math.sin(angle),
                high - inner * math.cos(angle),
                middle + outer * math.sin(angle),
                high - outer * math.cos(angle),
                "guide",
            )
        )
    labels = tuple(
        Label(text, middle, y, room.width, 3, align="centre")
        for text, y in zip(texts, (below + size + 3, top + size + 3), strict=True)
    )
    return Page(
        width=paper.width,
        height=paper.height,
        spots=(FaceSpot(face=face, box=box, trim=box, bleed=box),),
        lines=tuple(ticks),
        rings=tuple(rings),
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
    lines = [
        # The glue flap, narrower at its ends.
        PageLine(front, head, left, head + 4, "cut"),
        PageLine(left, head + 4, left, foot - 4, "cut"),
        PageLine(left, foot - 4, front, foot, "cut"),
        PageLine(end, head, end, foot, "cut"),
    ]
    for y, out in ((head, -1.0), (foot, 1.0)):
        lines += _lid(back, other, y, out, depth, tuck)
        folds += [
            PageLine(back, y, other, y, "fold"),
            PageLine(back, y + out * depth, other, y + out * depth, "fold"),
        ]
        for a, b in ((side, back), (other, end)):
            lines += _flap(a, b, y, out, depth)
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


def _lid(a: float, b: float, y: float, out: float, depth: float, tuck: float) -> list[PageLine]:
    """Return the cut lines of a lid with a tongue; ``out`` is -1 above the box, 1 below."""
    edge, end = y + out * depth, y + out * (depth + tuck)
    return [
        PageLine(a, y, a, edge, "cut"),
        PageLine(a, edge, a + 3, end, "cut"),
        PageLine(a + 3, end, b - 3, end, "cut"),
        PageLine(b - 3, end, b, edge, "cut"),
        PageLine(b, edge, b, y, "cut"),
    ]


def _flap(a: float, b: float, y: float, out: float, depth: float) -> list[PageLine]:
    """Return the cut lines of a dust flap beside a lid; ``out`` as in ``_lid``."""
    end = y + out * min(depth, 15)
    return [
        PageLine(a + 0.5, y, a + 2, end, "cut"),
        PageLine(a + 2, end, b - 2, end, "cut"),
        PageLine(b - 2, end, b - 0.5, y, "cut"),
    ]
