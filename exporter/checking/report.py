"""A whole check: a game's own data and players' builds held against its rules, as one report.

Pure: values in, values out. Every fault at once, in a stable order, each stamped with its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from exporter.checking.cases import not_shown, run_case
from exporter.dates import without_version
from exporter.model import Build, Erratum, Game, Name
from exporter.problems import InvalidSource, Problem, Severity, Where, nearest, told
from exporter.rules.bench import lay_out
from exporter.rules.book import (
    Entry,
    Regulation,
    Rule,
    Rulebook,
    Status,
    Waiver,
    choose_regulation,
)
from exporter.rules.errata import corrected
from exporter.rules.faults import said
from exporter.rules.judging import (
    Found,
    build_faults,
    card_faults,
    deck_faults,
    decks_of,
    frame_faults,
    room_faults,
)
from exporter.rules.loadouts import without_rows
from exporter.rules.totals import Total


class Verdict(Struct, frozen=True):
    """What a check says of one build. ``waived`` are its faults that a waiver covers."""

    build: Build
    regulation: Regulation
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...] = ()
    waived: tuple[tuple[Problem, Waiver], ...] = ()
    totals: Mapping[str, Total] | None = None
    printed: bool = False

    @property
    def legal(self) -> bool:
        """Whether nothing but what is waived stands against it."""
        return not self.problems


class Report(Struct, frozen=True):
    """What a check says, under the regulations that were used.

    ``problems`` are the game's own, ``not_checked`` what it left to people; ``cases`` says how many
    cases were run, and how many of them held.
    """

    game: Game
    regulations: tuple[Regulation, ...]
    language: str
    builds: tuple[Verdict, ...]
    problems: tuple[Problem, ...]
    notices: tuple[Problem, ...]
    counts: Mapping[Status, int]
    not_checked: tuple[Rule, ...]
    clauses: tuple[Name, ...]
    cases: tuple[int, int] = (0, 0)

    @property
    def all_problems(self) -> tuple[Problem, ...]:
        """Every problem and notice once, sorted."""
        found = {*self.problems, *self.notices}
        for verdict in self.builds:
            found.update(verdict.problems, verdict.notices)
        return tuple(sorted(found))

    @property
    def passed(self) -> bool:
        """Whether the game is sound and every build legal."""
        return not self.problems and all(verdict.legal for verdict in self.builds)


class Wish(Struct, frozen=True, kw_only=True):
    """How to check: the regulation and the day, both as asked for; boxes owned; ``ja`` or ``en``.

    An empty ``regulation`` leaves it to each build, and then to the game; no ``boxes`` are all.
    """

    regulation: str = ""
    on: str = ""
    boxes: tuple[str, ...] = ()
    language: str = "ja"


_UNDATED = {
    "ja": (
        "{on}に出ていたか分からない訂正: {ids}。日付が公開されていない。",
        "適用したまま調べた。",
    ),
    "en": (
        "Whether these corrections were out on {on} is unknown, as they have no date: {ids}.",
        "They were left applied.",
    ),
}
_LOOSE = {
    "ja": ("部位の決まっていない武装が{count}枚ある。", "部位に積む。suggestが置き場所を探す。"),
    "en": ("{count} cards have no part yet.", "Mount them; suggest looks for places."),
}
_IDLE = {
    "ja": ("{rule}の免除は、どの違反にも当たらない。", "要らなければ消す。"),
    "en": ("The waiver of {rule} covers no fault.", "Delete it if it is not needed."),
}


_NO_ROWS = {
    "ja": (
        "{mech}（{variants}）の行がdecks/にない。デッキは搭載と数値から作る。",
        "印刷されたデッキが分かっていれば、その行を加える。",
    ),
    "en": (
        "decks/ has no row for {mech} ({variants}): its deck follows from its loadout.",
        "Add the rows if the printed deck is known.",
    ),
}


def layers_on(game: Game, on: str) -> tuple[tuple[Erratum, ...], tuple[Erratum, ...]]:
    """The errata that hold on a day, and those of them whose date nobody knows."""
    if not on:
        return game.errata, ()
    undated = tuple(erratum for erratum in game.errata if erratum.date == "unknown")
    return tuple(one for one in game.errata if one in undated or one.date <= on), undated


def judge(
    game: Game,
    book: Rulebook,
    entry: Entry,
    regulation: Regulation,
    wish: Wish,
    claims: Mapping[str, int] | None = None,
) -> Verdict:
    """One build under a regulation; ``book`` holds the rules that are in force there."""
    build, language = entry.build, wish.language
    totals: Mapping[str, Total] | None = None
    faults, problems = list(frame_faults(game, book, build)), list[Problem]()
    if not faults:
        try:
            bench = lay_out(game, build, book.placements, wish.boxes, claims)
            faults, problems = build_faults(bench, book)
            totals = bench.totals
        except InvalidSource as error:
            problems += error.problems
    found = [said(fault, rule, language) for rule, fault in faults]
    waivers = {waiver.rule: waiver for waiver in entry.waivers}
    kept = [problem for problem in found if problem.rule not in waivers]
    idle = [one for one in entry.waivers if one.rule not in {problem.rule for problem in found}]
    notices = [problem for problem in kept if problem.severity is not Severity.ERROR]
    for waiver in idle:
        if waiver.rule not in book.rules:
            message = f"There is no rule {waiver.rule!r} to waive."
            hint = nearest(waiver.rule, book.rules)
            problems.append(Problem(waiver.where, "WAIVER", message, hint))
            continue
        message, hint = _IDLE[language]
        message = message.format(rule=waiver.rule)
        notices.append(Problem(waiver.where, "WAIVER", message, hint, Severity.NOTICE))
    problems += [problem for problem in kept if problem.severity is Severity.ERROR]
    if entry.loose:
        message, hint = _LOOSE[language]
        where = build.places.get("weapons", build.where)
        problems.append(Problem(where, "PARTS", message.format(count=len(entry.loose)), hint))
    return Verdict(
        build=build,
        regulation=regulation,
        problems=tuple(dict.fromkeys(problems)),
        notices=tuple(notices),
        waived=tuple(
            (problem, waivers[problem.rule]) for problem in found if problem.rule in waivers
        ),
        totals=totals,
    )


def printed_entries(game: Game) -> list[tuple[Entry, Mapping[str, int]]]:
    """Every printed loadout as if it were handed in, with the figures printed with it."""
    found = []
    for mech in game.mechs.values():
        for variant, build in mech.loadouts.items():
            name = f"{mech.name} {game.variants[variant].name}"
            found.append((Entry(build=replace(build, name=name)), mech.printed))
    return found


def _game_problems(game: Game, book: Rulebook, language: str) -> list[Problem]:
    """What stands against the game's own decks, rooms and cards."""
    problems: list[Problem] = []
    passes: Sequence[Callable[[], Iterable[Found]]] = (
        lambda: deck_faults(decks_of(game, book.placements), book),
        lambda: room_faults(game, game.rooms.values(), book),
        lambda: card_faults(game, game.cards, book),
    )
    for faults in passes:
        try:
            problems += [said(fault, rule, language) for rule, fault in faults()]
        except InvalidSource as error:
            problems += error.problems
    return problems


def _decks_that_follow(game: Game, language: str) -> Iterator[Problem]:
    """A notice for each mech whose deck nobody wrote down."""
    sentence, hint = _NO_ROWS[language]
    for mech, missing in without_rows(game):
        variants = "・".join(variant.name.in_language(language) for variant in missing)
        yield told(
            mech.where,
            "DECK-ROWS",
            sentence,
            hint,
            Severity.NOTICE,
            mech=mech.name,
            variants=variants,
        )


def check(
    game: Game,
    book: Rulebook,
    entries: Sequence[Entry] = (),
    wish: Wish = Wish(),
    *,
    own_data: bool = True,
    with_cases: bool = False,
) -> Report:
    """The game's own data (with ``own_data``), its cases and the entries held against the rules.

    Raises ``InvalidSource`` for an unknown regulation.
    """
    layers, undated = layers_on(game, wish.on)
    printed_game, game = game, corrected(game, layers)
    regulation = choose_regulation(book, wish.regulation, wish.on)
    under = {str(regulation): book.under(regulation)}
    verdicts: list[Verdict] = []
    problems: list[Problem] = []
    notices: list[Problem] = []
    failed: list[list[Problem]] = []
    if own_data:
        notices += _decks_that_follow(game, wish.language)
        problems += _game_problems(game, under[str(regulation)], wish.language)
        for entry, printed in printed_entries(game):
            everything = replace(wish, boxes=())
            verdict = judge(game, under[str(regulation)], entry, regulation, everything, printed)
            verdicts.append(replace(verdict, printed=True))
        notices += without_version(game)
    if with_cases:
        whole = corrected(printed_game) if wish.on else game
        failed = [wrong for case in book.cases if (wrong := run_case(whole, book, case))]
        problems += [problem for wrong in failed for problem in wrong]
        notices += not_shown(book)
    for entry in entries:
        own, unknown = regulation, tuple[Problem, ...]()
        if entry.regulation and not wish.regulation:
            where = entry.build.places.get("regulation", entry.build.where)
            try:
                own = choose_regulation(book, entry.regulation, wish.on, where)
            except InvalidSource as error:
                unknown = error.problems
        under.setdefault(str(own), book.under(own))
        verdict = judge(game, under[str(own)], entry, own, wish)
        verdicts.append(replace(verdict, problems=(*unknown, *verdict.problems)))
    if undated:
        message, hint = _UNDATED[wish.language]
        message = message.format(on=wish.on, ids=", ".join(one.id for one in undated))
        where = Where(undated[0].where.file)
        notices.append(Problem(where, "UNDATED", message, hint, Severity.NOTICE))
    used = {str(one): one for one in (verdict.regulation for verdict in verdicts)}
    used = used or {str(regulation): regulation}
    held = replace(
        book, rules={key: rule for name in used for key, rule in under[name].rules.items()}
    )
    return Report(
        game=game,
        regulations=tuple(used.values()),
        language=wish.language,
        builds=tuple(verdicts),
        problems=tuple(sorted(set(problems))),
        notices=tuple(notices),
        counts=held.counts(),
        not_checked=tuple(rule for rule in held.rules.values() if rule.status != "checked"),
        clauses=tuple(clause for one in used.values() for clause in one.not_yet),
        cases=(len(book.cases), len(book.cases) - len(failed)),
    )
