"""Images of a file: photographs packed as such, and each in it once.

What came as PNG or WebP, Typst packs without loss: photographs then take five times their bytes.
"""

from __future__ import annotations

import hashlib
import io
from typing import Any

from exporter.paint.pixels import MOST_COLOURS

QUALITY = 92
"""Of JPEG with a colour for each pixel: nobody sees a difference at the size of a card."""


def pack_photographs(pdf: Any) -> None:
    """Images of a file with more than ``MOST_COLOURS`` become JPEG where that halves their bytes;
    drawn ones, and what is seen through of any, stay as they are."""
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
    """A photograph as JPEG; nothing for what is none."""
    from PIL import Image

    image = Image.frombytes("RGB", (width, height), pixels)
    if image.getcolors(MOST_COLOURS) is not None:
        return b""
    file = io.BytesIO()
    image.save(file, "JPEG", quality=QUALITY, subsampling=0)
    return file.getvalue()


def share_images(form: Any, known: dict[bytes, Any]) -> None:
    """The images that a form shows, and forms within it, give way to equal ones that are ``known``
    by a hash; the others are known from now on."""
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
