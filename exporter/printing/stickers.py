"""Stickers for cards that somebody has already: the parts of their faces that errata change.

Which parts these are is seen, not read from templates: both faces are rendered and compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from PIL import ImageChops

from exporter.faces.card_faces import Face
from exporter.model.print_jobs import PageBox, around
from exporter.printing.imposition import (
    LINE,
    Piece,
    Setting,
    cells,
    chosen_grid,
    packed,
    shared_sheet,
)
from exporter.printing.pdf_sheets import Sources, lone_pages, set_pages
from exporter.printing.sheet_pages import (
    LABEL,
    POINTS,
    FaceSpot,
    Label,
    Page,
    cut_lines,
    cut_out,
    pdf_pages,
)
from exporter.printing.text_pages import text_lines

# Pixels per mm at which faces are compared, and the difference in grey that counts, of 255.
PIXELS = 4
VISIBLE = 24

# Distance in mm up to which lines above one another are one text, that up to which words beside one
# another are, with a sign between them, and what a sticker has around it.
LEADING, SPACE = 1.6, 3.0
AROUND = 0.5

# The share of a face that its sticker may cover; one that changes more is printed whole.
MOST = 0.5


# A face in greys, and its texts with their boxes.
_Seen: TypeAlias = tuple[Any, list[tuple[str, PageBox]]]


def sticker_pages(pieces: Sequence[Piece], setting: Setting, sources: Sources) -> list[Page]:
    """Return pages with the changed parts of each piece's front, at true size.

    They are cut out, with the note of the piece below each; but on ready-cut labels those that are
    no larger than these fill one each. Raises ``InvalidSource`` with every problem of a face.
    """
    pairs = list(dict.fromkeys((piece.printed or piece.front, piece.front) for piece in pieces))
    alone = lone_pages(face for pair in pairs for face in pair)
    data, _problems = set_pages(alone, sources, "")
    seen = list(_seen(data))
    found = {
        front: _part(front, before, after)
        for (_printed, front), before, after in zip(pairs, seen[::2], seen[1::2], strict=True)
    }
    parts = [(piece, found[piece.front]) for piece in pieces]
    size = setting.size if setting.grid else None
    on_labels = [one for one in parts if size and _fits(one[1], size)]
    large = [one for one in parts if not (size and _fits(one[1], size))]
    single = [(_sticker(piece, part, setting),) for piece, part in large]
    cut_out = (shared_sheet(blocks, setting.edge)[0] for blocks in packed(single, setting.paper))
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
    return cut_out(place.x, place.y, face, PageBox(left, top, width, height))


def _seen(pdf: bytes) -> Iterator[_Seen]:
    """Yield the pages of a PDF in greys, each with its texts and their boxes."""
    for page in pdf_pages(pdf):
        height = page.get_height()
        texts = [
            (text, PageBox(*(side / POINTS for side in (x, height - top, end - x, top - low))))
            for text, (x, low, end, top) in text_lines(page)
        ]
        yield page.render(scale=PIXELS / POINTS).to_pil().convert("L"), texts


def _part(face: Face, printed: _Seen, now: _Seen) -> PageBox:
    """Return the box of a face in which it differs, and of the texts there.

    Where much of it differs, as a longer text moves what is around it, that of the texts which are
    new; the whole face where these are much as well, or nothing differs.
    """
    whole = PageBox(0, 0, face.width, face.height)
    (before, old), (after, texts) = printed, now
    grey = ImageChops.difference(before, after.resize(before.size))
    differs = grey.point(lambda value: 255 * (value > VISIBLE)).getbbox()
    boxes = [box for _text, box in texts]
    new = [box for text, box in texts if text not in dict(old)]
    if differs:
        x, y, right, bottom = (side / PIXELS for side in differs)
        for some, space in (([PageBox(x, y, right - x, bottom - y)], 0), (new, SPACE)):
            part = _whole_texts(some, boxes, space, face) if some else whole
            if 0 < part.width * part.height <= MOST * face.width * face.height:
                return part
    return whole


def _whole_texts(
    some: Sequence[PageBox], texts: Sequence[PageBox], space: float, face: Face
) -> PageBox:
    """Return the box around some parts of a face and the texts of which they are a part."""
    before, box = None, around(some)
    while box != before:
        before, reach = box, box.grown(space, LEADING, space, LEADING)
        box = around([box, *(text for text in texts if _meets(text, reach))])
    x, y = max(0, box.x - AROUND), max(0, box.y - AROUND)
    # Whole millimetres, so that stickers of a size stay in the order of their cards.
    width = min(math.ceil(box.right + AROUND - x), face.width - x)
    return PageBox(x, y, width, min(math.ceil(box.bottom + AROUND - y), face.height - y))


def _meets(one: PageBox, other: PageBox) -> bool:
    across = one.x < other.right and other.x < one.right
    return across and one.y < other.bottom and other.y < one.bottom


def _sticker(piece: Piece, part: PageBox, setting: Setting) -> Page:
    """Return a page with one sticker in its corner, and the piece's note below it."""
    paper, room = setting.paper, setting.paper.printable
    spot = cut_out(room.x, room.y, piece.front, part)
    note = " ".join([piece.note, piece.deck]).strip()
    return Page(
        width=paper.width,
        height=paper.height,
        spots=(spot,),
        lines=cut_lines([spot.trim]),
        labels=(Label(note, room.x, spot.trim.bottom + 0.5, room.width, height=2 * LINE * LABEL),),
    )
