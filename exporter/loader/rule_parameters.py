"""The parameters of rules, as the shape of their kind has them; set otherwise elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exporter.core.problems import nearest
from exporter.loader.load_context import LoadContext
from exporter.model.annotations import fields_of
from exporter.model.document_places import (
    Document,
    Spot,
)
from exporter.model.findings import Findings
from exporter.model.record_forms import (
    problem_of,
    shaped,
)
from exporter.model.rule_records import (
    Case,
    Regulation,
    WrittenRule,
)
from exporter.model.shape import Record
from exporter.rules.kind import (
    Rule,
    RuleKind,
)


def read_kind(
    reading: LoadContext, kind: type[RuleKind[Any]], rule: WrittenRule
) -> RuleKind[Any] | None:
    """A kind with the parameters that a rule gives it; nothing where they are too wrong."""
    document = Document(rule.place("parameters"), rule.spot.spelled("parameters") or {})
    found, problems, references = shaped(kind, document)
    reading.problems += problems
    if found is None or problems:
        return None
    reading.problems += found.wrong(Spot(document).place)
    reading.refer_all(references)
    return found


def overrides(
    reading: LoadContext, thing: Regulation | Case, rules: Mapping[str, Rule]
) -> dict[str, dict[str, Any]]:
    """What a regulation or case sets otherwise, by rule and field of its kind."""
    found: dict[str, dict[str, Any]] = {}
    for rule_id, values in thing.parameters.items():
        reading.refer("rule", rule_id, thing.place("parameters", rule_id, key=True))
        rule = rules.get(rule_id)
        if rule is not None and rule.kind is not None:
            found[rule_id] = _otherwise(reading, thing, rule_id, rule.kind, values)
    return found


def _otherwise(
    reading: LoadContext,
    thing: Record,
    rule_id: str,
    kind: RuleKind[Any],
    values: Mapping[str, Any],
) -> dict[str, Any]:
    """The parameters of one rule that are set otherwise; nothing where one of them is wrong."""
    keys = fields_of(type(kind)).keys
    document = thing.spot.document
    findings = Findings(document)
    read: dict[str, Any] = {}
    for name, value in values.items():
        path = ("parameters", rule_id, name)
        if name in keys:
            read[name] = keys[name].form.read(value, path, findings)
            continue
        where, near = thing.place(*path, key=True), nearest(name, keys)
        reading.fault(where, "SRC-KEY", "no-parameter", rule_id=rule_id, name=name, nearest=near)
    reading.problems += [problem_of(fault, document) for fault in findings.faults]
    if findings.faults:
        return {}
    reading.refer_all(findings.references)
    return read
