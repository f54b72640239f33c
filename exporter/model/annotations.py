"""The annotations of records as forms, each record once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from threading import RLock
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Meta, Struct, structs

from exporter.core.messages import asks
from exporter.model.forms import (
    UNLIMITED,
    Anything,
    ChoiceForm,
    Completed,
    Either,
    Fields,
    Form,
    Key,
    ListForm,
    MapForm,
    NumberForm,
    RowForm,
    TextForm,
    Truth,
)
from exporter.model.shape import (
    Doc,
    File,
    Inner,
    Ref,
    Short,
)

_FIELDS: dict[type[Struct], Fields] = {}
_MAKING = RLock()


def fields_of(shape: type[Struct]) -> Fields:
    """The form of a record, which may hold others of itself."""
    with _MAKING:
        if shape not in _FIELDS:
            keys: dict[str, Key] = {}
            each = [(field, _metas(field.type)) for field in structs.fields(shape)]
            inner = [(f, meta) for f, metas in each for meta in metas if isinstance(meta, Inner)]
            own_key = "".join(field.name for field, meta in inner if meta.own_key)
            _FIELDS[shape] = Fields(shape, keys, own_key)
            kept = {field.name for field, _meta in inner}
            keys |= {f.encode_name: _key(f, metas) for f, metas in each if f.name not in kept}
        return _FIELDS[shape]


def files_of(game: type[Struct]) -> dict[str, File]:
    """The files of what a game holds, by its fields."""
    each = ((field.name, _metas(field.type)) for field in structs.fields(game))
    return {name: meta for name, metas in each for meta in metas if isinstance(meta, File)}


def _key(field: structs.FieldInfo, metas: Iterable[Any]) -> Key:
    doc, example = Doc(""), None
    for meta in metas:
        if isinstance(meta, Meta) and meta.examples:
            example = meta.examples[0]
        elif isinstance(meta, Doc):
            doc, example = meta, example if meta.example is None else meta.example
    return Key(form_of(field.type), field.name, field.required, doc, example)


def _metas(annotation: Any) -> tuple[Any, ...]:
    return annotation.__metadata__ if get_origin(annotation) is Annotated else ()


def form_of(annotation: Any) -> Form:
    """The form that an annotation of a record asks for."""
    metas = _metas(annotation)
    bare = get_args(annotation)[0] if metas else annotation
    form = _bare_form(bare, metas)
    for meta in metas:
        if isinstance(meta, Short):
            form = Completed(meta, form)
    return form


def _bare_form(bare: Any, metas: Iterable[Any]) -> Form:
    limits = _limits(metas)
    if bare is str:
        return _text(limits, "".join(meta.sort for meta in metas if isinstance(meta, Ref)))
    if bare in (int, float):
        if not {"ge", "le"} <= limits.keys():
            raise TypeError("A number in a record has a least and a most: Meta(ge=…, le=…).")
        return NumberForm(bare is int, limits["ge"], limits["le"])
    if bare is bool:
        return Truth()
    if bare is Any:
        return Anything()
    if isinstance(bare, type) and issubclass(bare, Struct):
        return fields_of(bare)
    return _made_of(bare, _lengths(limits))


def _limits(metas: Iterable[Any]) -> dict[str, Any]:
    """All that msgspec's own annotations limit."""
    names = ("ge", "le", "min_length", "max_length", "pattern", "extra")
    found = (meta for meta in metas if isinstance(meta, Meta))
    said = ((name, getattr(meta, name)) for meta in found for name in names)
    return {name: limit for name, limit in said if limit is not None}


def _lengths(limits: Mapping[str, Any]) -> tuple[int, int]:
    return limits.get("min_length", 0), limits.get("max_length", UNLIMITED)


def _text(limits: Mapping[str, Any], names: str) -> TextForm:
    pattern = re.compile(limits["pattern"]) if "pattern" in limits else None
    allowed = asks(limits.get("extra", {}).get("allowed", "text"))
    return TextForm(*_lengths(limits), pattern, allowed, names)


def _made_of(bare: Any, lengths: tuple[int, int]) -> Form:
    """The form of a type that is made of others."""
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal:
        return ChoiceForm(inner)
    if origin is list or inner[1:] == (Ellipsis,):
        return ListForm(form_of(inner[0]), *lengths, list if origin is list else tuple)
    if origin is tuple:
        return RowForm(tuple(map(form_of, inner)))
    if origin in (dict, Mapping):
        return MapForm(form_of(inner[0]), form_of(inner[1]))
    if origin in (Union, UnionType):
        arms = tuple(form_of(arm) for arm in inner if arm is not NoneType)
        return arms[0] if len(arms) == 1 else Either(arms)
    raise TypeError(f"A record cannot hold {bare!r}.")
