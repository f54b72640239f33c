"""A document's values held against the shape they should have; pydantic's findings in plain words.

A faulty value is reported and then replaced by an empty stand-in, so that reading can go on and
find what is wrong elsewhere. Stand-ins name nothing, so that they never echo.
"""

from __future__ import annotations

import difflib
import types
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar, Union, get_args, get_origin

from msgspec import Struct
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from exporter.problems import Problem, Where, nearest
from exporter.source import checks
from exporter.source.documents import place

S = TypeVar("S", bound=BaseModel)
Path = tuple[int | str, ...]

UNREADABLE = "0-unreadable"
"""Stands for a text that could not be read; nobody is blamed for naming it."""

MAX_FAULTS = 100
"""Faults of one document that are told one by one."""

_ROUNDS = 12
_ALLOWED = {
    "int": "a whole number, such as 3",
    "float": "a number, such as 2.5",
    "finite": "a number, such as 2.5",
    "bool": "true or false",
    "string": "a text",
    "list": "a list, such as [a, b]",
    "tuple": "a list, such as [1, 2]",
    "dict": "keys with values, such as {a: b}",
    "model": "keys with values, such as {a: b}",
    "mapping": "keys with values, such as {a: b}",
}


class Shaped(Struct, Generic[S], frozen=True):
    """A document in its shape, with the value it was made of, which still knows all places.

    ``repaired`` are the paths that hold stand-ins.
    """

    shape: S
    value: Any
    where: Where
    repaired: frozenset[Path] = frozenset()

    def at(self, *path: int | str, key: bool = False) -> Where:
        """Where the value at ``path`` stands, or its key."""
        return place(self.value, path, self.where, key=key)

    def is_sound(self, *path: int | str) -> bool:
        """Whether nothing at, above or below ``path`` had to be repaired."""
        return not any(
            done[: len(path)] == path or path[: len(done)] == done for done in self.repaired
        )


def shaped(shape: type[S], value: Any, where: Where) -> tuple[Shaped[S] | None, list[Problem]]:
    """``value`` in its shape and all that is wrong with it; nothing where it cannot be mended."""
    problems: list[Problem] = []
    repaired: set[Path] = set()
    current = value
    for _round in range(_ROUNDS):
        try:
            model = shape.model_validate(current)
        except ValidationError as error:
            found = error.errors(include_url=False)
        else:
            return Shaped(model, value, where, frozenset(repaired)), problems
        if len(found) > MAX_FAULTS:
            message = f"There are {len(found)} faults here; the first {MAX_FAULTS} are shown."
            problems.append(Problem(where, checks.VALUE, message, "Correct these first."))
            found = found[:MAX_FAULTS]
            problems += [_problem(fault, shape, value, where) for fault in found]
            return None, problems
        paths = [_path(fault) for fault in found]
        meant = {_meant(fault, path, shape) for fault, path in zip(found, paths, strict=True)}
        repaired |= meant - {()}
        problems += [
            _problem(fault, shape, value, where)
            for fault, path in zip(found, paths, strict=True)
            if not any(path[: len(done)] == done for done in repaired)
        ]
        repaired.update(paths)
        current = _repair(current, found, shape)
    return None, problems


def _path(error: Any) -> Path:
    return tuple(step for step in error["loc"] if step != "[key]")


def _meant(fault: Any, path: Path, shape: Any) -> Path:
    """The path that somebody will have meant with an unknown key, or nothing."""
    if fault["type"] != "extra_forbidden":
        return ()
    keys = _type_at(shape, path[:-1]).model_fields
    close = difflib.get_close_matches(str(path[-1]), keys, n=1, cutoff=0.5)
    return (*path[:-1], *close) if close else ()


def described(value: Any) -> str:
    """What was found, short enough for a message."""
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return f"keys with values ({checks.listed(value, 4)})" if value else "{}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"a list of {len(value)}"
    return checks.quoted(str(value))


def _inner(annotation: Any) -> Any:
    """A type without what is annotated to it, and without ``| None``."""
    while True:
        origin = get_origin(annotation)
        if origin is Annotated:
            annotation = get_args(annotation)[0]
        elif origin in (Union, types.UnionType):
            annotation = next(arm for arm in get_args(annotation) if arm is not type(None))
        else:
            return annotation


def _step(annotation: Any, key: int | str) -> Any:
    """The type one step further down, or ``Any``."""
    annotation = _inner(annotation)
    arguments = get_args(annotation)
    match get_origin(annotation):
        case None if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            found = annotation.model_fields.get(str(key))
            return found.annotation if found else Any
        case origin if origin is dict and arguments:
            return arguments[1]
        case origin if origin is list and arguments:
            return arguments[0]
        case origin if origin is tuple and isinstance(key, int) and key < len(arguments):
            return arguments[key]
    return Any


def _type_at(shape: Any, path: Path) -> Any:
    for key in path:
        shape = _step(shape, key)
    return _inner(shape)


def _field_at(shape: Any, path: Path) -> FieldInfo | None:
    owner = _type_at(shape, path[:-1]) if path else None
    if isinstance(owner, type) and issubclass(owner, BaseModel):
        return owner.model_fields.get(str(path[-1]))
    return None


def _stand_in(annotation: Any) -> Any:
    """An empty value of a type; a shape's own missing keys follow in the next round."""
    annotation = _inner(annotation)
    origin = get_origin(annotation) or annotation
    if origin is Literal:
        return get_args(annotation)[0]
    if origin is tuple:
        return [_stand_in(inner) for inner in get_args(annotation)]
    if origin is list:
        return []
    if origin is dict or (isinstance(origin, type) and issubclass(origin, BaseModel)):
        return {}
    return {int: "1", float: "1", bool: "false"}.get(origin, UNREADABLE)


def _allowed(error: Any) -> str:
    kind, context = str(error["type"]), error.get("ctx", {})
    limits = {
        "greater_than_equal": ("ge", "at least {}"),
        "less_than_equal": ("le", "at most {}"),
        "greater_than": ("gt", "more than {}"),
        "less_than": ("lt", "less than {}"),
        "string_too_short": ("min_length", "a text that is not empty"),
        "string_too_long": ("max_length", "at most {} characters"),
    }
    if kind in limits:
        key, text = limits[kind]
        limit = context[key]
        return text.format(int(limit) if limit == int(limit) else limit)
    if kind in ("too_long", "too_short"):
        least, most = context.get("min_length"), context.get("max_length")
        return f"at least {least} entries" if least else f"{most} entries"
    if kind == "string_pattern_mismatch":
        return "at most 64 of A–Z, a–z, 0–9, _ and -, the first a letter or digit"
    return _ALLOWED.get(kind.split("_", 1)[0], "")


def _problem(error: Any, shape: Any, value: Any, where: Where) -> Problem:
    path: Path = _path(error)
    kind, key = str(error["type"]), str(path[-1]) if path else ""
    if kind == "extra_forbidden":
        at = place(value, path, where, key=True)
        owner = _type_at(shape, path[:-1])
        hint = nearest(key, owner.model_fields)
        return Problem(at, checks.KEY, f"The key {described(key)} is unknown here.", hint)
    words = [index for index, step in enumerate(path) if isinstance(step, str)]
    named = path[: words[-1] + 1] if words else ()
    field = _field_at(shape, named)
    example = f" Example: {field.examples[0]}." if field and field.examples else ""
    if kind == "missing":
        at = place(value, path[:-1], where)
        if isinstance(path[-1], int):
            wanted = len(get_args(_type_at(shape, path[:-1])))
            found = len(error["input"])
            message = f"{named[-1] if named else 'This'}: found a list of {found}; "
            message += f"allowed: {wanted} entries."
            return Problem(at, checks.VALUE, message, example.strip())
        return Problem(at, checks.KEY, f"The key {key!r} is missing.", f"Add `{key}:`.{example}")
    is_key = "[key]" in error["loc"]
    at = place(value, path, where, key=is_key)
    subject = f"{named[-1]}: found" if named else "Found"
    found_text = described(error["input"])
    if kind == "literal_error":
        sort = _type_at(shape, path[:-1] if is_key else path)
        allowed_words = get_args(_inner(get_args(sort)[0]) if is_key else sort)
        message = f"{subject} {found_text}; allowed: {', '.join(allowed_words)}."
        return Problem(at, checks.VALUE, message, nearest(str(error["input"]), allowed_words))
    allowed = _allowed(error)
    expected = f"allowed: {allowed}." if allowed else f"{error['msg']}."
    hint = example.strip()
    if kind.startswith(("int", "float")) and isinstance(error["input"], str):
        hint = _half_width_hint(error["input"]) or hint
    return Problem(at, checks.VALUE, f"{subject} {found_text}; {expected}", hint)


def _half_width_hint(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).strip()
    return f"Write {plain} in half-width digits." if plain != text and plain.isascii() else ""


def _repair(value: Any, errors: Iterable[Any], shape: Any) -> Any:
    """A copy of ``value`` without its faulty places."""
    for error in errors:
        path: Path = _path(error)
        kind = str(error["type"])
        drop = kind == "extra_forbidden" or "[key]" in error["loc"]
        replacement = None if drop else _stand_in(_type_at(shape, path))
        if kind == "too_long":
            replacement = list(error["input"])[: error["ctx"]["max_length"]]
        elif kind == "too_short":
            replacement = [_stand_in(_step(_type_at(shape, path), 0))]
        value = _replaced(value, path, replacement, drop)
    return value


def _replaced(value: Any, path: Path, replacement: Any, drop: bool) -> Any:
    if not path:
        return replacement
    step, rest = path[0], path[1:]
    if isinstance(value, Mapping):
        copy = dict(value)
        if drop and not rest:
            copy.pop(str(step), None)
        else:
            copy[str(step)] = _replaced(copy.get(str(step)), rest, replacement, drop)
        return copy
    if isinstance(value, Sequence) and not isinstance(value, str) and isinstance(step, int):
        items = list(value) + [None] * (step + 1 - len(value))
        items[step] = _replaced(items[step], rest, replacement, drop)
        return items
    return replacement
