"""What people call things: how words sound and are spelled, the names that one means or is near."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache

from msgspec import Struct

from exporter.core import first_by

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
    """Return a word without what people do not tell apart when they type it.

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
    """Return a word as it is roughly said: ヴ as ブ, without ー and ッ, small kana as large."""
    spoken = normalized(word)
    for written, alike in _SAID_ALIKE:
        spoken = spoken.replace(written, alike)
    return _SIGNS.sub("", spoken.translate(_SMALL)) or spoken


_DIGITS = str.maketrans("〇一二三四五六七八九", "0123456789")
_ZEROS = re.compile(r"(?<![0-9])0+(?=[0-9])")


def bare(word: str) -> str:
    """Return a folded word without punctuation, its numbers in plain digits without zeros before
    them."""
    plain = "".join(c for c in normalized(word) if unicodedata.category(c)[0] != "P")
    return _ZEROS.sub("", plain.translate(_DIGITS))


# Pairs of letters that are compared to find the nearest word: a tenth of a second.
MOST_COMPARED = 500_000

# Names that are offered for a word that is none.
FEW = 5


def is_called(word: str, names: Iterable[str]) -> bool:
    """Return whether a word is one of some names in any spelling, or the first words of one."""
    plain = normalized(word)
    each = (name.split() for name in names if name)
    return any(
        plain == normalized("".join(one[:last])) for one in each for last in range(1, len(one) + 1)
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
    def title(self) -> str:
        """Its id and first name, either of which finds it."""
        return " ".join(dict.fromkeys((self.id, *self.names[:1])))


class Names(Struct, frozen=True, dict=True):
    """Things of one sort by what people call them: as it is ``written``, and as it is spelled.

    ``readings`` are how words in their names are spoken, each in one way or several, the
    usual first.
    """

    things: Mapping[str, Named]
    written: Sequence[Mapping[str, Sequence[str]]]
    spelled: Sequence[Mapping[str, Sequence[str]]]
    readings: Mapping[str, Sequence[str]]

    def holds(self, word: str) -> bool:
        """Return whether a word is an id or name just as it is written."""
        return any(word in level for level in self.written)

    def matches(self, word: str) -> Sequence[str]:
        """Return the ids that a word may stand for: several only where all of them fit equally
        well.

        An id comes before a name, what is written alike before other spellings, nicknames before
        what only sounds alike; signs are left out last.
        """
        for level in self.written:
            if word in level:
                return level[word]
        spoken = self._aloud(word)
        spellings = (*map(normalized, (word, spoken)), *map(bare, (word, spoken)))
        for plain in filter(None, dict.fromkeys(spellings)):
            for level in self.spelled:
                if plain in level:
                    return level[plain]
        return ()

    def _aloud(self, name: str) -> str:
        return readings_of(name, self.readings)[0]

    @cached_property
    def _sounds(self) -> Mapping[str, Mapping[str, str]]:
        """How names are spoken, with the things called so and the name to show of each."""
        found: dict[str, dict[str, str]] = {}
        for thing in self.things.values():
            own = thing.names or (thing.id,)
            for name in thing.words:
                is_shown = name in (thing.id, *thing.names) or name.isascii()
                shown = name if is_shown else own[0]
                found.setdefault(sound(self._aloud(name)), {}).setdefault(thing.id, shown)
        return found

    def near(self, word: str) -> list[str]:
        """Return one name each of the few things that are nearest to a word by their sound,
        nearest first; of what is called so by a Japanese nickname its name. None where there are
        too many."""
        spoken = sound(self._aloud(word))
        if len(spoken) * sum(map(len, self._sounds)) > MOST_COMPARED:
            return []
        close = get_close_matches(spoken, self._sounds, n=FEW, cutoff=0.5)
        close += [one for one in self._sounds if len(spoken) > 1 and spoken in one]
        pairs = (pair for one in close for pair in self._sounds[one].items())
        found = first_by(pairs, lambda pair: pair[0]).values()
        return list(dict.fromkeys(name for _thing, name in found))[:FEW]


def readings_of(name: str, readings: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a name with all words that have readings as they are spoken, in every way, the usual
    first."""
    words = sorted((word for word in readings if word in name), key=len, reverse=True)
    if not words:
        return [name]
    pattern = re.compile("|".join(map(re.escape, words)))
    ways = range(max(len(readings[found]) for found in pattern.findall(name)))

    def spoken(way: int) -> str:
        return pattern.sub(lambda found: readings[found[0]][: way + 1][-1], name)

    return list(dict.fromkeys(map(spoken, ways)))


def index(things: Iterable[Named], readings: Mapping[str, Sequence[str]] = {}) -> Names:
    """Return things by what people call them; ``readings`` are how words in their names are
    spoken."""
    named = {thing.id: thing for thing in things}
    levels: list[dict[str, list[str]]] = [{} for _ in range(6)]
    for thing in named.values():
        aloud = [spoken for name in thing.words for spoken in readings_of(name, readings)]
        words = (
            (thing.id,),
            thing.names,
            map(normalized, (thing.id, *thing.names)),
            map(normalized, thing.aliases),
            map(normalized, (*(thing.id + name for name in thing.names), *aloud)),
            map(bare, (*thing.words, *aloud)),
        )
        for level, each in zip(levels, words, strict=True):
            for word in dict.fromkeys(each):
                level.setdefault(word, []).append(thing.id)
    return Names(named, levels[:2], levels[2:], readings)
