"""JSON Schemas of the files of a game folder, made from their shapes.

Some parts depend on a word: what a template, a thing, a kind of rule takes. A condition asks by
pattern, not by ``const``: editors offer the words of conditions too, and take the beginning of a
word for the word while it is typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from msgspec import Struct

from exporter.core.messages import ENGLISH
from exporter.model import (
    Game,
    Head,
    Take,
    rule_records,
)
from exporter.model.forms import (
    Fields,
    Form,
    JsonSchema,
    Schemas,
    fields_of,
    files_of,
    form_of,
)
from exporter.model.layouts import LAYS_WITH, STYLES
from exporter.model.mech import WrittenSubmission
from exporter.model.print_jobs import (
    SheetJob,
    Stationery,
)
from exporter.model.shape import Shape
from exporter.model.styles import values_form

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


# Each kind of file by the name of its schema: where such files lie, and what they hold.
FILES: Mapping[str, tuple[str, Any]] = {name: (file, holds) for name, file, holds in _files()}

# Records that are read one by one.
_RULES = (rule_records.WrittenRule,)


def records() -> dict[str, type[Struct]]:
    """Every record that a file may hold, by its name."""
    found: dict[str, type[Struct]] = {}
    for annotation in (*(held for _, held in FILES.values()), *_RULES):
        _gather(form_of(annotation), found)
    return found


def _gather(form: Form, found: dict[str, type[Struct]]) -> None:
    if isinstance(form, Fields):
        if form.shape.__name__ in found:
            return
        found[form.shape.__name__] = form.shape
    for inner in form.within():
        _gather(inner, found)


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


def schema_of(name: str, known: Known, kinds: Mapping[str, type[Shape]]) -> JsonSchema:
    """The JSON Schema of a kind of file, whose descriptions are in both languages; ``kinds`` are
    the kinds of rules."""
    file, annotation = FILES[name]
    schemas, form = Schemas(known.names), form_of(annotation)
    shapes = schemas.defined
    made = form.whole_schema(schemas) if isinstance(form, Fields) else form.schema(schemas)
    if name == "rules":
        parameters = {kind: fields_of(each).whole_schema(schemas) for kind, each in kinds.items()}
        rule = fields_of(rule_records.WrittenRule).whole_schema(schemas)
        made["properties"]["rules"]["items"] = _rule(rule, shapes, parameters)
    if name == "game":
        style = shapes["WrittenStyle"]
        style["properties"]["like"]["examples"] = list(known.styles)
        made["properties"]["faces"] |= _styles(style, shapes, known)
    if name == "layouts":
        _items(shapes["Item"], shapes, known)
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


class Known(Struct, frozen=True):
    """What files may name: what each template ``takes``, by its path; the template of each style
    by its id; and the ``names`` to offer, by the sort that a key names.

    ``of_game`` says that the styles are those of one game. Otherwise they are the plain ones, whose
    places any game may fill with others.
    """

    takes: Mapping[str, Mapping[str, Take]] = {}
    styles: Mapping[str, str] = {}
    names: Mapping[str, Sequence[str]] = {}
    of_game: bool = False

    @property
    def styles_of(self) -> Mapping[str, Sequence[str]]:
        """The styles of each template that declares what it takes."""
        found: dict[str, list[str]] = {}
        for style, template in self.styles.items():
            if template in self.takes:
                found.setdefault(template, []).append(style)
        return found


def is_one_of(key: str, words: Iterable[str]) -> JsonSchema:
    """That a key has one of some words."""
    plain = "|".join(re.sub(r"([.*+?^${}()|\[\]\\/])", r"\\\1", word) for word in words)
    return {"properties": {key: {"pattern": f"^(?:{plain})$"}}, "required": [key]}


def _lacks(key: str) -> JsonSchema:
    return {"not": {"required": [key]}}


def _name(template: str) -> str:
    """Of the definition of its values; a slash would part it in references."""
    return "values of " + template.replace("/", ":")


def _values(template: str) -> JsonSchema:
    return {"properties": {"values": {"$ref": f"#/$defs/{_name(template)}"}}}


def _looks(styles: Iterable[str]) -> JsonSchema:
    """That a style has a template by being like one of some styles."""
    return {**is_one_of("like", styles), **_lacks("template")}


def _styles(style: JsonSchema, shapes: JsonSchema, known: Known) -> JsonSchema:
    """The styles of game.yaml, of which each has the values that its template takes."""
    for template, takes in known.takes.items():
        shapes[_name(template)] = values_form(takes).schema(Schemas())
    style["properties"]["template"]["examples"] = list(known.takes)
    own = [
        {"if": is_one_of("template", [template]), "then": _values(template)}
        for template in known.takes
    ]
    shapes["WrittenStyle"] = {**style, "allOf": own}
    faces: JsonSchema = {"additionalProperties": {"$ref": "#/$defs/WrittenStyle"}}
    likes = []
    for template, like in known.styles_of.items():
        then = {"additionalProperties": {"if": _looks(like), "then": _values(template)}}
        same = {"anyOf": [is_one_of("template", [template]), _looks(like)]}
        guard = {"if": {"properties": dict.fromkeys(like, same)}, "then": then}
        likes.append(then if known.of_game else guard)
    return {**faces, "allOf": likes} if likes else faces


def _items(item: JsonSchema, shapes: JsonSchema, known: Known) -> None:
    """A thing of a layout, which has the keys of what it lays."""
    properties: JsonSchema = item["properties"]
    lays: Sequence[str] = properties["lay"]["enum"]
    then = []
    for lay in lays:
        has = {k: held for k, held in properties.items() if lay in LAYS_WITH.get(k, lays)}
        of_lay: JsonSchema = {"type": "object", "properties": has, "additionalProperties": False}
        if "values" in has and known.of_game:
            of_lay["allOf"] = _values_of_thing(STYLES[lay], shapes, known)
        shapes[f"lay: {lay}"] = of_lay
        then.append({"if": is_one_of("lay", [lay]), "then": {"$ref": f"#/$defs/lay: {lay}"}})
    item["properties"] = {"lay": properties["lay"]}
    item["allOf"] = then
    del item["additionalProperties"]


def _values_of_thing(usual: str, shapes: JsonSchema, known: Known) -> list[JsonSchema]:
    """The values of a thing by its style; that is the usual one where it names none."""
    found = []
    for template, ids in known.styles_of.items():
        shapes[_name(template)] = values_form(known.takes[template], filled=True).schema(Schemas())
        named = is_one_of("face", ids)
        condition = {"anyOf": [named, _lacks("face")]} if usual in ids else named
        found.append({"if": condition, "then": _values(template)})
    return found


def _rule(rule: JsonSchema, shapes: JsonSchema, parameters: Mapping[str, JsonSchema]) -> JsonSchema:
    """A rule of rules.yaml, whose parameters have the shape of its kind."""
    kinds = []
    for kind, shape in parameters.items():
        shapes[f"parameters of {kind}"] = shape
        then = {"parameters": {"$ref": f"#/$defs/parameters of {kind}"}}
        kinds.append({"if": is_one_of("kind", [kind]), "then": {"properties": then}})
    rule["properties"]["kind"]["enum"] = ["", *parameters]
    shapes["WrittenRule"] = {**rule, "allOf": kinds}
    return {"$ref": "#/$defs/WrittenRule"}
