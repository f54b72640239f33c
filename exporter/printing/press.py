"""Turn a PDF into one for a press: PDF/X-1a:2003 or PDF/X-4, CMYK, within a limit of ink.

Each page becomes one picture, in the colours of an ICC profile, and above it its dark texts as
letters of black ink alone: these have to be sharp, and inks that miss one another would blur them.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pikepdf
from PIL import ImageCms

from exporter.core.file_writer import file_bytes
from exporter.core.problems import error_at
from exporter.core.shipped_files import shipped
from exporter.model.print_jobs import Shop
from exporter.printing.ink_saving import (
    COLOURS,
    PAINTS_PATH,
    image_stream,
    rewritten,
    shown_by,
    walked,
)
from exporter.printing.sheet_pages import pdf_pages

# Pixels an inch of the picture of a page.
DENSITY = 350

# Luminance up to which a text is printed in black ink: that of #2e2e2e.
DARK = 0.03

# Of a picture that is stored as JPEG instead of without loss.
LARGE_BYTES = 1_200_000

# The zlib level of the others: a third of the time of the usual 6, for a fourth more bytes.
LEVEL = 3

# The date that the standards ask for: the same files are to have the same bytes.
DATE = "D:20000101000000Z"

# Operators of all that is not the dark texts.
_OTHERS = COLOURS | {"gs", "Do", "INLINE IMAGE"}


def profile_of(shop: Shop) -> bytes:
    """Return the ICC profile of a shop. Raises ``InvalidSource`` for one that cannot be read."""
    path = Path(
        shop.profile
        or shipped("templates") / "profiles" / f"fogra39-{300 if shop.ink >= 300 else 240}.icc"
    )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise error_at(
            shop.place("profile"), "PROFILE", "cannot-read", path=path, error=error.strerror
        ) from None
    if data[16:20] != b"CMYK" or data[36:40] != b"acsp":
        raise error_at(shop.place("profile"), "PROFILE", "not-cmyk", path=path)
    return data


def press_pdf(data: bytes, shop: Shop, order: Sequence[int], title: str) -> bytes:
    """Return the pages of a PDF, by their numbers in ``order``, in the colours of a press.

    Raises ``InvalidSource``.
    """
    icc = profile_of(shop)
    inks = ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"),
        ImageCms.ImageCmsProfile(io.BytesIO(icc)),
        "RGB",
        "CMYK",
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
        flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )
    source, made, texts = pikepdf.open(io.BytesIO(data)), pikepdf.new(), list[bytes]()
    for page in source.pages:
        dark, others = _parted(page.obj)
        texts.append(pikepdf.unparse_content_stream(dark))
        rewritten(source, page.obj, others, shown_by(page.obj))
    for page, text, drawn in zip(source.pages, texts, pdf_pages(file_bytes(source)), strict=True):
        image = drawn.render(scale=DENSITY / 72, rev_byteorder=True).to_pil().convert("RGB")
        _add_page(made, page, text, _picture(made, ImageCms.applyTransform(image, inks)))
    _arrange(made, order)
    return _saved(made, icc, shop, title)


def _parted(page: Any) -> tuple[list[Any], list[Any]]:
    """Return a page's operators in two parts: its dark texts, in black ink alone, and all else.

    Texts with an outline are of the second.
    """
    dark, others = list[Any](), list[Any]()
    black = pikepdf.ContentStreamInstruction([0, 0, 0, 1], pikepdf.Operator("k"))
    clear = pikepdf.ContentStreamInstruction([], pikepdf.Operator("n"))
    for operator, instruction, walk in walked(page):
        light, is_text = walk.state.fill, operator in ("Tj", "TJ")
        if is_text and light is not None and light <= DARK and walk.state.mode == 0:
            dark += [black, instruction]
            continue
        others.append(instruction)
        if operator in PAINTS_PATH:
            dark.append(clear)
        elif not is_text and operator not in _OTHERS:
            dark.append(instruction)
    return dark, others


def _picture(pdf: Any, image: Any) -> Any:
    """Return a picture in CMYK, stored in a file."""
    packed: dict[str, Any] = {"Filter": pikepdf.Name.FlateDecode}
    data = zlib.compress(image.tobytes(), LEVEL)
    if len(data) > LARGE_BYTES:
        data = file_bytes(image, "JPEG", quality=92, subsampling=0)
        # Pillow writes inks as Adobe does: the other way round.
        packed = {"Filter": pikepdf.Name.DCTDecode, "Decode": pikepdf.Array([1, 0] * 4)}
    return image_stream(pdf, image, data, ColorSpace=pikepdf.Name.DeviceCMYK, **packed)


def _add_page(pdf: Any, source: Any, text: bytes, picture: Any) -> None:
    """Add a page with a picture and, above it, texts with the fonts of the page ``source``."""
    width, height = source.mediabox[2:]
    place = f"q {width} 0 0 {height} 0 0 cm /Picture Do Q\n".encode()
    fonts = source.obj.Resources.get("/Font")
    resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Picture=picture))
    if fonts is not None:
        own = {name: pdf.copy_foreign(font) for name, font in fonts.items()}
        resources.Font = pikepdf.Dictionary(own)
    page = pikepdf.Dictionary(
        Type=pikepdf.Name.Page,
        Resources=resources,
        Contents=pdf.make_stream(place + text),
    )
    for key in ("/MediaBox", "/TrimBox", "/BleedBox"):
        page[key] = pikepdf.Array(list(source.obj[key]))
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))


def reordered(data: bytes, order: Sequence[int]) -> bytes:
    """Return a PDF with the pages of another one, by their numbers in ``order``."""
    pdf = pikepdf.open(io.BytesIO(data))
    del pdf.Root.PageLabels  # they count the pages as they were
    _arrange(pdf, order)
    return file_bytes(pdf, deterministic_id=True)


def _arrange(pdf: Any, order: Sequence[int]) -> None:
    pages = list(pdf.pages)
    del pdf.pages[:]
    pdf.pages.extend(pages[number] for number in order)


def _saved(pdf: Any, icc: bytes, shop: Shop, title: str) -> bytes:
    """Return the file's bytes, marked as the standard asks."""
    is_old = shop.colour == "x1a"
    version = "PDF/X-1a:2003" if is_old else "PDF/X-4"
    profile = pdf.make_stream(icc, N=4, Alternate=pikepdf.Name.DeviceCMYK)
    intent = pikepdf.Dictionary(
        Type=pikepdf.Name.OutputIntent,
        S=pikepdf.Name.GTS_PDFX,
        OutputConditionIdentifier="Custom" if shop.profile else "FOGRA39",
        RegistryName="http://www.color.org",
        Info=Path(shop.profile).name if shop.profile else "Coated paper, FOGRA39",
        DestOutputProfile=profile,
    )
    pdf.Root.OutputIntents = pikepdf.Array([pdf.make_indirect(intent)])
    if not is_old:
        metadata = {
            "dc:title": title,
            "pdfxid:GTS_PDFXVersion": version,
            "pdf:Trapped": "False",
            "xmp:CreateDate": "2000-01-01T00:00:00Z",
            "xmp:ModifyDate": "2000-01-01T00:00:00Z",
            "xmp:MetadataDate": "2000-01-01T00:00:00Z",
            "xmpMM:VersionID": "1",
            "xmpMM:RenditionClass": "default",
            "xmpMM:DocumentID": f"uuid:{uuid5(NAMESPACE_URL, title)}",
        }
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as meta:
            meta.update(metadata)
    words = {"/Title": title, "/CreationDate": DATE, "/ModDate": DATE, "/GTS_PDFXVersion": version}
    for key, value in words.items():
        pdf.docinfo[key] = value
    pdf.docinfo["/Trapped"] = pikepdf.Name("/False")
    return file_bytes(
        pdf,
        force_version="1.4" if is_old else "1.6",
        deterministic_id=True,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        compress_streams=True,
    )
