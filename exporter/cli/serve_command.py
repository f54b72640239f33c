"""The command serve: the workbench."""

from __future__ import annotations

from pathlib import Path

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

    from exporter.app.arguments import find_games, folders_of
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
