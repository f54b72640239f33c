"""JSON Schemas of the files of a game folder, made from their shapes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, get_args

from exporter.core.messages import ENGLISH
from exporter.model import (
    Game,
    Head,
    rule_records,
)
from exporter.model.forms import (
    Fields,
    JsonSchema,
    fields_of,
    files_of,
    form_of,
)
from exporter.model.mech import WrittenSubmission
from exporter.model.print_jobs import (
    SheetJob,
    Stationery,
)
from exporter.model.shape import Shape

DIALECT = "https://json-schema.org/draft/2020-12/schema"

COMMENT = "# yaml-language-server: $schema="


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


# Each kind of file by the name of its schema: where such files lie, and what they hold.
FILES: Mapping[str, tuple[str, Any]] = {name: (file, holds) for name, file, holds in _files()}


def comment(schemas: str, kind: str) -> str:
    """Return the first line by which editors know what a file may hold; ``schemas`` is a folder."""
    return f"{COMMENT}{schemas}/{kind}.json"


def schema_of(name: str, kinds: Mapping[str, type[Shape]]) -> JsonSchema:
    """Return the JSON Schema of a kind of file, whose descriptions are in both languages; ``kinds``
    are the kinds of rules, of which each has parameters of its own."""
    file, annotation = FILES[name]
    shapes: JsonSchema = {}
    form = form_of(annotation)
    made = form.whole_schema(shapes) if isinstance(form, Fields) else form.schema(shapes)
    if name == "rules":
        rule = fields_of(rule_records.WrittenRule).whole_schema(shapes)
        rule["properties"]["kind"]["enum"] = ["", *kinds]
        rule["allOf"] = [
            _parameters(kind, fields_of(shape), shapes) for kind, shape in kinds.items()
        ]
        made["properties"]["rules"]["items"] = rule
    defined = {"$defs": dict(sorted(shapes.items()))} if shapes else {}
    return {"$schema": DIALECT, "title": file, **made, **defined}


def _parameters(kind: str, form: Fields, shapes: JsonSchema) -> JsonSchema:
    """Demand that a rule of a kind has the parameters of that kind."""
    # A pattern, not ``const``: editors would take the beginning of a word for the word.
    is_kind = {"properties": {"kind": {"pattern": f"^{kind}$"}}, "required": ["kind"]}
    then = {"properties": {"parameters": form.whole_schema(shapes)}}
    return {"if": is_kind, "then": then}


def schema_files(kinds: Mapping[str, type[Shape]], language: str = ENGLISH) -> dict[str, str]:
    """Return every schema as a file, with what keys are for in a language."""
    written = partial(
        json.dumps, ensure_ascii=False, indent=1, default=lambda text: text.in_language(language)
    )
    return {f"{name}.json": written(schema_of(name, kinds)) + "\n" for name in FILES}
