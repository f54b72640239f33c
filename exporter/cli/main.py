"""The commands build, verify and list: options, progress, exit codes. Each is one call elsewhere.

Imports that take time stand inside the commands, so that help and usage errors come at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exporter import __version__
from exporter.cli import console
from exporter.cli.new_commands import (
    new,
    new_mech,
    pull,
    schema,
)
from exporter.cli.print_command import print_command
from exporter.cli.rule_commands import (
    check,
    compare,
    explain,
    fits,
    odds,
    share,
    suggest,
)
from exporter.cli.serve_command import Watched, serve
from exporter.loader import is_build_file

if TYPE_CHECKING:
    from exporter.core.problems import Problem

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


@exporter.command(cls=Watched)
@console.GAMES
@console.ALL
@click.option("--room", "rooms", multiple=True, metavar="NAME")
@click.option(
    "--mech",
    "mechs",
    multiple=True,
    metavar="SEAT=CODE[:VARIANT]",
)
@click.option(
    "--deck",
    "decks",
    multiple=True,
    metavar="SEAT=FILE",
)
@click.option("--picture", "own", multiple=True, metavar="SEAT=FILE")
@click.option("--board", metavar="A+J2+B/C")
@click.option("--boxes", metavar="A,B")
@console.WITHOUT_SAMPLES
@click.option("--shuffle", metavar="SEED")
@click.option(
    "--loose",
    multiple=True,
    metavar="NAME",
)
@click.option("--as", "called", metavar="NAME")
@click.option(
    "--images",
    type=click.Path(path_type=Path),
    metavar="DIR",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["png"]),
)
@console.SOURCE
@console.OUT
@console.TEMPLATE_LIMITS
@click.option("--no-cache", is_flag=True)
def build(
    games: tuple[str, ...],
    every: bool,
    rooms: tuple[str, ...],
    mechs: tuple[str, ...],
    decks: tuple[str, ...],
    own: tuple[str, ...],
    board: str | None,
    boxes: str | None,
    shuffle: str | None,
    without_samples: bool,
    loose: tuple[str, ...],
    called: str | None,
    images: Path | None,
    form: str | None,
    source: Path | None,
    out: Path,
    no_cache: bool,
) -> None:
    """Build room zips: OUT/<game>/<room>.zip."""
    seats = _seats(mechs, decks)
    name = _name_of_one(called, loose)
    if loose and images:
        raise console.Misused("loose-and-images")
    if (loose or images) and (rooms or mechs or decks or own or board or boxes or shuffle):
        option = "--loose" if loose else "--images"
        raise console.Misused("no-rooms", option=option)
    if form and not images:
        raise console.Misused("format-for-images")
    if every == bool(games):
        raise console.Misused("name-games")
    from exporter.app import room_files
    from exporter.app.games import find_games
    from exporter.rooms.room_orders import RoomOrder

    order = RoomOrder(
        rooms=rooms,
        mechs=seats,
        pictures=_pictures(own),
        boards=console.words(_ROW.sub("+/", board or ""), "+"),
        boxes=console.words(boxes or ""),
        shuffle=shuffle or "",
        samples=not without_samples,
    )
    chosen = games or find_games(source)
    bar, tell = console.progress("painting", MANY)
    known = not no_cache
    with bar:
        if loose:
            result = room_files.save_loose(
                chosen,
                loose,
                out,
                called=name,
                samples=order.samples,
                source=source,
                use_cache=known,
                tell=tell,
            )
        elif images:
            result = room_files.save_pictures(
                chosen,
                images,
                as_png=bool(form),
                samples=order.samples,
                source=source,
                use_cache=known,
                tell=tell,
            )
        else:
            result = room_files.save_rooms(
                chosen, out, order, source=source, use_cache=known, tell=tell
            )
    console.report(result.problems)
    (console.tell_folders if images else console.tell_made)(result.made)
    for line in result.said:
        console.show(line.in_language(console.language()))
    new, same = len(result.written.new), result.written.same
    counts = {"files": len(result.made), "new": new, "same": same, "pictures": result.painted}
    click.echo(console.say("made-some" if same else "made", **counts))
    if loose:
        click.echo(console.say("drop"))
    elif not images:
        click.echo(console.say("play"))
    _tell_of_errors(result.problems)


def _tell_of_errors(problems: Iterable[Problem]) -> None:
    """How many errors kept files from being made, where any did: the command failed."""
    from exporter.core.problems import errors

    if wrong := errors(problems):
        click.echo(console.say("tally", found=console.tally(wrong)), err=True)
        raise SystemExit(1)


def _name_of_one(called: str | None, loose: Sequence[str]) -> str:
    """What ``--as`` says the one thing of ``--loose`` is called."""
    if called is None:
        return ""
    if len(loose) != 1 or not called.strip():
        raise console.Misused("as-for-one")
    return called.strip()


_ROW = re.compile(r"\s*[/／]\s*")
"""What begins another row of boards."""


def _pictures(given: Sequence[str]) -> dict[str, str]:
    """The file of each seat, of options such as ``SEAT=FILE``."""
    found: dict[str, str] = {}
    for value in given:
        seat, equals, file = value.replace("＝", "=", 1).partition("=")
        if not (seat and equals and file):
            raise console.Misused("seat-of-picture", value=value)
        found[seat] = file
    return found


def _seats(mechs: Sequence[str], decks: Sequence[str]) -> dict[str, str]:
    """What sits in each seat, of options such as ``SEAT=CODE:VARIANT`` and ``SEAT=FILE``."""
    seats: dict[str, str] = {}
    given = [("--mech", value) for value in mechs] + [("--deck", value) for value in decks]
    for option, value in given:
        seat, equals, wish = value.replace("＝", "=", 1).partition("=")
        if not (seat and equals and wish):
            raise console.Misused("seat" if option == "--mech" else "seat-of-deck", value=value)
        if option == "--deck" and not is_build_file(wish):
            raise console.Misused("no-deck-for-seat", value=value, wish=wish)
        if seat in seats:
            taken = seats[seat]
            raise console.Misused("seat-taken", option=option, value=value, seat=seat, taken=taken)
        seats[seat] = wish
    return seats


@exporter.command()
@click.argument("zips", metavar="ROOM.zip…", nargs=-1, required=True)
@console.FORMAT
def verify(zips: tuple[str, ...], form: str) -> None:
    """Say what Udonarium would drop, hide or stumble over in any room zip."""
    from exporter.app.questions import verify as verified

    found = [problem for name in dict.fromkeys(zips) for problem in verified(name)]
    if form == "json":
        console.report_json(found)
    else:
        console.report(found)
        click.echo(console.say("verified", zips=len(zips), found=console.tally(found)))
    _fail_for_errors(found)


@exporter.command("list")
@click.argument("name", metavar="[GAME]", required=False)
@click.option("--decks", is_flag=True)
@click.option("--deck", metavar="NAME")
@console.SOURCE
@console.format_of("text", "json", "yaml")
def list_games(
    name: str | None, decks: bool, deck: str | None, source: Path | None, form: str
) -> None:
    """List the games, or one game's rooms, seats, mechs, boards, sheets, rules and samples."""
    from exporter.app.games import find_games
    from exporter.app.listing import deck_text, decks_text, listing_text
    from exporter.app.listing import list_games as listed_games

    if (decks or deck) and not name:
        raise console.Misused("decks-of-what")
    if bool(deck) != (form == "yaml"):
        raise console.Misused("one-deck-as-file")
    if deck and name:
        click.echo(console.shown_lines(deck_text(name, deck, source=source)), nl=False)
        return
    listed = listed_games(name or find_games(source), source=source)
    if form == "json":
        console.report_json(listed.problems, games=listed.games)
    else:
        console.report(listed.problems)
        whole = name is not None
        spoken = console.language()
        text = (
            decks_text(listed.games, spoken) if decks else listing_text(listed.games, whole, spoken)
        )
        click.echo(console.shown_lines(text), nl=False)
    _fail_for_errors(listed.problems)


def _fail_for_errors(problems: Iterable[Problem]) -> None:
    from exporter.core.problems import errors

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
    compare,
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
