"""What the values of a shape name: figures, cards, fields of the game, as their annotations say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from msgspec import Struct, structs

from exporter.schema.forms import Path
from exporter.schema.shape import Shape


class Ref(Struct, frozen=True):
    """In an annotation: this text is the id or name of a ``sort`` of thing."""

    sort: str


class Named(NamedTuple):
    """A thing that is named at ``path``, be it by a value or by a key."""

    sort: str
    name: str
    path: Path
    is_key: bool = False


def references(shape: Shape) -> Iterator[Named]:
    """Everything that a shape names, by the annotations of its fields."""
    for name, annotation in _annotations(type(shape)):
        yield from _named(annotation, getattr(shape, name), (name,))


@cache
def _annotations(shape: type[Shape]) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.type) for field in structs.fields(shape))


def _named(annotation: Any, value: Any, path: Path) -> Iterator[Named]:
    if get_origin(annotation) is Annotated:
        bare, *metas = get_args(annotation)
        for meta in metas:
            if isinstance(meta, Ref) and isinstance(value, str):
                yield Named(meta.sort, value, path)
        yield from _named(bare, value, path)
    elif get_origin(annotation) in (Union, UnionType):
        for arm in get_args(annotation):
            yield from _named(arm, value, path)
    elif isinstance(value, list | tuple) and (inside := get_args(annotation)):
        for index, inner in enumerate(value):
            yield from _named(inside[0], inner, (*path, index))
    elif isinstance(value, dict) and (inside := get_args(annotation)):
        for key, inner in value.items():
            for named in _named(inside[0], key, (*path, key)):
                yield named._replace(is_key=True)
            yield from _named(inside[1], inner, (*path, key))
    elif isinstance(value, Shape):
        yield from (one._replace(path=(*path, *one.path)) for one in references(value))
