"""Signs that YAML takes for its own, or that stand for its own.

Full-width ones where it wants half-width ones (``：``, ``［ ］``, ``、`` and the wide space), and
its own where a text without quotes begins with one (``[木]1枚引く``, ``**強い** 攻撃``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from exporter.core.messages import Sentence
from exporter.core.problems import (
    Problem,
    SourceLocation,
    problem_at,
)
from exporter.model.document_places import Table

_COLON = re.compile(r"\s*(?:- +)*(?:[\w.-]+|'[^']*'|\"[^\"]*\")(?P<sign>：)")
_WIDE_SPACE = re.compile(
    r"(?P<sign>\u3000+)| +(?P<indent>\u3000+)(?=- |[\w.-]+:)|\s*(?:- +)*[\w.-]+:(?P<after>\u3000+)"
)
_BRACKET = re.compile(r"\s*(?:- +)*(?:[\w.-]+: +)?(?P<sign>[［｛])")
# A line under which a text stands as it is.
_BLOCK = re.compile(r"( *)\S.*[|>][+-]?[1-9]?[+-]?\s*(?:#.*)?$")

_SIGNS = ((_COLON, "colon"), (_WIDE_SPACE, "space"), (_BRACKET, "bracket"))
_HALF_WIDTH = str.maketrans({"［": "[", "］": "]", "｛": "{", "｝": "}", "：": ": ", "、": ", "})


def in_lines(lines: list[str], first: int, last: int, file: str) -> Problem | None:
    """A sign in the lines that YAML stumbled over, counted from 1, before the fault itself."""
    for number, line in _outside_texts(lines[:last]):
        for form, sort in _SIGNS if number >= first else ():
            if found := form.match(line):
                where = SourceLocation(file, number, found.start(found.lastgroup or "sign") + 1)
                return _told(where, sort, line.strip())
    return None


_TEXT = re.compile(
    r"\s*(?:(?:- +)*[\w.-]+: +|(?:- +)+(?!-))(?P<text>(?:(?P<coloured>\{#)|[\[{*&!%@`\"'>|?-]).*)"
)


def before_text(lines: list[str], last: int, file: str, *, is_open: bool) -> Problem | None:
    """A sign of YAML's own before a text, in the ``last`` line; with ``is_open`` it may begin a
    list or a mapping, so only a text in a colour is told, which YAML reads to the file's end."""
    for number, line in enumerate(lines[:last], 1):
        found = _TEXT.fullmatch(line.rstrip())
        if found and (found["coloured"] or (number == last and not is_open)):
            text, start = found["text"], found.start("text")
            quote = '"' if "'" in text else "'"
            right = f"{line[:start].strip()} {quote}{text}{quote}".strip()
            at = SourceLocation(file, number, start + 1)
            return problem_at(at, "SRC-YAML", "text-sign", sign=text[0], right=right[:80])
    return None


def _outside_texts(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers from 1, without those of texts, which may hold any sign."""
    text = -1
    for number, line in enumerate(lines, 1):
        indent = len(line) - len(line.lstrip(" "))
        if text >= 0 and (indent > text or not line.strip()):
            continue
        begin = _BLOCK.match(line)
        text = len(begin[1]) if begin else -1
        yield number, line


def in_value(found: object, allowed: Sentence, at: SourceLocation) -> Problem | None:
    """The same in a value that YAML read as a text, and that is to be keys or a list."""
    text, wanted = found if isinstance(found, str) else "", allowed.key
    if text[:1] in ("［", "｛"):
        return _told(at, "bracket", text)
    is_prose = "\n" in text
    if "：" in text and wanted in _KEYS and not is_prose and (found := _COLON.match(text)):
        return _told(_moved(at, found.start("sign")), "colon", text)
    if "、" in text and wanted in _LISTS:
        return _told(_moved(at, text.index("、")), "comma", f"[{text}]")
    return None


def in_name(name: str, at: SourceLocation) -> Problem | None:
    """The same in the name of something that there is not."""
    return _told(_moved(at, name.index("、")), "comma", f"[{name}]") if "、" in name else None


def in_key(name: str, at: SourceLocation) -> Problem | None:
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


def _moved(at: SourceLocation, by: int) -> SourceLocation:
    return SourceLocation(at.file, at.line, at.column + by) if at.column and not at.cell else at


def _told(where: SourceLocation, sort: str, text: str) -> Problem:
    right = re.sub(r" +", " ", text.translate(_HALF_WIDTH).replace("\u3000", " ")).strip()
    return problem_at(where, "SRC-YAML", f"full-width-{sort}", right=right[:60])
