"""The parameters of rules, as the shape of their kind has them; set otherwise elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.problems import nearest
from exporter.rules.book import Rule
from exporter.rules.kind import RuleKind
from exporter.schema.annotations import fields_of
from exporter.schema.findings import Findings
from exporter.source.reading import Reading
from exporter.source.shapes import Shaped, problem_of, shaped


def read_kind(
    reading: Reading, kind: type[RuleKind[Any]], entry: Shaped[Any]
) -> RuleKind[Any] | None:
    """A kind with the parameters that a rule gives it; nothing where they are too wrong."""
    value = entry.value.get("parameters") or {}
    found, problems = shaped(kind, value, entry.at("parameters"))
    reading.problems += problems
    if found is None or problems:
        return None
    reading.problems += found.shape.wrong(found.at)
    for reference in found.references:
        reading.refer(*reference)
    return found.shape


def overrides(
    reading: Reading,
    thing: Shaped[Any],
    given: Mapping[str, Mapping[str, Any]],
    rules: Mapping[str, Rule],
) -> dict[str, dict[str, Any]]:
    """What a regulation or case sets otherwise, by rule and field of its kind."""
    found: dict[str, dict[str, Any]] = {}
    for rule_id, values in given.items():
        reading.refer("rule", rule_id, thing.at("parameters", rule_id, key=True))
        rule = rules.get(rule_id)
        if rule is not None and rule.kind is not None:
            found[rule_id] = _otherwise(reading, thing, rule_id, rule.kind, values)
    return found


def _otherwise(
    reading: Reading,
    thing: Shaped[Any],
    rule_id: str,
    kind: RuleKind[Any],
    values: Mapping[str, Any],
) -> dict[str, Any]:
    """The parameters of one rule that are set otherwise; nothing where one of them is wrong."""
    keys = fields_of(type(kind)).keys
    findings = Findings(thing.spot.document)
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name in keys:
            path = ("parameters", rule_id, name)
            read[name] = keys[name].form.read(value, path, findings)
            continue
        where = thing.at("parameters", rule_id, name, key=True)
        reading.fault(
            where,
            "SRC-KEY",
            "no-parameter",
            rule_id=rule_id,
            name=name,
            nearest=nearest(name, keys),
        )
    reading.problems += [problem_of(fault, thing.value, thing.where) for fault in findings.faults]
    if findings.faults:
        return {}
    for reference in findings.references:
        reading.refer(*reference)
    return read
