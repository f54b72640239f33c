"""A whole check: a game's own data and players' builds judged by its rules, as one report.

Pure: values in, values out. Every fault at once, in a stable order, each stamped with its rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from exporter.core.messages import Joined
from exporter.core.problems import (
    UNREADABLE,
    InvalidSource,
    Problem,
    Severity,
    SourceLocation,
    problem_at,
)
from exporter.faces.data_version import without_version
from exporter.model import (
    Erratum,
    Game,
    Name,
)
from exporter.model.mech import Build
from exporter.model.rule_records import Regulation
from exporter.rules.errata import corrected
from exporter.rules.judging import (
    faults_of,
    subjects_of,
    used_rules,
)
from exporter.rules.kind import (
    Rule,
    RuleStatus,
    fault_problem,
)
from exporter.rules.loadouts import without_rows
from exporter.rules.project import Project
from exporter.rules.report.cases import (
    CaseCount,
    run_cases,
)
from exporter.rules.report.verdicts import (
    CheckOptions,
    Verdict,
    judge,
)
from exporter.rules.rulebook import Rulebook, choose_regulation
from exporter.rules.subjects import (
    FrameChoice,
    Subject,
)


class Report(Struct, frozen=True):
    """What a check says, under the regulations that were used.

    ``problems`` are the game's own, ``not_checked`` the rules that it left to people, and ``idle``
    those that had nothing to look at; ``counts`` tells them apart. ``cases`` counts those that were
    asked for.
    """

    game: Game
    regulations: tuple[Regulation, ...]
    builds: tuple[Verdict, ...]
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...]
    counts: Mapping[RuleStatus, int]
    not_checked: tuple[Rule, ...]
    idle: tuple[Rule, ...]
    clauses: tuple[Name, ...]
    cases: CaseCount
    sound: bool = True

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """Every problem and notice once, sorted."""
        found = {*self.problems, *self.notices}
        for verdict in self.builds:
            found.update(verdict.problems, verdict.reasons, verdict.notices)
        return tuple(sorted(found))

    @property
    def passed(self) -> bool:
        """Whether the game is sound, every build legal and no case left out."""
        found_wrong = self.problems or self.cases.not_run or not self.sound
        return not found_wrong and all(verdict.legal for verdict in self.builds)


def layers_on(game: Game, on: str) -> tuple[tuple[Erratum, ...], tuple[Erratum, ...]]:
    """Choose the errata that hold on a day, and tell those of them whose date nobody knows."""
    if not on:
        return game.errata, ()
    undated = tuple(erratum for erratum in game.errata if erratum.date == "unknown")
    return tuple(one for one in game.errata if one in undated or one.date <= on), undated


def _game_problems(game: Game, book: Rulebook) -> tuple[list[Problem], set[str]]:
    """Find what stands against the game's own decks, rooms and cards, and the rules that looked at
    any of them."""
    problems: list[Problem] = []
    subjects: list[Subject] = []
    try:
        for subject in subjects_of(game, book.placements):
            subjects.append(subject)
            found, wrong = faults_of(subject, book.rules.values())
            problems += [fault_problem(fault, rule) for rule, fault in found]
            problems += wrong
    except InvalidSource as error:
        problems += error.problems
    return problems, used_rules(subjects, book.rules.values())


def _decks_that_follow(game: Game) -> Iterator[Problem]:
    """Make a notice for each mech whose deck is written down in part."""
    written = {row.deck for row in game.decks}
    for mech, missing in without_rows(game):
        if mech.code not in written:  # its loadouts are enough
            continue
        variants = Joined(tuple(variant.name for variant in missing), "・")
        notice = Severity.NOTICE
        yield problem_at(
            mech.where, "DECK-ROWS", "no-rows", severity=notice, mech=mech.name, variants=variants
        )


def regulation_of(
    book: Rulebook, entry: Build, options: CheckOptions
) -> tuple[Regulation | None, tuple[Problem, ...]]:
    """Find the regulation of a build; nothing, and why, where nobody can tell which."""
    where = entry.places.get("regulation", entry.where)
    if not options.regulation and entry.regulation == UNREADABLE:
        return None, entry.unread
    try:
        asked = options.regulation or entry.regulation
        return choose_regulation(book, asked, options.on, where), ()
    except InvalidSource as error:
        return None, error.problems


def judge_entry(
    game: Game,
    book: Rulebook,
    entry: Build,
    options: CheckOptions,
    doubts: Sequence[Problem] = (),
) -> tuple[Verdict, Regulation | None, Rulebook]:
    """Judge a player's build under its regulation; return that and the rules in force, too.

    Where nobody can tell the regulation, the rules count that all of them leave alone.
    """
    regulation, unknown = regulation_of(book, entry, options)
    rules = book.under_any() if regulation is None else book.under(regulation)
    asked = "?" if entry.regulation == UNREADABLE else entry.regulation
    name = asked if regulation is None else str(regulation)
    verdict = judge(game, rules, entry, name, options, doubts=(*doubts, *unknown))
    return verdict, regulation, rules


def _of_the_game(book: Rulebook, options: CheckOptions, *, needed: bool) -> Regulation | None:
    """Find the regulation that was asked for, or the game's own; builds may do without that one.

    Raises ``InvalidSource`` for an unknown one.
    """
    try:
        return choose_regulation(book, options.regulation, options.on)
    except InvalidSource:
        if needed or options.regulation:
            raise
        return None


def _used(game: Game, book: Rulebook, verdict: Verdict, known: Set[str]) -> set[str]:
    """Find the rules that had anything to look at in a build, besides those ``known`` to."""
    rules = [rule for rule in book.rules.values() if rule.id not in known]
    choices = [FrameChoice(game, verdict.build)] if verdict.build.has_parts else []
    return used_rules([*choices, *verdict.brought], rules)


def judge_build(project: Project, entry: Build, options: CheckOptions = CheckOptions()) -> Verdict:
    """Judge one build; places in it are those that it came with."""
    game = project.corrected
    if options.on:
        game = corrected(project.game, layers_on(project.game, options.on)[0])
    return judge_entry(game, project.book, entry, options, project.doubts)[0]


def check(
    project: Project,
    entries: Sequence[Build] = (),
    options: CheckOptions = CheckOptions(),
    *,
    own_data: bool = True,
    with_cases: bool = False,
) -> Report:
    """Check the game's own data (with ``own_data``), its cases and the entries by the rules.

    Of a game that is not ``sound`` nothing of its own is judged and no case is run. Raises
    ``InvalidSource`` for an unknown regulation.
    """
    book, sound, doubts = project.book, project.sound, project.doubts
    layers, undated = layers_on(project.game, options.on)
    game = corrected(project.game, layers)
    regulation = _of_the_game(book, options, needed=(own_data and sound) or not entries)
    in_force = book.under(regulation)
    regulations: dict[str, Regulation] = {}
    rules: dict[str, Rule] = {}
    verdicts: list[Verdict] = []
    problems: list[Problem] = []
    notices: list[Problem] = []
    used: set[str] = set()
    cases = CaseCount(0, 0, 0)
    if own_data:
        notices += project.game.notices
    if own_data and sound:
        notices += _decks_that_follow(game)
        problems, used = _game_problems(game, in_force)
        everything = replace(options, boxes=())
        for mech in game.mechs.values():
            for variant, loadout in mech.loadouts.items():
                named = replace(loadout, name=f"{mech.title} {game.variants[variant].name}")
                verdict = judge(game, in_force, named, str(regulation), everything, mech.printed)
                verdicts.append(replace(verdict, printed=True))
                used |= _used(game, in_force, verdict, used)
        notices += without_version(game)
    if own_data and with_cases:
        cases, failed, not_shown = run_cases(project.corrected, book, run=sound)
        problems += failed
        notices += not_shown
    for entry in entries:
        verdict, own, its_rules = judge_entry(game, book, entry, options, doubts)
        verdicts.append(verdict)
        used |= _used(game, its_rules, verdict, used)
        rules = {**its_rules.rules, **rules}
        if own is not None:
            regulations[str(own)] = own
    if regulation is not None and (own_data or not regulations):
        regulations = {str(regulation): regulation} | regulations
        rules = {**rules, **in_force.rules}
    if undated:
        ids = ", ".join(one.id for one in undated)
        where, notice = SourceLocation(undated[0].where.file), Severity.NOTICE
        notices.append(
            problem_at(where, "UNDATED", "undated", severity=notice, on=options.on, ids=ids)
        )
    return Report(
        game=game,
        regulations=tuple(regulations.values()),
        builds=tuple(verdicts),
        problems=tuple(sorted(set(problems))),
        notices=tuple(notices),
        counts=replace(book, rules=rules).counts(used),
        not_checked=tuple(rule for rule in rules.values() if rule.status != "checked"),
        idle=tuple(r for r in rules.values() if r.status_after(used) == "nothing-to-check"),
        clauses=tuple(clause for one in regulations.values() for clause in one.not_yet),
        cases=cases,
        sound=sound,
    )
