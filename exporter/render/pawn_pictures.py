"""Read pictures that players bring for their pawns: any file, checked before it is used."""

from __future__ import annotations

import hashlib
from pathlib import Path

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
)
from exporter.core.source_files import (
    Unreadable,
    read_bytes,
)
from exporter.faces.card_faces import OwnPicture
from exporter.render.own_pictures import (
    MAX_BYTES,
    check_picture,
    pixel_size,
)
from exporter.render.pixels import is_drawing


def brought_picture(path: Path, where: SourceLocation) -> OwnPicture:
    """Read the picture in a file, which is named at ``where``.

    Raises ``InvalidSource`` for a file that is none, or that Udonarium would not show.
    """
    try:
        data = read_bytes(path, str(path), MAX_BYTES, where)
    except Unreadable as error:
        raise InvalidSource([error.problem]) from None
    if found := list(check_picture(data, None, str(path))):
        raise InvalidSource(found)
    ending = ".svg" if is_drawing(path.name) else path.suffix.lower()
    name = f"brought/{hashlib.sha256(data).hexdigest()[:20]}{ending}"
    return OwnPicture(name, data, *pixel_size(data))
