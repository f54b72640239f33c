"""The command serve: the workbench."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    import contextlib
    import secrets
    import signal
    import threading
    import webbrowser

    import segno

    from exporter.app.games import find_games, folders_of
    from exporter.web.server import (
        HERE,
        PORT,
        listening,
        own_address,
        server,
    )

    known = words("serve", console.language())
    folders = folders_of(games, source) if games else find_games(source)
    network, wanted = own_address() if lan else "", port or PORT
    try:
        sock = listening(wanted, lan=bool(network))
    except OSError as error:
        raise console.Misused("port", port=wanted, said=error.strerror) from None
    number = sock.getsockname()[1]
    token = secrets.token_urlsafe(16)
    address = f"http://{HERE}:{number}/?token={token}"
    click.echo(known["open"].format(address=address))
    if number != wanted:
        click.echo(known["port"].format(port=wanted))
    if network:
        phones = f"http://{network}:{number}/"
        click.echo(known["lan"].format(address=phones))
        segno.make(phones, micro=False).terminal(compact=True)
    elif lan:
        click.echo(known["no-lan"])
    click.echo(known["stop"])

    def open_browser() -> None:
        if not webbrowser.open(address):  # it waits at the socket until the server answers
            click.echo(known["browser"])

    if not no_open:
        threading.Thread(target=open_browser, daemon=True).start()
    home = source or Path("source_data")
    if hasattr(signal, "SIGHUP"):  # the window was closed
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    with contextlib.suppress(SystemExit):  # an end that somebody asks for is no fault
        server(folders, sock, token, home=home, lan=network).run(sockets=[sock])


class Watched(console.Command):
    """A command that goes on until Ctrl+C, if it is asked to ``--watch``."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.insert(-1, click.Option(["--watch"], is_flag=True))

    def invoke(self, ctx: click.Context) -> Any:
        if not ctx.params.pop("watch"):
            return super().invoke(ctx)
        from exporter.core.problems import InvalidSource

        for _time in _saves(_places(ctx.params)):
            try:
                super().invoke(ctx)
            except InvalidSource as error:
                console.refuse(ctx, error.problems)
            except SystemExit as error:  # it was said why
                if isinstance(error.code, int) and error.code > 128:  # somebody ends it
                    return None
            click.echo(words("serve", console.language())["watching"], err=True)
        return None


def _saves(places: list[Path]) -> Iterator[None]:
    """Yield once, and again when something in one of the places was saved, until Ctrl+C."""
    from watchfiles import watch

    changes = watch(*places, debounce=150, step=40, rust_timeout=200, yield_on_timeout=True)
    try:
        next(changes)  # from here on nothing that is saved is missed
        yield
        for found in changes:
            if found:
                yield
    except KeyboardInterrupt:
        return


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
