"""An address as a QR code: for a page, and for a terminal."""

from __future__ import annotations

import io
from typing import Any

import segno


def code_lines(address: str) -> str:
    """The code as lines of text, to be photographed from a terminal."""
    text = io.StringIO()
    segno.make(address, micro=False).terminal(text, compact=True)
    return text.getvalue()


def code_values(address: str) -> dict[str, Any]:
    """The code as a path of squares of side 1; nothing where there is no address."""
    if not address:
        return {"address": ""}
    rows = segno.make(address, micro=False).matrix
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, cell in enumerate(row) if cell
    )
    return {"address": address, "path": path, "size": len(rows)}
