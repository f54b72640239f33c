"""What the commands share: their common options, and how problems and results are told."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import json
import math
import os
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exporter.cli.language import Command as Command
from exporter.cli.language import (
    Group,
    classed,
    say_of,
)
from exporter.cli.language import Misused as Misused
from exporter.cli.language import language as language
from exporter.cli.language import say as say

if TYPE_CHECKING:
    from exporter.app.make_files import Made
    from exporter.core.problems import Problem

_FORM = "exporter.form"
_NO_TEXT = re.compile("[\ud800-\udfff]")


def _remembered(context: click.Context, _parameter: click.Parameter, form: str) -> str:
    """The format is kept where the whole program finds it, to tell problems in it too."""
    context.meta[_FORM] = form
    return form


GAMES = click.argument("games", metavar="GAME…", nargs=-1)
ALL = click.option("--all", "every", is_flag=True)
SOURCE = click.option(
    "--source",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("output"),
    show_default=True,
)
WITHOUT_SAMPLES = click.option("--without-samples", is_flag=True)


def format_of(*forms: str) -> Callable[[Any], Any]:
    """The option for the format of what is told, by default the first."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        callback=_remembered,
    )


FORMAT = format_of("text", "json")


class BoundedNumber(click.FloatRange):
    """A number between two bounds; ``nan`` is none, though it is outside of no range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(str(Misused("not-a-number", value=value)), param, ctx)
        return number


def _allowed(
    context: click.Context, _parameter: click.Parameter, limits: tuple[float, float] | None
) -> None:
    if limits is not None:
        from exporter.core.worker_process import WorkerLimits
        from exporter.render.compiler import ALLOWED

        before = ALLOWED.set(WorkerLimits(*limits))
        context.call_on_close(lambda: ALLOWED.reset(before))


TEMPLATE_LIMITS = click.option(
    "--template-limits",
    type=(BoundedNumber(1, 3600), BoundedNumber(100, 64_000)),
    metavar="SECONDS MB",
    expose_value=False,
    callback=_allowed,
)


@contextlib.contextmanager
def _system_told() -> Iterator[None]:
    """What the system refuses, told; of a closed pipe click makes a quiet end."""
    try:
        yield
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        if error.filename is None:
            click.echo(say("system-output", said=error.strerror), err=True)
        else:
            click.echo(say("system", said=error), err=True)
        raise SystemExit(1) from None


class Commands(Group):
    """Commands whose problems are told all at once, with exit code 1 and no traceback.

    What the system refuses outside the files that a command reads and writes, such as standard
    output on a full disk, is told too.
    """

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _system_told():  # such as what --help says, on a full disk
            return super().make_context(*args, **kwargs)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if any("\0" in word for word in args):  # a shell cannot give one, but a program can
            raise Misused("nul")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        from exporter.core.problems import InvalidSource

        try:
            with _system_told():
                return super().invoke(ctx)
        except click.UsageError as error:
            raise classed(error) from None
        except InvalidSource as error:
            refuse(ctx, error.problems)
            ctx.exit(1)


def refuse(ctx: click.Context, problems: Sequence[Problem]) -> None:
    """Tell what is wrong in the form that was asked for."""
    if ctx.meta.get(_FORM) == "json":
        report_json(problems)
    else:
        report(problems)
        click.echo(say("tally", found=tally(problems)), err=True)


def prepare() -> None:
    """What a terminal or a pipe cannot show is written as an escape, and is no error.

    A command makes many values and little rubbish: looking for it less often saves a tenth.
    """
    gc.set_threshold(100_000, 50, 50)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def colours() -> bool | None:
    """No colours for who asks for none (https://no-color.org); else what the terminal can show."""
    return False if os.environ.get("NO_COLOR") else None


def counted(count: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return say_of("counted", noun, count=count)


def written(has_parts: Iterable[bool]) -> str:
    """``2 builds, 1 deck``, of each whether it is more than a deck; or that nothing was written."""
    counts = Counter("build" if one else "deck" for one in has_parts)
    return ", ".join(counted(counts[noun], noun) for noun in sorted(counts)) or say("unwritten")


def tally(problems: Iterable[Problem]) -> str:
    """``2 errors, 1 warning``; a notice is no error."""
    from exporter.core.problems import counts

    found = [counted(count, word) for word, count in counts(problems).items() if count]
    return ", ".join(found) or say("no-problems")


def words(text: str, separator: str = ",") -> tuple[str, ...]:
    """The words of an option's value; what separates them may be as wide as Japanese is."""
    text = text.translate(_WIDE)
    return tuple(word.strip() for word in text.split(separator) if word.strip())


_WIDE = str.maketrans("，、＋", ",,+")


def day(text: str, option: str) -> str:
    """A day that an option gives, as ``2026-01-31``; nothing stays nothing."""
    if not text:
        return ""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Misused("day", option=option, value=text) from None


def shown_lines(text: str) -> str:
    """What is told of a game's data: a text in it steers no terminal."""
    from exporter.core.problems import shown

    return "\n".join(map(shown, text.split("\n")))


def show(text: str) -> None:
    """Print what is told of a game's data."""
    click.echo(shown_lines(text))


def show_table(lines: Iterable[str]) -> None:
    """Print such lines, those with tabs in columns."""
    for line in table(lines):
        show(line)


def table(lines: Iterable[str]) -> list[str]:
    """Lines with tabs as columns of equal width; Japanese characters are two wide."""

    def width(text: str) -> int:
        return sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text)

    rows = [line.split("\t") for line in lines]
    in_columns = [row for row in rows if len(row) > 1]
    columns = max(map(len, in_columns), default=0)
    widths = [max(width(row[i]) for row in in_columns if len(row) > i) for i in range(columns)]
    return [
        "  ".join(cell + " " * (widths[i] - width(cell)) for i, cell in enumerate(row)).rstrip()
        if len(row) > 1
        else row[0]
        for row in rows
    ]


def report(problems: Iterable[Problem]) -> None:
    """Problems on standard error, one a line."""
    styles, spoken = {"error": "red", "warning": "yellow", "notice": "cyan"}, language()
    for problem in problems:
        word = str(problem.severity)
        text = problem.in_language(spoken)
        said = say_of("severity", word)
        coloured = click.style(said, fg=styles[word], bold=True)
        text = text.replace(f"{said} {problem.rule} ", f"{coloured} {problem.rule} ", 1)
        click.echo(text, err=True)


def report_json(problems: Sequence[Problem], **more: Any) -> None:
    """Problems and what was found, as the one JSON document on standard output."""
    from exporter.core.problems import (
        counts,
        problem_values,
    )

    values = [problem_values(problem, language()) for problem in problems]
    echo_json({**more, "problems": values, "summary": counts(problems)})


def echo_json(document: Mapping[str, Any]) -> None:
    """A JSON document on standard output, with escapes for a pipe that is not Unicode."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    is_unicode = encoding.lower().startswith("utf")
    text = json.dumps(document, ensure_ascii=False, indent=2)
    # Bytes of a path that are no text: as an escape of JSON's own, not every program reads them.
    text = _NO_TEXT.sub(lambda found: "\\" + ascii(found[0])[1:-1], text)
    click.echo(text if is_unicode else json.dumps(json.loads(text), indent=2))


def tell_made(made: Iterable[Made]) -> None:
    """What was made: each file with its size and how much is in it."""
    for each in made:
        counts = (counted(count, noun) for count, noun in each.counts if count)
        click.echo(f"{each.path}  {', '.join((_size(each.size), *counts))}")


def tell_folders(made: Iterable[Made]) -> None:
    """Where many files of one sort were made: each folder, with their size and number."""
    folders: dict[Path, list[Made]] = {}
    for each in made:
        folders.setdefault(each.path.parent, []).append(each)
    for folder, some in sorted(folders.items()):
        size = _size(sum(each.size for each in some))
        click.echo(f"{folder}  {size}, {counted(len(some), 'picture')}")


def _size(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{size / 1000:.1f} kB"


def progress(key: str, many: int) -> tuple[Any, Callable[[int, int], None]]:
    """A progress bar on a terminal; elsewhere a line a game that has ``many`` to wait for."""
    if not (sys.stderr and sys.stderr.isatty()):
        return contextlib.nullcontext(), _line_a_game(key, many)
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    task = bar.add_task(say(key), visible=False)
    return bar, lambda done, total: bar.update(task, completed=done, total=total, visible=True)


def _line_a_game(key: str, many: int) -> Callable[[int, int], None]:
    known = 0

    def tell(_done: int, total: int) -> None:
        nonlocal known
        if total - known >= many:
            click.echo(say(f"{key}-many", count=total - known), err=True)
        known = max(known, total)

    return tell
