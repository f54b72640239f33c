"""Full-width signs where YAML wants its own: ``：``, ``［ ］``, ``、`` and the wide space."""

from __future__ import annotations

import re

from exporter.problems import Problem, Where, told
from exporter.schema.findings import FormFault
from exporter.schema.places import Table
from exporter.words import Sentence

_COLON = re.compile(r"\s*(?:- +)*(?:[\w.-]+|'[^']*'|\"[^\"]*\")(?P<sign>：)")
_WIDE_SPACE = re.compile(r"\s*?(?P<sign>\u3000+)|\s*(?:- +)*[\w.-]+:(?P<after>\u3000+)")
_BRACKET = re.compile(r"\s*(?:- +)*(?:[\w.-]+: +)?(?P<sign>[［｛])")
_SIGNS = ((_COLON, "colon"), (_WIDE_SPACE, "space"), (_BRACKET, "bracket"))
_HALF_WIDTH = str.maketrans({"［": "[", "］": "]", "｛": "{", "｝": "}", "：": ": ", "、": ", "})


def in_lines(lines: list[str], first: int, last: int, file: str) -> Problem | None:
    """A sign in the lines that YAML stumbled over, counted from 1, before the fault itself."""
    for number in range(max(first, 1), min(last, len(lines)) + 1):
        line = lines[number - 1]
        for pattern, sort in _SIGNS:
            if found := pattern.match(line):
                group = "after" if "after" in pattern.groupindex and found["after"] else "sign"
                where = Where(file, number, found.start(group) + 1)
                return _told(where, sort, line.strip())
    return None


def in_value(fault: FormFault, at: Where) -> Problem | None:
    """The same in a value that YAML read as a text, and that is to be keys or a list."""
    text = fault.found if isinstance(fault.found, str) else ""
    wanted = fault.allowed.key if isinstance(fault.allowed, Sentence) else ""
    if text[:1] in ("［", "｛"):
        return _told(at, "bracket", text)
    if "：" in text and wanted in _KEYS and (found := _COLON.match(text)):
        return _told(_moved(at, found.start("sign")), "colon", text)
    if "、" in text and wanted in _LISTS:
        return _told(_moved(at, text.index("、")), "comma", f"[{text}]")
    return None


def in_name(name: str, at: Where) -> Problem | None:
    """The same in the name of something that there is not."""
    return _told(_moved(at, name.index("、")), "comma", f"[{name}]") if "、" in name else None


def in_key(name: str, at: Where) -> Problem | None:
    """The same in a key that nobody knows."""
    if "\u3000" in name:
        return _told(_moved(at, name.index("\u3000")), "space", name.strip())
    return None


def in_keys(value: object) -> Problem | None:
    """The same in keys that stand where a list is to be."""
    if not isinstance(value, Table):
        return None
    return next(filter(None, (in_key(key, value.keys_at[key]) for key in value)), None)


_KEYS = ("keys", "some-keys", "these-keys", "most-keys")
_LISTS = ("list", "row", "some-list", "most-list", "list-of", "area")


def _moved(at: Where, by: int) -> Where:
    return Where(at.file, at.line, at.column + by) if at.column and not at.cell else at


def _told(where: Where, sort: str, text: str) -> Problem:
    right = re.sub(r" +", " ", text.translate(_HALF_WIDTH).replace("\u3000", " ")).strip()
    return told(where, "SRC-YAML", f"full-width-{sort}", right=right[:60])
