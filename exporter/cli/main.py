"""The command line ``exporter``: its commands, and the workbench.

Imports that take time stand inside the commands, so that help and usage errors come at once.
"""

from __future__ import annotations

from pathlib import Path

import click

from exporter import __version__
from exporter.cli import check_commands, console, file_commands, make_commands


@click.group(
    cls=console.Commands,
    context_settings={"help_option_names": ["-h", "--help"], "color": console.colours()},
)
@click.version_option(__version__, prog_name="exporter")
def exporter() -> None:
    """Make Udonarium rooms, print sheets and rule reports from a game's data."""


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
    """Open the workbench: rooms, cards and construction in your browser, on this computer."""
    import contextlib
    import secrets
    import signal
    import threading
    import webbrowser

    import segno

    from exporter.app.games import find_games, folders_of
    from exporter.core.messages import words
    from exporter.web.application import (
        HERE,
        PORT,
        listening,
        own_address,
        server,
    )

    known = words("serve", console.language())
    chosen = folders_of(games, source)
    network, wanted = own_address() if lan else "", port or PORT
    try:
        sock = listening(wanted, lan=bool(network))
    except OSError as error:
        raise console.Misused("port", port=wanted, quote=error.strerror) from None
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

    def find() -> list[Path]:
        return chosen or find_games(source)

    def open_browser() -> None:
        if not webbrowser.open(address):  # it waits at the socket until the server answers
            click.echo(known["browser"])

    if not no_open:
        threading.Thread(target=open_browser, daemon=True).start()
    home = source or Path("source_data")
    if hasattr(signal, "SIGHUP"):  # the window was closed
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    with contextlib.suppress(SystemExit):  # an end that somebody asks for is no fault
        server(find, sock, token, home=home, lan=network).run(sockets=[sock])


exporter.add_group(
    "any.make",
    make_commands.build,
    make_commands.print_command,
    make_commands.publish,
    file_commands.new,
    serve,
)
exporter.add_group(
    "any.check",
    check_commands.check,
    check_commands.verify,
    check_commands.explain,
    check_commands.list_command,
)
exporter.add_group(
    "any.construct",
    check_commands.fits,
    check_commands.suggest,
    check_commands.compare,
    check_commands.odds,
    check_commands.share,
)
exporter.add_group(
    "any.files",
    file_commands.icons,
    file_commands.new_mech,
    file_commands.import_command,
    file_commands.pull,
    file_commands.schema,
    file_commands.update,
    file_commands.diff,
    file_commands.slim,
)


def main() -> None:
    """The command line: exit 0 done, 1 the data has problems, 2 wrong usage."""
    console.prepare_terminal()
    exporter()


if __name__ == "__main__":
    main()
