"""What people call things: which spellings mean one name, and the names nearest to a word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from itertools import takewhile
from typing import TypeAlias

from msgspec import Struct

MOST_COMPARED = 500_000
"""Letters that are held against letters to find the nearest word: a tenth of a second."""

FEW = 5
"""Names that are offered for a word that is none."""

_Level: TypeAlias = dict[str, list[str]]

_NEAR = 0.5
_NEARLY_AS_NEAR = 0.25

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


def _digit(sign: str) -> str:
    """A digit of any form as one; whatever else as it is."""
    return str(unicodedata.digit(sign, sign)) if sign > "\x7f" else sign


@lru_cache(maxsize=8192)
def folded(word: str) -> str:
    """A word without what people do not tell apart when they type it.

    Those are width and case, hiragana and katakana, marks that are signs of their own (NFD), kinds
    of numerals, dashes for a drawn-out vowel, spaces and middle dots.
    """
    plain = unicodedata.normalize("NFKC", "".join(map(_digit, word.translate(_ROMAN_SIGNS))))
    plain = _UNSAID.sub("", _ROMAN.sub(_arabic, plain)).translate(_HIRAGANA)
    return _DRAWN_OUT.sub("ー", _DASH.sub("-", plain)).casefold()


@lru_cache(maxsize=8192)
def sound(word: str) -> str:
    """A folded word as it is roughly said: ヴ as ブ, without ー and ッ, small kana as large."""
    said = folded(word)
    for written, alike in _SAID_ALIKE:
        said = said.replace(written, alike)
    return _SIGNS.sub("", said.translate(_SMALL)) or said


def is_called(word: str, names: Iterable[str]) -> bool:
    """Whether a word is one of some names in any spelling, or the first words of one."""
    plain = folded(word)
    each = (name.split() for name in names if name)
    return any(
        plain == folded("".join(one[:last])) for one in each for last in range(1, len(one) + 1)
    )


class Named(Struct, frozen=True):
    """A thing by its ``id``, its names in all languages, and its nicknames."""

    id: str
    names: Sequence[str] = ()
    aliases: Sequence[str] = ()

    @property
    def words(self) -> Sequence[str]:
        """All that it is called."""
        return tuple(dict.fromkeys((self.id, *self.names, *self.aliases)))

    @property
    def shown(self) -> str:
        """Its id and first name, either of which finds it."""
        return " ".join(dict.fromkeys((self.id, *self.names[:1])))


class Readings(Struct, frozen=True):
    """How words that stand in names are said."""

    words: Mapping[str, str]
    sought: re.Pattern[str] | None

    def aloud(self, name: str) -> str:
        """A name with all such words as they are said."""
        if self.sought is None:
            return name
        return self.sought.sub(lambda found: self.words[found[0]], name)


class Names(Struct, frozen=True):
    """Things of one sort by what people call them: as it is ``written``, and as it is spelled."""

    things: Mapping[str, Named]
    written: Sequence[Mapping[str, Sequence[str]]]
    spelled: Sequence[Mapping[str, Sequence[str]]]
    readings: Readings

    def holds(self, word: str) -> bool:
        """Whether a word is an id or name just as it is written."""
        return any(word in level for level in self.written)

    def meant(self, word: str) -> Sequence[str]:
        """The ids that a word may stand for: several only where all of them fit equally well.

        An id comes before a name, what is written alike before other spellings, nicknames before
        what only sounds alike.
        """
        for level in self.written:
            if word in level:
                return level[word]
        for plain in dict.fromkeys((folded(word), folded(self.readings.aloud(word)))):
            for level in self.spelled:
                if plain in level:
                    return level[plain]
        return ()

    def near(self, word: str, most: int = FEW) -> list[str]:
        """Names of the few things that are nearest to a word by sound and by signs, nearest first.

        Where a nickname is near, it is the name of what is called so. None where no name is near,
        or there are too many to look at.
        """
        said, plain = sound(self.readings.aloud(word)), folded(word)
        letters = sum(len(name) for thing in self.things.values() for name in thing.words)
        if not said or len(said) * letters > MOST_COMPARED:
            return []
        by_sound, by_sign = SequenceMatcher(b=said), SequenceMatcher(b=plain)
        close = []
        for thing in self.things.values():
            scores = {
                name: _likeness(said, by_sound, by_sign, name, self.readings.aloud(name))
                for name in thing.words
            }
            name = max(scores, key=scores.__getitem__)
            if scores[name] >= _NEAR:
                own = name in (thing.id, *thing.names)
                close.append((scores[name], name if own else (thing.names or (thing.id,))[0]))
        best = nlargest(most, close, key=lambda one: one[0])
        near = [name for score, name in best if score >= best[0][0] - _NEARLY_AS_NEAR]
        return list(dict.fromkeys(near))


def _likeness(
    word: str, by_sound: SequenceMatcher[str], by_sign: SequenceMatcher[str], name: str, aloud: str
) -> float:
    """From 0 to 1; a part of a name, and what holds a name, are near as well.

    Where no more than half of the longer one is in the other, they are not.
    """
    whole = sound(aloud)
    best = 0.0
    for matcher, other in ((by_sound, whole), (by_sign, folded(name))):
        matcher.set_seq1(other)
        if matcher.real_quick_ratio() >= _NEAR and matcher.quick_ratio() >= _NEAR:
            alike = sum(block.size for block in matcher.get_matching_blocks())
            if 2 * alike > max(len(other), len(word)):
                best = max(best, matcher.ratio())
    begin = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(word, whole, strict=False))))
    short, long = sorted((word, whole), key=len)
    if begin > 1 and 2 * begin >= len(short) and len(long) <= 2 * len(short):
        best = max(best, _NEAR)
    if len(short) > 1 and short in long:
        best = max(best, 0.6 + 0.4 * len(short) / len(long))
    return best


def _readings(words: Mapping[str, str]) -> Readings:
    longest = sorted(words, key=len, reverse=True)
    return Readings(words, re.compile("|".join(map(re.escape, longest))) if words else None)


def index(things: Iterable[Named], readings: Mapping[str, str] = {}) -> Names:
    """Things by what people call them; ``readings`` are how words in their names are said."""
    named = {thing.id: thing for thing in things}
    heard = _readings(readings)
    ids: _Level = {}
    names: _Level = {}
    spellings: _Level = {}
    aliases: _Level = {}
    sounds: _Level = {}
    for thing in named.values():
        ids[thing.id] = [thing.id]
        for name in thing.names:
            _add(names, name, thing.id)
        for name in (thing.id, *thing.names):
            _add(spellings, folded(name), thing.id)
        for name in thing.aliases:
            _add(aliases, folded(name), thing.id)
        for name in thing.words if readings else ():
            _add(sounds, folded(heard.aloud(name)), thing.id)
    return Names(named, (ids, names), (spellings, aliases, sounds), heard)


def _add(level: _Level, name: str, thing: str) -> None:
    found = level.setdefault(name, [])
    if thing not in found:
        found.append(thing)
