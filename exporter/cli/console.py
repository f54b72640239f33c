"""What the commands share: their common options, and how problems and results are reported."""

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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exporter.cli.language import Command as Command
from exporter.cli.language import CommandGroup, say_of, translated, width
from exporter.cli.language import Misused as Misused
from exporter.cli.language import language as language
from exporter.cli.language import refuse_misuse as refuse_misuse
from exporter.cli.language import say as say
from exporter.core import grouped, messages
from exporter.core.problems import InvalidSource, Problem, counts, errors, printable, problem_values
from exporter.loader import is_build_file

if TYPE_CHECKING:
    from exporter.app.make_files import Result
_FORM = "exporter.form"
_NO_TEXT = re.compile("[\ud800-\udfff]")


# -- options -------------------------------------------------------------------------------------


def split_words(text: str, separator: str = ",") -> tuple[str, ...]:
    """Return the words of an option's value; what separates them may be as wide as Japanese is."""
    text = text.translate(str.maketrans("，、＋", ",,+"))
    return tuple(word.strip() for word in text.split(separator) if word.strip())


def as_words(_context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
    """Return names with commas between them, in one option or in several."""
    return split_words(",".join(value) if isinstance(value, tuple) else value)


def as_day(_context: click.Context, parameter: click.Parameter, text: str) -> str:
    """Return a day that an option gives, as ``2026-01-31``; nothing stays nothing."""
    from exporter.app.games import day

    try:
        return day(text)
    except ValueError:
        raise Misused("day", option=parameter.opts[0], value=text) from None


def _keep_format(context: click.Context, _parameter: click.Parameter, form: str) -> str:
    """Keep the format where the whole program finds it, to tell problems in it too."""
    context.meta[_FORM] = form
    return form


def _negated(_context: click.Context, _parameter: click.Parameter, value: bool) -> bool:
    return not value


GAMES = click.argument("games", metavar="GAME…", nargs=-1)
ALL = click.option("--all", "every", is_flag=True)
SOURCE = click.option("--source", type=click.Path(path_type=Path, exists=True, file_okay=False))
OUT = click.option(
    "--out", type=click.Path(path_type=Path), default=Path("output"), show_default=True
)
BOXES = click.option("--boxes", default="", metavar="A,B", callback=as_words)
WITHOUT_SAMPLES = click.option("--without-samples", "samples", is_flag=True, callback=_negated)


def format_option(*forms: str) -> Callable[[Any], Any]:
    """Return the option for the format of what is reported, by default the first."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        callback=_keep_format,
    )


FORMAT = format_option("text", "json")


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
        from exporter.render.typesetter import ALLOWED

        before = ALLOWED.set(WorkerLimits(*limits))
        context.call_on_close(lambda: ALLOWED.reset(before))


TEMPLATE_LIMITS = click.option(
    "--template-limits",
    type=(BoundedNumber(1, 3600), BoundedNumber(100, 64_000)),
    metavar="SECONDS MB",
    expose_value=False,
    callback=_allowed,
)


def chosen(games: Sequence[str], every: bool, source: Path | None) -> Sequence[str | Path]:
    """Return the games that are named, or every one that is found."""
    if every == bool(games):
        raise Misused("name-games")
    from exporter.app.games import find_games

    return games or find_games(source)


# -- commands ------------------------------------------------------------------------------------


@contextlib.contextmanager
def _errors_reported() -> Iterator[None]:
    """Report what is wrong with data, or what the system refuses, and end; translate wrong usage.

    Of a closed pipe click makes a quiet end.
    """
    try:
        yield
    except click.UsageError as error:
        raise translated(error) from None
    except InvalidSource as error:
        _report_failure(error.problems)
        raise SystemExit(1) from None
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        if error.filename is None:
            click.echo(say("system-output", quote=error.strerror), err=True)
        else:
            click.echo(say("system", quote=error), err=True)
        raise SystemExit(1) from None


class Commands(CommandGroup):
    """Commands whose problems are reported all at once, with exit code 1 and no traceback.

    What the system refuses outside the files that a command reads and writes, such as standard
    output on a full disk, is reported too.
    """

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _errors_reported():  # such as what --help says, on a full disk
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _errors_reported():
            return super().invoke(ctx)


def _report_failure(problems: Sequence[Problem]) -> None:
    """Report what is wrong in the form that was asked for."""
    if click.get_current_context().meta.get(_FORM) == "json":
        report_json(problems)
    else:
        report_problems(problems)
        click.echo(say("tally", found=tally(problems)), err=True)


class Watched(Command):
    """A command that does it all again whenever a file is saved, if it is asked to ``--watch``."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.params.insert(-1, click.Option(["--watch"], is_flag=True))

    def invoke(self, ctx: click.Context) -> Any:
        if not ctx.params.pop("watch"):
            return super().invoke(ctx)
        for _time in _wait_for_saves(_watched_paths(ctx.params)):
            try:
                super().invoke(ctx)
            except InvalidSource as error:
                _report_failure(error.problems)
            except SystemExit as error:  # it was said why
                if isinstance(error.code, int) and error.code > 128:  # somebody ends it
                    return None
            click.echo(messages.words("serve", language())["watching"], err=True)
        return None


def _wait_for_saves(places: list[Path]) -> Iterator[None]:
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


def _watched_paths(params: Mapping[str, Any]) -> list[Path]:
    """Return the folders and files that a command is about. Raises ``InvalidSource``."""
    from exporter.app.games import find_games, folders_of

    things = params.get("games") or params.get("things") or ()
    files = [Path(thing.partition("#")[0]) for thing in things if is_build_file(thing)]
    games = [thing for thing in things if not is_build_file(thing)]
    source = params["source"]
    folders = folders_of(games, source) if games else [] if files else find_games(source)
    return [path for path in (*folders, *files, Path("templates")) if path.exists()]


def prepare_terminal() -> None:
    """What a terminal or a pipe cannot show is written as an escape, and is no error.

    A command makes many values and little rubbish: looking for it less often saves a tenth.
    """
    gc.set_threshold(100_000, 50, 50)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def colours() -> bool | None:
    """Return no colours for who asks for none (https://no-color.org); else what the terminal can
    show."""
    return False if os.environ.get("NO_COLOR") else None


# -- results -------------------------------------------------------------------------------------


def counted(count: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return say_of("counted", noun, count=count)


def written_count(has_parts: Iterable[bool]) -> str:
    """``2 builds, 1 deck``, of each whether it is more than a deck; or that nothing was written."""
    counts = Counter("build" if one else "deck" for one in has_parts)
    return ", ".join(counted(counts[noun], noun) for noun in sorted(counts)) or say("unwritten")


def tally(problems: Iterable[Problem]) -> str:
    """``2 errors, 1 warning``; a notice is no error."""
    found = [counted(count, word) for word, count in counts(problems).items() if count]
    return ", ".join(found) or say("no-problems")


def without_control_signs(text: str) -> str:
    """Return what is reported of a game's data: a text in it steers no terminal."""
    return "\n".join(map(printable, text.split("\n")))


def show(*texts: str) -> None:
    """Print what is reported of a game's data."""
    for text in texts:
        click.echo(without_control_signs(text))


def show_found(
    form: str,
    values: Callable[[], dict[str, Any]],
    lines: Iterable[str],
    problems: Sequence[Problem] = (),
) -> None:
    """Print what was found: ``values`` as JSON, or ``lines``, those with tabs in columns."""
    if form == "json":
        report_json(problems, **values())
    else:
        report_problems(problems)
        show(*in_columns(lines))


def in_columns(lines: Iterable[str]) -> list[str]:
    """Return lines with tabs as columns of equal width; Japanese characters are two wide."""
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


def report_problems(problems: Iterable[Problem]) -> None:
    """Problems on standard error, one a line."""
    styles = {"error": "red", "warning": "yellow", "notice": "cyan"}
    for problem in problems:
        word = str(problem.severity)
        name = say_of("severity", word)
        coloured = click.style(name, fg=styles[word], bold=True)
        text = problem.in_language(language())
        text = text.replace(f"{name} {problem.rule} ", f"{coloured} {problem.rule} ", 1)
        click.echo(text, err=True)


def report_json(problems: Sequence[Problem], **more: Any) -> None:
    """Problems and what was found, as the one JSON document on standard output."""
    values = [problem_values(problem, language()) for problem in problems]
    echo_json({**more, "problems": values, "summary": counts(problems)})


def echo_json(document: Mapping[str, Any]) -> None:
    """A JSON document on standard output, with escapes for a pipe that is not Unicode."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    text = json.dumps(document, ensure_ascii=not encoding.lower().startswith("utf"), indent=2)
    # Bytes of a path that are no text: as an escape of JSON's own, not every program reads them.
    click.echo(_NO_TEXT.sub(lambda found: "\\" + ascii(found[0])[1:-1], text))


def end_for_errors(problems: Iterable[Problem], *, counts: bool = False) -> None:
    """End with exit code 1 where there is an error, after their number if it is to be reported."""
    if wrong := errors(problems):
        if counts:
            click.echo(say("tally", found=tally(wrong)), err=True)
        raise SystemExit(1)


def size_text(size: int) -> str:
    """``1.4 MB`` of bytes."""
    return f"{size / 1_000_000:.1f} MB" if size >= 1_000_000 else f"{size / 1000:.1f} kB"


def tell_result(result: Result, *, folders: bool = False) -> None:
    """The problems and files of a run, or the ``folders`` of many files of one sort."""
    report_problems(result.problems)
    groups = grouped(result.made, lambda made: made.path.parent if folders else made.path)
    for path, some in sorted(groups.items()) if folders else groups.items():
        size = sum(made.size for made in some)
        counts = ((len(some), "picture"),) if folders else some[0].counts
        parts = (size_text(size), *(counted(count, noun) for count, noun in counts if count))
        click.echo(f"{path}  {', '.join(parts)}")


def progress(key: str, many: int) -> tuple[Any, Callable[[int, int], None]]:
    """Return a progress bar on a terminal; elsewhere a line a game that has ``many`` to wait
    for."""
    if sys.stderr and sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        bar = Progress(console=Console(stderr=True), transient=True)
        task = bar.add_task(say(key), visible=False)
        return bar, lambda done, total: bar.update(task, completed=done, total=total, visible=True)
    known = 0

    def tell(_done: int, total: int) -> None:
        nonlocal known
        if total - known >= many:
            click.echo(say(f"{key}-many", count=total - known), err=True)
        known = max(known, total)

    return contextlib.nullcontext(), tell
