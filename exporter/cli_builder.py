"""The commands of a builder: share."""

from __future__ import annotations

from pathlib import Path

import click

from exporter import console


def game_first(words: tuple[str, ...], source: Path | None) -> tuple[str, tuple[str, ...]]:
    """``[GAME] THING…``: the first of several words is a game where it names one."""
    from exporter.door.answers import find_games

    if len(words) > 1 and (
        Path(words[0]).is_dir() or words[0] in {folder.name for folder in find_games(source)}
    ):
        return words[0], words[1:]
    return "", words


@click.command()
@click.argument("things", metavar="[GAME] MECH|FILE…", nargs=-1, required=True)
@click.option(
    "--to",
    default="-",
    metavar="FILE.yaml",
    help="Write a file of builds instead; - prints a line for each, which is the default.",
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
