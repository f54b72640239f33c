"""JSON Schemas of the files of a game folder, made from their shapes.

Some parts depend on a word: what a template, a thing, a kind of rule takes. A condition asks by
pattern, not by ``const``: editors offer the words of conditions too, and take the beginning of a
word for the word while it is typed.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

from msgspec import Struct

from exporter.core.messages import ENGLISH
from exporter.model import (
    Game,
    Head,
    Take,
    rule_records,
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
    fields_of,
    files_of,
    form_of,
)
from exporter.model.layouts import LAYS_WITH, STYLES
from exporter.model.player_builds import WrittenSubmission
from exporter.model.print_jobs import (
    SheetJob,
    Stationery,
)
from exporter.model.shape import (
    TEXT,
    Shape,
    told_in_both,
)
from exporter.model.template_values import values_schema

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


Made: TypeAlias = dict[str, Any]
"""JSON Schema."""


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


def is_one_of(key: str, words: Iterable[str]) -> Made:
    """That a key has one of some words."""
    plain = "|".join(re.sub(r"([.*+?^${}()|\[\]\\/])", r"\\\1", word) for word in words)
    return {"properties": {key: {"pattern": f"^(?:{plain})$"}}, "required": [key]}


def _lacks(key: str) -> Made:
    return {"not": {"required": [key]}}


def _name(template: str) -> str:
    """Of the definition of its values; a slash would part it in references."""
    return "values of " + template.replace("/", ":")


def _values(template: str) -> Made:
    return {"properties": {"values": {"$ref": f"#/$defs/{_name(template)}"}}}


def _looks(styles: Iterable[str]) -> Made:
    """That a style has a template by being like one of some styles."""
    return {**is_one_of("like", styles), **_lacks("template")}


def _styles(style: Made, shapes: Made, known: Known) -> Made:
    """The styles of game.yaml, of which each has the values that its template takes."""
    for template, takes in known.takes.items():
        shapes[_name(template)] = values_schema(takes)
    style["properties"]["template"]["examples"] = list(known.takes)
    own = [
        {"if": is_one_of("template", [template]), "then": _values(template)}
        for template in known.takes
    ]
    shapes["WrittenStyle"] = {**style, "allOf": own}
    faces: Made = {"additionalProperties": {"$ref": "#/$defs/WrittenStyle"}}
    likes = []
    for template, like in known.styles_of.items():
        then = {"additionalProperties": {"if": _looks(like), "then": _values(template)}}
        same = {"anyOf": [is_one_of("template", [template]), _looks(like)]}
        guard = {"if": {"properties": dict.fromkeys(like, same)}, "then": then}
        likes.append(then if known.of_game else guard)
    return {**faces, "allOf": likes} if likes else faces


def _items(item: Made, shapes: Made, known: Known) -> None:
    """A thing of a layout, which has the keys of what it lays."""
    properties: Made = item["properties"]
    lays: Sequence[str] = properties["lay"]["enum"]
    then = []
    for lay in lays:
        has = {k: held for k, held in properties.items() if lay in LAYS_WITH.get(k, lays)}
        of_lay: Made = {"type": "object", "properties": has, "additionalProperties": False}
        if "values" in has and known.of_game:
            of_lay["allOf"] = _values_of_thing(STYLES[lay], shapes, known)
        shapes[f"lay: {lay}"] = of_lay
        then.append({"if": is_one_of("lay", [lay]), "then": {"$ref": f"#/$defs/lay: {lay}"}})
    item["properties"] = {"lay": properties["lay"]}
    item["allOf"] = then
    del item["additionalProperties"]


def _values_of_thing(usual: str, shapes: Made, known: Known) -> list[Made]:
    """The values of a thing by its style; that is the usual one where it names none."""
    found = []
    for template, ids in known.styles_of.items():
        shapes[_name(template)] = values_schema(known.takes[template], filled=True)
        named = is_one_of("face", ids)
        condition = {"anyOf": [named, _lacks("face")]} if usual in ids else named
        found.append({"if": condition, "then": _values(template)})
    return found


def _rule(rule: Made, shapes: Made, parameters: Mapping[str, Made]) -> Made:
    """A rule of rules.yaml, whose parameters have the shape of its kind."""
    kinds = []
    for kind, shape in parameters.items():
        shapes[f"parameters of {kind}"] = shape
        then = {"parameters": {"$ref": f"#/$defs/parameters of {kind}"}}
        kinds.append({"if": is_one_of("kind", [kind]), "then": {"properties": then}})
    rule["properties"]["kind"]["enum"] = ["", *parameters]
    shapes["WrittenRule"] = {**rule, "allOf": kinds}
    return {"$ref": "#/$defs/WrittenRule"}
