"""A game's rules.yaml, regulations/ and cases/ as a ``Rulebook``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from exporter.model import Build, Game
from exporter.problems import nearest
from exporter.rules.book import Case, Placement, Regulation, Rule, Rulebook, unreplaced
from exporter.rules.kind import RuleKind, blanks_of
from exporter.rules.kinds import KINDS
from exporter.schema import rules as shapes
from exporter.schema.places import Items, Table
from exporter.source.conditions import expression_problems, repeated_problems
from exporter.source.deck_kinds import rules_of_decks
from exporter.source.lists import Lists, decks_of_case
from exporter.source.made_up import made_up_cards
from exporter.source.parameters import overrides, read_kind
from exporter.source.reading import Reading
from exporter.source.shapes import Shaped
from exporter.source.things import lists, refer_each, refer_keys
from exporter.words import LANGUAGES

RULES = "rules.yaml"

LAST_LINE = 10**9
"""No file has so many lines."""


def read_rulebook(reading: Reading, game: Game, *, with_cases: bool = True) -> Rulebook:
    """The rules of a game that has been read with ``reading``, which notes what is wrong.

    Cases are read only where they are wanted: they are many, and no player needs them.
    """
    reading.references.clear()
    rules: dict[str, Rule] = {}
    placements: dict[str, Placement] = {}
    found = reading.document(RULES, "rule") if reading.exists(RULES) else None
    if found is not None and isinstance(found[0], Table):
        file = reading.shape(shapes.RulesShape, *found, "rule")
        if file is not None:
            placements = _placements(reading, game, file)
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
    reading.resolve(_known(game, book))
    return _without_faulty_cases(reading, book, read)


def _without_faulty_cases(
    reading: Reading, book: Rulebook, read: Sequence[tuple[Case, range]]
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


def _placements(
    reading: Reading, game: Game, file: Shaped[shapes.RulesShape]
) -> dict[str, Placement]:
    found = {}
    for key, shape in file.shape.placements.items():
        path = ("placements", key)
        refer_each(reading, "part", shape.parts, file, *path, "parts")
        refer_each(reading, "part", shape.at_least, file, *path, "at_least")
        for index, one in enumerate(shape.sets):
            refer_keys(reading, "part", one, file, *path, "sets", index)
        in_sets = tuple(dict.fromkeys(part for one in shape.sets for part in one))
        found[key] = Placement(
            id=key,
            parts=tuple(shape.parts) or in_sets,
            sets=tuple(shape.sets),
            at_least=tuple(shape.at_least),
            at_most=shape.at_most,
            frame=shape.frame,
            where=file.at(*path),
        )
    return found


def _rules(reading: Reading, game: Game, file: Shaped[shapes.RulesShape]) -> dict[str, Rule]:
    raw = file.value.get("rules")
    entries = zip(raw, raw.values_at, strict=True) if isinstance(raw, Items) else ()
    found = []
    for value, where in entries:
        entry = reading.shape(shapes.RuleShape, value, where, "rule")
        if entry is None:
            continue
        shape = entry.shape
        refer_each(reading, "source", shape.cites, entry, "cites")
        if shape.kind and shape.kind not in KINDS:
            reading.fault(
                entry.at("kind"),
                "SRC-VALUE",
                "no-kind-rule",
                shape=shape.kind,
                nearest=nearest(shape.kind, KINDS),
            )
            reading.incomplete.add("rule")
            continue
        _check_status(reading, entry)
        kind = read_kind(reading, KINDS[shape.kind], entry) if shape.kind else None
        if shape.kind and kind is None:
            reading.incomplete.add("rule")
            continue
        _check_says(reading, entry, kind)
        rule = Rule(
            id=shape.id,
            title=shape.title,
            status=shape.status,
            cites=tuple(shape.cites),
            sources=tuple(game.sources[key] for key in shape.cites if key in game.sources),
            certainty=shape.certainty,
            kind=kind,
            assumed=tuple(shape.assumed),
            text=shape.text,
            says=shape.says,
            reason=shape.reason,
            where=entry.at("id"),
        )
        found.append((rule.id, entry.at("id"), rule))
    return reading.unique("rule", found)


def _check_status(reading: Reading, entry: Shaped[shapes.RuleShape]) -> None:
    shape = entry.shape
    if shape.status == "checked" and not shape.kind:
        reading.fault(entry.at("status"), "SRC-KEY", "checked-rule-kind")
    if shape.status != "checked":
        if shape.kind:
            reading.fault(
                entry.at("kind"), "SRC-KEY", "rule-no-kind", status=shape.status, shape=shape.kind
            )
        if not shape.reason.ja:
            reading.fault(entry.at("status"), "SRC-KEY", "rule-says-why", status=shape.status)
    for name in shape.assumed:
        if name not in shape.parameters:
            reading.fault(
                entry.at("assumed"),
                "SRC-REF",
                "no-parameter-rule",
                name=name,
                nearest=nearest(name, shape.parameters),
            )


def _check_says(
    reading: Reading, entry: Shaped[shapes.RuleShape], kind: RuleKind[Any] | None
) -> None:
    """The blanks of a rule's own sentence are those that its kind fills."""
    for language in LANGUAGES:
        text, where = getattr(entry.shape.says, language), entry.at("says", language)
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


def _regulations(reading: Reading, rules: Mapping[str, Rule]) -> tuple[Regulation, ...]:
    found = []
    for file in reading.each(shapes.RegulationShape, "regulations", "regulation"):
        shape = file.shape
        refer_each(reading, "source", shape.cites, file, "cites")
        refer_each(reading, "rule", shape.without, file, "without")
        regulation = Regulation(
            id=shape.id,
            version=shape.version,
            title=shape.title,
            date=shape.date,
            default=shape.default,
            predecessor=shape.predecessor,
            certainty=shape.certainty,
            cites=tuple(shape.cites),
            without=frozenset(shape.without),
            parameters=overrides(reading, file, shape.parameters, rules),
            not_yet=tuple(shape.not_yet),
            note=shape.note,
            where=file.at("id"),
        )
        found.append((str(regulation), file.at("version"), regulation))
    regulations = tuple(reading.unique("regulation", found).values())
    for name in dict.fromkeys(one.id for one in regulations):
        latest = unreplaced(one for one in regulations if one.id == name)
        if len(latest) != 1 and "regulation" not in reading.incomplete:
            which = ", ".join(one.version for one in latest) or "none"
            where = next(one.where for one in reversed(regulations) if one.id == name)
            reading.fault(where, "SRC-VALUE", "version-newest-no", name=name, which=which)
    return regulations


def _cases(reading: Reading, game: Game, rules: Mapping[str, Rule]) -> list[tuple[Case, range]]:
    """The cases of all files, each with the lines that it may have faults in."""
    found = []
    for name in reading.files("cases", "case"):
        entries = reading.entries(shapes.CaseShape, name, "case")
        ends = [entry.where.line for entry in entries[1:]] + [LAST_LINE]
        for entry, end in zip(entries, ends, strict=False):
            found.append((_case(reading, game, entry, rules), range(entry.where.line, end)))
    return found


def _case(
    reading: Reading, game: Game, entry: Shaped[shapes.CaseShape], rules: Mapping[str, Rule]
) -> Case:
    shape = entry.shape
    subjects = [k for k in ("build", "decks", "mech", "room", "play") if getattr(shape, k)]
    if len(subjects) != 1 and not (shape.cards and not subjects):
        found = ", ".join(subjects) or "none"
        reading.fault(entry.where, "SRC-KEY", "case-about-one", found=found)
    for key in ("about", "raises", "notices"):
        refer_each(reading, "rule", getattr(shape, key) or (), entry, key)
    refer_keys(reading, "figure", shape.claims, entry, "claims")
    refer_each(reading, "edition", shape.boxes, entry, "boxes")
    reading.refer("mech", shape.mech, entry.at("mech"))
    reading.refer("rule", shape.play, entry.at("play"))
    _refer_things(reading, entry)
    return Case(
        name=shape.name,
        raises=tuple(shape.raises),
        about=tuple(shape.about),
        notices=None if shape.notices is None else tuple(shape.notices),
        build=_build_of(reading, game, entry),
        claims=shape.claims,
        mech=shape.mech,
        deck=tuple(to_builtins(row) for row in shape.deck),
        room=to_builtins(shape.room) if shape.room else None,
        play=shape.play,
        given=shape.given,
        claim=shape.claim,
        cards=tuple(made_up_cards(reading, game, entry)),
        regulation=shape.regulation,
        boxes=tuple(shape.boxes),
        on=shape.on or "",
        parameters=overrides(reading, entry, shape.parameters, rules),
        where=entry.at("name"),
    )


def _build_of(reading: Reading, game: Game, entry: Shaped[shapes.CaseShape]) -> Build | None:
    """What a case lets somebody bring."""
    shape = entry.shape
    if shape.decks:
        return decks_of_case(Lists(reading, game), entry)
    return build_from(shape.build, entry, "build") if shape.build else None


def _refer_things(reading: Reading, entry: Shaped[shapes.CaseShape]) -> None:
    """Notes the cards, parts and boards that a case names, but not the cards that it makes up."""
    shape = entry.shape
    made_up = {card.get(key, "") for card in shape.cards for key in ("id", "name")}

    def refer_cards(names: Iterable[str], *path: int | str) -> None:
        known = ["" if name in made_up else name for name in names]
        refer_each(reading, "card", known, entry, *path)

    if shape.build:
        refer_keys(reading, "part", shape.build.mounted, entry, "build", "mounted")
        for part, cards in shape.build.mounted.items():
            refer_cards(cards, "build", "mounted", part)
        for index, pilot in enumerate(shape.build.pilots):
            refer_cards(pilot.skills, "build", "pilots", index, "skills")
    if shape.room:
        refer_each(reading, "board", shape.room.boards, entry, "room", "boards")
    for index, row in enumerate(shape.deck):
        if row.card not in made_up:
            reading.refer("card", row.card, entry.at("deck", index, "card"))


def build_from(shape: shapes.BuildShape, file: Shaped[Any], *path: int | str) -> Build:
    """A construction; its ``places`` are the part, the part and slot (``a.1``), the frame,
    and the pilot and skill (``pilots.1.2``)."""
    places = {"frame": file.at(*path, "frame")}
    for part, cards in shape.mounted.items():
        places[part] = file.at(*path, "mounted", part, key=True)
        for slot in range(len(cards)):
            places[f"{part}.{slot + 1}"] = file.at(*path, "mounted", part, slot)
    for number, pilot in enumerate(shape.pilots):
        for index in range(len(pilot.skills)):
            place = file.at(*path, "pilots", number, "skills", index)
            places[f"pilots.{number + 1}.{index + 1}"] = place
    return Build(
        name=shape.name,
        frame=dict(shape.frame),
        mounted=lists(shape.mounted),
        pilots=tuple(shape.pilots),
        where=file.at(*path, "name") if shape.name else file.at(*path),
        places=places,
    )


def _refer_rulings(reading: Reading, game: Game) -> None:
    for ruling in game.rulings:
        for rule in ruling.rules:
            reading.refer("rule", rule, ruling.where)


def _known(game: Game, book: Rulebook) -> dict[str, Iterable[str]]:
    fields = {name for kind in game.kinds.values() for name in kind.fields}
    return {
        "source": game.sources,
        "part": game.parts,
        "figure": [figure.id for figure in game.figures],
        "variant": game.variants,
        "edition": game.editions,
        "kind": game.kinds,
        "field": fields,
        "column": {"id", "name", "kind", *fields},
        "card": {*game.cards, *game.cards_by_name},
        "board": game.boards,
        "mech": {*game.mechs, *(entry.deck for entry in game.decks)},
        "deck": {*game.deck_kinds, *(entry.deck for entry in game.decks)},
        "rule": book.rules,
        "layout": game.layouts,
        "placement": book.placements,
    }
