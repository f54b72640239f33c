"""How words sound and are spelled: what people do not tell apart when they type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeAlias

from msgspec import Struct

_HIRAGANA = {code: code + 0x60 for code in (*range(0x3041, 0x3097), 0x309D, 0x309E)}
_ROMAN_SIGNS = {
    code: str(int(unicodedata.numeric(chr(code))))
    for code in (*range(0x2160, 0x216C), *range(0x2170, 0x217C))
}
_ROMAN = re.compile(
    r"(?<![A-Za-z0-9])(?=[ivx])x{0,3}(?:ix|iv|v?i{0,3})(?![a-z0-9])"
    r"|(?<=(?-i:[a-z]))(?=(?-i:[IVX]))(?-i:X{0,3}(?:IX|IV|V?I{0,3}))(?![a-z0-9])",
    re.IGNORECASE,
)
_KANJI = re.compile(r"[^\W0-9A-Za-zァ-ヺー]")
_MARKS = {0x309B: 0x3099, 0x309C: 0x309A}  # those of voiced kana belong to the sign before them
_DASH = re.compile("[\u2010-\u2015\u2212]")
_DRAWN_OUT = re.compile("(?<=[ァ-ヺー])-+")
_UNSAID = re.compile(r"[\s・·•‧∙⋅]+")

_SAID_ALIKE = (
    ("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ"),
    ("ヂ", "ジ"), ("ヅ", "ズ"), ("ヲ", "オ"),
)  # fmt: skip
_SMALL = str.maketrans("ァィゥェォャュョヮヵヶ", "アイウエオヤユヨワカケ", "ーッ")
_SIGNS = re.compile(r"[^\w]+")


def _arabic(found: re.Match[str]) -> str:
    values = [{"I": 1, "V": 5, "X": 10}[sign] for sign in found[0].upper()]
    following = [*values[1:], 0]
    return str(sum(-a if a < b else a for a, b in zip(values, following, strict=True)))


@lru_cache(maxsize=8192)
def normalized(word: str) -> str:
    """A word without what people do not tell apart when they type it.

    Those are width and case, hiragana and katakana, marks that are signs of their own (NFD), kinds
    of numerals, dashes for a drawn-out vowel, spaces and middle dots.
    """
    signs = word.translate(_ROMAN_SIGNS).translate(_MARKS)
    plain = unicodedata.normalize(
        "NFKC", "".join(str(unicodedata.digit(sign, sign)) for sign in signs)
    )
    plain = _UNSAID.sub("", _ROMAN.sub(_arabic, plain)).translate(_HIRAGANA)
    return _DRAWN_OUT.sub("ー", _DASH.sub("-", plain)).casefold()


@lru_cache(maxsize=8192)
def sound(word: str) -> str:
    """A folded word as it is roughly said: ヴ as ブ, without ー and ッ, small kana as large."""
    said = normalized(word)
    for written, alike in _SAID_ALIKE:
        said = said.replace(written, alike)
    return _SIGNS.sub("", said.translate(_SMALL)) or said


def bare(word: str) -> str:
    """A folded word without signs."""
    return _SIGNS.sub("", normalized(word))


_NUMERALS = {
    "0": ("〇", "零", "ゼロ"), "1": ("一", "壱", "イチ"), "2": ("二", "弐", "ニ"),
    "3": ("三", "参", "サン"), "4": ("四", "ヨン"), "5": ("五", "ゴ"), "6": ("六", "ロク"),
    "7": ("七", "ナナ"), "8": ("八", "ハチ"), "9": ("九", "キュウ"),
}  # fmt: skip
_DIGITS = {sign: digit for digit, signs in _NUMERALS.items() for sign in (digit, signs[0])}

Part: TypeAlias = tuple[str, Sequence[str]]
"""A piece of a name: how it is written, and the ways it is said; written in these ways alone if it
is empty."""


class Readings(Struct, frozen=True, dict=True):
    """How ``words`` that stand in names are said, each in one way or several, the usual first."""

    words: Mapping[str, Sequence[str]]

    @cached_property
    def _sought(self) -> re.Pattern[str] | None:
        longest = sorted(self.words, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest))) if longest else None

    def aloud(self, name: str) -> str:
        """A name with all such words as they are usually said."""
        if self._sought is None:
            return name
        return self._sought.sub(lambda found: self.words[found[0]][0], name)

    def parts(self, name: str) -> Sequence[Part]:
        """A name in pieces: words that are said in some way, numbers, and the rest as it is."""
        found: list[Part] = []
        last = 0
        for word in self._sought.finditer(name) if self._sought else ():
            found += _plain_parts(name[last : word.start()])
            said = tuple(bare(reading) for reading in self.words[word[0]])
            written = bare(word[0])
            kana = not _KANJI.search(written)  # which are not said letter by letter, but as a whole
            either = (written, *said) if written else said
            found.append(("", either) if kana else (written, said))
            last = word.end()
        return [*found, *_plain_parts(name[last:])]


def _plain_parts(text: str) -> Iterator[Part]:
    """Numbers, which may be written in several ways and without zeros before them, and the rest."""
    for run in re.findall(r"[0-9]+|[一二三四五六七八九〇]|[^0-9一二三四五六七八九〇]+", bare(text)):
        if run[0] not in _DIGITS:
            yield "", (run,)
            continue
        zeros = len(run) - len(run.lstrip("0"))
        yield from [("", ("0", ""))] * (zeros if zeros < len(run) else 0)
        for sign in run[zeros:] or run:
            digit = _DIGITS[sign]
            yield "", ((digit, *_NUMERALS[digit]) if len(run) - zeros <= 1 else (digit,))


def beginnings(parts: Sequence[Part]) -> set[str]:
    """The letters that a spelling of a name in parts may begin with."""
    found: set[str] = set()
    for word, readings in parts:
        found |= {one[:1] for one in (word, *readings) if one}
        if "" not in readings:
            break
    return found


def spells(word: str, parts: Sequence[Part]) -> bool:
    """Whether a bare word is a name in parts, each letter of a part written or said."""
    places = {0}
    for written, readings in parts:
        places = {end for at in places for one in readings for end in _ends(word, at, written, one)}
    return len(word) in places


def _ends(word: str, start: int, written: str, said: str) -> Iterator[int]:
    """Where a part ends in a word from some place on: its letters as they are written, as they are
    said, or with the end of what is said behind them (入れ of 入)."""
    waiting, seen = [(start, 0, 0)], set()
    while waiting:
        at, begun, heard = state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        if begun == len(written) and heard == len(said):
            yield at
        if at == len(word):
            continue
        if begun < len(written) and word[at] == written[begun]:
            waiting += [(at + 1, begun + 1, more) for more in range(heard + 1, len(said) + 1)]
        if heard < len(said) and word[at] == said[heard]:
            if begun < len(written):
                waiting.append((at + 1, begun + 1, heard + 1))
            if begun or not written:
                waiting.append((at + 1, begun, heard + 1))


_LATIN = re.compile(
    r"((?:(?:([bdfghjkmprstvwz])(?=\2))?"
    r"(?:sh|ch|ts|th|dh|[kgsztdnhbpmrl]y|[bdfghjklmnprstvwyz])?[aiueo]|n|-)+)([0-9]*)"
)
"""Letters that all stand for kana, and a number."""


def from_latin(word: str) -> str:
    """Latin letters as the kana that they are typed for, ``shi-rudo3`` as シールド3; empty where
    they are for none."""
    found = _LATIN.fullmatch(normalized(word))
    if found is None:
        return ""
    import jaconv  # for words alone that nothing is called

    return jaconv.alphabet2kata(found[1]) + found[3]
