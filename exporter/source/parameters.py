"""The parameters of rules: in the shape of their kind, as plain values, set otherwise elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from exporter.problems import Where, nearest
from exporter.rules.book import Rule
from exporter.schema import rules as shapes
from exporter.source import checks
from exporter.source.reading import Reading
from exporter.source.shapes import Shaped, shaped
from exporter.source.things import refer_keys


def read_parameters(
    reading: Reading, kind: str, value: Any, where: Where
) -> Mapping[str, Any] | None:
    """A kind's parameters in their shape, as plain values; nothing where they are too wrong."""
    shape, problems = shaped(shapes.PARAMETERS[kind], value, where)
    reading.problems += problems
    if shape is None or problems:
        return None
    return _plain(shape.shape)


def plain(value: Any) -> Any:
    """Shapes as plain values, without what was left out."""
    if isinstance(value, Struct):
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: plain(inner) for name, inner in fields.items() if inner is not None}
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value


def _plain(shape: Struct) -> dict[str, Any]:
    """Parameters as plain values, with ``none`` for what costs nothing."""
    values: dict[str, Any] = plain(shape)
    if "classes" in values:
        classes = values["classes"].items()
        values["classes"] = {key: None if cost == "none" else cost for key, cost in classes}
    return values


def overrides(
    reading: Reading,
    thing: Shaped[Any],
    given: Mapping[str, Mapping[str, Any]],
    rules: Mapping[str, Rule],
) -> dict[str, dict[str, Any]]:
    """Parameters of rules that a regulation or case sets otherwise."""
    found: dict[str, dict[str, Any]] = {}
    for rule_id, values in given.items():
        reading.refer("rule", rule_id, thing.at("parameters", rule_id, key=True))
        rule = rules.get(rule_id)
        if rule is None or not rule.kind:
            continue
        shape = shapes.PARAMETERS[rule.kind]
        for key in set(values) - set(shape.__struct_fields__):
            where = thing.at("parameters", rule_id, key, key=True)
            hint = nearest(key, shape.__struct_fields__)
            reading.fault(where, checks.KEY, f"{rule_id} has no parameter {key!r}.", hint)
        known = {key: value for key, value in values.items() if key in shape.__struct_fields__}
        merged = {**_spelled(rule.parameters), **known}
        if rule.kind == "limits":
            refer_keys(
                reading, "card", known.get("cards") or {}, thing, "parameters", rule_id, "cards"
            )
        plain = read_parameters(reading, rule.kind, merged, thing.at("parameters", rule_id))
        if plain is not None:
            found[rule_id] = {key: plain[key] for key in known if key in plain}
    return found


def _spelled(value: Any) -> Any:
    """A plain value as a shape takes it."""
    if isinstance(value, Mapping):
        return {key: _spelled(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled(inner) for inner in value]
    if value is None:
        return "none"
    return ("false", "true")[value] if isinstance(value, bool) else str(value)
