"""Stickers for cards that somebody has already: the parts of their faces that errata change.

Which parts these are is seen, not read from templates: both faces are rendered and compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from typing import Any

from exporter.faces.card_faces import Face
from exporter.model.print_jobs import PageBox
from exporter.printing.imposition import LINE, Piece, Setting, cells, chosen_grid
from exporter.printing.pdf_sheets import PdfInfo, Sources, lone_pages, set_pages
from exporter.printing.sharing import packed, shared_sheet
from exporter.printing.sheet_pages import LABEL, POINTS, FaceSpot, Label, Page, cut_lines

# Pixels per mm at which faces are compared, and the difference in grey that counts, of 255.
PIXELS = 4
VISIBLE = 24

# Distance in mm between two changed rows from which on they are parts of their own, as far as which
# a part is made higher lest it cuts a line of text, and what a sticker has around its part.
APART = 10.0
FURTHER = 4.0
AROUND = 0.5

# The share of a face that its stickers may cover; one that changes more is printed whole.
MOST = 0.5


def sticker_pages(pieces: Sequence[Piece], setting: Setting, sources: Sources) -> list[Page]:
    """Return pages with the changed parts of each piece's front, at true size.

    They are cut out, with the note of the piece below each; but on ready-cut labels those that are
    no larger than these fill one each. Raises ``InvalidSource`` with every problem of a face.
    """
    pairs = list(dict.fromkeys((piece.printed or piece.front, piece.front) for piece in pieces))
    alone = lone_pages(face for pair in pairs for face in pair)
    data, _problems = set_pages(alone, sources, PdfInfo(""))
    images = list(_images(data))
    found = {
        front: _parts(front, before, after)
        for (_printed, front), before, after in zip(pairs, images[::2], images[1::2], strict=True)
    }
    parts = [(piece, part) for piece in pieces for part in found[piece.front]]
    size = setting.size if setting.grid else None
    large = [one for one in parts if not (size and _fits(one[1], size))]
    single = [(_sticker(piece, part, setting),) for piece, part in large]
    cut_out = (shared_sheet(blocks, setting.edge)[0] for blocks in packed(single, setting.paper))
    on_labels = [one for one in parts if size and _fits(one[1], size)]
    return [*(_label_pages(on_labels, setting, size) if size else ()), *cut_out]


def _fits(part: PageBox, size: tuple[float, float]) -> bool:
    return part.width <= size[0] and part.height <= size[1]


def _label_pages(
    parts: Sequence[tuple[Piece, PageBox]], setting: Setting, size: tuple[float, float]
) -> Iterator[Page]:
    """Yield pages of ready-cut labels: each shows what it will cover of a face around its part."""
    paper, grid = chosen_grid(setting, size)
    places = cells(setting, paper, size, grid)
    for start in range(0, len(parts), len(places)):
        here = zip(parts[start : start + len(places)], places, strict=False)
        spots = tuple(_on_label(piece.front, part, place) for (piece, part), place in here)
        yield Page(width=paper.width, height=paper.height, spots=spots)


def _on_label(face: Face, part: PageBox, place: PageBox) -> FaceSpot:
    width, height = min(place.width, face.width), min(place.height, face.height)
    left = min(max(0, part.x + (part.width - width) / 2), face.width - width)
    top = min(max(0, part.y + (part.height - height) / 2), face.height - height)
    shown = PageBox(place.x, place.y, width, height)
    box = PageBox(place.x - left, place.y - top, face.width, face.height)
    return FaceSpot(face=face, box=box, trim=shown, bleed=shown, window=shown)


def _images(pdf: bytes) -> Iterator[Any]:
    """Yield the pages of a PDF in greys."""
    import pypdfium2

    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield page.render(scale=PIXELS / POINTS).to_pil().convert("L")
            page.close()


def _parts(face: Face, before: Any, after: Any) -> list[PageBox]:
    """Return the boxes of a face in which it differs, from the top; the whole face where much of it
    does, or where no difference is seen."""
    from PIL import ImageChops

    whole = PageBox(0, 0, face.width, face.height)
    if before.size != after.size:
        return [whole]
    seen = ImageChops.difference(before, after).point(lambda grey: 255 * (grey > VISIBLE))
    rows = [y for y in range(seen.height) if seen.crop((0, y, seen.width, y + 1)).getbbox()]
    gaps = [pair for pair in pairwise(rows) if pair[1] - pair[0] > APART * PIXELS]
    tops, ends = [*rows[:1], *(low for _, low in gaps)], [*(high for high, _ in gaps), *rows[-1:]]
    parts = []
    for top, end in zip(tops, ends, strict=True):
        left, _, right, _ = seen.crop((0, top, seen.width, end + 1)).getbbox() or (0, 0, 0, 0)
        column = after.crop((left, 0, right, after.height))
        high, low = _between_lines(column, top, -1), _between_lines(column, end, 1)
        x, y = (max(0, side / PIXELS - AROUND) for side in (left, high))
        # Whole millimetres, so that stickers of a size stay in the order of their cards.
        width = min(math.ceil(right / PIXELS + AROUND - x), face.width - x)
        height = min(math.ceil((low + 1) / PIXELS + AROUND - y), face.height - y)
        parts.append(PageBox(x, y, width, height))
    area = sum(part.width * part.height for part in parts)
    return parts if 0 < area <= MOST * face.width * face.height else [whole]


def _between_lines(column: Any, start: int, step: int) -> int:
    """Return the next row of one colour, above (-1) or below (1); ``start`` if none is near."""
    for distance in range(round(FURTHER * PIXELS)):
        y = start + step * distance
        if not 0 <= y < column.height:
            break
        least, most = column.crop((0, y, column.width, y + 1)).getextrema()
        if most - least <= VISIBLE:
            return y
    return start


def _sticker(piece: Piece, part: PageBox, setting: Setting) -> Page:
    """Return a page with one sticker in its corner, and the piece's note below it."""
    paper, room, face = setting.paper, setting.paper.printable, piece.front
    box = PageBox(room.x - part.x, room.y - part.y, face.width, face.height)
    shown = PageBox(room.x, room.y, part.width, part.height)
    spot = FaceSpot(face=face, box=box, trim=shown, bleed=shown, window=shown)
    note = " ".join([piece.note, piece.deck]).strip()
    return Page(
        width=paper.width,
        height=paper.height,
        spots=(spot,),
        lines=cut_lines([shown]),
        labels=(Label(note, room.x, shown.bottom + 0.5, room.width, height=2 * LINE * LABEL),),
    )
