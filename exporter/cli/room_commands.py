"""Commands for rooms that were played in, or made by others."""

from __future__ import annotations

from pathlib import Path

import click

from exporter.cli import console


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
    """Bring a room that was saved while playing to today's data."""
    from msgspec import to_builtins

    from exporter.app.update_room import changes_text, update
    from exporter.core.file_writer import write_whole

    out = out or saved.with_name(f"{saved.stem}_updated.zip")
    if out.resolve() == saved.resolve():
        raise console.Misused("out-is-saved", file=saved)
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
    if found.changes:
        console.show(changes_text(found.changes, console.language()))
    key = "not-updated" if not found.changes else "would-update" if dry_run else "updated"
    console.show(console.say(key, count=sum(one.count for one in found.changes), file=out))
