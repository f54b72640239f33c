"""JSON Schemas of the files of a game folder, made from their shapes."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from msgspec import Struct

from exporter.model import FaceStyle, Game, Head, WrittenStyle
from exporter.printing.jobs import SheetJob, Stationery
from exporter.rules import book
from exporter.schema.annotations import fields_of, files_of, form_of
from exporter.schema.forms import (
    UNLIMITED,
    ChoiceForm,
    Completed,
    Either,
    Fields,
    Form,
    ListForm,
    MapForm,
    NumberForm,
    RowForm,
    TextForm,
    Truth,
)
from exporter.schema.shape import TEXT, Shape
from exporter.schema.values import values_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_COMMENT = "# yaml-language-server: $schema="


def _files() -> Iterator[tuple[str, str, Any]]:
    yield "game", "game.yaml", Head
    for name, file in files_of(Game).items():
        yield name if get_args(file.holds) else file.sort, file.pattern, file.holds
    yield "rules", "rules.yaml", book.RulesFile
    yield "regulation", "regulations/*.yaml", book.Regulation
    yield "cases", "cases/*.yaml", list[book.Case]
    yield "sheet", "sheets/*.yaml", SheetJob
    yield "papers", "templates/sheets/papers.yaml", Stationery
    yield "build", "a player's builds", book.WrittenSubmission


FILES: Mapping[str, tuple[str, Any]] = {name: (file, holds) for name, file, holds in _files()}
"""Each kind of file by the name of its schema: where such files lie, and what they hold."""

_RULES = (book.WrittenRule,)
"""Records that are read one by one."""


def records() -> dict[str, type[Struct]]:
    """Every record that a file may hold, by its name."""
    found: dict[str, type[Struct]] = {}
    for annotation in (*(held for _, held in FILES.values()), *_RULES):
        _gather(form_of(annotation), found)
    return found


def _gather(form: Form, found: dict[str, type[Struct]]) -> None:
    match form:
        case Fields() if form.shape.__name__ not in found:
            found[form.shape.__name__] = form.shape
            for key in form.keys.values():
                _gather(key.form, found)
        case ListForm():
            _gather(form.each, found)
        case RowForm():
            for each in form.each:
                _gather(each, found)
        case MapForm():
            _gather(form.values, found)
        case Either():
            for each in form.forms:
                _gather(each, found)
        case Completed():
            _gather(form.form, found)


def kind_of(relative: str) -> str:
    """The schema for a file by its path in a game's folder, or nothing."""
    folder, slash, _ = relative.rpartition("/")
    place = f"{folder}/*.yaml" if slash else relative
    return next((key for key, (file, _) in FILES.items() if file == place), "")


def comment(schemas: str, kind: str) -> str:
    """The first line by which editors know what a file may hold; ``schemas`` is a folder."""
    return f"{_COMMENT}{schemas}/{kind}.json"


def with_comment(relative: str, text: str) -> str:
    """A file's text under its comment, by its path in a game's folder beside ``schemas``."""
    line, _, rest = text.partition("\n")
    up = "../" * (relative.count("/") + 1)
    body = rest if line.startswith(_COMMENT) else text
    return f"{comment(f'{up}schemas', kind_of(relative))}\n{body}"


def _json(form: Form, shapes: dict[str, Any]) -> dict[str, Any]:
    """A form as JSON Schema; each shape in it is defined once, in ``shapes``."""
    match form:
        case ListForm():
            lengths = {"minItems": form.least or None, "maxItems": form.most}
            return {"type": "array", "items": _json(form.each, shapes), **_given(lengths)}
        case RowForm():
            entries = [_json(each, shapes) for each in form.each]
            length = {"minItems": len(entries), "maxItems": len(entries)}
            return {"type": "array", "prefixItems": entries, **length}
        case MapForm():
            values = _json(form.values, shapes)
            names = _json(form.keys, shapes)
            free = {"propertyNames": names} if "type" not in names or "pattern" in names else {}
            return {"type": "object", "additionalProperties": values, **free}
        case Either():
            return {"anyOf": [_json(each, shapes) for each in form.forms]}
        case Completed():
            full = _json(form.form, shapes)
            short = form.short.json_schema
            return {"anyOf": [short, full]} if short else full
        case Fields():
            return _reference(form, shapes)
    return _plain(form)


def _plain(form: Form) -> dict[str, Any]:
    """A form that holds no others."""
    match form:
        case TextForm(pattern=re.Pattern(pattern=pattern)):
            return {"type": "string", "pattern": pattern}
        case TextForm():
            lengths = {"minLength": form.least or None, "maxLength": form.most}
            return {**TEXT, **_given(lengths)}
        case NumberForm():
            limits = {"minimum": form.least, "maximum": form.most}
            return {"type": "integer" if form.whole else "number", **limits}
        case Truth():
            return {"type": "boolean"}
        case ChoiceForm():
            return {"enum": list(form.words)}
    return {}


def _given(limits: Mapping[str, Any]) -> dict[str, Any]:
    return {name: limit for name, limit in limits.items() if limit not in (None, UNLIMITED)}


def _reference(form: Fields, shapes: dict[str, Any]) -> dict[str, Any]:
    name = form.shape.__name__
    if name not in shapes:
        shapes[name] = {}  # known before its keys are, which may hold it again
        shapes[name] = _object(form, shapes)
    return {"$ref": f"#/$defs/{name}"}


def _object(form: Fields, shapes: dict[str, Any]) -> dict[str, Any]:
    """The keys of a shape."""
    keys = {}
    for name, key in form.keys.items():
        said = {"description": key.description} if key.description else {}
        shown = {"examples": list(key.examples)} if key.examples else {}
        keys[name] = {**said, **shown, **_json(key.form, shapes)}
    needed = [name for name, key in form.keys.items() if key.is_required]
    return {
        "type": "object",
        "description": inspect.getdoc(form.shape),
        "properties": keys,
        "required": needed,
        "additionalProperties": False,
    }


def _rules(shapes: dict[str, Any], known: Mapping[str, type[Shape]]) -> dict[str, Any]:
    """A rule of rules.yaml, whose parameters have the shape of its kind."""
    rule = _object(fields_of(book.WrittenRule), shapes)
    kinds = []
    for kind, shape in known.items():
        shapes[f"parameters of {kind}"] = _object(fields_of(shape), shapes)
        then = {"parameters": {"$ref": f"#/$defs/parameters of {kind}"}}
        condition = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
        kinds.append({"if": condition, "then": {"properties": then}})
    rule["properties"]["kind"]["enum"] = ["", *known]
    shapes["WrittenRule"] = {**rule, "allOf": kinds}
    return {"$ref": "#/$defs/WrittenRule"}


def _styles(shapes: dict[str, Any], plain: Mapping[str, FaceStyle]) -> dict[str, Any]:
    """A face style of game.yaml, whose values are those that a plain template takes."""
    style = _object(fields_of(WrittenStyle), shapes)
    likes: dict[str, list[str]] = {}
    for key, found in plain.items():
        likes.setdefault(found.template, []).append(key)
        if found.declaration is not None and likes[found.template] == [key]:
            shapes[f"values of {key}"] = values_schema(found.declaration.takes)
    kinds = []
    for template, keys in likes.items():
        like = {"properties": {"like": {"enum": keys}}, "required": ["like"]}
        own = {"properties": {"template": {"const": template}}, "required": ["template"]}
        other = {"properties": {"template": {"const": template}}}
        condition = {"anyOf": [own, {**like, "allOf": [other]}]}
        then = {"properties": {"values": {"$ref": f"#/$defs/values of {keys[0]}"}}}
        kinds.append({"if": condition, "then": then})
    shapes["WrittenStyle"] = {**style, "allOf": kinds}
    return {"$ref": "#/$defs/WrittenStyle"}


def schema_of(
    name: str, plain: Mapping[str, FaceStyle], kinds: Mapping[str, type[Shape]]
) -> dict[str, Any]:
    """The JSON Schema of a kind of file; ``plain`` are the plain styles, with what they take,
    ``kinds`` the kinds of rules."""
    file, annotation = FILES[name]
    shapes: dict[str, Any] = {}
    form = form_of(annotation)
    made = _object(form, shapes) if isinstance(form, Fields) else _json(form, shapes)
    if name == "rules":
        made["properties"]["rules"]["items"] = _rules(shapes, kinds)
    if name == "game":
        made["properties"]["faces"]["additionalProperties"] = _styles(shapes, plain)
    defined = {"$defs": dict(sorted(shapes.items()))} if shapes else {}
    return {"$schema": DIALECT, "title": file, **made, **defined}


def schema_files(
    plain: Mapping[str, FaceStyle], kinds: Mapping[str, type[Shape]]
) -> dict[str, str]:
    """Every schema as a file."""
    return {
        f"{name}.json": json.dumps(schema_of(name, plain, kinds), ensure_ascii=False, indent=1)
        + "\n"
        for name in FILES
    }
