"""The commands of a builder: share, fits, odds, compare."""

from __future__ import annotations

from pathlib import Path

import click

from exporter.cli import console
from exporter.cli.rule_commands import (
    BOXES,
    ON,
    REGULATION,
    check_options,
    names_game,
    uncollected,
)


def game_first(words: tuple[str, ...], source: Path | None) -> tuple[str, tuple[str, ...]]:
    """``[GAME] THING…``: the first of several words is a game where it names one."""
    if len(words) > 1 and names_game(words[0], source):
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
    from exporter.app.build_questions import share as shared

    game, things = game_first(things, source)
    found = shared(things, game=game, source=source)
    if to != "-":
        from exporter.core.file_writer import write_whole

        write_whole({Path(to): "---\n".join(one.text for one in found).encode()})
        click.echo(f"{to}  {console.written(one.has_parts for one in found)}")
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
    from exporter.app.build_questions import fits as fitting
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
    from exporter.app.build_questions import odds as chances
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
    from exporter.app.build_questions import compare as compared
    from exporter.rules.report import comparing

    game, things = game_first(things, source)
    language = console.language()
    found = compared(things, game=game, source=source, language=language)
    if plot is not None:
        from exporter.app.html_report import damage_plot
        from exporter.core.file_writer import write_whole

        write_whole({plot: damage_plot(found, language).encode()})
    if form == "json":
        console.report_json([], **comparing.comparison_values(found))
        return
    console.show_table(comparing.comparison_lines(found, language))
