"""Icons by name: the signs of two fonts that come as packages.

A sign is one character of a private range that no other font has, so text shows it as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from exporter.core.shipped_files import shipped

# An icon in a text, such as ``{mdi:sail-boat}``.
ICON = re.compile(r"\{([a-z][a-z0-9-]*:[a-z0-9][a-z0-9-]*)\}")

_COLOUR = re.compile("#[0-9a-fA-F]{6}")

# Values of looks that are icons' names.
ICON_VALUES: Final = ("icon", "tag_icon", "emblem")

# The set of drawn things, and that of interface signs: a bare name is looked for in this order.
_PACKAGES: Final = {"rpg": "tkinter_icons_rpga", "mdi": "fonticon_mdi7"}


@lru_cache(maxsize=1)
def icon_folders() -> Mapping[str, Path]:
    """Return the folder of each set's package, found without running its code, which draws
    windows."""
    specs = {key: find_spec(name) for key, name in _PACKAGES.items()}
    return {key: Path(spec.origin).parent for key, spec in specs.items() if spec and spec.origin}


def icon_fonts() -> dict[str, Path]:
    """Return the fonts of the sets, by the names that files among the other fonts would have."""
    paths = (path for folder in icon_folders().values() for path in folder.glob("fonts/*.ttf"))
    return {f"icons/{path.name}": path for path in paths}


@lru_cache(maxsize=1)
def icon_names() -> Mapping[str, str]:
    """Return every icon's name with that of its set, ``rpg:castle``, and the character that shows
    it."""
    folders = icon_folders()
    drawn = json.loads((folders["rpg"] / "glyphmap.json").read_text(encoding="utf-8"))
    # Each stands there twice, also as `ra-castle-flag`.
    own = {name: code for name, code in drawn.items() if not name.startswith("ra-")}
    found = {f"rpg:{name}": chr(int(code, 16)) for name, code in own.items()}
    text = (folders["mdi"] / "mdi7.py").read_text(encoding="utf-8")
    for name, code in re.findall(r'^    (\w+) = "\\U([0-9a-f]{8})"', text, re.MULTILINE):
        found["mdi:" + name.strip("_").replace("_", "-")] = chr(int(code, 16))
    return found


@lru_cache(maxsize=1)
def icon_table() -> bytes:
    """Return the names with their characters as JSON, for templates."""
    return json.dumps(icon_names()).encode()


def find_icon(name: str) -> str:
    """Return the character of an icon, by its name with or without its set; nothing where none has
    it."""
    names = icon_names()
    sets = [""] if ":" in name else [f"{key}:" for key in _PACKAGES]
    return next((names[key + name] for key in sets if key + name in names), "")


def is_unknown_icon(name: str) -> bool:
    """Return whether a text is meant for an icon's name, and none has it; a sign stands for
    itself."""
    return name.isascii() and len(name) > 2 and not find_icon(name)


def icons_like(name: str) -> list[str]:
    """Return the names among which a misspelt one's nearest is: they begin alike and are about as
    long."""
    known = icon_names()
    names = known if ":" in name else {each.partition(":")[2]: "" for each in known}
    length = range(len(name) - 2, len(name) + 3)
    return [each for each in names if each[:1] == name[:1] and len(each) in length]


@lru_cache
def _shipped_table(name: str) -> Any:
    return json.loads((shipped("templates") / name).read_text(encoding="utf-8"))


def picture_words() -> dict[str, Any]:
    """Return what words mean as icons, drawings, scenes, people and colours."""
    found: dict[str, Any] = _shipped_table("words.json")
    return found


def icon_drawings() -> Mapping[str, str]:
    """Return the icons that have a drawing: how it stands, and its parts."""
    found: dict[str, str] = _shipped_table("faces/looks/drawings.json")
    return found


def colour_names() -> Mapping[str, str]:
    """Return the words, in small letters, that are names of colours."""
    found: dict[str, str] = _shipped_table("faces/colours.json")
    return found


def is_colour(word: str) -> bool:
    """Return whether a text is ``#rrggbb`` or a colour's name."""
    return bool(_COLOUR.fullmatch(word)) or word.lower() in colour_names()


def search_icons(word: str) -> list[str]:
    """Return the names of icons that hold a word, or that a Japanese word means: drawn ones
    first."""
    meanings = picture_words()["icons"].items()
    by_meaning = (one for key, some in meanings if key in word or word in key for one in some)
    english = picture_words()["english"].get(word.lower(), ())
    plain = word.lower().replace(" ", "-")
    by_name = (name for name in icon_names() if plain in name.partition(":")[2])
    return list(dict.fromkeys([*by_meaning, *english, *by_name]))


def colours_of_word(word: str) -> list[str]:
    """List the colours that a word is meant to have: a forest is green, ``Iron League`` grey."""
    parts = {part.removesuffix("s") for part in re.findall("[a-z]+", word.lower())}
    meanings = picture_words()["colours"].items()
    return [
        colour
        for colour, names in meanings
        if any(name in parts if name.isascii() else name in word for name in names)
    ]


def with_icons(text: str) -> str:
    """Return ``text`` with the characters in the place of ``{mdi:sail-boat}``; unknown names
    stay."""
    return ICON.sub(lambda found: find_icon(found[1]) or found[0], text)
