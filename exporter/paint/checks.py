"""The ids under which painting speaks, which the catalogue explains."""

from __future__ import annotations

from typing import Final

TEMPLATE: Final = "FACE-TEMPLATE"
VALUE: Final = "FACE-VALUE"
OVERFLOW: Final = "FACE-OVERFLOW"
GLYPH: Final = "FACE-GLYPH"
PICTURE: Final = "FACE-PICTURE"
SIZE: Final = "FACE-SIZE"
TEMPORARY: Final = "FACE-TEMPORARY"
SEALED: Final = "FACE-SEALED"
COST: Final = "FACE-COST"
TEXT_SIZE: Final = "TEXT-SIZE"
