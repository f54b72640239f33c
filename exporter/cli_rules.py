"""The commands about rules: check, explain, suggest."""

from __future__ import annotations

import functools
import gc
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from exporter import console
from exporter.source import is_build_file

if TYPE_CHECKING:
    from exporter.checking.opened import Opened
    from exporter.checking.report import Report
    from exporter.checking.verdicts import Wish
    from exporter.problems import Problem
    from exporter.rules.book import Entry

P = ParamSpec("P")


def _uncollected(command: Callable[P, None]) -> Callable[P, None]:
    """A command without garbage collection: it makes many values and throws few of them away."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        enabled = gc.isenabled()
        gc.disable()
        try:
            command(*args, **kwargs)
        finally:
            if enabled:
                gc.enable()

    return run


_LANG = click.option(
    "--lang", type=click.Choice(["ja", "en"]), help="The language; by default the locale's."
)
_REGULATION = click.option(
    "--regulation",
    default="",
    metavar="NAME[@VERSION]",
    help="Hold everything to this; by default what a build names, or the game's own default.",
)
_ON = click.option(
    "--on", default="", metavar="DATE", help="What was in force on this day: 2026-01-31."
)
_BOXES = click.option("--boxes", default="", metavar="A,B", help="The boxes owned; by default all.")


def language() -> str:
    """``ja`` or ``en``, by the locale of whoever calls."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return "ja" if os.environ[name].lower().startswith("ja") else "en"
    return "en"


def _wish(game: Any, regulation: str, on: str, boxes: str, lang: str | None) -> Wish:
    from exporter.checking.verdicts import Wish

    owned = console.words(boxes)
    if owned:
        from exporter.rooms.orders import owned_editions

        owned_editions(game, owned)
    return Wish(
        regulation=regulation, on=console.day(on, "--on"), boxes=owned, language=lang or language()
    )


def _opened(
    things: Sequence[str], every: bool, source: Path | None, *, with_cases: bool = False
) -> tuple[dict[Path, Opened], list[Path], dict[Path, list[Path]], list[Problem]]:
    """Games by folder, those that were named, files of builds by their game's folder, faults.

    A file that names no game belongs to the only one that is named.
    """
    from exporter.checking.opened import open_game, why_no_game
    from exporter.places import source_folders
    from exporter.problems import Faults, InvalidSource
    from exporter.source import find_game, game_folders, game_of_builds

    folders = source_folders(source)
    named = list(game_folders(folders)) if every else []
    opened: dict[Path, Opened] = {}
    files: dict[Path, list[Path]] = {}
    faults = Faults()
    for thing in things:
        if not is_build_file(thing):
            with faults.gathered():
                named.append(find_game(thing, folders))
    for folder in named:
        with faults.gathered():
            opened[folder] = open_game(folder, with_cases=with_cases)
    for thing in filter(is_build_file, things):
        with faults.gathered():
            game = game_of_builds(Path(thing))
            home = next((one for one in opened if opened[one].game.id == game), None)
            if home is None and not game:
                if len(named) != 1:
                    raise InvalidSource([why_no_game(Path(thing))])
                home = named[0]
            if home is None:
                home = find_game(game, folders)
                opened[home] = open_game(home)
            files.setdefault(home, []).append(Path(thing))
    return opened, named, files, list(faults.problems)


def _entries(opened: Opened, paths: Sequence[Path]) -> tuple[list[Entry], list[Problem]]:
    from exporter.checking.opened import open_entries

    entries: list[Entry] = []
    problems: list[Problem] = []
    for path in paths:
        found, wrong = open_entries(opened, path)
        entries += found
        problems += wrong
    return entries, problems


def _write_page(path: Path, reports: Sequence[Report], problems: Sequence[Problem]) -> None:
    from exporter.checking.page import report_page
    from exporter.writing import write_whole

    write_whole({path: report_page(reports, problems).encode()})


@click.command()
@click.argument("things", metavar="[GAME|FILE]…", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every game that is found.")
@click.option("--cases", is_flag=True, help="Also run the games' cases: what they claim comes out.")
@click.option("--looks", is_flag=True, help="Also say what on paper is hard to read or tell apart.")
@_REGULATION
@_ON
@_BOXES
@_LANG
@console.FORMAT
@click.option(
    "--report",
    "page",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.html",
    help="Also write a page with one row a build.",
)
@console.SOURCE
@_uncollected
def check(
    things: tuple[str, ...],
    every: bool,
    cases: bool,
    looks: bool,
    regulation: str,
    on: str,
    boxes: str,
    lang: str | None,
    form: str,
    page: Path | None,
    source: Path | None,
) -> None:
    """Hold games' data and players' builds against the rules, and plan all rooms and sheets.

    Every fault at once. A FILE holds builds as YAML documents, or as CSV with one weapon a row.
    """
    from exporter.checking.opened import check as run
    from exporter.checking.reporting import report_lines, reports_values, table_lines
    from exporter.making import Gathered
    from exporter.places import template_folders
    from exporter.printing.output import usual_workroom
    from exporter.problems import Faults, errors
    from exporter.rehearsal import Rehearsed, with_rehearsal
    from exporter.source.sheets import read_stationery

    if every == any(not is_build_file(thing) for thing in things) and (every or not things):
        raise click.UsageError("Name one or more games or files of builds, or give --all.")
    opened, named, files, problems = _opened(things, every, source, with_cases=cases)
    reports: list[Report] = []
    rehearsals: list[Rehearsed] = []
    stationery = read_stationery(template_folders("sheets"))
    faults = Faults()
    for folder, game in opened.items():
        entries, wrong = _entries(game, files.get(folder, ()))
        problems += [*game.problems, *wrong]
        wish = _wish(game.game, regulation, on, boxes, lang)
        whole = folder in named
        with faults.gathered():
            one = run(game, entries, wish, own_data=whole, with_cases=cases)
            if game.sound:
                found, room = Gathered(folder, game.game), usual_workroom()
                one, more = with_rehearsal(one, found, stationery, room, whole=whole, looks=looks)
                rehearsals += more
            reports.append(one)
    problems += faults.problems
    for one in reports:
        problems += one.all_problems
    problems = sorted(set(problems))
    if page:
        _write_page(page, reports, problems)
    if form == "json":
        looked_at = [each.values for each in rehearsals]
        console.echo_json({**reports_values(reports, problems), "planned": looked_at})
    else:
        console.report(problems)
        for one in reports:
            for line in report_lines(one):
                click.echo(console.shown_lines(line))
        for each in rehearsals:
            click.echo(each.said(lang or language()))
        for line in table_lines(reports) if len(reports) > 1 else ():
            click.echo(console.shown_lines(line))
    if errors(problems):
        raise SystemExit(1)


def _libraries(
    things: Sequence[str], source: Path | None, lang: str
) -> tuple[list[Any], list[str]]:
    """The games in which to look: the first word where it names one, otherwise all."""
    from exporter.checking.explanations import library
    from exporter.checking.opened import open_game
    from exporter.places import source_folders
    from exporter.problems import InvalidSource
    from exporter.source import find_game, game_folders

    folders = source_folders(source)
    words = list(things)
    chosen = list(game_folders(folders))
    names = {folder.name for folder in chosen}
    if len(words) > 1 and (words[0] in names or Path(words[0]).is_dir()):
        chosen = [find_game(words.pop(0), folders)]
    found = []
    for folder in chosen:
        try:
            opened = open_game(folder, with_cases=True)
        except InvalidSource:
            if len(chosen) == 1:
                raise
            continue
        if opened.problems and len(chosen) == 1:
            raise InvalidSource(opened.problems)
        found.append(library(opened.game, opened.book, lang))
    return found, words


def _chosen(libraries: Sequence[Any], thing: str) -> Any:
    """The one game that has a thing. Raises ``InvalidSource`` where none or several have it."""
    from exporter.checking.explaining import knows, names_of
    from exporter.problems import COMMAND_LINE, InvalidSource, Problem, nearest

    if len(libraries) == 1:
        return libraries[0]
    having = [library for library in libraries if knows(library, thing)]
    if len(having) == 1:
        return having[0]
    names = ", ".join(library.game.id for library in having or libraries)
    if having:
        message = f"Several games have {thing!r}: {names}."
        hint = f"Name one of them first: explain {having[0].game.id} {thing}."
    else:
        message = f"No game has {thing!r}. Looked in: {names}."
        hint = nearest(thing, [name for library in libraries for name in names_of(library)])
    raise InvalidSource([Problem(COMMAND_LINE, "EXPLAIN", message, hint)])


@click.command()
@click.argument("things", metavar="[GAME] THING [FIGURE]", nargs=-1, required=True)
@_LANG
@console.FORMAT
@console.SOURCE
@_uncollected
def explain(things: tuple[str, ...], lang: str | None, form: str, source: Path | None) -> None:
    """Say why: a rule, card, mech, file of builds, figure, erratum, ruling or regulation.

    With a FIGURE, its terms for a mech or build; for a weapon, its damage by distance.
    """
    from exporter.checking.explaining import explain as explained
    from exporter.checking.explaining import explain_build, explain_figure_of_build
    from exporter.checking.opened import open_entries, open_game, why_no_game
    from exporter.places import source_folders
    from exporter.problems import InvalidSource
    from exporter.source import find_game, game_of_builds

    if len(things) > 3:
        raise click.UsageError("Give at most three words: GAME THING FIGURE.")
    chosen = lang or language()
    words = list(things)
    file = next((word for word in words if is_build_file(word)), "")
    if file:
        from exporter.checking.explanations import library

        before = words[: words.index(file)]
        game = before[0] if before else game_of_builds(Path(file))
        if not game:
            raise InvalidSource([why_no_game(Path(file))])
        opened = open_game(find_game(game, source_folders(source)))
        entries, wrong = open_entries(opened, Path(file))
        if opened.problems or wrong:
            raise InvalidSource([*opened.problems, *wrong])
        lib = library(opened.game, opened.book, chosen)
        after = words[words.index(file) + 1 :]
        found = [
            explain_figure_of_build(lib, entry.build, after[0], entry.build.name)
            if after
            else explain_build(lib, entry.build)
            for entry in entries
        ]
    else:
        libraries, words = _libraries(words, source, chosen)
        if len(words) > 2:
            raise click.UsageError(f"{things[0]} is no game; give GAME THING FIGURE.")
        lib = _chosen(libraries, words[0])
        found = [explained(lib, *words)]
    if form == "json":
        values = [
            {
                "heading": one.heading,
                "sections": [
                    {"title": section.title, "lines": list(section.lines)}
                    for section in one.sections
                ],
            }
            for one in found
        ]
        console.report_json([], explanations=values)
        return
    for one in found:
        click.secho(console.shown_lines(one.heading), bold=True)
        for section in one.sections:
            if section.title:
                click.secho(f"{section.title}", fg="cyan")
            for line in console.table(section.lines):
                click.echo(console.shown_lines(f"  {line}"))


@click.command()
@click.argument("things", metavar="[GAME] FILE…", nargs=-1, required=True)
@_REGULATION
@_ON
@_BOXES
@_LANG
@console.FORMAT
@console.SOURCE
@_uncollected
def suggest(
    things: tuple[str, ...],
    regulation: str,
    on: str,
    boxes: str,
    lang: str | None,
    form: str,
    source: Path | None,
) -> None:
    """Find the smallest changes that make each build of a FILE legal, moves before removals.

    Cards under `weapons:` have no part yet; places are found for them.
    """
    from exporter.checking.suggesting import suggestion_lines, suggestion_values, suggestions
    from exporter.problems import InvalidSource

    if not any(is_build_file(thing) for thing in things):
        raise click.UsageError("Name one or more files of builds.")
    opened, _, files, problems = _opened(things, False, source)
    problems += [problem for game in opened.values() for problem in game.problems]
    if problems:
        raise InvalidSource(problems)
    found = []
    chosen = lang or language()
    for folder, game in opened.items():
        entries, wrong = _entries(game, files.get(folder, ()))
        problems += wrong
        wish = _wish(game.game, regulation, on, boxes, lang)
        found += suggestions(game.game, game.book, entries, wish)
    if form == "json":
        console.report_json(problems, suggestions=[suggestion_values(one) for one in found])
    else:
        console.report(sorted(problems))
        for one in found:
            for line in suggestion_lines(one, chosen):
                click.echo(console.shown_lines(line))
    if problems or not all(one.legal for one in found):
        raise SystemExit(1)
