"""Words for people: sentences are values, and become text only where somebody reads them.

``<language>.json`` is the catalogue: for every id its sentences by key, each a text or
the pair of what is said and what to do, with named blanks such as ``{found}``. A kind of rule
brings its own (``exporter.rules.kinds``). What a language lacks is reported in English.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from functools import cache
from pkgutil import get_data
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct
from msgspec.json import decode

ENGLISH: Final = "en"
# A kana or a kanji.
JAPANESE: Final = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
# English first, which has every sentence.
LANGUAGES: Final = ("en", "ja")

# What is said, or that and what to do.
Text: TypeAlias = str | tuple[str, str]

# By language and key. English has every key.
Sentences: TypeAlias = Mapping[str, Mapping[str, Text]]


@runtime_checkable
class Translated(Protocol):
    """What reads otherwise in another language, such as the name of a rule or a sentence."""

    def in_language(self, language: str) -> str: ...


# What fills a blank.
Value: TypeAlias = str | int | float | Translated


# What a sentence puts in brackets may come with quotation marks of its own.
_QUOTED_TWICE = re.compile("「'([^'」]*)'」")


class Sentence(Struct, frozen=True):
    """A key of those under the id ``of``, and the ``Value`` that fills each blank, by name."""

    of: str
    key: str
    values: tuple[tuple[str, Any], ...] = ()  # a union with a protocol is no type to msgspec

    def in_language(self, language: str) -> str:
        """Return what is said."""
        return self.both(language)[0]

    def __str__(self) -> str:
        return self.in_language(ENGLISH)

    def both(self, language: str) -> tuple[str, str]:
        """Return what is said, and what to do; the second may be empty.

        A sentence within it fills two blanks: ``{why}`` with what it says, ``{why_remedy}``.
        """
        known: dict[str, Any] = {}
        for name, value in self.values:
            if isinstance(value, Sentence):
                known[name], known[f"{name}_remedy"] = value.both(language)
            else:
                known[name] = _in_language(value, language)
        message, hint = (filled(text, known).strip() for text in _text(self.of, self.key, language))
        return _QUOTED_TWICE.sub(r"「\1」", message), _QUOTED_TWICE.sub(r"「\1」", hint)

    def plain_values(self, language: str) -> dict[str, Any]:
        """Return what fills the blanks, by name; those of sentences within it, too."""
        found: dict[str, Any] = {}
        for name, value in self.values:
            if isinstance(value, Sentence):
                found |= value.plain_values(language)
            found[name] = _in_language(value, language)
        return found


def _in_language(value: Value, language: str) -> str | int | float:
    return value if isinstance(value, str | int | float) else value.in_language(language)


class Joined(Struct, frozen=True):
    """Several of them, one after another; between sentences that end in 。 nothing stands."""

    parts: tuple[str | Translated, ...]
    between: str = " "

    def in_language(self, language: str) -> str:
        """Return all of it."""
        texts = [str(_in_language(part, language)) for part in self.parts]
        is_apart = self.between != " " or not (texts and texts[0].endswith("。"))
        return (self.between if is_apart else "").join(texts)

    def __str__(self) -> str:
        return self.in_language(ENGLISH)


# ``Translated`` last: whether a value keeps a protocol takes ten times as long to find out.
_KEPT = (str, int, float, Sentence, Joined, Translated)


def sentence(of: str, key: str, /, **values: object) -> Sentence:
    """Return a sentence with its blanks filled; what is no number, text or ``Translated`` is a
    text."""
    kept = {
        name: value if isinstance(value, _KEPT) else str(value) for name, value in values.items()
    }
    return Sentence(of, key, tuple(kept.items()))


def say(of: str, language: str, key: str, /, **values: object) -> str:
    """Return the text of a sentence, for who speaks one language."""
    return sentence(of, key, **values).in_language(language)


def asks(key: str, **values: object) -> Sentence:
    """Return what may stand somewhere, for a message."""
    return sentence("allowed", key, **values)


def words(of: str, language: str) -> Mapping[str, str]:
    """Return all that is said under one id, by key, in a language or else in English."""
    known = _BY_KIND[of][ENGLISH] if of in _BY_KIND else _tables(ENGLISH)[of]
    return {key: _text(of, key, language)[0] for key in known}


_BY_KIND: dict[str, Sentences] = {}


def add_sentences(of: str, sentences: Sentences) -> None:
    """Add the sentences of a kind of rule."""
    _BY_KIND[of] = sentences


@cache
def _tables(language: str) -> Mapping[str, Mapping[str, Any]]:
    if language not in LANGUAGES:
        return {}
    data = get_data(__name__, f"{language}.json")
    assert data is not None, "the catalogue comes with the program"
    found: dict[str, dict[str, Any]] = decode(data)
    return found


def _text(of: str, key: str, language: str) -> tuple[str, str]:
    """Return what is said and what to do, with blanks; an ``effect`` and ``remedy`` go with every
    key."""
    for spoken in (language, ENGLISH):
        kind = _BY_KIND.get(of)
        table = kind.get(spoken, {}) if kind else _tables(spoken).get(of, {})
        if key not in table:
            continue
        found: Any = table[key]
        message, hint = (found, "") if isinstance(found, str) else found
        if "effect" in table and key not in ("means", "effect", "remedy"):
            effect, remedy = str(table["effect"]), str(table["remedy"])
            message += f" {effect}" if effect[:1].isascii() else effect
            hint = hint or remedy
        return message, hint
    return key.replace("-", " "), ""  # a sort of a game's own, or a slip that a test finds


class _Formatter(string.Formatter):
    """``{count:file|files}`` is ``1 file`` or ``2 files``; a blank that nobody fills stays."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return kwargs.get(str(key), f"{{{key}}}")

    def format_field(self, value: Any, format_spec: str) -> str:
        one, bar, many = format_spec.partition("|")
        if bar:
            number = f"{value:,}" if isinstance(value, int) else f"{value}"
            return f"{number} {one if value == 1 else many}"
        return str(super().format_field(value, format_spec))


_FORMATTER = _Formatter()


def filled(text: str, values: Mapping[str, Any]) -> str:
    """Return a text with its blanks filled."""
    return _FORMATTER.vformat(text, (), values)
