"""The letters of pages, as fonts that hold no others."""

from __future__ import annotations

import hashlib
import io
from functools import lru_cache
from pathlib import Path

import msgspec

from exporter.core.shipped_files import shipped
from exporter.rules.project import Project

WEIGHTS = {400: "BIZUDPGothic-Regular.ttf", 700: "BIZUDPGothic-Bold.ttf"}


@lru_cache(1)
def _own_letters() -> frozenset[str]:
    """Those of all sentences and words of the program."""
    import exporter.core.messages

    folder = Path(str(exporter.core.messages.__file__)).parent
    return frozenset("".join(path.read_text(encoding="utf-8") for path in folder.glob("*.json")))


def letters_of(project: Project | None) -> str:
    """All letters that pages about a game show, as far as the program and the game write them."""
    game = "" if project is None else msgspec.json.encode(project.corrected, enc_hook=str).decode()
    return "".join(sorted(_own_letters() | set(game)))


@lru_cache(2)
def _digest(weight: int) -> str:
    path = shipped("templates") / "faces" / "fonts" / WEIGHTS[weight]
    return hashlib.sha256(path.read_bytes()).hexdigest()


def font_key(weight: int, letters: str) -> str:
    """The key of a font with some letters: another as soon as any byte of it may be another."""
    import fontTools

    parts = (_digest(weight), letters, fontTools.version, "woff")
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def font_of(weight: int, letters: str) -> bytes:
    """A font with some letters, as WOFF."""
    from fontTools import subset

    from exporter.core.cache import (
        Cache,
        cache_folder,
    )

    key, cache = font_key(weight, letters), Cache(cache_folder())
    if (known := cache.get(key)) is not None:
        return known
    options = subset.Options(flavor="woff", hinting=False)
    options.drop_tables += ["meta"]
    path = shipped("templates") / "faces" / "fonts" / WEIGHTS[weight]
    font = subset.load_font(str(path), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=letters)
    subsetter.subset(font)
    stream = io.BytesIO()
    subset.save_font(font, stream, options)
    cache.put(key, stream.getvalue())
    return stream.getvalue()
