"""What the shapes of data files are made of.

An annotation says all about a value: its type, in ``msgspec.Meta`` its limits, what it is for and
an example, in ``Short`` a shorter form that people may write. ``exporter.schema.forms`` reads them.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from exporter.model.fields import MOST, MOST_REPEATED


class Shape(Struct):
    """A mapping with known keys. A key without a value is as good as none."""


class Short(Struct, frozen=True, eq=False):
    """A shorter form: ``complete`` makes the full one of it and leaves everything else alone.

    ``json_schema`` is what an editor is to allow besides the full form, if anything.
    """

    complete: Callable[[Any], Any]
    json_schema: Mapping[str, Any] | None = None


TEXT = {"type": ["string", "number", "boolean"]}
"""JSON Schema of a text: numbers and truths are read as they are spelled, so they are texts too."""

TEXTS = {"type": "array", "items": TEXT}
NUMBERS = {"type": "array", "items": {"type": "number"}}

Id: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$",
        extra={"allowed": "at most 64 of A–Z, a–z, 0–9, _ and -, the first a letter or digit"},
    ),
]
"""A permanent id that also names files."""

Date: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^([0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])|unknown)$",
        examples=["2026-01-31"],
        extra={"allowed": "a day such as 2026-01-31, or unknown"},
    ),
]
"""A day, or that nobody knows it. Days compare as their texts do."""

Day: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
        examples=["2026-01-31"],
        extra={"allowed": "a day such as 2026-01-31"},
    ),
]

Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=200)]
Whole: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_REPEATED)]
"""How often there is something."""

Length: TypeAlias = Annotated[float, Meta(ge=0.01, le=10_000)]
Offset: TypeAlias = Annotated[float, Meta(ge=-10_000, le=10_000)]
Ordinal: TypeAlias = Annotated[int, Meta(ge=1, le=1000)]
Certainty: TypeAlias = Literal[
    "stated", "derived", "assumed", "invented", "sample", "chosen", "unknown"
]
Pair: TypeAlias = tuple[Offset, Offset]
Size: TypeAlias = tuple[Length, Length]


def _guess(value: Any) -> Any:
    """What a value without a declared type means: YAML's true, false, numbers; else a text."""
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


Spelled: TypeAlias = Annotated[str, Short(_joined, TEXTS)]
"""A field's value as a table's cell has it; a list may stand for words joined by ``/``."""


class NameShape(Shape):
    """A name in Japanese and English."""

    ja: Annotated[Word, Meta(description="in Japanese")]
    en: Annotated[str, Meta(description="in English")] = ""


class TextShape(Shape):
    """A text in Japanese and English, which may be empty."""

    ja: Annotated[str, Meta(description="in Japanese")] = ""
    en: Annotated[str, Meta(description="in English")] = ""


def _in_japanese(value: Any) -> Any:
    return {"ja": value} if isinstance(value, str) else value


Naming: TypeAlias = Annotated[NameShape, Short(_in_japanese, TEXT)]
Text: TypeAlias = Annotated[TextShape, Short(_in_japanese, TEXT)]
