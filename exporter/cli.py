"""The commands: options, progress, exit codes, and nothing else. Each is one call elsewhere.

Imports that take time stand inside the commands, so that help and usage errors come at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exporter import __version__

if TYPE_CHECKING:
    from exporter.build import Result
    from exporter.problems import Problem

_GAMES = click.argument("games", metavar="GAME…", nargs=-1)
_ALL = click.option("--all", "every", is_flag=True, help="Every game that is found.")
_SOURCE = click.option(
    "--source",
    type=click.Path(path_type=Path),
    help="A folder of games to look in first.",
)
_OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("output"),
    show_default=True,
    help="Where the files go.",
)
_FORMAT = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, or one JSON document for programs.",
)


def as_dict(problem: Problem) -> dict[str, Any]:
    """A problem as the JSON reports have it; lines and columns count from 1."""
    return {
        "severity": str(problem.severity),
        "rule": problem.rule,
        "file": problem.where.file,
        "line": problem.where.line or None,
        "column": problem.where.column or None,
        "message": problem.message,
        "hint": problem.hint,
        "cites": list(problem.cites),
    }


def report(problems: Iterable[Problem]) -> None:
    """Problems on standard error, one a line."""
    colours = {"error": "red", "warning": "yellow", "notice": "cyan"}
    for problem in problems:
        text = str(problem)
        word = str(problem.severity)
        coloured = click.style(word, fg=colours[word], bold=True)
        click.echo(text.replace(f" {word} ", f" {coloured} ", 1), err=True)


def report_json(problems: Sequence[Problem], **more: Any) -> None:
    """One JSON document on standard output."""
    counts = {"error": 0, "warning": 0, "notice": 0}
    for problem in problems:
        counts[str(problem.severity)] += 1
    document = {**more, "problems": [as_dict(problem) for problem in problems], "summary": counts}
    click.echo(json.dumps(document, ensure_ascii=False, indent=2))


def _folders(games: Sequence[str], every: bool, source: Path | None) -> list[Path]:
    from exporter.places import source_folders
    from exporter.source import find_game, game_folders

    if every == bool(games):
        raise click.UsageError("Name one or more games, or give --all.")
    if every:
        return list(game_folders(source_folders(source)))
    return [find_game(game, source_folders(source)) for game in games]


def _pairs(values: Sequence[str], option: str) -> dict[str, str]:
    pairs = {}
    for value in values:
        name, equals, wish = value.partition("=")
        if not (name and equals and wish):
            raise click.UsageError(f"{option} {value}: write it as SEAT=CODE or SEAT=CODE:VARIANT.")
        pairs[name] = wish
    return pairs


def _words(text: str, separator: str = ",") -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(separator) if word.strip())


def _progress() -> tuple[Any, Callable[[int, int], None] | None]:
    """A progress bar on a terminal, nothing in a pipe."""
    import contextlib

    if not sys.stderr.isatty():
        return contextlib.nullcontext(), None
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task("Painting", total=None)
    return bar, lambda done, total: bar.update(task, completed=done, total=total)


def _size(count: int) -> str:
    return f"{count / 1_000_000:.1f} MB" if count >= 100_000 else f"{count / 1000:.1f} kB"


def _told(result: Result) -> None:
    for made in result.made:
        cards = f"{made.cards} cards, " if made.cards else ""
        click.echo(f"{made.path}  {_size(made.size)}, {cards}{made.images} pictures")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="exporter")
def exporter() -> None:
    """Make Udonarium rooms, print sheets and rule reports from a game's data.

    GAME is the name of a game, or a folder that holds a game.yaml.
    """


@exporter.command()
@_GAMES
@_ALL
@click.option("--room", "rooms", multiple=True, metavar="NAME", help="Only this room; repeatable.")
@click.option(
    "--mech",
    "mechs",
    multiple=True,
    metavar="SEAT=CODE[:VARIANT]",
    help="Who sits where, e.g. red1=AG or blue1=HO:kai; a build file instead of a code.",
)
@click.option("--board", metavar="A+J2+B", help="Boards and joints from left to right.")
@click.option("--boxes", metavar="A,B", help="The boxes you own; by default all.")
@click.option("--shuffle", metavar="SEED", help="Lay face-down stacks in an order made from SEED.")
@click.option(
    "--loose",
    multiple=True,
    metavar="CODE[:VARIANT]",
    help="Instead of rooms: one mech's deck, sheet and pawn, to drop into a running room.",
)
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Instead of rooms: the pictures alone.",
)
@_SOURCE
@_OUT
@click.option("--no-cache", is_flag=True, help="Paint every picture anew.")
def build(
    games: tuple[str, ...],
    every: bool,
    rooms: tuple[str, ...],
    mechs: tuple[str, ...],
    board: str | None,
    boxes: str | None,
    shuffle: str | None,
    loose: tuple[str, ...],
    images: Path | None,
    source: Path | None,
    out: Path,
    no_cache: bool,
) -> None:
    """Build room zips: OUT/<game>/<room>.zip."""
    wishes = _pairs(mechs, "--mech")
    from exporter.build import Workshop, build_loose, build_rooms, write_images
    from exporter.orders import Order
    from exporter.paint import cache_folder
    from exporter.source import read_game

    folders = _folders(games, every, source)
    cache = None if no_cache else cache_folder()
    order = Order(
        rooms=rooms,
        mechs=wishes,
        boards=_words(board or "", "+"),
        boxes=_words(boxes or ""),
        shuffle=shuffle or "",
    )
    bar, progress = _progress()
    results = []
    with bar:
        for folder in folders:
            game = read_game(folder)
            workshop = Workshop(folder, cache, progress)
            if loose:
                wanted = {wish: wish for wish in loose}
                results.append(build_loose(game, wanted, workshop, out))
            elif images:
                results.append(write_images(game, workshop, images))
            else:
                results.append(build_rooms(game, order, workshop, out))
    for result in results:
        report(result.problems)
        _told(result)
    count = sum(len(result.made) for result in results)
    painted = sum(result.painted for result in results)
    click.echo(f"Made {count} files; {painted} pictures painted, the others were known.")
    if loose:
        click.echo("Drop a zip onto a running Udonarium table: its things appear at the pointer.")
    elif not images:
        click.echo("To play: open Udonarium in a browser and drop a room zip onto the window.")


@exporter.command()
@click.argument("zips", metavar="ROOM.zip…", nargs=-1, required=True)
@_FORMAT
def verify(zips: tuple[str, ...], form: str) -> None:
    """Say what Udonarium would drop, hide or stumble over in any room zip."""
    from exporter.problems import errors
    from exporter.udonarium import verify_zip

    found = [problem for name in zips for problem in verify_zip(Path(name))]
    if form == "json":
        report_json(found)
    else:
        report(found)
        click.echo(f"{len(zips)} zips, {len(found)} problems.")
    if errors(found):
        raise SystemExit(1)


@exporter.command("list")
@click.argument("name", metavar="GAME", required=False)
@_SOURCE
@_FORMAT
def list_games(name: str | None, source: Path | None, form: str) -> None:
    """List the games, or one game's rooms, seats, mechs and boards."""
    from exporter.listing import game_listing, listing_text
    from exporter.places import source_folders
    from exporter.source import find_game, game_folders, read_game

    folders = source_folders(source)
    found = [find_game(name, folders)] if name else list(game_folders(folders))
    listings = [game_listing(read_game(folder)) for folder in found]
    if form == "json":
        report_json([], games=listings)
    else:
        click.echo(listing_text(listings, whole=name is not None), nl=False)


def main() -> None:
    """The command line: exit 0 done, 1 the data has problems, 2 wrong usage."""
    from exporter.problems import InvalidSource

    try:
        exporter()
    except InvalidSource as error:
        if _wants_json(sys.argv):
            report_json(error.problems)
        else:
            report(error.problems)
            count = len(error.problems)
            click.echo(f"{count} {'problem' if count == 1 else 'problems'}.", err=True)
        raise SystemExit(1) from None


def _wants_json(arguments: Sequence[str]) -> bool:
    joined = " ".join(arguments)
    return "--format json" in joined or "--format=json" in joined


if __name__ == "__main__":
    main()
