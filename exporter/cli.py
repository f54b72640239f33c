"""The commands build, verify and list: options, progress, exit codes. Each is one call elsewhere.

Imports that take time stand inside the commands, so that help and usage errors come at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exporter import __version__, console
from exporter.cli_builder import fits, odds, share
from exporter.cli_new import new, new_mech, pull, schema
from exporter.cli_print import print_command
from exporter.cli_rules import check, explain, suggest
from exporter.cli_serve import serve
from exporter.source import is_build_file

if TYPE_CHECKING:
    from exporter.problems import Problem

MANY = 20
"""Pictures that take a second or more to paint."""


@click.group(
    cls=console.Commands,
    context_settings={"help_option_names": ["-h", "--help"], "color": console.colours()},
)
@click.version_option(__version__, prog_name="exporter")
def exporter() -> None:
    """Make Udonarium rooms, print sheets and rule reports from a game's data.

    GAME is the name of a game, or a folder that holds a game.yaml.
    """


@exporter.command(cls=console.Watched)
@console.GAMES
@console.ALL
@click.option("--room", "rooms", multiple=True, metavar="NAME", help="Only this room; repeatable.")
@click.option(
    "--mech",
    "mechs",
    multiple=True,
    metavar="SEAT=CODE[:VARIANT]",
    help="Who sits where: a mech's code, or a player's build file.",
)
@click.option(
    "--deck",
    "decks",
    multiple=True,
    metavar="SEAT=FILE",
    help="Who plays with which deck of their own.",
)
@click.option("--board", metavar="A+J2+B", help="Boards and joints from left to right.")
@click.option("--boxes", metavar="A,B", help="The boxes you own; by default all.")
@console.WITHOUT_SAMPLES
@click.option("--shuffle", metavar="SEED", help="Lay face-down stacks in an order made from SEED.")
@click.option(
    "--loose",
    multiple=True,
    metavar="NAME",
    help="Instead of rooms: a mech (CODE[:VARIANT] or a build file) with all it needs, a card, a "
    "deck, or a piece of a room by its name, to drop into a running room.",
)
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Instead of rooms: the pictures alone, DIR/<game>/….",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["png"]),
    help="With --images: for programs that read no WebP.",
)
@console.SOURCE
@console.OUT
@console.TEMPLATE_LIMITS
@click.option("--no-cache", is_flag=True, help="Paint every picture anew.")
def build(
    games: tuple[str, ...],
    every: bool,
    rooms: tuple[str, ...],
    mechs: tuple[str, ...],
    decks: tuple[str, ...],
    board: str | None,
    boxes: str | None,
    shuffle: str | None,
    without_samples: bool,
    loose: tuple[str, ...],
    images: Path | None,
    form: str | None,
    source: Path | None,
    out: Path,
    no_cache: bool,
) -> None:
    """Build room zips: OUT/<game>/<room>.zip."""
    seats = _seats(mechs, decks)
    if loose and images:
        raise click.UsageError("--loose and --images exclude each other.")
    if (loose or images) and (rooms or mechs or decks or board or boxes or shuffle):
        option = "--loose" if loose else "--images"
        raise click.UsageError(f"{option} makes no rooms: it goes without the options for rooms.")
    if form and not images:
        raise click.UsageError("--format is for pictures alone: give --images DIR too.")
    if every == bool(games):
        raise click.UsageError("Name one or more games, or give --all.")
    from exporter.door import results
    from exporter.door.answers import find_games
    from exporter.rooms.orders import Order

    order = Order(
        rooms=rooms,
        mechs=seats,
        boards=console.words(board or "", "+"),
        boxes=console.words(boxes or ""),
        shuffle=shuffle or "",
        samples=not without_samples,
    )
    chosen = games or find_games(source)
    bar, tell = console.progress("Painting", "picture", MANY)
    known = not no_cache
    with bar:
        if loose:
            result = results.save_loose(
                chosen,
                loose,
                out,
                samples=order.samples,
                source=source,
                use_cache=known,
                tell=tell,
            )
        elif images:
            result = results.save_pictures(
                chosen,
                images,
                as_png=bool(form),
                samples=order.samples,
                source=source,
                use_cache=known,
                tell=tell,
            )
        else:
            result = results.save_rooms(
                chosen, out, order, source=source, use_cache=known, tell=tell
            )
    console.report(result.problems)
    (console.tell_folders if images else console.tell_made)(result.made)
    files = console.counted(len(result.made), "file")
    if same := result.written.same:
        files += f" ({len(result.written.new)} new or changed, {same} as before)"
    for line in result.said:
        click.echo(console.shown_lines(line))
    pictures = console.counted(result.painted, "picture")
    click.echo(f"Made {files}; {pictures} painted, the others were known.")
    if loose:
        click.echo("Drop a zip onto a running Udonarium table: its things appear at the pointer.")
    elif not images:
        click.echo("To play: open Udonarium in a browser and drop a room zip onto the window.")


def _seats(mechs: Sequence[str], decks: Sequence[str]) -> dict[str, str]:
    """What sits in each seat, of options such as ``SEAT=CODE:VARIANT`` and ``SEAT=FILE``."""
    seats: dict[str, str] = {}
    given = [("--mech", value) for value in mechs] + [("--deck", value) for value in decks]
    for option, value in given:
        seat, equals, wish = value.replace("＝", "=", 1).partition("=")
        form = "SEAT=CODE or SEAT=CODE:VARIANT" if option == "--mech" else "SEAT=FILE"
        if not (seat and equals and wish):
            raise click.UsageError(f"{option} {value}: write it as {form}.")
        if option == "--deck" and not is_build_file(wish):
            raise click.UsageError(f"{option} {value}: {wish} is no file of a deck; write {form}.")
        if seat in seats:
            raise click.UsageError(f"{option} {value}: {seat} has {seats[seat]} already.")
        seats[seat] = wish
    return seats


@exporter.command()
@click.argument("zips", metavar="ROOM.zip…", nargs=-1, required=True)
@console.FORMAT
def verify(zips: tuple[str, ...], form: str) -> None:
    """Say what Udonarium would drop, hide or stumble over in any room zip."""
    from exporter.door.answers import verify as verified

    found = [problem for name in dict.fromkeys(zips) for problem in verified(name)]
    if form == "json":
        console.report_json(found)
    else:
        console.report(found)
        click.echo(f"{console.counted(len(zips), 'zip')}, {console.tally(found)}.")
    _fail_for_errors(found)


@exporter.command("list")
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--decks", is_flag=True, help="Its decks, as lists that can be pasted.")
@console.SOURCE
@console.FORMAT
def list_games(name: str | None, decks: bool, source: Path | None, form: str) -> None:
    """List the games, or one game's rooms, seats, mechs, boards, sheets, rules and samples."""
    from exporter.door import answers
    from exporter.listing import decks_text, listing_text

    if decks and not name:
        raise click.UsageError("--decks: name the game whose decks are to be listed.")
    listed = answers.list_games(name or answers.find_games(source), source=source)
    if form == "json":
        console.report_json(listed.problems, games=listed.games)
    else:
        console.report(listed.problems)
        whole = name is not None
        text = decks_text(listed.games) if decks else listing_text(listed.games, whole=whole)
        click.echo(console.shown_lines(text), nl=False)
    _fail_for_errors(listed.problems)


def _fail_for_errors(problems: Iterable[Problem]) -> None:
    from exporter.problems import errors

    if errors(problems):
        raise SystemExit(1)


_COMMANDS = (
    print_command,
    check,
    explain,
    suggest,
    share,
    fits,
    odds,
    new,
    new_mech,
    pull,
    schema,
    serve,
)

for _command in _COMMANDS:
    exporter.add_command(_command)


def main() -> None:
    """The command line: exit 0 done, 1 the data has problems, 2 wrong usage."""
    console.prepare()
    exporter()


if __name__ == "__main__":
    main()
