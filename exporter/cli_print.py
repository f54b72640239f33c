"""The command ``print``: options made into an order; each is one call of ``printing.output``."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from exporter import console

if TYPE_CHECKING:
    from exporter.model import Build, Game
    from exporter.printing.output import PrintResult
    from exporter.printing.plans import PrintOrder
    from exporter.problems import Problem


def _pair(text: str | None, option: str, least: float = 0) -> tuple[float, float] | None:
    """``3`` or ``3x4`` as two lengths."""
    if text is None:
        return None
    parts = text.lower().replace("×", "x").split("x")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or not all(least <= number < 10_000 for number in numbers):
        lengths = "one length or two" + (f" from {least:g} mm on" if least else "")
        raise click.UsageError(f"{option} {text}: write {lengths}, such as 3 or 3x4.")
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
        raise click.UsageError(f"--grid {text}: write columns and rows, such as 3x3.")
    return int(found[1]), int(found[2])


@click.command("print")
@console.GAMES
@console.ALL
@click.option("--sheet", "sheets", multiple=True, metavar="NAME", help="Only this job; repeatable.")
@click.option("--preset", metavar="NAME", help="A printer or a stock of paper, e.g. konbini-a4.")
@click.option("--paper", metavar="NAME", help="a4, a3, letter …")
@click.option("--size", metavar="63x88", help="Size of the cut cards in mm.")
@click.option("--grid", metavar="3x3", help="Columns and rows; by default as many as fit.")
@click.option("--gap", metavar="MM", help="Between the cards; one length, or two as in 3x4.")
@click.option("--bleed", type=click.FloatRange(0, 20), metavar="MM", help="Beyond the cut.")
@click.option("--cut", type=click.Choice(["marks", "lines", "none"]), help="How to show the cuts.")
@click.option(
    "--backs",
    type=click.Choice(["interleaved", "separate", "none"]),
    help="Backs after each front, in a file of their own, or none.",
)
@click.option("--edge", type=click.Choice(["long", "short"]), help="The edge the paper turns on.")
@click.option("--offset-x", type=float, metavar="MM", help="Shift the backs to the right.")
@click.option("--offset-y", type=float, metavar="MM", help="Shift the backs downwards.")
@click.option("--overlap", type=click.FloatRange(0, 50), metavar="MM", help="Of a board's tiles.")
@click.option("--poster", metavar="PAPER", help="Boards whole, on one page of this paper.")
@click.option("--only", multiple=True, metavar="A,B", help="Only these decks, cards, boxes …")
@click.option(
    "--changed-by", multiple=True, metavar="ERRATUM,…|all", help="Only cards that errata change."
)
@click.option("--changed-since", metavar="DATE", help="Only cards that errata since then change.")
@click.option(
    "--mech", "mechs", multiple=True, metavar="CODE[:VARIANT]|FILE", help="Sheets of these mechs."
)
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
def print_command(
    games: tuple[str, ...],
    every: bool,
    source: Path | None,
    out: Path,
    calibrate: bool,
    looks: bool,
    saving: bool,
    mechs: tuple[str, ...],
    **options: Any,
) -> None:
    """Print cards, sheets, boards and lists: OUT/<game>/<sheet>.pdf."""
    order = _order(options)
    if every == bool(games):
        raise click.UsageError("Name one or more games, or give --all.")
    from exporter.build import judged, written_twice
    from exporter.paint import cache_folder
    from exporter.places import chosen_games, shipped, template_folders, write_whole
    from exporter.printing import output
    from exporter.problems import Faults
    from exporter.source import read_game
    from exporter.source.sheets import read_jobs, read_stationery

    stationery = read_stationery(template_folders("sheets"))
    bar, progress = console.progress("Printing")
    faults = Faults()
    ready: dict[Path, output.Ready] = {}
    verdicts: list[Problem] = []
    with bar:
        for folder in chosen_games(games, source):
            with faults.gathered():
                game = read_game(folder)
                room = output.Workroom(
                    shipped("templates"),
                    template_folders("faces"),
                    folder,
                    cache_folder(),
                    progress,
                    saving,
                )
                wish = replace(order, builds=_builds(mechs, game))
                if calibrate:
                    ready[folder] = output.set_calibration(game, stationery, wish, room, out)
                    continue
                jobs = read_jobs(folder, game, stationery)
                if every and not jobs:
                    continue
                if looks:
                    ready[folder] = output.look(game, jobs, stationery, wish, room)
                else:
                    ready[folder] = output.set_sheets(game, jobs, stationery, wish, room, out)
                verdicts += judged(folder, mechs)
    faults.problems += written_twice({folder: each.files for folder, each in ready.items()})
    faults.stop_if_any()
    files = {path: data for each in ready.values() for path, data in each.files.items()}
    write_whole(files)
    _remove_old_pages(files)
    console.report(verdicts)
    _tell([each.result for each in ready.values()], looks)


def _remove_old_pages(files: Collection[Path]) -> None:
    """Pages of an earlier print of the same sheets, which had more of them."""
    for folder in {path.parent for path in files if path.suffix == ".png"}:
        for path in folder.iterdir():
            if re.fullmatch(r"[0-9]{3,}\.png", path.name) and path not in files:
                path.unlink()


def _builds(mechs: tuple[str, ...], game: Game) -> tuple[str | Build, ...]:
    """Codes as they are, and the builds that are in files."""
    from exporter.source import is_build_file, read_builds

    found: list[str | Build] = []
    for wish in mechs:
        if is_build_file(wish):
            found += [entry.build for entry in read_builds(Path(wish), game)]
        else:
            found.append(wish)
    return tuple(found)


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
        poster=options["poster"] or "",
        form=options["form"],
        dpi=options["dpi"],
    )


def _tell(results: list[PrintResult], looks: bool) -> None:
    for result in results:
        console.report(result.problems)
        for made in result.made:
            faces = f", {console.counted(made.faces, 'face')}" if made.faces else ""
            pages = console.counted(made.pages, "page")
            click.echo(f"{made.path}  {made.size / 1000:.1f} kB, {pages}{faces}")
    if looks:
        found = sum(len(result.problems) for result in results)
        read = console.counted(sum(result.read for result in results), "face")
        click.echo(f"Read {read}: {console.counted(found, 'finding') if found else 'no findings'}.")
    for hint in dict.fromkeys(hint for result in results for hint in result.hints):
        click.echo(hint)
