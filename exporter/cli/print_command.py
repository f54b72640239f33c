"""The command ``print``: options made into an order for the door."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exporter.cli import console
from exporter.loader import is_build_file

if TYPE_CHECKING:
    from exporter.model.print_jobs import PrintOrder

MANY = 5
"""Sheets that take some seconds."""


LONGEST = 1000
"""Millimetres of any length that an option gives."""


def _pair(text: str | None, option: str, least: float = 0) -> tuple[float, float] | None:
    """``3`` or ``3x4`` as two lengths."""
    if text is None:
        return None
    parts = text.lower().replace("×", "x").split("x")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or not all(least <= number <= LONGEST for number in numbers):
        given = {"option": option, "value": text[:40]}
        raise console.Misused("lengths", **given, least=least, most=LONGEST)
    return numbers[0], numbers[-1]


def _size(text: str | None) -> tuple[float, float] | None:
    """``63x88``. One length alone would make squares of cards."""
    found = _pair(text, "--size", 1)
    if found is not None and not re.search("[x×]", str(text).lower()):
        raise console.Misused("size", value=text)
    return found


def _grid(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[x×]([1-9][0-9]?)", text.lower())
    if found is None:
        raise console.Misused("grid", value=text[:40])
    return int(found[1]), int(found[2])


_SHIFT = console.BoundedNumber(-LONGEST, LONGEST)


@click.command("print", cls=console.Command)
@console.GAMES
@console.ALL
@click.option("--sheet", "sheets", multiple=True, metavar="NAME")
@click.option("--preset", metavar="NAME")
@click.option("--paper", metavar="NAME")
@click.option("--size", metavar="63x88")
@click.option("--scale-to-fit", is_flag=True)
@click.option("--grid", metavar="3x3")
@click.option("--gap", metavar="MM")
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
@click.option("--poster", metavar="PAPER")
@click.option("--only", multiple=True, metavar="A,B")
@click.option("--boxes", metavar="A,B")
@console.WITHOUT_SAMPLES
@click.option("--changed-by", multiple=True, metavar="ERRATUM,…|all")
@click.option("--changed-since", metavar="DATE")
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
    **options: Any,
) -> None:
    """Print cards, sheets, boards and lists: OUT/<game>/<sheet>.pdf."""
    for name in decks:
        if not is_build_file(name):
            raise console.Misused("no-deck-file", value=name)
    order = _order({**options, "mechs": (*mechs, *decks)})
    if every == bool(games):
        raise console.Misused("name-games")
    if calibrate and (order.sheets or order.boxes):
        raise console.Misused("calibrate-alone")
    if calibrate and looks:
        raise console.Misused("calibrate-and-looks")
    from exporter.app import print_files
    from exporter.app.arguments import find_games

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


def _order(options: dict[str, Any]) -> PrintOrder:
    """The order that the options make. Raises ``click.UsageError``."""
    from exporter.model.print_jobs import (
        PaperLayout,
        PrintOrder,
    )

    moved = (options["offset_x"], options["offset_y"])
    layout = PaperLayout(
        paper=options["paper"],
        size=_size(options["size"]),
        grid=_grid(options["grid"]),
        gap=_pair(options["gap"], "--gap"),
        bleed=options["bleed"],
        cut=options["cut"],
        backs=options["backs"],
        edge=options["edge"],
        offset=None if moved == (None, None) else (moved[0] or 0, moved[1] or 0),
        overlap=options["overlap"],
    )
    return PrintOrder(
        sheets=console.words(",".join(options["sheets"])),
        preset=options["preset"] or "",
        layout=layout,
        only=console.words(",".join(options["only"])),
        changed_by=console.words(",".join(options["changed_by"])),
        changed_since=console.day(options["changed_since"] or "", "--changed-since"),
        builds=options["mechs"],
        boxes=console.words(options["boxes"] or ""),
        poster=options["poster"] or "",
        scale_to_fit=options["scale_to_fit"],
        saving=options["saving"],
        form=options["form"],
        dpi=options["dpi"],
        samples=not options["without_samples"],
    )
