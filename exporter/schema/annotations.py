"""The annotations of shapes as forms, each shape once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Meta, structs

from exporter.schema.forms import (
    UNLIMITED,
    Anything,
    Choice,
    Completed,
    Either,
    Fields,
    Form,
    Items,
    Key,
    Number,
    Row,
    Table,
    Text,
    Truth,
)
from exporter.schema.shape import Shape, Short


@cache
def fields_of(shape: type[Shape]) -> Fields:
    """The form of a shape."""
    return Fields(shape, {field.name: _key(field) for field in structs.fields(shape)})


def _key(field: structs.FieldInfo) -> Key:
    metas = [meta for meta in _metas(field.type) if isinstance(meta, Meta)]
    said = [meta.description for meta in metas if meta.description]
    shown = [tuple(meta.examples) for meta in metas if meta.examples]
    return Key(form_of(field.type), field.required, "".join(said[-1:]), shown[-1] if shown else ())


def _metas(annotation: Any) -> tuple[Any, ...]:
    return annotation.__metadata__ if get_origin(annotation) is Annotated else ()


def form_of(annotation: Any) -> Form:
    """The form that an annotation of a shape asks for."""
    metas = _metas(annotation)
    bare = get_args(annotation)[0] if metas else annotation
    form = _bare_form(bare, [meta for meta in metas if isinstance(meta, Meta)])
    for meta in metas:
        if isinstance(meta, Short):
            form = Completed(meta, form)
    return form


def _bare_form(bare: Any, metas: Iterable[Meta]) -> Form:
    limits: dict[str, Any] = {}
    for meta in metas:
        for name in ("ge", "le", "min_length", "max_length", "pattern", "extra"):
            if (limit := getattr(meta, name)) is not None:
                limits[name] = limit
    origin, inner = get_origin(bare), get_args(bare)
    lengths = (limits.get("min_length", 0), limits.get("max_length", UNLIMITED))
    if bare is str:
        pattern = re.compile(limits["pattern"]) if "pattern" in limits else None
        return Text(*lengths, pattern, limits.get("extra", {}).get("allowed", "a text"))
    if bare in (int, float):
        if not {"ge", "le"} <= limits.keys():
            raise TypeError("A number in a shape has a least and a most: Meta(ge=…, le=…).")
        return Number(bare is int, limits["ge"], limits["le"])
    if bare is bool:
        return Truth()
    if bare is Any:
        return Anything()
    if origin is Literal:
        return Choice(inner)
    if origin is list:
        return Items(form_of(inner[0]), *lengths)
    if origin is tuple:
        return Row(tuple(map(form_of, inner)))
    if origin is dict:
        return Table(form_of(inner[0]), form_of(inner[1]))
    if origin in (Union, UnionType):
        arms = tuple(form_of(arm) for arm in inner if arm is not NoneType)
        return arms[0] if len(arms) == 1 else Either(arms)
    if isinstance(bare, type) and issubclass(bare, Shape):
        return fields_of(bare)
    raise TypeError(f"A shape cannot hold {bare!r}.")
