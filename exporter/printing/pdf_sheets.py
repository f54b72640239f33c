"""Set pages of paper as a PDF: Typst sets the faces, pikepdf draws bleeds and sets the boxes.

Or render those of a PDF as PNG.

PDF coordinates are points from the lower left corner; all arguments are millimetres from the upper
left corner. Typst stores PNG and WebP pictures without loss, once on each page: photographs are
stored as JPEG instead, and equal pictures once.
"""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pikepdf
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from exporter.core import first_by
from exporter.core.file_writer import file_bytes
from exporter.core.problems import (
    COMMAND_LINE,
    Faults,
    InvalidSource,
    Problem,
    error_at,
    errors,
)
from exporter.faces.card_faces import Face
from exporter.model.print_jobs import TOLERANCE, PageBox, around
from exporter.printing.ink_saving import save_ink
from exporter.printing.sheet_pages import (
    POINTS,
    FaceSpot,
    Page,
    faces_of,
    margins_of,
    pdf_pages,
    spot_at,
)
from exporter.render.batches import (
    FILES,
    FacePage,
    PlacedFace,
    parts,
    set_face_pages,
)
from exporter.render.painter import (
    RenderJob,
    prepare_render_job,
)
from exporter.render.pixels import MOST_COLOURS
from exporter.render.template_files import uncovered
from exporter.render.typesetter import open_compiler

# Faces in one document: they share fonts and pictures and take up to 0.5 MB of memory each.
MOST = 600

# Width in mm of the strip along a face's edges that is stretched into the bleed.
STRIP = 0.25

# Share of a face's width and height that round corners may take.
CORNER = 0.08

LANGUAGE = "ja"

# JPEG quality, without chroma subsampling: no visible difference at the size of a card.
QUALITY = 92


class Sources(Struct, frozen=True):
    """Folders of face templates, the game's folder, and the cache."""

    templates: Sequence[Path]
    pictures_root: Path | None
    cache: Path | None


def set_pages(
    pages: Sequence[Page],
    sources: Sources,
    title: str,
    *,
    duplex: str = "",
    bare: bool = False,
    saving: bool = False,
) -> tuple[bytes, tuple[Problem, ...]]:
    """Return a PDF of ``pages`` and warnings: grounds, faces, and above them lines and small print.

    ``duplex`` is the edge to turn on, ``long`` or ``short``, or empty. ``bare`` leaves out all
    texts; ``saving`` draws with little ink. Raises ``InvalidSource`` with every problem of every
    face.
    """
    job = prepare_render_job(
        faces_of(pages),
        sources.templates,
        sources.pictures_root,
        sources.cache,
    )
    spots = (spot for page in pages for spot in page.spots)
    copied = list(dict.fromkeys((spot.face, not spot.window) for spot in spots if _is_copied(spot)))
    alone = lone_pages(face for face, _bare in copied)

    sheets = [_face_page(page, job, bare=bare) for page in pages]
    for page, (_face, is_bare) in zip(alone, copied, strict=True):
        sheets.append(_face_page(page, job, bare=bare or is_bare))
    pdf, problems = _set(job, sheets)
    _finish(pdf, pages, dict(zip(copied, alone, strict=True)), saving=saving)
    _clear(pdf)
    _add_bookmarks(pdf, pages)
    _label_pages(pdf, pages, has_backs=bool(duplex))
    return _saved(pdf, title, duplex), tuple(sorted(set(problems)))


def _add_bookmarks(pdf: pikepdf.Pdf, pages: Sequence[Page]) -> None:
    """Add a bookmark where each deck or box begins, where there are several."""
    groups = ((name, number) for number, page in enumerate(pages) for name in page.groups)
    first = first_by(groups, lambda group: group[0]).values()
    if len(first) > 1:
        with pdf.open_outline() as outline:
            outline.root.extend(pikepdf.OutlineItem(name, at) for name, at in first)


def _label_pages(pdf: pikepdf.Pdf, pages: Sequence[Page], *, has_backs: bool) -> None:
    """Label pages by deck or box, and by the sheet of paper and its side, as their margins do."""
    labels: list[Any] = []
    for number, page in enumerate(pages):
        words = [*page.groups[:1], str(number // 2 + 1 if has_backs else number + 1)]
        words += [{"front": "表", "back": "裏"}[page.side]] if has_backs else []
        labels += [number, pikepdf.Dictionary(P=pikepdf.String(" ".join(words)))]
    pdf.Root.PageLabels = pikepdf.Dictionary(Nums=pikepdf.Array(labels))


def lone_pages(faces: Iterable[Face]) -> list[Page]:
    """Return a page for each face, as large as the face."""
    return [
        Page(width=face.width, height=face.height, spots=(spot_at(0, 0, face),)) for face in faces
    ]


def _is_copied(spot: FaceSpot) -> bool:
    """Return whether a face is cut to a window, or its own edges are drawn out into its bleed."""
    return spot.window is not None or (spot.ground is None and spot.bleed != spot.box)


def _face_page(page: Page, wanted: RenderJob, *, bare: bool) -> FacePage:
    """Return what Typst sets of a page: grounds, then faces, then lines and small print.

    Faces cut to a window are drawn from a copy instead: see ``_finish``.
    """
    placed = [_ground(spot, spot.ground) for spot in page.spots if spot.ground is not None]
    placed += [_placed(spot.face, spot.box, spot.turn) for spot in page.spots if not spot.window]
    placed += [PlacedFace(face) for face in margins_of(page)]
    of_size = (replace(each, face=wanted.sized.get(each.face, each.face)) for each in placed)
    shown = tuple(replace(each, bare=bare or each.bare) for each in of_size)
    return FacePage(page.width, page.height, shown)


def _ground(spot: FaceSpot, ground: Face) -> PlacedFace:
    """Place the ground of a face, centred on its trim box and clipped to its bleed."""
    width, height = ground.width, ground.height
    if spot.turn % 180 == 90:
        width, height = height, width
    x = spot.trim.x + (spot.trim.width - width) / 2
    y = spot.trim.y + (spot.trim.height - height) / 2
    placed = _placed(ground, PageBox(x, y, width, height), spot.turn, spot.bleed)
    return replace(placed, bare=True)  # what its face says is said once


def _placed(face: Face, box: PageBox, turn: int, clip: PageBox | None = None) -> PlacedFace:
    """Stretch a face to ``box``; turned, another corner of the box is the face's upper left."""
    lying = turn % 180 == 90
    return PlacedFace(
        face=face,
        x=box.right if turn in (90, 180) else box.x,
        y=box.bottom if turn in (180, 270) else box.y,
        across=(box.height if lying else box.width) / face.width,
        down=(box.width if lying else box.height) / face.height,
        turn=turn,
        clip=clip,
    )


def _set(wanted: RenderJob, pages: Sequence[FacePage]) -> tuple[pikepdf.Pdf, list[Problem]]:
    """Set pages in one file. Raises ``InvalidSource`` with every problem of every face."""
    drawable, pictures, found_wrong = wanted.drawable(wanted.sound)
    problems = [*wanted.problems, *found_wrong]
    good = frozenset(drawable)
    kept = [replace(page, placed=tuple(p for p in page.placed if p.face in good)) for page in pages]
    count = math.ceil(sum(len(page.faces) for page in pages) / MOST)
    most = math.ceil(len(pages) / count)
    pdf: pikepdf.Pdf | None = None
    faults = Faults()
    with (
        faults.collect(),
        open_compiler(wanted.files | FILES, pictures, wanted.fonts) as ready,
    ):
        for some in parts(kept, wanted.pictures, most):
            texts = (face.values for page in some for face in page.faces)
            unknown = uncovered(texts, wanted.covered)
            data, found = set_face_pages(ready, some, wanted.pictures, unknown)
            problems += found
            if data:
                part = pikepdf.open(io.BytesIO(data))
                if any(page.pictures for page in some):
                    _pack_photographs(part)
                if pdf is None:
                    pdf = part
                else:
                    pdf.pages.extend(part.pages)
    problems += faults.problems
    if pdf is None or errors(problems):
        raise InvalidSource(problems)
    return pdf, problems


def _finish(
    pdf: pikepdf.Pdf,
    pages: Sequence[Page],
    alone: Mapping[tuple[Face, bool], Page],
    *,
    saving: bool,
) -> None:
    """Draw bleeds, and faces cut to a window, on pages that Typst set, and set the pages' boxes.

    After ``pages`` the file has a page for each face ``alone``, with or without its texts: copies
    of it are drawn, and it is removed.
    """
    images: dict[bytes, Any] = {}
    greys: dict[tuple[int, int], Any] = {}
    for page, made in zip([*pages, *alone.values()], pdf.pages, strict=True):
        _share_images(made.obj, images)
        made.obj.MediaBox = _media_box(page.width, page.height)
        if saving:
            save_ink(pdf, made.obj, greys)
    last = list(pdf.pages)[len(pages) :]
    forms = {key: made.as_form_xobject() for key, made in zip(alone, last, strict=True)}
    del pdf.pages[len(pages) :]
    for page, made in zip(pages, pdf.pages, strict=True):
        copied = [spot for spot in page.spots if _is_copied(spot)]
        keys = dict.fromkeys((spot.face, not spot.window) for spot in copied)
        names = {
            key: made.add_resource(forms[key], pikepdf.Name.XObject, pikepdf.Name(f"/Copy{number}"))
            for number, key in enumerate(keys, 1)  # else they would be random
        }
        drawn = [_copies(spot, names[spot.face, not spot.window], page.height) for spot in copied]
        if drawn:
            made.contents_add("\n".join(drawn).encode(), prepend=True)
        paper = PageBox(0, 0, page.width, page.height)
        trims = [spot.window or spot.trim for spot in page.spots] or [paper]
        bleeds = [spot.window or spot.bleed for spot in page.spots] or [paper]
        made.obj.TrimBox = _rectangle(around(trims), page.height)
        made.obj.BleedBox = _rectangle(around(bleeds), page.height)


def _copies(spot: FaceSpot, name: Any, height: float) -> str:
    """Return the operators that draw the form ``name``, a copy of a face: what its window shows of
    it, or its edges drawn out into its bleed."""
    size = (spot.face.width, spot.face.height)
    drawn = []
    for box, clip in [(spot.box, spot.window)] if spot.window else extensions(spot.box, spot.bleed):
        sides = (clip.x, height - clip.bottom, clip.width, clip.height)
        within = _numbers(*(side * POINTS for side in sides))
        matrix = _numbers(*_matrix(box, size, spot.turn, height))
        drawn.append(f"q {within} re W n {matrix} cm {name} Do Q")
    return "\n".join(drawn)


def _matrix(box: PageBox, size: tuple[float, float], turn: int, height: float) -> tuple[float, ...]:
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


def _rectangle(box: PageBox, height: float) -> Any:
    """Return a box as an array of left, bottom, right and top in points."""
    sides = (box.x, height - box.bottom, box.right, height - box.y)
    return pikepdf.Array([round(side * POINTS, 4) for side in sides])


def _numbers(*values: float) -> str:
    return " ".join(f"{value:.5f}" for value in values)


def _media_box(width: float, height: float) -> Any:
    """Return the box of a page in points, rounded down to thousandths; the page is in millimetres.

    Renderers round up: a box too large by a ten-thousandth gets one more row of pixels.
    """
    sides = (math.floor(side * POINTS * 1000) / 1000 for side in (width, height))
    return pikepdf.Array([0, 0, *sides])


def finished_document(data: bytes, title: str, duplex: str) -> tuple[bytes, int]:
    """Set boxes and metadata of a document that Typst set; returns its bytes and number
    of pages."""
    pdf = pikepdf.open(io.BytesIO(data))
    for page in pdf.pages:
        _, _, width, height = (float(side) for side in page.mediabox)
        page.obj.MediaBox = _media_box(width / POINTS, height / POINTS)
        page.obj.TrimBox = page.obj.MediaBox
        page.obj.BleedBox = page.obj.MediaBox
    _clear(pdf)
    return _saved(pdf, title, duplex), len(pdf.pages)


def _clear(pdf: pikepdf.Pdf) -> None:
    """Remove what Typst says of a file: its own bookmarks and metadata."""
    for key in ("/Metadata", "/Outlines"):
        if key in pdf.Root:
            del pdf.Root[key]
    del pdf.docinfo


def _saved(pdf: pikepdf.Pdf, title: str, duplex: str) -> bytes:
    """Return the file's bytes: no date, a deterministic id, and printing at 100 % as preference."""
    pdf.Root.Lang = pikepdf.String(LANGUAGE)
    preferences = {"/DisplayDocTitle": True, "/PrintScaling": pikepdf.Name("/None")}
    if duplex:
        name = {"long": "/DuplexFlipLongEdge", "short": "/DuplexFlipShortEdge"}[duplex]
        preferences["/Duplex"] = pikepdf.Name(name)
    pdf.Root.ViewerPreferences = pikepdf.Dictionary(preferences)
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as meta:
        meta["dc:title"] = title
        meta["dc:language"] = [LANGUAGE]
    pdf.docinfo["/Title"] = title
    mode = pikepdf.ObjectStreamMode.generate
    return file_bytes(pdf, deterministic_id=True, object_stream_mode=mode, compress_streams=True)


def _pack_photographs(pdf: Any) -> None:
    """Store images with more than ``MOST_COLOURS`` as JPEG where that halves their bytes.

    Drawings and transparency masks stay as they are.
    """
    for item in pdf.objects:
        if not isinstance(item, pikepdf.Stream) or item.get("/Subtype") != "/Image":
            continue
        image = pikepdf.PdfImage(item)
        if item.get("/Filter") != "/FlateDecode" or image.mode != "RGB":
            continue
        pixels = Image.frombytes("RGB", (image.width, image.height), item.read_bytes())
        if pixels.getcolors(MOST_COLOURS) is None:
            jpeg = file_bytes(pixels, "JPEG", quality=QUALITY, subsampling=0)
            if len(jpeg) * 2 < len(item.read_raw_bytes()):
                item.write(jpeg, filter=pikepdf.Name.DCTDecode)


def _share_images(form: Any, known: dict[bytes, Any]) -> None:
    """Replace the images of a form, nested forms included, by equal ones in ``known``.

    ``known`` maps hashes to images; images that are not in it are added.
    """
    shown: Any = form.get("/Resources", {}).get("/XObject", {})
    for name, item in list(shown.items()):
        if item.get("/Subtype") == "/Form":
            _share_images(item, known)
        else:
            shown[name] = known.setdefault(_digest(item), item)


def _digest(image: Any) -> bytes:
    data = hashlib.sha256(f"{image.Width} {image.get('/Filter')} ".encode())
    data.update(image.read_raw_bytes())
    if "/SMask" in image:
        data.update(_digest(image.SMask))
    return data.digest()


# Of a page as PNG: three bytes of memory each.
MOST_PAGE_PIXELS = 250_000_000


def png_pages(pdf: bytes, dpi: int, size: tuple[int, int] | None = None) -> Iterator[bytes]:
    """Yield each page as an RGB PNG at ``dpi``, which is stored in the file too; or of one size.

    Raises ``InvalidSource`` for a page of too many pixels.
    """
    for page in pdf_pages(pdf):
        yield _png(page, dpi, size)


def png_page(pdf: bytes, number: int, dpi: int) -> bytes:
    """Render page ``number``, counted from 1; empty bytes where there is none."""
    pages = enumerate(pdf_pages(pdf), 1)
    return next((_png(page, dpi) for count, page in pages if count == number), b"")


def _png(page: Any, dpi: int, size: tuple[int, int] | None = None) -> bytes:
    scale = dpi / 72
    width, height = (math.ceil(side * scale - TOLERANCE) for side in page.get_size())
    if width * height > MOST_PAGE_PIXELS:
        most = math.floor(dpi * math.sqrt(MOST_PAGE_PIXELS / (width * height)))
        words = {"width": width, "height": height, "dpi": dpi, "most": most}
        raise error_at(COMMAND_LINE, "DPI", "too-many-pixels", **words)
    image = page.render(scale=scale, rev_byteorder=True).to_pil().convert("RGB")
    lying = size and (size[0] > size[1]) != (width > height)
    image = (
        image.resize(size[::-1] if lying else size) if size else image.crop((0, 0, width, height))
    )
    return file_bytes(image, "PNG", dpi=(dpi, dpi))
