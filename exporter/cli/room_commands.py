"""Commands for rooms that were played in, or made by others."""

from __future__ import annotations

import os
from pathlib import Path

import click

from exporter.cli import console
from exporter.cli.make_commands import MANY_PICTURES


def _beside(room: Path, out: Path | None, word: str) -> Path:
    """Choose where a room goes that is made of another one: never in the place of that."""
    out = out or room.with_name(f"{room.stem}_{word}.zip")
    if os.path.realpath(out) == os.path.realpath(room):
        raise console.Misused("out-is-saved", file=room)
    return out


@click.command(cls=console.Command)
@click.argument("saved", metavar="SAVED.zip", type=click.Path(path_type=Path))
@click.argument("game", metavar="[GAME]", required=False)
@click.option("--take-new", is_flag=True)
@click.option("--remove", is_flag=True)
@click.option("--repaint", is_flag=True)
@click.option("--dry-run", is_flag=True)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@console.SOURCE
@console.FORMAT
def update(
    saved: Path,
    game: str | None,
    take_new: bool,
    remove: bool,
    repaint: bool,
    dry_run: bool,
    out: Path | None,
    source: Path | None,
    form: str,
) -> None:
    """Update a room that was saved during play to the current data."""
    from msgspec import to_builtins

    from exporter.app.compare_data import difference_lines
    from exporter.app.update_room import update
    from exporter.core.file_writer import write_whole

    out = _beside(saved, out, "updated")
    found = update(
        saved, game or "", take_new=take_new, remove=remove, repaint=repaint, source=source
    )
    if not dry_run:
        write_whole({out: found.data})
    if form == "json":
        written = None if dry_run else str(out)
        console.report_json(found.problems, changes=to_builtins(found.changes), written=written)
        return
    console.report(found.problems)
    for line in difference_lines(found.changes, console.language()):
        console.show(line)
    if stays := sum(change.sort == "stays" for change in found.changes):
        console.show(console.say("stays", count=stays))
    key = "not-updated" if not found.changes else "would-update" if dry_run else "updated"
    console.show(console.say(key, count=len(found.changes), file=out))


@click.command(cls=console.Command)
@click.argument("one", metavar="OLD")
@click.argument("other", metavar="NEW")
@click.option("--moves", is_flag=True)
@click.option("--write", is_flag=True)
@console.SOURCE
@console.FORMAT
def diff(one: str, other: str, moves: bool, write: bool, source: Path | None, form: str) -> None:
    """List what is different between two games, two rooms, or a room and its game."""
    from msgspec import to_builtins

    from exporter.app.compare_data import diff, difference_lines, write_changes

    found = diff(one, other, moves=moves, source=source)
    written = write_changes(other, found, source) if write and found else None
    if form == "json":
        console.echo_json({"differences": to_builtins(found)})
        return
    for line in difference_lines(found, console.language()):
        console.show(line)
    console.show(console.say("differences", count=len(found)))
    if written:
        console.show(console.say("changes-kept", file=written))


@click.command(cls=console.Command)
@click.argument("room", metavar="ROOM.zip", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
def slim(room: Path, out: Path | None) -> None:
    """Make a room zip smaller without visible loss."""
    from exporter.app.room_zips import slim
    from exporter.core.file_writer import write_whole

    out = _beside(room, out, "slim")
    made = slim(room)
    write_whole({out: made.data})
    counts = {name: getattr(made, name) for name in ("unused", "doubles", "scaled", "packed")}
    sizes = {"before": console.size_text(made.before), "now": console.size_text(len(made.data))}
    console.show(console.say("slimmed", file=out, **counts, **sizes))


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
