"""What the records of data files are made of.

An annotation says all about a key: its type, in ``Meta`` its limits, in ``Doc`` what it is for, in
``Ref`` what it names, in ``Short`` a shorter form that people may write. From it come the reading
(``exporter.model.forms``), JSON Schema, the pages of docs, and what the program holds.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args, get_origin

from msgspec import Meta, Struct

from exporter.core.problems import SourceLocation
from exporter.model.documents import (
    Reference,
    Spot,
)

# The most of what is only shown, added or compared.
MOST = 99_999

# The most of what something is repeated or sized by.
MOST_REPEATED = 99

# As far as a game may widen that.
MOST_EVER_REPEATED = 999


class Doc(Struct, frozen=True):
    """What a key is for, in English and Japanese; ``example`` is a value that people may copy."""

    en: str
    ja: str = ""
    example: Any = None

    def in_language(self, language: str) -> str:
        """Return it in ``ja`` or ``en``; English where it lacks a language."""
        return (language == "ja" and self.ja) or self.en


class Ref(Struct, frozen=True):
    """A text that names something of a ``sort``, such as ``card``; or all the ``names`` in it."""

    sort: str
    names: Callable[[str], Iterable[str]] = lambda text: (text,)


# The sort of a field of the cards that a record is about: its ``field_sort`` says of which.
OF_CARDS = "field of the cards"


def unless_filled_in(text: str) -> tuple[str, ...]:
    """Return a name, but none that is still to be filled in: ``${board}``."""
    return () if "$" in text else (text,)


class Inner(Struct, frozen=True):
    """No key of the record: the program fills it in, or it is ``own_key``, that around it."""

    own_key: bool = False


class File(Struct, frozen=True):
    """In which files of a game records of a ``sort`` stand, and what each of these ``holds``."""

    pattern: str
    sort: str
    holds: Any

    @property
    def record(self) -> Any:
        """The record that it holds, or of which it holds several."""
        return get_args(self.holds)[-1] if get_args(self.holds) else self.holds

    @property
    def is_list(self) -> bool:
        """Whether it is one file with a list, of which nothing is asked for by name."""
        return get_origin(self.holds) is list and "/" not in self.pattern


OwnKey: TypeAlias = Annotated[str, Inner(own_key=True)]


class Shape(Struct):
    """A mapping with known keys. A key without a value is as good as none."""


OrderText: TypeAlias = Annotated[str, Meta(max_length=5000)]
# Words of an order, of whatever length people may have, and no more.
OrderTexts: TypeAlias = Annotated[tuple[OrderText, ...], Meta(max_length=1000)]


class Record(Struct, frozen=True, kw_only=True):
    """A mapping with known keys as people write it and as the program uses it.

    It remembers the ``spot`` it was read from, so that whatever is later found wrong can be shown
    there.
    """

    # The key at which it is shown, where that is not its beginning.
    shown_at: ClassVar[tuple[str, ...]] = ()

    spot: Annotated[Spot, Inner()] = Spot()

    @property
    def where(self) -> SourceLocation:
        """Where it stands."""
        return self.spot.place(*self.shown_at)

    def place(self, *path: int | str, key: bool = False) -> SourceLocation:
        """Return where the value at ``path`` stands, or its key."""
        return self.spot.place(*path, key=key)

    def is_sound(self, *path: int | str) -> bool:
        """Return whether nothing at, above or below ``path`` had to be repaired."""
        return self.spot.is_sound(*path)

    @property
    def field_sort(self) -> str:
        """What a field of the cards that it is about is called where it is referred to."""
        return "field"

    @property
    def made_up(self) -> Set[str]:
        """The names of things that it makes up, and of which nothing else is known."""
        return frozenset()

    def refers(self) -> Iterable[Reference]:
        """Return what it refers to besides its keys with a ``Ref``."""
        return ()


class Short(Struct, frozen=True, eq=False):
    """A shorter form: ``complete`` makes the full one of it and leaves everything else alone.

    ``json_schema`` is what an editor is to allow besides the full form, if anything.
    """

    complete: Callable[[Any], Any]
    json_schema: Mapping[str, Any] | None = None


def under(key: str, sort: type | tuple[type, ...] = str) -> Callable[[Any], Any]:
    """Return what completes a value of a ``sort`` that may stand for keys of which it is the only
    one."""
    return lambda value: {key: value} if isinstance(value, sort) else value


# JSON Schema of a text: numbers and truths are read as they are spelled, so they are texts too.
#
# It does not say ``boolean``, for which editors would offer true and false.
TEXT = {"not": {"type": ["object", "array", "null"]}}

# A text may stand for a list of it alone.
ALONE = Short(lambda value: [value] if isinstance(value, str) else value, TEXT)

TEXTS = {"type": "array", "items": TEXT}
NUMBERS = {"type": "array", "items": {"type": "number"}}

_ID = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_DEVICES = r"[Cc][Oo][Nn]|[Pp][Rr][Nn]|[Aa][Uu][Xx]|[Nn][Uu][Ll]|([Cc][Oo][Mm]|[Ll][Pp][Tt])[0-9]"

# A permanent id.
Id: TypeAlias = Annotated[str, Meta(pattern=f"^{_ID}$", extra={"allowed": "id"})]

# What names files everywhere: Windows keeps some words for devices.
FILE_ID = f"^(?!({_DEVICES})$){_ID}$"

# A permanent id that also names files.
FileId: TypeAlias = Annotated[str, Meta(pattern=FILE_ID, extra={"allowed": "file-id"})]

# A day, or that nobody knows it. Days compare as their texts do.
Date: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])|unknown)$",
        examples=["2026-01-31"],
        extra={"allowed": "date"},
    ),
]

Day: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
        examples=["2026-01-31"],
        extra={"allowed": "day"},
    ),
]

Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
Whole: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
# A field of the cards that a record is about.
CardField: TypeAlias = Annotated[Word, Ref(OF_CARDS)]
# How often there is something.
Count: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_REPEATED)]

Length: TypeAlias = Annotated[float, Meta(ge=0.01, le=10_000)]
Offset: TypeAlias = Annotated[float, Meta(ge=-10_000, le=10_000)]
Ordinal: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
Certainty: TypeAlias = Literal[
    "stated", "derived", "assumed", "invented", "sample", "chosen", "unknown"
]
Pair: TypeAlias = tuple[Offset, Offset]
Size: TypeAlias = tuple[Length, Length]


def _guess(value: Any) -> Any:
    """Return what a value without a declared type means: YAML's true, false, numbers; else a
    text."""
    if isinstance(value, dict):
        return {str(key): _guess(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_guess(inner) for inner in value]
    if type(value) is not str:  # nothing, or quoted and so a text
        return value if value is None else str(value)
    if value in ("true", "false"):
        return value == "true"
    if len(value) <= 20 and value.isascii():
        for number in (int, float):
            try:
                guessed = number(value)
            except ValueError:
                continue
            if "_" not in value and -1e15 < guessed < 1e15:
                return guessed
    return value


Free: TypeAlias = Annotated[Any, Short(_guess)]


def _joined(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return "/".join(value)
    return value


# A field's value as a table's cell has it; a list may stand for words joined by ``/``.
Spelled: TypeAlias = Annotated[str, Short(_joined, TEXTS)]


class Name(Struct, frozen=True):
    """A name in Japanese and English."""

    ja: Annotated[Word, Doc("in Japanese", "日本語")]
    en: Annotated[str, Doc("in English", "英語")] = ""

    def __str__(self) -> str:
        return self.ja

    @property
    def words(self) -> tuple[str, ...]:
        """The name in both languages, as far as it has them."""
        return tuple(filter(None, (self.ja, self.en)))

    def in_language(self, language: str) -> str:
        """Return the name in ``ja`` or ``en``, or in the other where it lacks that."""
        return (self.ja or self.en) if language == "ja" else (self.en or self.ja)


class Wording(Name, frozen=True):
    """A text in Japanese and English, which may be empty."""

    ja: Annotated[str, Doc("in Japanese", "日本語")] = ""


def in_both_languages(text: str) -> Wording:
    """Return a remark in code: English, and Japanese from a line on that begins with ``ja:``."""
    en, _, ja = text.partition("\nja:")
    return Wording("".join(map(str.strip, ja.splitlines())), " ".join(en.split()))


Naming: TypeAlias = Annotated[Name, Short(under("ja"), TEXT)]
Text: TypeAlias = Annotated[Wording, Short(under("ja"), TEXT)]
