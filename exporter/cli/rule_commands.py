"""The commands about rules: check, explain, suggest."""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

import click
from msgspec import to_builtins

from exporter.cli import console
from exporter.cli.serve_command import Watched
from exporter.loader import is_build_file

if TYPE_CHECKING:
    from exporter.app.checks import Checked
    from exporter.core.problems import Problem
    from exporter.rules.report.check_report import Report
    from exporter.rules.report.verdicts import CheckOptions


P = ParamSpec("P")


def uncollected(command: Callable[P, None]) -> Callable[P, None]:
    """A command without garbage collection: it makes many values and throws few of them away.

    Afterwards they count as old, or all of them would be looked through at once.
    """

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        enabled = gc.isenabled()
        gc.disable()
        try:
            command(*args, **kwargs)
        finally:
            if enabled:
                gc.freeze()
                gc.unfreeze()
                gc.enable()

    return run


REGULATION = click.option(
    "--regulation",
    default="",
    metavar="NAME[@VERSION]",
)
ON = click.option("--on", default="", metavar="DATE")
BOXES = click.option("--boxes", default="", metavar="A,B")


def check_options(regulation: str, on: str, boxes: str) -> CheckOptions:
    from exporter.rules.report.verdicts import CheckOptions

    return CheckOptions(
        regulation=regulation,
        on=console.day(on, "--on"),
        boxes=console.words(boxes),
    )


def _write_page(path: Path, reports: Sequence[Report], problems: Sequence[Problem]) -> None:
    from exporter.core.file_writer import write_whole
    from exporter.rules.report.report_formats import report_page

    write_whole({path: report_page(reports, problems, console.language()).encode()})


def _write_builds(path: Path, found: Checked) -> None:
    from exporter.core.file_writer import write_whole

    if found.texts:
        write_whole({path: "---\n".join(found.texts).encode()})
    written = (one.has_parts for _, one in found.submitted if not one.unread)
    click.echo(f"{path}  {console.written(written)}", err=True)


@click.command(cls=Watched)
@click.argument("things", metavar="[GAME|FILE]…", nargs=-1)
@click.option("--all", "every", is_flag=True)
@click.option("--cases", is_flag=True)
@click.option("--looks", is_flag=True)
@click.option("--together", is_flag=True)
@click.option("-v", "--verbose", is_flag=True)
@REGULATION
@ON
@BOXES
@console.FORMAT
@click.option(
    "--report",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.html",
)
@click.option(
    "--to",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.yaml",
)
@console.SOURCE
@console.TEMPLATE_LIMITS
@uncollected
def check(
    things: tuple[str, ...],
    every: bool,
    cases: bool,
    looks: bool,
    together: bool,
    verbose: bool,
    regulation: str,
    on: str,
    boxes: str,
    form: str,
    page: Path | None,
    to: Path | None,
    source: Path | None,
) -> None:
    """Hold games' data and players' builds against the rules, and plan all rooms and sheets.

    Every fault at once. A FILE holds builds as YAML documents, as CSV with one weapon a row, or is
    a saved room, room.zip or room.zip#BENCH, with mechs on its benches.
    """
    from exporter.app import checks
    from exporter.app.games import find_games
    from exporter.rules.report.report_formats import (
        report_lines,
        reports_values,
        table_lines,
    )

    if every == any(not is_build_file(thing) for thing in things) and (every or not things):
        raise console.Misused("name-games-or-builds")
    games = map(str, find_games(source)) if every else ()
    options = check_options(regulation, on, boxes)
    found = checks.check(
        (*games, *things), options, source=source, with_cases=cases, looks=looks, together=together
    )
    language = console.language()
    if page:
        _write_page(page, found.reports, found.problems)
    if to:
        _write_builds(to, found)
    if form == "json":
        looked_at = [each.values for each in found.rehearsals]
        console.echo_json(
            {**reports_values(found.reports, found.problems, language), "planned": looked_at}
        )
    else:
        console.report(found.problems)
        last = sys.stdout.isatty()  # what a terminal shows last is read first
        all_told = verbose or not any(map(is_build_file, things))
        planned = [each.said(language) for each in found.rehearsals if all_told]
        told = [
            line
            for one in found.reports
            for line in report_lines(one, language, verbose=verbose, verdicts_last=last)
        ]
        console.show("\n".join([*planned, *told] if last else [*told, *planned]))
        for line in table_lines(found.reports, language) if len(found.reports) > 1 else ():
            console.show(line)
    if not found.passed:
        raise SystemExit(1)


def _gives(word: str) -> bool:
    """Whether a word says what is so in a situation of play."""
    name, equals, _ = word.replace("＝", "=", 1).partition("=")
    return bool(name and equals) and not is_build_file(word)


def names_game(word: str, source: Path | None) -> bool:
    """Whether the first of several words is a game: the folder of one, or its name."""
    from exporter.app.games import find_games

    return Path(word).is_dir() or word in {folder.name for folder in find_games(source)}


def _split(words: tuple[str, ...], source: Path | None) -> tuple[str, str, str]:
    """``[GAME] THING [FIGURE]``: the first of several is a game where it names one."""
    game = ""
    if len(words) > 1 and (is_build_file(words[1]) or names_game(words[0], source)):
        game, words = words[0], words[1:]
    if len(words) > 2:
        raise console.Misused("no-game", word=words[0])
    return game, words[0], words[1] if len(words) > 1 else ""


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] THING [FIGURE|NAME=VALUE…]", nargs=-1, required=True)
@console.FORMAT
@console.SOURCE
@uncollected
def explain(things: tuple[str, ...], form: str, source: Path | None) -> None:
    """Say why: a rule, card, mech, file of builds, figure, erratum, ruling or regulation.

    With a FIGURE, its terms for a mech or build; for a weapon, its damage by distance. With
    NAME=VALUE …, what a rule of play makes of such a situation.
    """
    from exporter.app.questions import explain as explained

    given = dict(word.replace("＝", "=", 1).split("=", 1) for word in things[1:] if _gives(word))
    things = (*things[:1], *(word for word in things[1:] if not _gives(word)))
    if len(things) > 3:
        raise console.Misused("three-words")
    game, thing, figure = _split(things, source)
    language = console.language()
    found = explained(thing, figure, given=given, game=game, source=source, language=language)
    if form == "json":
        console.report_json([], explanations=to_builtins(found))
        return
    for one in found:
        click.secho(console.shown_lines(one.heading), bold=True)
        for section in one.sections:
            if section.title:
                click.secho(f"{section.title}", fg="cyan")
            for line in console.table(section.lines):
                console.show(f"  {line}")


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] FILE…", nargs=-1, required=True)
@REGULATION
@ON
@BOXES
@click.option("--write", is_flag=True)
@console.FORMAT
@console.SOURCE
@uncollected
def suggest(
    things: tuple[str, ...],
    regulation: str,
    on: str,
    boxes: str,
    write: bool,
    form: str,
    source: Path | None,
) -> None:
    """Find the smallest changes that make each build of a FILE legal, moves before removals.

    Cards under `weapons:` have no part yet; places are found for them.
    """
    from exporter.app.checks import suggest as suggested
    from exporter.rules.report.suggesting import (
        suggestion_lines,
        suggestion_values,
    )

    files = [thing for thing in things if is_build_file(thing)]
    if not files:
        raise console.Misused("name-builds")
    if write and len(files) > 1:
        raise console.Misused("write-one")
    options = check_options(regulation, on, boxes)
    found = suggested(things, options, source=source)
    language = console.language()
    if form == "json":
        values = [suggestion_values(one, language) for one in found.suggestions]
        console.report_json(found.problems, suggestions=values)
    else:
        console.report(found.problems)
        for one in found.suggestions:
            for line in suggestion_lines(one, language):
                console.show(line)
    if write:
        from exporter.app.checks import write_mended

        mended = write_mended(files[0], found.suggestions)
        written = console.written(one.has_parts for one in mended.builds)
        click.echo(f"{mended.file}  {written}", err=form == "json")
    if not found.all_legal:
        raise SystemExit(1)


def game_first(words: tuple[str, ...], source: Path | None) -> tuple[str, tuple[str, ...]]:
    """``[GAME] THING…``: the first of several words is a game where it names one."""
    if len(words) > 1 and names_game(words[0], source):
        return words[0], words[1:]
    return "", words


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] MECH|FILE…", nargs=-1, required=True)
@console.FORMAT
@console.SOURCE
def share(things: tuple[str, ...], form: str, source: Path | None) -> None:
    """Print builds as lines short enough for a chat: em:….

    A thing is a mech (CODE[:VARIANT]), a FILE of builds, - for standard input, or a line. Check,
    explain, suggest and --mech take the lines.
    """
    from exporter.app.questions import share as shared

    game, things = game_first(things, source)
    found = shared(things, game=game, source=source)
    if form == "json":
        values = [{"name": one.name, "line": one.line, "text": one.text} for one in found]
        console.report_json([], builds=values)
    else:
        for one in found:
            click.echo(one.line)


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] BUILD [PART]…", nargs=-1, required=True)
@click.option("--sort", default="rank,kinds,range", metavar="FIELD,…")
@REGULATION
@ON
@BOXES
@console.FORMAT
@console.SOURCE
@uncollected
def fits(
    things: tuple[str, ...],
    sort: str,
    regulation: str,
    on: str,
    boxes: str,
    form: str,
    source: Path | None,
) -> None:
    """Say what can still be mounted on a BUILD, in which parts, and why the rest cannot.

    A BUILD is a mech (CODE[:VARIANT]), a file with one build, - or a line.
    """
    from exporter.app.questions import fits as fitting
    from exporter.rules.report.fits import (
        fits_lines,
        fits_values,
    )

    game, (build, *parts) = game_first(things, source)
    options = check_options(regulation, on, boxes)
    found = fitting(build, parts, options, by=console.words(sort), game=game, source=source)
    language = console.language()
    if form == "json":
        console.report_json([], **fits_values(found, language))
        return
    console.show_table(fits_lines(found, language))


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] BUILD|DECK [CARD]…", nargs=-1, required=True)
@click.option("--hand", type=click.IntRange(0, 999))
@click.option("--turn", type=click.IntRange(0, 999))
@console.FORMAT
@console.SOURCE
@uncollected
def odds(
    things: tuple[str, ...],
    hand: int | None,
    turn: int | None,
    form: str,
    source: Path | None,
) -> None:
    """Say how likely it is to hold each CARD at the beginning and after each turn; exact.

    Where a game discards the hand each round: to have it in hand in a round, and to have seen it by
    then. Also in which turn the deck is through. A BUILD is a mech (CODE[:VARIANT]), a file with
    one build or deck, - or a line.
    """
    from exporter.app.questions import odds as chances
    from exporter.rules.report.chances import (
        odds_lines,
        odds_values,
    )

    game, (thing, *cards) = game_first(things, source)
    found = chances(thing, cards, hand=hand, turn=turn, game=game, source=source)
    if form == "json":
        console.report_json([], **odds_values(found))
        return
    console.show_table(odds_lines(found, console.language()))


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] BUILD BUILD…", nargs=-1, required=True)
@click.option(
    "--plot",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.svg",
)
@console.FORMAT
@console.SOURCE
@uncollected
def compare(things: tuple[str, ...], plot: Path | None, form: str, source: Path | None) -> None:
    """Show builds side by side: figures, damage by distance, decks by kind.

    A BUILD is a mech (CODE[:VARIANT]), a file of builds, - or a line. The damage is that of all
    mounted cards together; in brackets stands how many of them hit.
    """
    from exporter.app.questions import compare as compared
    from exporter.rules.report import comparing

    game, things = game_first(things, source)
    language = console.language()
    found = compared(things, game=game, source=source, language=language)
    if plot is not None:
        from exporter.core.file_writer import write_whole
        from exporter.rules.report.report_formats import damage_plot

        write_whole({plot: damage_plot(found, language).encode()})
    if form == "json":
        console.report_json([], **comparing.comparison_values(found))
        return
    console.show_table(comparing.comparison_lines(found, language))
