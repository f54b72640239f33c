"""A game's rules.yaml, regulations/ and cases/ as a ``Rulebook``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from exporter.core.problems import nearest
from exporter.loader.condition_checks import (
    expression_problems,
    repeated_problems,
)
from exporter.loader.deck_lists import (
    Lists,
    decks_of_case,
)
from exporter.loader.deck_type_rules import rules_of_decks
from exporter.loader.game_reader import known_names
from exporter.loader.load_context import LoadContext
from exporter.loader.made_up_cards import made_up_cards
from exporter.loader.rule_parameters import (
    overrides,
    read_kind,
)
from exporter.model import Game
from exporter.model.document_places import Table
from exporter.model.rule_records import (
    Case,
    Placement,
    Regulation,
    RulesFile,
    WrittenRule,
)
from exporter.rules.kind import (
    Rule,
    RuleKind,
    blanks_of,
)
from exporter.rules.kinds import KINDS
from exporter.rules.regulations import unreplaced
from exporter.rules.rulebook import Rulebook

RULES = "rules.yaml"

LAST_LINE = 10**9
"""No file has so many lines."""


def read_rulebook(reading: LoadContext, game: Game, *, with_cases: bool = True) -> Rulebook:
    """The rules of a game that has been read with ``reading``, which notes what is wrong.

    Cases are read only where they are wanted: they are many, and no player needs them.
    """
    reading.references.clear()
    rules: dict[str, Rule] = {}
    placements: Mapping[str, Placement] = {}
    found = reading.document(RULES, "rule") if reading.exists(RULES) else None
    if found is not None and isinstance(found[0], Table):
        file = reading.shape(RulesFile, *found, "rule")
        if file is not None:
            placements = {key: one.whole for key, one in file.placements.items()}
            rules = _rules(reading, game, file)
    elif found is not None:
        reading.fault(found[1], "SRC-VALUE", "allowed-keys-placements")
    rules = {**rules_of_decks(reading, game, rules), **rules}
    regulations = _regulations(reading, rules)
    read = _cases(reading, game, rules) if with_cases else []
    cases = reading.unique("case", [(case.name, case.where, case) for case, _ in read])
    book = Rulebook(
        rules=rules, placements=placements, regulations=regulations, cases=tuple(cases.values())
    )
    _refer_rulings(reading, game)
    reading.problems += repeated_problems(game, book)
    reading.problems += expression_problems(game, book)
    mounts = {str(card.get("mount")): card for card in game.cards.values() if card.get("mount")}
    for mount, card in mounts.items():
        reading.refer("placement", mount, card.at("mount"))
    reading.resolve(_known(reading, game, book))
    return _without_faulty_cases(reading, book, read)


def _without_faulty_cases(
    reading: LoadContext, book: Rulebook, read: Sequence[tuple[Case, range]]
) -> Rulebook:
    """The rules with the cases that were read soundly; of the others only the number is known.

    A file that cannot be read at all counts as one.
    """
    lines: dict[str, set[int]] = {}
    for problem in reading.problems:
        lines.setdefault(problem.where.file, set()).add(problem.where.line)
    sound = {
        case.where
        for case, own in read
        if not any(line in own for line in lines.get(case.where.file, ()))
    }
    files = {reading.label(name) for name in reading.files("cases", "case")}
    silent = files & lines.keys() - {case.where.file for case, _ in read}
    kept = tuple(case for case in book.cases if case.where in sound)
    return replace(book, cases=kept, unread_cases=len(read) - len(kept) + len(silent))


def _rules(reading: LoadContext, game: Game, file: RulesFile) -> dict[str, Rule]:
    found = []
    for index, value in enumerate(file.rules):
        written = reading.shape(WrittenRule, value, file.place("rules", index), "rule")
        if written is None:
            continue
        word = written.kind_name
        if word and word not in KINDS:
            near = nearest(word, KINDS)
            where = written.place("kind")
            reading.fault(where, "SRC-VALUE", "no-kind-rule", shape=word, nearest=near)
            reading.incomplete.add("rule")
            continue
        _check_status(reading, written)
        kind = read_kind(reading, KINDS[word], written) if word else None
        if word and kind is None:
            reading.incomplete.add("rule")
            continue
        _check_says(reading, written, kind)
        sources = tuple(game.sources[key] for key in written.cites if key in game.sources)
        rule = Rule(**asdict(written), sources=sources, kind=kind)
        found.append((rule.id, rule.where, rule))
    return reading.unique("rule", found)


def _check_status(reading: LoadContext, rule: WrittenRule) -> None:
    where, status, word = rule.place("status"), rule.status, rule.kind_name
    if status == "checked" and not word:
        reading.fault(where, "SRC-KEY", "checked-rule-kind")
    if status != "checked":
        if word:
            at = rule.place("kind")
            reading.fault(at, "SRC-KEY", "rule-no-kind", status=status, shape=word)
        if not rule.reason.ja:
            reading.fault(where, "SRC-KEY", "rule-says-why", status=status)
    for name in rule.assumed:
        if name not in rule.parameters:
            reading.fault(
                rule.place("assumed"),
                "SRC-REF",
                "no-parameter-rule",
                name=name,
                nearest=nearest(name, rule.parameters),
            )


def _check_says(reading: LoadContext, rule: WrittenRule, kind: RuleKind[Any] | None) -> None:
    """The blanks of a rule's own sentence are those that its kind fills."""
    for language, text in asdict(rule.says).items():
        where = rule.place("says", language)
        try:
            blanks = blanks_of(text)
        except ValueError:
            reading.fault(where, "SRC-VALUE", "stray-brace")
            continue
        if text and kind is None:
            reading.fault(where, "SRC-KEY", "says-unchecked")
        known = kind.blanks() if text and kind is not None else blanks
        for name in sorted(blanks.difference(known)):
            near = nearest(name, known)
            reading.fault(where, "SRC-REF", "no-blank", name=name, nearest=near)


def _regulations(reading: LoadContext, rules: Mapping[str, Rule]) -> tuple[Regulation, ...]:
    found = []
    for written in reading.each(Regulation, "regulations", "regulation"):
        one = replace(written, parameters=overrides(reading, written, rules))
        found.append((str(one), one.place("version"), one))
    regulations = tuple(reading.unique("regulation", found).values())
    for name in dict.fromkeys(one.id for one in regulations):
        latest = unreplaced(one for one in regulations if one.id == name)
        if len(latest) != 1 and "regulation" not in reading.incomplete:
            which = ", ".join(one.version for one in latest) or "none"
            where = next(one.where for one in reversed(regulations) if one.id == name)
            reading.fault(where, "SRC-VALUE", "version-newest-no", name=name, which=which)
    return regulations


def _cases(reading: LoadContext, game: Game, rules: Mapping[str, Rule]) -> list[tuple[Case, range]]:
    """The cases of all files, each with the lines that it may have faults in."""
    found = []
    for name in reading.files("cases", "case"):
        entries = reading.entries(Case, name, "case")
        starts = [entry.spot.place().line for entry in entries]
        ends = [*starts[1:], LAST_LINE]
        for entry, start, end in zip(entries, starts, ends, strict=False):
            found.append((_case(reading, game, entry, rules), range(start, end)))
    return found


def _case(reading: LoadContext, game: Game, case: Case, rules: Mapping[str, Rule]) -> Case:
    about = {
        "build": case.written_build,
        "decks": case.decks,
        "mech": case.mech,
        "room": case.room,
        "play": case.play,
    }
    subjects = [key for key, value in about.items() if value]
    if len(subjects) != 1 and not (case.made_up and not subjects):
        found = ", ".join(subjects) or "none"
        reading.fault(case.spot.place(), "SRC-KEY", "case-about-one", found=found)
    build = case.written_build.build if case.written_build else None
    return replace(
        case,
        build=decks_of_case(Lists(reading, game), case) if case.decks else build,
        cards=tuple(made_up_cards(reading, game, case)),
        parameters=overrides(reading, case, rules),
    )


def _refer_rulings(reading: LoadContext, game: Game) -> None:
    for ruling in game.rulings:
        for rule in ruling.rules:
            reading.refer("rule", rule, ruling.where)


def _known(reading: LoadContext, game: Game, book: Rulebook) -> dict[str, Iterable[str]]:
    """The names that rules may refer to, by sort."""
    fields = {name for kind in game.kinds.values() for name in kind.fields}
    decks = {entry.deck for entry in game.decks}
    return {
        **known_names(reading, game),
        "figure": [figure.id for figure in game.figures],
        "field": fields,
        "column": {"id", "name", "kind", *fields},
        "mech": {*game.mechs, *decks},
        "deck": {*game.deck_kinds, *decks},
        "rule": book.rules,
        "placement": book.placements,
    }
