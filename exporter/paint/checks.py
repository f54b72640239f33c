"""The ids under which painting speaks, and what each of them means."""

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

MEANINGS: Final = {
    TEMPLATE: "a face's template is missing, has a fault, or cannot draw these values",
    VALUE: "a value of a face is not what its template says that it takes",
    OVERFLOW: "a text does not fit its place, even at the smallest size",
    GLYPH: "a character is in none of the fonts and would show as an empty box",
    PICTURE: "a picture of the game's own is missing, broken, too large or of a wrong shape",
    SIZE: "the painted picture is of a size or a shape that the client drops or hangs on",
    SEALED: "a template that did not come with the program could reach out of its folder",
    COST: "a template that did not come with the program takes too much time or memory",
    TEMPORARY: "the system takes no temporary files, which drawing needs",
}
