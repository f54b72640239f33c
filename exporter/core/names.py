"""What people call things: which spellings mean one name, and the names nearest to a word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from heapq import nlargest
from itertools import takewhile
from typing import TypeAlias

from msgspec import Struct

from exporter.core.phonetic import (
    Part,
    Readings,
    bare,
    beginnings,
    from_latin,
    spells,
)
from exporter.core.phonetic import normalized as normalized
from exporter.core.phonetic import sound as sound

MOST_COMPARED = 500_000
"""Letters that are held against letters to find the nearest word: a tenth of a second."""

FEW = 5
"""Names that are offered for a word that is none."""

_Level: TypeAlias = dict[str, list[str]]

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

    def _spelt(self, word: str) -> Sequence[str]:
        """The things whose names a word spells, partly as they are written, partly as said."""
        plain = bare(word)
        each = self._by_beginning.get(plain[:1], ())
        return list(dict.fromkeys(thing for parts, thing in each if spells(plain, parts)))

    @cached_property
    def _by_beginning(self) -> Mapping[str, Sequence[tuple[Sequence[Part], str]]]:
        """All names in parts, each with its thing, by the letters that they may begin with."""
        found: dict[str, list[tuple[Sequence[Part], str]]] = {}
        for thing in self.things.values():
            for name in thing.words:
                parts = self.readings.parts(name)
                for letter in beginnings(parts):
                    found.setdefault(letter, []).append((parts, thing.id))
        return found

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
    ids, names, spellings, aliases, sounds = [_Level() for _ in range(5)]
    for thing in named.values():
        ids[thing.id] = [thing.id]
        for name in thing.names:
            _add(names, name, thing.id)
        for name in (thing.id, *thing.names):
            _add(spellings, normalized(name), thing.id)
        for name in thing.aliases:
            _add(aliases, normalized(name), thing.id)
        for name in thing.names:
            _add(sounds, normalized(thing.id + name), thing.id)
        for name in thing.words if readings else ():
            _add(sounds, normalized(heard.aloud(name)), thing.id)
    return Names(named, (ids, names), (spellings, aliases, sounds), heard)


def _add(level: _Level, name: str, thing: str) -> None:
    found = level.setdefault(name, [])
    if thing not in found:
        found.append(thing)
