"""What people call things: how words sound and are spelled, the names that one means or is near."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from heapq import nlargest
from itertools import takewhile

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


class Readings(Struct, frozen=True, dict=True):
    """How ``words`` that stand in names are said, each in one way or several, the usual first."""

    words: Mapping[str, Sequence[str]]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest = sorted(self.words, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest)) or r"(?!)")

    def aloud(self, name: str) -> str:
        """A name with all such words as they are usually said."""
        return self._pattern.sub(lambda found: self.words[found[0]][0], name)

    def parts(self, name: str) -> Sequence[Collection[str]]:
        """A name in pieces, each in all ways in which it is spelled."""
        found: list[Collection[str]] = []
        last = 0
        for word in self._pattern.finditer(name):
            found += _plain_parts(name[last : word.start()])
            written, said = bare(word[0]), [bare(reading) for reading in self.words[word[0]]]
            each = {spelling for one in said for spelling in _spellings(written, one)}
            # Kana are not said letter by letter, but as a whole.
            found.append(each if _KANJI.search(written) else {*said, written} - {""})
            last = word.end()
        return [*found, *_plain_parts(name[last:])]


_LONGEST = 4


@lru_cache(maxsize=1024)
def _spellings(written: str, said: str, begun: bool = False) -> frozenset[str]:
    """All ways to write or to say each letter of a word; what is said goes on behind a letter that
    is written (入れ of 入). A long word is written or said as a whole."""
    if len(written) > _LONGEST or not said:
        return frozenset({written, said} if said or not written else ())
    found: set[str] = set()
    if written:
        for more in range(1, len(said) + 1):
            found |= {written[0] + rest for rest in _spellings(written[1:], said[more:], True)}
        found |= {said[0] + rest for rest in _spellings(written[1:], said[1:], True)}
    if begun:
        found |= {said[0] + rest for rest in _spellings(written, said[1:], True)}
    return frozenset(found)


def _plain_parts(text: str) -> Iterator[Collection[str]]:
    """Numbers, which may be written in several ways and without zeros before them, and the rest."""
    for run in re.findall(r"[0-9]+|[一二三四五六七八九〇]|[^0-9一二三四五六七八九〇]+", bare(text)):
        if run[0] not in _DIGITS:
            yield (run,)
            continue
        digits = run.lstrip("0") or run[-1]
        yield from [("0", "")] * (len(run) - len(digits))
        for digit in (_DIGITS[sign] for sign in digits):
            yield (digit, *_NUMERALS[digit]) if len(digits) == 1 else (digit,)


def _spells(word: str, parts: Sequence[Collection[str]]) -> bool:
    ends = {0}
    for part in parts:
        ends = {at + len(one) for at in ends for one in part if word.startswith(one, at)}
    return len(word) in ends


_LATIN = re.compile(
    r"((?:(?:([bdfghjkmprstvwz])(?=\2))?"
    r"(?:sh|ch|ts|th|dh|[kgsztdnhbpmrl]y|[bdfghjklmnprstvwyz])?[aiueo]|n|-)+)([0-9]*)"
)


def from_latin(word: str) -> str:
    """Latin letters as the kana that they are typed for, ``shi-rudo3`` as シールド3; empty where
    they are for none."""
    found = _LATIN.fullmatch(normalized(word))
    if found is None:
        return ""
    import jaconv  # for words alone that nothing is called

    return jaconv.alphabet2kata(found[1]) + found[3]


# Letters that are held against letters to find the nearest word: a tenth of a second.
MOST_COMPARED = 500_000

# Names that are offered for a word that is none.
FEW = 5

_NEAR = 0.5
_NEARLY_AS_NEAR = 0.25


def is_called(word: str, names: Iterable[str]) -> bool:
    """Whether a word is one of some names in any spelling, or the first words of one."""
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
    def shown(self) -> str:
        """Its id and first name, either of which finds it."""
        return " ".join(dict.fromkeys((self.id, *self.names[:1])))


class Names(Struct, frozen=True, dict=True):
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
        what only sounds alike, and that before what is so in part: 追加装こう, a number without its
        zeros, Latin letters for kana.
        """
        for level in self.written:
            if word in level:
                return level[word]
        for plain in dict.fromkeys((normalized(word), normalized(self.readings.aloud(word)))):
            for level in self.spelled:
                if plain in level:
                    return level[plain]
        return self._spelt(word) or (self._spelt(kana) if (kana := from_latin(word)) else ())

    def near_miss(self, word: str) -> Sequence[str]:
        """The one thing that is said as a word is, but for ー, ッ, ヴ and small kana, where nothing
        is called so: ``シールドー``."""
        said = sound(self.readings.aloud(word))
        found = self._sounds.get(said, ()) if len(said) > 1 and not self.meant(word) else ()
        return found if len(found) == 1 else ()

    @cached_property
    def _sounds(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for thing in self.things.values():
            for said in {sound(self.readings.aloud(name)) for name in thing.words}:
                found.setdefault(said, []).append(thing.id)
        return found

    def _spelt(self, word: str) -> Sequence[str]:
        """The things whose names a word spells, partly as they are written, partly as said."""
        plain = bare(word)
        return list(dict.fromkeys(thing for parts, thing in self._parts if _spells(plain, parts)))

    @cached_property
    def _parts(self) -> Sequence[tuple[Sequence[Collection[str]], str]]:
        """All names in parts, each with its thing."""
        each = ((name, thing.id) for thing in self.things.values() for name in thing.words)
        return [(self.readings.parts(name), thing) for name, thing in each]

    def near(self, word: str, most: int = FEW) -> list[str]:
        """Names of the few things that are nearest to a word by sound and by signs, nearest first.

        Where a nickname is near, it is the name of what is called so. None where no name is near,
        or there are too many to look at.
        """
        said, plain = sound(self.readings.aloud(word)), normalized(word)
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
    for matcher, other in ((by_sound, whole), (by_sign, normalized(name))):
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


def index(things: Iterable[Named], readings: Mapping[str, Sequence[str]] = {}) -> Names:
    """Things by what people call them; ``readings`` are how words in their names are said."""
    named = {thing.id: thing for thing in things}
    heard = Readings(readings)
    levels: list[dict[str, list[str]]] = [{} for _ in range(5)]
    for thing in named.values():
        aloud = map(heard.aloud, thing.words if readings else ())
        words = (
            (thing.id,),
            thing.names,
            map(normalized, (thing.id, *thing.names)),
            map(normalized, thing.aliases),
            map(normalized, (*(thing.id + name for name in thing.names), *aloud)),
        )
        for level, each in zip(levels, words, strict=True):
            for word in dict.fromkeys(each):
                level.setdefault(word, []).append(thing.id)
    return Names(named, levels[:2], levels[2:], heard)
