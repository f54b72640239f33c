"""The commands that look at games, builds and rooms: check, verify, explain, list; and those for
who constructs: suggest, share, fits, odds, compare."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from exporter.cli import console
from exporter.core.problems import errors
from exporter.loader import is_build_file

_OPTIONS = (
    click.option("--regulation", default="", metavar="NAME[@VERSION]"),
    click.option("--on", default="", metavar="DATE", callback=console.as_day),
    console.BOXES,
)


def _check_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return the options that fill ``CheckOptions``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def _written_file(metavar: str, *names: str) -> Callable[[Any], Any]:
    return click.option(*names, type=click.Path(path_type=Path, dir_okay=False), metavar=metavar)


@click.command(cls=console.Watched)
@click.argument("things", metavar="[GAME|FILE]…", nargs=-1)
@click.option("--all", "every", is_flag=True)
@click.option("--cases", is_flag=True)
@click.option("--looks", is_flag=True)
@click.option("--together", is_flag=True)
@click.option("-v", "--verbose", is_flag=True)
@_check_options
@console.FORMAT
@_written_file("FILE.html", "--report", "page")
@_written_file("FILE.yaml", "--to")
@console.SOURCE
@console.TEMPLATE_LIMITS
def check(
    things: tuple[str, ...],
    every: bool,
    cases: bool,
    looks: bool,
    together: bool,
    verbose: bool,
    form: str,
    page: Path | None,
    to: Path | None,
    source: Path | None,
    **options: Any,
) -> None:
    """Check games' data and players' builds against the rules, and that all rooms and sheets can be
    made."""
    from exporter.app import checks
    from exporter.app.games import find_games
    from exporter.core.file_writer import write_whole
    from exporter.rules.report import report_formats
    from exporter.rules.report.verdicts import CheckOptions

    if every == any(not is_build_file(thing) for thing in things) and (every or not things):
        raise console.Misused("name-games-or-builds")
    found = checks.check(
        (*(find_games(source) if every else ()), *things),
        CheckOptions(**options),
        source=source,
        with_cases=cases,
        looks=looks,
        together=together,
    )
    language = console.language()
    if page:
        html = report_formats.report_page(found.reports, found.problems, language)
        write_whole({page: html.encode()})
    if to:
        if found.texts:
            write_whole({to: "---\n".join(found.texts).encode()})
        written = (one.has_parts for _, one in found.submitted if not one.unread)
        click.echo(f"{to}  {console.written_count(written)}", err=True)
    if form == "json":
        values = report_formats.reports_values(found.reports, found.problems, language)
        console.echo_json({**values, "planned": [each.values for each in found.dry_runs]})
    else:
        console.report_problems(found.problems)
        last = sys.stdout.isatty()  # what a terminal shows last is read first
        all_told = verbose or not any(map(is_build_file, things))
        planned = [
            each.line(language) for each in found.dry_runs if all_told and not errors(each.problems)
        ]
        problems = [
            line
            for one in found.reports
            for line in report_formats.report_lines(
                one, language, verbose=verbose, verdicts_last=last
            )
        ]
        console.show("\n".join([*planned, *problems] if last else [*problems, *planned]))
        if len(found.reports) > 1:
            console.show(*report_formats.table_lines(found.reports, language))
    if not found.passed:
        raise SystemExit(1)


def _game_first(words: tuple[str, ...], source: Path | None) -> tuple[str, tuple[str, ...]]:
    """``[GAME] THING…``: the first of several words is a game where it names one."""
    from exporter.app.games import find_games

    if len(words) > 1:
        first = words[0]
        if Path(first).is_dir() or first in {folder.name for folder in find_games(source)}:
            return first, words[1:]
    return "", words


def _situation(words: tuple[str, ...]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return what words such as ``NAME=VALUE`` say is so in play, and the other words."""
    given: dict[str, str] = {}
    others = words[:1]
    for word in words[1:]:
        name, _, value = word.replace("＝", "=", 1).partition("=")
        if name and value and not is_build_file(word):
            given[name] = value
        else:
            others += (word,)
    return given, others


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] THING [FIGURE|NAME=VALUE…]", nargs=-1, required=True)
@console.FORMAT
@console.SOURCE
def explain(things: tuple[str, ...], form: str, source: Path | None) -> None:
    """Explain a rule, card, mech, file of builds, figure, erratum, ruling or regulation, with its
    reasons and sources."""
    from exporter.app import queries

    given, words = _situation(things)
    if len(words) > 3:
        raise console.Misused("three-words")
    game, rest = _game_first(words, source)
    if not game and len(words) > 1 and is_build_file(words[1]):
        game, rest = words[0], words[1:]
    if len(rest) > 2:
        raise console.Misused("no-game", word=words[0])
    language = console.language()
    found = queries.explain(
        rest[0], *rest[1:], given=given, game=game, source=source, language=language
    )
    if form == "json":
        console.report_json([], explanations=to_builtins(found))
        return
    for one in found:
        click.secho(console.without_control_signs(one.heading), bold=True)
        for section in one.sections:
            if section.title:
                click.secho(f"{section.title}", fg="cyan")
            console.show(*(f"  {line}" for line in console.in_columns(section.lines)))


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] FILE…", nargs=-1, required=True)
@_check_options
@click.option("--write", is_flag=True)
@console.FORMAT
@console.SOURCE
def suggest(
    things: tuple[str, ...], write: bool, form: str, source: Path | None, **options: Any
) -> None:
    """Find the smallest changes that make each build of a FILE legal; moving is tried before
    removing."""
    from exporter.app import checks
    from exporter.rules.report.suggesting import suggestion_lines, suggestion_values
    from exporter.rules.report.verdicts import CheckOptions

    files = [thing for thing in things if is_build_file(thing)]
    console.refuse_misuse({"name-builds": not files, "write-one": write and len(files) > 1})
    found = checks.suggest(things, CheckOptions(**options), source=source)
    language = console.language()
    console.show_found(
        form,
        lambda: {"suggestions": [suggestion_values(one, language) for one in found.suggestions]},
        (line for one in found.suggestions for line in suggestion_lines(one, language)),
        found.problems,
    )
    if write:
        mended = checks.write_mended(files[0], found.suggestions)
        written = console.written_count(one.has_parts for one in mended.builds)
        click.echo(f"{mended.file}  {written}", err=form == "json")
    if not found.all_legal:
        raise SystemExit(1)


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] MECH|FILE…", nargs=-1, required=True)
@console.FORMAT
@console.SOURCE
def share(things: tuple[str, ...], form: str, source: Path | None) -> None:
    """Turn builds into codes short enough for a chat: em:…."""
    from exporter.app import queries

    game, things = _game_first(things, source)
    found = queries.share(things, game=game, source=source)
    console.show_found(form, lambda: {"builds": to_builtins(found)}, (one.line for one in found))


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] BUILD [PART]…", nargs=-1, required=True)
@click.option("--sort", default="rank,kinds,range", metavar="FIELD,…", callback=console.as_words)
@_check_options
@console.FORMAT
@console.SOURCE
def fits(
    things: tuple[str, ...], sort: tuple[str, ...], form: str, source: Path | None, **options: Any
) -> None:
    """Show what can still be mounted on a BUILD, on which parts, and why the rest cannot."""
    from exporter.app import queries
    from exporter.rules.report.fits import fits_lines, fits_values
    from exporter.rules.report.verdicts import CheckOptions

    game, (build, *parts) = _game_first(things, source)
    found = queries.fits(build, parts, CheckOptions(**options), by=sort, game=game, source=source)
    language = console.language()
    console.show_found(form, lambda: fits_values(found, language), fits_lines(found, language))


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] BUILD|DECK [CARD]…", nargs=-1, required=True)
@click.option("--hand", type=click.IntRange(0, 999))
@click.option("--turn", type=click.IntRange(0, 999))
@console.FORMAT
@console.SOURCE
def odds(
    things: tuple[str, ...], hand: int | None, turn: int | None, form: str, source: Path | None
) -> None:
    """Show the exact probability of having drawn each CARD, in the opening hand and after each
    turn."""
    from exporter.app import queries
    from exporter.rules.report.chances import odds_lines, odds_values

    game, (thing, *cards) = _game_first(things, source)
    found = queries.odds(thing, cards, hand=hand, turn=turn, game=game, source=source)
    lines = odds_lines(found, console.language())
    console.show_found(form, lambda: odds_values(found), lines)


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] BUILD BUILD…", nargs=-1, required=True)
@console.FORMAT
@console.SOURCE
def compare(things: tuple[str, ...], form: str, source: Path | None) -> None:
    """Compare builds side by side: figures, damage by distance, decks by kind."""
    from exporter.app import queries
    from exporter.rules.report import comparing

    game, things = _game_first(things, source)
    language = console.language()
    found = queries.compare(things, game=game, source=source, language=language)
    lines = comparing.comparison_lines(found, language)
    console.show_found(form, lambda: comparing.comparison_values(found), lines)


@click.command(cls=console.Command)
@click.argument("zips", metavar="ROOM.zip…", nargs=-1, required=True)
@console.FORMAT
def verify(zips: tuple[str, ...], form: str) -> None:
    """Check any room zip for what Udonarium would lose, hide or fail on."""
    from exporter.app import queries

    found = [problem for name in dict.fromkeys(zips) for problem in queries.verify(name)]
    verified = console.say("verified", zips=len(zips), found=console.tally(found))
    console.show_found(form, dict, [verified], found)
    console.end_for_errors(found)


@click.command("list", cls=console.Command)
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--decks", is_flag=True)
@click.option("--deck", metavar="NAME")
@console.SOURCE
@console.format_option("text", "json", "yaml")
def list_command(
    name: str | None, decks: bool, deck: str | None, source: Path | None, form: str
) -> None:
    """List the games, or one game's rooms, seats, mechs, boards, sheets, rules and samples."""
    from exporter.app import listing
    from exporter.app.games import find_games

    console.refuse_misuse(
        {
            "decks-of-what": (decks or deck) and not name,
            "one-deck-as-file": bool(deck) != (form == "yaml"),
        }
    )
    if deck and name:
        console.show(listing.deck_text(name, deck, source=source).removesuffix("\n"))
        return
    language = console.language()
    listed = listing.list_games(name or find_games(source), source=source, language=language)
    text = listing.listing_text(listed.games, language, whole=bool(name), decks=decks)
    console.show_found(form, lambda: {"games": listed.games}, text.splitlines(), listed.problems)
    console.end_for_errors(listed.problems)
