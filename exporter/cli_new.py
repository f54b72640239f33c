"""The commands for who makes a game: new, schema."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from exporter import console

_BOARDS = ("square", "hex", "graph", "ring", "track", "none")
_PLAYERS = "2-4"


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


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--like", metavar="GAME", help="Copy this game instead of the small starter.")
@click.option("--ja", metavar="TEXT", help="What it is called in Japanese; by default NAME.")
@click.option("--en", metavar="TEXT", help="What it is called in English; by default NAME.")
@click.option("--players", metavar="LEAST-MOST", help=f"How many play; by default {_PLAYERS}.")
@click.option(
    "--board", type=click.Choice(_BOARDS), help="On what kind of board; by default square."
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
    if name is None:
        if not _asks():
            raise click.UsageError("Name the game: exporter new my_game.")
        name = click.prompt("A name for files and commands, such as my_game", type=str).strip()
        ja = ja or click.prompt("What it is called in Japanese", default=name)
        en = en or click.prompt("… and in English", default=name)
        if not like:
            players = players or click.prompt("How many play", default=_PLAYERS)
            kinds = click.Choice(_BOARDS)
            board = board or click.prompt("Kind of board", default="square", type=kinds)
    from exporter import starter
    from exporter.model.fields import MOST_REPEATED
    from exporter.places import shipped, source_folders
    from exporter.rules.kinds import KINDS
    from exporter.schema.files import schema_files
    from exporter.source import find_game, read_game
    from exporter.source.styles import plain_styles
    from exporter.writing import write_whole

    span = _span(players) if players else None
    if span and not 1 <= span[0] <= span[1] <= MOST_REPEATED:
        bounds = f"the smaller number comes first, 1 to {MOST_REPEATED}"
        raise click.UsageError(f"--players {players}: {bounds}.")
    if span and not like and span[1] > starter.MAX_SEATS:
        raise click.UsageError(f"--players {players}: the starter seats {starter.MAX_SEATS}.")
    folder = out / name
    model = None
    if like:
        home = find_game(like, source_folders(source))
        model = read_game(home)
    default = model.players if model else _span(_PLAYERS)
    facts = starter.Facts(name, ja or name, en or name, span or default, board or "square")
    starter.check_new(folder, facts)
    files = (
        starter.files_like(model, home, facts)
        if model
        else starter.starter_files(shipped("templates") / "new", facts)
    )
    starter.write_folder(folder, files)
    schemas = out / "schemas"
    if not schemas.exists():
        found = schema_files(plain_styles(), KINDS)
        write_whole({schemas / key: text.encode() for key, text in found.items()})
    click.echo(f"{folder}  {console.counted(len(files), 'file')}")
    for file in sorted(files):
        click.echo(f"  {file}")
    where = "" if out == Path("source_data") else f" --source {out}"
    click.echo(f"Try it: exporter build {name}{where}")
    click.echo(f"Then change a file and build again; {schemas} says what each may hold.")


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
def schema(folder: Path) -> None:
    """Write JSON Schemas of a game's files, by which editors help and check as you type.

    A file names its schema in its first line: # yaml-language-server: $schema=DIR/game.json
    """
    from exporter.rules.kinds import KINDS
    from exporter.schema.files import schema_files
    from exporter.source.styles import plain_styles
    from exporter.writing import write_whole

    files = schema_files(plain_styles(), KINDS)
    write_whole({folder / name: text.encode() for name, text in files.items()})
    click.echo(f"{folder}  {console.counted(len(files), 'schema')}")
