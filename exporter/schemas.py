"""JSON Schemas of the files of a game folder, made from their shapes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from exporter import schema as things
from exporter import schema_rooms as rooms
from exporter import schema_rules as rules
from exporter import schema_sheets as sheets

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_COMMENT = "# yaml-language-server: $schema="

FILES: Mapping[str, tuple[str, Any]] = {
    "game": ("game.yaml", things.GameShape),
    "sources": ("sources.yaml", dict[str, things.SourceShape]),
    "figures": ("figures.yaml", list[things.FigureShape]),
    "mech": ("mechs/*.yaml", things.MechShape),
    "board": ("boards/*.yaml", rooms.BoardShape),
    "layouts": ("layouts.yaml", dict[str, rooms.LayoutShape]),
    "room": ("rooms/*.yaml", rooms.RoomShape),
    "notes": ("notes/*.yaml", list[things.NoteShape]),
    "errata": ("errata.yaml", list[things.ErratumShape]),
    "rulings": ("rulings.yaml", list[things.RulingShape]),
    "rules": ("rules.yaml", rules.RulesShape),
    "regulation": ("regulations/*.yaml", rules.RegulationShape),
    "cases": ("cases/*.yaml", list[rules.CaseShape]),
    "sheet": ("sheets/*.yaml", sheets.SheetShape),
    "papers": ("templates/sheets/papers.yaml", sheets.StationeryShape),
    "build": ("a player's builds", rules.EntryShape),
}
"""Each kind of file by the name of its schema: where such files lie, and their shape."""


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


class _AsWritten(GenerateJsonSchema):
    """Shapes as people write them: what a shape makes of short forms is allowed too."""

    def function_before_schema(
        self, schema: core_schema.BeforeValidatorFunctionSchema
    ) -> JsonSchemaValue:
        """The full form, or any of the short ones that the function takes."""
        inner = super().function_before_schema(schema)
        name = getattr(schema["function"]["function"], "__name__", "")
        short = _SHORT.get(name)
        return {"anyOf": [short, inner]} if short else inner

    def function_wrap_schema(
        self, schema: core_schema.WrapValidatorFunctionSchema
    ) -> JsonSchemaValue:
        """A place may be the word ``start``."""
        return {"anyOf": [{"const": "start"}, super().function_wrap_schema(schema)]}

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """A text; numbers and truths are read as they are spelled, so they are texts too."""
        plain = super().str_schema(schema)
        if plain == {"type": "string"} or set(plain) <= {"type", "minLength", "maxLength"}:
            return {**plain, "type": ["string", "number", "boolean"]}
        return plain


_TEXT = {"type": ["string", "number", "boolean"]}
_TEXTS = {"type": "array", "items": _TEXT}
_NUMBERS = {"type": "array", "items": {"type": "number"}}
_SHORT: Mapping[str, Any] = {
    "_ja": _TEXT,
    "_named": _TEXT,
    "_own_deck": {"type": "boolean"},
    "_joined": _TEXTS,
    "_joined_two": {**_TEXTS, "minItems": 2, "maxItems": 2},
    "_sides": {"anyOf": [{"type": "number"}, _NUMBERS]},
    "_both": {"type": "number"},
}
"""What may stand for a shape, by the name of the function that completes it."""


def _rules(made: dict[str, Any]) -> None:
    """The rules of rules.yaml have the shape of their own, by kind."""
    rule = TypeAdapter(rules.RuleShape).json_schema(schema_generator=_AsWritten)
    definitions = made.setdefault("$defs", {})
    definitions |= rule.pop("$defs", {})
    kinds = []
    for kind, shape in rules.PARAMETERS.items():
        parameters = TypeAdapter(shape).json_schema(schema_generator=_AsWritten)
        definitions |= parameters.pop("$defs", {})
        definitions[f"parameters of {kind}"] = parameters
        then = {"parameters": {"$ref": f"#/$defs/parameters of {kind}"}}
        condition = {"properties": {"kind": {"const": kind}}, "required": ["kind"]}
        kinds.append({"if": condition, "then": {"properties": then}})
    rule["properties"]["kind"]["enum"] = ["", *rules.PARAMETERS]
    definitions["RuleShape"] = {**rule, "allOf": kinds}
    made["properties"]["rules"]["items"] = {"$ref": "#/$defs/RuleShape"}


def _untitled(value: Any) -> Any:
    """Without the titles that are mere names of keys."""
    if isinstance(value, list):
        return [_untitled(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {key: _untitled(inner) for key, inner in value.items() if key != "title"} | (
        {"title": value["title"]} if isinstance(value.get("title"), dict) else {}
    )


def schema_of(name: str) -> dict[str, Any]:
    """The JSON Schema of a kind of file."""
    file, shape = FILES[name]
    made = TypeAdapter(shape).json_schema(schema_generator=_AsWritten)
    if name == "rules":
        _rules(made)
    return {"$schema": DIALECT, "title": file, **_untitled(made)}


def schema_files() -> dict[str, str]:
    """Every schema as a file."""
    return {
        f"{name}.json": json.dumps(schema_of(name), ensure_ascii=False, indent=1) + "\n"
        for name in FILES
    }
