"""Render the pages of a PDF as PNG."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pypdfium2

from exporter.core.problems import COMMAND_LINE, error_at
from exporter.model.print_jobs import TOLERANCE

# Points per inch.
POINTS_PER_INCH = 72

# Of a page: three bytes of memory each.
MOST_PAGE_PIXELS = 250_000_000


def png_pages(pdf: bytes, dpi: int, size: tuple[int, int] | None = None) -> Iterator[bytes]:
    """Yield each page as an RGB PNG at ``dpi``, which is stored in the file too; or of one size.

    Raises ``InvalidSource`` for a page of too many pixels.
    """
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield _png(page, dpi, size)
            page.close()


def png_page(pdf: bytes, number: int, dpi: int) -> bytes:
    """Render page ``number``, counted from 1; empty bytes where there is none."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return _png(document[number - 1], dpi) if 1 <= number <= len(document) else b""


def _png(page: Any, dpi: int, size: tuple[int, int] | None = None) -> bytes:
    scale = dpi / POINTS_PER_INCH
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
    file = io.BytesIO()
    image.save(file, "PNG", dpi=(dpi, dpi))
    return file.getvalue()
