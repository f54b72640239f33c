"""Assemble pages of faces to a PDF that contains every face, font and picture once.

PDF coordinates are points from the lower left corner; all arguments are millimetres from the upper
left corner.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from exporter.faces.card_faces import Face
from exporter.model.paper import TOLERANCE, PageBox, around
from exporter.printing.pdf.cut import (
    Bounds,
    part_of,
)
from exporter.printing.pdf.face_placement import (
    PlacedForm,
    drawn_in_place,
    write_contents,
)
from exporter.printing.pdf.form_objects import (
    Forms,
    marks,
)
from exporter.printing.pdf.pdf_contents import (
    POINTS,
    UNMOVED,
    Matrix,
    without_text,
)
from exporter.printing.sheet_pages import FaceSpot, Page

if TYPE_CHECKING:
    from pikepdf import Pdf

STRIP = 0.25
"""Width in mm of the strip along a face's edges that is stretched into the bleed."""

CORNER = 0.08
"""Share of a face's width and height that round corners may take."""


class PdfInfo(Struct, frozen=True):
    """Metadata of a file; ``duplex`` is the edge to turn on, ``long`` or ``short``, or empty."""

    title: str
    language: str = "ja"
    duplex: str = ""


def placing(box: PageBox, size: tuple[float, float], turn: int, height: float) -> Matrix:
    """Return the matrix that stretches a form to ``box`` on a page; ``size``, ``height`` in mm.

    ``turn`` is in degrees clockwise: 0, 90, 180 or 270.
    """
    lying = turn % 180 == 90
    across = (box.height if lying else box.width) / size[0]
    up = (box.width if lying else box.height) / size[1]
    left, right = box.x * POINTS, box.right * POINTS
    top, bottom = (height - box.y) * POINTS, (height - box.bottom) * POINTS
    return {
        0: (across, 0, 0, up, left, bottom),
        90: (0, -across, up, 0, left, top),
        180: (-across, 0, 0, -up, right, top),
        270: (0, across, -up, 0, right, bottom),
    }[turn]


def _ground(
    pdf: Pdf, spot: FaceSpot, forms: Forms, height: float, bare: dict[tuple[int, int], Any]
) -> Iterator[PlacedForm]:
    """Yield the forms drawn in a face's bleed: its ground, or its own edges extended."""
    if spot.ground is not None:
        width, high = spot.ground.width, spot.ground.height
        if spot.turn % 180 == 90:
            width, high = high, width
        x = spot.trim.x + (spot.trim.width - width) / 2
        y = spot.trim.y + (spot.trim.height - high) / 2
        size = (spot.ground.width, spot.ground.height)
        matrix = placing(PageBox(x, y, width, high), size, spot.turn, height)
        yield PlacedForm(forms[spot.ground], matrix, spot.bleed)
    elif spot.window is None and spot.bleed != spot.box:
        form = forms[spot.face]
        if form.objgen not in bare:
            bare[form.objgen] = without_text(pdf, form)
        for box, clip in extensions(spot.box, spot.bleed):
            size = (spot.face.width, spot.face.height)
            matrix = placing(box, size, spot.turn, height)
            yield PlacedForm(bare[form.objgen], matrix, clip)


def extensions(box: PageBox, bleed: PageBox) -> Iterator[tuple[PageBox, PageBox]]:
    """Yield the box and the clip of each copy of a face that extends its edges to ``bleed``.

    First the corners, in the colour of the edge beside them, for faces with round corners; then
    the outermost strips of the face, each stretched over its side or corner of the bleed.
    """
    yield from _corners(box, bleed)
    columns = [(bleed.x, box.x, -1), (box.x, box.right, 0), (box.right, bleed.right, 1)]
    rows = [(bleed.y, box.y, -1), (box.y, box.bottom, 0), (box.bottom, bleed.bottom, 1)]
    for top, bottom, down in rows:
        for left, right, across in columns:
            if right - left <= TOLERANCE or bottom - top <= TOLERANCE or (down, across) == (0, 0):
                continue
            x, width = _stretched(box.x, box.right, left, right, across)
            y, height = _stretched(box.y, box.bottom, top, bottom, down)
            yield PageBox(x, y, width, height), PageBox(left, top, right - left, bottom - top)


def _corners(box: PageBox, bleed: PageBox) -> Iterator[tuple[PageBox, PageBox]]:
    """Yield copies enlarged so that a small part of the top or bottom edge fills a corner."""
    across, down = CORNER * box.width, CORNER * box.height
    speck = STRIP / 2
    for left, right, x in (
        (bleed.x, box.x + across, box.x + across),
        (box.right - across, bleed.right, box.right - across - speck),
    ):
        for top, bottom, y in (
            (bleed.y, box.y + down, box.y + speck),
            (box.bottom - down, bleed.bottom, box.bottom - 2 * speck),
        ):
            wider, higher = (right - left) / speck, (bottom - top) / speck
            copy = PageBox(
                left - (x - box.x) * wider,
                top - (y - box.y) * higher,
                box.width * wider,
                box.height * higher,
            )
            yield copy, PageBox(left, top, right - left, bottom - top)


def _stretched(start: float, end: float, low: float, high: float, side: int) -> tuple[float, float]:
    """Return start and length of a copy whose outermost strip covers ``low`` to ``high``."""
    if side == 0:
        return start, end - start
    length = (end - start) * (high - low) / STRIP
    return (low, length) if side < 0 else (high - length, length)


def _bounds(box: PageBox, height: float) -> Bounds:
    left, bottom = box.x * POINTS, (height - box.bottom) * POINTS
    return left, bottom, box.right * POINTS, (height - box.y) * POINTS


def _rectangle(box: PageBox, height: float) -> list[float]:
    return [round(side, 4) for side in _bounds(box, height)]


def _media_box(width: float, height: float) -> list[float]:
    """Return a page's box in points, rounded down to thousandths.

    Renderers round up: a box too large by a ten-thousandth gets one more row of pixels.
    """
    return [0, 0, math.floor(width * 1000) / 1000, math.floor(height * 1000) / 1000]


def _placed(
    pdf: Pdf, page: Page, forms: Forms, bare: dict[tuple[int, int], Any]
) -> Iterator[PlacedForm]:
    """Yield the forms drawn on a page, bottom layer first."""
    for spot in page.spots:
        yield from _ground(pdf, spot, forms, page.height, bare)
    for spot in page.spots:
        size = (spot.face.width, spot.face.height)
        matrix = placing(spot.box, size, spot.turn, page.height)
        form = forms[spot.face]
        if spot.window is not None and not spot.window.holds(spot.box):
            form = part_of(pdf, form, _bounds(spot.window, page.height), matrix)
        yield PlacedForm(form, matrix, spot.window)
    for over in marks(page):
        yield PlacedForm(forms[over], UNMOVED)


def assembled(pdf: Pdf, pages: Sequence[Page], forms: Forms, document: PdfInfo) -> bytes:
    """Return the bytes of a PDF of ``pages``: faces, and above them lines and small print.

    ``forms`` has every face of ``faces_of`` and ``marks_of``, in ``pdf``, which gets the pages and
    cannot be used again.
    """
    import pikepdf

    bare: dict[tuple[int, int], Any] = {}
    placed = [list(_placed(pdf, page, forms, bare)) for page in pages]
    alone = drawn_in_place(placed)
    for page, each in zip(pages, placed, strict=True):
        size = (page.width * POINTS, page.height * POINTS)
        made = pdf.add_blank_page(page_size=size)
        made.obj.MediaBox = pikepdf.Array(_media_box(*size))
        write_contents(pdf, made.obj, each, alone, page.height)
        whole = PageBox(0, 0, page.width, page.height)
        trim, bleed = whole, whole
        if page.spots:
            trim = around([spot.window or spot.trim for spot in page.spots])
            bleed = around([spot.window or spot.bleed for spot in page.spots])
        made.obj.TrimBox = pikepdf.Array(_rectangle(trim, page.height))
        made.obj.BleedBox = pikepdf.Array(_rectangle(bleed, page.height))
    return _saved(pdf, document)


def joined(parts: Sequence[bytes], document: PdfInfo) -> tuple[bytes, int]:
    """Concatenate PDF files; returns the bytes and the number of pages."""
    import pikepdf

    pdf = pikepdf.new()
    for part in parts:
        with pikepdf.open(io.BytesIO(part)) as source:
            for page in source.pages:
                pdf.pages.append(page)
    for page in pdf.pages:
        for key in ("/StructParents", "/Tabs", "/Annots"):
            if key in page.obj:
                del page.obj[key]
        _, _, width, height = (float(side) for side in page.mediabox)
        page.obj.MediaBox = pikepdf.Array(_media_box(width, height))
        page.obj.TrimBox = page.obj.MediaBox
        page.obj.BleedBox = page.obj.MediaBox
    count = len(pdf.pages)
    return _saved(pdf, document), count


def _saved(pdf: Pdf, document: PdfInfo) -> bytes:
    """Return the file's bytes: no date, a deterministic id, and printing at 100 % as preference."""
    import pikepdf

    pdf.Root.Lang = pikepdf.String(document.language)
    preferences = {"/DisplayDocTitle": True, "/PrintScaling": pikepdf.Name("/None")}
    if document.duplex:
        name = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}[document.duplex]
        preferences["/Duplex"] = pikepdf.Name(name)
    pdf.Root.ViewerPreferences = pikepdf.Dictionary(preferences)
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as meta:
        meta["dc:title"] = document.title
        meta["dc:language"] = [document.language]
    pdf.docinfo["/Title"] = document.title
    file = io.BytesIO()
    pdf.save(
        file,
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.generate,
        compress_streams=True,
    )
    return file.getvalue()


def faces_of(pages: Sequence[Page]) -> list[Face]:
    """Return every distinct face and ground of the pages, in order of appearance."""
    found: dict[Face, None] = {}
    for page in pages:
        for spot in page.spots:
            found[spot.face] = None
            if spot.ground is not None:
                found[spot.ground] = None
    return list(found)


def marks_of(pages: Sequence[Page]) -> list[Face]:
    """Return the faces of lines and small print of the pages, page by page."""
    return [over for page in pages for over in marks(page)]
