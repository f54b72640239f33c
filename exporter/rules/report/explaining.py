"""Why something is as it is: rules, cards, mechs, builds and figures, with terms and sources.

Pure: every explanation is a heading with sections of lines, for a terminal or for JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import to_builtins

from exporter.core.problems import (
    COMMAND_LINE,
    InvalidSource,
    as_written,
)
from exporter.model import (
    Build,
    Card,
    Erratum,
    Figure,
    Mech,
    Ruling,
)
from exporter.model.called import (
    resolve_name,
    unknown,
)
from exporter.model.document_places import Reference
from exporter.model.forms import Findings, fields_of
from exporter.model.rule_records import (
    Case,
    Placement,
    Regulation,
)
from exporter.rules.figures import (
    Total,
    modifications,
)
from exporter.rules.kind import (
    Rule,
    RuleKind,
)
from exporter.rules.report.build_explained import (
    explain_build,
    total_lines,
    totals_of,
)
from exporter.rules.report.by_kind import (
    construction_lines,
    relation_lines,
)
from exporter.rules.report.explanations import (
    Explanation,
    Library,
    rule_lines,
    ruling_line,
    sections,
)


def _erratum_lines(lib: Library, errata: Iterable[Erratum]) -> Iterator[str]:
    for erratum in errata:
        date = lib.word("unknown") if erratum.date == "unknown" else erratum.date
        yield f"{erratum.id} ({lib.word('date')}: {date}) {erratum.note}".rstrip()
        for change in erratum.changes:
            target = " ".join(f"{key} {name}" for key, name in change.target.items())
            yield f"  {target} {change.field}: {change.was!r} → {change.now!r}"


def _case_lines(lib: Library, cases: Iterable[Case], rule_id: str = "") -> list[str]:
    lines = []
    for case in cases:
        word = ""
        if rule_id:
            word = f"{lib.word('breaks' if rule_id in case.broken else 'keeps')}: "
        else:
            about = " ".join(case.raises or case.about)
            word = lib.word("breaks" if case.raises else "keeps")
            word = f"{word} ({about}): " if about else f"{word}: "
        lines.append(f"{word}{case.name}")
    return lines


def _parameter_lines(lib: Library, name: str, value: object, *, assumed: bool) -> Iterator[str]:
    """A parameter as the game's file has it; of a list of things each in a line."""
    mark = f" ({lib.word('assumed')})" if assumed else ""
    if isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        yield f"{name}:{mark}"
        yield from (f"  - {as_written(one)}" for one in value)
    else:
        yield f"{name}: {as_written(value)}{mark}"


def _parameters(lib: Library, rule: Rule, kind: RuleKind[Any]) -> Iterator[str]:
    for name, value in to_builtins(kind).items():
        if value not in (None, "", [], {}) or name in rule.assumed:
            yield from _parameter_lines(lib, name, value, assumed=name in rule.assumed)


def explain_rule(lib: Library, rule: Rule) -> Explanation:
    """A rule: sentence, status, parameters, sources, rulings, cases."""
    status = lib.word(rule.status)
    if rule.certainty != "stated":
        status += f" · {lib.word('certainty')}: {rule.certainty}"
    kind = [rule.kind.name, *_parameters(lib, rule, rule.kind)] if rule.kind is not None else []
    elsewhere = []
    for one in lib.book.regulations:
        if rule.id in one.without:
            elsewhere.append(f"{one}: {lib.word('not-held')}")
        elif rule.id in one.parameters:
            elsewhere.append(f"{one}: {as_written(to_builtins(one.parameters[rule.id]))}")
    cases = [case for case in lib.book.cases if rule.id in {*case.broken, *case.about, case.play}]
    rulings = [ruling_line(one) for one in lib.game.rulings if rule.id in one.rules]
    return Explanation(
        f"{rule.id} {rule.title.in_language(lib.language)}",
        sections(
            ("", filter(None, [rule.text.in_language(lib.language)])),
            (lib.word("status"), [status]),
            (lib.word("reason"), filter(None, [rule.reason.in_language(lib.language)])),
            (lib.word("parameters"), kind),
            (lib.word("sources"), lib.cites(rule.cites)),
            (lib.word("regulations"), elsewhere),
            (lib.word("rulings"), rulings),
            (lib.word("cases"), _case_lines(lib, cases, rule.id)),
        ),
    )


def _placement_lines(lib: Library, placement: Placement) -> Iterator[str]:
    parts = "・".join(placement.parts) or lib.word("any")
    yield f"{placement.id}: {parts}"
    if placement.sets:
        sets = ("＋".join(f"{part}{n}" for part, n in one.items()) for one in placement.sets)
        yield f"  {lib.word('sets')}: {' / '.join(sets)}"
    if placement.at_least:
        yield f"  {lib.word('at_least')}: {'・'.join(placement.at_least)}"
    if placement.at_most:
        yield f"  {lib.word('at_most', count=placement.at_most)}"
    if placement.frame:
        yield f"  {lib.word('frame')}: {placement.frame}"


def _uses(case: Case, card: Card) -> bool:
    names = {card.id, card.name}
    said: list[object] = [case.given.get("card"), *case.given.get("cards", ())]
    said += case.given.get("with", ())
    if case.build:
        said += [name for cards in case.build.mounted.values() for name in cards]
        said += [name for pilot in case.build.pilots for name in pilot.skills]
    return any(isinstance(name, str) and name in names for name in said)


def _changed_fields(lib: Library, card: Card) -> Iterator[str]:
    printed = lib.project.game.cards[card.id]
    for name in card.fields:
        if printed.fields.get(name) != card.fields.get(name):
            yield f"{name}: {lib.word('printed')} {printed.text(name) or '—'}"
            yield f"{name}: {lib.word('now')} {card.text(name) or '—'}"


def explain_card(lib: Library, card: Card) -> Explanation:
    """A card: its fields, printed and corrected, its placement, errata, rulings, cases."""
    kind = lib.game.kinds[card.kind]
    texts = ((label, card.text(name)) for label, name in kind.detail.items())
    fields = [f"{label}: {text}" for label, text in texts if text]
    placement = lib.book.placements.get(str(card.get("mount")))
    cases = [case for case in lib.book.cases if _uses(case, card)]
    errata = [*_erratum_lines(lib, lib.game.errata_of(card)), *_changed_fields(lib, card)]
    modifies = modifications(card).items() if card.get("modifies") else ()
    return Explanation(
        f"{card.id} {card.name} ({kind.name.in_language(lib.language)})",
        sections(
            (lib.word("fields"), [*fields, *filter(None, [card.text("note")])]),
            (lib.word("placement"), _placement_lines(lib, placement) if placement else []),
            (lib.word("construction"), construction_lines(lib, card)),
            (lib.word("modifies"), [f"{name}={amount:+d}" for name, amount in modifies]),
            (lib.word("relations"), relation_lines(lib, card)),
            (lib.word("errata"), errata),
            (lib.word("rulings"), [ruling_line(one) for one in lib.game.rulings_of(card)]),
            (lib.word("cases"), _case_lines(lib, cases)),
        ),
    )


def _figure_rules(lib: Library, figure: str) -> list[Rule]:
    return [
        rule
        for rule in lib.book.rules.values()
        if rule.kind is not None and any(one[:2] == ("figure", figure) for one in _named(rule.kind))
    ]


def _named(kind: RuleKind[Any]) -> Sequence[Reference]:
    """What the parameters of a rule refer to."""
    findings = Findings()
    fields_of(type(kind)).read(to_builtins(kind), (), findings)
    return findings.references


def explain_total(lib: Library, name: str, total: Total) -> Explanation:
    """One figure of a mech or build: its terms, their sources, rules, errata, rulings, cases."""
    figure = total.figure
    rules = _figure_rules(lib, figure.id)
    cites = [key for term in figure.terms for key in term.cites]
    cites += [key for rule in rules for key in rule.cites]
    rule_ids = {rule.id for rule in rules}
    rulings = [ruling_line(one) for one in lib.game.rulings if rule_ids & set(one.rules)]
    errata = [
        one for one in lib.game.errata if any(change.field == figure.id for change in one.changes)
    ]
    cases = [
        case
        for case in lib.book.cases
        if case.claims.get(figure.id) == total.value and not case.raises
    ]
    return Explanation(
        f"{name} {total}",
        sections(
            (lib.word("terms"), list(total_lines(lib, total))[1:]),
            (lib.word("formula"), _formulas(lib, figure)),
            (lib.word("rules"), rule_lines(lib, rules)),
            (lib.word("sources"), lib.cites(cites)),
            (lib.word("errata"), _erratum_lines(lib, errata)),
            (lib.word("rulings"), rulings),
            (lib.word("cases"), _case_lines(lib, cases)),
        ),
    )


def _formulas(lib: Library, figure: Figure) -> Iterator[str]:
    for term in figure.terms:
        each = f" ({term.each})" if term.each else ""
        yield f"{term.label}{each}: {term.value}"
    if figure.minimum is not None:
        yield f"{lib.word('minimum')} {figure.minimum}"


def explain_figure(lib: Library, figure: Figure) -> Explanation:
    """A figure of any build: how it is reckoned, which cards change it, its rules and sources."""
    rules = _figure_rules(lib, figure.id)
    rule_ids = {rule.id for rule in rules}
    cites = [key for term in figure.terms for key in term.cites]
    bringers = [
        f"{card.id} {card.name}: {card.get('modifies')}"
        for card in lib.game.cards.values()
        if card.get("modifies") and figure.id in modifications(card)
    ]
    cases = [case for case in lib.book.cases if rule_ids & {*case.raises, *case.about}]
    rulings = [ruling_line(one) for one in lib.game.rulings if rule_ids & set(one.rules)]
    return Explanation(
        f"{figure.name.in_language(lib.language)}",
        sections(
            (lib.word("formula"), _formulas(lib, figure)),
            (lib.word("modified-by"), bringers),
            (lib.word("rules"), rule_lines(lib, rules)),
            (lib.word("sources"), lib.cites(cites)),
            (lib.word("rulings"), rulings),
            (lib.word("cases"), _case_lines(lib, cases)),
        ),
    )


def explain_mech(lib: Library, mech: Mech, variant: str = "") -> Explanation:
    """A printed mech: its loadouts, figures, errata and sources, and what nobody published."""
    parts: list[tuple[str, Iterable[str]]] = [(lib.word("missing"), mech.unknown)]
    names = [variant] if variant else list(mech.loadouts)
    for name in names:
        inner = explain_build(lib, mech.loadouts[name])
        title = lib.game.variants[name].name.in_language(lib.language)
        parts += [(f"{title}: {one.title}", one.lines) for one in inner.sections]
    printed = [f"{figure} {value}" for figure, value in mech.printed.items()]
    errata = [
        one for one in lib.game.errata if any(mech.code in (c.mech, c.deck) for c in one.changes)
    ]
    return Explanation(
        f"{mech.code} {mech.name} ({' '.join(mech.frame.values())})",
        sections(
            *parts,
            (lib.word("printed"), printed),
            (lib.word("errata"), _erratum_lines(lib, errata)),
            (lib.word("sources"), lib.cites(mech.sources)),
            ("", filter(None, [mech.note])),
        ),
    )


def explain_regulation(lib: Library, regulation: Regulation) -> Explanation:
    """A regulation: its date, what it sets, what of it could not be read."""
    status = f"{lib.word('certainty')}: {regulation.certainty}"
    date = regulation.date if regulation.date != "unknown" else lib.word("unknown")
    sets = [
        f"{rule}: {as_written(to_builtins(values))}"
        for rule, values in regulation.parameters.items()
    ]
    return Explanation(
        f"{regulation} {regulation.title.in_language(lib.language)}",
        sections(
            ("", filter(None, [regulation.note.in_language(lib.language)])),
            (lib.word("date"), [date]),
            (lib.word("status"), [status]),
            (lib.word("parameters"), sets),
            (lib.word("without"), [", ".join(sorted(regulation.without))]),
            (lib.word("clauses"), [one.in_language(lib.language) for one in regulation.not_yet]),
            (lib.word("sources"), lib.cites(regulation.cites)),
        ),
    )


def explain_erratum(lib: Library, erratum: Erratum) -> Explanation:
    """A published correction: printed value, corrected value, date and source."""
    lines = list(_erratum_lines(lib, [erratum]))
    return Explanation(
        lines[0],
        sections(
            (lib.word("errata"), lines[1:]), (lib.word("sources"), lib.cites([erratum.source]))
        ),
    )


def explain_ruling(lib: Library, ruling: Ruling) -> Explanation:
    """An answer of the publisher, with the rules and cards that it bears on."""
    rules = [lib.book.rules[key] for key in ruling.rules if key in lib.book.rules]
    return Explanation(
        f"{ruling.id} {ruling.topic}",
        sections(
            ("", [ruling.ruling]),
            (lib.word("rules"), rule_lines(lib, rules)),
            (lib.word("fields"), ruling.cards),
            (lib.word("sources"), lib.cites([ruling.source] if ruling.source else [])),
        ),
    )


def explain_figure_of_build(lib: Library, build: Build, figure: str, name: str) -> Explanation:
    """One figure of a build, by its id or English name. Raises ``InvalidSource``."""
    results = totals_of(lib, build)
    key = resolve_name(lib.game, "figure", figure)
    if key in results:
        return explain_total(lib, name, results[key])
    raise InvalidSource([unknown(lib.game, "figure", figure, COMMAND_LINE, "EXPLAIN")])
