"""The commands of a builder: share, fits."""

from __future__ import annotations

from pathlib import Path

import click

from exporter import console
from exporter.cli_rules import BOXES, ON, REGULATION, uncollected, wish_of


def game_first(words: tuple[str, ...], source: Path | None) -> tuple[str, tuple[str, ...]]:
    """``[GAME] THING…``: the first of several words is a game where it names one."""
    from exporter.door.answers import find_games

    if len(words) > 1 and (
        Path(words[0]).is_dir() or words[0] in {folder.name for folder in find_games(source)}
    ):
        return words[0], words[1:]
    return "", words


@click.command(cls=console.Command)
@click.argument("things", metavar="[GAME] MECH|FILE…", nargs=-1, required=True)
@click.option(
    "--to",
    default="-",
    metavar="FILE.yaml",
)
@console.FORMAT
@console.SOURCE
def share(things: tuple[str, ...], to: str, form: str, source: Path | None) -> None:
    """Print builds as lines short enough for a chat: em:….

    A thing is a mech (CODE[:VARIANT]), a FILE of builds, - for standard input, or a line. Check,
    explain, suggest and --mech take the lines.
    """
    from exporter.door.building import share as shared

    game, things = game_first(things, source)
    found = shared(things, game=game, source=source)
    if to != "-":
        from exporter.writing import write_whole

        write_whole({Path(to): "---\n".join(one.text for one in found).encode()})
        click.echo(f"{to}  {console.counted(len(found), 'build')}")
    elif form == "json":
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
    from exporter.checking.fits import fits_lines, fits_values
    from exporter.door.building import fits as fitting

    game, (build, *parts) = game_first(things, source)
    wish = wish_of(regulation, on, boxes)
    found = fitting(build, parts, wish, by=console.words(sort), game=game, source=source)
    language = console.language()
    if form == "json":
        console.report_json([], **fits_values(found, language))
        return
    for line in console.table(list(fits_lines(found, language))):
        click.echo(console.shown_lines(line))
