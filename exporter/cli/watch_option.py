"""Commands that do it all again whenever a file is saved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from exporter.cli import console
from exporter.core.messages import words


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
    from exporter.app.arguments import find_games, folders_of
    from exporter.loader import is_build_file

    things = params.get("games") or params.get("things") or ()
    files = [Path(thing.partition("#")[0]) for thing in things if is_build_file(thing)]
    games = [thing for thing in things if not is_build_file(thing)]
    source = params["source"]
    folders = folders_of(games, source) if games else [] if files else find_games(source)
    return [path for path in (*folders, *files, Path("templates")) if path.exists()]
