"""Find out which characters the shipped fonts can show.

Typst draws a character that no font has as an empty box and says nothing. The fonts' character
maps tell which those are; that one of them is really *drawn* as text, and not shown as an icon
by the template, only the typeset page can tell (see ``engine-pages.typ``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from exporter.core.problems import (
    SourceLocation,
    error_at,
)

_VARIATION_SELECTORS = {*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}


@lru_cache(maxsize=4)
def covered(fonts: tuple[Path, ...], digest: str) -> frozenset[int]:
    """Return the code points of all ``fonts`` together, whose contents ``digest`` stands for."""
    from fontTools.ttLib import TTFont

    found: set[int] = set()
    seen: set[bytes] = set()
    for path in fonts:
        try:
            with TTFont(path, lazy=True, fontNumber=0) as font:
                table: bytes = font.reader["cmap"]
                if table in seen:
                    continue
                seen.add(table)
                # The glyphs' names are not needed, and reading them takes half the time.
                font.setGlyphOrder([""] * font["maxp"].numGlyphs)
                found |= set(font.getBestCmap() or ())
        except Exception as error:  # whatever the table's reader stumbles over
            raise error_at(
                SourceLocation(str(path)), "FACE-TEMPLATE", "font-cannot-read", error=error
            ) from None
    return frozenset(found)


def uncovered(texts: Iterable[str], covered: frozenset[int]) -> str:
    """Return the visible characters of ``texts`` that no font has, sorted."""
    characters = set().union(*texts)
    return "".join(
        sorted(
            character
            for character in characters
            if ord(character) not in covered
            and ord(character) not in _VARIATION_SELECTORS
            and unicodedata.category(character) not in ("Cc", "Cf", "Zl", "Zp")
        )
    )
