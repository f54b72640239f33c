"""Render the pages of a PDF as PNG, in bands of rows so that memory stays bounded."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from exporter.model.paper import TOLERANCE
from exporter.printing.pdf.pdf_contents import POINTS

BAND = 256
"""Rows of pixels rendered at once."""

INCH = 72
"""Points per inch."""


def png_pages(pdf: bytes, dpi: int) -> Iterator[bytes]:
    """Yield each page as an RGB PNG at ``dpi``, which is stored in the file too."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            yield _png(page, dpi)
            page.close()
    finally:
        document.close()


def png_page(pdf: bytes, number: int, dpi: int) -> bytes:
    """Render page ``number``, counted from 1; empty bytes where there is none."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        return _png(document[number - 1], dpi) if 1 <= number <= len(document) else b""
    finally:
        document.close()


def _png(page: Any, dpi: int) -> bytes:
    scale = dpi / INCH
    width, height = (math.ceil(side * scale - TOLERANCE) for side in page.get_size())
    packed = zlib.compressobj(6)
    data = bytearray()
    for top in range(0, height, BAND):
        rows = min(BAND, height - top)
        bitmap = page.render(
            scale=scale, crop=(0, (height - top - rows) / scale, 0, top / scale), rev_byteorder=True
        )
        image = bitmap.to_pil().convert("RGB").crop((0, 0, width, rows))
        stride = width * 3
        pixels = image.tobytes()
        for row in range(rows):
            data += packed.compress(b"\0" + pixels[row * stride : (row + 1) * stride])
        bitmap.close()
    data += packed.flush()
    per_metre = round(dpi / INCH * POINTS * 1000)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)),
            _chunk(b"IDAT", bytes(data)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
