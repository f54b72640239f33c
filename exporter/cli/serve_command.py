"""The command serve: the workbench."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from exporter.cli import console
from exporter.core.messages import words


@click.command(cls=console.Command)
@click.argument("games", metavar="[GAME|DIR]…", nargs=-1)
@click.option("--port", type=click.IntRange(1, 65535))
@click.option("--no-open", is_flag=True)
@click.option("--lan", is_flag=True)
@console.SOURCE
@console.TEMPLATE_LIMITS
def serve(
    games: tuple[str, ...], port: int | None, no_open: bool, lan: bool, source: Path | None
) -> None:
    """Open the workbench: rooms, cards and constructing as pages on this machine."""
    import secrets

    from exporter.app.games import find_games, folders_of
    from exporter.web.qr_code import code_lines
    from exporter.web.server import (
        HERE,
        PORT,
        listening,
        own_address,
    )
    from exporter.web.server import serve as serve_games

    known = words("serve", console.language())
    folders = folders_of(games, source) if games else find_games(source)
    network = own_address() if lan else ""
    try:
        sock = listening(port, lan=bool(network))
    except OSError as error:
        raise console.Misused("port", port=port, said=error.strerror) from None
    number = sock.getsockname()[1]
    token = secrets.token_urlsafe(16)
    address = f"http://{HERE}:{number}/?token={token}"
    click.echo(known["open"].format(address=address))
    if port is None and number != PORT:
        click.echo(known["port"])
    if network:
        phones = f"http://{network}:{number}/"
        click.echo(known["lan"].format(address=phones))
        click.echo(code_lines(phones))
    elif lan:
        click.echo(known["no-lan"])
    click.echo(known["stop"])

    def began() -> None:
        import webbrowser

        if not no_open and not webbrowser.open(address):
            click.echo(known["browser"])

    home = source or Path("source_data")
    serve_games(folders, sock, token, home=home, lan=network, began=began)


class Watched(console.Command):
    """A command that goes on until Ctrl+C, if it is asked to ``--watch``."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.insert(-1, click.Option(["--watch"], is_flag=True))

    def invoke(self, ctx: click.Context) -> Any:
        if not ctx.params.pop("watch"):
            return super().invoke(ctx)
        from exporter.core.problems import InvalidSource
        from exporter.web.file_watch import saves

        for _time in saves(_places(ctx.params)):
            try:
                super().invoke(ctx)
            except InvalidSource as error:
                console.refuse(ctx, error.problems)
            except SystemExit as error:  # it was said why
                if isinstance(error.code, int) and error.code > 128:  # somebody ends it
                    return None
            click.echo(words("serve", console.language())["watching"], err=True)
        return None


def _places(params: Mapping[str, Any]) -> list[Path]:
    """The folders and files that a command is about. Raises ``InvalidSource``."""
    from exporter.app.games import find_games, folders_of
    from exporter.loader import is_build_file

    things = params.get("games") or params.get("things") or ()
    files = [Path(thing.partition("#")[0]) for thing in things if is_build_file(thing)]
    games = [thing for thing in things if not is_build_file(thing)]
    source = params["source"]
    folders = folders_of(games, source) if games else [] if files else find_games(source)
    return [path for path in (*folders, *files, Path("templates")) if path.exists()]
