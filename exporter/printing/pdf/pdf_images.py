"""Recompress photographs of a PDF as JPEG, and merge equal images.

Typst stores PNG and WebP pictures without loss: photographs then take five times their bytes.
"""

from __future__ import annotations

import hashlib
import io
from typing import Any

from exporter.render.pixels import MOST_COLOURS

QUALITY = 92
"""JPEG quality, without chroma subsampling: no visible difference at the size of a card."""


def pack_photographs(pdf: Any) -> None:
    """Store images with more than ``MOST_COLOURS`` as JPEG where that halves their bytes.

    Drawings and transparency masks stay as they are.
    """
    import pikepdf

    for item in pdf.objects:
        if not isinstance(item, pikepdf.Stream) or item.get("/Subtype") != "/Image":
            continue
        image = pikepdf.PdfImage(item)
        if item.get("/Filter") == "/FlateDecode" and image.mode == "RGB":
            jpeg = _as_jpeg(image.width, image.height, item.read_bytes())
            if jpeg and len(jpeg) * 2 < len(item.read_raw_bytes()):
                item.write(jpeg, filter=pikepdf.Name.DCTDecode)


def _as_jpeg(width: int, height: int, pixels: bytes) -> bytes:
    """Encode RGB pixels as JPEG; empty bytes for a picture that is no photograph."""
    from PIL import Image

    image = Image.frombytes("RGB", (width, height), pixels)
    if image.getcolors(MOST_COLOURS) is not None:
        return b""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=QUALITY, subsampling=0)
    return file.getvalue()


def share_images(form: Any, known: dict[bytes, Any]) -> None:
    """Replace the images of a form, nested forms included, by equal ones in ``known``.

    ``known`` maps hashes to images; images that are not in it are added.
    """
    shown: Any = form.get("/Resources", {}).get("/XObject", {})
    for name, item in list(shown.items()):
        if item.get("/Subtype") == "/Form":
            share_images(item, known)
        else:
            shown[name] = known.setdefault(_digest(item), item)


def _digest(image: Any) -> bytes:
    data = hashlib.sha256(f"{image.Width} {image.get('/Filter')} ".encode())
    data.update(image.read_raw_bytes())
    if "/SMask" in image:
        data.update(_digest(image.SMask))
    return data.digest()
