"""The commands for who makes a game: new, schema."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from exporter import console
from exporter.door.beginning import BOARDS, PLAYERS, Begun

_PLAYERS = "{}-{}".format(*PLAYERS)


def _span(text: str) -> tuple[int, int]:
    """Least and most, of ``4``, ``2-4`` or ``2〜4``."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*(?:[-–〜~]\s*(\d{1,3})\s*)?", text)
    if not found:
        raise click.UsageError(f"--players {text}: write it as 4 or 2-4.")
    least = int(found[1])
    return least, int(found[2] or least)


def _asks() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty()


@click.command(cls=console.Command)
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--like", metavar="GAME", help="Copy this game instead of the small starter.")
@click.option(
    "--from",
    "what",
    metavar="FILE[#SHEET]|DIR",
    help="Make it from a table (.xlsx, .ods, .csv, .tsv), or from a folder of finished faces.",
)
@click.option("--pictures", metavar="DIR", help="With --from: a folder of art for the cards.")
@click.option("--link", is_flag=True, help="With --from: the table stays where it is.")
@click.option(
    "--table",
    type=click.Choice(["csv", "xlsx"]),
    default="csv",
    show_default=True,
    help="What the starter's cards are in: a spreadsheet's cells are text, so none becomes a date.",
)
@click.option("--ja", metavar="TEXT", help="What it is called in Japanese; by default NAME.")
@click.option("--en", metavar="TEXT", help="What it is called in English; by default NAME.")
@click.option("--players", metavar="LEAST-MOST", help=f"How many play; by default {_PLAYERS}.")
@click.option(
    "--board", type=click.Choice(BOARDS), help=f"On what kind of board; by default {BOARDS[0]}."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("source_data"),
    show_default=True,
    help="The folder of games in which it begins.",
)
@console.SOURCE
def new(
    name: str | None,
    like: str | None,
    what: str | None,
    pictures: str | None,
    link: bool,
    table: str,
    ja: str | None,
    en: str | None,
    players: str | None,
    board: str | None,
    out: Path,
    source: Path | None,
) -> None:
    """Begin a game: a folder of short commented files that builds, checks and prints at once.

    NAME is its id, such as my_game. On a terminal, what is missing is asked for.
    """
    if like and board:
        raise click.UsageError("--like brings its own boards: it goes without --board.")
    if what and (like or board):
        raise click.UsageError("--from goes without --like and --board.")
    if not what and (pictures or link):
        raise click.UsageError("--pictures and --link go with --from.")
    if name is None:
        if not _asks():
            raise click.UsageError("Name the game: exporter new my_game.")
        name = click.prompt("A name for files and commands, such as my_game", type=str).strip()
        ja = ja or click.prompt("What it is called in Japanese", default=name)
        en = en or click.prompt("… and in English", default=name)
        if not like and not what:
            players = players or click.prompt("How many play", default=_PLAYERS)
            kinds = click.Choice(BOARDS)
            board = board or click.prompt("Kind of board", default=BOARDS[0], type=kinds)
    span = _span(players) if players else None
    if what:
        _from(name, what, pictures or "", ja or "", en or "", span, out, link)
        return
    from exporter.door.beginning import new_game

    try:
        begun = new_game(
            name,
            out,
            ja=ja or "",
            en=en or "",
            players=span,
            board=board or "",
            like=like or "",
            table=table,
            source=source,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    _told(begun)
    where = "" if out == Path("source_data") else f" --source {out}"
    click.echo(f"Try it: exporter build {name}{where}")
    click.echo(f"Then change a file and build again; {begun.schemas} says what each may hold.")


@click.command("new-mech", cls=console.Command)
@click.argument("game")
@click.argument("code")
@console.SOURCE
def new_mech(game: str, code: str, source: Path | None) -> None:
    """Begin a mech: mechs/CODE.yaml in the game's folder, with values to fill in.

    CODE is what commands and cards call it, such as XX. What is made of a mech, and where it
    stands, follows from this one file.
    """
    from exporter.door import beginning

    path = beginning.new_mech(game, code, language=console.language(), source=source)
    where = f" --source {source}" if source else ""
    click.echo(path)
    click.echo(f"Fill in its values, then: exporter check {game}{where}")


def _told(begun: Begun) -> None:
    click.echo(f"{begun.folder}  {console.counted(len(begun.files), 'file')}")
    for file in begun.files:
        click.echo(f"  {file}")


def _from(
    name: str,
    what: str,
    pictures: str,
    ja: str,
    en: str,
    players: tuple[int, int] | None,
    out: Path,
    link: bool,
) -> None:
    from exporter.door.bringing import game_from

    begun = game_from(
        name,
        what,
        out,
        pictures=pictures,
        ja=ja,
        en=en,
        players=players,
        link=link,
        language=console.language(),
    )
    click.echo(f"{begun.folder}  {console.counted(len(begun.files), 'file')}")
    for line in begun.said:
        click.echo(line)
    where = "" if out == Path("source_data") else f" --source {out}"
    click.echo(f"Try it: exporter build {name}{where}")


@click.command(cls=console.Command)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@click.option("--table", metavar="GAME", help="Write empty tables for this game's cards instead.")
@console.SOURCE
def schema(folder: Path, table: str | None, source: Path | None) -> None:
    """Write JSON Schemas of a game's files, by which editors help and check as you type.

    A file names its schema in its first line: # yaml-language-server: $schema=DIR/game.json

    With --table GAME: a spreadsheet for each kind of its cards, with headings, hints, drop-downs.
    """
    from exporter.door.beginning import write_schemas, write_tables

    if table:
        names = write_tables(table, folder, source=source)
        click.echo(f"{folder}  {', '.join(names)}")
        return
    click.echo(f"{folder}  {console.counted(len(write_schemas(folder)), 'schema')}")


@click.command(cls=console.Command)
@click.argument("game", metavar="GAME")
@console.SOURCE
def pull(game: str, source: Path | None) -> None:
    """Fetch the published sheets of a game into its tables, and say what changed.

    A kind of card names its `address` in game.yaml. Nothing else ever goes to the net.
    """
    from exporter.door.bringing import pull as run

    for line in run(game, source=source):
        click.echo(line)
