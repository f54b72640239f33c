"""A game's rules.yaml, regulations/ and cases/ as a ``Rulebook``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import asdict, replace

from exporter.core import grouped
from exporter.core.messages import sentence
from exporter.core.problems import (
    UNREADABLE,
    Problem,
    SourceLocation,
    nearest,
    quoted,
)
from exporter.loader.consistency import check_repeated
from exporter.loader.game_reader import known_names
from exporter.loader.load_context import LoadContext
from exporter.loader.player_decks import DeckReader
from exporter.model import (
    Card,
    DeckKind,
    Game,
    Kind,
    Name,
    Value,
)
from exporter.model.documents import (
    Document,
    Spot,
)
from exporter.model.fields import (
    EMPTY,
    TEXT,
    read_value,
)
from exporter.model.forms import (
    Findings,
    fields_of,
    problem_of,
    shaped,
)
from exporter.model.rule_records import (
    Case,
    Placement,
    Regulation,
    RulesFile,
    WrittenRule,
)
from exporter.model.shape import Record
from exporter.rules.expressions import (
    expression_problem,
    fault_of,
)
from exporter.rules.figures import frame_names
from exporter.rules.kind import (
    AllowedNames,
    Rule,
    RuleKind,
    blanks_of,
)
from exporter.rules.kinds import KINDS
from exporter.rules.kinds.card_kinds import Only
from exporter.rules.kinds.deck_kinds import DeckSize
from exporter.rules.rulebook import Rulebook, unreplaced

RULES = "rules.yaml"

# No file has so many lines.
LAST_LINE = 10**9


def read_rulebook(reading: LoadContext, game: Game, *, with_cases: bool = True) -> Rulebook:
    """Read the rules of a game that has been read with ``reading``, which notes what is wrong.

    Cases are read only where they are wanted: they are many, and no player needs them.
    """
    reading.references.clear()
    rules: dict[str, Rule] = {}
    placements: Mapping[str, Placement] = {}
    file = reading.one(RulesFile, RULES, "rule") if reading.exists(RULES) else None
    if file is not None:
        placements = {key: one.whole for key, one in file.placements.items()}
        rules = _rules(reading, game, file)
    rules = {**rules_of_decks(reading, game, rules), **rules}
    regulations = _regulations(reading, rules)
    read = _cases(reading, game, rules) if with_cases else []
    cases = reading.unique("case", [(case.name, case.where, case) for case, _ in read])
    book = Rulebook(
        rules=rules, placements=placements, regulations=regulations, cases=tuple(cases.values())
    )
    for ruling in game.rulings:
        for rule in ruling.rules:
            reading.refer("rule", rule, ruling.where)
    reading.problems += repeated_problems(game, book)
    reading.problems += expression_problems(game, book)
    mounts = {str(card.get("mount")): card for card in game.cards.values() if card.get("mount")}
    for mount, card in mounts.items():
        reading.refer("placement", mount, card.at("mount"))
    reading.resolve(_known_names(reading, game, book))
    return _without_faulty_cases(reading, book, read)


def _without_faulty_cases(
    reading: LoadContext, book: Rulebook, read: Sequence[tuple[Case, range]]
) -> Rulebook:
    """Return the rules with the cases that were read soundly; of the others only the number is
    known.

    A file that cannot be read at all counts as one.
    """
    faulty = grouped((problem.where for problem in reading.problems), lambda where: where.file)
    sound = {
        case.where
        for case, own in read
        if not any(where.line in own for where in faulty.get(case.where.file, ()))
    }
    files = {reading.label(name) for name in reading.files("cases", "case")}
    silent = files & faulty.keys() - {case.where.file for case, _ in read}
    kept = tuple(case for case in book.cases if case.where in sound)
    return replace(book, cases=kept, unread_cases=len(read) - len(kept) + len(silent))


def _rules(reading: LoadContext, game: Game, file: RulesFile) -> dict[str, Rule]:
    found = []
    for index, value in enumerate(file.rules):
        written = reading.shape(WrittenRule, value, file.place("rules", index))
        word = written.kind_name
        if word and word not in KINDS:
            reading.fault(
                written.place("kind"),
                "SRC-VALUE",
                "no-kind-rule",
                shape=word,
                nearest=nearest(word, KINDS),
            )
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
            reading.fault(rule.place("kind"), "SRC-KEY", "rule-no-kind", status=status, shape=word)
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
    """Check that the blanks of a rule's own sentence are those that its kind fills."""
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
            reading.fault(where, "SRC-REF", "no-blank", name=name, nearest=nearest(name, known))


def _regulations(reading: LoadContext, rules: Mapping[str, Rule]) -> tuple[Regulation, ...]:
    found = []
    for written in reading.each(Regulation, "regulations", "regulation"):
        one = replace(written, parameters=overrides(reading, written, rules))
        found.append((str(one), one.place("version"), one))
    regulations = tuple(reading.unique("regulation", found).values())
    for name in dict.fromkeys(one.id for one in regulations):
        latest = unreplaced(one for one in regulations if one.id == name)
        if len(latest) != 1 and "regulation" not in reading.incomplete:
            reading.fault(
                next(one.where for one in reversed(regulations) if one.id == name),
                "SRC-VALUE",
                "version-newest-no",
                name=name,
                which=", ".join(one.version for one in latest) or sentence("listing", "none"),
            )
    return regulations


def _cases(reading: LoadContext, game: Game, rules: Mapping[str, Rule]) -> list[tuple[Case, range]]:
    """Return the cases of all files, each with the lines that it may have faults in."""
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
    if len(subjects) != 1 and not (case.new_cards and not subjects):
        reading.fault(
            case.spot.place(),
            "SRC-KEY",
            "case-about-one",
            found=", ".join(subjects) or sentence("listing", "none"),
        )
    build = case.written_build.build if case.written_build else None
    return replace(
        case,
        build=DeckReader(reading, game).of_case(case) if case.decks else build,
        cards=tuple(made_up_cards(reading, game, case)),
        parameters=overrides(reading, case, rules),
    )


def _known_names(reading: LoadContext, game: Game, book: Rulebook) -> dict[str, Iterable[str]]:
    """Return the names that rules may refer to, by sort."""
    return {
        **known_names(reading, game),
        "figure": [figure.id for figure in game.figures],
        "field": game.field_names,
        "column": {"id", "name", "kind", *game.field_names},
        "mech": {*game.mechs, *game.printed_decks},
        "deck": {*game.deck_kinds, *game.printed_decks},
        "rule": book.rules,
        "placement": book.placements,
    }


# An expression, its place, and the names that it may use.
PlacedExpression: TypeAlias = tuple[str, SourceLocation, Collection[str] | None]


def _expressions(game: Game, book: Rulebook) -> Iterator[PlacedExpression]:
    """Yield every expression of figures, cards, placements and rules."""
    fields = {kind.id: frozenset(kind.fields) for kind in game.kinds.values()}
    names = AllowedNames(frozenset(frame_names(game)), fields)
    for figure in game.figures:
        for term in figure.terms:
            of_cards = names.of_cards(term.each) if term.each else ()
            yield term.value, term.place("value"), names.build.union(of_cards)
        names = AllowedNames(names.build | {figure.id}, fields)
    for card in game.cards.values():
        field = game.kinds[card.kind].deck_copies
        if field and card.get(field):
            yield str(card.get(field)), card.at(field), names.build
    for placement in book.placements.values():
        if placement.frame:
            yield placement.frame, placement.where, names.build
    yield from _rule_expressions(game, book, names)


def _rule_expressions(
    game: Game, book: Rulebook, names: AllowedNames
) -> Iterator[PlacedExpression]:
    """Yield the expressions of rules, and of the cards to which a rule leaves the words."""
    kinds = [(rule, rule.kind) for rule in book.rules.values() if rule.kind is not None]
    for rule, kind in kinds:
        for text, known in kind.expressions(names):
            yield text, rule.where, known
    written = dict.fromkeys(name for _, kind in kinds for name in kind.expression_fields())
    for card in game.cards.values():
        for name in written:
            if card.get(name):
                yield str(card.get(name)), card.at(name), names.of_pool_cards


def expression_problems(game: Game, book: Rulebook) -> Iterator[Problem]:
    """Yield what is wrong with an expression before anybody uses it: its form, and names it asks
    for."""
    for text, where, names in _expressions(game, book):
        if wrong := fault_of(text, names):
            yield expression_problem(text, wrong, where)


def repeated_problems(game: Game, book: Rulebook) -> Iterator[Problem]:
    """Check that no rule repeats anything as often as too large a number says, nor does one in a
    case."""
    kinds = (rule.kind for rule in book.rules.values() if rule.kind is not None)
    for name in dict.fromkeys(kind.repeats for kind in kinds if kind.repeats):
        made_up = (card for case in book.cases for card in case.cards)
        yield from check_repeated(game, name, more=made_up)


def read_kind(
    reading: LoadContext, kind: type[RuleKind[Any]], rule: WrittenRule
) -> RuleKind[Any] | None:
    """Read a kind with the parameters that a rule gives it; nothing where they are too wrong."""
    document = Document(rule.place("parameters"), rule.spot.spelled("parameters") or {})
    found, problems, references = shaped(kind, document)
    reading.problems += problems
    if problems:
        return None
    reading.problems += found.parameter_problems(Spot(document).place)
    reading.refer_all(references)
    return found


def overrides(
    reading: LoadContext, thing: Regulation | Case, rules: Mapping[str, Rule]
) -> dict[str, dict[str, Any]]:
    """Return what a regulation or case sets otherwise, by rule and field of its kind."""
    found: dict[str, dict[str, Any]] = {}
    for rule_id, values in thing.parameters.items():
        reading.refer("rule", rule_id, thing.place("parameters", rule_id, key=True))
        rule = rules.get(rule_id)
        if rule is not None and rule.kind is not None:
            found[rule_id] = _overridden(reading, thing, rule_id, rule.kind, values)
    return found


def _overridden(
    reading: LoadContext,
    thing: Record,
    rule_id: str,
    kind: RuleKind[Any],
    values: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the parameters of one rule that are set otherwise; nothing where one of them is
    wrong."""
    keys = fields_of(type(kind)).keys
    document = thing.spot.document
    findings = Findings(document)
    read: dict[str, Any] = {}
    for name, value in values.items():
        path = ("parameters", rule_id, name)
        if name in keys:
            read[name] = keys[name].form.read(value, path, findings)
        else:
            reading.fault(
                thing.place(*path, key=True),
                "SRC-KEY",
                "no-parameter",
                rule_id=rule_id,
                name=name,
                nearest=nearest(name, keys),
            )
    reading.problems += [problem_of(fault, document) for fault in findings.faults]
    if findings.faults:
        return {}
    reading.refer_all(findings.references)
    return read


def rules_of_decks(reading: LoadContext, game: Game, others: Mapping[str, Rule]) -> dict[str, Rule]:
    """Return a rule for the size of each deck, ``DECK-MAIN-SIZE``, and one for the cards that may
    lie in it, ``DECK-MAIN-CARDS``; notes what is wrong with the decks together."""
    found: dict[str, Rule] = {}
    for kind in game.deck_kinds.values():
        other = game.deck_kinds.get(kind.beside)
        if other is not None and (other.beside or other is kind):
            reading.fault(
                kind.place("beside"), "SRC-VALUE", "beside-beside", deck=kind.id, other=other.id
            )
        least, most = kind.size or (0, 0)
        if least > most:
            reading.fault(
                kind.place("size"), "SRC-VALUE", "smaller-first", key="size", least=least, most=most
            )
        for rule in _deck_rules(kind):
            if rule.id in {**found, **others}:
                reading.fault(kind.where, "SRC-ID", "rule-of-deck", deck=kind.id, made=rule.id)
            found[rule.id] = rule
    return found


def _deck_rules(kind: DeckKind) -> Iterator[Rule]:
    stem = "DECK-" + kind.id.upper().replace("_", "-")
    en = kind.name.in_language("en")
    if kind.size is not None:
        least, most = kind.size
        exactly = least == most
        span = str(least) if exactly else f"{least}～{most}"
        yield Rule(
            id=f"{stem}-SIZE",
            title=Name(f"{kind.name.ja}は{span}枚", f"{en}: {span} cards"),
            status="checked",
            kind=DeckSize(decks=(kind.id,), cards=least)
            if exactly
            else DeckSize(decks=(kind.id,), least=least, most=most),
            spot=kind.spot.at("size"),
        )
    if kind.cards is not None:
        yield Rule(
            id=f"{stem}-CARDS",
            title=Name(f"{kind.name.ja}に入れられる札", f"{en}: its cards"),
            status="checked",
            kind=Only(decks=(kind.id,), cards=kind.cards),
            spot=kind.spot.at("cards"),
        )


_OF_ANY_CARD = ("id", "kind", "name")


def made_up_cards(reading: LoadContext, game: Game, case: Case) -> Iterator[Card]:
    """Yield the cards of ``case.new_cards`` whose kind is known; what is wrong with them is noted.

    Fields that are left out are empty.
    """
    for index, row in enumerate(case.new_cards):
        path = ("cards", index)
        for name in ("id", "kind"):
            if not row.get(name):
                reading.fault(case.place(*path), "SRC-KEY", "made-up-card", name=name)
        kind = game.kinds.get(row.get("kind", ""))
        reading.refer("kind", row.get("kind", ""), case.place(*path, "kind"))
        if kind is not None and row.get("id"):
            yield _made_up_card(reading, kind, case, index)


def _made_up_card(reading: LoadContext, kind: Kind, case: Case, index: int) -> Card:
    row = case.new_cards[index]
    cells = {name: case.place("cards", index, name) for name in row}
    fields: dict[str, Value] = {name: EMPTY[field.type] for name, field in kind.fields.items()}
    for name, text in row.items():
        field = TEXT if name in _OF_ANY_CARD else kind.fields.get(name)
        if field is None:
            if f"field of {kind.id}" not in reading.incomplete:
                reading.fault(
                    case.place("cards", index, name, key=True),
                    "SRC-KEY",
                    "card-kind-no",
                    kind=kind.id,
                    name=quoted(name),
                    nearest=nearest(name, kind.fields),
                )
            continue
        value = read_value(text, field, cells[name], name) if text != UNREADABLE else ""
        if isinstance(value, Problem):
            reading.problems.append(value)
        elif name in fields:
            fields[name] = value
    return Card(
        id=row["id"],
        kind=kind.id,
        name=row.get("name", "") or row["id"],
        fields=fields,
        where=case.place("cards", index),
        cells=cells,
    )
