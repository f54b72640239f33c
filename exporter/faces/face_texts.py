"""Texts of the data, made ready for people: ``${…}`` filled in, marks and ruby made plain."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from exporter.core.messages import words
from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    nearest,
    problem_at,
)
from exporter.faces.icons import ICON

_PLACE = re.compile(r"\$\{([^{}]+)\}")
_READING = re.compile(
    r"([々〆ヶ\u2e80-\u2fdf\u4e00-\u9fff\uf900-\ufaff]+)\[([ぁ-ゖァ-ヺー]+)\]"
    r"|\[([^\[\]|]+)\|([ぁ-ゖァ-ヺー]+)\]"
)
_RUBY = re.compile(r"\{([^{}|]*)\|[^{}|]*\}")


_KANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_BETWEEN = re.compile(r"[\s_・･.-]+")


def shuffle_words(language: str, stacks: str) -> Mapping[str, str]:
    """Return what texts say of shuffling, by the name of their blank.

    ``stacks`` are ``unshuffled``, ``shuffled`` when the room was made, or ``on-paper``. The client
    turns half of the cards that it shuffles upside down, hence the second step of these texts.
    """
    known = words("unshuffled", language)
    return known if stacks == "unshuffled" else {**known, **words(stacks, language)}


def texts_within(value: Any) -> Iterator[str]:
    """Yield each text that a value as JSON knows them holds, without the keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts_within(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts_within(each)


def folded(name: str) -> str:
    """Return a name of a file as it is compared: width, case, kana and what parts its words
    aside."""
    plain = unicodedata.normalize("NFKC", name).casefold().translate(_KANA)
    return _BETWEEN.sub("", plain)


def fill(text: str, values: Mapping[str, str], where: SourceLocation) -> str:
    """Return ``text`` with every ``${name}`` replaced. Raises ``InvalidSource`` for unknown
    names."""
    unknown = dict.fromkeys(name for name in _PLACE.findall(text) if name not in values)
    if unknown:
        raise InvalidSource(
            problem_at(where, "TEXT", "stands-nothing", name=name, nearest=nearest(name, values))
            for name in unknown
        )
    return _PLACE.sub(lambda match: values[match[1]], text)


def fill_lines(text: str, values: Mapping[str, str], where: SourceLocation) -> str:
    """Return ``text`` filled in, without the lines that then say nothing. Raises as ``fill``
    does."""
    fill(text, values, where)  # tells of all lines at once
    lines = ((line, fill(line, values, where)) for line in text.split("\n"))
    return "\n".join(filled for line, filled in lines if filled.strip() or not line.strip())


# How a table prints that a card has no such value.
_NOTHING = ("", "-", "－")


def fill_parts(parts: Sequence[str], values: Mapping[str, str], where: SourceLocation) -> str:
    """Return ``parts`` filled in and joined, without those that name what the values have nothing
    for."""
    filled = [(part, fill(part, values, where)) for part in parts]
    return " ".join(
        text
        for part, text in filled
        if not any(values[name].strip() in _NOTHING for name in _PLACE.findall(part))
    )


_ICONS = (".svg", ".png", ".jpg", ".jpeg", ".webp")
_TINTED = re.compile(r"\{#[^ {}|]+ ([^{}]*)\}")
_STRONG = re.compile(r"\*\*(.+?)\*\*|__(.+?)__")
_FLAVOUR = re.compile(r"^> (?!\d)", re.MULTILINE)
_RULE = re.compile(r"^---$", re.MULTILINE)


def is_icon(word: str) -> bool:
    """Return whether a mark is drawn by a file of the game's, such as ``icons/wood.svg``."""
    return word.lower().endswith(_ICONS)


def is_word(mark: str) -> bool:
    """Return whether a mark is written in brackets only: not one that begins or ends with a sign,
    such as ``{coin}``, ``:sword:`` or ⅗, unless it is a single one of ASCII or mark-up of this
    program."""
    ends = mark[:1] + mark[-1:]
    are_letters = all(end.isalpha() or end.isdecimal() for end in ends)
    return are_letters or not mark.strip("*_- ") or (mark.isascii() and len(mark) == 1)


def as_written(words: Mapping[str, str]) -> dict[str, str]:
    """Return words of marks by what stands for them in texts: ``[coin]``, and ``{coin}`` as it
    is."""
    signs = {mark: word for mark, word in words.items() if not is_word(mark)}
    return {f"[{mark}]": word for mark, word in words.items()} | signs


def replaced(text: str, words: Mapping[str, str]) -> str:
    """Return ``text`` with words in the place of what stands for them, the longest first, and not
    where a Latin word goes on."""
    there = sorted((mark for mark in words if mark in text), key=len, reverse=True)
    if not there:
        return text
    forms = (
        (r"(?<![0-9A-Za-z])" if mark[0].isalnum() and mark[0].isascii() else "")
        + re.escape(mark)
        + (r"(?![0-9A-Za-z])" if mark[-1].isalnum() and mark[-1].isascii() else "")
        for mark in there
    )
    return re.sub("|".join(forms), lambda found: words[found[0]], text)


@lru_cache(maxsize=16)
def words_in_texts(marks: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Return how marks read where no icon can be drawn, by what stands for them: an icon as its
    name, or ``[coin]`` for ``{mdi:hand-coin}``."""
    found = {}
    for mark, word in marks:
        name = mark.strip("[]{}():<>") or mark
        drawn = f"[{name}]" if len(name) > 1 else name
        found[mark] = name if is_icon(word) else drawn if ICON.fullmatch(word) else word
    return as_written(found)


def plain(text: str, marks: Mapping[str, str]) -> str:
    """Return ``text`` without mark-up: ``[energy]`` as the character in ``marks``, or as its name
    where that is an icon; ruby left out."""
    if marks:
        text = replaced(text, words_in_texts(tuple(marks.items())))
    text = text.replace("\\n", "\n")
    if "{#" in text:
        text = _TINTED.sub(r"\1", text)
    if "**" in text or "__" in text:
        text = _STRONG.sub(lambda found: found[1] or found[2], text)
    if "> " in text or "---" in text:
        text = _RULE.sub("――――", _FLAVOUR.sub("", text))
    if "{" not in text:
        return text
    return _RUBY.sub(r"\1", ICON.sub(lambda found: found[1].partition(":")[2], text))


def with_readings(text: str, marks: Container[str]) -> str:
    """Return a text whose readings, ``漢字[かんじ]`` or ``[漢字|かんじ]`` in tables, are ruby.

    What is one of the game's ``marks`` stays a mark.
    """

    def ruby(found: re.Match[str]) -> str:
        base, reading = found[1] or found[3], found[2] or found[4]
        return found[0] if reading in marks else f"{{{base}|{reading}}}"

    return _READING.sub(ruby, text) if "[" in text else text
