"""The command ``print``: its options fill a ``PrintOrder``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from exporter.cli import console
from exporter.loader import is_build_file

MANY = 5
"""Sheets that take some seconds."""


LONGEST = 1000
"""Millimetres of any length that an option gives."""


def _lengths(value: str | None, option: str, least: float = 0) -> tuple[float, float] | None:
    """``3`` or ``3x4`` as two lengths."""
    if value is None:
        return None
    parts = value.lower().replace("×", "x").split("x")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or not all(least <= number <= LONGEST for number in numbers):
        given = {"option": option, "value": value[:40]}
        raise console.Misused("lengths", **given, least=least, most=LONGEST)
    return numbers[0], numbers[-1]


def _gap(_ctx: click.Context, _option: click.Parameter, value: str | None) -> Any:
    return _lengths(value, "--gap")


def _size(_ctx: click.Context, _option: click.Parameter, value: str | None) -> Any:
    """``63x88``. One length alone would make squares of cards."""
    found = _lengths(value, "--size", 1)
    if found is not None and not re.search("[x×]", str(value).lower()):
        raise console.Misused("size", value=value)
    return found


def _grid(_ctx: click.Context, _option: click.Parameter, value: str | None) -> Any:
    if value is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[x×]([1-9][0-9]?)", value.lower())
    if found is None:
        raise console.Misused("grid", value=value[:40])
    return int(found[1]), int(found[2])


def _words(_ctx: click.Context, _option: click.Parameter, value: Any) -> Any:
    """Names with commas between them, in one option or in several."""
    return console.words(",".join(value) if isinstance(value, tuple) else value)


def _day(_ctx: click.Context, _option: click.Parameter, value: str) -> Any:
    return console.day(value, "--changed-since")


_SHIFT = console.BoundedNumber(-LONGEST, LONGEST)


@click.command("print", cls=console.Command)
@console.GAMES
@console.ALL
@click.option("--sheet", "sheets", multiple=True, metavar="NAME", callback=_words)
@click.option("--preset", metavar="NAME")
@click.option("--paper", metavar="NAME")
@click.option("--size", metavar="63x88", callback=_size)
@click.option("--scale-to-fit", is_flag=True)
@click.option("--grid", metavar="3x3", callback=_grid)
@click.option("--gap", metavar="MM", callback=_gap)
@click.option("--bleed", type=console.BoundedNumber(0, 20), metavar="MM")
@click.option("--cut", type=click.Choice(["marks", "lines", "none"]))
@click.option(
    "--backs",
    type=click.Choice(["interleaved", "separate", "none"]),
)
@click.option("--edge", type=click.Choice(["long", "short"]))
@click.option("--offset-x", type=_SHIFT, metavar="MM")
@click.option("--offset-y", type=_SHIFT, metavar="MM")
@click.option("--overlap", type=console.BoundedNumber(0, 50), metavar="MM")
@click.option("--poster", default="", metavar="PAPER")
@click.option("--only", multiple=True, metavar="A,B", callback=_words)
@click.option("--boxes", default="", metavar="A,B", callback=_words)
@console.WITHOUT_SAMPLES
@click.option("--changed-by", multiple=True, metavar="ERRATUM,…|all", callback=_words)
@click.option("--changed-since", default="", metavar="DATE", callback=_day)
@click.option(
    "--mech",
    "mechs",
    multiple=True,
    metavar="CODE[:VARIANT]|FILE",
)
@click.option("--deck", "decks", multiple=True, metavar="FILE")
@click.option("--saving", is_flag=True)
@click.option("--calibrate", is_flag=True)
@click.option("--looks", is_flag=True)
@click.option(
    "--format",
    "form",
    type=click.Choice(["pdf", "png"]),
    default="pdf",
    show_default=True,
)
@click.option("--dpi", type=click.IntRange(36, 1200), default=300, show_default=True)
@console.SOURCE
@console.OUT
@console.TEMPLATE_LIMITS
def print_command(
    games: tuple[str, ...],
    every: bool,
    source: Path | None,
    out: Path,
    calibrate: bool,
    looks: bool,
    mechs: tuple[str, ...],
    decks: tuple[str, ...],
    offset_x: float | None,
    offset_y: float | None,
    without_samples: bool,
    **options: Any,
) -> None:
    """Print cards, sheets, boards and lists: OUT/<game>/<sheet>.pdf."""
    for name in decks:
        if not is_build_file(name):
            raise console.Misused("no-deck-file", value=name)
    from exporter.model.print_jobs import PrintOrder

    shifted = (offset_x, offset_y) != (None, None)
    order = PrintOrder(
        offset=(offset_x or 0, offset_y or 0) if shifted else None,
        builds=(*mechs, *decks),
        samples=not without_samples,
        **options,
    )
    if every == bool(games):
        raise console.Misused("name-games")
    if calibrate and (order.sheets or order.boxes):
        raise console.Misused("calibrate-alone")
    if calibrate and looks:
        raise console.Misused("calibrate-and-looks")
    from exporter.app import print_files
    from exporter.app.games import find_games

    chosen = games or find_games(source)
    bar, tell = console.progress("printing", MANY)
    with bar:
        if calibrate:
            result = print_files.print_calibration(chosen, out, order, source=source, tell=tell)
        elif looks:
            result = print_files.look_at_sheets(chosen, order, source=source, is_optional=every)
        else:
            result = print_files.print_sheets(
                chosen, out, order, source=source, is_optional=every, tell=tell
            )
    console.report(result.problems)
    console.tell_made(result.made)
    if looks:
        found = console.counted(result.found, "finding") if result.found else ""
        found = found or console.say("no-findings")
        click.echo(console.say("read", faces=result.read, found=found))
    for line in result.said:
        console.show(line.in_language(console.language()))
