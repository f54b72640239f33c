"""Texts of the data, made ready for people: ``${…}`` filled in, marks and ruby made plain."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from exporter.core.problems import (
    InvalidSource,
    SourceLocation,
    nearest,
    problem_at,
)
from exporter.faces.icons import ICON

_UPRIGHT = "右クリック→「シャッフル」→「すべて正位置にする」（逆さを直す）。"
_ALL_UPRIGHT = "全部一度に：Shift＋ドラッグで囲み、右クリック→「選択した山札」で同じ2つ。"
_AGAIN = (
    "山札が尽きたら、空の山とこの山の場所を入れ替え、右クリック→「すべて裏にする」、"
    + _UPRIGHT.removeprefix("右クリック→")
)
_ALWAYS = {"shuffling": _UPRIGHT, "shuffling_all": _ALL_UPRIGHT, "reshuffle": _AGAIN}

# What texts say by ``${shuffle}`` of stacks that nobody has shuffled, in the client's menu words.
#
# The client turns half of the cards it shuffles upside down, hence the second step.
# ``dealt`` is that opening hands lie there already. ``shuffling``, ``shuffling_all`` and
# ``reshuffle`` only tell how: they say the same in every room.
UNSHUFFLED: Mapping[str, str] = _ALWAYS | {
    "shuffle": _UPRIGHT,
    "shuffle_all": _ALL_UPRIGHT,
    "dealt": "",
}
# The same words where the stacks were shuffled when the room was made.
SHUFFLED: Mapping[str, str] = _ALWAYS | {
    "shuffle": "シャッフルずみ。",
    "shuffle_all": "",
    "dealt": "配りずみ。",
}
# The same words where there is no client.
ON_PAPER: Mapping[str, str] = dict.fromkeys(UNSHUFFLED, "") | {"shuffle": "よく混ぜる。"}

# The chat tab that holds the notes of the table.
HOW_TO_PLAY = "遊び方"

# The note that stands in the first view of a room with such a tab.
WHERE_TO_READ = "チャットの『遊び方』へ"

# How a card is taken out of a stack that is kept for later, in the client's menu words.
TAKING_OUT = (
    "1枚出す：ダブルクリック。選んで出す：右クリック→「カード一覧」→「山札から出す」。"
    "札は山のすぐ右に出る。"
)

_PLACE = re.compile(r"\$\{([^{}]+)\}")
_READING = re.compile(
    r"([々〆ヶ\u2e80-\u2fdf\u4e00-\u9fff\uf900-\ufaff]+)\[([ぁ-ゖァ-ヺー]+)\]"
    r"|\[([^\[\]|]+)\|([ぁ-ゖァ-ヺー]+)\]"
)
_RUBY = re.compile(r"\{([^{}|]*)\|[^{}|]*\}")


_KANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}
_BETWEEN = re.compile(r"[\s_・･.-]+")


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
_FLAVOUR = re.compile(r"^> ", re.MULTILINE)
_RULE = re.compile(r"^---$", re.MULTILINE)


def is_icon(word: str) -> bool:
    """Return whether a mark is drawn by a file of the game's, such as ``icons/wood.svg``."""
    return word.lower().endswith(_ICONS)


def is_word(mark: str) -> bool:
    """Return whether a mark is written in brackets only: not one that begins or ends with a sign,
    such as ``{coin}`` or ``:sword:``, unless it is a single one of ASCII or mark-up of this
    program."""
    ends = mark[:1] + mark[-1:]
    return ends.isalnum() or not mark.strip("*_- ") or (mark.isascii() and len(mark) == 1)


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
    name."""
    return as_written(
        {mark: mark.strip("[]{}():<>") or mark if is_icon(word) else word for mark, word in marks}
    )


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
