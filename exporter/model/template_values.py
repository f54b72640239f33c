"""Values held against what a template says it takes, and the same as JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from exporter.core.messages import (
    ENGLISH,
    Joined,
    Sentence,
    asks,
    sentence,
)
from exporter.core.problems import some
from exporter.model import (
    Side,
    Take,
)
from exporter.model.document_places import Path
from exporter.model.fields import MOST
from exporter.model.forms import (
    Findings,
    FormFault,
    NumberForm,
    Truth,
)
from exporter.model.shape import TEXT

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_BARE_COLOUR = re.compile(r"(?=.*[0-9])[0-9a-fA-F]{6}")


class Reader(Struct):
    """Reads values as their template takes them, and notes what is wrong in ``faults``.

    ``within`` is the width and depth that areas lie in. With ``filling`` a text that is still to be
    filled, with ``${…}``, may stand for anything.
    """

    within: tuple[float, float] | None = None
    filling: bool = False
    faults: list[FormFault] = field(default_factory=list)

    def read(
        self, takes: Mapping[str, Take], values: Mapping[str, Any], path: Path = ()
    ) -> dict[str, Any]:
        """The values by name; those that the template does not take are left out."""
        read: dict[str, Any] = {}
        for name, value in values.items():
            take = takes.get(name)
            if take is None or take.sort == "given":
                known = tuple(name for name, take in takes.items() if take.sort != "given")
                self.faults.append(FormFault(path=(*path, name), sort="unknown", words=known))
            else:
                read[name] = self.value(take, value, (*path, name))
        return read

    def value(self, take: Take, value: Any, path: Path) -> Any:
        """One value at ``path`` below what is read."""
        if self.filling and isinstance(value, str) and "${" in value and take.sort in _SIMPLE:
            return str(value)
        match take.sort:
            case "number" | "measure":
                form = NumberForm(take.sort == "number", *_limits(take))
                return form.read(value, path, Findings(faults=self.faults))
            case "flag":
                return Truth().read(value, path, Findings(faults=self.faults))
            case "words":
                is_one = isinstance(value, str) and (value in take.words or not value)
                return str(value) if is_one else self._refuse(take, value, path)
            case "given":
                return value
            case "keys" | "list" | "map" | "row":
                return self._within(take, value, path)
        special = {"colour": self._colour, "area": self._area}
        return special.get(take.sort, self._text)(take, value, path)

    def _refuse(self, take: Take, value: Any, path: Path, allowed: Sentence | None = None) -> Any:
        is_remark = value is None and take.sort == "colour"
        example = sentence("example", "quoted-colour", name=path[-1]) if is_remark else ""
        words = take.words if isinstance(value, str) and take.sort == "words" else ()
        self.faults.append(
            FormFault(
                path=path,
                found=value,
                allowed=allowed or allowed_of(take),
                words=words,
                example=example,
            )
        )
        return value

    def _text(self, take: Take, value: Any, path: Path) -> Any:
        if value is None or isinstance(value, dict | list | tuple):
            return self._refuse(take, value, path)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        most = take.most
        if most is not None and len(text) > most:
            return self._refuse(take, text, path, asks("most-characters", most=int(most)))
        return text

    def _colour(self, take: Take, value: Any, path: Path) -> Any:
        if not isinstance(value, str):
            return self._refuse(take, value, path)
        text = str(value)
        if _COLOUR.fullmatch(text) or not text or (take.words and text in take.words):
            return text
        if take.words or text.startswith("#") or _BARE_COLOUR.fullmatch(text):
            return self._refuse(take, text, path)
        return text

    def _within(self, take: Take, value: Any, path: Path) -> Any:
        if take.sort == "keys":
            if take.short and not isinstance(value, dict) and value is not None:
                return {take.short: self.value(take.keys[take.short], value, path)}
            if isinstance(value, dict):
                return self.read(take.keys, value, path)
            return self._refuse(take, value, path)
        if take.sort == "row":
            least = len(take.row) if take.least is None else take.least
            if not isinstance(value, list | tuple) or not least <= len(value) <= len(take.row):
                return self._refuse(take, value, path)
            pairs = enumerate(zip(take.row, value, strict=False))
            return [self.value(each, inner, (*path, at)) for at, (each, inner) in pairs]
        sort = dict if take.sort == "map" else list | tuple
        if not isinstance(value, sort) or take.each is None:
            return self._refuse(take, value, path)
        least, most = take.least or 0, take.most if take.most is not None else MOST
        if not least <= len(value) <= most:
            key = "at-least-entries" if len(value) < least else "at-most-entries"
            return self._refuse(take, value, path, asks(key, least=least, most=most))
        if isinstance(value, dict):
            return {key: self.value(take.each, each, (*path, key)) for key, each in value.items()}
        return [self.value(take.each, each, (*path, at)) for at, each in enumerate(value)]

    def _area(self, take: Take, value: Any, path: Path) -> Any:
        if not isinstance(value, list | tuple) or len(value) != 4:
            return self._refuse(take, value, path)
        before = len(self.faults)
        measure = Take(type="measure", least=0, most=10_000)
        lengths = [self.value(measure, each, (*path, at)) for at, each in enumerate(value)]
        if len(self.faults) > before or any(isinstance(each, str) for each in lengths):
            return lengths
        x, y, width, height = lengths
        found = f"[{', '.join(f'{each:g}' for each in lengths)}]"
        if not (width and height):
            return self._refuse(take, found, path, asks("real-area"))
        if self.within is not None:
            wide, deep = self.within
            if x + width > wide + _SLACK or y + height > deep + _SLACK:
                inside = asks("area-within", wide=wide, deep=deep)
                return self._refuse(take, found, path, inside)
        return lengths


_SLACK = 0.001
_SIMPLE = ("number", "measure", "flag", "colour", "words", "area")


def _limits(take: Take) -> tuple[float, float]:
    least = -MOST if take.least is None else take.least
    return least, MOST if take.most is None else take.most


_ALLOWED = {
    "text": "text",
    "slot": "slot",
    "field": "field",
    "cards": "front-list",
    "flag": "truth",
    "area": "area",
    "given": "given",
}


def allowed_of(take: Take) -> Sentence:
    """What may stand there, for a message and for the docs."""
    least, most = _limits(take)
    match take.sort:
        case "number" | "measure":
            if (take.least, take.most) == (None, None):
                return asks("whole-number" if take.sort == "number" else "measure")
            key = "whole-number-between" if take.sort == "number" else "number-between"
            return asks(key, least=least, most=most)
        case "colour":
            words = ", ".join(word for word in take.words if word)
            key = "colour-or" if words else "colour-alone" if take.words else "colour"
            return asks(key, words=words)
        case "words":
            return asks("words", words=some(take.words))
        case "keys":
            return asks("these-keys", words=", ".join(take.keys))
        case "list":
            return asks("some-list" if take.most is None else "most-list", most=take.most or 0)
        case "map":
            return asks("some-keys" if take.most is None else "most-keys", most=take.most or 0)
        case "row":
            return asks("list-of", each=Joined(tuple(map(allowed_of, take.row)), ", "))
    return asks(_ALLOWED[take.sort])


def named_fields(
    takes: Mapping[str, Take], values: Mapping[str, Any], side: Side = ""
) -> Iterator[tuple[Path, Take, str]]:
    """Each place that shows a field, with the word there: of a slot the field, or itself."""
    for name, take in takes.items():
        if not (take.side and side and take.side != side):
            yield from _named(take, values.get(name), (name,), side)


def _named(take: Take, value: Any, path: Path, side: Side) -> Iterator[tuple[Path, Take, str]]:
    if take.sort in ("slot", "field", "cards"):
        word = value if isinstance(value, str) and value else take.shows
        if word:
            yield path, take, word
    elif take.sort == "keys":
        inner = value if isinstance(value, Mapping) else {}
        for found, each, word in named_fields(take.keys, inner, side):
            yield (*path, *found), each, word
    elif isinstance(value, list | tuple):
        entries = take.row if take.each is None else (take.each,) * len(value)
        for at, (within, inner) in enumerate(zip(entries, value, strict=False)):
            yield from _named(within, inner, (*path, at), side)
    elif isinstance(value, Mapping) and take.each is not None:
        for key, inner in value.items():
            yield from _named(take.each, inner, (*path, key), side)


def values_schema(takes: Mapping[str, Take], *, filled: bool = False) -> dict[str, Any]:
    """Values that a template takes, as JSON Schema; ``filled`` are those with ``${…}``."""
    known = {name: take for name, take in takes.items() if take.sort != "given"}
    return {
        "type": "object",
        "properties": {name: take_schema(take, filled=filled) for name, take in known.items()},
        "additionalProperties": False,
    }


def take_schema(take: Take, *, filled: bool = False) -> dict[str, Any]:
    """One value as JSON Schema."""
    said = {"description": take.says} if take.says.in_language(ENGLISH) else {}
    made = _schema(take, filled=filled)
    if filled and take.sort in _SIMPLE:
        made = {"anyOf": [made, {"type": "string", "pattern": "\\$\\{"}]}
    return {**said, **made}


def _schema(take: Take, *, filled: bool) -> dict[str, Any]:
    match take.sort:
        case "number" | "measure":
            least, greatest = _limits(take)
            whole = {"type": "integer", "minimum": int(least), "maximum": int(greatest)}
            any_number = {"type": "number", "minimum": least, "maximum": greatest}
            return whole if take.sort == "number" else any_number
        case "flag":
            return {"type": "boolean"}
        case "colour":
            colour = {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}
            other = {"enum": list(take.words)} if take.words else {"pattern": _NO_COLOUR}
            return {"anyOf": [colour, {"type": "string", **other}, _EMPTY]}
        case "words":
            return {"anyOf": [{"enum": list(take.words)}, _EMPTY]}
        case "keys":
            full = values_schema(take.keys, filled=filled)
            short = take.keys.get(take.short)
            return {"anyOf": [_schema(short, filled=filled), full]} if short else full
        case "list" | "map" if take.each is not None:
            each = take_schema(take.each, filled=filled)
            fewest, most = int(take.least or 0), int(_limits(take)[1])
            entries = {"type": "array", "items": each, "minItems": fewest, "maxItems": most}
            limits = {"minProperties": fewest, "maxProperties": most}
            free = {"type": "object", "additionalProperties": each, **limits}
            return entries if take.sort == "list" else free
        case "row":
            row = [take_schema(each, filled=filled) for each in take.row]
            fewest = len(row) if take.least is None else int(take.least)
            length = {"minItems": fewest, "maxItems": len(row)}
            return {"type": "array", "prefixItems": row, **length}
        case "area":
            length = {"minItems": 4, "maxItems": 4}
            return {"type": "array", "items": {"type": "number", "minimum": 0}, **length}
    return TEXT if take.most is None else {**TEXT, "maxLength": int(take.most)}


_EMPTY = {"type": "string", "maxLength": 0}
"""No value, which editors do not offer."""
_NO_COLOUR = "^(?!#)(?!(?=.*[0-9])[0-9a-fA-F]{6}$)"
