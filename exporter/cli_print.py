"""The command ``print``: options made into an order for the door."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exporter import console
from exporter.source import is_build_file

if TYPE_CHECKING:
    from exporter.printing.plans import PrintOrder

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
        lengths = f"one length or two, {least:g} to {LONGEST} mm each"
        raise click.UsageError(f"{option} {text[:40]}: write {lengths}, such as 3 or 3x4.")
    return numbers[0], numbers[-1]


def _size(text: str | None) -> tuple[float, float] | None:
    """``63x88``. One length alone would make squares of cards."""
    found = _pair(text, "--size", 1)
    if found is not None and not re.search("[x×]", str(text).lower()):
        raise click.UsageError(f"--size {text}: write width and height, such as 63x88.")
    return found


def _grid(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[x×]([1-9][0-9]?)", text.lower())
    if found is None:
        raise click.UsageError(f"--grid {text[:40]}: write columns and rows, such as 3x3.")
    return int(found[1]), int(found[2])


_SHIFT = console.Number(-LONGEST, LONGEST)


@click.command("print", cls=console.Command)
@console.GAMES
@console.ALL
@click.option("--sheet", "sheets", multiple=True, metavar="NAME", help="Only this job; repeatable.")
@click.option("--preset", metavar="NAME", help="A printer or a stock of paper, e.g. konbini-a4.")
@click.option("--paper", metavar="NAME", help="a4, a3, letter …")
@click.option("--size", metavar="63x88", help="Size of the cut cards in mm.")
@click.option("--grid", metavar="3x3", help="Columns and rows; by default as many as fit.")
@click.option("--gap", metavar="MM", help="Between the cards; one length, or two as in 3x4.")
@click.option("--bleed", type=console.Number(0, 20), metavar="MM", help="Beyond the cut.")
@click.option("--cut", type=click.Choice(["marks", "lines", "none"]), help="How to show the cuts.")
@click.option(
    "--backs",
    type=click.Choice(["interleaved", "separate", "none"]),
    help="Backs after each front, in a file of their own, or none.",
)
@click.option("--edge", type=click.Choice(["long", "short"]), help="The edge the paper turns on.")
@click.option("--offset-x", type=_SHIFT, metavar="MM", help="Shift the backs to the right.")
@click.option("--offset-y", type=_SHIFT, metavar="MM", help="Shift the backs downwards.")
@click.option("--overlap", type=console.Number(0, 50), metavar="MM", help="Of a board's tiles.")
@click.option("--poster", metavar="PAPER", help="Boards whole, on one page of this paper.")
@click.option(
    "--only", multiple=True, metavar="A,B", help="Only these decks, mechs, CODE:VARIANT, cards …"
)
@click.option("--boxes", metavar="A,B", help="The boxes you own; by default all.")
@console.WITHOUT_SAMPLES
@click.option(
    "--changed-by", multiple=True, metavar="ERRATUM,…|all", help="Only cards that errata change."
)
@click.option("--changed-since", metavar="DATE", help="Only cards that errata since then change.")
@click.option(
    "--mech",
    "mechs",
    multiple=True,
    metavar="CODE[:VARIANT]|FILE",
    help="Only these mechs or builds.",
)
@click.option("--deck", "decks", multiple=True, metavar="FILE", help="Only these players' decks.")
@click.option("--saving", is_flag=True, help="Black and white, without large areas of ink.")
@click.option(
    "--calibrate", is_flag=True, help="Instead: the page that shows how a printer is off."
)
@click.option("--looks", is_flag=True, help="Instead: say what will be hard to read or tell apart.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["pdf", "png"]),
    default="pdf",
    show_default=True,
    help="PDF, or a PNG for each page.",
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
            raise click.UsageError(f"--deck {name}: this is no file of a deck.")
    order = _order({**options, "mechs": (*mechs, *decks)})
    if every == bool(games):
        raise click.UsageError("Name one or more games, or give --all.")
    if calibrate and (order.sheets or order.boxes):
        raise click.UsageError("--calibrate prints its own page: leave --sheet and --boxes away.")
    if calibrate and looks:
        raise click.UsageError("--calibrate and --looks exclude each other.")
    from exporter.door import results
    from exporter.door.answers import find_games

    chosen = games or find_games(source)
    bar, tell = console.progress("Printing", "sheet", MANY)
    with bar:
        if calibrate:
            result = results.print_calibration(chosen, out, order, source=source, tell=tell)
        elif looks:
            result = results.look_at_sheets(chosen, order, source=source, is_optional=every)
        else:
            result = results.print_sheets(
                chosen, out, order, source=source, is_optional=every, tell=tell
            )
    console.report(result.problems)
    console.tell_made(result.made)
    if looks:
        findings = console.counted(result.found, "finding") if result.found else "no findings"
        click.echo(f"Read {console.counted(result.read, 'face')}: {findings}.")
    for line in result.said:
        click.echo(console.shown_lines(line))


def _order(options: dict[str, Any]) -> PrintOrder:
    """The order that the options make. Raises ``click.UsageError``."""
    from exporter.printing.jobs import Layout
    from exporter.printing.plans import PrintOrder

    moved = (options["offset_x"], options["offset_y"])
    layout = Layout(
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
        saving=options["saving"],
        form=options["form"],
        dpi=options["dpi"],
        samples=not options["without_samples"],
    )
