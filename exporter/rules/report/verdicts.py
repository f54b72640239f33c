"""What the rules say of one build: that it is legal, that it is not, or that nobody can tell.

A build that could not be read whole is not legal for all that was found: what is unknown of it may
break a rule. It is illegal all the same where a fault stands that nothing unknown can undo.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    Problem,
    Severity,
    SourceLocation,
    errors,
    listed,
    nearest,
    notice_at,
    problem_at,
)
from exporter.model import (
    Build,
    Game,
    Name,
)
from exporter.model.game_names import frame_words
from exporter.model.mech import Waiver
from exporter.model.rule_records import Regulation
from exporter.rules.figures import Total
from exporter.rules.kind import (
    OfDecks,
    Rule,
    fault_problem,
)
from exporter.rules.kinds.build_kinds import Frame
from exporter.rules.project import Project
from exporter.rules.rulebook import (
    Found,
    Judgement,
    Rulebook,
    apply_rules,
    choose_regulation,
)
from exporter.rules.subjects import (
    ANY_NUMBER,
    CardPool,
    FrameChoice,
    Subject,
    lay_out,
    lay_out_brought,
)


class CheckOptions(Struct, frozen=True, kw_only=True):
    """How to check: the regulation and the day, both as asked for; boxes owned.

    An empty ``regulation`` leaves it to each build, and then to the game; no ``boxes`` are all.
    """

    regulation: str = ""
    on: str = ""
    boxes: tuple[str, ...] = ()


class Verdict(Struct, frozen=True):
    """What a check says of one build, judged under a ``regulation`` by its name.

    ``problems`` stand against it, ``waived`` are faults that a waiver covers. ``reasons`` are what
    keeps it from being read or judged whole; ``proven`` says that it is illegal whatever that is.
    ``brought`` is what the rules looked at; nothing where its frame is unknown. ``book`` holds the
    rules that it was judged by, ``looked`` the ids of those that had anything to look at;
    ``in_force`` is its regulation, as far as anybody can tell.
    """

    build: Build
    regulation: str
    book: Rulebook
    problems: tuple[Problem, ...]
    reasons: tuple[Problem, ...] = ()
    proven: bool = False
    notices: tuple[Problem, ...] = ()
    waived: tuple[tuple[Problem, Waiver], ...] = ()
    brought: tuple[CardPool, ...] = ()
    looked: Set[str] = frozenset()
    printed: bool = False
    in_force: Regulation | None = None

    @property
    def legal(self) -> bool | None:
        """Whether nothing but what is waived stands against it; nothing where nobody can tell."""
        if self.reasons and not self.proven:
            return None
        return not (self.problems or self.reasons)

    @property
    def totals(self) -> Mapping[str, Total] | None:
        """Its figures, as far as they can be had."""
        return self.brought[0].totals if self.brought else None


# Stands for a rule about frames in a game that has none.
_NO_RULE = Rule(id="FRAME", title=Name(""), status="checked", kind=Frame())


def _names(build: Build) -> Iterator[tuple[str, SourceLocation]]:
    """Find the names of all cards and skills of a build, and where they stand."""
    for rows in build.decks.values():
        yield from ((row.card, row.where) for row in rows)
    yield from ((name, where) for _, _, name, where in build.cards())
    yield from ((name, where) for _, name, where in build.skills())


def _unknown_names(game: Game, build: Build) -> Iterator[Problem]:
    """Find names that are no card although nobody is to blame: the game's own row cannot be
    read."""
    blamed = {(problem.where.file, problem.where.line) for problem in build.unread}
    for name, where in _names(build):
        is_blamed = (where.file, where.line) in blamed
        if name != UNREADABLE and game.card(name) is None and not is_blamed:
            yield problem_at(where, "UNREAD", "unknown", name=name)


def _frame_fault(choice: FrameChoice, book: Rulebook) -> Found:
    """Find what is wrong with a frame that there is not, by the game's own rule where it has
    one."""
    faults = apply_rules(choice, book.rules.values()).faults
    return (faults or apply_rules(choice, [_NO_RULE]).faults)[0]


def refuse_unknown_frame(game: Game, book: Rulebook, build: Build) -> None:
    """Raise ``InvalidSource`` for a build with parts whose frame there is not: without one it has
    no figures, and whatever asks for these would be blamed instead."""
    choice = FrameChoice(game, build)
    if build.has_parts and choice.unknown is not None:
        rule, fault = _frame_fault(choice, book)
        raise InvalidSource([fault_problem(game, fault, rule)])


def _without_frame(book: Rulebook, build: Build, choice: FrameChoice) -> Judgement:
    """Find what the rules say of a frame that there is not, or why nobody can tell which it is.

    A word that is in no frame is misspelt; words that are in no frame together break a rule.
    """
    rule, fault = _frame_fault(choice, book)
    words = frame_words(choice.game).items()
    if rule is not _NO_RULE and all(build.frame.get(key) in known for key, known in words):
        return Judgement([(rule, fault)], [], {rule.id})
    is_known = any(problem.where == fault.where for problem in build.unread)
    is_known = is_known or UNREADABLE in build.frame.values()
    reasons = [] if is_known else [fault_problem(choice.game, fault, rule)]
    return Judgement([], reasons, {rule.id})


def _findings(
    game: Game,
    book: Rulebook,
    build: Build,
    options: CheckOptions,
    claims: Mapping[str, int] | None,
) -> tuple[Judgement, Sequence[CardPool]]:
    """Find what the rules say of a build that may not have been read whole, and what they looked
    at."""
    brought: list[CardPool] = []
    subjects: list[Subject] = []
    if build.is_empty_deck:
        empty = problem_at(build.where, "EMPTY", "deck", name=build.name)
        return Judgement([], [] if build.unread else [empty], set()), ()
    if build.has_parts:
        choice = FrameChoice(game, build)
        if choice.unknown is not None:
            return _without_frame(book, build, choice), ()
        subjects.append(choice)
        brought.append(lay_out(game, build, book.placements, options.boxes, claims, options.on))
    if build.decks:
        brought.append(lay_out_brought(game, build, options.boxes, options.on))
    countable = {where for name, where in _names(build) if game.card(name) is None}
    if not {problem.where for problem in build.unread} <= countable:
        brought = [replace(one, unread=ANY_NUMBER) for one in brought]
    answers = [apply_rules(one, book.rules.values()) for one in (*subjects, *brought)]
    looked = set().union(*(one.looked for one in answers))
    reasons = [problem for one in answers for problem in one.problems]
    if not looked and not build.unread and not build.has_parts:
        others = dict.fromkeys(
            deck
            for rule in book.rules.values()
            if isinstance(rule.kind, OfDecks)
            for deck in rule.kind.decks
        )
        key, decks = "no-rule-asked-of-deck" if others else "no-rule-asked", listed(others)
        reasons.append(problem_at(build.where, "EMPTY", key, name=build.name, decks=decks))
    return Judgement([fault for one in answers for fault in one.faults], reasons, looked), brought


def _waiver_problems(book: Rulebook, build: Build, broken: Set[str]) -> Iterator[Problem]:
    """Find what is wrong with waivers: those of no rule, and those that cover nothing."""
    for waiver in build.waivers:
        rule, where = waiver.rule, waiver.where
        if rule in broken or rule == UNREADABLE:
            continue
        if rule in book.rules:
            yield notice_at(where, "WAIVER", "idle", waived=rule)
        else:
            near = nearest(rule, book.rules)
            yield problem_at(where, "WAIVER", "no-rule-waive", waived=rule, nearest=near)


def judge(
    game: Game,
    book: Rulebook,
    build: Build,
    regulation: str,
    options: CheckOptions,
    claims: Mapping[str, int] | None = None,
    uncertain: Sequence[Problem] = (),
) -> Verdict:
    """Judge one build under a regulation; ``book`` holds the rules that are in force there.

    ``uncertain`` is what is unknown besides the build, such as its regulation: any fault might be
    none, and no fault is proof.
    """
    (faults, reasons, looked), brought = _findings(game, book, build, options, claims)
    unknown = _unknown_names(game, build)
    found = [(fault_problem(game, fault, rule), fault) for rule, fault in faults]
    waivers = {waiver.rule: waiver for waiver in build.waivers}
    kept = [(problem, fault) for problem, fault in found if problem.rule not in waivers]
    problems = [problem for problem, _ in kept]
    problems += _waiver_problems(book, build, {problem.rule for problem, _ in found})
    return Verdict(
        build=build,
        regulation=regulation,
        book=book,
        problems=tuple(dict.fromkeys(errors(problems))),
        reasons=tuple(dict.fromkeys([*uncertain, *build.unread, *unknown, *reasons])),
        proven=not uncertain
        and UNREADABLE not in waivers
        and any(fault.steadfast for _, fault in kept),
        notices=tuple(one for one in problems if one.severity is not Severity.ERROR),
        waived=tuple(
            (problem, waivers[problem.rule]) for problem, _ in found if problem.rule in waivers
        ),
        brought=tuple(brought),
        looked=looked,
    )


def rules_for(
    book: Rulebook, build: Build, options: CheckOptions
) -> tuple[Regulation | None, Rulebook, tuple[Problem, ...]]:
    """Find the regulation of a build, and the rules in force under it.

    Where nobody can tell which that is, the rules are those that all of them leave alone, and
    problems say why.
    """
    unclear: tuple[Problem, ...] = build.unread
    if options.regulation or build.regulation != UNREADABLE:
        where = build.places.get("regulation", build.where)
        try:
            asked = options.regulation or build.regulation
            regulation = choose_regulation(book, asked, options.on, where)
            return regulation, book.under(regulation), ()
        except InvalidSource as error:
            unclear = error.problems
    return None, book.under_any(), unclear


def judge_build(project: Project, build: Build, options: CheckOptions = CheckOptions()) -> Verdict:
    """Judge a player's build under its own regulation, with the errata of the day asked about.

    Places in it are those that it came with.
    """
    regulation, book, unclear = rules_for(project.book, build, options)
    asked = "?" if build.regulation == UNREADABLE else build.regulation
    name = asked if regulation is None else str(regulation)
    uncertain = (*project.uncertain, *unclear)
    verdict = judge(project.on(options.on), book, build, name, options, uncertain=uncertain)
    return replace(verdict, in_force=regulation)
