"""The parts of JSON Schemas that depend on a word: what a template, a thing, a kind of rule takes.

A condition asks by pattern, not by ``const``: editors offer the words of conditions too, and take
the beginning of a word for the word while it is typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from exporter.model import Take
from exporter.model.layouts import LAYS_WITH, STYLES
from exporter.model.template_values import values_schema

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


def _looks(template: str, styles: Iterable[str]) -> Made:
    """That a style has a template by being like one of some styles."""
    return {**is_one_of("like", styles), **_lacks("template")}


def styles(style: Made, shapes: Made, known: Known) -> Made:
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
        then = {"additionalProperties": {"if": _looks(template, like), "then": _values(template)}}
        same = {"anyOf": [is_one_of("template", [template]), _looks(template, like)]}
        guard = {"if": {"properties": dict.fromkeys(like, same)}, "then": then}
        likes.append(then if known.of_game else guard)
    return {**faces, "allOf": likes} if likes else faces


def items(item: Made, shapes: Made, known: Known) -> None:
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


def rule(rule: Made, shapes: Made, parameters: Mapping[str, Made]) -> Made:
    """A rule of rules.yaml, whose parameters have the shape of its kind."""
    kinds = []
    for kind, shape in parameters.items():
        shapes[f"parameters of {kind}"] = shape
        then = {"parameters": {"$ref": f"#/$defs/parameters of {kind}"}}
        kinds.append({"if": is_one_of("kind", [kind]), "then": {"properties": then}})
    rule["properties"]["kind"]["enum"] = ["", *parameters]
    shapes["WrittenRule"] = {**rule, "allOf": kinds}
    return {"$ref": "#/$defs/WrittenRule"}
