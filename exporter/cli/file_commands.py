"""The commands about files: new, new-mech, import, pull, schema of a game; update, diff, slim of
rooms; icons."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import to_builtins

from exporter.cli import console
from exporter.importer import (
    BOARDS,
    MAX_SEATS,
    PLAYERS,
)

if TYPE_CHECKING:
    from exporter.importer.starter import NewGame

_PLAYERS = "{}-{}".format(*PLAYERS)

# Where a new game's folder is made.
_IN = click.option(
    "--in",
    "out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("source_data"),
    show_default=True,
)


def _span(text: str, *, is_like: bool) -> tuple[int, int]:
    """Read the least and the most of ``4``, ``2-4`` or ``2〜4``, as many as a new game may have."""
    from exporter.importer.starter import check_player_range

    found = re.fullmatch(r"\s*(\d{1,3})\s*(?:[-–〜~]\s*(\d{1,3})\s*)?", text)
    if not found:
        raise console.Misused("players", value=text)
    least, most = int(found[1]), int(found[2] or found[1])
    try:
        check_player_range((least, most), is_like=is_like)
    except ValueError:
        raise console.Misused("players-out", value=text, seats=MAX_SEATS) from None
    return least, most


def _asks() -> bool:
    """Tell whether somebody is there to answer."""
    return sys.stdin is not None and sys.stdin.isatty()


@click.command(cls=console.Command)
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--like", metavar="GAME")
@click.option("--from", "what", metavar="FILE[#SHEET]|DIR", multiple=True)
@click.option("--pictures", metavar="DIR")
@click.option("--ja", metavar="TEXT")
@click.option("--en", metavar="TEXT")
@click.option("--players", metavar="LEAST-MOST", show_default=_PLAYERS)
@click.option("--board", type=click.Choice(BOARDS), show_default=BOARDS[0])
@_IN
@console.SOURCE
def new(
    name: str | None,
    like: str | None,
    what: tuple[str, ...],
    pictures: str | None,
    ja: str | None,
    en: str | None,
    players: str | None,
    board: str | None,
    out: Path,
    source: Path | None,
) -> None:
    """Make a new game: a folder of short, commented files that you can build, check and print at
    once."""
    console.refuse_misuse(
        {
            "like-and-board": like and board,
            "from-alone": what and like,
            "with-from": pictures and not what,
        }
    )
    if name is None:
        if not _asks():
            raise console.Misused("name-the-game")
        name = click.prompt(console.say("ask-name"), type=str).strip()
        ja = ja or click.prompt(console.say("ask-ja"), default=name)
        en = en or click.prompt(console.say("ask-en"), default=name)
        if not like and not what:
            players = players or click.prompt(console.say("ask-players"), default=_PLAYERS)
            kinds = click.Choice(BOARDS)
            board = board or click.prompt(console.say("ask-board"), default=BOARDS[0], type=kinds)
    span = _span(players, is_like=bool(like)) if players else None
    names, language = {"ja": ja or "", "en": en or ""}, console.language()
    if what:
        from exporter.importer.wizard import game_from

        if not (out / name / "game.yaml").exists() and all(
            os.path.exists(each.rpartition("#")[0] or each) for each in what
        ):
            names_of = ", ".join(Path(each).name for each in what)
            click.echo(console.say("trying", name=names_of), err=True)
        more: dict[str, Any] = {"pictures": pictures or "", "board": board or "none", **names}
        made = game_from(name, what, out, players=span, language=language, **more)
        _print_game(made, [line.in_language(language) for line in made.report], name, out)
        return
    from exporter.importer.starter import new_game

    made = new_game(
        name,
        out,
        players=span,
        board=board or "",
        like=like or "",
        language=language,
        source=source,
        **names,
    )
    _print_game(made, [f"  {file}" for file in made.files], name, out)
    click.echo(console.say("then", schemas=made.schemas))


@click.command("import", cls=console.Command)
@click.argument("room", metavar="ROOM.zip", type=click.Path(path_type=Path))
@click.argument("name", metavar="NAME")
@click.option("--ja", metavar="TEXT")
@click.option("--en", metavar="TEXT")
@_IN
def import_command(room: Path, name: str, ja: str | None, en: str | None, out: Path) -> None:
    """Make a game from a room zip: tables and files that build the same room."""
    from exporter.importer.room_import import import_room

    language = console.language()
    made = import_room(room, name, out, ja=ja or "", en=en or "", language=language)
    _print_game(made, [line.in_language(language) for line in made.report], name, out)


@click.command("new-mech", cls=console.Command)
@click.argument("game")
@click.argument("code")
@click.option("--edition", default="", metavar="EDITION")
@console.SOURCE
def new_mech(game: str, code: str, edition: str, source: Path | None) -> None:
    """Make a new mech: mechs/CODE.yaml in the game's folder, with values to fill in."""
    from exporter.importer import starter

    path = starter.new_mech(game, code, edition=edition, language=console.language(), source=source)
    where = f" --source {source}" if source else ""
    click.echo(path)
    click.echo(console.say("fill-in", game=game, where=where))


def _print_game(made: NewGame, lines: list[str], name: str, out: Path) -> None:
    """Print the new folder, what there is to say of it, and the command to try."""
    click.echo(f"{made.folder}  {console.counted(len(made.files), 'file')}")
    for line in lines:
        click.echo(line)
    where = "" if out == Path("source_data") else f" --source {out}"
    click.echo(console.say("try-it", name=name, where=where))


@click.command(cls=console.Command)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False))
def schema(folder: Path) -> None:
    """Write JSON Schemas of a game's files, so that editors help and check as you type."""
    from exporter.importer.starter import write_schemas

    written = write_schemas(folder, language=console.language())
    click.echo(f"{folder}  {console.counted(len(written), 'schema')}")


@click.command(cls=console.Command)
@click.argument("game", metavar="GAME")
@click.option("--accept", is_flag=True)
@console.SOURCE
def pull(game: str, accept: bool, source: Path | None) -> None:
    """Download the published sheets of a game into its tables, and show what changed."""
    from exporter.importer.newer_table import pull

    for line in pull(game, accept=accept, source=source):
        click.echo(line.in_language(console.language()))


@click.command(cls=console.Command)
@click.argument("word")
def icons(word: str) -> None:
    """List icons by a WORD in their names, English or Japanese: castle, 城."""
    from exporter.app.listing import icon_lines

    console.show(*icon_lines(word, console.language()))


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
    from exporter.app.compare_data import difference_lines
    from exporter.app.room_zips import update
    from exporter.core.file_writer import write_whole

    out = _beside(saved, out, "updated")
    found = update(
        saved, game or "", take_new=take_new, remove=remove, repaint=repaint, source=source
    )
    if not dry_run:
        write_whole({out: found.data})
    written = None if dry_run else str(out)
    values = {"changes": to_builtins(found.changes), "written": written}
    lines = difference_lines(found.changes, console.language())
    if stays := sum(change.sort == "stays" for change in found.changes):
        lines.append(console.say("stays", count=stays))
    key = "not-updated" if not found.changes else "would-update" if dry_run else "updated"
    lines.append(console.say(key, count=len(found.changes), file=out))
    console.show_found(form, lambda: values, lines, found.problems)


@click.command(cls=console.Command)
@click.argument("one", metavar="OLD")
@click.argument("other", metavar="NEW")
@click.option("--moves", is_flag=True)
@click.option("--write", is_flag=True)
@console.SOURCE
@console.FORMAT
def diff(one: str, other: str, moves: bool, write: bool, source: Path | None, form: str) -> None:
    """List what is different between two games, two rooms, or a room and its game."""
    from exporter.app.compare_data import diff, difference_lines, write_changes

    found = diff(one, other, moves=moves, source=source)
    written = write_changes(other, found, source) if write and found else None
    if form == "json":
        console.echo_json({"differences": to_builtins(found)})
        return
    console.show(*difference_lines(found, console.language()))
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
