"""JSON Schemas of the files of a game folder, made from their shapes."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from msgspec import Struct

from exporter.core.messages import ENGLISH
from exporter.model import (
    Game,
    Head,
    rule_records,
    schema_choices,
)
from exporter.model.annotations import (
    fields_of,
    files_of,
    form_of,
)
from exporter.model.forms import (
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
from exporter.model.player_builds import WrittenSubmission
from exporter.model.print_jobs import (
    SheetJob,
    Stationery,
)
from exporter.model.schema_choices import (
    Known,
    Made,
)
from exporter.model.shape import (
    TEXT,
    Shape,
    told_in_both,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_COMMENT = "# yaml-language-server: $schema="


def _files() -> Iterator[tuple[str, str, Any]]:
    yield "game", "game.yaml", Head
    for name, file in files_of(Game).items():
        yield name if get_args(file.holds) else file.sort, file.pattern, file.holds
    yield "rules", "rules.yaml", rule_records.RulesFile
    yield "regulation", "regulations/*.yaml", rule_records.Regulation
    yield "cases", "cases/*.yaml", list[rule_records.Case]
    yield "sheet", "sheets/*.yaml", SheetJob
    yield "papers", "templates/sheets/papers.yaml", Stationery
    yield "build", "a player's builds", WrittenSubmission


FILES: Mapping[str, tuple[str, Any]] = {name: (file, holds) for name, file, holds in _files()}
"""Each kind of file by the name of its schema: where such files lie, and what they hold."""

_RULES = (rule_records.WrittenRule,)
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


class _Writer(Struct):
    """Writes forms as JSON Schema; each shape in them is defined once, in ``shapes``."""

    known: Known
    shapes: Made = {}

    def made(self, form: Form) -> Made:
        match form:
            case ListForm():
                lengths = {"minItems": form.least or None, "maxItems": form.most}
                return {"type": "array", "items": self.made(form.each), **_given(lengths)}
            case RowForm():
                entries = [self.made(each) for each in form.each]
                length = {"minItems": len(entries), "maxItems": len(entries)}
                return {"type": "array", "prefixItems": entries, **length}
            case MapForm():
                values, names = self.made(form.values), self.made(form.keys)
                free = {"propertyNames": names} if {"pattern", "enum"} & names.keys() else {}
                return {"type": "object", "additionalProperties": values, **free}
            case Either():
                return {"anyOf": [self.made(each) for each in form.forms]}
            case Completed():
                full = self.made(form.form)
                short = form.short.json_schema
                return {"anyOf": [short, full]} if short else full
            case Fields():
                return self._reference(form)
            case TextForm() if form.names in self.known.names:
                return {**_plain(form), "examples": list(self.known.names[form.names])}
        return _plain(form)

    def _reference(self, form: Fields) -> Made:
        name = form.shape.__name__
        if name not in self.shapes:
            self.shapes[name] = {}  # known before its keys are, which may hold it again
            self.shapes[name] = self.object(form)
        return {"$ref": f"#/$defs/{name}"}

    def object(self, form: Fields) -> Made:
        """The keys of a shape."""
        keys = {}
        for name, key in form.keys.items():
            said = {"description": key.doc} if key.doc.en else {}
            shown = {} if key.shown is None else {"examples": [key.shown]}
            keys[name] = {**said, **shown, **self.made(key.form)}
        needed = [name for name, key in form.keys.items() if key.is_required]
        return {
            "type": "object",
            "description": told_in_both(inspect.getdoc(form.shape) or ""),
            "properties": keys,
            "required": needed,
            "additionalProperties": False,
        }


def _plain(form: Form) -> Made:
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


def _given(limits: Mapping[str, Any]) -> Made:
    return {name: limit for name, limit in limits.items() if limit not in (None, UNLIMITED)}


def schema_of(name: str, known: Known, kinds: Mapping[str, type[Shape]]) -> Made:
    """The JSON Schema of a kind of file, whose descriptions are in both languages; ``kinds`` are
    the kinds of rules."""
    file, annotation = FILES[name]
    writer = _Writer(known)
    shapes, form = writer.shapes, form_of(annotation)
    made = writer.object(form) if isinstance(form, Fields) else writer.made(form)
    if name == "rules":
        parameters = {kind: writer.object(fields_of(shape)) for kind, shape in kinds.items()}
        rule = writer.object(fields_of(rule_records.WrittenRule))
        made["properties"]["rules"]["items"] = schema_choices.rule(rule, shapes, parameters)
    if name == "game":
        style = shapes["WrittenStyle"]
        style["properties"]["like"]["examples"] = list(known.styles)
        made["properties"]["faces"] |= schema_choices.styles(style, shapes, known)
    if name == "layouts":
        schema_choices.items(shapes["Item"], shapes, known)
    defined = {"$defs": dict(sorted(shapes.items()))} if shapes else {}
    return {"$schema": DIALECT, "title": file, **made, **defined}


def schema_files(
    known: Known, kinds: Mapping[str, type[Shape]], language: str = ENGLISH
) -> dict[str, str]:
    """Every schema as a file, with what keys are for in a language."""
    found = {}
    for name in FILES:
        made = schema_of(name, known, kinds)
        written = json.dumps(
            made, ensure_ascii=False, indent=1, default=lambda said: said.in_language(language)
        )
        found[f"{name}.json"] = written + "\n"
    return found
