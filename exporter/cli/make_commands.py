"""The commands that make rooms, sheets and pages: build, print, publish.

Options fill orders; each command is one call.

Help texts stand in ``exporter/core/messages/<language>.json``, under ``help``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from exporter.cli import console
from exporter.loader import is_build_file

# As many take a second or more.
MANY_PICTURES, MANY_SHEETS = 20, 5

# Millimetres of any length that an option gives.
LONGEST = 1000


def _boards(_context: click.Context, _option: click.Parameter, text: str) -> Any:
    """Return ``A+J2/B``, where / begins another row."""
    return console.split_words(re.sub(r"\s*[/／]\s*", "+/", text), "+")


def _address(_context: click.Context, option: click.Parameter, text: str) -> str:
    """Return an address of a folder in the net."""
    if text and not re.fullmatch(r"https?://[\w.:-]+(?:/[\w.~%/-]*)?", text):
        raise console.Misused("address", option=option.opts[0], value=text)
    return f"{text.rstrip('/')}/" if text else ""


@click.command(cls=console.Watched)
@console.GAMES
@console.ALL
@click.option("--room", "rooms", multiple=True, metavar="NAME")
@click.option("--mech", "mechs", multiple=True, metavar="[SEAT=]CODE[:VARIANT]|FILE")
@click.option("--deck", "decks", multiple=True, metavar="[SEAT=]FILE")
@click.option("--picture", "own", multiple=True, metavar="SEAT=FILE")
@click.option("--board", "boards", default="", metavar="A+J2+B/C", callback=_boards)
@console.BOXES
@console.WITHOUT_SAMPLES
@click.option("--shuffle", default="", metavar="SEED")
@click.option("--loose", multiple=True, metavar="NAME")
@click.option("--changed-since", "old", metavar="OLD")
@click.option("--name", "called", metavar="NAME")
@click.option("--images-at", default="", metavar="URL", callback=_address)
@click.option("--images", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--format", "form", type=click.Choice(["png"]))
@console.SOURCE
@console.OUT
@console.TEMPLATE_LIMITS
def build(
    games: tuple[str, ...],
    every: bool,
    mechs: tuple[str, ...],
    decks: tuple[str, ...],
    own: tuple[str, ...],
    loose: tuple[str, ...],
    old: str | None,
    called: str | None,
    images: Path | None,
    form: str | None,
    source: Path | None,
    out: Path,
    **options: Any,
) -> None:
    """Build room zips: OUT/<game>/<room>.zip."""
    from exporter.rooms.room_orders import RoomOrder

    seats = _by_seat([*(("--mech", one) for one in mechs), *(("--deck", one) for one in decks)])
    order = RoomOrder(
        mechs=seats, pictures=_by_seat([("--picture", one) for one in own]), **options
    )
    if old:
        loose = (*loose, *_changed(old, games, every, source))
    console.refuse_misuse(
        {
            "as-for-one": called is not None and (len(loose) != 1 or not called.strip()),
            "loose-and-images": loose and images,
            "format-for-images": form and not images,
        }
    )
    if (loose or images) and order != RoomOrder(samples=order.samples):
        raise console.Misused("no-rooms", option="--loose" if loose else "--images")
    found = console.chosen(games, every, source)
    from exporter.app import room_files

    bar, progress = console.progress("painting", MANY_PICTURES)
    more: dict[str, Any] = {"source": source, "progress": progress}
    with bar:
        if loose:
            name = (called or "").strip()
            result = room_files.save_loose(
                found, loose, out, called=name, samples=order.samples, **more
            )
        elif images:
            result = room_files.save_pictures(
                found, images, as_png=bool(form), samples=order.samples, **more
            )
        else:
            result = room_files.save_rooms(found, out, order, **more)
    console.tell_result(result, folders=bool(images))
    console.show(*(line.in_language(console.language()) for line in result.remarks))
    new, same = len(result.written.new), result.written.same
    counts = {"files": len(result.made), "new": new, "same": same, "pictures": result.painted}
    click.echo(console.say("made-some" if same else "made", **counts))
    if not images:
        click.echo(console.say("drop" if loose else "play"))
    console.end_for_errors(result.problems, counts=True)


def _changed(old: str, games: Sequence[str], every: bool, source: Path | None) -> tuple[str, ...]:
    """Return the cards of one game that changed since an old state of its data, if any did."""
    from exporter.app.compare_data import changed_cards

    if len(games) != 1 or every:
        raise console.Misused("changed-of-one")
    found, gone = changed_cards(old, games[0], source)
    if gone:
        console.show(console.say("cards-gone", count=len(gone), names=", ".join(gone)))
    elif not found:
        console.show(console.say("differences", count=0))
    if not found:
        click.get_current_context().exit()
    return found


_WRONG_SEAT = {"--mech": "seat", "--deck": "seat-of-deck", "--picture": "seat-of-picture"}


def _by_seat(given: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return what is in each seat, of options such as ``SEAT=CODE:VARIANT`` and ``SEAT=FILE``; one
    may be without a seat."""
    seats: dict[str, str] = {}
    for option, value in given:
        seat, thing = _seat_and_thing(value)
        if not thing or (not seat and (option == "--picture" or "" in seats)):
            raise console.Misused(_WRONG_SEAT[option], value=value)
        if option == "--deck" and not is_build_file(thing):
            raise console.Misused("no-deck-for-seat", value=value, word=thing)
        if seat in seats:
            raise console.Misused(
                "seat-taken", option=option, value=value, seat=seat, taken=seats[seat]
            )
        seats[seat] = thing
    return seats


def _seat_and_thing(value: str) -> tuple[str, str]:
    """Return the seat that a value names, if any, and what is in it, whose path may have a sign."""
    seat, sign, thing = value.replace("＝", "=", 1).partition("=")
    return (seat, thing) if sign and not {"/", "\\"} & {*seat} else ("", value)


def _lengths(_context: click.Context, option: click.Parameter, value: str | None) -> Any:
    """``3`` or ``3x4`` as two lengths; of a size both, or one alone would make squares of cards."""
    if value is None:
        return None
    name, least = option.opts[0], 1 if option.name == "size" else 0
    parts = value.lower().replace("×", "x").split("x")
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or not all(least <= number <= LONGEST for number in numbers):
        raise console.Misused("lengths", option=name, value=value[:40], least=least, most=LONGEST)
    if option.name == "size" and len(numbers) == 1:
        raise console.Misused("size", value=value)
    return numbers[0], numbers[-1]


def _grid(_context: click.Context, _option: click.Parameter, value: str | None) -> Any:
    if value is None:
        return None
    found = re.fullmatch(r"([1-9][0-9]?)[x×]([1-9][0-9]?)", value.lower())
    if found is None:
        raise console.Misused("grid", value=value[:40])
    return int(found[1]), int(found[2])


_SHIFT = console.BoundedNumber(-LONGEST, LONGEST)


@click.command("print", cls=console.Command)
@console.GAMES
@console.ALL
@click.option("--sheet", "sheets", metavar="NAME", multiple=True, callback=console.as_words)
@click.option("--preset", metavar="NAME")
@click.option("--paper", metavar="NAME")
@click.option("--size", metavar="63x88", callback=_lengths)
@click.option("--scale-to-fit", is_flag=True)
@click.option("--grid", metavar="3x3", callback=_grid)
@click.option("--gap", metavar="MM", callback=_lengths)
@click.option("--bleed", type=console.BoundedNumber(0, 20), metavar="MM")
@click.option("--cut", type=click.Choice(["marks", "lines", "none"]))
@click.option("--backs", type=click.Choice(["interleaved", "separate", "none"]))
@click.option("--edge", type=click.Choice(["long", "short"]))
@click.option("--offset-x", type=_SHIFT, metavar="MM")
@click.option("--offset-y", type=_SHIFT, metavar="MM")
@click.option("--overlap", type=console.BoundedNumber(0, 50), metavar="MM")
@click.option("--poster", default="", metavar="PAPER")
@click.option("--only", metavar="A,B", multiple=True, callback=console.as_words)
@console.BOXES
@console.WITHOUT_SAMPLES
@click.option("--changed-by", metavar="ERRATUM,…|all", multiple=True, callback=console.as_words)
@click.option("--changed-since", default="", metavar="DATE", callback=console.as_day)
@click.option("--stickers", is_flag=True)
@click.option("--mech", "mechs", multiple=True, metavar="[SEAT=]CODE[:VARIANT]|FILE")
@click.option("--deck", "decks", multiple=True, metavar="[SEAT=]FILE")
@click.option("--saving", is_flag=True)
@click.option("--shop", default="", metavar="NAME")
@click.option("--proof", is_flag=True)
@click.option("--mats", default="", metavar="ROOM")
@click.option("--calibrate", is_flag=True)
@click.option("--looks", is_flag=True)
@click.option("--as", "form", type=click.Choice(["pdf", "png"]), default="pdf", show_default=True)
@click.option("--dpi", type=click.IntRange(36, 1200), default=300, show_default=True)
@console.SOURCE
@console.OUT
@console.TEMPLATE_LIMITS
def print_command(
    games: tuple[str, ...],
    every: bool,
    source: Path | None,
    out: Path,
    looks: bool,
    mechs: tuple[str, ...],
    decks: tuple[str, ...],
    offset_x: float | None,
    offset_y: float | None,
    **options: Any,
) -> None:
    """Make files to print: cards, sheets, boards and lists, OUT/<game>/<sheet>.pdf."""
    from exporter.model.print_jobs import PrintOrder

    # Written as for build, whose seats make no difference on paper.
    mechs, decks = (tuple(_seat_and_thing(one)[1] for one in many) for many in (mechs, decks))
    for name in decks:
        if not is_build_file(name):
            raise console.Misused("no-deck-file", value=name)
    offset = None if (offset_x, offset_y) == (None, None) else (offset_x or 0, offset_y or 0)
    order = PrintOrder(offset=offset, builds=(*mechs, *decks), **options)
    others = order.sheets or order.boxes
    console.refuse_misuse(
        {
            "calibrate-alone": order.calibrate and others,
            "proof-for-shop": order.proof and not order.shop,
            "stickers-of-errata": order.stickers and (not order.is_of_errata or order.shop),
            "calibrate-and-looks": order.calibrate and looks,
            "mats-alone": order.mats and (others or order.shop or order.calibrate),
        }
    )
    found = console.chosen(games, every, source)
    from exporter.app import print_files

    bar, progress = console.progress("printing", MANY_SHEETS)
    with bar:
        if looks:
            result = print_files.look_at_sheets(found, order, source=source, is_optional=every)
        else:
            result = print_files.print_sheets(
                found, out, order, source=source, is_optional=every, progress=progress
            )
    console.tell_result(result)
    if looks:
        counted = console.counted(result.found, "finding")
        count = counted if result.found else console.say("no-findings")
        click.echo(console.say("read", faces=result.read, found=count))
    console.show(*(line.in_language(console.language()) for line in result.remarks))


@click.command(cls=console.Command)
@console.GAMES
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
@console.ALL
@console.SOURCE
@console.TEMPLATE_LIMITS
def publish(games: tuple[str, ...], folder: Path, every: bool, source: Path | None) -> None:
    """Make a web page for a game: rooms with pictures, sheets and single pictures to download."""
    from exporter.app.publish import publish

    found = console.chosen(games, every, source)
    bar, progress = console.progress("painting", MANY_PICTURES)
    with bar:
        result = publish(found, folder, source=source, with_index=every, progress=progress)
    console.tell_result(result)
    console.end_for_errors(result.problems, counts=True)
